/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packets of a source as OpenCSD prints them, one after the other, through all chunks of its
 * queue: what csguest dump --packets shows.  A pass of its own, apart from scan and flow.
 */
#ifndef DECODER_FLOW_PACKET_LIST_H
#define DECODER_FLOW_PACKET_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "recording/recording.h"

struct csg_packet_list;

struct csg_packet_line {
	const struct csg_chunk *chunk; /* it lies in */
	uint64_t index;		       /* of its first byte in the queue */
	const char *text;	       /* ocsd_pkt_str()'s; valid until the next call */
};

/* -CSG_E_UNSUPPORTED where OpenCSD has no packets for the protocol (ETE before 1.5) or cannot
 * read such a trace unit. */
int csg_packet_list_open(struct csg_packet_list **list, struct csg_recording *rec,
			 const struct csg_source *source, const struct csg_diag_sink *sink);
void csg_packet_list_close(struct csg_packet_list *list);

/*
 * The next packet: 1, 0 at the end, or a negative error.  Bytes that cannot be read, or that OpenCSD
 * gives up on, are skipped; packets for what it could not understand (I_BAD_SEQUENCE,
 * I_RESERVED, I_NOT_SYNC) are listed as any other.
 */
int csg_packet_list_next(struct csg_packet_list *list, struct csg_packet_line *line);

#endif
