/* SPDX-License-Identifier: BSD-3-Clause */
/* Xen's list of its domains. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/input.h"
#include "files/xen_domains.h"

/* Takes the lines of a text that ends with 0. */
static void read_all(struct csg_xen_domains *list, char *text)
{
	while (text) {
		char *line = strsep(&text, "\n");

		fuzz_require(!csg_xen_domains_line(list, line), "a line is taken");
	}
	fuzz_require(!csg_xen_domains_end(list), "a list ends");
}

static void check_entry(const struct csg_xen_domains *list, const struct csg_xen_domain *entry)
{
	const struct csg_xen_domain *found;

	fuzz_require(entry->vmid > 0 && entry->vmid <= 0xffff && entry->domain < 0x7ff0,
		     "an entry has a domain and its VMID");
	fuzz_require(*entry->name && memchr(entry->name, 0, sizeof(entry->name)) != NULL,
		     "a domain has a name");
	found = csg_xen_domains_of_vmid(list, entry->vmid);
	fuzz_require(found && found->vmid == entry->vmid, "a VMID is found");
	fuzz_require(found == entry || (found->disputed && entry->disputed),
		     "a VMID is one domain's, or disputed");
	found = csg_xen_domains_of_number(list, entry->domain);
	fuzz_require(found == entry || (!found && entry->disputed),
		     "a domain has one VMID, or all are disputed");
	found = csg_xen_domains_of_name(list, entry->name);
	fuzz_require(!found || found == entry, "a name is one domain's");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csg_xen_domains list = {0};
	char *text = malloc(size + 1);

	if (!text || size > 65536) {
		free(text);
		return 0;
	}
	memcpy(text, data, size);
	text[size] = 0;
	read_all(&list, text);
	for (size_t i = 0; i < list.count; i++)
		check_entry(&list, &list.entries[i]);
	csg_xen_domains_fini(&list);
	free(text);
	return 0;
}
