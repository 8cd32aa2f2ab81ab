/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements as lines of text, for csguest dump: close to what OpenCSD's trc_pkt_lister prints, so
 * that who knows one reads the other, with the owner after it.
 *
 *	Idx:1692; ID:10; range(0xffffffc000096a00:[0xffffffc000096a10] num_i(4) last_sz(4)
 *	(ISA=A64) E barrier); EL1; host kernel
 *
 * (one line).  Idx is the offset in the queue, as OpenCSD's; ID is in hexadecimal.
 */
#ifndef COMMAND_DUMP_LISTING_H
#define COMMAND_DUMP_LISTING_H

#include "csguest/element.h"
#include "csguest/owner.h"
#include "csguest/recording.h"
#include "text/out.h"

/* One line, with its end.  time: perf time in ns, 0: not known; shown with timestamps. */
void csg_listing_element(struct csg_out *out, const struct csg_source *source,
			 const struct csg_element *element, const struct csg_owner *owner,
			 uint64_t time);

/* "Idx:86; ID:10; packet(I_ASYNC : Alignment Synchronisation.)" */
void csg_listing_packet(struct csg_out *out, const struct csg_source *source, uint64_t index,
			const char *text);

/* The line that begins a stream: "# stream 0: queue 0, ID 0x10, CPU 0, ETMv4". */
void csg_listing_stream(struct csg_out *out, const struct csg_source *source, uint32_t stream);

/* "host kernel pid 0 tid 0", "guest vm 42 vcpu 1 user", "unknown: …". */
void csg_listing_owner(struct csg_out *out, const struct csg_owner *owner);

#endif
