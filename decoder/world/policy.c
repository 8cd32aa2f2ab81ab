/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/policy.h"

#define OPEN(why)                                                                                  \
	{                                                                                          \
		.world = CSG_WORLD_UNKNOWN, .reason = CSG_REASON_##why                             \
	}
#define OPEN_AT(priv, why)                                                                         \
	{                                                                                          \
		.world = CSG_WORLD_UNKNOWN, .privilege = priv, .reason = CSG_REASON_##why          \
	}
#define IS(who, priv, source)                                                                      \
	{                                                                                          \
		.world = CSG_WORLD_##who, .privilege = priv, .evidence = CSG_EVIDENCE_##source     \
	}

/* Non-secure EL0, EL1, EL2 by kind. */
static const struct csg_verdict table[CSG_HV_COUNT][3] = {
	[CSG_HV_UNKNOWN] =
		{
			OPEN_AT(CSG_USER, NO_POLICY),
			OPEN_AT(CSG_KERNEL, NO_POLICY),
			OPEN_AT(CSG_KERNEL, NO_POLICY),
		},
	/* That no guest ran is what the recording, or the user, says: no evidence in the trace. */
	[CSG_HV_NONE] =
		{
			IS(HOST, CSG_USER, POLICY_DEFAULT),
			IS(HOST, CSG_KERNEL, POLICY_DEFAULT),
			OPEN_AT(CSG_KERNEL, NOT_TRACED),
		},
	/* TGE=1 hosts have no EL1 of their own; EL0 is shared between host and guests. */
	[CSG_HV_KVM_VHE] =
		{
			{.world = CSG_WORLD_HOST,
			 .privilege = CSG_USER,
			 .evidence = CSG_EVIDENCE_POLICY_DEFAULT,
			 .neighbours = true},
			IS(GUEST, CSG_KERNEL, EXCEPTION_LEVEL),
			IS(HOST, CSG_KERNEL, EXCEPTION_LEVEL),
		},
	/* Host and guests share EL1 and EL0. */
	[CSG_HV_KVM_NVHE] =
		{
			OPEN_AT(CSG_USER, EL0_OPEN),
			OPEN_AT(CSG_KERNEL, EL1_OPEN),
			IS(HYPERVISOR, CSG_KERNEL, EXCEPTION_LEVEL),
		},
	/* Guests are not traced upstream, so what is traced is taken for the host's. */
	[CSG_HV_PKVM] =
		{
			IS(HOST, CSG_USER, POLICY_DEFAULT),
			IS(HOST, CSG_KERNEL, POLICY_DEFAULT),
			IS(HYPERVISOR, CSG_KERNEL, EXCEPTION_LEVEL),
		},
	/* Xen has no user space of its own: below EL2 everything is a domain's. */
	[CSG_HV_XEN] =
		{
			IS(GUEST, CSG_USER, EXCEPTION_LEVEL),
			IS(GUEST, CSG_KERNEL, EXCEPTION_LEVEL),
			IS(HYPERVISOR, CSG_KERNEL, EXCEPTION_LEVEL),
		},
};

struct csg_verdict csg_policy_verdict(enum csg_hypervisor kind, const struct csg_context *context)
{
	const struct csg_verdict firmware = {
		.world = CSG_WORLD_FIRMWARE,
		.privilege = context->el == CSG_EL0 ? CSG_USER : CSG_KERNEL,
		.evidence = context->el == CSG_EL3 ? CSG_EVIDENCE_EXCEPTION_LEVEL
						   : CSG_EVIDENCE_SECURITY_STATE,
	};

	if (context->el == CSG_EL3 || context->security == CSG_SECURE ||
	    context->security == CSG_ROOT)
		return firmware;
	if (context->security == CSG_REALM)
		return (struct csg_verdict)OPEN(NOT_TRACED);
	if (context->el > CSG_EL2 || context->security == CSG_SECURITY_UNKNOWN)
		return (struct csg_verdict)OPEN(NO_CONTEXT);
	return table[kind][context->el];
}

const uint8_t csg_policy_traits[CSG_HV_COUNT] = {
	[CSG_HV_NONE] = CSG_TRAIT_NO_GUEST,
	[CSG_HV_KVM_VHE] = CSG_TRAIT_HOST_AT_EL2,
	[CSG_HV_KVM_NVHE] = CSG_TRAIT_SHARED_EL1,
	[CSG_HV_PKVM] = CSG_TRAIT_SHARED_EL1 | CSG_TRAIT_UNTRACED_GUEST,
	[CSG_HV_XEN] = CSG_TRAIT_DOMAINS,
};

uint32_t csg_hypervisor_traits(enum csg_hypervisor kind)
{
	return (unsigned int)kind < CSG_HV_COUNT ? csg_policy_traits[kind] : 0;
}
