/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/element.h"
#include "guest/pending.h"
#include "suite.h"

struct story {
	struct csg_world_segments world;
	struct csg_pending pending;
	uint64_t index;
};

static void begin(struct story *s, bool dated, bool guest_times)
{
	*s = (struct story){0};
	csg_world_init(&s->world, CSG_HV_KVM_VHE, CSG_VCTX_CONTEXTIDR_EL2);
	csg_pending_init(&s->pending, dated, guest_times);
	s->pending.checked = UINT64_MAX;
}

static void leave(struct story *s)
{
	csg_pending_fini(&s->pending);
	csg_world_fini(&s->world);
}

static void at(struct story *s, enum csg_el el, uint32_t tid)
{
	const struct csg_track_event event = {
		.kind = CSG_TRACK_CONTEXT,
		.index = s->index += 10,
		.context = {.el = (uint8_t)el, .aarch64 = true, .has_vctx = true, .vctx = tid}};

	csg_pending_goes_on(&s->pending, CSG_TRACK_CONTEXT);
	csg_world_event(&s->world, &event);
	csg_pending_fill(&s->pending, &s->world);
}

/* Execution is seen to go on. */
static void goes_on(struct story *s)
{
	csg_pending_goes_on(&s->pending, CSG_TRACK_ADDRESS);
}

static void trace_on(struct story *s)
{
	const struct csg_track_event event = {.kind = CSG_TRACK_TRACE_ON, .index = s->index += 10};

	csg_pending_goes_on(&s->pending, CSG_TRACK_TRACE_ON);
	csg_world_event(&s->world, &event);
	csg_pending_fill(&s->pending, &s->world);
}

static void gap(struct story *s)
{
	const struct csg_track_event event = {.kind = CSG_TRACK_GAP,
					      .gap = CSG_GAP_OVERFLOW,
					      .index = s->index += 10,
					      .context = CSG_CONTEXT_UNKNOWN};

	csg_pending_goes_on(&s->pending, CSG_TRACK_GAP);
	csg_world_event(&s->world, &event);
	csg_pending_fill(&s->pending, &s->world);
}

static void time(struct story *s, uint64_t timestamp)
{
	csg_pending_timestamp(&s->pending, s->index += 10, timestamp);
	csg_pending_fill(&s->pending, &s->world);
}

/* The next segment; its index is UINT64_MAX where none is free. */
static struct csg_segment next(struct story *s, struct csg_guest_span *span)
{
	struct csg_pending_item item;

	while (csg_pending_next(&s->pending, &item, span))
		if (!item.is_time)
			return item.segment;
	return (struct csg_segment){.index = UINT64_MAX};
}

static void expect(struct story *s, uint64_t index, uint64_t after, uint64_t before)
{
	struct csg_guest_span span;
	struct csg_segment segment = next(s, &span);

	CU_ASSERT_EQUAL(segment.index, index);
	CU_ASSERT_EQUAL(segment.after, after);
	CU_ASSERT_EQUAL(segment.before, before);
}

static void expect_guest(struct story *s, uint64_t index, struct csg_guest_span want)
{
	struct csg_guest_span span;

	CU_ASSERT_EQUAL(next(s, &span).index, index);
	CU_ASSERT_EQUAL(span.after, want.after);
	CU_ASSERT_EQUAL(span.before, want.before);
	CU_ASSERT_EQUAL(span.first, want.first);
	CU_ASSERT_EQUAL(span.last, want.last);
}

static void a_segment_waits_for_a_timestamp_after_its_end(void)
{
	struct csg_guest_span span;
	struct story s;

	begin(&s, true, false);
	at(&s, CSG_EL2, 7);
	time(&s, 100);
	at(&s, CSG_EL1, 7);
	CU_ASSERT_EQUAL(next(&s, &span).index, UINT64_MAX);
	CU_ASSERT_EQUAL(csg_pending_index(&s.pending), 10);
	time(&s, 200);
	expect(&s, 10, 0, 200);
	CU_ASSERT_EQUAL(csg_pending_index(&s.pending), 30);
	at(&s, CSG_EL2, 7);
	time(&s, 300);
	expect(&s, 30, 100, 300);
	leave(&s);
}

static void without_timestamps_nothing_waits(void)
{
	struct story s;

	begin(&s, false, false);
	at(&s, CSG_EL2, 7);
	expect(&s, 10, 0, 0);
	CU_ASSERT_EQUAL(csg_pending_index(&s.pending), UINT64_MAX);
	leave(&s);
}

static void what_is_released_goes_without_its_bounds(void)
{
	struct csg_guest_span span;
	struct story s;

	begin(&s, true, false);
	time(&s, 50);
	at(&s, CSG_EL2, 7);
	csg_pending_release(&s.pending);
	at(&s, CSG_EL1, 7);
	expect(&s, 20, 50, 0);
	CU_ASSERT_EQUAL(next(&s, &span).index, UINT64_MAX);
	leave(&s);
}

static void time_after_a_gap_bounds_nothing_before_it(void)
{
	struct story s;

	begin(&s, true, false);
	time(&s, 50);
	at(&s, CSG_EL2, 7);
	gap(&s);
	expect(&s, 20, 50, 0);
	time(&s, 60);
	at(&s, CSG_EL2, 7);
	time(&s, 70);
	expect(&s, 30, 0, 70);
	csg_pending_release(&s.pending);
	expect(&s, 50, 60, 0);
	leave(&s);
}

static void a_guests_bounds_are_timestamps_inside_the_guest(void)
{
	struct story s;

	begin(&s, true, true);
	at(&s, CSG_EL1, 7); /* 10 */
	time(&s, 100);
	at(&s, CSG_EL0, 7); /* 30 */
	at(&s, CSG_EL1, 7); /* 40 */
	at(&s, CSG_EL2, 7); /* 50 */
	time(&s, 999);	    /* the host's, perhaps */
	at(&s, CSG_EL1, 7); /* 70 */
	time(&s, 130);
	goes_on(&s);
	csg_pending_release(&s.pending);
	expect_guest(&s, 10, (struct csg_guest_span){0, 130, 100, 100, 0});
	expect_guest(&s, 30, (struct csg_guest_span){100, 130, 0, 0, 0});
	expect_guest(&s, 40, (struct csg_guest_span){100, 130, 0, 0, 0});
	expect_guest(&s, 50, (struct csg_guest_span){0, 0, 0, 0, 0});
	expect_guest(&s, 70, (struct csg_guest_span){100, 0, 130, 130, 0});
	leave(&s);
}

static void a_guest_waits_for_its_own_timestamp(void)
{
	struct csg_guest_span span;
	struct story s;

	begin(&s, true, true);
	at(&s, CSG_EL1, 7);
	at(&s, CSG_EL2, 7);
	time(&s, 999);
	CU_ASSERT_EQUAL(next(&s, &span).index, UINT64_MAX);
	at(&s, CSG_EL1, 8); /* another vCPU's */
	time(&s, 500);
	CU_ASSERT_EQUAL(next(&s, &span).index, UINT64_MAX);
	at(&s, CSG_EL1, 7);
	time(&s, 120);
	CU_ASSERT_EQUAL(next(&s, &span).index, UINT64_MAX);
	goes_on(&s);
	expect_guest(&s, 10, (struct csg_guest_span){0, 120, 0, 0, 0});
	leave(&s);
}

/* EL2 is excluded: where the guest is left the trace stops, timestamps go on. */
static void what_is_sent_while_nothing_is_traced_is_no_guests_time(void)
{
	struct story s;

	begin(&s, true, true);
	at(&s, CSG_EL1, 7); /* 10 */
	time(&s, 100);
	goes_on(&s); /* the exit */
	time(&s, 999);
	trace_on(&s); /* 40 */
	at(&s, CSG_EL1, 7);
	time(&s, 120);
	goes_on(&s);
	csg_pending_release(&s.pending);
	expect_guest(&s, 10, (struct csg_guest_span){0, 120, 100, 100, 0});
	expect_guest(&s, 40, (struct csg_guest_span){100, 120, 0, 0, 0});
	leave(&s);
}

static void what_is_sent_last_is_the_guests_unless_it_was_left(void)
{
	for (int left = 0; left < 2; left++) {
		struct story s;

		begin(&s, true, true);
		at(&s, CSG_EL1, 7);
		time(&s, 100);
		csg_pending_goes_on(&s.pending, left ? CSG_TRACK_EXCEPTION : CSG_TRACK_ADDRESS);
		time(&s, 110);
		csg_pending_release(&s.pending);
		goes_on(&s);
		expect_guest(&s, 10, (struct csg_guest_span){0, 0, 100, left ? 100 : 110, 0});
		leave(&s);
	}
}

/* The next item, a timestamp, begins a piece. */
static void expect_piece(struct story *s, uint64_t index, uint64_t after, uint64_t before)
{
	struct csg_pending_item item;
	struct csg_guest_span span;

	CU_ASSERT_EQUAL(csg_pending_index(&s->pending), index);
	CU_ASSERT_FATAL(csg_pending_next(&s->pending, &item, &span));
	CU_ASSERT(csg_pending_is_piece(&s->pending, &item));
	CU_ASSERT_EQUAL(item.index, index);
	CU_ASSERT_EQUAL(span.after, after);
	CU_ASSERT_EQUAL(span.before, before);
}

/* Sequence number 0 is the segment, 1 and 2 are its timestamps. */
static void timestamps_before_one_that_goes_back_are_not_inside(void)
{
	struct story s;

	for (int back = 0; back < 2; back++) {
		begin(&s, true, true);
		at(&s, CSG_EL0, 7); /* 10 */
		time(&s, 100);
		time(&s, 90);
		at(&s, CSG_EL1, 7); /* 40 */
		time(&s, 95);
		goes_on(&s);
		csg_pending_distrust(&s.pending, 2, back);
		expect_guest(&s, 10,
			     back ? (struct csg_guest_span){0, 0, 0, 0, 0}
				  : (struct csg_guest_span){0, 95, 100, 100, 0});
		csg_pending_release(&s.pending);
		/* Nor are they bounds of what follows. */
		expect_guest(&s, 40, (struct csg_guest_span){back ? 0 : 100, 0, 95, 95, 0});
		leave(&s);
	}
}

static void one_that_goes_back_is_no_bound_of_what_ran_before(void)
{
	struct story s;

	for (int back = 0; back < 3; back++) {
		begin(&s, true, true);
		at(&s, CSG_EL1, 7); /* 10 */
		time(&s, 100);
		at(&s, CSG_EL0, back == 2 ? 8 : 7);
		time(&s, 90); /* sequence number 3 */
		at(&s, CSG_EL1, 7);
		time(&s, 110);
		goes_on(&s);
		csg_pending_distrust(&s.pending, 3, back);
		expect_guest(&s, 10, (struct csg_guest_span){0, back == 1 ? 0 : 110, 100, 100, 0});
		leave(&s);
	}
}

static void one_that_may_be_late_is_no_upper_bound(void)
{
	struct csg_guest_span span;
	struct story s;

	for (int user = 0; user < 2; user++) {
		begin(&s, true, true);
		at(&s, user ? CSG_EL0 : CSG_EL1, 7); /* 10 */
		time(&s, 100);
		time(&s, 110);
		at(&s, user ? CSG_EL1 : CSG_EL0, 7); /* 40 */
		time(&s, 120);
		time(&s, 130);
		at(&s, CSG_EL2, 7);
		s.pending.checked = 0;
		/* Whether they are is not known yet. */
		CU_ASSERT_EQUAL(next(&s, &span).index, UINT64_MAX);
		csg_pending_check(&s.pending, 1, 5, 3);
		csg_pending_check(&s.pending, 5, 6, 0);
		expect_guest(&s, 10,
			     user ? (struct csg_guest_span){0, 130, 100, 110, 0}
				  : (struct csg_guest_span){0, 130, 0, 0, 0});
		csg_pending_release(&s.pending);
		/* A right one is better than a late one. */
		CU_ASSERT_EQUAL(next(&s, &span).index, 40);
		CU_ASSERT(span.first == 130 && span.last == 130 && !span.late);
		leave(&s);
	}
}

static void trace_that_was_off_is_resumed_where_nothing_left_it(void)
{
	for (int left = 0; left < 2; left++) {
		struct csg_pending_item item = {.timestamp = 0};
		struct csg_guest_span span;
		struct story s;

		begin(&s, true, true);
		at(&s, CSG_EL1, 7);
		time(&s, 100);
		csg_pending_goes_on(&s.pending, left ? CSG_TRACK_EXCEPTION : CSG_TRACK_ADDRESS);
		csg_pending_goes_on(&s.pending, CSG_TRACK_ADDRESS);
		trace_on(&s);
		at(&s, CSG_EL1, 7);
		time(&s, 110);
		goes_on(&s);
		csg_pending_release(&s.pending);
		while (item.timestamp != 110)
			CU_ASSERT_FATAL(csg_pending_next(&s.pending, &item, &span));
		CU_ASSERT_EQUAL(item.resumed, !left);
		leave(&s);
	}
}

static void timestamps_inside_a_guest_divide_it(void)
{
	struct csg_pending_item item;
	struct csg_guest_span span;
	struct story s;

	begin(&s, true, true);
	at(&s, CSG_EL1, 7);
	time(&s, 100); /* 20 */
	time(&s, 110); /* 30 */
	at(&s, CSG_EL2, 7);
	time(&s, 999);
	at(&s, CSG_EL1, 7);
	time(&s, 130);
	goes_on(&s);
	expect_guest(&s, 10, (struct csg_guest_span){0, 130, 100, 110, 0});
	csg_pending_divide(&s.pending);
	expect_piece(&s, 20, 100, 110);
	expect_piece(&s, 30, 110, 130);
	expect_guest(&s, 40, (struct csg_guest_span){0, 0, 0, 0, 0});
	CU_ASSERT(csg_pending_next(&s.pending, &item, &span));
	CU_ASSERT_FALSE(csg_pending_is_piece(&s.pending, &item));
	leave(&s);
}

static void a_piece_waits_for_its_end(void)
{
	struct csg_pending_item item;
	struct csg_guest_span span;
	struct story s;

	begin(&s, true, true);
	at(&s, CSG_EL1, 7);
	time(&s, 100); /* 20 */
	goes_on(&s);
	csg_pending_release(&s.pending);
	expect_guest(&s, 10, (struct csg_guest_span){0, 0, 100, 100, 0});
	csg_pending_divide(&s.pending);
	time(&s, 110); /* 30 */
	goes_on(&s);
	expect_piece(&s, 20, 100, 110);
	CU_ASSERT_FALSE(csg_pending_next(&s.pending, &item, &span));
	CU_ASSERT_EQUAL(csg_pending_index(&s.pending), 30);
	time(&s, 120); /* 40 */
	CU_ASSERT_FALSE(csg_pending_next(&s.pending, &item, &span));
	goes_on(&s);
	expect_piece(&s, 30, 110, 120);
	csg_pending_release(&s.pending);
	expect_piece(&s, 40, 120, 0);
	leave(&s);
}

/* Where the timestamps begin that have the upper bits of the last one before the next segment. */
static uint64_t next_block(struct story *s)
{
	struct csg_pending_item item;
	struct csg_guest_span span;

	while (csg_pending_next(&s->pending, &item, &span))
		if (!item.is_time)
			return item.block_index;
	return UINT64_MAX;
}

static void timestamps_with_the_same_upper_bits_are_a_block(void)
{
	struct story s;

	begin(&s, true, false);
	at(&s, CSG_EL2, 7);
	time(&s, 0x14000);
	time(&s, 0x14001);
	at(&s, CSG_EL0, 7);
	time(&s, 0x17fff);
	trace_on(&s);
	at(&s, CSG_EL2, 7);
	time(&s, 0x18000);
	at(&s, CSG_EL0, 7);
	time(&s, 0x18001);
	gap(&s);
	csg_pending_release(&s.pending);
	CU_ASSERT_EQUAL(next_block(&s), 0);
	CU_ASSERT_EQUAL(next_block(&s), 20);
	/* After Trace On, and its context. */
	CU_ASSERT_EQUAL(next_block(&s), 20);
	CU_ASSERT_EQUAL(next_block(&s), 20);
	CU_ASSERT_EQUAL(next_block(&s), 80);
	/* After lost trace they are sent whole. */
	CU_ASSERT_EQUAL(next_block(&s), 0);
	leave(&s);
}

static void a_long_trace_is_held_in_bounded_memory(void)
{
	struct story s;
	size_t taken = 0;
	struct csg_guest_span span;

	begin(&s, true, true);
	for (uint64_t i = 1; i < 20000; i++) {
		at(&s, i % 2 ? CSG_EL1 : CSG_EL2, 7);
		time(&s, i);
		while (next(&s, &span).index != UINT64_MAX)
			taken++;
	}
	CU_ASSERT(taken > 19000);
	CU_ASSERT(s.pending.queue.capacity < 200);
	CU_ASSERT_FALSE(s.pending.failed);
	leave(&s);
}

CSG_SUITE(guest, pending, CSG_TEST(a_segment_waits_for_a_timestamp_after_its_end),
	  CSG_TEST(without_timestamps_nothing_waits),
	  CSG_TEST(what_is_released_goes_without_its_bounds),
	  CSG_TEST(time_after_a_gap_bounds_nothing_before_it),
	  CSG_TEST(a_guests_bounds_are_timestamps_inside_the_guest),
	  CSG_TEST(a_guest_waits_for_its_own_timestamp),
	  CSG_TEST(what_is_sent_while_nothing_is_traced_is_no_guests_time),
	  CSG_TEST(what_is_sent_last_is_the_guests_unless_it_was_left),
	  CSG_TEST(timestamps_before_one_that_goes_back_are_not_inside),
	  CSG_TEST(one_that_goes_back_is_no_bound_of_what_ran_before),
	  CSG_TEST(one_that_may_be_late_is_no_upper_bound),
	  CSG_TEST(trace_that_was_off_is_resumed_where_nothing_left_it),
	  CSG_TEST(timestamps_inside_a_guest_divide_it), CSG_TEST(a_piece_waits_for_its_end),
	  CSG_TEST(timestamps_with_the_same_upper_bits_are_a_block),
	  CSG_TEST(a_long_trace_is_held_in_bounded_memory));
