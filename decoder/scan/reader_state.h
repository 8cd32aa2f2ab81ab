/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reader of packets (scan/reader.h) knows between two bytes: the current packet, and what
 * the next packets may leave out.
 */
#ifndef DECODER_SCAN_READER_STATE_H
#define DECODER_SCAN_READER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scan/packet.h"
#include "scan/packet_rules.h"

#define CSG_PACKET_MAX 64 /* bytes; the longest that a unit sends has fewer than 40 */

enum csg_reader_state {
	CSG_READER_SEARCH, /* for an A-Sync */
	CSG_READER_HEADER, /* the next byte is a packet's first */
	CSG_READER_PAYLOAD,
};

struct csg_reader {
	csg_packet_fn out;
	void *arg;
	uint8_t state; /* enum csg_reader_state */
	uint8_t zeros; /* of an A-Sync that is searched for; else the newest bytes that are */
	uint16_t passed_over; /* headers from here on are atoms that nobody wants */
	bool keeps_addresses; /* nor Address packets: they only count for those after them */
	/* nor timestamps, at all; of a unit that speculates they are reported */
	bool skips_timestamps;
	uint64_t fed;	       /* bytes before the current run */

	uint64_t zeros_index, zeros_position; /* of the first of them */

	/* the current packet */
	struct csg_packet packet;
	uint8_t bytes[CSG_PACKET_MAX]; /* the first of it */
	uint8_t used, limit, left, fields;

	/* what packets leave out */
	uint64_t addresses[3]; /* newest first */
	bool is1[3];	       /* of the addresses */
	uint32_t cc_threshold; /* of the newest Trace Info */
	uint64_t timestamp;
	bool whole_timestamp; /* the next one leaves out zeros */
	bool sf;	      /* as the newest context has it */

	bool ete;
	bool mode1;	   /* commit mode 1: cycle counts commit nothing */
	uint32_t max_spec; /* TRCIDR8 */
	uint32_t cc_mask;  /* of the bits of a cycle count */
	uint8_t vmid_bytes, contextid_bytes;
	struct csg_packet_rule rules[256];
};

/* to, of the same source, goes on as from would; packets still go to its own out(). */
void csg_reader_copy(struct csg_reader *to, const struct csg_reader *from);

/* Whether two of the same source go on alike, whatever comes. */
bool csg_reader_same(const struct csg_reader *a, const struct csg_reader *b);

#endif
