/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/vm_identity.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_SIZE 65536

/* As a list of lines can hold it. */
static void put(char *to, size_t size, const char *text, size_t length)
{
	size_t n = length < size - 1 ? length : size - 1;

	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)text[i] <= ' ' || text[i] == 0x7f || text[i] == ','
				? '_'
				: text[i];
	to[n] = 0;
}

/* --- QEMU's options --- */

/* "web", or "guest=web" among others: -name [guest=]NAME[,KEY=VALUE...] */
static void take_name(struct csg_vm_identity *vm, const char *value)
{
	static const char key[] = "guest=";

	for (const char *part = value; part;
	     part = strchr(part, ',') ? strchr(part, ',') + 1 : NULL) {
		size_t length = strcspn(part, ",");
		bool keyed = !strncmp(part, key, strlen(key));

		if (keyed)
			put(vm->name, sizeof(vm->name), part + strlen(key), length - strlen(key));
		else if (part == value && !memchr(part, '=', length))
			put(vm->name, sizeof(vm->name), part, length);
	}
}

void csg_vm_identity_by_options(struct csg_vm_identity *vm, const char *line, size_t size)
{
	const char *before = "";

	for (size_t at = 0; at < size; at += strnlen(line + at, size - at) + 1) {
		const char *word = line + at;

		if (!memchr(word, 0, size - at))
			return;
		if (!strcmp(before, "-name") || !strcmp(before, "--name"))
			take_name(vm, word);
		if (!strcmp(before, "-uuid") || !strcmp(before, "--uuid"))
			put(vm->uuid, sizeof(vm->uuid), word, strlen(word));
		before = word;
	}
}

/* --- cgroups --- */

static int hex(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* systemd writes "-" as "\x2d" in names of units. */
static size_t unescape(char *to, size_t size, const char *text, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length && n < size - 1; i++) {
		if (i + 3 < length && text[i] == '\\' && text[i + 1] == 'x' &&
		    hex(text[i + 2]) >= 0 && hex(text[i + 3]) >= 0) {
			to[n++] = (char)(hex(text[i + 2]) * 16 + hex(text[i + 3]));
			i += 3;
		} else {
			to[n++] = text[i];
		}
	}
	to[n] = 0;
	return n;
}

/* machine-qemu\x2d3\x2dweb.scope: libvirt's driver, a number, the name. */
static void take_scope(struct csg_vm_identity *vm, const char *line)
{
	static const char begin[] = "/machine-";
	const char *at = strstr(line, begin), *end = at ? strstr(at, ".scope") : NULL;
	char text[256];
	int driver = 0;

	if (!end || memchr(at + 1, '/', (size_t)(end - at - 1)))
		return;
	at += strlen(begin);
	unescape(text, sizeof(text), at, (size_t)(end - at));
	sscanf(text, "qemu-%*d-%n", &driver);
	put(vm->name, sizeof(vm->name), text + driver, strlen(text + driver));
}

/* kubepods-burstable-pod1234_....slice, or kubepods/pod1234-...: the UID of the pod. */
static void take_pod(struct csg_vm_identity *vm, const char *line)
{
	const char *at = strstr(line, "kubepods");
	char uid[CSG_VM_UUID];
	size_t n = 0;

	while (at && n != sizeof(uid) - 1) {
		at = strstr(at + 1, "pod");
		n = at ? strspn(at + 3, "0123456789abcdefABCDEF_-") : 0;
	}
	if (!at)
		return;
	for (size_t i = 0; i < n; i++)
		uid[i] = at[3 + i] == '_' ? '-' : at[3 + i];
	uid[n] = 0;
	snprintf(vm->name, sizeof(vm->name), "pod-%s", uid);
	if (!*vm->uuid)
		snprintf(vm->uuid, sizeof(vm->uuid), "%s", uid);
}

void csg_vm_identity_by_cgroup(struct csg_vm_identity *vm, const char *line)
{
	if (!*vm->name)
		take_scope(vm, line);
	if (!*vm->name)
		take_pod(vm, line);
}

/* --- a process --- */

static FILE *open_of(const struct csg_vm_identity *vm, const char *root, const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/proc/%d/%s", root, vm->pid, file);
	return fopen(path, "re");
}

void csg_vm_identity_find(struct csg_vm_identity *vm, const char *root)
{
	char line[LINE_MAX_SIZE];
	FILE *f = open_of(vm, root, "cmdline");

	*vm->name = *vm->uuid = 0;
	if (f) {
		csg_vm_identity_by_options(vm, line, fread(line, 1, sizeof(line), f));
		fclose(f);
	}
	f = open_of(vm, root, "cgroup");
	while (f && fgets(line, sizeof(line), f))
		csg_vm_identity_by_cgroup(vm, line);
	if (f)
		fclose(f);
}

bool csg_vm_identity_any(const struct csg_vm_identity *vms, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (*vms[i].name || *vms[i].uuid)
			return true;
	return false;
}
