/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/domains.h"

#include "suite.h"

/* Why the VM of a guest that ran with this VMID is unknown. */
static enum csg_reason why(struct csg_domains *domains, int32_t vmid)
{
	struct csg_owner owner = {.world = CSG_WORLD_GUEST, .vm = vmid};

	csg_domains_check(domains, &owner);
	CU_ASSERT_EQUAL(owner.vm, owner.reason ? CSG_VM_UNKNOWN : vmid);
	return (enum csg_reason)owner.reason;
}

static void without_a_list_every_vmid_is_a_domains(void)
{
	struct csg_domains domains = {0};

	CU_ASSERT_EQUAL(why(&domains, 5), CSG_REASON_NONE);
	CU_ASSERT_EQUAL(csg_domains_say(&domains, 6), 0);
	CU_ASSERT_EQUAL(why(&domains, 5), CSG_REASON_NONE);
	CU_ASSERT_EQUAL(domains.unlisted, 0);
	csg_domains_fini(&domains);
}

static void a_vmid_that_the_list_lacks_is_nobodys(void)
{
	struct csg_domains domains = {0};

	for (uint32_t vmid = 40; vmid > 0; vmid -= 2)
		CU_ASSERT_EQUAL(csg_domains_add(&domains, vmid, false), 0);
	for (int32_t vmid = 2; vmid <= 40; vmid += 2)
		CU_ASSERT_EQUAL(why(&domains, vmid), CSG_REASON_NONE);
	CU_ASSERT_EQUAL(domains.unlisted, 0);
	CU_ASSERT_EQUAL(why(&domains, 7), CSG_REASON_NO_DOMAIN);
	CU_ASSERT_EQUAL(why(&domains, 42), CSG_REASON_NO_DOMAIN);
	CU_ASSERT_EQUAL(domains.unlisted, 7);
	csg_domains_fini(&domains);
}

static void a_disputed_vmid_is_a_conflict(void)
{
	struct csg_domains domains = {0};

	CU_ASSERT_EQUAL(csg_domains_add(&domains, 1, false), 0);
	CU_ASSERT_EQUAL(csg_domains_add(&domains, 2, true), 0);
	CU_ASSERT_EQUAL(csg_domains_add(&domains, 3, false), 0);
	CU_ASSERT_EQUAL(csg_domains_add(&domains, 3, false), 0);
	CU_ASSERT_EQUAL(why(&domains, 1), CSG_REASON_NONE);
	CU_ASSERT_EQUAL(why(&domains, 2), CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(why(&domains, 3), CSG_REASON_CONFLICT);
	csg_domains_fini(&domains);
}

static void the_user_knows_better(void)
{
	struct csg_domains domains = {0};

	CU_ASSERT_EQUAL(csg_domains_add(&domains, 2, true), 0);
	CU_ASSERT_EQUAL(csg_domains_say(&domains, 2), 0);
	CU_ASSERT_EQUAL(csg_domains_say(&domains, 3), 0);
	CU_ASSERT_EQUAL(why(&domains, 2), CSG_REASON_NONE);
	CU_ASSERT_EQUAL(why(&domains, 3), CSG_REASON_NONE);
	CU_ASSERT_EQUAL(why(&domains, 4), CSG_REASON_NO_DOMAIN);
	csg_domains_fini(&domains);
}

CSG_SUITE(guest_facts, domains, CSG_TEST(without_a_list_every_vmid_is_a_domains),
	  CSG_TEST(a_vmid_that_the_list_lacks_is_nobodys), CSG_TEST(a_disputed_vmid_is_a_conflict),
	  CSG_TEST(the_user_knows_better));
