/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/switch_contradictions.h"

#include <inttypes.h>
#include <stdio.h>

/* What the record says. */
static int describe_record(char *text, size_t capacity, const struct csg_residency_taint *taint)
{
	switch ((enum csg_residency_record)taint->record) {
	case CSG_RESIDENCY_IN:
		return snprintf(text, capacity, "thread %" PRId32 " is switched in", taint->tid);
	case CSG_RESIDENCY_OUT:
		return snprintf(text, capacity, "thread %" PRId32 " is switched out", taint->tid);
	case CSG_RESIDENCY_SEEN:
		return snprintf(text, capacity, "thread %" PRId32 " writes a record", taint->tid);
	case CSG_RESIDENCY_PREVIOUS:
		return snprintf(text, capacity,
				"thread %" PRId32 " has left for the one switched in", taint->tid);
	case CSG_RESIDENCY_PROCESS:
		break;
	}
	return snprintf(text, capacity, "thread %" PRId32 " is of two processes", taint->tid);
}

static void describe(char *text, size_t capacity, const struct csg_residency_taint *taint)
{
	int n = describe_record(text, capacity, taint);
	size_t left = n < 0 || (size_t)n >= capacity ? 0 : capacity - (size_t)n;

	if (!left || taint->record == CSG_RESIDENCY_PROCESS)
		return;
	if (taint->had < 0)
		snprintf(text + n, left, ", at a time that is not in order");
	else if (taint->to_come)
		snprintf(text + n, left, "; by the record before it thread %" PRId32 " comes next",
			 taint->had);
	else
		snprintf(text + n, left, "; by the record before it thread %" PRId32 " is there",
			 taint->had);
}

int csg_switch_contradictions(struct csg_contradictions *contradictions, int32_t vm,
			      const struct csg_residency *residency)
{
	size_t n;
	const struct csg_residency_taint *taints = csg_residency_taints(residency, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_residency_taint *taint = &taints[i];
		struct csg_contradiction one = {
			.kind = CSG_CONTRADICTION_SWITCH_RECORDS,
			.cpu = taint->cpu,
			.vm = vm,
			.begin = CSG_NO_INDEX,
			.end = CSG_NO_INDEX,
			/* Without a record that agrees before or after it the hole has no other
			 * bound. */
			.begin_time = taint->from ? taint->from : taint->time,
			.end_time = taint->until < UINT64_MAX ? taint->until : taint->time,
			.record_time = taint->time,
		};

		describe(one.text, sizeof(one.text), taint);
		err = csg_contradictions_add(contradictions, &one);
	}
	return err;
}
