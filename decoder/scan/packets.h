/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From packets to the context track, reading no code.
 *
 * Mirrors what OpenCSD's decoder (trc_pkt_decode_etmv4i.cpp) does with the same packets, as
 * far as contexts go: nothing counts before A-Sync and Trace Info; overflow, discard and bad
 * packets lose synchronisation; an exception packet waits for its address.  What may still be
 * cancelled waits in scan/uncommitted.h.
 */
#ifndef DECODER_SCAN_PACKETS_H
#define DECODER_SCAN_PACKETS_H

#include "csguest/track.h"
#include "recording/recording.h"
#include "scan/reader.h"
#include "scan/uncommitted.h"

enum csg_packets_state {
	CSG_PACKETS_NO_SYNC, /* waits for A-Sync */
	CSG_PACKETS_NO_INFO, /* waits for Trace Info */
	CSG_PACKETS_SYNCED,
};

struct csg_packets {
	enum csg_packets_state state;
	uint8_t gap;	       /* why synchronisation was lost: enum csg_gap */
	uint64_t gap_position; /* and where, in bytes of the stream */
	struct csg_uncommitted uncommitted;
	bool commits_transactions; /* TRCIDR0.COMTRANS 0: a transaction start is a P0 element */
	bool cycles_commit; /* cycle counts commit: as the decoder does from OpenCSD 1.6.1 on */
	bool bad;	    /* the current packet */
	bool has_vctx, has_contextidr; /* what the stream's configuration traces */
	bool q_open;		       /* a Q element's address is still to come */
	bool exception_open;	       /* its address is still to come */
	uint64_t exception_index;
	uint16_t exception_number;
	bool want_address;	    /* the next address says where execution goes on */
	struct csg_context context; /* in force: of what is committed */
	csg_track_fn out;
	void *arg;
};

/*
 * The source's registers tell which context IDs packets can carry and how far it speculates.
 * 0 or -CSG_E_NO_MEMORY.
 */
int csg_packets_init(struct csg_packets *packets, const struct csg_source *source, csg_track_fn out,
		     void *arg);

void csg_packets_fini(struct csg_packets *packets);

/*
 * One packet, in order.  Without speculation nothing hangs on atoms, and they may be left out.
 * False: it is bad, and the flow will be reset at its first byte.  Reading must begin anew there,
 * too, or the two could take different bytes for the next A-Sync.
 */
bool csg_packets_feed(struct csg_packets *packets, const struct csg_packet *packet);

/* An Atom packet at index, not fed, is the first after a timestamp: an event of its own. */
void csg_packets_atom(struct csg_packets *packets, uint64_t index);

/* Nothing hangs on an Address packet that comes next. */
bool csg_packets_pass_address(const struct csg_packets *packets);

/* Decoding begins anew with the next byte, the first of its piece. */
void csg_packets_restart(struct csg_packets *packets);

/* The trace ends at index, after this many bytes: those after which no A-Sync came are lost. */
void csg_packets_end(struct csg_packets *packets, uint64_t index, uint64_t position);

#endif
