/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vmids.h"

#include "csguest/owner.h"
#include "suite.h"

static struct csg_vmid why;

static void a_vmid_agrees_with_who_was_proved_before(void)
{
	struct csg_vmids v = {0};

	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
	/* A nested guest has a VMID of its own. */
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 7, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
}

static void zero_and_nobody_prove_nothing(void)
{
	struct csg_vmids v = {0};

	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 0, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 0, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, CSG_VM_UNKNOWN, CSG_LEVEL_UNKNOWN, &why),
			CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(v.count, 0);
}

static void a_recycled_vmid_expires_all_of_them(void)
{
	struct csg_vmids v = {0};

	csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why);
	csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 700, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 700, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
	/* Who had the others may have another one now, or the same. */
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 7, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
}

static void a_vmid_that_comes_back_is_nobodys_any_more(void)
{
	struct csg_vmids v = {0};

	csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why);
	csg_vmids_prove(&v, 5, 600, CSG_LEVEL_UNKNOWN, &why);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_CONTRADICTS);
	CU_ASSERT_EQUAL(why.vmid, 5);
	CU_ASSERT_EQUAL(why.former, 500);
	CU_ASSERT_EQUAL(why.vm, 600);
	/* Neither counts more than the other. */
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_CONTRADICTS);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	/* Nor does a rollover in between make it one's. */
	csg_vmids_prove(&v, 6, 700, CSG_LEVEL_UNKNOWN, &why);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 800, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_CONTRADICTS);
}

static void a_vmid_comes_back_across_expiry(void)
{
	struct csg_vmids v = {0};

	csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why);
	csg_vmids_prove(&v, 5, 500, CSG_LEVEL_UNKNOWN, &why);
	csg_vmids_prove(&v, 5, 700, CSG_LEVEL_UNKNOWN, &why);
	/* It may have kept its number. */
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
	csg_vmids_prove(&v, 6, 800, CSG_LEVEL_UNKNOWN, &why);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 600, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_CONTRADICTS);
}

static void more_than_there_is_room_for_forget_the_oldest(void)
{
	struct csg_vmids v = {0};

	for (uint32_t i = 1; i <= CSG_VMIDS + 1; i++)
		CU_ASSERT_EQUAL(csg_vmids_prove(&v, i, 500, CSG_LEVEL_UNKNOWN, &why),
				CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(v.count, CSG_VMIDS);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 2, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_AGREES);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 1, 500, CSG_LEVEL_UNKNOWN, &why), CSG_VMID_NOTHING);
}

/* KVM gives a guest of a guest another VMID than the guest. */
static void a_vmid_is_of_one_level(void)
{
	struct csg_vmids v = {0};

	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, 1, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 500, 2, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, 1, &why), CSG_VMID_AGREES);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 500, 2, &why), CSG_VMID_AGREES);
	/* Recycled, and with that the other. */
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, 2, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 6, 500, 2, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, 1, &why), CSG_VMID_CONTRADICTS);
	CU_ASSERT_EQUAL(why.vm, why.former);
	CU_ASSERT_EQUAL(why.level, 2);
	CU_ASSERT_EQUAL(why.former_level, 1);
}

/* The VM that had it before, at another level: there was one more rollover. */
static void a_vmid_comes_back_at_the_same_level_alone(void)
{
	struct csg_vmids v = {0};

	csg_vmids_prove(&v, 5, 500, 1, &why);
	csg_vmids_prove(&v, 5, 600, 1, &why);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, 2, &why), CSG_VMID_NOTHING);
	CU_ASSERT_EQUAL(csg_vmids_prove(&v, 5, 500, 2, &why), CSG_VMID_AGREES);
}

CSG_SUITE(guest_facts, vmids, CSG_TEST(a_vmid_is_of_one_level),
	  CSG_TEST(a_vmid_comes_back_at_the_same_level_alone),
	  CSG_TEST(a_vmid_agrees_with_who_was_proved_before),
	  CSG_TEST(zero_and_nobody_prove_nothing), CSG_TEST(a_recycled_vmid_expires_all_of_them),
	  CSG_TEST(a_vmid_that_comes_back_is_nobodys_any_more),
	  CSG_TEST(a_vmid_comes_back_across_expiry),
	  CSG_TEST(more_than_there_is_room_for_forget_the_oldest));
