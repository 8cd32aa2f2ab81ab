/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose VMIDs are under Xen, as its list of domains has it (files/xen_domains.h).
 *
 * Without a list every VMID is a domain's, of which no more is known than that number.  With one, a
 * VMID that it lacks is of a domain that came or went, and one that it disputes may have been
 * either's: the VM is unknown.
 */
#ifndef DECODER_GUEST_FACTS_DOMAINS_H
#define DECODER_GUEST_FACTS_DOMAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/owner.h"

struct csg_domain_vmid {
	uint32_t vmid;
	bool disputed;
};

struct csg_domains {
	struct csg_domain_vmid *vmids; /* sorted; none: there is no list */
	size_t count, capacity;
	uint32_t unlisted; /* the first that was met and is not listed; 0: none */
};

void csg_domains_fini(struct csg_domains *domains);

/* What the list has; a VMID that is stated twice is disputed.  0 or -CSG_E_NO_MEMORY. */
int csg_domains_add(struct csg_domains *domains, uint32_t vmid, bool disputed);

/* The user says whose it is: no longer disputed, or listed after all.  0 or -CSG_E_NO_MEMORY. */
int csg_domains_say(struct csg_domains *domains, uint32_t vmid);

/* owner->vm was named by its VMID: leaves it unknown where the list does not bear it. */
void csg_domains_check(struct csg_domains *domains, struct csg_owner *owner);

#endif
