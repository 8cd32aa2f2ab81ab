/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/guest_time.h"

#include "suite.h"

/* Counters of 1 GHz: a tick is a nanosecond. */
static const struct csg_time_conv guest = {.valid = true, .mult = 1, .zero = 1000};
static const struct csg_time_conv host = {.valid = true, .mult = 1, .zero = 5000};

static struct csg_offset_vm timeline(struct csg_offset_period *periods, size_t n)
{
	return (struct csg_offset_vm){.vm = 42, .periods = periods, .count = n};
}

static void a_guests_time_is_moved_by_its_offset(void)
{
	struct csg_offset_period period = {.from = 100, .until = 200, .offset = {600, 640}};
	const struct csg_offset_vm vm = timeline(&period, 1);

	/* guest's counter 2000, host's 2600 to 2640 */
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 7620);
	period.offset = (struct csg_offset){-640, -600};
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 6380);
}

static void an_offset_that_changed_counts_from_then_on(void)
{
	struct csg_offset_period periods[] = {
		{.from = 1000, .until = 2000, .offset = {100, 100}},
		{.from = 3000, .until = 4000, .offset = {900, 900}},
	};
	const struct csg_offset_vm vm = timeline(periods, 2);

	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 1500), 5600);
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 9000), 13900);
	/* Neither: counter 2000 would be 2100 or 2900. */
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 0);
}

static void what_is_not_known_is_not_guessed(void)
{
	const struct csg_time_conv none = {.valid = false};
	struct csg_offset_period period = {.until = 200,
					   .offset = {600, 600 + CSG_GUEST_TIME_WIDTH}};
	const struct csg_offset_vm vm = timeline(&period, 1), empty = timeline(NULL, 0);

	CU_ASSERT_NOT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 0);
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&none, &host, &vm, 3000), 0);
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &none, &vm, 3000), 0);
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &empty, 3000), 0);
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, NULL, 3000), 0);
	period.offset.high++;
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 0);
	period.offset.high = CSG_OFFSET_MAX;
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 0);
	period.offset = (struct csg_offset){600, 600};
	period.contradicted = true;
	CU_ASSERT_EQUAL(csg_guest_time_to_host(&guest, &host, &vm, 3000), 0);
}

CSG_SUITE(session_open, guest_time, CSG_TEST(a_guests_time_is_moved_by_its_offset),
	  CSG_TEST(an_offset_that_changed_counts_from_then_on),
	  CSG_TEST(what_is_not_known_is_not_guessed));
