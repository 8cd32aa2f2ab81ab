/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Policies: whom each exception level belongs to under each kind of hypervisor.
 *
 * Tables: all other code asks for traits, and names no kind.  What a table cannot settle (EL0
 * under KVM with VHE is the host's or a guest's) it leaves open for world/world.h.
 */
#ifndef DECODER_WORLD_POLICY_H
#define DECODER_WORLD_POLICY_H

#include "csguest/context.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"

/* What a policy says of an exception level. */
struct csg_verdict {
	uint8_t world;	   /* enum csg_world */
	uint8_t privilege; /* enum csg_privilege */
	uint8_t reason;	   /* enum csg_reason where world is unknown */
	bool neighbours;   /* EL0 that the neighbouring exception levels may settle otherwise */
	uint32_t evidence; /* set of enum csg_evidence_source */
};

/* The verdict on a context; kind is neither AUTO nor out of range. */
struct csg_verdict csg_policy_verdict(enum csg_hypervisor kind, const struct csg_context *context);

/* csg_hypervisor_traits(), of a kind that is not out of range. */
extern const uint8_t csg_policy_traits[CSG_HV_COUNT];

static inline bool csg_policy_has(enum csg_hypervisor kind, enum csg_hypervisor_trait trait)
{
	return csg_policy_traits[kind] & trait;
}

/*
 * Host and guests share EL1 and EL0, and stretches distinguish them (world/stretch.h).  What these
 * leave open where guests are not traced is the host's by default.
 */
static inline bool csg_policy_shares_el1(enum csg_hypervisor kind)
{
	return csg_policy_has(kind, CSG_TRAIT_SHARED_EL1);
}

#endif
