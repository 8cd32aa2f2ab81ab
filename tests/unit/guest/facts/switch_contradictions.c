/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/switch_contradictions.h"

#include <string.h>

#include "guest/facts/facts.h"
#include "guest/facts/facts_seal.h"
#include "suite.h"
#include "switch_pair.h"

static void change(struct csg_switches *s, uint64_t time, int32_t from, int32_t to)
{
	const struct switch_pair pair = switch_pair(0, time, 100, from, to);

	csg_switches_add(s, &pair.out);
	csg_switches_add(s, &pair.in);
}

/* Threads 7 and 8 change every 100 us; of the switch at 500 us one record is lied about. */
static struct csg_facts lied_about(int32_t vm, bool gone, int32_t seen)
{
	struct csg_facts facts = {0};
	struct csg_facts_machine *m = csg_facts_machine(&facts, vm);

	m->clock = (struct csg_attribution_clock){
		.switches = true, .first_time = 1, .last_time = 1100000};
	for (uint64_t i = 1; i <= 10; i++)
		change(&m->switches, i * 100000, i % 2 ? 7 : 8, i % 2 ? 8 : 7);
	if (gone) /* of each change the record of who comes is the second */
		m->switches.records[9] = m->switches.records[--m->switches.count];
	if (seen)
		csg_facts_see(&facts, &(struct csg_seen){.time = 550000, .pid = seen, .tid = seen});
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
	return facts;
}

static const struct csg_contradiction *only(const struct csg_facts *facts)
{
	CU_ASSERT_EQUAL_FATAL(facts->contradictions.count, 1);
	return &facts->contradictions.list[0];
}

static void records_that_agree_are_none(void)
{
	struct csg_facts facts = lied_about(CSG_VM_HOST, false, 0);

	CU_ASSERT_EQUAL(facts.contradictions.count, 0);
	csg_facts_fini(&facts);
	facts = lied_about(CSG_VM_HOST, false, 8);
	CU_ASSERT_EQUAL(facts.contradictions.count, 0);
	csg_facts_fini(&facts);
}

static void a_contradiction_is_listed_with_its_time_and_what_it_says(void)
{
	struct csg_facts facts = lied_about(CSG_VM_HOST, false, 99);
	const struct csg_contradiction *one = only(&facts);

	CU_ASSERT_EQUAL(one->kind, CSG_CONTRADICTION_SWITCH_RECORDS);
	CU_ASSERT_EQUAL(one->cpu, 0);
	CU_ASSERT_EQUAL(one->vm, CSG_VM_HOST);
	CU_ASSERT_EQUAL(one->begin, CSG_NO_INDEX);
	CU_ASSERT_EQUAL(one->begin_time, 500100);
	CU_ASSERT_EQUAL(one->end_time, 600000);
	CU_ASSERT_EQUAL(one->record_time, 550000);
	CU_ASSERT_STRING_EQUAL(
		one->text, "thread 99 writes a record; by the record before it thread 8 is there");
	CU_ASSERT_PTR_NULL(csg_residency_at(&facts.residency, 0, 550000, 550000));
	CU_ASSERT_PTR_NOT_NULL(csg_residency_at(&facts.residency, 0, 410000, 490000));
	CU_ASSERT_PTR_NOT_NULL(csg_residency_at(&facts.residency, 0, 610000, 690000));
	csg_facts_fini(&facts);
}

/* Also where it was sealed several times. */
static void a_guests_records_lose_the_time_around_it_alone(void)
{
	struct csg_facts facts = lied_about(10, true, 0);
	const struct csg_contradiction *one;
	struct csg_ran_from who;

	facts.sealed = false;
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	one = only(&facts);
	CU_ASSERT_EQUAL(one->vm, 10);
	CU_ASSERT_EQUAL(one->begin_time, 500000);
	CU_ASSERT_EQUAL(one->end_time, 600000);
	CU_ASSERT_STRING_EQUAL(
		one->text, "thread 8 is switched out; by the record before it thread 8 comes next");
	CU_ASSERT_EQUAL(
		csg_switches_ran(&facts.machines[0].switches, 0, false, 510000, 520000, &who),
		CSG_RAN_UNKNOWN);
	CU_ASSERT_EQUAL(
		csg_switches_ran(&facts.machines[0].switches, 0, false, 410000, 490000, &who),
		CSG_RAN_ONE);
	CU_ASSERT_EQUAL(who.tid, 7);
	CU_ASSERT_EQUAL(
		csg_switches_ran(&facts.machines[0].switches, 0, false, 610000, 690000, &who),
		CSG_RAN_ONE);
	CU_ASSERT_EQUAL(who.tid, 7);
	csg_facts_fini(&facts);
}

static void each_way_to_contradict_has_its_own_text(void)
{
	static const char *const texts[] = {
		"thread 9 is switched in; by the record before it thread 7 is there",
		"thread 9 has left for the one switched in; by the record before it thread 7 is "
		"there",
		"thread 7 is of two processes",
		"thread 7 is switched out, at a time that is not in order",
	};

	for (int what = 0; what < 4; what++) {
		struct csg_contradictions list = {0};
		struct csg_residency r = {0};

		csg_residency_in(&r, 3, 10, 1, 7, 8);
		if (what == 0)
			csg_residency_in(&r, 3, 20, 1, 9, 8);
		if (what == 1)
			csg_residency_out(&r, 3, 20, 1, 7, 8);
		if (what == 1)
			csg_residency_in(&r, 3, 22, 1, 8, 9);
		if (what >= 2)
			csg_residency_out(&r, 3, what == 2 ? 20 : 5, what == 2 ? 2 : 1, 7, 8);
		csg_residency_settle(&r, 3);
		CU_ASSERT_EQUAL(csg_switch_contradictions(&list, CSG_VM_HOST, &r), 0);
		CU_ASSERT_EQUAL_FATAL(list.count, 1);
		CU_ASSERT_STRING_EQUAL(list.list[0].text, texts[what]);
		CU_ASSERT_EQUAL(list.list[0].cpu, 3);
		CU_ASSERT(list.list[0].begin_time <= list.list[0].end_time);
		csg_contradictions_fini(&list);
		csg_residency_fini(&r);
	}
}

CSG_SUITE(guest_facts, switch_contradictions, CSG_TEST(records_that_agree_are_none),
	  CSG_TEST(a_contradiction_is_listed_with_its_time_and_what_it_says),
	  CSG_TEST(a_guests_records_lose_the_time_around_it_alone),
	  CSG_TEST(each_way_to_contradict_has_its_own_text));
