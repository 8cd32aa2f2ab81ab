/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sums of csguest timeline --totals in a shard, as bytes: how they are to be printed, how long
 * the shard's trace lasts, the sums of each owner, and the states of vCPUs (timeline/wait_parts.h).
 *
 * All vCPUs are known where the last stream ends: the shard that decodes it lists them, with their
 * states by switch records.  Each shard says which threads halted, and which VMs it knows them of.
 */
#ifndef COMMAND_SHARD_TIMELINE_PACK_H
#define COMMAND_SHARD_TIMELINE_PACK_H

#include "timeline/timeline_print.h"
#include "timeline/wait_parts.h"
#include "util/pack.h"
#include "util/strings.h"

/* A vCPU, or of halts a thread: vCPU -1; VM 0: it is known of none. */
struct csg_vcpu_parts {
	int32_t vm, vcpu, tid;
	const char *guest;
	struct csg_wait_parts parts;
};

struct csg_vcpu_parts_list {
	struct csg_vcpu_parts *at;
	size_t n, capacity;
};

/* A new one at the end, all 0; NULL: out of memory. */
struct csg_vcpu_parts *csg_vcpu_parts_add(struct csg_vcpu_parts_list *list);
void csg_vcpu_parts_fini(struct csg_vcpu_parts_list *list);

/* What a shard has. */
struct csg_timeline_shard {
	const struct csg_timeline *rows;
	const struct csg_timeline_print *print;
	struct csg_slice_window span; /* of all slices; begin UINT64_MAX: there is none */
	const struct csg_vcpu_parts_list *vcpus, *halts;
};

void csg_timeline_pack(struct csg_pack *pack, const struct csg_timeline_shard *shard);

/* The sum of several. */
struct csg_timeline_sum {
	struct csg_strings *texts;
	struct csg_timeline rows;
	struct csg_timeline_print print; /* its out, recording and hypervisor are the caller's */
	bool any;
	/* Of this recording. */
	struct csg_slice_window span;
	struct csg_vcpu_parts_list vcpus;
	struct csg_vcpu_parts_list *halts; /* by shard */
	size_t shards, shard_capacity;
	/* Of those before it. */
	struct csg_timeline_vcpu *states;
	size_t state_count, state_capacity;
};

void csg_timeline_sum_init(struct csg_timeline_sum *sum, struct csg_strings *texts);
void csg_timeline_sum_fini(struct csg_timeline_sum *sum);

/*
 * Adds one, of the recording that the one before is of, or of another.  0, -CSG_E_CORRUPT (also
 * where unpack failed), -CSG_E_CONTRADICTED (it is printed otherwise, or see below),
 * -CSG_E_NO_MEMORY.
 */
int csg_timeline_sum_add(struct csg_timeline_sum *sum, struct csg_unpack *unpack,
			 bool same_recording);

/*
 * All were added: sum->print is complete.  -CSG_E_CONTRADICTED: a shard saw a thread halt that only
 * a later one knows to be a vCPU's.
 */
int csg_timeline_sum_finish(struct csg_timeline_sum *sum);

#endif
