/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/xen_list.h"

#include <inttypes.h>

#include "util/report.h"
#include "csguest/error.h"
#include "guest/attribution.h"
#include "world/policy.h"

#define REMEDY                                                                                     \
	"make it in Xen's control domain by csguest collect, or with: xl list; xl debug-keys q; "  \
	"xl dmesg"

static void tell_disputed(const struct csg_xen_domains *list, const char *path,
			  const struct csg_diag_sink *sink)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct csg_xen_domain *one = &list->entries[i];
		const struct csg_xen_domain *next = i + 1 < list->count ? one + 1 : NULL;

		/* Of several that had the VMID the first says it. */
		if (!one->disputed || (i && one[-1].vmid == one->vmid))
			continue;
		if (next && next->vmid == one->vmid)
			csg_report(sink, CSG_WARNING, CSG_E_OK, path, CSG_NO_OFFSET,
				   "give it with --guest NAME,vmid=N",
				   "VMID %" PRIu32 " was of domain %" PRIu32
				   " and of domain %" PRIu32 ": it identifies no domain",
				   one->vmid, one->domain, next->domain);
		else
			csg_report(sink, CSG_WARNING, CSG_E_OK, path, CSG_NO_OFFSET,
				   "give it with --guest NAME,vmid=N",
				   "VMID %" PRIu32 " was not domain %" PRIu32
				   "'s all the time: it identifies no domain",
				   one->vmid, one->domain);
	}
}

static int state(const struct csg_xen_domains *list, struct csg_attribution *attribution)
{
	int err = 0;

	for (size_t i = 0; !err && i < list->count; i++)
		err = csg_attribution_domain(attribution, list->entries[i].vmid,
					     list->entries[i].disputed);
	return err;
}

int csg_xen_list_load(struct csg_xen_domains *list, struct csg_attribution *attribution,
		      const char *path, const struct csg_diag_sink *sink)
{
	int err;

	if (!csg_policy_has(csg_attribution_hypervisor(attribution), CSG_TRAIT_DOMAINS))
		return csg_report(sink, CSG_ERROR, CSG_E_USAGE, path, CSG_NO_OFFSET,
				  "say that it does: --hypervisor xen",
				  "lists Xen's domains, but Xen does not run here");
	err = csg_xen_domains_read(list, path);
	if (err)
		return csg_report(sink, CSG_ERROR, -err, path, CSG_NO_OFFSET, REMEDY,
				  "the list of domains cannot be read: %s", csg_strerror(err));
	if (!list->count)
		return csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, CSG_NO_OFFSET, REMEDY,
				  "names no domain and its VMID");
	if (list->cut)
		csg_report(
			sink, CSG_WARNING, CSG_E_OK, path, CSG_NO_OFFSET,
			"have Xen keep more of its log (conring_size=64k on its command line), and "
			"make the list again",
			"the list of domains is cut: it may lack some");
	tell_disputed(list, path, sink);
	return state(list, attribution);
}
