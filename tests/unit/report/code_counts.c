/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/code_counts.h"

#include "flow/core/executions.h"
#include "suite.h"

/* What the tally has folded: sums, and the places and times of what was counted last. */
struct folded {
	uint64_t folds, executions, instructions, branches, asked;
	uint64_t starts, start; /* how often another range was folded than before */
	uint64_t by_place[4];
	uint64_t changes; /* when something else comes to lie everywhere */
};

static uint64_t until(void *arg, const struct csg_tally_range *range)
{
	struct folded *f = arg;

	f->asked++;
	return range->time < f->changes ? f->changes : UINT64_MAX;
}

static int fold(void *arg, const struct csg_tally_range *range)
{
	struct folded *f = arg;

	f->folds++;
	f->starts += f->start != range->start;
	f->start = range->start;
	f->executions += range->executions;
	f->instructions += range->instructions;
	f->branches += range->branches;
	f->by_place[csg_tally_place(range) & 3] += range->executions;
	return 0;
}

struct counting {
	struct folded folded;
	struct csg_tally tally;
	struct csg_code_counts counts;
};

static void begin(struct counting *c, size_t chunks)
{
	const struct csg_tally_client client = {.arg = &c->folded, .until = until, .fold = fold};

	c->folded = (struct folded){0};
	csg_tally_init(&c->tally, &client, 192);
	csg_code_counts_init(&c->counts, &c->tally, chunks);
}

static void end(struct counting *c)
{
	CU_ASSERT_EQUAL(csg_code_counts_fold(&c->counts), 0);
	CU_ASSERT_EQUAL(csg_tally_fold(&c->tally), 0);
	csg_code_counts_fini(&c->counts);
	csg_tally_fini(&c->tally);
}

static struct csg_element range_of(uint32_t code, bool taken)
{
	return (struct csg_element){.kind = CSG_ELEMENT_RANGE,
				    .start = 0x1000 * (uint64_t)code,
				    .end = 0x1000 * (uint64_t)code + 8,
				    .instructions = 2,
				    .branch = CSG_BRANCH_DIRECT,
				    .taken = taken,
				    .owner = 5,
				    .code = code};
}

static void add(struct counting *c, uint32_t code, bool taken, uint32_t place, uint64_t time)
{
	const struct csg_element e = range_of(code, taken);
	int err = csg_code_counts_begin(&c->counts, c, time, 1);

	CU_ASSERT_PTR_EQUAL(csg_code_counts_add(&c->counts, &e, &e + 1, place, time, &err), &e + 1);
	CU_ASSERT_EQUAL(err, 0);
}

static void executions_are_summed_by_code_and_place(void)
{
	struct counting c;

	begin(&c, 4);
	for (int i = 0; i < 100; i++) {
		add(&c, 1, i & 1, 1, 50);
		add(&c, 2, false, 1, 50);
		add(&c, 1, true, 2, 50);
	}
	end(&c);
	CU_ASSERT_EQUAL(c.folded.folds, 3);
	CU_ASSERT_EQUAL(c.folded.executions, 300);
	CU_ASSERT_EQUAL(c.folded.instructions, 600);
	CU_ASSERT_EQUAL(c.folded.branches, 150);
	CU_ASSERT_EQUAL(c.folded.by_place[1], 200);
	CU_ASSERT_EQUAL(c.counts.ranges_given, 300);
	CU_ASSERT_EQUAL(c.counts.instructions, 600);
	CU_ASSERT_EQUAL(c.counts.branches, 150);
}

/* Two chunks at most, of which what is there is given to the tally, and codes far after the
 * window. */
static void what_has_no_room_is_not_lost(void)
{
	struct counting c;

	begin(&c, 2);
	for (uint32_t i = 0; i < 1000; i++)
		add(&c, i % 37 + 1, true, i % 3, 0);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.executions, 1000);
	CU_ASSERT_EQUAL(c.folded.by_place[0], 334);
	CU_ASSERT_EQUAL(c.counts.ranges_given, 1000);
	begin(&c, 100);
	for (uint32_t i = 0; i < 2000; i++)
		add(&c, (i & 1) * 3 * CSG_CHUNK_WINDOW + i % 300 + 1, true, i % 3, 0);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.executions, 2000);
	CU_ASSERT_EQUAL(c.folded.by_place[2], 666);
}

/* Addresses change their meaning at 100: what ran before and after is folded apart. */
static void times_are_distinguished_where_code_may_change(void)
{
	struct counting c;

	begin(&c, 4);
	c.folded.changes = 100;
	add(&c, 1, false, 1, 10);
	add(&c, 1, false, 1, 99);
	CU_ASSERT_EQUAL(c.folded.folds, 0);
	add(&c, 1, false, 1, 100);
	CU_ASSERT_EQUAL(c.folded.folds, 0);
	add(&c, 1, false, 1, 10); /* back again */
	CU_ASSERT_EQUAL(c.folded.folds, 1);
	CU_ASSERT_EQUAL(c.folded.executions, 2);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.executions, 4);
}

/* As far as they are exact they begin nothing anew, unless code changed in between. */
static void times_may_go_back_a_little(void)
{
	struct counting c;

	begin(&c, 4);
	add(&c, 1, false, 1, 100000);
	add(&c, 1, false, 1, 96000);
	add(&c, 2, false, 1, 99000);
	CU_ASSERT_EQUAL(c.folded.asked, 2);
	CU_ASSERT_EQUAL(c.counts.first, 95000);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.folds, 2);
	begin(&c, 4);
	c.folded.changes = 98000;
	add(&c, 1, false, 1, 100000);
	CU_ASSERT_EQUAL(c.counts.first, 100000);
	add(&c, 1, false, 1, 99000);
	CU_ASSERT_EQUAL(c.counts.first, 99000);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.executions, 2);
}

/* The same number given by another is other code. */
static void numbers_count_for_who_gave_them(void)
{
	struct csg_element e = range_of(1, false);
	struct counting c;
	int err = 0, other;

	begin(&c, 4);
	add(&c, 1, false, 1, 0);
	e.start += 0x10;
	e.end += 0x10;
	CU_ASSERT_EQUAL(csg_code_counts_begin(&c.counts, &other, 0, 1), 0);
	csg_code_counts_add(&c.counts, &e, &e + 1, 1, 0, &err);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.folds, 2);
}

static void counting_ends_at_another_owner_and_at_unknown_code(void)
{
	struct csg_element e[4] = {range_of(1, true), range_of(1, true), range_of(1, true)};
	struct counting c;
	int err;

	begin(&c, 4);
	err = csg_code_counts_begin(&c.counts, &c, 0, 4);
	e[2].owner = 6;
	CU_ASSERT_PTR_EQUAL(csg_code_counts_add(&c.counts, e, e + 3, 0, 0, &err), e + 2);
	e[2] = e[0];
	e[1].code = 0;
	CU_ASSERT_PTR_EQUAL(csg_code_counts_add(&c.counts, e, e + 3, 0, 0, &err), e + 1);
	e[1].code = 1;
	e[2].kind = CSG_ELEMENT_TIMESTAMP;
	CU_ASSERT_PTR_EQUAL(csg_code_counts_add(&c.counts, e, e + 3, 0, 0, &err), e + 2);
	CU_ASSERT_EQUAL(err, 0);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.executions, 5);
}

static void executions_count_as_ranges_do(void)
{
	static const struct csg_block block = {.start = 0x1000,
					       .end = 0x1008,
					       .shape = {.branch = CSG_BRANCH_DIRECT},
					       .instructions = 2,
					       .number = 1};
	const uintptr_t executions[] = {0, (uintptr_t)&block | CSG_EXECUTION_TAKEN,
					(uintptr_t)&block, (uintptr_t)&block | CSG_EXECUTION_TAKEN};
	const struct csg_element ranges = {
		.kind = CSG_ELEMENT_RANGES, .owner = 5, .start = 1, .instructions = 3};
	struct counting c;

	begin(&c, 4);
	add(&c, 1, true, 1, 0);
	CU_ASSERT_EQUAL(csg_code_counts_add_executions(&c.counts, &ranges, executions, 1, 0), 0);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.folds, 1);
	CU_ASSERT_EQUAL(c.folded.executions, 4);
	CU_ASSERT_EQUAL(c.counts.branches, 3);
	CU_ASSERT_EQUAL(c.counts.instructions, 8);
}

/* Places that share a code are folded next to each other; where it may change is asked once. */
static void a_code_is_folded_with_all_its_places(void)
{
	struct counting c;

	begin(&c, 100);
	for (uint32_t code = 1; code < 4; code++)
		for (uint32_t place = 0; place < 3; place++)
			add(&c, 4 - code, true, place, 0);
	CU_ASSERT_EQUAL(c.folded.asked, 3);
	end(&c);
	CU_ASSERT_EQUAL(c.folded.folds, 9);
	CU_ASSERT_EQUAL(c.folded.starts, 3);
}

CSG_SUITE(report, code_counts, CSG_TEST(executions_are_summed_by_code_and_place),
	  CSG_TEST(a_code_is_folded_with_all_its_places), CSG_TEST(what_has_no_room_is_not_lost),
	  CSG_TEST(times_are_distinguished_where_code_may_change),
	  CSG_TEST(times_may_go_back_a_little), CSG_TEST(numbers_count_for_who_gave_them),
	  CSG_TEST(counting_ends_at_another_owner_and_at_unknown_code),
	  CSG_TEST(executions_count_as_ranges_do));
