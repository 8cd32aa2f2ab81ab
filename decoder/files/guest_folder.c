/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/guest_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/report.h"

/* A guest: its name, and paths; NULL: it is not there. */
struct entry {
	char *name, *perf, *kallsyms, *vmlinux, *root;
};

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* DIR/NAME goes to *at where it is there. */
static int find(const char *dir, const char *name, char **at)
{
	if (asprintf(at, "%s/%s", dir, name) < 0) {
		*at = NULL;
		return -CSG_E_NO_MEMORY;
	}
	if (access(*at, F_OK)) {
		free(*at);
		*at = NULL;
	}
	return 0;
}

/* "web", of "web", "web.data" or "web.perf.data": its length. */
static size_t name_length(const char *entry)
{
	static const char *const ends[] = {".perf.data", ".data"};
	const size_t length = strlen(entry);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const size_t end = strlen(ends[i]);

		if (length > end && !strcmp(entry + length - end, ends[i]))
			return length - end;
	}
	return length;
}

/* What lies at path: a recording, or what csguest collect made; its perf is NULL: nothing of a
 * guest. */
static int find_files(struct entry *guest, const char *path)
{
	char *data = NULL;
	int err = 0;

	if (is_directory(path))
		err = find(path, "data", &data);
	if (!err && (data || !is_directory(path))) {
		guest->perf = strdup(path);
		err = guest->perf ? 0 : -CSG_E_NO_MEMORY;
	} else if (!err) {
		err = find(path, "perf.data", &guest->perf);
		if (!err)
			err = find(path, "kallsyms", &guest->kallsyms);
		if (!err)
			err = find(path, "vmlinux", &guest->vmlinux);
		if (!err)
			err = find(path, "root", &guest->root);
	}
	free(data);
	return err;
}

static int read_entry(const char *dir, const char *entry, struct entry *guest,
		      const struct csg_diag_sink *sink)
{
	char *path;
	int err;

	guest->name = strndup(entry, name_length(entry));
	if (!guest->name || asprintf(&path, "%s/%s", dir, entry) < 0)
		return -CSG_E_NO_MEMORY;
	err = find_files(guest, path);
	if (!err && !guest->perf)
		csg_report(sink, CSG_WARNING, 0, path, CSG_NO_OFFSET,
			   "put there what csguest collect makes in a guest, or a perf.data",
			   "not used: no recording of a guest");
	free(path);
	return err;
}

/* The list gets the text, unless there is none or *at was given. */
static int take(struct csg_guest_list *list, char **text, const char **at)
{
	char *const taken = *text;
	int err;

	if (*at || !taken)
		return 0;
	*text = NULL;
	err = csg_guest_list_keep(list, taken);
	*at = err ? NULL : taken;
	return err;
}

static int take_guest(struct csg_guest_list *list, struct entry *entry)
{
	struct csg_guest_files *guest;
	const char *name = NULL;
	int err = take(list, &entry->name, &name);

	if (!err)
		err = csg_guest_list_named(list, name, &guest);
	if (err || guest->perf)
		return err;
	err = take(list, &entry->perf, &guest->perf);
	if (!err && !guest->files.kcore)
		err = take(list, &entry->kallsyms, &guest->files.kallsyms);
	if (!err)
		err = take(list, &entry->vmlinux, &guest->files.vmlinux);
	return err ? err : take(list, &entry->root, &guest->files.root);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int csg_guest_folder_read(struct csg_guest_list *list, const char *dir,
			  const struct csg_diag_sink *sink)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_shown, alphasort), err = 0;

	if (n < 0 && errno == ENOMEM)
		return -CSG_E_NO_MEMORY;
	if (n < 0)
		return csg_report(sink, CSG_ERROR, errno == ENOENT ? CSG_E_NOT_FOUND : CSG_E_IO,
				  dir, CSG_NO_OFFSET,
				  "name the folder that holds the guests' recordings", "%s",
				  strerror(errno));
	for (int i = 0; i < n; i++) {
		struct entry guest = {0};

		if (!err)
			err = read_entry(dir, entries[i]->d_name, &guest, sink);
		if (!err && guest.perf)
			err = take_guest(list, &guest);
		free(guest.name);
		free(guest.perf);
		free(guest.kallsyms);
		free(guest.vmlinux);
		free(guest.root);
		free(entries[i]);
	}
	free(entries);
	return err;
}
