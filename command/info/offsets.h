/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What csguest offsets prints: each VM's counter offset (CNTVOFF_EL2) as a row of intervals, what
 * they rest on, and where it changes.  Offsets are in ticks of the counter, as KVM and --guest
 * NAME,offset=TICKS have them; how wide an interval is also in ns, times in perf time.
 */
#ifndef COMMAND_INFO_OFFSETS_H
#define COMMAND_INFO_OFFSETS_H

#include "csguest/offset.h"
#include "csguest/time_conv.h"
#include "text/out.h"

struct csg_offsets_view {
	const char *recording;
	const char *why_none;		  /* why no offset can be found by the trace, or NULL */
	const struct csg_time_conv *conv; /* the host's */
	const struct csg_offset_vm_info *vms;
	size_t n;
	bool chosen; /* by --vm: that there is none says nothing of the recording */
};

void csg_offsets_write(const struct csg_offsets_view *view, bool json, struct csg_out *out);

#endif
