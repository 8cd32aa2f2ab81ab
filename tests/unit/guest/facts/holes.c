/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/holes.h"

#include "csguest/owner.h"
#include "guest/facts/switch_contradictions.h"
#include "suite.h"

struct host {
	struct csg_residency residency;
	struct csg_holes holes;
	struct csg_contradictions list;
};

/* On CPU 1 thread 7 is from 100 to 900, but at 500 thread 99 writes a record. */
static struct host lied_to(void)
{
	struct host h = {0};

	csg_residency_in(&h.residency, 1, 90, 1, 8, 7);
	csg_residency_out(&h.residency, 1, 95, 1, 8, 7);
	csg_residency_in(&h.residency, 1, 100, 1, 7, 8);
	csg_residency_seen(&h.residency, 1, 500, 9, 99);
	csg_residency_out(&h.residency, 1, 900, 1, 7, 8);
	csg_residency_in(&h.residency, 1, 905, 1, 8, 7);
	csg_residency_out(&h.residency, 1, 950, 1, 8, 7);
	csg_residency_settle(&h.residency, 1);
	CU_ASSERT_EQUAL(csg_holes_make(&h.holes, &h.residency), 0);
	CU_ASSERT_EQUAL(csg_switch_contradictions(&h.list, CSG_VM_HOST, &h.residency), 0);
	CU_ASSERT_EQUAL_FATAL(h.list.count, 1);
	CU_ASSERT_EQUAL(h.list.list[0].record_time, 500);
	return h;
}

static void fini(struct host *h)
{
	csg_holes_fini(&h->holes);
	csg_residency_fini(&h->residency);
	csg_contradictions_fini(&h->list);
}

static void read(struct host *h, uint64_t from, uint64_t until, bool named)
{
	const struct csg_hole_part part = {
		.cpu = 1, .from = from, .until = until, .ended = until - 1, .named = named};

	csg_holes_read(&h->holes, &part, &h->list);
}

/* The interval that is reported. */
static void reported(const struct host *h, uint64_t from, uint64_t until)
{
	CU_ASSERT_EQUAL(h->list.list[0].begin_time, from);
	CU_ASSERT_EQUAL(h->list.list[0].end_time, until);
}

static void what_the_trace_names_all_the_time_is_contradicted_nowhere(void)
{
	struct host h = lied_to();
	const uint64_t from = h.list.list[0].begin_time, until = h.list.list[0].end_time;

	CU_ASSERT(from <= 100 && until >= 900);
	read(&h, 80, 300, true);
	/* What was not read yet is open. */
	reported(&h, 299, until);
	read(&h, 290, 700, true);
	reported(&h, 500, until);
	read(&h, 690, until + 50, true);
	reported(&h, 500, 500);
	fini(&h);
}

static void what_it_leaves_open_is_reported_from_the_first_to_the_last(void)
{
	struct host h = lied_to();

	read(&h, 80, 300, true);
	read(&h, 290, 350, false);
	read(&h, 340, 600, true);
	read(&h, 590, 640, false);
	read(&h, 630, 2000, true);
	reported(&h, 290, 640);
	/* Again, as another pass over the trace. */
	read(&h, 80, 300, true);
	read(&h, 290, 350, false);
	reported(&h, 290, 640);
	fini(&h);
}

static void the_record_itself_is_always_in_it(void)
{
	struct host h = lied_to();

	read(&h, 80, 300, true);
	read(&h, 290, 350, false);
	read(&h, 340, 2000, true);
	reported(&h, 290, 500);
	fini(&h);
}

static void the_trace_of_another_cpu_says_nothing(void)
{
	struct host h = lied_to();
	const uint64_t from = h.list.list[0].begin_time, until = h.list.list[0].end_time;

	for (int32_t cpu = -1; cpu < 4; cpu++) {
		const struct csg_hole_part part = {
			.cpu = cpu, .from = 80, .until = 2000, .ended = 2000, .named = true};

		if (cpu != 1)
			csg_holes_read(&h.holes, &part, &h.list);
	}
	reported(&h, from, until);
	fini(&h);
}

/* Which process a thread is of no context ID says. */
static void another_process_is_no_hole(void)
{
	struct csg_residency r = {0};
	struct csg_holes holes = {0};

	csg_residency_in(&r, 0, 10, 1, 7, 8);
	csg_residency_out(&r, 0, 20, 2, 7, 8);
	csg_residency_settle(&r, 0);
	CU_ASSERT_EQUAL(r.taint_count, 1);
	CU_ASSERT_EQUAL(csg_holes_make(&holes, &r), 0);
	CU_ASSERT_EQUAL(holes.count, 0);
	csg_holes_fini(&holes);
	csg_residency_fini(&r);
}

/* The trace ends before the hole does. */
static void what_is_not_traced_is_not_open(void)
{
	struct host h = lied_to();
	struct csg_hole_part part = {
		.cpu = 1, .from = 80, .until = 700, .ended = 700, .named = true, .last = true};

	csg_holes_read(&h.holes, &part, &h.list);
	reported(&h, 500, 500);
	/* It goes on all the same. */
	part.from = part.ended = 750;
	part.until = 760;
	part.last = part.named = false;
	csg_holes_read(&h.holes, &part, &h.list);
	reported(&h, 500, 900);
	fini(&h);
}

CSG_SUITE(guest_facts, holes, CSG_TEST(what_is_not_traced_is_not_open),
	  CSG_TEST(what_the_trace_names_all_the_time_is_contradicted_nowhere),
	  CSG_TEST(what_it_leaves_open_is_reported_from_the_first_to_the_last),
	  CSG_TEST(the_record_itself_is_always_in_it),
	  CSG_TEST(the_trace_of_another_cpu_says_nothing), CSG_TEST(another_process_is_no_hole));
