/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_watch.h"

#include "suite.h"

#define SWITCH_TO UINT64_C(0xffff800080012340)
#define ELSEWHERE UINT64_C(0xffff800080056780)

static const struct csg_owner host = {.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL};
static const struct csg_owner user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .evidence = CSG_EVIDENCE_VECTOR_BASE};
static const struct csg_owner default_user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .evidence = CSG_EVIDENCE_POLICY_DEFAULT};
static const struct csg_owner guest = {.world = CSG_WORLD_GUEST};

static struct csg_time_slices slices;
static struct csg_time_slice_watch watch;

static void begin(void)
{
	slices = (struct csg_time_slices){0};
	watch = (struct csg_time_slice_watch){.slices = &slices, .switch_to = SWITCH_TO};
	csg_time_slice_watch_begin(&watch, 100);
}

static void range(uint64_t index, uint8_t el, uint64_t start, const struct csg_owner *owner)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_RANGE, .index = index, .el = el, .start = start};

	CU_ASSERT_EQUAL(csg_time_slice_watch_see(&watch, &e, owner), 0);
}

static void gap(uint64_t index, uint8_t el, enum csg_gap what)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_GAP, .index = index, .el = el, .gap = (uint8_t)what};

	CU_ASSERT_EQUAL(csg_time_slice_watch_see(&watch, &e, &host), 0);
}

static bool is(size_t i, uint64_t from, uint64_t until, uint8_t shown)
{
	return i < slices.count && slices.slices[i].begin == from &&
	       slices.slices[i].end == until && slices.shown[i] == shown;
}

static void end(size_t n)
{
	CU_ASSERT_EQUAL(csg_time_slice_watch_end(&watch), 0);
	CU_ASSERT_EQUAL(slices.count, n);
}

static void each_switch_ends_a_slice(void)
{
	begin();
	range(110, 2, ELSEWHERE, &host);
	range(120, 2, SWITCH_TO, &host);
	range(130, 1, ELSEWHERE, &guest);
	range(140, 2, SWITCH_TO, &host);
	range(150, 0, 0x400000, &user);
	end(3);
	CU_ASSERT(is(0, 100, 120, CSG_TIME_SLICE_APART));
	CU_ASSERT(is(1, 120, 140, CSG_TIME_SLICE_GUEST));
	CU_ASSERT(is(2, 140, 151, CSG_TIME_SLICE_USER));
	csg_time_slices_fini(&slices);
}

static void only_the_hosts_kernel_switches_its_threads(void)
{
	begin();
	range(110, 1, SWITCH_TO, &guest); /* the same kernel in a guest */
	range(120, 2, SWITCH_TO + 4, &host);
	end(1);
	CU_ASSERT(is(0, 100, 121, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_GUEST));
	csg_time_slices_fini(&slices);
}

static void a_default_shows_nothing(void)
{
	begin();
	range(110, 0, 0x400000, &default_user);
	end(1);
	CU_ASSERT(is(0, 100, 111, CSG_TIME_SLICE_APART));
	csg_time_slices_fini(&slices);
}

static void what_may_hide_a_switch_sets_slices_apart(void)
{
	static const uint8_t kinds[] = {CSG_GAP_OVERFLOW, CSG_GAP_TRACE_ON, CSG_GAP_BUFFER,
					CSG_GAP_DISCARD,  CSG_GAP_NO_CODE,  CSG_GAP_DECODER};

	for (size_t i = 0; i < sizeof(kinds); i++) {
		begin();
		range(110, 2, ELSEWHERE, &host);
		gap(120, 2, (enum csg_gap)kinds[i]);
		gap(121, 2, CSG_GAP_OVERFLOW);
		range(130, 2, ELSEWHERE, &host);
		end(2);
		CU_ASSERT(is(0, 100, 120, CSG_TIME_SLICE_APART));
		CU_ASSERT(is(1, 121, 131, CSG_TIME_SLICE_APART));
		csg_time_slices_fini(&slices);
	}
}

static void code_that_is_missing_below_el2_hides_none(void)
{
	begin();
	range(110, 2, ELSEWHERE, &host);
	gap(120, 0, CSG_GAP_NO_OWNER);
	gap(130, 1, CSG_GAP_NO_CODE);
	range(140, 2, SWITCH_TO, &host);
	end(1);
	CU_ASSERT(is(0, 100, 140, CSG_TIME_SLICE_APART));
	csg_time_slices_fini(&slices);
}

static void a_path_that_is_not_reported_may_hide_a_switch(void)
{
	const struct csg_element q = {.kind = CSG_ELEMENT_RANGE_NOPATH, .index = 120, .el = 2};

	begin();
	range(110, 2, ELSEWHERE, &host);
	CU_ASSERT_EQUAL(csg_time_slice_watch_see(&watch, &q, &host), 0);
	range(130, 2, ELSEWHERE, &host);
	end(2);
	CU_ASSERT(is(1, 120, 131, CSG_TIME_SLICE_APART));
	csg_time_slices_fini(&slices);
}

/* --- the border to EL1 and EL0 --- */

static void exception(uint64_t index, uint8_t el, uint64_t address, uint32_t number)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_EXCEPTION,
				      .index = index,
				      .el = el,
				      .end = address,
				      .info = number,
				      .has_return = address};

	CU_ASSERT_EQUAL(csg_time_slice_watch_see(&watch, &e, el ? &guest : &user), 0);
}

static void saw(size_t i, bool entry, uint64_t address, uint8_t number)
{
	const struct csg_border_sight *s = &slices.sights[i];

	CU_ASSERT_FATAL(i < slices.sight_count);
	CU_ASSERT(s->entry == entry && s->known == !!address);
	CU_ASSERT(s->address == address && (entry || s->number == number));
}

static void entries_and_exits_are_seen_in_order(void)
{
	begin();
	watch.sights = true;
	range(110, 2, ELSEWHERE, &host);
	range(120, 1, 0x1000, &guest);
	range(121, 1, 0x1010, &guest);
	exception(130, 1, 0x1020, 0xe);
	range(131, 1, 0x2000, &guest); /* its own interrupt */
	exception(140, 1, 0x2004, 3);
	range(141, 2, ELSEWHERE, &host);
	range(150, 2, SWITCH_TO, &host);
	range(151, 0, 0x400000, &default_user);
	exception(160, 0, 0x400008, 2);
	range(161, 2, ELSEWHERE, &host);
	exception(170, 2, ELSEWHERE + 4, 0xe);
	range(171, 2, ELSEWHERE, &host);
	end(2);
	CU_ASSERT_EQUAL_FATAL(slices.sight_count, 4);
	saw(0, true, 0x1000, 0);
	saw(1, false, 0x2004, 3);
	saw(2, true, 0x400000, 0);
	saw(3, false, 0x400008, 2);
	CU_ASSERT_EQUAL(slices.seen[0], 2);
	CU_ASSERT_EQUAL(slices.seen[1], 4);
	csg_time_slices_fini(&slices);
}

static void what_was_left_at_once_was_entered(void)
{
	begin();
	watch.sights = true;
	range(110, 2, ELSEWHERE, &host);
	exception(120, 1, 0x1000, 0xe);
	range(121, 2, ELSEWHERE, &host);
	end(1);
	CU_ASSERT_EQUAL_FATAL(slices.sight_count, 2);
	saw(0, true, 0x1000, 0);
	saw(1, false, 0x1000, 0xe);
	csg_time_slices_fini(&slices);
}

static void what_hides_addresses_does_not_hide_the_border(void)
{
	begin();
	watch.sights = true;
	range(110, 2, ELSEWHERE, &host);
	gap(120, 1, CSG_GAP_BAD_CODE);
	range(121, 2, ELSEWHERE, &host);
	gap(130, 1, CSG_GAP_NO_CODE);
	exception(131, 1, 0, 3);
	range(132, 2, ELSEWHERE, &host);
	end(1);
	CU_ASSERT_EQUAL_FATAL(slices.sight_count, 4);
	saw(0, true, 0, 0);
	saw(1, false, 0, 0);
	CU_ASSERT(slices.sights[2].known); /* a gap says which code is missing */
	saw(3, false, 0, 3);
	csg_time_slices_fini(&slices);
}

/* What ran before a loss, or another piece of trace, is not what was entered or left after it. */
static void after_what_hides_it_the_border_was_not_passed(void)
{
	for (int piece = 0; piece < 2; piece++)
		for (int before = 0; before < 3; before++) {
			begin();
			watch.sights = true;
			if (before == 0)
				range(110, 2, ELSEWHERE, &host);
			if (before == 1)
				range(110, 1, 0x1000, &guest);
			if (before == 2)
				exception(110, 1, 0x1000, 3);
			if (piece)
				csg_time_slice_watch_begin(&watch, 200);
			else
				gap(200, 2, CSG_GAP_OVERFLOW);
			range(210, before ? 2 : 1, ELSEWHERE, before ? &host : &guest);
			csg_time_slice_watch_end(&watch);
			CU_ASSERT_EQUAL(slices.sight_count, 0);
			csg_time_slices_fini(&slices);
		}
}

static void an_exit_is_of_the_exception_before_it_alone(void)
{
	begin();
	watch.sights = true;
	range(110, 2, ELSEWHERE, &host);
	gap(120, 1, CSG_GAP_NO_OWNER);
	exception(130, 1, 0x1020, 0xe);
	range(131, 1, 0x2000, &guest);
	range(140, 2, ELSEWHERE, &host); /* by what did not show */
	end(1);
	CU_ASSERT_EQUAL_FATAL(slices.sight_count, 2);
	CU_ASSERT(slices.sights[0].entry && slices.sights[0].known);
	saw(1, false, 0, 0);
	csg_time_slices_fini(&slices);
}

/* --- breaks --- */

static void timestamp(uint64_t index, uint64_t value)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_TIMESTAMP, .index = index, .timestamp = value};

	CU_ASSERT_EQUAL(csg_time_slice_watch_see(&watch, &e, &host), 0);
}

/* Timestamps as they usually are, up to index 150. */
static void begin_stamped(void)
{
	begin();
	watch.sights = watch.steady = true;
	for (uint64_t i = 0; i < 5; i++) {
		range(110 + 10 * i, 2, ELSEWHERE, &host);
		timestamp(110 + 10 * i, 1000 + 6 * i);
	}
}

static void where_timestamps_lie_far_apart_a_slice_is_divided(void)
{
	begin_stamped();
	range(160, 0, 0x400000, &user);
	timestamp(165, 2000);
	range(170, 2, SWITCH_TO, &host);
	range(175, 2, ELSEWHERE, &host);
	end(4);
	CU_ASSERT(is(0, 100, 150, CSG_TIME_SLICE_APART));
	CU_ASSERT(is(1, 150, 165,
		     CSG_TIME_SLICE_USER | CSG_TIME_SLICE_GOES_ON | CSG_TIME_SLICE_BREAK));
	CU_ASSERT(is(2, 165, 170, CSG_TIME_SLICE_GOES_ON));
	CU_ASSERT(is(3, 170, 176, 0));
	CU_ASSERT_EQUAL_FATAL(slices.break_count, 1);
	CU_ASSERT(slices.breaks[0].from == 150 && slices.breaks[0].until == 165);
	csg_time_slices_fini(&slices);
}

static void so_is_one_that_ended_before_the_second(void)
{
	begin_stamped();
	range(155, 2, SWITCH_TO, &host);
	range(160, 2, ELSEWHERE, &host);
	timestamp(165, 500); /* it goes back */
	range(170, 2, ELSEWHERE, &host);
	end(4);
	CU_ASSERT(is(0, 100, 150, CSG_TIME_SLICE_APART));
	CU_ASSERT(is(1, 150, 155, CSG_TIME_SLICE_GOES_ON | CSG_TIME_SLICE_BREAK));
	CU_ASSERT(is(2, 155, 165, CSG_TIME_SLICE_BREAK));
	CU_ASSERT(is(3, 165, 171, CSG_TIME_SLICE_GOES_ON));
	csg_time_slices_fini(&slices);
}

static void what_is_contradicted_lies_in_a_break(void)
{
	const struct csg_owner conflict = {.world = CSG_WORLD_GUEST, .reason = CSG_REASON_CONFLICT};

	begin_stamped();
	range(160, 1, 0x400000, &conflict);
	timestamp(165, 1050);
	timestamp(170, 1060);
	end(3);
	CU_ASSERT_EQUAL_FATAL(slices.break_count, 1);
	CU_ASSERT(slices.breaks[0].from == 150 && slices.breaks[0].until == 165);
	csg_time_slices_fini(&slices);
}

/* Up to the jump the upper bits may be those from before a loss, but for the first of them. */
static void a_break_begins_at_the_first_timestamp_with_its_upper_bits(void)
{
	begin_stamped();
	range(155, 2, ELSEWHERE, &host);
	timestamp(155, 1030);
	range(160, 2, ELSEWHERE, &host);
	timestamp(160, 1036);
	timestamp(165, 2000);
	csg_time_slice_watch_end(&watch);
	CU_ASSERT_EQUAL_FATAL(slices.break_count, 1);
	CU_ASSERT(slices.breaks[0].from == 150 && slices.breaks[0].until == 165);
	csg_time_slices_fini(&slices);
}

static void in(const struct csg_owner *owner, uint64_t index, uint64_t value)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_TIMESTAMP, .index = index, .timestamp = value};

	range(index - 1, owner->world == CSG_WORLD_GUEST ? 1 : 2, ELSEWHERE, owner);
	CU_ASSERT_EQUAL(csg_time_slice_watch_see(&watch, &e, owner), 0);
}

/* The virtual counter is one counter as long as nothing but a guest runs. */
static void a_jump_of_the_virtual_counter_in_a_guest_is_a_break(void)
{
	for (int left = 0; left < 3; left++) {
		begin();
		in(&guest, 110, 1024);
		in(&guest, 120, 1030);
		in(&guest, 130, 1036);
		if (left == 1)
			range(132, 2, ELSEWHERE, &host);
		in(left == 2 ? &host : &guest, 140, 9000);
		csg_time_slice_watch_end(&watch);
		CU_ASSERT_EQUAL(slices.break_count, left ? 0 : 1);
		csg_time_slices_fini(&slices);
	}
}

/* Guests change the virtual counter; marked losses are no breaks. */
static void other_jumps_are_no_breaks(void)
{
	begin_stamped();
	watch.steady = false;
	timestamp(165, 2000);
	gap(170, 2, CSG_GAP_OVERFLOW);
	range(171, 2, ELSEWHERE, &host);
	watch.steady = true;
	timestamp(175, 9000);
	csg_time_slice_watch_end(&watch);
	CU_ASSERT_EQUAL(slices.break_count, 0);
	csg_time_slices_fini(&slices);
}

static void who_asks_for_no_sights_gets_none(void)
{
	begin();
	range(110, 2, ELSEWHERE, &host);
	range(120, 1, 0x1000, &guest);
	exception(130, 1, 0x1000, 3);
	range(131, 2, ELSEWHERE, &host);
	end(1);
	CU_ASSERT_EQUAL(slices.sight_count, 0);
	csg_time_slices_fini(&slices);
}

CSG_SUITE(guest_slices, time_slice_watch, CSG_TEST(each_switch_ends_a_slice),
	  CSG_TEST(only_the_hosts_kernel_switches_its_threads), CSG_TEST(a_default_shows_nothing),
	  CSG_TEST(what_may_hide_a_switch_sets_slices_apart),
	  CSG_TEST(code_that_is_missing_below_el2_hides_none),
	  CSG_TEST(a_path_that_is_not_reported_may_hide_a_switch),
	  CSG_TEST(entries_and_exits_are_seen_in_order),
	  CSG_TEST(what_was_left_at_once_was_entered),
	  CSG_TEST(what_hides_addresses_does_not_hide_the_border),
	  CSG_TEST(after_what_hides_it_the_border_was_not_passed),
	  CSG_TEST(an_exit_is_of_the_exception_before_it_alone),
	  CSG_TEST(where_timestamps_lie_far_apart_a_slice_is_divided),
	  CSG_TEST(so_is_one_that_ended_before_the_second),
	  CSG_TEST(what_is_contradicted_lies_in_a_break), CSG_TEST(other_jumps_are_no_breaks),
	  CSG_TEST(a_break_begins_at_the_first_timestamp_with_its_upper_bits),
	  CSG_TEST(a_jump_of_the_virtual_counter_in_a_guest_is_a_break),
	  CSG_TEST(who_asks_for_no_sights_gets_none));
