/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slice_stamps.h"

#include <stdlib.h>

#include "guest/facts/facts_seal.h"
#include "suite.h"

#define US 1000 /* the guest's counter has a tick a nanosecond */
#define VM 4100
#define VCPU 4103

static struct csg_facts facts;
static struct csg_slice_stamps stamps;
static struct csg_attribution_guest_time_slice slices[4];

/* A switch at 100, 200 and 300 us that takes 2 us: threads 21, 22, 23, 24. */
static void begin(void)
{
	static const struct csg_offset_period jumps = {
		.from = 1, .until = 2, .offset = {70, 80}, .sources = CSG_OFFSET_BY_TRACE};
	const struct csg_vcpu_entry vcpu = {
		.tid = VCPU, .vm = VM, .vcpu = 0, .source = CSG_VCPU_BY_NAME};
	struct csg_facts_machine *guest;

	facts = (struct csg_facts){0};
	guest = csg_facts_machine(&facts, VM);
	guest->clock = (struct csg_attribution_clock){
		.conv = {.valid = true, .mult = 1}, .first_time = 1, .last_time = 1000 * US};
	csg_offsets_observe(&facts.clocks.offsets, VM, &jumps);
	for (int32_t i = 0; i < 6; i++) {
		const int32_t out = 21 + i / 2, in = out + 1;
		const struct csg_attribution_switch record = {
			.size = sizeof(record),
			.time = (uint64_t)(100 * (i / 2 + 1) + 2 * (i & 1)) * US,
			.out = !(i & 1),
			.pid = i & 1 ? in : out,
			.tid = i & 1 ? in : out,
			.other_pid = i & 1 ? out : in,
			.other_tid = i & 1 ? out : in};

		csg_switches_add(&guest->switches, &record);
	}
	csg_vcpus_add(&facts.vcpus, &vcpu);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	stamps = (struct csg_slice_stamps){.count = 0};
}

/* A time slice with these timestamps, 0: none. */
static void slice(uint64_t first, uint64_t last)
{
	const size_t i = stamps.count;

	if (first)
		csg_slice_stamps_see(&stamps, first, true);
	if (last)
		csg_slice_stamps_see(&stamps, last, true);
	CU_ASSERT_EQUAL(csg_slice_stamps_end(&stamps, true), 0);
	slices[i] = (struct csg_attribution_guest_time_slice){.host_tid = VCPU,
							      .pid = -1,
							      .tid = -1,
							      .reason = CSG_REASON_NO_TIME,
							      .switches = true};
}

static void name(void)
{
	slices[stamps.count - 1].switches = false;
	CU_ASSERT_EQUAL(csg_slice_stamps_name(&stamps, &facts, VM, slices, stamps.count), 0);
}

static bool is(size_t i, int32_t tid, enum csg_reason reason)
{
	return slices[i].tid == tid && slices[i].pid == tid && slices[i].reason == reason;
}

static void end(void)
{
	csg_slice_stamps_fini(&stamps);
	csg_facts_fini(&facts);
}

static void who_ran_at_a_timestamp_ran_all_of_the_slice(void)
{
	begin();
	slice(50 * US, 0);
	slices[0].switches = false;
	slice(150 * US, 190 * US);
	name();
	CU_ASSERT(is(0, 21, CSG_REASON_NONE));
	CU_ASSERT(is(1, 22, CSG_REASON_NONE));
	end();
}

static void one_timestamp_of_two_that_is_no_switchs_is_enough(void)
{
	begin();
	slice(101 * US, 150 * US);
	name();
	CU_ASSERT(is(0, 22, CSG_REASON_NONE));
	end();
	begin();
	slice(101 * US, 0);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_NO_TIME));
	end();
}

static void slices_beside_are_one_switch_away(void)
{
	begin();
	slice(101 * US, 0); /* before that switch or after it: before, as two follow */
	slice(150 * US, 0);
	slice(0, 0);
	slice(0, 0);
	name();
	CU_ASSERT(is(0, 21, CSG_REASON_NONE));
	CU_ASSERT(is(1, 22, CSG_REASON_NONE));
	CU_ASSERT(is(2, 23, CSG_REASON_NONE));
	CU_ASSERT(is(3, 24, CSG_REASON_NONE));
	end();
}

static void a_slice_that_is_apart_is_any_number_of_switches_away(void)
{
	begin();
	slice(150 * US, 0);
	slices[0].switches = false;
	slice(0, 0);
	name();
	CU_ASSERT(is(0, 22, CSG_REASON_NONE));
	CU_ASSERT(is(1, -1, CSG_REASON_NO_TIME));
	end();
}

static void two_threads_in_a_slice_contradict_each_other(void)
{
	begin();
	slice(50 * US, 150 * US);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_CONFLICT));
	end();
	/* The one before says 22, its own timestamp 24. */
	begin();
	slice(50 * US, 0);
	slice(350 * US, 0);
	name();
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	end();
}

static void the_order_of_switches_and_timestamps_must_agree(void)
{
	begin();
	slice(150 * US, 0);
	slices[0].pid = slices[0].tid = 23;
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_CONFLICT));
	end();
}

static void between_two_that_do_not_fit_each_other_nobody_is_named(void)
{
	begin();
	slice(50 * US, 0);
	slice(0, 0);
	slice(0, 0);
	slice(250 * US, 0); /* two switches, and not three */
	name();
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT(is(i, -1, CSG_REASON_CONFLICT));
	end();
	begin();
	slice(50 * US, 0);
	slice(150 * US, 0);
	slice(350 * US, 0); /* a switch is missing before it */
	name();
	CU_ASSERT(is(0, 21, CSG_REASON_NONE));
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(2, -1, CSG_REASON_CONFLICT));
	end();
	begin();
	slice(50 * US, 0);
	slice(250 * US, 0);
	slices[1].switches = false; /* nobody knows how many are missing after it */
	slice(350 * US, 0);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(2, 24, CSG_REASON_NONE));
	end();
}

static void timestamps_that_go_back_name_nobody(void)
{
	begin();
	slice(150 * US, 0);
	slice(50 * US, 0);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_NO_TIME));
	CU_ASSERT(is(1, -1, CSG_REASON_NO_TIME));
	end();
}

/* What the order of switches says of a time slice with a timestamp that may be too low, 0: none. */
static void ordered(int32_t tid, uint64_t low)
{
	const size_t i = stamps.count;

	if (low)
		csg_slice_stamps_see(&stamps, low, false);
	slice(0, 0);
	slices[i].pid = slices[i].tid = tid;
	slices[i].reason = CSG_REASON_NONE;
}

static void a_timestamp_that_may_be_too_low_names_nobody(void)
{
	begin();
	csg_slice_stamps_see(&stamps, 150 * US, false);
	slice(0, 0);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_NO_TIME));
	end();
}

static void it_refutes_the_order_of_switches_in_all_of_its_row(void)
{
	begin();
	ordered(21, 50 * US);
	slices[0].switches = false; /* another row */
	ordered(22, 0);
	csg_slice_stamps_see(&stamps, 350 * US, false);
	ordered(23, 250 * US);
	ordered(24, 0);
	name();
	CU_ASSERT(is(0, 21, CSG_REASON_NONE));
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(2, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(3, -1, CSG_REASON_CONFLICT));
	end();
	/* As the last timestamp of a time slice does, and one of which nothing was known stays
	 * so. */
	begin();
	ordered(22, 0);
	csg_slice_stamps_see(&stamps, 250 * US, false);
	ordered(23, 350 * US);
	slice(0, 0);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(2, -1, CSG_REASON_NO_TIME));
	end();
	/* Also where others have gone back. */
	begin();
	ordered(22, 350 * US);
	csg_slice_stamps_see(&stamps, 150 * US, true);
	ordered(23, 0);
	csg_slice_stamps_see(&stamps, 50 * US, true);
	ordered(24, 0);
	name();
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	end();
}

static void whom_its_own_timestamps_name_stays_in_a_row_that_is_refuted(void)
{
	begin();
	ordered(21, 0);
	csg_slice_stamps_see(&stamps, 150 * US, true);
	ordered(22, 0);
	ordered(23, 350 * US);
	name();
	CU_ASSERT(is(0, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(1, 22, CSG_REASON_NONE));
	CU_ASSERT(is(2, -1, CSG_REASON_CONFLICT));
	end();
}

static void it_refutes_whom_a_neighbours_timestamp_names(void)
{
	begin();
	slice(150 * US, 0);
	csg_slice_stamps_see(&stamps, 350 * US, false);
	slice(0, 0);
	slice(0, 0);
	name();
	CU_ASSERT(is(0, 22, CSG_REASON_NONE));
	CU_ASSERT(is(1, -1, CSG_REASON_CONFLICT));
	CU_ASSERT(is(2, -1, CSG_REASON_CONFLICT));
	end();
}

CSG_SUITE(guest, slice_stamps, CSG_TEST(who_ran_at_a_timestamp_ran_all_of_the_slice),
	  CSG_TEST(one_timestamp_of_two_that_is_no_switchs_is_enough),
	  CSG_TEST(slices_beside_are_one_switch_away),
	  CSG_TEST(a_slice_that_is_apart_is_any_number_of_switches_away),
	  CSG_TEST(two_threads_in_a_slice_contradict_each_other),
	  CSG_TEST(the_order_of_switches_and_timestamps_must_agree),
	  CSG_TEST(between_two_that_do_not_fit_each_other_nobody_is_named),
	  CSG_TEST(timestamps_that_go_back_name_nobody),
	  CSG_TEST(a_timestamp_that_may_be_too_low_names_nobody),
	  CSG_TEST(it_refutes_the_order_of_switches_in_all_of_its_row),
	  CSG_TEST(whom_its_own_timestamps_name_stays_in_a_row_that_is_refuted),
	  CSG_TEST(it_refutes_whom_a_neighbours_timestamp_names));
