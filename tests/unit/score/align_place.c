/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/align_place.h"

#include "suite.h"
#include "truth_text.h"

#define OWNER(n, tid)                                                                              \
	"owner " #n " world=host privilege=kernel el=2 vm=0 vcpu=-1 pid=7 tid=" #tid " host_tid="  \
	"8\n"

/* Three runs at 0x1000, of two owners; the last goes on elsewhere. */
static const char text[] = "csguest-truth 2\n" OWNER(0, 8)
	OWNER(1, 9) "stream cpu=0 id=0x10 bytes=99 instructions=24\n"
		    "run 0 8 1000 10 0\npath 1000:4 2000:4\n"
		    "run 0 8 1000 20 0\npath 1000:4 2000:4\n"
		    "run 1 8 1000 30 0\npath 1000:4 3000:4\nend\n";

static uint64_t lost;

static int on_lost(void *arg, const struct csg_truth_piece *piece, uint64_t n, enum csg_gap why)
{
	(void)arg, (void)piece, (void)why;
	lost += n;
	return 0;
}

/* The ranges at 0x1000 and, unless 0, at second are pending, sent there. */
static struct csg_truth *begin(struct csg_align *a, uint64_t second, uint64_t sent)
{
	const struct csg_align_client client = {.lost = on_lost};
	const uint64_t starts[] = {0x1000, second};
	struct csg_truth *truth;
	size_t n;

	lost = 0;
	CU_ASSERT_EQUAL_FATAL(truth_open_text(&truth, text), 0);
	CU_ASSERT_EQUAL(csg_align_begin(a, truth, csg_truth_streams(truth, &n), &client), 0);
	for (a->pendings = 0; a->pendings < (second ? 2 : 1); a->pendings++) {
		a->pending[a->pendings].e = (struct csg_element){
			.start = starts[a->pendings], .instructions = 4, .el = 2};
		a->pending[a->pendings].when.sent = sent;
	}
	return truth;
}

static void end(struct csg_align *a, struct csg_truth *truth)
{
	csg_align_fini(a);
	csg_truth_close(truth);
}

/* What is open of the two ranges at their first place, which is look[at]. */
static int choice(uint64_t second, uint64_t sent, size_t at, struct csg_align_owners *owners)
{
	struct csg_align_place place;
	struct csg_align a;
	struct csg_truth *truth = begin(&a, second, sent);
	int ret;

	CU_ASSERT_EQUAL(csg_align_find(&a, 0, a.pendings, &place), 1);
	CU_ASSERT_EQUAL(place.at, at);
	ret = csg_align_find_others(&a, place, a.pendings);
	*owners = a.pending[0].owners;
	end(&a, truth);
	return ret;
}

static void other_places_are_of_the_same_owner_or_another(void)
{
	struct csg_align_owners owners;

	CU_ASSERT_EQUAL(choice(0x3000, 40, 4, &owners), CSG_ALIGN_ONLY);
	CU_ASSERT_FALSE(csg_align_is_open(&owners));
	CU_ASSERT_EQUAL(choice(0x2000, 40, 0, &owners), CSG_ALIGN_SAME_OWNERS);
	CU_ASSERT_FALSE(csg_align_is_open(&owners));
	CU_ASSERT_EQUAL(choice(0, 40, 0, &owners), CSG_ALIGN_OTHER_OWNERS);
	CU_ASSERT(csg_align_is_open(&owners));
	CU_ASSERT_EQUAL(owners.own, 1);
	CU_ASSERT_EQUAL(owners.owner[1], 1);
	/* Those that the position in the trace does not allow are none. */
	CU_ASSERT_EQUAL(choice(0, 20, 0, &owners), CSG_ALIGN_SAME_OWNERS);
	CU_ASSERT_EQUAL(choice(0, 10, 0, &owners), CSG_ALIGN_ONLY);
}

static void what_was_sent_long_before_is_lost(void)
{
	struct csg_align a;
	struct csg_truth *truth = begin(&a, 0, 20 + CSG_TRUTH_HELD_BACK);

	CU_ASSERT_EQUAL(csg_align_skip_past(&a), 0);
	CU_ASSERT_EQUAL(lost, 0);
	a.pending[0].when.sent++;
	CU_ASSERT_EQUAL(csg_align_skip_past(&a), 0);
	CU_ASSERT_EQUAL(lost, 8);
	CU_ASSERT_EQUAL(a.head, 2);
	end(&a, truth);
}

CSG_SUITE(score, align_place, CSG_TEST(other_places_are_of_the_same_owner_or_another),
	  CSG_TEST(what_was_sent_long_before_is_lost));
