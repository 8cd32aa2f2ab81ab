/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/domains.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"

void csg_domains_fini(struct csg_domains *domains)
{
	free(domains->vmids);
	*domains = (struct csg_domains){0};
}

/* Where it is, or would be. */
static size_t place_of(const struct csg_domains *domains, uint32_t vmid)
{
	size_t i;

	CSG_BISECT(i, domains->count, domains->vmids[i].vmid < vmid);
	return i;
}

static int insert(struct csg_domains *domains, size_t i, struct csg_domain_vmid entry)
{
	if (csg_array_grow((void **)&domains->vmids, domains->count, &domains->capacity,
			   sizeof(*domains->vmids)))
		return -CSG_E_NO_MEMORY;
	memmove(&domains->vmids[i + 1], &domains->vmids[i],
		(domains->count - i) * sizeof(*domains->vmids));
	domains->vmids[i] = entry;
	domains->count++;
	return 0;
}

static bool is_listed(const struct csg_domains *domains, size_t i, uint32_t vmid)
{
	return i < domains->count && domains->vmids[i].vmid == vmid;
}

int csg_domains_add(struct csg_domains *domains, uint32_t vmid, bool disputed)
{
	size_t i = place_of(domains, vmid);

	if (!is_listed(domains, i, vmid))
		return insert(domains, i, (struct csg_domain_vmid){vmid, disputed});
	domains->vmids[i].disputed = true;
	return 0;
}

int csg_domains_say(struct csg_domains *domains, uint32_t vmid)
{
	size_t i = place_of(domains, vmid);

	if (domains->count && !is_listed(domains, i, vmid))
		return insert(domains, i, (struct csg_domain_vmid){vmid, false});
	if (domains->count)
		domains->vmids[i].disputed = false;
	return 0;
}

void csg_domains_check(struct csg_domains *domains, struct csg_owner *owner)
{
	uint32_t vmid = (uint32_t)owner->vm;
	size_t i = place_of(domains, vmid);

	if (!domains->count)
		return;
	if (is_listed(domains, i, vmid)) {
		if (!domains->vmids[i].disputed)
			return;
		owner->reason = CSG_REASON_CONFLICT;
	} else {
		owner->reason = CSG_REASON_NO_DOMAIN;
		if (!domains->unlisted)
			domains->unlisted = vmid;
	}
	owner->vm = CSG_VM_UNKNOWN;
}
