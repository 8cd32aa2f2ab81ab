/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/vm_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options.h"
#include "csguest/error.h"
#include "files/text_lines.h"
#include "util/array.h"
#include "util/report.h"

#define BLANK " \t\r"

/* The next word; NULL where there is none, or "-". */
static const char *take_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, BLANK);
	while (word && !*word);
	return word && strcmp(word, "-") ? word : NULL;
}

static bool read_name(struct csg_vm_name *n)
{
	char *rest = n->text;
	const char *pid = take_word(&rest);
	int64_t number;

	if (!pid || !csg_number_parse(pid, 1, INT32_MAX, &number))
		return false;
	n->pid = (int32_t)number;
	n->name = take_word(&rest);
	n->uuid = take_word(&rest);
	return n->name || n->uuid;
}

/* 1: it names a VM. */
static int add_line(struct csg_vm_names *names, const char *line)
{
	struct csg_vm_name n = {0};

	line += strspn(line, BLANK);
	if (!*line || *line == '#')
		return 1;
	if (csg_array_grow((void **)&names->names, names->count, &names->capacity,
			   sizeof(*names->names)))
		return -CSG_E_NO_MEMORY;
	n.text = strdup(line);
	if (!n.text)
		return -CSG_E_NO_MEMORY;
	if (!read_name(&n)) {
		free(n.text);
		return 0;
	}
	names->names[names->count++] = n;
	return 1;
}

int csg_vm_names_read(struct csg_vm_names *names, const char *path,
		      const struct csg_diag_sink *sink)
{
	static const char remedy[] = "a line is PID NAME UUID; csguest collect writes vm-names";
	struct csg_text_lines lines;
	char *line;
	int err = csg_text_lines_open(&lines, path), ret = 1, named = 1;

	while (!err && named > 0 && (ret = csg_text_lines_next(&lines, &line)) > 0)
		named = add_line(names, line);
	if (!named)
		err = csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, lines.offset, remedy,
				 "no PID of a VMM with a name or UUID in line %llu",
				 (unsigned long long)lines.line);
	else if (named < 0)
		err = named;
	else if (err || ret < 0)
		err = csg_report(sink, CSG_ERROR, err ? -err : -ret, path, CSG_NO_OFFSET, remedy,
				 "names of VMs cannot be read: %s", csg_strerror(err ? err : ret));
	csg_text_lines_close(&lines);
	return err;
}

void csg_vm_names_fini(struct csg_vm_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i].text);
	free(names->names);
	*names = (struct csg_vm_names){0};
}

bool csg_vm_names_is(const struct csg_vm_names *names, int32_t vm, const char *uuid, size_t length)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct csg_vm_name *n = &names->names[i];

		if (n->pid == vm && n->uuid && strlen(n->uuid) == length &&
		    !strncasecmp(n->uuid, uuid, length))
			return true;
	}
	return false;
}

/* Whether the user said the name of this VM. */
static bool is_named(const struct csg_guest_list *guests, int32_t pid)
{
	for (size_t i = 0; i < guests->count; i++)
		if (guests->guests[i].pid == pid)
			return true;
	return false;
}

/* A guest of this name of which nothing says which VM it is in. */
static struct csg_guest_files *find_unplaced(const struct csg_guest_list *guests, const char *name)
{
	for (size_t i = 0; i < guests->count; i++) {
		struct csg_guest_files *g = &guests->guests[i];

		if (!strcmp(g->name, name) && !g->pid && !g->has_domain)
			return g;
	}
	return NULL;
}

int csg_vm_names_give(const struct csg_vm_names *names, struct csg_guest_list *guests)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct csg_vm_name *n = &names->names[i];
		struct csg_guest_files *guest;
		int err;

		if (!n->name || is_named(guests, n->pid))
			continue;
		guest = find_unplaced(guests, n->name);
		err = guest ? 0 : csg_guest_list_add(guests, n->name, &guest);
		if (err)
			return err;
		guest->pid = n->pid;
	}
	return 0;
}
