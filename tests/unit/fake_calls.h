/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trace for tests of what observes calls, on top of fake_lookup.h: thread 101 of process "app"
 * runs main, which calls helper; the kernel's vector interrupts helper; a guest runs in between.
 */
#ifndef TESTS_UNIT_VIEW_FAKE_CALLS_H
#define TESTS_UNIT_VIEW_FAKE_CALLS_H

#include "fake_lookup.h"
#include "session/session.h"

#define FAKE_RANGE(who, at, n, how)                                                                \
	{                                                                                          \
		.kind = CSG_ELEMENT_RANGE, .owner = (who), .start = (at), .end = (at) + 4 * (n),   \
		.instructions = (n), .last_size = 4, .isa = CSG_ISA_A64, .branch = (how),          \
		.taken = true                                                                      \
	}
#define FAKE_STAMP(t)                                                                              \
	{                                                                                          \
		.kind = CSG_ELEMENT_TIMESTAMP, .timestamp = (t), .owner = 1                        \
	}

static const struct csg_element fake_call_trace[] = {
	FAKE_STAMP(100),
	FAKE_RANGE(1, 0x1010, 4, CSG_BRANCH_CALL),   /* main */
	FAKE_RANGE(1, 0x1100, 6, CSG_BRANCH_RETURN), /* helper */
	FAKE_RANGE(1, 0x1020, 10, CSG_BRANCH_CALL),
	FAKE_STAMP(140),
	FAKE_RANGE(1, 0x1100, 2, CSG_BRANCH_NONE),
	{.kind = CSG_ELEMENT_EXCEPTION, .owner = 1, .end = 0x1108, .has_return = true, .info = 14},
	FAKE_RANGE(4, FAKE_KERNEL, 8, CSG_BRANCH_ERET),
	FAKE_STAMP(150),
	FAKE_RANGE(2, 0x2000, 5, CSG_BRANCH_NONE), /* the guest */
	{.kind = CSG_ELEMENT_EXCEPTION, .owner = 2, .end = 0x2014, .has_return = true, .info = 14},
	FAKE_RANGE(4, FAKE_KERNEL + 0x80, 3, CSG_BRANCH_ERET),
	FAKE_RANGE(1, 0x1108, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(1, 0x1048, 1, CSG_BRANCH_NONE),
	FAKE_STAMP(160),
};
static bool fake_calls_given;
static const struct csg_chunk *fake_calls_chunk;

static inline int fake_calls_next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	(void)arg;
	if (fake_calls_given)
		return 0;
	fake_calls_given = true;
	*batch = (struct csg_batch){.stream = stream,
				    .element_size = sizeof(struct csg_element),
				    .elements = fake_call_trace,
				    .n = sizeof(fake_call_trace) / sizeof(*fake_call_trace),
				    .chunk = fake_calls_chunk,
				    .time = 10,
				    .lookup_time = 10};
	return 1;
}

static inline const char *fake_calls_comm(void *arg, uint32_t owner, uint64_t time)
{
	(void)arg, (void)time;
	return owner == 2 ? NULL : "app";
}

/* fake_lookup, where all code of the thread has its name. */
static inline struct csg_lookup fake_calls_lookup(void)
{
	struct csg_lookup lookup = fake_lookup;

	lookup.comm = fake_calls_comm;
	return lookup;
}

static inline uint64_t fake_calls_time(void *arg, const struct csg_element *e)
{
	(void)arg;
	return e->timestamp;
}

#endif
