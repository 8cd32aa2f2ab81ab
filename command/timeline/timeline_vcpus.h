/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The states of each vCPU (waits/waits.h), after the sums of the timeline: what its thread did
 * while the timeline lasted, on CPUs and off them.
 */
#ifndef COMMAND_TIMELINE_TIMELINE_VCPUS_H
#define COMMAND_TIMELINE_TIMELINE_VCPUS_H

#include "waits/waits.h"
#include "timeline/slice_window.h"
#include "text/out.h"

struct csg_timeline_vcpu {
	int32_t vm, vcpu, tid; /* vcpu -1: its number is not known */
	const char *guest;     /* name of the VM, or NULL */
	struct csg_wait_sums sums;
};

/* What it did in windows that do not overlap. */
void csg_timeline_vcpu_add(struct csg_timeline_vcpu *vcpu, const struct csg_waits *waits,
			   const struct csg_slice_windows *windows);

/* Nothing where nothing is known of any. */
void csg_timeline_vcpus_text(const struct csg_timeline_vcpu *vcpus, size_t n, struct csg_out *out);

/* [{"vm":136,...},...] */
void csg_timeline_vcpus_json(const struct csg_timeline_vcpu *vcpus, size_t n, struct csg_out *out);

#endif
