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

#include <stddef.h>

#include <opencsd/c_api/opencsd_c_api.h>
#include <opencsd/etmv4/trc_pkt_types_etmv4.h>

#include "csguest/track.h"
#include "recording/recording.h"
#include "scan/uncommitted.h"

/*
 * How many bytes of the stream lie before an index of its queue: an index counts the bytes of all
 * IDs, but what a stream has lost is counted in its own.  Packets begin in one of
 * the runs fed last.
 */
#define CSG_POSITIONS 32 /* runs kept; a power of two, more than the bytes of an A-Sync */
struct csg_positions {
	uint64_t index[CSG_POSITIONS];	/* of the runs fed last, in a ring */
	uint64_t before[CSG_POSITIONS]; /* stream bytes before each */
	unsigned int last;
	uint64_t fed; /* stream bytes so far */
};

void csg_positions_run(struct csg_positions *positions, uint64_t index, size_t n);
uint64_t csg_positions_of(const struct csg_positions *positions, uint64_t index);

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
	bool bad;		   /* the packet at hand */
	const struct csg_positions *positions;
	bool has_vctx, has_contextidr; /* what the stream's configuration traces */
	bool q_open;		       /* a Q element's address is still to come */
	bool exception_open;	       /* its address is still to come */
	uint64_t exception_index;
	uint16_t exception_number;
	bool want_address; /* the next address says where execution goes on */
	struct csg_context context;
	csg_track_fn out;
	void *arg;
};

/*
 * The source's registers tell which context IDs packets can carry and how far it speculates.
 * 0 or -CSG_E_NO_MEMORY.
 */
int csg_packets_init(struct csg_packets *packets, const struct csg_source *source,
		     const struct csg_positions *positions, csg_track_fn out, void *arg);

void csg_packets_fini(struct csg_packets *packets);

/* One packet, in order; index is where it begins in the queue. */
void csg_packets_feed(struct csg_packets *packets, uint64_t index, const ocsd_etmv4_i_pkt *packet);

/* Decoding begins anew with the next byte. */
void csg_packets_restart(struct csg_packets *packets);

/* The trace ends at index: bytes after which no A-Sync came are lost. */
void csg_packets_end(struct csg_packets *packets, uint64_t index);

#endif
