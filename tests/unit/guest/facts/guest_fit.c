/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_fit.h"

#include "two_vms.h"

static enum csg_guest_fits ask(struct host *h, int32_t vm)
{
	enum csg_guest_fits fits;

	CU_ASSERT_EQUAL(csg_guest_fit(&h->facts, vm, &host_clock, &h->guest, &fits), 0);
	return fits;
}

static void a_recording_fits_the_vm_it_was_made_in(void)
{
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FITS);
	end(&h);
}

static void another_vms_does_not_fit(void)
{
	struct host h;

	begin(&h);
	observe(&h, 20, OFFSET);
	CU_ASSERT_EQUAL(ask(&h, 20), CSG_GUEST_FITS_NOT);
	end(&h);
}

static void timestamps_that_are_not_the_guests_counter_do_not_fit(void)
{
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET + 31000);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FITS_NOT);
	end(&h);
}

/* One whose time is wrong agrees with neither of its neighbours: it is no evidence of anything. */
static void a_lone_record_proves_nothing(void)
{
	struct csg_attribution_switch bogus = {.size = sizeof(bogus)};
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET);
	/* In an interval of the other VM: the first one is its. */
	bogus.cpu = h.guest.records[0].cpu;
	bogus.pid = h.guest.records[0].pid;
	bogus.tid = h.guest.records[0].tid;
	bogus.other_pid = h.guest.records[0].other_pid;
	bogus.other_tid = h.guest.records[0].other_tid;
	bogus.out = h.guest.records[0].out;
	bogus.time = h.facts.residency.cpus[0].intervals[12].from + 2500 - OFFSET;
	CU_ASSERT_EQUAL(csg_switches_add(&h.guest, &bogus), 0);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FITS_NOT);
	CU_ASSERT_EQUAL(csg_switches_seal(&h.guest, 0, UINT64_MAX), 0);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FITS);
	end(&h);
}

static void without_an_offset_or_enough_records_nothing_is_known(void)
{
	struct host h;

	begin(&h);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FIT_UNKNOWN);
	observe(&h, 10, OFFSET);
	h.guest.count = 6;
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FIT_UNKNOWN);
	end(&h);
}

static void records_from_outside_the_hosts_recording_prove_nothing(void)
{
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET - 15000000);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FIT_UNKNOWN);
	end(&h);
}

/* Thread 21's process, VM 20, is forked at 100 ns and ends after the first of its intervals. */
static void a_recording_is_of_no_vm_that_had_ended_before_it(void)
{
	struct csg_facts_machine *host;
	struct host h;

	for (int lost = 0; lost < 2; lost++) {
		begin_lagging(&h, OFFSET);
		host = csg_facts_machine(&h.facts, CSG_VM_HOST);
		csg_thread_seen(&host->threads, 20, 20, NULL, true, 100);
		csg_thread_ended(&host->threads, 20, 20, 20100000);
		if (lost)
			csg_spans_add(&host->lost_spans, 20200000, 20300000);
		csg_spans_sort(&host->lost_spans);
		observe(&h, 20, 1000000000);
		CU_ASSERT_EQUAL(ask(&h, 20), lost ? CSG_GUEST_FIT_UNKNOWN : CSG_GUEST_FITS_NOT);
		end(&h);
	}
}

static void whatever_thread_of_the_vmm_ran_may_have_run_it(void)
{
	struct csg_vcpu_entry *entry;
	struct host h;

	/* Thread 11 was not named; another thread of VM 10 was. */
	begin(&h);
	entry = &h.facts.vcpus.entries[0];
	CU_ASSERT_EQUAL_FATAL(entry->tid, 11);
	entry->tid = 12;
	observe(&h, 10, OFFSET);
	observe(&h, 20, OFFSET);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FITS_NOT); /* 11 is of a process of its own */
	end(&h);
	begin_in_one_process(&h);
	h.facts.vcpus.entries[0].tid = 12;
	observe(&h, 10, OFFSET);
	observe(&h, 20, OFFSET);
	CU_ASSERT_EQUAL(ask(&h, 10), CSG_GUEST_FITS);
	CU_ASSERT_EQUAL(ask(&h, 20), CSG_GUEST_FITS_NOT);
	end(&h);
}

static void what_a_cpu_recorded_fits_one_thread(void)
{
	const int32_t cpus[] = {0, 1}, none = CSG_PID_UNKNOWN;
	enum csg_guest_fits its[2], others[2], unlisted[2];
	struct csg_facts_machine *guest;
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET);
	guest = csg_facts_machine(&h.facts, 10);
	CU_ASSERT_PTR_NOT_NULL_FATAL(guest);
	guest->clock = host_clock;
	guest->switches = h.guest;
	CU_ASSERT_EQUAL(csg_guest_fit_cpus(&h.facts, guest, 11, cpus, 2, its), 0);
	CU_ASSERT_EQUAL(csg_guest_fit_cpus(&h.facts, guest, 21, cpus, 2, others), 0);
	CU_ASSERT_EQUAL(csg_guest_fit_cpus(&h.facts, guest, none, cpus, 2, unlisted), 0);
	CU_ASSERT_EQUAL(its[0], CSG_GUEST_FITS);
	CU_ASSERT_EQUAL(others[0], CSG_GUEST_FITS_NOT);
	/* There are no more threads. */
	CU_ASSERT_EQUAL(unlisted[0], CSG_GUEST_FITS_NOT);
	/* Nothing was recorded on CPU 1. */
	CU_ASSERT_EQUAL(its[1], CSG_GUEST_FIT_UNKNOWN);
	CU_ASSERT_EQUAL(others[1], CSG_GUEST_FIT_UNKNOWN);
	guest->switches = (struct csg_switches){0};
	end(&h);
}

static enum csg_guest_fits ask_injected(uint64_t lag)
{
	struct csg_attribution_clock injected = host_clock;
	enum csg_guest_fits fits;
	struct host h;

	injected.host_time = true;
	begin_lagging(&h, lag);
	observe(&h, 10, OFFSET);
	CU_ASSERT_EQUAL(csg_guest_fit(&h.facts, 10, &injected, &h.guest, &fits), 0);
	end(&h);
	return fits;
}

static void injected_records_fit_as_they_are_or_not_at_all(void)
{
	CU_ASSERT_EQUAL(ask_injected(0), CSG_GUEST_FITS);
	CU_ASSERT_EQUAL(ask_injected(500), CSG_GUEST_FITS);
	CU_ASSERT_EQUAL(ask_injected(31000), CSG_GUEST_FITS_NOT);
	/* Not brought to the host's time at all. */
	CU_ASSERT_EQUAL(ask_injected(OFFSET), CSG_GUEST_FIT_UNKNOWN);
}

CSG_SUITE(guest_facts, guest_fit, CSG_TEST(a_recording_fits_the_vm_it_was_made_in),
	  CSG_TEST(another_vms_does_not_fit),
	  CSG_TEST(timestamps_that_are_not_the_guests_counter_do_not_fit),
	  CSG_TEST(a_lone_record_proves_nothing),
	  CSG_TEST(without_an_offset_or_enough_records_nothing_is_known),
	  CSG_TEST(records_from_outside_the_hosts_recording_prove_nothing),
	  CSG_TEST(a_recording_is_of_no_vm_that_had_ended_before_it),
	  CSG_TEST(whatever_thread_of_the_vmm_ran_may_have_run_it),
	  CSG_TEST(what_a_cpu_recorded_fits_one_thread),
	  CSG_TEST(injected_records_fit_as_they_are_or_not_at_all));
