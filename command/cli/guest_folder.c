/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guest_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/report.h"

struct reader {
	struct csg_guest_list *list;
	const char *dir;
	const struct csg_diag_sink *sink;
};

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* DIR/NAME, which the list keeps, to *at where it is there and nothing was said before. */
static int take_file(struct csg_guest_list *list, const char *dir, const char *name,
		     const char **at)
{
	char *path;

	if (*at)
		return 0;
	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -CSG_E_NO_MEMORY;
	if (access(path, F_OK)) {
		free(path);
		return 0;
	}
	*at = path;
	return csg_guest_list_keep(list, path);
}

/* What csguest collect made in the guest. */
static int take_folder(struct csg_guest_list *list, struct csg_guest_files *guest, const char *dir)
{
	int err = take_file(list, dir, "perf.data", &guest->perf);

	if (!err && !guest->files.kcore)
		err = take_file(list, dir, "kallsyms", &guest->files.kallsyms);
	if (!err)
		err = take_file(list, dir, "vmlinux", &guest->files.vmlinux);
	if (!err)
		err = take_file(list, dir, "root", &guest->files.root);
	return err;
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

static int no_recording(const struct reader *r, const char *path)
{
	csg_report(r->sink, CSG_WARNING, 0, path, CSG_NO_OFFSET,
		   "put there what csguest collect makes in a guest, or a perf.data",
		   "not used: no recording of a guest");
	return 0;
}

/* What lies at path: a recording, what csguest collect made, or nothing of a guest. */
enum entry_kind { ENTRY_NONE, ENTRY_RECORDING, ENTRY_FOLDER };

static enum entry_kind kind_of(const char *path)
{
	char file[4096];

	if (!is_directory(path))
		return ENTRY_RECORDING;
	if (snprintf(file, sizeof(file), "%s/data", path) < (int)sizeof(file) &&
	    !access(file, F_OK))
		return ENTRY_RECORDING;
	if (snprintf(file, sizeof(file), "%s/perf.data", path) < (int)sizeof(file) &&
	    !access(file, F_OK))
		return ENTRY_FOLDER;
	return ENTRY_NONE;
}

static int add_guest(const struct reader *r, const char *entry, const char *path,
		     enum entry_kind kind)
{
	struct csg_guest_files *guest;
	char *name = strndup(entry, name_length(entry));
	int err = name ? csg_guest_list_keep(r->list, name) : -CSG_E_NO_MEMORY;

	if (!err)
		err = csg_guest_list_named(r->list, name, &guest);
	if (err || guest->perf)
		return err;
	if (kind == ENTRY_RECORDING)
		return take_file(r->list, r->dir, entry, &guest->perf);
	return take_folder(r->list, guest, path);
}

static int read_entry(const struct reader *r, const char *entry)
{
	enum entry_kind kind;
	char *path;
	int err;

	if (asprintf(&path, "%s/%s", r->dir, entry) < 0)
		return -CSG_E_NO_MEMORY;
	kind = kind_of(path);
	err = kind == ENTRY_NONE ? no_recording(r, path) : add_guest(r, entry, path, kind);
	free(path);
	return err;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int csg_guest_folder_read(struct csg_guest_list *list, const char *dir,
			  const struct csg_diag_sink *sink)
{
	const struct reader r = {list, dir, sink};
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
		if (!err)
			err = read_entry(&r, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return err;
}
