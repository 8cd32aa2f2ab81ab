/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/facts_seal.h"
#include "suite.h"
#include "switch_pair.h"

static void only_a_guests_switches_make_it_a_guest_that_is_known(void)
{
	const struct csg_attribution_switch record = {.size = sizeof(record), .tid = 1};
	struct csg_facts facts = {0};

	csg_switches_add(&csg_facts_machine(&facts, 0)->switches, &record);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	CU_ASSERT_FALSE(facts.has_guests);
	facts.sealed = false;
	csg_switches_add(&csg_facts_machine(&facts, 9)->switches, &record);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	CU_ASSERT(facts.has_guests);
	csg_facts_fini(&facts);
}

static void change(struct csg_switches *s, uint64_t time, int32_t from, int32_t to)
{
	const struct switch_pair pair = switch_pair(0, time, 1, from, to);

	csg_switches_add(s, &pair.out);
	csg_switches_add(s, &pair.in);
}

/*
 * From 100 us on the vCPU of VM 10 runs for 50 us of each 100 us, its guest switches threads 10 us
 * later, and somebody has injected that into the host's recording as if it were late us later.
 */
static struct csg_facts injected(uint64_t late)
{
	const struct csg_vcpu_entry vcpu = {.tid = 11, .vm = 10};
	struct csg_facts facts = {0};

	csg_vcpus_add(&facts.vcpus, &vcpu);
	csg_facts_machine(&facts, CSG_VM_HOST);
	csg_facts_machine(&facts, 10);
	for (size_t i = 0; i < 2; i++)
		facts.machines[i].clock =
			(struct csg_attribution_clock){.conv = {.valid = true, .mult = 1},
						       .first_time = 1,
						       .last_time = 9000000,
						       .switches = true,
						       .host_time = i};
	for (uint64_t time = 100000; time < 1500000; time += 100000) {
		change(&facts.machines[0].switches, time, 0, 11);
		change(&facts.machines[0].switches, time + 50000, 11, 0);
		change(&facts.machines[1].switches, time + 10000 + late * 1000, 1, 2);
	}
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
	return facts;
}

/* Thread 11 is on the CPU from 100 to 500 us, as the records say, with others lost at some time. */
static bool is_known(uint64_t lost, int32_t cpu)
{
	const struct csg_seen seen = {.cpu = cpu, .time = lost, .lost = true};
	struct csg_facts facts = {0};
	bool known;

	csg_facts_machine(&facts, CSG_VM_HOST)->clock.switches = true;
	change(&facts.machines[0].switches, 100000, 0, 11);
	change(&facts.machines[0].switches, 500000, 11, 12);
	change(&facts.machines[0].switches, 900000, 12, 0);
	csg_facts_see(&facts, &seen);
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
	known = csg_residency_at(&facts.residency, 0, 200000, 300000);
	csg_facts_fini(&facts);
	return known;
}

static void records_are_lost_before_the_one_with_the_same_time(void)
{
	CU_ASSERT_FALSE(is_known(300000, 0));
	CU_ASSERT_FALSE(is_known(300000, -1));
	CU_ASSERT_FALSE(is_known(500000, 0));
	CU_ASSERT_FALSE(is_known(500000 + CSG_LOST_SLACK_NS / 2, 0)); /* before Linux 5.10 */
	CU_ASSERT(is_known(500000 + 2 * CSG_LOST_SLACK_NS, 0));
	CU_ASSERT(is_known(50000, 0));
	CU_ASSERT(is_known(500000, 1));
}

/* Of two records so near to what tells of the loss either may be the one after it. */
static void all_that_may_have_been_lost_is_unknown(void)
{
	const struct csg_seen seen = {.cpu = 0, .time = 504000, .lost = true};
	struct csg_facts facts = {0};

	csg_facts_machine(&facts, CSG_VM_HOST)->clock.switches = true;
	change(&facts.machines[0].switches, 100000, 0, 11);
	change(&facts.machines[0].switches, 500000, 11, 12);
	change(&facts.machines[0].switches, 503000, 12, 11);
	change(&facts.machines[0].switches, 900000, 11, 0);
	csg_facts_see(&facts, &seen);
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
	CU_ASSERT_PTR_NULL(csg_residency_at(&facts.residency, 0, 200000, 300000));
	CU_ASSERT_PTR_NULL(csg_residency_at(&facts.residency, 0, 501000, 502000));
	CU_ASSERT_PTR_NULL(csg_residency_at(&facts.residency, 0, 600000, 700000));
	CU_ASSERT_EQUAL(facts.contradictions.count, 0);
	csg_facts_fini(&facts);
}

/* A guest's own records, by which its threads are found. */
static void what_a_guest_lost_is_unknown_as_well(void)
{
	const struct csg_seen seen = {.cpu = 0, .time = 500000, .lost = true};
	struct csg_facts facts = {0};
	struct csg_ran_from who;

	for (int i = 0; i < 2; i++) {
		struct csg_facts_machine *guest = csg_facts_machine(&facts, 10);

		guest->clock = (struct csg_attribution_clock){
			.first_time = 1, .last_time = 1000000, .switches = true};
		if (!i) {
			change(&guest->switches, 100000, 0, 11);
			change(&guest->switches, 500000, 11, 0);
		} else {
			csg_facts_lose(&facts, 10, &seen);
		}
		CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
		CU_ASSERT_EQUAL(csg_switches_ran(&guest->switches, 0, false, 200000, 300000, &who),
				i ? CSG_RAN_UNKNOWN : CSG_RAN_ONE);
	}
	csg_facts_fini(&facts);
}

static void injected_switches_count_if_all_of_them_fit(void)
{
	struct csg_facts facts = injected(0);

	CU_ASSERT_FALSE(facts.machines[1].switches_lie);
	csg_facts_fini(&facts);
	facts = injected(60);
	CU_ASSERT(facts.machines[1].switches_lie);
	csg_facts_fini(&facts);
	facts = injected(5000);
	CU_ASSERT(facts.machines[1].switches_lie);
	csg_facts_fini(&facts);
}

/* There may be millions of them. */
static void the_hosts_switches_are_not_kept_beside_its_intervals(void)
{
	struct csg_facts facts = injected(0);
	size_t n;

	CU_ASSERT_PTR_NULL(facts.machines[0].switches.records);
	CU_ASSERT_EQUAL(facts.machines[0].switches.count, 0);
	csg_residency_intervals(&facts.residency, 0, &n);
	CU_ASSERT(n > 0);
	csg_facts_fini(&facts);
}

static void sealing_again_believes_no_lie(void)
{
	struct csg_facts facts = injected(0);

	facts.machines[1].switches_lie = true; /* the trace says so */
	facts.sealed = false;
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	CU_ASSERT(facts.machines[1].switches_lie);
	csg_facts_fini(&facts);
}

static void what_was_injected_lasted_from_its_first_record_to_its_last(void)
{
	struct csg_facts facts = injected(0);

	CU_ASSERT_EQUAL(facts.machines[1].switches.first_time, 110000);
	CU_ASSERT_EQUAL(facts.machines[1].switches.last_time, 1410001);
	csg_facts_fini(&facts);
}

static void threads_that_are_two_vcpus_are_listed(void)
{
	static const struct csg_vcpu_entry claims[] = {
		{.tid = 11, .vm = 10, .vcpu = 0, .source = CSG_VCPU_BY_NAME},
		{.tid = 12, .vm = 10, .vcpu = 1, .source = CSG_VCPU_BY_NAME},
		{.tid = 13, .vm = 10, .vcpu = 2, .source = CSG_VCPU_BY_NAME},
		{.tid = 12, .vm = 10, .vcpu = 3, .source = CSG_VCPU_BY_ID_INDEX},
		{.tid = 13, .vm = 20, .vcpu = 2, .source = CSG_VCPU_BY_ID_INDEX},
	};
	struct csg_facts facts = {0};

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		csg_vcpus_add(&facts.vcpus, &claims[i]);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
		facts.sealed = false;
	}
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 2);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].kind, CSG_CONTRADICTION_VCPU);
	CU_ASSERT_STRING_EQUAL(facts.contradictions.list[0].text,
			       "thread 13 is said to run vCPUs of several VMs");
	CU_ASSERT_EQUAL(facts.contradictions.list[1].vm, 10);
	CU_ASSERT_STRING_EQUAL(facts.contradictions.list[1].text,
			       "thread 12 is said to run vCPUs of several numbers");
	csg_facts_fini(&facts);
}

CSG_SUITE(guest_facts, facts_seal, CSG_TEST(threads_that_are_two_vcpus_are_listed),
	  CSG_TEST(only_a_guests_switches_make_it_a_guest_that_is_known),
	  CSG_TEST(records_are_lost_before_the_one_with_the_same_time),
	  CSG_TEST(all_that_may_have_been_lost_is_unknown),
	  CSG_TEST(what_a_guest_lost_is_unknown_as_well),
	  CSG_TEST(injected_switches_count_if_all_of_them_fit),
	  CSG_TEST(the_hosts_switches_are_not_kept_beside_its_intervals),
	  CSG_TEST(sealing_again_believes_no_lie),
	  CSG_TEST(what_was_injected_lasted_from_its_first_record_to_its_last));
