/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The packets of a trace unit, one after the other, as OpenCSD prints them (ocsd_pkt_str()).
 * No code is needed to read them, and no owner is known of them.
 *
 * A list is used by one thread at a time.
 */
#ifndef CSGUEST_PACKET_H
#define CSGUEST_PACKET_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/diag.h"
#include "csguest/recording.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_packet_list;

struct csg_packet_line {
	const struct csg_chunk *chunk; /* it lies in */
	uint64_t index;		       /* byte offset of the packet in the trace of its queue */
	const char *text;	       /* until the next call for this list */
};

/*
 * Opens the packets of source, one of the recording's.  sink may be NULL.  -CSG_E_UNSUPPORTED
 * where OpenCSD has no packets for the protocol (ETE before OpenCSD 1.5) or cannot read such a
 * trace unit; -CSG_E_USAGE, -CSG_E_NO_MEMORY.
 */
int csg_packet_list_open(struct csg_packet_list **list, struct csg_recording *recording,
			 const struct csg_source *source, const struct csg_diag_sink *sink);
void csg_packet_list_close(struct csg_packet_list *list);

/*
 * The next packet: 1, 0 at the end, or a negative error.  *line, of which the caller knows size
 * bytes, is filled.  Bytes that cannot be read are skipped; what OpenCSD cannot understand is
 * listed as I_BAD_SEQUENCE, I_RESERVED or I_NOT_SYNC.
 */
int csg_packet_list_next(struct csg_packet_list *list, struct csg_packet_line *line, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
