/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"
#include "world/policy.h"

static struct csg_verdict at(enum csg_hypervisor kind, enum csg_el el, enum csg_security security)
{
	const struct csg_context context = {.el = (uint8_t)el, .security = (uint8_t)security};

	return csg_policy_verdict(kind, &context);
}

static void under_vhe_el1_is_a_guest_and_el2_the_host(void)
{
	struct csg_verdict v = at(CSG_HV_KVM_VHE, CSG_EL1, CSG_NON_SECURE);

	CU_ASSERT_EQUAL(v.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(v.privilege, CSG_KERNEL);
	CU_ASSERT_EQUAL(v.evidence, CSG_EVIDENCE_EXCEPTION_LEVEL);
	v = at(CSG_HV_KVM_VHE, CSG_EL2, CSG_NON_SECURE);
	CU_ASSERT_EQUAL(v.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(v.evidence, CSG_EVIDENCE_EXCEPTION_LEVEL);
}

static void under_vhe_el0_is_the_host_by_default_only(void)
{
	struct csg_verdict v = at(CSG_HV_KVM_VHE, CSG_EL0, CSG_NON_SECURE);

	CU_ASSERT_EQUAL(v.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(v.evidence, CSG_EVIDENCE_POLICY_DEFAULT);
	CU_ASSERT(v.neighbours);
}

static void without_a_policy_nothing_is_said(void)
{
	for (int el = CSG_EL0; el <= CSG_EL2; el++) {
		struct csg_verdict v = at(CSG_HV_UNKNOWN, el, CSG_NON_SECURE);

		CU_ASSERT_EQUAL(v.world, CSG_WORLD_UNKNOWN);
		CU_ASSERT_EQUAL(v.reason, CSG_REASON_NO_POLICY);
		CU_ASSERT_EQUAL(v.evidence, 0);
	}
}

static void under_nvhe_el1_and_el0_stay_open(void)
{
	CU_ASSERT_EQUAL(at(CSG_HV_KVM_NVHE, CSG_EL0, CSG_NON_SECURE).world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(at(CSG_HV_KVM_NVHE, CSG_EL1, CSG_NON_SECURE).world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(at(CSG_HV_KVM_NVHE, CSG_EL2, CSG_NON_SECURE).world, CSG_WORLD_HYPERVISOR);
}

static void under_xen_everything_below_el2_is_a_domain(void)
{
	CU_ASSERT_EQUAL(at(CSG_HV_XEN, CSG_EL0, CSG_NON_SECURE).world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(at(CSG_HV_XEN, CSG_EL1, CSG_NON_SECURE).world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(at(CSG_HV_XEN, CSG_EL2, CSG_NON_SECURE).world, CSG_WORLD_HYPERVISOR);
}

static void el3_and_secure_state_are_firmware_under_every_policy(void)
{
	for (int kind = CSG_HV_UNKNOWN; kind < CSG_HV_COUNT; kind++) {
		CU_ASSERT_EQUAL(at(kind, CSG_EL3, CSG_NON_SECURE).world, CSG_WORLD_FIRMWARE);
		CU_ASSERT_EQUAL(at(kind, CSG_EL1, CSG_SECURE).world, CSG_WORLD_FIRMWARE);
		CU_ASSERT_EQUAL(at(kind, CSG_EL2, CSG_ROOT).world, CSG_WORLD_FIRMWARE);
	}
}

static void realms_and_missing_contexts_are_unknown_under_every_policy(void)
{
	for (int kind = CSG_HV_UNKNOWN; kind < CSG_HV_COUNT; kind++) {
		CU_ASSERT_EQUAL(at(kind, CSG_EL1, CSG_REALM).world, CSG_WORLD_UNKNOWN);
		CU_ASSERT_EQUAL(at(kind, CSG_EL_UNKNOWN, CSG_NON_SECURE).reason,
				CSG_REASON_NO_CONTEXT);
		CU_ASSERT_EQUAL(at(kind, CSG_EL1, CSG_SECURITY_UNKNOWN).reason,
				CSG_REASON_NO_CONTEXT);
	}
}

static void a_known_world_has_a_evidence_and_an_unknown_one_a_reason(void)
{
	for (int kind = CSG_HV_UNKNOWN; kind < CSG_HV_COUNT; kind++)
		for (int el = CSG_EL0; el <= CSG_EL_UNKNOWN; el++)
			for (int sec = CSG_NON_SECURE; sec <= CSG_SECURITY_UNKNOWN; sec++) {
				struct csg_verdict v = at(kind, el, sec);

				if (v.world == CSG_WORLD_UNKNOWN) {
					CU_ASSERT_NOT_EQUAL(v.reason, CSG_REASON_NONE);
				} else {
					CU_ASSERT_NOT_EQUAL(v.evidence, 0);
				}
			}
}

static void kinds_have_traits_and_unknown_kinds_none(void)
{
	CU_ASSERT_EQUAL(csg_hypervisor_traits(CSG_HV_UNKNOWN), 0);
	CU_ASSERT_EQUAL(csg_hypervisor_traits(CSG_HV_COUNT), 0);
	CU_ASSERT_EQUAL(csg_hypervisor_traits((enum csg_hypervisor) - 1), 0);
	CU_ASSERT_EQUAL(csg_hypervisor_traits(CSG_HV_KVM_VHE), CSG_TRAIT_HOST_AT_EL2);
	CU_ASSERT_EQUAL(csg_hypervisor_traits(CSG_HV_PKVM),
			CSG_TRAIT_SHARED_EL1 | CSG_TRAIT_UNTRACED_GUEST);
	CU_ASSERT(csg_policy_has(CSG_HV_XEN, CSG_TRAIT_DOMAINS));
	CU_ASSERT_FALSE(csg_policy_has(CSG_HV_NONE, CSG_TRAIT_DOMAINS));
}

CSG_SUITE(world, policy, CSG_TEST(under_vhe_el1_is_a_guest_and_el2_the_host),
	  CSG_TEST(under_vhe_el0_is_the_host_by_default_only),
	  CSG_TEST(without_a_policy_nothing_is_said), CSG_TEST(under_nvhe_el1_and_el0_stay_open),
	  CSG_TEST(under_xen_everything_below_el2_is_a_domain),
	  CSG_TEST(el3_and_secure_state_are_firmware_under_every_policy),
	  CSG_TEST(realms_and_missing_contexts_are_unknown_under_every_policy),
	  CSG_TEST(a_known_world_has_a_evidence_and_an_unknown_one_a_reason),
	  CSG_TEST(kinds_have_traits_and_unknown_kinds_none));
