/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_offset.h"

#include "two_vms.h"

#define MANY 1000 /* on-CPU intervals: half of them are VM 10's */

#define TWINS                                                                                      \
	0 /* time slices of VM 10 come in pairs of equal distance, and it switches in the first */

/*
 * A host of one CPU on which VMs 10 and 20 take turns, of ours and theirs ns, and what VM 10
 * recorded in its time slices.
 */
static void begin_narrow(struct host *h, uint64_t seed, int intervals, uint64_t ours,
			 uint64_t theirs)
{
	const struct csg_vcpu_entry vcpus[] = {{.tid = 11, .vm = 10}, {.tid = 21, .vm = 20}};
	uint64_t time = 20000000, random = seed;
	struct csg_facts_machine *machine;

	*h = (struct host){0};
	csg_vcpus_add(&h->facts.vcpus, &vcpus[0]);
	csg_vcpus_add(&h->facts.vcpus, &vcpus[1]);
	for (int i = 0; i < intervals; i++) {
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
	machine->clock = host_clock;
	machine->clock.vm = 10;
	csg_facts_machine(&h->facts, CSG_VM_HOST)->clock = host_clock;
	csg_facts_machine(&h->facts, CSG_VM_HOST)->clock.cpus = 1;
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&h->facts), 0);
}

/* The only period that is known of VM 10's offset after all; NULL: nothing is. */
static const struct csg_offset_period *narrowed(struct host *h)
{
	const struct csg_offset_vm *timeline;

	CU_ASSERT_EQUAL(csg_guest_narrow(&h->facts, 10), 0);
	timeline = csg_offsets_of(&h->facts.clocks.offsets, 10);
	CU_ASSERT(!timeline || timeline->count == 1);
	return timeline ? &timeline->periods[0] : NULL;
}

static bool holds(const struct csg_offset *offset, int64_t width)
{
	return offset->low <= OFFSET && OFFSET <= offset->high &&
	       offset->high - offset->low <= width;
}

static void guests_events_narrow_what_the_trace_has_shown(void)
{
	const struct csg_offset_period *period;
	struct host h;

	begin_narrow(&h, 1, 40, 50000, 50000);
	observe(&h, 10, OFFSET + 900);
	h.facts.clocks.offsets.vms[0].periods[0].offset =
		(struct csg_offset){OFFSET - 30000, OFFSET + 30000};
	period = narrowed(&h);
	CU_ASSERT(holds(&period->offset, 30000));
	CU_ASSERT_EQUAL(period->sources, CSG_OFFSET_BY_TRACE | CSG_OFFSET_BY_EVENTS);
	CU_ASSERT_EQUAL(period->events, 40);
	end(&h);
}

static void guests_events_alone_tell_it_where_the_trace_does_not(void)
{
	const struct csg_offset_period *period;
	struct host h;

	for (uint64_t seed = 1; seed < 20; seed++) {
		begin_narrow(&h, seed, MANY, 50000, 50000);
		period = narrowed(&h);
		CU_ASSERT_PTR_NOT_NULL_FATAL(period);
		CU_ASSERT(holds(&period->offset, 20000));
		CU_ASSERT_EQUAL(period->sources, CSG_OFFSET_BY_EVENTS);
		CU_ASSERT(period->from >= 20000000 && period->until > period->from);
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
	/* Time slices that repeat themselves fit in many ways. */
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

static void where_a_cpu_is_silent_nothing_is_reported(void)
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

static bool reported(int intervals, int64_t said)
{
	const struct csg_offset_period user = {
		.until = UINT64_MAX, .offset = {said, said}, .sources = CSG_OFFSET_BY_USER};
	struct csg_facts_machine *guest;
	struct host h;
	bool reported;

	begin_narrow(&h, 1, intervals, 50000, 50000);
	if (said)
		csg_offsets_observe(&h.facts.clocks.offsets, 10, &user);
	guest = csg_facts_machine(&h.facts, 10);
	CU_ASSERT_EQUAL(csg_guest_tell_offset(&h.facts, guest), 0);
	reported = guest->has_known_offset;
	CU_ASSERT(!reported ||
		  (guest->known_offset.low <= OFFSET && guest->known_offset.high >= OFFSET));
	csg_facts_fini(&h.facts);
	csg_switches_fini(&h.guest);
	return reported;
}

static void what_the_user_says_can_only_contradict_what_is_reported(void)
{
	CU_ASSERT(reported(MANY, 0));
	CU_ASSERT(reported(MANY, OFFSET));
	CU_ASSERT_FALSE(reported(MANY, OFFSET + 40000));
	CU_ASSERT_FALSE(reported(40, OFFSET));
}

CSG_SUITE(guest_facts, guest_offset, CSG_TEST(guests_events_narrow_what_the_trace_has_shown),
	  CSG_TEST(guests_events_alone_tell_it_where_the_trace_does_not),
	  CSG_TEST(what_may_fit_by_chance_tells_nothing),
	  CSG_TEST(what_fits_in_two_ways_tells_nothing), CSG_TEST(another_recording_tells_nothing),
	  CSG_TEST(where_a_cpu_is_silent_nothing_is_reported),
	  CSG_TEST(what_the_user_says_can_only_contradict_what_is_reported));
