/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/align_look.h"

#include "suite.h"
#include "truth_text.h"

/* Two runs of a host at EL2, of which the first is of two pieces. */
static const char text[] =
	"csguest-truth 2\n"
	"owner 0 world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=7 tid=8 host_tid=8\n"
	"stream cpu=0 id=0x10 bytes=9 instructions=9\n"
	"run 0 6 1000 0 0\npath 1000:4 2000:2\nrun 0 3 3000 5 0\npath 3000:3\nend\n";

static uint64_t lost;

static int on_lost(void *arg, const struct csg_truth_piece *piece, uint64_t n, enum csg_gap why)
{
	(void)arg, (void)piece, (void)why;
	lost += n;
	return 0;
}

static struct csg_truth *begin(struct csg_align *align)
{
	const struct csg_align_client client = {.lost = on_lost};
	struct csg_truth *truth;
	size_t n;

	lost = 0;
	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	CU_ASSERT_EQUAL(csg_align_begin(align, truth, csg_truth_streams(truth, &n), &client), 0);
	return truth;
}

static void end(struct csg_align *align, struct csg_truth *truth)
{
	csg_align_fini(align);
	csg_truth_close(truth);
}

static void no_more_is_held_than_was_asked_for(void)
{
	struct csg_align align;
	struct csg_truth *truth = begin(&align);

	CU_ASSERT_EQUAL(csg_align_hold_head(&align), 1);
	CU_ASSERT_EQUAL(align.n, 1);
	CU_ASSERT_EQUAL(csg_align_hold(&align, 2), 1);
	CU_ASSERT_EQUAL(align.look[2].start, 0x3000);
	CU_ASSERT_EQUAL(csg_align_el_of(&align, 2), 2);
	CU_ASSERT_EQUAL(csg_align_hold(&align, 3), 0);
	CU_ASSERT(align.drained);
	end(&align, truth);
}

static void what_lies_before_a_place_is_lost(void)
{
	struct csg_align align;
	struct csg_truth *truth = begin(&align);

	CU_ASSERT_EQUAL(csg_align_hold(&align, 2), 1);
	align.used = 1;
	CU_ASSERT_EQUAL(csg_align_lose_until(&align, (struct csg_align_place){2, 2}), 0);
	CU_ASSERT_EQUAL(lost, 3 + 2 + 2);
	CU_ASSERT_EQUAL(align.head, 2);
	CU_ASSERT_EQUAL(align.used, 2);
	end(&align, truth);
}

static void without_a_path_only_the_first_address_is_reported(void)
{
	struct csg_truth_piece piece = {.start = 0x1000, .count = 4};
	uint64_t address;

	CU_ASSERT(csg_align_tells(&piece, 0, &address));
	CU_ASSERT_EQUAL(address, 0x1000);
	CU_ASSERT_FALSE(csg_align_tells(&piece, 1, &address));
	piece.straight = true;
	CU_ASSERT(csg_align_tells(&piece, 3, &address));
	CU_ASSERT_EQUAL(address, 0x100c);
}

CSG_SUITE(score, align_look, CSG_TEST(no_more_is_held_than_was_asked_for),
	  CSG_TEST(what_lies_before_a_place_is_lost),
	  CSG_TEST(without_a_path_only_the_first_address_is_reported));
