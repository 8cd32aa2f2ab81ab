/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "scan/uncommitted.h"
#include "suite.h"

/* What came out, by value. */
struct story {
	struct csg_uncommitted u;
	uint64_t out[64];
	size_t count;
};

static void remember(void *arg, const struct csg_track_event *event)
{
	struct story *s = arg;

	if (s->count < 64)
		s->out[s->count++] = event->value;
}

static void begin(struct story *s, uint32_t max_spec)
{
	*s = (struct story){0};
	CU_ASSERT_EQUAL_FATAL(csg_uncommitted_init(&s->u, max_spec, remember, s), 0);
}

static bool event(struct story *s, uint64_t value, enum csg_track_kind kind)
{
	const struct csg_track_event e = {.kind = (uint8_t)kind, .value = value};

	return csg_uncommitted_event(&s->u, &e);
}

static bool context(struct story *s, uint64_t value)
{
	return event(s, value, CSG_TRACK_CONTEXT);
}

static void without_speculation_everything_is_final(void)
{
	struct story s;

	begin(&s, 0);
	CU_ASSERT(csg_uncommitted_p0(&s.u, 5, true));
	CU_ASSERT(context(&s, 1));
	CU_ASSERT_EQUAL(s.count, 1);
	csg_uncommitted_fini(&s.u);
}

static void without_speculation_commits_cancels_and_mispredictions_are_bad(void)
{
	struct story s;

	begin(&s, 0);
	csg_uncommitted_p0(&s.u, 5, true);
	CU_ASSERT_FALSE(csg_uncommitted_commit(&s.u, 1));
	CU_ASSERT_FALSE(csg_uncommitted_cancel(&s.u, 1));
	CU_ASSERT_FALSE(csg_uncommitted_mispredict(&s.u));
	csg_uncommitted_fini(&s.u);
}

static void an_event_waits_for_the_elements_before_it(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 2, true);
	context(&s, 1);
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 2);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 1));
	CU_ASSERT_EQUAL(s.count, 0);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 2));
	CU_ASSERT_EQUAL(s.count, 2);
	CU_ASSERT_EQUAL(s.out[0], 1);
	CU_ASSERT_EQUAL(s.out[1], 2);
	csg_uncommitted_fini(&s.u);
}

static void what_exceeds_the_depth_is_committed_by_itself(void)
{
	struct story s;

	begin(&s, 2);
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 1);
	csg_uncommitted_p0(&s.u, 1, true);
	CU_ASSERT_EQUAL(s.count, 0);
	csg_uncommitted_p0(&s.u, 1, false);
	/* The first element is final, and with the second the context between them. */
	csg_uncommitted_p0(&s.u, 1, false);
	CU_ASSERT_EQUAL(s.count, 1);
	csg_uncommitted_fini(&s.u);
}

static void a_cancel_takes_back_all_but_timestamps(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 1);
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 2);
	event(&s, 3, CSG_TRACK_TIMESTAMP);
	CU_ASSERT(csg_uncommitted_cancel(&s.u, 1));
	CU_ASSERT(csg_uncommitted_commit(&s.u, 1));
	CU_ASSERT_EQUAL(s.count, 2);
	CU_ASSERT_EQUAL(s.out[0], 1);
	CU_ASSERT_EQUAL(s.out[1], 3);
	csg_uncommitted_fini(&s.u);
}

static void more_than_there_is_cannot_be_committed_or_cancelled(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 2, true);
	CU_ASSERT_FALSE(csg_uncommitted_commit(&s.u, 3));
	csg_uncommitted_p0(&s.u, 2, true);
	CU_ASSERT_FALSE(csg_uncommitted_cancel(&s.u, 3));
	/* After a bad packet nothing is left over. */
	CU_ASSERT(context(&s, 7));
	CU_ASSERT_EQUAL(s.count, 1);
	csg_uncommitted_fini(&s.u);
}

static void elements_from_before_the_trace_count(void)
{
	struct story s;

	begin(&s, 10);
	CU_ASSERT(csg_uncommitted_restart(&s.u, 4));
	context(&s, 1);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 3));
	CU_ASSERT_EQUAL(s.count, 0);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 1));
	CU_ASSERT_EQUAL(s.count, 1);
	CU_ASSERT_FALSE(csg_uncommitted_restart(&s.u, 11));
	csg_uncommitted_fini(&s.u);
}

static void a_misprediction_wants_an_atom(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 1, true);
	CU_ASSERT(csg_uncommitted_mispredict(&s.u));
	CU_ASSERT(csg_uncommitted_address(&s.u));
	CU_ASSERT(csg_uncommitted_mispredict(&s.u));
	csg_uncommitted_restart(&s.u, 0);
	csg_uncommitted_p0(&s.u, 1, false);
	CU_ASSERT_FALSE(csg_uncommitted_mispredict(&s.u));
	csg_uncommitted_fini(&s.u);
}

/* An address after a context is two entries here and one element there: it is not in the newer
 * half. */
static void a_misprediction_that_opencsd_would_not_survive_is_bad(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 1, false);
	CU_ASSERT(csg_uncommitted_address(&s.u));
	event(&s, 1, CSG_TRACK_TIMESTAMP);
	event(&s, 1, CSG_TRACK_ADDRESS);
	CU_ASSERT_FALSE(csg_uncommitted_mispredict(&s.u));
	csg_uncommitted_restart(&s.u, 0);
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 1);
	CU_ASSERT(csg_uncommitted_address(&s.u));
	event(&s, 1, CSG_TRACK_ADDRESS);
	CU_ASSERT(csg_uncommitted_mispredict(&s.u));
	csg_uncommitted_fini(&s.u);
}

static void a_source_address_can_be_committed_and_not_cancelled(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 1, true);
	CU_ASSERT(csg_uncommitted_source_address(&s.u));
	csg_uncommitted_p0(&s.u, 1, true);
	CU_ASSERT(csg_uncommitted_cancel(&s.u, 1)); /* the atom after it */
	CU_ASSERT_FALSE(csg_uncommitted_cancel(&s.u, 1));
	csg_uncommitted_restart(&s.u, 0);
	CU_ASSERT(csg_uncommitted_source_address(&s.u));
	context(&s, 1);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 1));
	CU_ASSERT_EQUAL(s.count, 1);
	csg_uncommitted_fini(&s.u);
}

static void an_overflow_leaves_timestamps_only(void)
{
	struct story s;

	begin(&s, 10);
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 1);
	event(&s, 2, CSG_TRACK_TIMESTAMP);
	csg_uncommitted_discard(&s.u);
	CU_ASSERT_EQUAL(s.count, 1);
	CU_ASSERT_EQUAL(s.out[0], 2);
	csg_uncommitted_fini(&s.u);
}

static void a_ring_that_is_full_is_bad_trace(void)
{
	struct story s;
	unsigned int i;

	begin(&s, 100000);
	csg_uncommitted_p0(&s.u, 1, true);
	for (i = 0; i < 100000 && csg_uncommitted_other(&s.u); i++)
		;
	CU_ASSERT(i > 1000 && i < 100000);
	csg_uncommitted_fini(&s.u);
}

static void what_was_in_flight_before_the_trace_began_is_committed_first(void)
{
	struct story s;

	begin(&s, 4);
	CU_ASSERT(csg_uncommitted_restart(&s.u, 3));
	csg_uncommitted_p0(&s.u, 1, true);
	context(&s, 1);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 3));
	CU_ASSERT_EQUAL(s.count, 0);
	CU_ASSERT(csg_uncommitted_mispredict(&s.u)); /* the atom is still there */
	csg_uncommitted_fini(&s.u);
}

static void an_old_decoder_commits_what_it_has_seen_instead(void)
{
	struct story s;

	begin(&s, 4);
	s.u.forgets_unseen = true;
	CU_ASSERT(csg_uncommitted_restart(&s.u, 3));
	csg_uncommitted_p0(&s.u, 1, true);
	csg_uncommitted_address(&s.u);
	CU_ASSERT(csg_uncommitted_commit(&s.u, 1));
	CU_ASSERT_FALSE(csg_uncommitted_mispredict(&s.u)); /* it would crash: no atom is left */
	CU_ASSERT(csg_uncommitted_restart(&s.u, 3));
	CU_ASSERT_FALSE(csg_uncommitted_cancel(&s.u, 1)); /* there is none to cancel */
	csg_uncommitted_fini(&s.u);
}

CSG_SUITE(scan, uncommitted, CSG_TEST(what_was_in_flight_before_the_trace_began_is_committed_first),
	  CSG_TEST(an_old_decoder_commits_what_it_has_seen_instead),
	  CSG_TEST(without_speculation_everything_is_final),
	  CSG_TEST(without_speculation_commits_cancels_and_mispredictions_are_bad),
	  CSG_TEST(an_event_waits_for_the_elements_before_it),
	  CSG_TEST(what_exceeds_the_depth_is_committed_by_itself),
	  CSG_TEST(a_cancel_takes_back_all_but_timestamps),
	  CSG_TEST(more_than_there_is_cannot_be_committed_or_cancelled),
	  CSG_TEST(elements_from_before_the_trace_count), CSG_TEST(a_misprediction_wants_an_atom),
	  CSG_TEST(a_misprediction_that_opencsd_would_not_survive_is_bad),
	  CSG_TEST(a_source_address_can_be_committed_and_not_cancelled),
	  CSG_TEST(an_overflow_leaves_timestamps_only), CSG_TEST(a_ring_that_is_full_is_bad_trace));
