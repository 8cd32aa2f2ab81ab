/* SPDX-License-Identifier: BSD-3-Clause */
/* The outcome of a shard as bytes, and sums of several (info/outcome_sum.h). */
#ifndef COMMAND_SHARD_OUTCOME_PACK_H
#define COMMAND_SHARD_OUTCOME_PACK_H

#include "info/outcome_sum.h"
#include "util/pack.h"
#include "util/strings.h"

void csg_outcome_pack(struct csg_pack *pack, const struct csg_outcome_sum *sum);

/* sum is all zero.  -CSG_E_NO_MEMORY; csg_outcome_sum_fini() is safe even then. */
int csg_outcome_unpack(struct csg_unpack *unpack, struct csg_outcome_sum *sum,
		       struct csg_strings *texts);

/*
 * Adds another part of the same recording, or another recording, whose streams are others.
 * -CSG_E_NO_MEMORY.
 */
int csg_outcome_sum_add(struct csg_outcome_sum *sum, const struct csg_outcome_sum *part,
			bool same_recording);

#endif
