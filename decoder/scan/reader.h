/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packets of an ETMv4 or ETE instruction trace (Arm IHI 0064, "Descriptions of trace
 * packets"), read from the bytes of one trace unit.
 *
 * The first byte of a packet says what it is and how it goes on: with a number of bytes, with
 * fields that end at a byte without bit 7 set, or, for a few, as bytes that come later say.  Which
 * packets there are and how long they are depends on the unit and its programming (TRCIDR0, 1, 2,
 * TRCDEVARCH, TRCCONFIGR).  Addresses and timestamps are sent in part: what is left out is as in
 * the address or timestamp before.
 *
 * Packets begin and end where OpenCSD's packet processor lets them, also those that no unit
 * sends: what it calls reserved or a bad sequence is BAD here, and the next packet begins after
 * it.  One thing differs: ITE packets are read with every OpenCSD, as they have a length of their
 * own; before 1.4 it calls them reserved.  Of a field that does not end, the first bytes count.
 *
 * Most packets are atoms of one byte.  Without speculation (TRCIDR8.MAXSPEC 0) nobody
 * but who reads code needs them, and they are passed over.  So are addresses as long as out() has
 * keeps_addresses set: they are read, as the next one may leave out some of it, but not reported.
 */
#ifndef DECODER_SCAN_READER_H
#define DECODER_SCAN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"
#include "scan/reader_state.h"
#include "scan/run.h"

/* Packets go to out(arg, …) while csg_reader_feed() and _end() run; they are valid until it
 * returns. */
void csg_reader_init(struct csg_reader *reader, const struct csg_source *source, csg_packet_fn out,
		     void *arg);

/* Whether atoms are reported from here on; with speculation they always are.  Also from out(). */
void csg_reader_tell_atoms(struct csg_reader *reader, bool tell);

/*
 * Timestamps need not be reported from here on: most are passed over, and what others say is wrong.
 * With speculation they are reported.
 */
void csg_reader_skip_timestamps(struct csg_reader *reader);

/* Forgets everything: the next packet is an A-Sync, whatever comes before it is skipped. */
void csg_reader_restart(struct csg_reader *reader);

/* The next bytes of the unit. */
void csg_reader_feed(struct csg_reader *reader, const struct csg_run *run);

/* The same for one byte, whatever it is: atoms are reported. */
void csg_reader_byte(struct csg_reader *reader, uint64_t index, uint8_t byte);

/*
 * To be called from out() where the packet cannot be: what it and all after it say counts no more,
 * and an A-Sync is searched for from its first byte on, as a decoder that is reset there does.
 */
void csg_reader_search(struct csg_reader *reader);

/* No more trace comes: says whether it ended inside a packet. */
void csg_reader_end(struct csg_reader *reader);

#endif
