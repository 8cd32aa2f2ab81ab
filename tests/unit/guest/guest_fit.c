/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_fit.h"
#include "guest/facts_seal.h"
#include "suite.h"
#include "switch_pair.h"

#define OFFSET 5000000 /* of VM 10's counter */
#define STAYS 40

/* vCPUs of VMs 10 and 20 take turns on CPU 0, for times without a pattern; a tick is 1 ns. */
struct host {
	struct csg_facts facts;
	struct csg_switches guest; /* what VM 10 recorded: a switch in each of its stays */
};

static const struct csg_attribution_clock clock = {.conv = {.valid = true, .mult = 1}};

static void change(struct csg_switches *s, uint64_t time, int32_t from, int32_t to)
{
	const struct switch_pair pair = switch_pair(0, time, 1, from, to);

	csg_switches_add(s, &pair.out);
	csg_switches_add(s, &pair.in);
}

/* What VM 10 recorded is behind the host's time by that; thread 11 is of process pid. */
static void begin_with(struct host *h, uint64_t behind, int32_t pid)
{
	const struct csg_vcpu_entry vcpus[] = {{.tid = 11, .vm = 10}, {.tid = 21, .vm = 20}};
	struct csg_facts_machine *machine;
	uint64_t time = 20000000, random = 1;

	*h = (struct host){0};
	csg_vcpus_add(&h->facts.vcpus, &vcpus[0]);
	csg_vcpus_add(&h->facts.vcpus, &vcpus[1]);
	machine = csg_facts_machine(&h->facts, CSG_VM_HOST);
	machine->clock = clock;
	for (int i = 0; i < STAYS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		change(&machine->switches, time, i % 2 ? 11 : 21, i % 2 ? 21 : 11);
		if (!(i % 2))
			change(&h->guest, time + 2000 - behind, 1, 2);
		time += 4000 + (random >> 33) % 50000;
	}
	for (size_t i = 0; i < machine->switches.count; i++)
		if (machine->switches.records[i].tid == 11)
			machine->switches.records[i].pid = pid;
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&h->facts), 0);
}

static void begin_behind(struct host *h, uint64_t behind)
{
	begin_with(h, behind, 11);
}

/* Thread 11 is of the process that is VM 10. */
static void begin_in_one_process(struct host *h)
{
	begin_with(h, OFFSET, 10);
}

static void begin(struct host *h)
{
	begin_behind(h, OFFSET);
}

static void end(struct host *h)
{
	csg_facts_fini(&h->facts);
	csg_switches_fini(&h->guest);
}

/* The trace has shown that vm's offset is within 2 us of offset. */
static void observe(struct host *h, int32_t vm, int64_t offset)
{
	const struct csg_offset_piece seen = {.from = 20000000,
					      .until = 21000000,
					      .offset = {offset - 1000, offset + 1000},
					      .loads = 1,
					      .sources = CSG_OFFSET_BY_TRACE};

	CU_ASSERT_EQUAL(csg_offsets_observe(&h->facts.clocks.offsets, vm, &seen), 0);
}

static enum csg_guest_fits ask(struct host *h, int32_t vm)
{
	enum csg_guest_fits fits;

	CU_ASSERT_EQUAL(csg_guest_fit(&h->facts, vm, &clock, &h->guest, &fits), 0);
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
	struct csg_attribution_switch bogus;
	struct host h;

	begin(&h);
	observe(&h, 10, OFFSET);
	/* In a stay of the other VM: the first one is its. */
	bogus = h.guest.records[0];
	bogus.time = h.facts.residency.cpus[0].stays[12].from + 2500 - OFFSET;
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
		begin_behind(&h, OFFSET);
		host = csg_facts_machine(&h.facts, CSG_VM_HOST);
		csg_thread_seen(&host->threads, 20, 20, NULL, true, 100);
		csg_thread_ended(&host->threads, 20, 20, 20100000);
		if (lost)
			csg_lost_spans_add(&host->lost_spans, 20200000, 20300000);
		csg_lost_spans_sort(&host->lost_spans);
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
	guest->clock = clock;
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

static enum csg_guest_fits ask_injected(uint64_t behind)
{
	struct csg_attribution_clock injected = clock;
	enum csg_guest_fits fits;
	struct host h;

	injected.host_time = true;
	begin_behind(&h, behind);
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

/* --- the offset --- */

#define MANY 1000 /* stays: half of them are VM 10's */

#define TWINS 0 /* turns of VM 10 come in pairs of equal distance, and it switches in the first */

/* A host of one CPU on which VMs 10 and 20 take turns of so many ns, and what VM 10 recorded in its turns. */
static void begin_narrow(struct host *h, uint64_t seed, int stays, uint64_t ours, uint64_t theirs)
{
	const struct csg_vcpu_entry vcpus[] = {{.tid = 11, .vm = 10}, {.tid = 21, .vm = 20}};
	uint64_t time = 20000000, random = seed;
	struct csg_facts_machine *machine;

	*h = (struct host){0};
	csg_vcpus_add(&h->facts.vcpus, &vcpus[0]);
	csg_vcpus_add(&h->facts.vcpus, &vcpus[1]);
	for (int i = 0; i < stays; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		machine = csg_facts_machine(&h->facts, CSG_VM_HOST);
		change(&machine->switches, time, i % 2 ? 11 : 21, i % 2 ? 21 : 11);
		machine = csg_facts_machine(&h->facts, 10);
		if (!(i % (ours == TWINS ? 4 : 2)))
			change(&machine->switches, time + 1500 + (random >> 20) % 500 - OFFSET, 1,
			       2);
		time += 4000;
		if (ours != TWINS || i % 4 == 3)
			time += (random >> 33) % (i % 2 ? theirs : ours);
	}
	machine = csg_facts_machine(&h->facts, 10);
	machine->clock = clock;
	machine->clock.vm = 10;
	csg_facts_machine(&h->facts, CSG_VM_HOST)->clock = clock;
	csg_facts_machine(&h->facts, CSG_VM_HOST)->clock.cpus = 1;
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&h->facts), 0);
}

/* The only piece that is known of VM 10's offset after all; NULL: nothing is. */
static const struct csg_offset_piece *narrowed(struct host *h)
{
	const struct csg_offset_vm *timeline;

	CU_ASSERT_EQUAL(csg_guest_narrow(&h->facts, 10), 0);
	timeline = csg_offsets_of(&h->facts.clocks.offsets, 10);
	CU_ASSERT(!timeline || timeline->count == 1);
	return timeline ? &timeline->pieces[0] : NULL;
}

static bool holds(const struct csg_offset *offset, int64_t width)
{
	return offset->low <= OFFSET && OFFSET <= offset->high &&
	       offset->high - offset->low <= width;
}

static void guests_events_narrow_what_the_trace_has_shown(void)
{
	const struct csg_offset_piece *piece;
	struct host h;

	begin_narrow(&h, 1, 40, 50000, 50000);
	observe(&h, 10, OFFSET + 900);
	h.facts.clocks.offsets.vms[0].pieces[0].offset =
		(struct csg_offset){OFFSET - 30000, OFFSET + 30000};
	piece = narrowed(&h);
	CU_ASSERT(holds(&piece->offset, 30000));
	CU_ASSERT_EQUAL(piece->sources, CSG_OFFSET_BY_TRACE | CSG_OFFSET_BY_EVENTS);
	CU_ASSERT_EQUAL(piece->events, 40);
	end(&h);
}

static void guests_events_alone_tell_it_where_the_trace_does_not(void)
{
	const struct csg_offset_piece *piece;
	struct host h;

	for (uint64_t seed = 1; seed < 20; seed++) {
		begin_narrow(&h, seed, MANY, 50000, 50000);
		piece = narrowed(&h);
		CU_ASSERT_PTR_NOT_NULL_FATAL(piece);
		CU_ASSERT(holds(&piece->offset, 20000));
		CU_ASSERT_EQUAL(piece->sources, CSG_OFFSET_BY_EVENTS);
		CU_ASSERT(piece->from >= 20000000 && piece->until > piece->from);
		end(&h);
	}
}

static void what_may_fit_by_chance_tells_nothing(void)
{
	struct host h;

	/* Too few. */
	begin_narrow(&h, 1, 90, 50000, 50000);
	CU_ASSERT_PTR_NULL(narrowed(&h));
	end(&h);
	/* The VM runs all the time but once. */
	begin_narrow(&h, 1, 2, 5000000, 100);
	for (uint64_t i = 0; i < 200; i++)
		change(&csg_facts_machine(&h.facts, 10)->switches, 20003000 + i - OFFSET, 1, 2);
	CU_ASSERT_PTR_NULL(narrowed(&h));
	end(&h);
	/* Turns that repeat themselves fit in many ways. */
	begin_narrow(&h, 1, MANY, 1, 1);
	CU_ASSERT_PTR_NULL(narrowed(&h));
	end(&h);
}

static void what_fits_in_two_ways_tells_nothing(void)
{
	struct host h;

	begin_narrow(&h, 1, MANY, TWINS, 50000);
	CU_ASSERT_PTR_NULL(narrowed(&h));
	end(&h);
}

static void another_recording_tells_nothing(void)
{
	struct csg_facts_machine *machine;
	struct host h, other;

	begin_narrow(&h, 1, MANY, 50000, 50000);
	begin_narrow(&other, 2, MANY, 50000, 50000);
	machine = csg_facts_machine(&h.facts, 10);
	for (size_t i = 0; i < machine->switches.count; i++)
		machine->switches.records[i].time =
			csg_facts_find(&other.facts, 10)->switches.records[i].time;
	CU_ASSERT_PTR_NULL(narrowed(&h));
	end(&other);
	end(&h);
}

static void where_a_cpu_is_silent_nothing_is_told(void)
{
	struct host h;

	begin_narrow(&h, 1, MANY, 50000, 50000);
	csg_facts_machine(&h.facts, CSG_VM_HOST)->clock.cpus = 2;
	CU_ASSERT_PTR_NULL(narrowed(&h));
	csg_facts_machine(&h.facts, CSG_VM_HOST)->clock.cpus = 0;
	CU_ASSERT_PTR_NULL(narrowed(&h));
	csg_facts_machine(&h.facts, CSG_VM_HOST)->clock.cpus = 1;
	csg_facts_machine(&h.facts, 10)->switches_lie = true;
	CU_ASSERT_PTR_NULL(narrowed(&h));
	csg_facts_machine(&h.facts, 10)->switches_lie = false;
	CU_ASSERT_PTR_NOT_NULL(narrowed(&h));
	end(&h);
}

static bool told(int stays, int64_t said)
{
	const struct csg_offset_piece user = {
		.until = UINT64_MAX, .offset = {said, said}, .sources = CSG_OFFSET_BY_USER};
	struct csg_facts_machine *guest;
	struct host h;
	bool told;

	begin_narrow(&h, 1, stays, 50000, 50000);
	if (said)
		csg_offsets_observe(&h.facts.clocks.offsets, 10, &user);
	guest = csg_facts_machine(&h.facts, 10);
	CU_ASSERT_EQUAL(csg_guest_tell_offset(&h.facts, guest), 0);
	told = guest->has_told_offset;
	CU_ASSERT(!told || (guest->told_offset.low <= OFFSET && guest->told_offset.high >= OFFSET));
	csg_facts_fini(&h.facts);
	csg_switches_fini(&h.guest);
	return told;
}

static void what_the_user_says_can_only_contradict_what_is_told(void)
{
	CU_ASSERT(told(MANY, 0));
	CU_ASSERT(told(MANY, OFFSET));
	CU_ASSERT_FALSE(told(MANY, OFFSET + 40000));
	CU_ASSERT_FALSE(told(40, OFFSET));
}

CSG_SUITE(guest, guest_fit, CSG_TEST(a_recording_fits_the_vm_it_was_made_in),
	  CSG_TEST(another_vms_does_not_fit),
	  CSG_TEST(timestamps_that_are_not_the_guests_counter_do_not_fit),
	  CSG_TEST(a_lone_record_proves_nothing),
	  CSG_TEST(without_an_offset_or_enough_records_nothing_is_known),
	  CSG_TEST(records_from_outside_the_hosts_recording_prove_nothing),
	  CSG_TEST(a_recording_is_of_no_vm_that_had_ended_before_it),
	  CSG_TEST(whatever_thread_of_the_vmm_ran_may_have_run_it),
	  CSG_TEST(what_a_cpu_recorded_fits_one_thread),
	  CSG_TEST(injected_records_fit_as_they_are_or_not_at_all),
	  CSG_TEST(guests_events_narrow_what_the_trace_has_shown),
	  CSG_TEST(guests_events_alone_tell_it_where_the_trace_does_not),
	  CSG_TEST(what_may_fit_by_chance_tells_nothing),
	  CSG_TEST(what_fits_in_two_ways_tells_nothing), CSG_TEST(another_recording_tells_nothing),
	  CSG_TEST(where_a_cpu_is_silent_nothing_is_told),
	  CSG_TEST(what_the_user_says_can_only_contradict_what_is_told));
