/* SPDX-License-Identifier: BSD-3-Clause */
/* A switch of threads as perf records it: OUT of the one that leaves, IN of the one that comes. */
#ifndef TESTS_UNIT_SWITCH_PAIR_H
#define TESTS_UNIT_SWITCH_PAIR_H

#include "csguest/attribution.h"

struct switch_pair {
	struct csg_attribution_switch out, in;
};

/* IN is written later nanoseconds after OUT. */
static inline struct switch_pair switch_pair(int32_t cpu, uint64_t time, uint64_t later,
					     int32_t from, int32_t to)
{
	struct switch_pair pair = {.out = {.size = sizeof(pair.out),
					   .cpu = cpu,
					   .time = time,
					   .out = true,
					   .pid = from,
					   .tid = from,
					   .other_pid = to,
					   .other_tid = to}};

	pair.in = pair.out;
	pair.in.out = false;
	pair.in.time += later;
	pair.in.pid = pair.in.tid = to;
	pair.in.other_pid = pair.in.other_tid = from;
	return pair;
}

#endif
