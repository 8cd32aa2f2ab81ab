/* SPDX-License-Identifier: BSD-3-Clause */
/* Five on-CPU intervals of a CPU, and time slices that are compared with them. */
#ifndef TESTS_UNIT_FIVE_INTERVALS_H
#define TESTS_UNIT_FIVE_INTERVALS_H

#include "guest/slices/time_slice_match.h"
#include "suite.h"

#define CPU 2

static const struct csg_kvm_visits nothing_reported;

/* A new thread is on the CPU, ten ns after the switch to it began. */
static inline void switch_to(struct csg_residency *r, uint64_t time, int32_t from, int32_t to)
{
	csg_residency_out(r, CPU, time, from, from, to);
	csg_residency_in(r, CPU, time + 10, to, to, from);
}

/* Threads 11, 0, 22, 0, 33 in turn, each for 100 ns, from 100 to 600. */
static inline void five_intervals(struct csg_residency *r)
{
	static const int32_t tids[] = {11, 0, 22, 0, 33};

	*r = (struct csg_residency){0};
	csg_residency_seen(r, CPU, 100, 11, 11);
	for (int i = 1; i < 5; i++)
		switch_to(r, 100 + 100 * (uint64_t)i, tids[i - 1], tids[i]);
	csg_residency_seen(r, CPU, 600, -1, -1);
}

static inline void show(struct csg_time_slices *t, const uint8_t *shown, size_t n)
{
	*t = (struct csg_time_slices){0};
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(csg_time_slices_add(t, 10 * i, 10 * i + 10, shown[i]), 0);
}

static inline bool named(const struct csg_time_slices *t, const int32_t *tids)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->slices[i].tid != tids[i])
			return false;
	return true;
}

/* Whether time slices that show this, in a piece recorded between two times, are of these
 * threads. */
static inline bool matches(const uint8_t *shown, const int32_t *tids, size_t n, uint64_t from,
			   uint64_t until)
{
	struct csg_residency r;
	struct csg_time_slices t;
	bool ok;

	five_intervals(&r);
	show(&t, shown, n);
	CU_ASSERT_EQUAL(csg_time_slices_match(&t, 0, &r, &nothing_reported, CPU, from, until), 0);
	ok = named(&t, tids);
	csg_time_slices_fini(&t);
	csg_residency_fini(&r);
	return ok;
}

#define MATCH(shown, tids, from, until)                                                            \
	CU_ASSERT(matches(shown, tids, sizeof(tids) / sizeof(*(tids)), from, until))

#endif
