/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "injecting.h"
#include "util/bytes.h"
#include "suite.h"
#include "recording/recording.h"

static uint64_t offset; /* from a guest's time to the host's; 0: not known */

static uint64_t to_host(void *arg, int32_t machine_pid, uint64_t time)
{
	(void)arg;
	CU_ASSERT_EQUAL(machine_pid, 42);
	return offset ? time + offset : 0;
}

/* Another small recording is the guest's: "early" at 0, "late" at 2000, a mapping at 3000. */
static void begin(struct injecting *i, struct injecting *guest)
{
	i->setup = (struct csg_injection_setup){.path = i->out,
						.branches = true,
						.branches_name = "b",
						.in_order = true,
						.to_host = to_host};
	injecting_begin(guest);
	injecting_begin(i);
	CU_ASSERT_EQUAL(csg_injection_guest(i->injection, guest->rec, 42), 0);
}

static void put(struct injecting *i, uint64_t time)
{
	const struct csg_injected_sample sample = {.branch = true, .time = time};

	CU_ASSERT_EQUAL(csg_injection_sample(i->injection, &sample), 0);
}

struct seen {
	struct csg_event events[16];
	size_t n;
};

static int see(void *arg, const struct csg_event *event)
{
	struct seen *seen = arg;

	if (event->machine_pid == 42 && seen->n < 16)
		seen->events[seen->n++] = *event;
	return 0;
}

static struct seen guests_of(const struct injecting *i)
{
	struct seen seen = {.n = 0};

	CU_ASSERT_EQUAL(csg_recording_events(i->made, ~(1u << CSG_EVENT_SAMPLE), see, &seen), 0);
	return seen;
}

static void a_guests_events_come_at_their_host_time(void)
{
	struct injecting i = {0}, guest = {0};
	struct seen seen;

	offset = 100000;
	begin(&i, &guest);
	put(&i, 102500);
	put(&i, 200000);
	injecting_finish(&i);
	seen = guests_of(&i);
	CU_ASSERT_EQUAL_FATAL(seen.n, 3);
	CU_ASSERT_STRING_EQUAL(seen.events[0].comm, "early");
	CU_ASSERT_EQUAL(seen.events[0].time, 0);
	CU_ASSERT_STRING_EQUAL(seen.events[1].comm, "late");
	CU_ASSERT_EQUAL(seen.events[1].time, 102000);
	CU_ASSERT_EQUAL(seen.events[2].time, 103000);
	CU_ASSERT(seen.events[2].map.guest);
	CU_ASSERT_STRING_EQUAL(seen.events[2].map.path, "/bin/true");
	CU_ASSERT_EQUAL(csg_recording_damage(i.made), 0);
	injecting_end(&guest);
	injecting_end(&i);
}

/* Its offset is found while the trace is decoded. */
static void what_is_known_late_does_not_run_backwards(void)
{
	struct injecting i = {0}, guest = {0};
	struct seen seen;

	offset = 0;
	begin(&i, &guest);
	put(&i, 150000);
	CU_ASSERT_EQUAL(csg_injection_guest_events_left(i.injection), 2);
	offset = 100000;
	put(&i, 150010);
	CU_ASSERT_EQUAL(csg_injection_guest_events_left(i.injection), 0);
	injecting_finish(&i);
	seen = guests_of(&i);
	CU_ASSERT_EQUAL_FATAL(seen.n, 3);
	CU_ASSERT_EQUAL(seen.events[1].time, 150000);
	CU_ASSERT_EQUAL(seen.events[2].time, 150000);
	injecting_end(&guest);
	injecting_end(&i);
}

static void what_has_no_time_is_left_out(void)
{
	struct injecting i = {0}, guest = {0};

	offset = 0;
	begin(&i, &guest);
	put(&i, 150000);
	CU_ASSERT_EQUAL(csg_injection_finish(i.injection), 0);
	CU_ASSERT_EQUAL(csg_injection_guest_events_left(i.injection), 2);
	i.made = injecting_read(&i, i.out, true);
	CU_ASSERT_EQUAL(guests_of(&i).n, 1);
	injecting_end(&guest);
	injecting_end(&i);
}

CSG_SUITE(inject, injection_guests, CSG_TEST(a_guests_events_come_at_their_host_time),
	  CSG_TEST(what_is_known_late_does_not_run_backwards),
	  CSG_TEST(what_has_no_time_is_left_out));
