/* SPDX-License-Identifier: BSD-3-Clause */
/* The branch profiles of a shard (export/branch_profile.h) as bytes: objects, then what ran in
 * them. */
#ifndef COMMAND_SHARD_PROFILE_PACK_H
#define COMMAND_SHARD_PROFILE_PACK_H

#include "export/branch_profile.h"
#include "util/pack.h"

void csg_profile_pack(struct csg_pack *pack, const struct csg_branch_profile *profile);

/* Adds it to a profile that is initialised.  -CSG_E_CORRUPT, -CSG_E_NO_MEMORY. */
int csg_profile_unpack(struct csg_unpack *unpack, struct csg_branch_profile *profile);

#endif
