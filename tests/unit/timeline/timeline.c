/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_lookup.h"
#include "timeline/timeline.h"

static struct csg_timeline timeline;
static struct csg_timeline_row rows[16];
static size_t row_count;

static void keep(void *arg, const struct csg_timeline_row *row)
{
	(void)arg;
	if (row_count < 16)
		memcpy(&rows[row_count++], row, sizeof(*row));
}

static void begin(enum csg_timeline_level level)
{
	csg_timeline_init(&timeline, level, &fake_lookup);
	timeline.row = keep;
	row_count = 0;
}

static void slice(uint32_t owner, uint64_t from, uint64_t to)
{
	const struct csg_slice s = {
		.owner = owner, .begin = from, .end = to, .instructions = 10, .left = 3};

	CU_ASSERT_EQUAL(csg_timeline_add(&timeline, &s), 0);
}

/* Two threads of a process, the kernel for the first of them, a guest, and the first again. */
static void play(enum csg_timeline_level level)
{
	begin(level);
	slice(1, 0, 10);
	slice(4, 10, 15);
	slice(3, 15, 30);
	slice(2, 30, 31);
	slice(1, 31, 35);
	CU_ASSERT_EQUAL(csg_timeline_finish(&timeline), 0);
}

static void levels_tell_apart_what_they_say(void)
{
	static const size_t want[] = {3, 3, 3, 3, 5, 5};

	for (int level = CSG_TIMELINE_WORLD; level <= CSG_TIMELINE_OWNER; level++) {
		uint64_t time = 0, instructions = 0;

		play((enum csg_timeline_level)level);
		CU_ASSERT_EQUAL(row_count, want[level]);
		for (size_t i = 0; i < row_count; i++) {
			time += rows[i].end - rows[i].begin;
			instructions += rows[i].instructions;
		}
		CU_ASSERT_EQUAL(time, 35);
		CU_ASSERT_EQUAL(instructions, 50);
		csg_timeline_fini(&timeline);
	}
}

static void what_is_not_distinguished_is_not_shown(void)
{
	play(CSG_TIMELINE_VCPU);
	CU_ASSERT_EQUAL(rows[1].who.owner.vm, 42);
	CU_ASSERT_STRING_EQUAL(rows[1].who.guest, "web</script>");
	CU_ASSERT_EQUAL(rows[1].who.owner.vcpu, 1);
	CU_ASSERT_EQUAL(rows[0].who.owner.pid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(rows[0].slices, 3);
	CU_ASSERT_STRING_EQUAL(rows[0].who.comm, "");
	csg_timeline_fini(&timeline);
	play(CSG_TIMELINE_WORLD);
	CU_ASSERT_EQUAL(rows[1].who.owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(rows[0].who.owner.vm, CSG_VM_HOST);
	csg_timeline_fini(&timeline);
	play(CSG_TIMELINE_PROCESS);
	CU_ASSERT_STRING_EQUAL(rows[0].who.comm, "renamed"); /* not dated: as it was last */
	CU_ASSERT_EQUAL(rows[0].who.owner.pid, 100);
	CU_ASSERT_EQUAL(rows[0].who.owner.tid, CSG_PID_UNKNOWN);
	csg_timeline_fini(&timeline);
}

static void sums_are_those_of_the_rows(void)
{
	play(CSG_TIMELINE_VM);
	CU_ASSERT_EQUAL(timeline.whos.count, 2);
	CU_ASSERT_EQUAL(timeline.totals[0].time, 34);
	CU_ASSERT_EQUAL(timeline.totals[0].rows, 2);
	CU_ASSERT_EQUAL(timeline.totals[0].longest, 30);
	CU_ASSERT_EQUAL(timeline.totals[1].time, 1);
	CU_ASSERT_EQUAL(timeline.totals[1].instructions, 10);
	csg_timeline_fini(&timeline);
}

static void losses_and_other_streams_are_rows_of_their_own(void)
{
	struct csg_slice lost = {.owner = CSG_SLICE_LOST, .gap = CSG_GAP_OVERFLOW, .end = 5};
	struct csg_slice same = {.owner = 1, .stream = 1};

	begin(CSG_TIMELINE_WORLD);
	CU_ASSERT_EQUAL(csg_timeline_add(&timeline, &lost), 0);
	slice(1, 5, 6);
	CU_ASSERT_EQUAL(csg_timeline_add(&timeline, &same), 0);
	CU_ASSERT_EQUAL(csg_timeline_finish(&timeline), 0);
	CU_ASSERT_EQUAL(row_count, 3);
	CU_ASSERT(rows[0].who.lost);
	CU_ASSERT_EQUAL(rows[0].who.gap, CSG_GAP_OVERFLOW);
	CU_ASSERT_EQUAL(rows[2].stream, 1);
	csg_timeline_fini(&timeline);
}

CSG_SUITE(timeline, timeline, CSG_TEST(levels_tell_apart_what_they_say),
	  CSG_TEST(what_is_not_distinguished_is_not_shown), CSG_TEST(sums_are_those_of_the_rows),
	  CSG_TEST(losses_and_other_streams_are_rows_of_their_own));
