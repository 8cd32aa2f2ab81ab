/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits/waits.h"

#include "waits/switching.h"

static void a_switch_out_says_why(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	switch_to(0, 170, 7, 11, CSG_LEAVE_BLOCKED);
	switch_to(0, 200, 11, 0, CSG_LEAVE_BLOCKED);
	switch_to(0, 260, 0, 11, CSG_LEAVE_PREEMPTED);
	switch_to(0, 300, 11, 0, CSG_LEAVE_UNKNOWN);
	finish();
	DID(11, 100, 400, RUNNING = 50 + 29 + 39, PREEMPTED = 21, BLOCKED = 61, OFF = 100);
	csg_waits_fini(&waits);
}

static void nothing_is_known_before_the_first_record(void)
{
	begin();
	in(0, 100, 11, 7);
	out(1, 120, 12, 0, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 50, 200, UNKNOWN = 50, RUNNING = 100);
	DID(12, 50, 200, UNKNOWN = 70, BLOCKED = 80);
	DID(21, 50, 200, UNKNOWN = 150);
	DID(5, 50, 200, UNKNOWN = 0);
	csg_waits_fini(&waits);
}

static void a_thread_lives_from_its_fork_to_its_exit(void)
{
	const struct csg_sideband_event born = event_of(CSG_SIDEBAND_FORK, 1, 80, 11);
	const struct csg_sideband_event gone = event_of(CSG_SIDEBAND_EXIT, 0, 140, 11);

	begin();
	add(&born);
	in(0, 100, 11, 7);
	add(&gone);
	switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 0, 1000, UNKNOWN = 20, RUNNING = 40);
	csg_waits_fini(&waits);
}

static void who_has_no_number_any_more_has_ended(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, -1, 7, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 100, 1000, RUNNING = 50);
	csg_waits_fini(&waits);
}

static void another_process_with_the_tid_ends_a_thread(void)
{
	struct csg_sideband_event other = event_of(CSG_SIDEBAND_SWITCH, 1, 300, 11);

	other.pid = 99;
	other.other_tid = 0;
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
	add(&other);
	finish();
	DID(11, 100, 1000, RUNNING = 50);
	csg_waits_fini(&waits);
	begin();
	in(0, 100, 11, 7);
	add(&other);
	finish();
	DID(11, 100, 1000, UNKNOWN = 200);
	csg_waits_fini(&waits);
}

static void a_switch_in_on_another_cpu_ends_a_wait(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	in(1, 180, 11, 0);
	finish();
	DID(11, 100, 200, RUNNING = 70, PREEMPTED = 30);
	csg_waits_fini(&waits);
}

static void a_thread_that_never_left_its_cpu_is_unknown(void)
{
	begin();
	in(0, 100, 11, 7);
	in(1, 180, 11, 0);
	switch_to(1, 190, 11, 0, CSG_LEAVE_BLOCKED);
	out(0, 195, 11, 0, CSG_LEAVE_PREEMPTED);
	finish();
	DID(11, 100, 180, UNKNOWN = 80);
	DID(11, 180, 190, RUNNING = 10);
	DID(11, 190, 195, UNKNOWN = 5);
	csg_waits_fini(&waits);
	begin();
	in(0, 100, 11, 7);
	in(1, 180, 11, 0);
	out(0, 195, 11, 0, CSG_LEAVE_PREEMPTED);
	finish();
	DID(11, 100, 195, UNKNOWN = 95);
	csg_waits_fini(&waits);
}

/* Thread 12 may have been on CPU 1 where its records were lost, and left again for any reason. */
static void who_was_off_where_records_were_lost_is_unknown(void)
{
	const struct csg_sideband_event lost = event_of(CSG_SIDEBAND_LOST, 1, 210, -1);

	begin();
	in(0, 100, 12, 7);
	in(1, 110, 11, 7);
	switch_to(0, 150, 12, 21, CSG_LEAVE_BLOCKED);
	switch_to(1, 160, 11, 7, CSG_LEAVE_BLOCKED);
	in(1, 200, 11, 7);
	add(&lost);
	switch_to(1, 250, 11, 7, CSG_LEAVE_PREEMPTED);
	switch_to(0, 300, 21, 12, CSG_LEAVE_PREEMPTED);
	switch_to(0, 350, 12, 21, CSG_LEAVE_BLOCKED);
	finish();
	/* The switch in at 200 follows no switch out of 7: since 161 anybody may have been
	 * there. */
	DID(12, 100, 400, RUNNING = 50 + 49, BLOCKED = 11 + 50, UNKNOWN = 140);
	DID(11, 200, 300, UNKNOWN = 50, PREEMPTED = 50);
	DID(21, 151, 300, RUNNING = 149);
	csg_waits_fini(&waits);
}

static void records_lost_at_the_end_or_of_any_cpu_count_as_well(void)
{
	const struct csg_sideband_event lost = event_of(CSG_SIDEBAND_LOST, CSG_NO_CPU, 210, -1);

	begin();
	in(0, 100, 11, 7);
	switch_to(0, 120, 11, 7, CSG_LEAVE_BLOCKED);
	switch_to(0, 130, 7, 11, CSG_LEAVE_BLOCKED);
	in(1, 140, 12, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
	add(&lost);
	finish();
	DID(11, 100, 400, RUNNING = 20 + 19, BLOCKED = 11, UNKNOWN = 250);
	DID(12, 140, 400, UNKNOWN = 260);
	csg_waits_fini(&waits);
	/* CPU 2 may have been any thread's before its first record. */
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 120, 11, 7, CSG_LEAVE_BLOCKED);
	add(&lost);
	in(0, 220, 11, 7);
	in(1, 220, 8, 7);
	in(2, 400, 9, 7);
	switch_to(0, 230, 11, 7, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 230, 500, BLOCKED = 0, UNKNOWN = 270);
	csg_waits_fini(&waits);
}

static void records_that_contradict_each_other_prove_nothing(void)
{
	begin();
	in(0, 100, 11, 7);
	in(1, 100, 12, 7);
	switch_to(1, 120, 12, 7, CSG_LEAVE_BLOCKED);
	out(0, 150, 9, 8, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 100, 400, UNKNOWN = 300);
	DID(12, 100, 400, RUNNING = 20, UNKNOWN = 280);
	csg_waits_fini(&waits);
	begin();
	in(1, 100, 12, 7);
	switch_to(1, 120, 12, 7, CSG_LEAVE_BLOCKED);
	out(0, 150, 11, 8, CSG_LEAVE_BLOCKED);
	in(0, 160, 9, 11);
	finish();
	DID(11, 150, 400, UNKNOWN = 250);
	DID(12, 120, 400, BLOCKED = 30, UNKNOWN = 250);
	csg_waits_fini(&waits);
	begin();
	out(0, 150, 11, 8, CSG_LEAVE_BLOCKED);
	in(0, 160, 8, 12);
	finish();
	DID(11, 150, 400, UNKNOWN = 250);
	csg_waits_fini(&waits);
}

static void a_switch_that_is_reported_twice_counts_once(void)
{
	begin();
	for (int i = 0; i < 2; i++)
		in(0, 100, 11, 7);
	for (int i = 0; i < 2; i++)
		out(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	for (int i = 0; i < 2; i++)
		in(0, 151, 7, 11);
	finish();
	DID(11, 100, 200, RUNNING = 50, PREEMPTED = 50);
	csg_waits_fini(&waits);
}

static void cpus_that_no_machine_has_are_left_out(void)
{
	begin();
	in(0, 100, 11, 7);
	out(CSG_WAIT_CPUS, 120, 11, 7, CSG_LEAVE_BLOCKED);
	out(INT32_MAX, 130, 11, 7, CSG_LEAVE_BLOCKED);
	out(-1, 140, 11, 7, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 100, 200, RUNNING = 100);
	CU_ASSERT(waits.cpu_count < CSG_WAIT_CPUS);
	csg_waits_fini(&waits);
}

static void records_of_guests_are_left_out(void)
{
	struct csg_sideband_event guests = event_of(CSG_SIDEBAND_SWITCH, 0, 120, 11);

	guests.out = true;
	guests.vm = 10;
	begin();
	in(0, 100, 11, 7);
	add(&guests);
	finish();
	DID(11, 100, 200, RUNNING = 100);
	csg_waits_fini(&waits);
}

static void on_a_cpu_that_was_not_recorded_anybody_may_be(void)
{
	for (uint32_t online = 0; online <= CPUS + 1; online += CPUS + 1) {
		begin();
		in(0, 100, 11, 7);
		switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
		CU_ASSERT_EQUAL(csg_waits_finish(&waits, online), 0);
		DID(11, 100, 200, RUNNING = 50, UNKNOWN = 50);
		csg_waits_fini(&waits);
	}
}

static void wake(uint64_t time, int32_t tid, int32_t cpu)
{
	const struct csg_sideband_event event = {
		.kind = CSG_SIDEBAND_WAKE, .cpu = cpu, .time = time, .pid = -1, .tid = tid};

	add(&event);
}

static void a_wake_up_ends_sleep(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
	wake(180, 11, CSG_NO_CPU);
	wake(182, 11, 0);
	switch_to(0, 200, 7, 11, CSG_LEAVE_PREEMPTED);
	finish();
	DID(11, 100, 210, RUNNING = 50 + 9, ASLEEP = 30, RUNNABLE = 21);
	csg_waits_fini(&waits);
}

static void who_could_run_is_not_woken(void)
{
	begin();
	in(0, 100, 11, 7);
	wake(120, 11, 0);
	switch_to(0, 150, 11, 7, CSG_LEAVE_PREEMPTED);
	wake(180, 11, 0);
	switch_to(0, 200, 7, 11, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 100, 210, RUNNING = 50 + 9, PREEMPTED = 51);
	csg_waits_fini(&waits);
}

static void who_was_not_seen_to_be_woken_is_blocked(void)
{
	begin();
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 7, CSG_LEAVE_BLOCKED);
	wake(180, 12, 0);
	switch_to(0, 200, 7, 11, CSG_LEAVE_BLOCKED);
	finish();
	DID(11, 100, 210, RUNNING = 50 + 9, BLOCKED = 51);
	csg_waits_fini(&waits);
}

/* Another process has VM 10's PID from 200 on. */
static int32_t number_of(void *arg, int32_t pid, uint64_t time)
{
	(void)arg;
	return pid == 10 && time >= 200 ? 10 + CSG_VM_AGAIN : pid;
}

static void a_pid_that_comes_back_is_another_process(void)
{
	begin();
	csg_waits_number(&waits, number_of, NULL);
	in(0, 100, 11, 7);
	switch_to(0, 150, 11, 0, CSG_LEAVE_BLOCKED);
	switch_to(0, 260, 0, 11, CSG_LEAVE_PREEMPTED);
	finish();
	/* It ended when it was last switched out. */
	DID(11, 100, 400, RUNNING = 50);
	csg_waits_fini(&waits);
}

static void records_that_lie_on_the_disk_say_the_same(void)
{
	const uint64_t n = 50000;

	begin();
	csg_waits_keep_in(&waits, "/tmp");
	in(0, 100, 11, 7);
	for (uint64_t i = 0; i < n; i++) {
		switch_to(0, 200 + 100 * i, 11, 7, CSG_LEAVE_PREEMPTED);
		switch_to(0, 250 + 100 * i, 7, 11, CSG_LEAVE_BLOCKED);
	}
	finish();
	CU_ASSERT_NOT_EQUAL(waits.memory.on_disk, 0);
	csg_waits_trim(&waits);
	DID(11, 100, 200 + 100 * n, RUNNING = 100 + n * 49, PREEMPTED = n * 51);
	csg_waits_fini(&waits);
}

CSG_SUITE(waits, waits, CSG_TEST(a_pid_that_comes_back_is_another_process),
	  CSG_TEST(records_that_lie_on_the_disk_say_the_same), CSG_TEST(a_wake_up_ends_sleep),
	  CSG_TEST(who_could_run_is_not_woken), CSG_TEST(who_was_not_seen_to_be_woken_is_blocked),
	  CSG_TEST(a_switch_out_says_why), CSG_TEST(nothing_is_known_before_the_first_record),
	  CSG_TEST(a_thread_lives_from_its_fork_to_its_exit),
	  CSG_TEST(who_has_no_number_any_more_has_ended),
	  CSG_TEST(another_process_with_the_tid_ends_a_thread),
	  CSG_TEST(a_switch_in_on_another_cpu_ends_a_wait),
	  CSG_TEST(a_thread_that_never_left_its_cpu_is_unknown),
	  CSG_TEST(who_was_off_where_records_were_lost_is_unknown),
	  CSG_TEST(records_lost_at_the_end_or_of_any_cpu_count_as_well),
	  CSG_TEST(records_that_contradict_each_other_prove_nothing),
	  CSG_TEST(a_switch_that_is_reported_twice_counts_once),
	  CSG_TEST(cpus_that_no_machine_has_are_left_out), CSG_TEST(records_of_guests_are_left_out),
	  CSG_TEST(on_a_cpu_that_was_not_recorded_anybody_may_be));
