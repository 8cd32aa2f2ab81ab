/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/collect_folder.h"

#include <stdbool.h>
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

static void set(const char **option, const char *found)
{
	if (!*option)
		*option = found;
}

/* What dom0 recorded of itself is that of a guest. */
static int add_dom0(const struct csg_folder *f, struct csg_guest_list *guests)
{
	struct csg_guest_files *guest;
	int err = csg_guest_list_named(guests, "dom0", &guest);

	if (err || guest->perf)
		return err;
	guest->perf = f->dom0;
	guest->has_domain |= !guest->pid;
	return 0;
}

int csg_folder_complete(const struct csg_folder *f, struct csg_session_options *options,
			struct csg_kernel_files *kernel, struct csg_guest_list *guests)
{
	set(&options->kvm_list, f->kvm_list);
	set(&options->xen_list, f->xen_list);
	if (!f->dom0) {
		if (!kernel->kcore)
			set(&kernel->kallsyms, f->kallsyms);
		return 0;
	}
	/* Xen is what a trace from outside, beside a list of its domains, was recorded under. */
	set(&kernel->vmlinux, f->xen_syms);
	if (options->hypervisor == CSG_HV_AUTO && f->xen_list)
		options->hypervisor = CSG_HV_XEN;
	return options->hypervisor == CSG_HV_XEN ? add_dom0(f, guests) : 0;
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
