/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/collect_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"

/* The path of a file of the folder goes to *at; NULL where it is not there. */
static int find(const char *folder, const char *name, char **at)
{
	*at = NULL;
	if (asprintf(at, "%s/%s", folder, name) < 0) {
		*at = NULL;
		return -CSG_E_NO_MEMORY;
	}
	if (access(*at, F_OK)) {
		free(*at);
		*at = NULL;
	}
	return 0;
}

/* perf record --kcore makes a directory with "data", a snapshot has snapshot.ini. */
static int is_recording(const char *path, bool *is)
{
	static const char *const files[] = {"data", "snapshot.ini"};
	int err = 0;

	*is = false;
	for (size_t i = 0; !err && !*is && i < sizeof(files) / sizeof(files[0]); i++) {
		char *file;

		err = find(path, files[i], &file);
		*is = file != NULL;
		free(file);
	}
	return err;
}

/* The trace; of dom0, beside a snapshot, perf.data is its own. */
static int find_recording(struct csg_folder *f, const char *path)
{
	char *perf, *snapshot;
	int err = find(path, "perf.data", &perf);

	if (err)
		return err;
	err = find(path, "snapshot", &snapshot);
	f->recording = snapshot ? snapshot : perf;
	f->dom0 = snapshot ? perf : NULL;
	return err;
}

int csg_folder_look(struct csg_folder *f, const char *path)
{
	const struct {
		const char *name;
		char **at;
	} files[] = {
		{"kvm-list", &f->kvm_list}, {"xen-list", &f->xen_list}, {"xen-syms", &f->xen_syms},
		{"kallsyms", &f->kallsyms}, {"guests", &f->guests},	{"vm-names", &f->vm_names},
	};
	bool is;
	int err = is_recording(path, &is);

	*f = (struct csg_folder){0};
	if (!err && !is)
		err = find_recording(f, path);
	for (size_t i = 0; !err && f->recording && i < sizeof(files) / sizeof(files[0]); i++)
		err = find(path, files[i].name, files[i].at);
	return err;
}

void csg_folder_fini(struct csg_folder *f)
{
	free(f->recording);
	free(f->dom0);
	free(f->kvm_list);
	free(f->xen_list);
	free(f->xen_syms);
	free(f->kallsyms);
	free(f->vm_names);
	free(f->guests);
	*f = (struct csg_folder){0};
}
