/* SPDX-License-Identifier: BSD-3-Clause */
/* Timestamps of one trace unit, and the offset that they show of a VM. */
#ifndef TESTS_UNIT_STAMP_RIG_H
#define TESTS_UNIT_STAMP_RIG_H

#include "clock/stamps.h"
#include "suite.h"

#define VM 5
#define OFFSET 1000000

struct rig {
	struct csg_offsets offsets;
	struct csg_stamps stamps;
	uint64_t index;
};

static inline void rig_init(struct rig *r, csg_stamp_whose_fn whose, void *arg)
{
	*r = (struct rig){.index = 0};
	csg_stamps_init(&r->stamps, &r->offsets, whose, arg);
}

static inline void rig_fini(struct rig *r)
{
	CU_ASSERT_FALSE(r->stamps.failed);
	csg_stamps_fini(&r->stamps);
	csg_offsets_fini(&r->offsets);
}

/* A timestamp at index 10, 20, 30 ..., and at once whose it may be. */
static inline void stamp(struct rig *r, uint64_t raw, uint8_t may)
{
	r->index += 10;
	csg_stamps_add(&r->stamps, r->index, raw, true);
	csg_stamps_tell(&r->stamps, r->index + 1, may, may == CSG_STAMP_PHYSICAL ? 0 : VM);
}

static inline bool is_at(struct rig *r, uint64_t index, uint64_t low, uint64_t high)
{
	struct csg_stamp s;

	return csg_stamps_find(&r->stamps, index, &s) && s.low == low && s.high == high;
}

static inline bool offset_is(const struct rig *r, int64_t low, int64_t high)
{
	struct csg_offset offset;

	return csg_offsets_find(&r->offsets, VM, 0, &offset) && offset.low == low &&
	       offset.high == high;
}

#endif
