/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "csguest/error.h"
#include "report/tally.h"

/* A client that adds up what is folded. */
static struct {
	uint64_t folds, executions, instructions, branches, until;
	int result;
	struct csg_tally_range last;
} seen;

static uint64_t until(void *arg, const struct csg_tally_range *range)
{
	(void)arg;
	(void)range;
	return seen.until;
}

static int fold(void *arg, const struct csg_tally_range *range)
{
	(void)arg;
	seen.folds++;
	seen.executions += range->executions;
	seen.instructions += range->instructions;
	seen.branches += range->branches;
	seen.last = *range;
	return seen.result;
}

static void begin(struct csg_tally *t, size_t max)
{
	struct csg_tally_client client = {.until = until, .fold = fold};

	memset(&seen, 0, sizeof(seen));
	seen.until = UINT64_MAX;
	csg_tally_init(t, &client, max);
}

static struct csg_element range(uint64_t start, uint32_t n, uint8_t branch, bool taken)
{
	return (struct csg_element){.kind = CSG_ELEMENT_RANGE,
				    .start = start,
				    .end = start + 4ull * n,
				    .instructions = n,
				    .branch = branch,
				    .isa = CSG_ISA_A64,
				    .taken = taken};
}

static int add(struct csg_tally *t, struct csg_element e, uint32_t place, uint64_t time)
{
	return csg_tally_add(t, &e, place, time);
}

static void the_same_range_is_counted_in_one_entry(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	add(&t, range(0x1000, 3, CSG_BRANCH_DIRECT, true), 7, 5);
	add(&t, range(0x1000, 3, CSG_BRANCH_DIRECT, false), 7, 6);
	add(&t, range(0x1000, 3, CSG_BRANCH_DIRECT, true), 7, 6);
	CU_ASSERT_EQUAL(t.count, 1);
	CU_ASSERT_EQUAL(csg_tally_fold(&t), 0);
	CU_ASSERT_EQUAL(seen.folds, 1);
	CU_ASSERT_EQUAL(seen.last.start, 0x1000);
	CU_ASSERT_EQUAL(csg_tally_size(&seen.last), 12);
	CU_ASSERT_EQUAL(csg_tally_place(&seen.last), 7);
	CU_ASSERT_EQUAL(seen.last.time, 5);
	CU_ASSERT_EQUAL(seen.last.isa, CSG_ISA_A64);
	CU_ASSERT_EQUAL(seen.executions, 3);
	CU_ASSERT_EQUAL(seen.instructions, 9);
	CU_ASSERT_EQUAL(seen.branches, 2);
	CU_ASSERT_EQUAL(t.count, 0);
	csg_tally_fini(&t);
}

static void place_start_and_size_tell_ranges_apart(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	add(&t, range(0x1000, 3, 0, true), 0, 5);
	add(&t, range(0x1000, 3, 0, true), 1, 5);
	add(&t, range(0x1000, 4, 0, true), 0, 5);
	add(&t, range(0x1004, 3, 0, true), 0, 5);
	add(&t, range(0, 0, 0, true), 0, 5);
	CU_ASSERT_EQUAL(t.count, 5);
	csg_tally_fini(&t);
}

static void barriers_and_waits_are_no_branches(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	for (uint8_t branch = CSG_BRANCH_NONE; branch <= CSG_BRANCH_TSTART; branch++)
		add(&t, range(0x1000, 1, branch, true), 0, 0);
	csg_tally_fold(&t);
	CU_ASSERT_EQUAL(seen.branches, 6);
	csg_tally_fini(&t);
}

static void an_entry_ends_where_its_code_may_change(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	seen.until = 100;
	add(&t, range(0x1000, 1, 0, true), 0, 50);
	add(&t, range(0x1000, 1, 0, true), 0, 99);
	CU_ASSERT_EQUAL(seen.folds, 0);
	seen.until = UINT64_MAX;
	add(&t, range(0x1000, 1, 0, true), 0, 100);
	CU_ASSERT_EQUAL(seen.folds, 1);
	CU_ASSERT_EQUAL(seen.executions, 2);
	CU_ASSERT_EQUAL(seen.last.time, 50);
	/* Back in time, as when the next stream is read: what lay there then may be another. */
	add(&t, range(0x1000, 1, 0, true), 0, 60);
	CU_ASSERT_EQUAL(seen.folds, 2);
	add(&t, range(0x1000, 1, 0, true), 0, UINT64_MAX);
	CU_ASSERT_EQUAL(seen.folds, 2);
	csg_tally_fold(&t);
	CU_ASSERT_EQUAL(seen.executions, 5);
	csg_tally_fini(&t);
}

static void without_times_entries_live_on(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	add(&t, range(0x1000, 1, 0, true), 0, UINT64_MAX);
	add(&t, range(0x1000, 1, 0, true), 0, UINT64_MAX);
	CU_ASSERT_EQUAL(seen.folds, 0);
	seen.until = 10; /* an answer that lies in the past must not fold at every range */
	add(&t, range(0x2000, 1, 0, true), 0, 20);
	add(&t, range(0x2000, 1, 0, true), 0, 20);
	CU_ASSERT_EQUAL(seen.folds, 0);
	csg_tally_fini(&t);
}

static void a_full_table_is_folded_and_nothing_is_lost(void)
{
	struct csg_tally t;
	const uint64_t n = 100000;

	begin(&t, 12000);
	for (uint64_t i = 0; i < n; i++)
		add(&t, range(0x1000 + 4 * (i % 50000), 2, CSG_BRANCH_CALL, i & 1),
		    (uint32_t)(i % 3), i);
	CU_ASSERT(t.count <= 12000);
	CU_ASSERT(seen.folds > 0);
	csg_tally_fold(&t);
	CU_ASSERT_EQUAL(seen.executions, n);
	CU_ASSERT_EQUAL(seen.instructions, 2 * n);
	CU_ASSERT_EQUAL(seen.branches, n / 2);
	csg_tally_fini(&t);
}

static void growing_keeps_the_counts(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 20000; i++)
			add(&t, range(0xffff000000000000 + 8 * i, 2, 0, true), 1, 1);
	CU_ASSERT_EQUAL(seen.folds, 0);
	CU_ASSERT_EQUAL(t.count, 20000);
	csg_tally_fold(&t);
	CU_ASSERT_EQUAL(seen.folds, 20000);
	CU_ASSERT_EQUAL(seen.executions, 40000);
	csg_tally_fini(&t);
}

static void an_error_while_folding_is_passed_on(void)
{
	struct csg_tally t;

	begin(&t, CSG_TALLY_MAX);
	seen.until = 10;
	CU_ASSERT_EQUAL(add(&t, range(0x1000, 1, 0, true), 0, 1), 0);
	seen.result = -CSG_E_NO_MEMORY;
	CU_ASSERT_EQUAL(add(&t, range(0x1000, 1, 0, true), 0, 11), -CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(csg_tally_fold(&t), -CSG_E_NO_MEMORY);
	csg_tally_fini(&t);
}

CSG_SUITE(report, tally, CSG_TEST(the_same_range_is_counted_in_one_entry),
	  CSG_TEST(place_start_and_size_tell_ranges_apart),
	  CSG_TEST(barriers_and_waits_are_no_branches),
	  CSG_TEST(an_entry_ends_where_its_code_may_change),
	  CSG_TEST(without_times_entries_live_on),
	  CSG_TEST(a_full_table_is_folded_and_nothing_is_lost), CSG_TEST(growing_keeps_the_counts),
	  CSG_TEST(an_error_while_folding_is_passed_on));
