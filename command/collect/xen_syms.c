/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/xen_syms.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "csguest/symbol.h"

struct finder {
	const char *root, *version;
	const struct csg_build_id *running;
	struct csg_xen_syms *found;
	int rank;	 /* of what was found */
	const char *dir; /* where it was */
};

/* Whether the file is an ELF file, and its build ID, if it has one. */
static bool read_id(const char *path, struct csg_build_id *id)
{
	uint8_t bytes[CSG_BUILD_ID_MAX];
	int n = csg_file_build_id(path, bytes, sizeof(bytes));

	*id = csg_build_id_make(bytes, n > 0 ? (size_t)n : 0);
	return n >= 0;
}

static enum csg_xen_syms_is compare(const struct csg_build_id *running,
				    const struct csg_build_id *id)
{
	if (!running->size)
		return CSG_XEN_SYMS_UNCHECKED;
	return csg_build_id_equal(running, id) ? CSG_XEN_SYMS_SAME : CSG_XEN_SYMS_OTHER;
}

/* "xen-syms-4.17-arm64": the version is not the beginning of another. */
static bool has_version(const char *name, const char *version)
{
	const char *at = *version ? strstr(name, version) : NULL;
	char next = at ? at[strlen(version)] : '0';

	return next < '0' || next > '9';
}

static void try_file(struct finder *f, const char *dir, const char *name)
{
	struct csg_xen_syms candidate;
	struct csg_build_id id;
	char path[4096];
	int rank;

	if (snprintf(candidate.path, sizeof(candidate.path), "%s/%s", dir, name) >=
		    (int)sizeof(candidate.path) ||
	    snprintf(path, sizeof(path), "%s%s", f->root, candidate.path) >= (int)sizeof(path) ||
	    !read_id(path, &id))
		return;
	candidate.is = compare(f->running, &id);
	rank = candidate.is == CSG_XEN_SYMS_SAME ? 3 : has_version(name, f->version) ? 2 : 1;
	/* Of several in a folder the last by name, whatever their order there. */
	if (rank < f->rank ||
	    (rank == f->rank && (dir != f->dir || strcmp(candidate.path, f->found->path) < 0)))
		return;
	f->rank = rank;
	f->dir = dir;
	*f->found = candidate;
}

static void try_folder(struct finder *f, const char *dir)
{
	char path[4096];
	struct dirent *entry;
	DIR *d;

	snprintf(path, sizeof(path), "%s%s", f->root, dir);
	d = opendir(path);
	if (!d)
		return;
	while ((entry = readdir(d)))
		if (!strncmp(entry->d_name, "xen-syms", strlen("xen-syms")))
			try_file(f, dir, entry->d_name);
	closedir(d);
}

/* Where packages of debugging symbols put any file. */
static void try_build_id(struct finder *f)
{
	char text[CSG_BUILD_ID_TEXT], dir[64], name[CSG_BUILD_ID_TEXT + 8];

	if (f->running->size < 2)
		return;
	csg_build_id_text(f->running, text);
	snprintf(dir, sizeof(dir), "/usr/lib/debug/.build-id/%.2s", text);
	snprintf(name, sizeof(name), "%s.debug", text + 2);
	try_file(f, dir, name);
}

void csg_xen_syms_find(struct csg_xen_syms *found, const char *root, const char *version,
		       const struct csg_build_id *running)
{
	struct finder f = {.root = root, .version = version, .running = running, .found = found};
	static const char *const folders[] = {"/boot", "/usr/lib/debug/boot", "/usr/lib/debug"};

	*found = (struct csg_xen_syms){.is = CSG_XEN_SYMS_NONE};
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		try_folder(&f, folders[i]);
	try_build_id(&f);
}
