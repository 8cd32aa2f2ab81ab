/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_cpus.h"
#include "guest/facts/facts.h"
#include "guest/facts/facts_seal.h"
#include "suite.h"

#define OFFSET 5000000 /* of VM 10's counter; a tick is 1 ns */
#define INTERVALS 60

/*
 * VM 10 has vCPUs 0 and 1 in threads 11 and 12, and another thread, 13.  They, and thread 7 of
 * process 7, take turns on CPU 0; in each time slice of a vCPU the guest records a switch on the
 * CPU that it is.
 */
struct town {
	struct csg_facts facts;
	int32_t cpus[2]; /* as the guest calls them */
	int32_t other;	 /* this thread runs vCPU 1 in place of 12 */
};

static const struct csg_attribution_clock clock = {.conv = {.valid = true, .mult = 1}};

static void change(struct csg_switches *s, int32_t cpu, uint64_t time, int32_t pid, int32_t from,
		   int32_t to)
{
	struct csg_attribution_switch r = {.size = sizeof(r),
					   .cpu = cpu,
					   .time = time,
					   .out = true,
					   .pid = pid,
					   .tid = from,
					   .other_pid = pid,
					   .other_tid = to};

	csg_switches_add(s, &r);
	r.out = false;
	r.time++;
	r.tid = to;
	r.other_tid = from;
	csg_switches_add(s, &r);
}

static struct csg_facts_machine *guest_of(struct town *t)
{
	return csg_facts_machine(&t->facts, 10);
}

static void know(struct town *t, int32_t tid, int32_t vcpu)
{
	const struct csg_vcpu_entry entry = {.tid = tid, .vm = 10, .vcpu = vcpu};

	csg_vcpus_add(&t->facts.vcpus, &entry);
}

static void record(struct town *t)
{
	static const int32_t order[] = {7, 11, 13, 12, 7, 12, 13, 11};
	uint64_t time = 20000000, random = 1;
	struct csg_facts_machine *host, *guest = guest_of(t);

	guest->clock = clock;
	host = csg_facts_machine(&t->facts, CSG_VM_HOST);
	host->clock = clock;
	for (int i = 0; i < INTERVALS; i++) {
		int32_t from = order[i % 8], to = order[(i + 1) % 8];

		random = random * 6364136223846793005u + 1442695040888963407u;
		change(&host->switches, 0, time, 10, from, to);
		guest = guest_of(t);
		if (to == 11 || to == (t->other ? t->other : 12))
			change(&guest->switches, t->cpus[to != 11], time + 2000 - OFFSET, 1, 1, 2);
		time += 5000 + (random >> 33) % 50000;
	}
	for (size_t i = 0; i < host->switches.count; i++)
		if (host->switches.records[i].tid == 7)
			host->switches.records[i].pid = 7;
}

static void show_offset(struct town *t, int64_t width)
{
	const struct csg_offset_period seen = {.from = 20000000,
					       .until = 21000000,
					       .offset = {OFFSET - width, OFFSET + width},
					       .sources = CSG_OFFSET_BY_TRACE};

	CU_ASSERT_EQUAL(csg_offsets_observe(&t->facts.clocks.offsets, 10, &seen), 0);
}

static void settle(struct town *t, int32_t first, int32_t second)
{
	*t = (struct town){.cpus = {first, second}};
	know(t, 11, 0);
	know(t, 12, 1);
	record(t);
	show_offset(t, 500);
}

static enum csg_guest_cpu_is ask(struct town *t, int32_t tid, int32_t vcpu, int32_t *cpu)
{
	CU_ASSERT_EQUAL(csg_facts_seal(&t->facts), 0);
	CU_ASSERT_EQUAL(csg_guest_cpus_look(&t->facts, guest_of(t)), 0);
	return csg_guest_cpu_of(&guest_of(t)->cpus, tid, vcpu, cpu);
}

static void leave(struct town *t)
{
	csg_facts_fini(&t->facts);
}

static void numbers_that_nothing_contradicts_are_the_same(void)
{
	struct town t;
	int32_t cpu;

	settle(&t, 0, 1);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_NUMBERED);
	CU_ASSERT_EQUAL(cpu, 0);
	CU_ASSERT_EQUAL(ask(&t, 12, 1, &cpu), CSG_GUEST_CPU_NUMBERED);
	CU_ASSERT_EQUAL(cpu, 1);
	CU_ASSERT_FALSE(guest_of(&t)->cpus.contradicted);
	leave(&t);
}

static void a_cpu_is_the_thread_that_alone_ran_at_its_times(void)
{
	struct town t;
	int32_t cpu;

	settle(&t, 1, 0);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(cpu, 1);
	CU_ASSERT_EQUAL(ask(&t, 12, 1, &cpu), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(cpu, 0);
	CU_ASSERT(guest_of(&t)->cpus.contradicted);
	leave(&t);
}

static void a_cpu_that_is_no_listed_thread_is_nobodys(void)
{
	struct town t;
	int32_t cpu;

	/* Thread 13 runs vCPU 1, and 12 is said to. */
	t = (struct town){.cpus = {0, 1}, .other = 13};
	know(&t, 11, 0);
	know(&t, 12, 1);
	record(&t);
	show_offset(&t, 500);
	CU_ASSERT_EQUAL(ask(&t, 12, 1, &cpu), CSG_GUEST_CPU_CONFLICT);
	CU_ASSERT_EQUAL(cpu, -1);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(cpu, 0);
	leave(&t);
}

static void too_few_records_contradict_but_do_not_prove(void)
{
	struct town t;
	int32_t cpu;

	settle(&t, 1, 0);
	/* Three switches of each CPU. */
	guest_of(&t)->switches.count = 12;
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_CONFLICT);
	CU_ASSERT_EQUAL(cpu, -1);
	leave(&t);
}

static void without_an_offset_nothing_is_contradicted_yet(void)
{
	struct town t;
	int32_t cpu;

	t = (struct town){.cpus = {1, 0}};
	know(&t, 11, 0);
	know(&t, 12, 1);
	record(&t);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_NUMBERED);
	/* It becomes known, and then better known. */
	show_offset(&t, 5000000);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_NUMBERED);
	show_offset(&t, 500);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(cpu, 1);
	leave(&t);
}

static void a_number_that_two_threads_have_is_neithers(void)
{
	struct town t;
	int32_t cpu;

	settle(&t, 0, 1);
	know(&t, 13, 0);
	guest_of(&t)->switches.count = 12;
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_CONFLICT);
	CU_ASSERT_EQUAL(ask(&t, 13, 0, &cpu), CSG_GUEST_CPU_CONFLICT);
	CU_ASSERT_EQUAL(ask(&t, 12, 1, &cpu), CSG_GUEST_CPU_NUMBERED);
	leave(&t);
	settle(&t, 0, 1);
	know(&t, 13, 0);
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(ask(&t, 13, 0, &cpu), CSG_GUEST_CPU_CONFLICT);
	leave(&t);
}

static void a_thread_without_a_number_is_known_by_what_fits_it(void)
{
	struct town t;
	int32_t cpu;

	t = (struct town){.cpus = {0, 1}};
	know(&t, 11, 0);
	know(&t, 12, CSG_VCPU_UNKNOWN);
	record(&t);
	show_offset(&t, 500);
	CU_ASSERT_EQUAL(ask(&t, 12, CSG_VCPU_UNKNOWN, &cpu), CSG_GUEST_CPU_FITS);
	CU_ASSERT_EQUAL(cpu, 1);
	guest_of(&t)->switches.count = 12;
	guest_of(&t)->cpus.looked = false;
	CU_ASSERT_EQUAL(ask(&t, 12, CSG_VCPU_UNKNOWN, &cpu), CSG_GUEST_CPU_UNKNOWN);
	CU_ASSERT_EQUAL(cpu, -1);
	leave(&t);
}

static void another_guests_recording_is_assigned_to_nobody(void)
{
	struct town t;
	int32_t cpu;

	settle(&t, 1, 0);
	/* Its CPU 0 recorded something while thread 7 ran, too. */
	for (size_t i = 0; i < guest_of(&t)->switches.count; i++)
		if (guest_of(&t)->switches.records[i].cpu == 0 && i % 8 < 4)
			guest_of(&t)->switches.records[i].time -= 60000;
	CU_ASSERT_EQUAL(ask(&t, 11, 0, &cpu), CSG_GUEST_CPU_CONFLICT);
	CU_ASSERT_EQUAL(ask(&t, 12, 1, &cpu), CSG_GUEST_CPU_CONFLICT);
	leave(&t);
}

CSG_SUITE(guest_facts, guest_cpus, CSG_TEST(numbers_that_nothing_contradicts_are_the_same),
	  CSG_TEST(a_cpu_is_the_thread_that_alone_ran_at_its_times),
	  CSG_TEST(a_cpu_that_is_no_listed_thread_is_nobodys),
	  CSG_TEST(too_few_records_contradict_but_do_not_prove),
	  CSG_TEST(without_an_offset_nothing_is_contradicted_yet),
	  CSG_TEST(a_number_that_two_threads_have_is_neithers),
	  CSG_TEST(a_thread_without_a_number_is_known_by_what_fits_it),
	  CSG_TEST(another_guests_recording_is_assigned_to_nobody));
