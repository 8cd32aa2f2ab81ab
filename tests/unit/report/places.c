/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_lookup.h"
#include "report/places.h"

#define KEY(name) (1u << CSG_REPORT_##name)

static struct csg_places places;

static uint32_t find(uint64_t time, int32_t cpu, uint32_t owner)
{
	csg_places_set(&places, time, cpu);
	return (uint32_t)csg_places_find(&places, owner);
}

static const struct csg_report_label *label(uint32_t place)
{
	return csg_places_label(&places, csg_places_label_number(&places, place));
}

static void owners_that_no_key_tells_apart_share_a_place(void)
{
	csg_places_init(&places, KEY(WORLD) | KEY(SYMBOL), &fake_lookup);
	CU_ASSERT_EQUAL(find(1, 0, 1), find(1, 0, 3)); /* two threads of a process */
	CU_ASSERT_EQUAL(find(1, 0, 1), find(2, 5, 3)); /* on another CPU */
	CU_ASSERT_NOT_EQUAL(find(1, 0, 1), find(1, 0, 2));
	csg_places_fini(&places);
	csg_places_init(&places, KEY(TID), &fake_lookup);
	CU_ASSERT_NOT_EQUAL(find(1, 0, 1), find(1, 0, 3));
	CU_ASSERT_EQUAL(label(find(1, 0, 3))->tid, 102);
	CU_ASSERT_EQUAL(label(find(1, 0, 3))->pid, 0); /* not asked for */
	csg_places_fini(&places);
	csg_places_init(&places, KEY(CPU), &fake_lookup);
	CU_ASSERT_NOT_EQUAL(find(1, 0, 1), find(1, 5, 1));
	CU_ASSERT_EQUAL(label(find(1, 5, 1))->cpu, 5);
	csg_places_fini(&places);
}

static void owners_may_be_distinguished_by_their_numbers(void)
{
	csg_places_init(&places, KEY(SYMBOL) | CSG_REPORT_OWNER, &fake_lookup);
	CU_ASSERT_NOT_EQUAL(find(1, 0, 1), find(1, 0, 3));
	CU_ASSERT_EQUAL(label(find(1, 0, 3))->owner, 3);
	csg_places_fini(&places);
	csg_places_init(&places, KEY(SYMBOL), &fake_lookup);
	CU_ASSERT_EQUAL(label(find(1, 0, 3))->owner, 0);
	csg_places_fini(&places);
}

static void owners_with_other_code_never_share_a_place(void)
{
	csg_places_init(&places, KEY(SYMBOL), &fake_lookup);
	CU_ASSERT_NOT_EQUAL(find(1, 0, 1), find(1, 0, 2));
	CU_ASSERT_PTR_EQUAL(csg_places_space(&places, find(1, 0, 1)), &fake_spaces[1]);
	CU_ASSERT_PTR_EQUAL(csg_places_space(&places, find(1, 0, 4)), &fake_spaces[0]);
	CU_ASSERT_PTR_NULL(csg_places_space(&places, find(1, 0, 0)));
	csg_places_fini(&places);
}

static void threads_of_a_process_share_its_name(void)
{
	csg_places_init(&places, KEY(PROCESS), &fake_lookup);
	CU_ASSERT_STRING_EQUAL(label(find(999, 0, 1))->process, "daemon");
	CU_ASSERT_EQUAL(find(999, 0, 1), find(999, 0, 3));
	CU_ASSERT_STRING_EQUAL(label(find(1000, 0, 1))->process, "renamed");
	CU_ASSERT_STRING_EQUAL(label(find(999, 0, 2))->process, "");
	CU_ASSERT_EQUAL(label(find(999, 0, 2))->reason, CSG_REASON_NO_THREAD);
	csg_places_fini(&places);
}

static const struct csg_owner *second_of_its_pid(void *arg, uint32_t number)
{
	static const struct csg_owner owner = {.world = CSG_WORLD_GUEST,
					       .vm = 42 + 2 * CSG_VM_AGAIN};

	(void)arg, (void)number;
	return &owner;
}

static void guests_have_names(void)
{
	struct csg_lookup unnamed = fake_lookup;

	csg_places_init(&places, KEY(GUEST), &fake_lookup);
	CU_ASSERT_STRING_EQUAL(label(find(1, 0, 2))->guest, "web</script>");
	CU_ASSERT_STRING_EQUAL(label(find(1, 0, 1))->guest, "");
	csg_places_fini(&places);
	unnamed.guest = NULL;
	unnamed.owner = second_of_its_pid;
	csg_places_init(&places, KEY(GUEST), &unnamed);
	CU_ASSERT_STRING_EQUAL(label(find(1, 0, 2))->guest, "VM 42#2");
	csg_places_fini(&places);
}

static void names_of_threads_are_those_of_the_time(void)
{
	csg_places_init(&places, KEY(COMM), &fake_lookup);
	CU_ASSERT_STRING_EQUAL(label(find(500, 0, 1))->comm, "app");
	fake_comm_calls = 0;
	find(600, 0, 1);
	find(FAKE_CHANGE - 1, 0, 1);
	CU_ASSERT_EQUAL(fake_comm_calls, 0);
	CU_ASSERT_STRING_EQUAL(label(find(1000, 0, 1))->comm, "a-name-that-is-");
	CU_ASSERT_STRING_EQUAL(label(find(999, 0, 1))->comm, "app");
	CU_ASSERT_STRING_EQUAL(label(find(999, 0, 2))->comm, "");
	csg_places_fini(&places);
}

static void a_reason_is_in_the_label_where_it_explains_a_key(void)
{
	csg_places_init(&places, KEY(WORLD), &fake_lookup);
	CU_ASSERT_EQUAL(label(find(1, 0, 0))->reason, CSG_REASON_NO_CONTEXT);
	CU_ASSERT_EQUAL(label(find(1, 0, 2))->reason, CSG_REASON_NONE); /* world is known */
	csg_places_fini(&places);
	csg_places_init(&places, KEY(COMM), &fake_lookup);
	CU_ASSERT_EQUAL(label(find(1, 0, 2))->reason, CSG_REASON_NO_THREAD);
	csg_places_fini(&places);
	csg_places_init(&places, KEY(SYMBOL), &fake_lookup);
	CU_ASSERT_EQUAL(label(find(1, 0, 0))->reason, CSG_REASON_NONE);
	csg_places_fini(&places);
	/* Why the thread of a guest is unknown is no matter of which VM it is. */
	csg_places_init(&places, KEY(VM) | KEY(VCPU) | KEY(GUEST), &fake_lookup);
	CU_ASSERT_EQUAL(label(find(1, 0, 2))->vm, 42);
	CU_ASSERT_EQUAL(label(find(1, 0, 2))->reason, CSG_REASON_NONE);
	CU_ASSERT_EQUAL(label(find(1, 0, 0))->reason, CSG_REASON_NO_CONTEXT);
	csg_places_fini(&places);
	csg_places_init(&places, KEY(VM) | KEY(REASON), &fake_lookup);
	CU_ASSERT_EQUAL(label(find(1, 0, 2))->reason, CSG_REASON_NO_THREAD);
	csg_places_fini(&places);
}

static void owner_numbers_may_come_in_any_order(void)
{
	csg_places_init(&places, KEY(WORLD), &fake_lookup);
	CU_ASSERT_EQUAL(find(1, 0, 1000000), find(1, 0, 0));
	CU_ASSERT_EQUAL(find(1, 0, 65), find(1, 0, 64));
	csg_places_fini(&places);
}

CSG_SUITE(report, places, CSG_TEST(owners_may_be_distinguished_by_their_numbers),
	  CSG_TEST(owners_that_no_key_tells_apart_share_a_place),
	  CSG_TEST(owners_with_other_code_never_share_a_place), CSG_TEST(guests_have_names),
	  CSG_TEST(threads_of_a_process_share_its_name),
	  CSG_TEST(names_of_threads_are_those_of_the_time),
	  CSG_TEST(a_reason_is_in_the_label_where_it_explains_a_key),
	  CSG_TEST(owner_numbers_may_come_in_any_order));
