/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guest_option.h"

#include <string.h>

#include "cli/options.h"
#include "csguest/error.h"

#define SAID_TWICE "--guest %s: of pid, vmid and domain one is said"

/* Where the value of a key that is a string goes; NULL: there is no such key. */
static const char **string_of(struct csg_guest_files *guest, const char *key)
{
	const struct {
		const char *key;
		const char **at;
	} keys[] = {
		{"perf", &guest->perf},
		{"vmlinux", &guest->files.vmlinux},
		{"kallsyms", &guest->files.kallsyms},
		{"kcore", &guest->files.kcore},
		{"root", &guest->files.root},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i].key, key))
			return keys[i].at;
	return NULL;
}

/* Which machine it is: the PID of its VMM, as VMs are numbered (700#2), or a Xen domain's VMID. */
static int set_vm(const char *command, struct csg_guest_files *guest, const char *key,
		  const char *value)
{
	bool vmid = !strcmp(key, "vmid");
	int64_t vm = vmid ? 0 : csg_vm_of_text(value);

	if (vm <= 0 && !csg_number_parse(value, 1, vmid ? UINT16_MAX : INT32_MAX, &vm))
		return csg_usage_error(command, "--guest %s: %s is a number above 0, not '%s'",
				       guest->name, key, value);
	if (guest->pid || guest->has_domain)
		return csg_usage_error(command, SAID_TWICE, guest->name);
	guest->pid = (int32_t)vm;
	guest->is_domain = vmid;
	return 0;
}

/* By its number Xen's list has a domain's VMID. */
static int set_domain(const char *command, struct csg_guest_files *guest, const char *value)
{
	int64_t domain;

	if (!csg_number_parse(value, 0, UINT16_MAX, &domain))
		return csg_usage_error(command, "--guest %s: domain is a number, not '%s'",
				       guest->name, value);
	if (guest->pid || guest->has_domain)
		return csg_usage_error(command, SAID_TWICE, guest->name);
	guest->domain = (uint32_t)domain;
	guest->has_domain = true;
	return 0;
}

static int set_offset(const char *command, struct csg_guest_files *guest, const char *value)
{
	if (!csg_number_parse(value, INT64_MIN, INT64_MAX, &guest->offset))
		return csg_usage_error(command, "--guest %s: offset is a number of ticks, not '%s'",
				       guest->name, value);
	guest->has_offset = true;
	return 0;
}

static int set_maps(const char *command, struct csg_guest_files *guest, const char *value)
{
	if (strcmp(value, "latest"))
		return csg_usage_error(command, "--guest %s: maps is 'latest', not '%s'",
				       guest->name, value);
	guest->maps_latest = true;
	return 0;
}

static int set_nested(const char *command, struct csg_guest_files *guest, const char *value)
{
	int64_t nested;

	if (!csg_number_parse(value, 1, INT32_MAX, &nested))
		return csg_usage_error(command, "--guest %s: nested is a number above 0, not '%s'",
				       guest->name, value);
	guest->nested = (int32_t)nested;
	return 0;
}

static int set_key(const char *command, struct csg_guest_files *guest, char *word)
{
	char *value = strchr(word, '=');
	const char **string;

	if (!value || !value[1])
		return csg_usage_error(command, "--guest %s: expected KEY=VALUE, not '%s'",
				       guest->name, word);
	*value++ = 0;
	if (!strcmp(word, "pid") || !strcmp(word, "vmid"))
		return set_vm(command, guest, word, value);
	if (!strcmp(word, "domain"))
		return set_domain(command, guest, value);
	if (!strcmp(word, "nested"))
		return set_nested(command, guest, value);
	if (!strcmp(word, "offset"))
		return set_offset(command, guest, value);
	if (!strcmp(word, "maps"))
		return set_maps(command, guest, value);
	string = string_of(guest, word);
	if (!string)
		return csg_usage_error(command, "--guest %s: there is no key '%s'", guest->name,
				       word);
	*string = value;
	return 0;
}

static int parse(const char *command, struct csg_guest_files *guest, char *text)
{
	char *rest = text;

	guest->name = strsep(&rest, ",");
	if (!*guest->name || strchr(guest->name, '='))
		return csg_usage_error(command, "--guest begins with a name, not '%s'", text);
	while (rest) {
		int err = set_key(command, guest, strsep(&rest, ","));

		if (err)
			return err;
	}
	return 0;
}

int csg_guest_option(void *data, const char *arg)
{
	struct csg_guest_list *list = data;
	struct csg_guest_files *guest;
	char *text = strdup(arg);
	int err = text ? csg_guest_list_keep(list, text) : -CSG_E_NO_MEMORY;

	if (!err)
		err = csg_guest_list_add(list, text, &guest);
	return err ? err : parse(list->command, guest, text);
}
