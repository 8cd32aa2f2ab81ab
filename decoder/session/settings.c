/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "files/collect_folder.h"
#include "files/guest_folder.h"
#include "world/policy.h"

#define ALL_FLAGS                                                                                  \
	(CSG_SESSION_COUNTS | CSG_SESSION_NO_CODE | CSG_SESSION_NO_DEMANGLE |                      \
	 CSG_SESSION_NO_LOCAL_FILES | CSG_SESSION_KEEP_SIDEBAND)
#define MOST_ENTRIES 1000000u /* in an array of the caller's */

/* The settings as they are made: the first error counts. */
struct maker {
	struct csg_settings *settings;
	int err;
};

static void fail(struct maker *m, int err)
{
	if (!m->err)
		m->err = err;
}

static const char *text(struct maker *m, const char *theirs)
{
	char *ours = theirs ? csg_arena_string(&m->settings->memory, theirs) : NULL;

	if (theirs && !ours)
		fail(m, -CSG_E_NO_MEMORY);
	return ours;
}

/* A copy of n entries of size bytes; NULL where there are none. */
static void *array(struct maker *m, const void *theirs, size_t n, size_t size)
{
	void *ours;

	if (!n)
		return NULL;
	if (!theirs || n > MOST_ENTRIES) {
		fail(m, -CSG_E_USAGE);
		return NULL;
	}
	ours = csg_arena_alloc(&m->settings->memory, n * size);
	if (ours)
		memcpy(ours, theirs, n * size);
	else
		fail(m, -CSG_E_NO_MEMORY);
	return ours;
}

static struct csg_kernel_options kernel_of(struct maker *m, const struct csg_kernel_files *theirs)
{
	struct csg_kernel_files files;

	if (csg_abi_take(&files, sizeof(files), sizeof(files), theirs)) {
		fail(m, -CSG_E_USAGE);
		return (struct csg_kernel_options){0};
	}
	return (struct csg_kernel_options){
		.vmlinux = text(m, files.vmlinux),
		.kcore = text(m, files.kcore),
		.kallsyms = text(m, files.kallsyms),
		.root = text(m, files.root),
	};
}

static void set_guest(struct maker *m, struct csg_guest_options *ours, const void *theirs)
{
	struct csg_guest_files guest;

	if (csg_abi_take(&guest, sizeof(guest), sizeof(guest), theirs)) {
		fail(m, -CSG_E_USAGE);
		return;
	}
	/* Where nothing is said of its kernel, nothing is said of the size either. */
	if (!guest.files.size)
		guest.files.size = sizeof(guest.files);
	*ours = (struct csg_guest_options){
		.name = text(m, guest.name ? guest.name : ""),
		.perf = text(m, guest.perf),
		.pid = guest.pid,
		.is_domain = guest.is_domain,
		.has_domain = guest.has_domain,
		.domain = guest.domain,
		.has_offset = guest.has_offset,
		.maps_latest = guest.maps_latest,
		.offset = guest.offset,
		.files = kernel_of(m, &guest.files),
		.nested = guest.nested,
	};
}

static void set_guests(struct maker *m, const struct csg_session_options *o)
{
	struct csg_guest_options *guests;

	if (!o->guest_count)
		return;
	if (!o->guests || o->guest_count > MOST_ENTRIES) {
		fail(m, -CSG_E_USAGE);
		return;
	}
	guests = csg_arena_alloc(&m->settings->memory, o->guest_count * sizeof(*guests));
	if (!guests) {
		fail(m, -CSG_E_NO_MEMORY);
		return;
	}
	for (size_t i = 0; i < o->guest_count; i++)
		set_guest(m, &guests[i], (const char *)o->guests + i * o->guests->size);
	m->settings->setup.guests = guests;
	m->settings->setup.guest_count = o->guest_count;
}

static void set_filter(struct maker *m, const struct csg_filter *theirs)
{
	struct csg_filter *f = &m->settings->filter;

	if (csg_abi_take(f, sizeof(*f), sizeof(*f), theirs)) {
		fail(m, -CSG_E_USAGE);
		return;
	}
	f->cpus = array(m, f->cpus, f->cpu_count, sizeof(*f->cpus));
	f->vms = array(m, f->vms, f->vm_count, sizeof(*f->vms));
	f->vcpus = array(m, f->vcpus, f->vcpu_count, sizeof(*f->vcpus));
	f->pids = array(m, f->pids, f->pid_count, sizeof(*f->pids));
	f->tids = array(m, f->tids, f->tid_count, sizeof(*f->tids));
	m->settings->setup.filter = f;
}

static bool is_valid(const struct csg_session_options *o)
{
	return !(o->flags & ~ALL_FLAGS) && (unsigned int)o->hypervisor < CSG_HV_COUNT &&
	       (unsigned int)o->engine <= CSG_ENGINE_OPENCSD && o->threads <= CSG_THREADS_MAX;
}

static void set_files(struct maker *m, const struct csg_session_options *o)
{
	struct csg_session_setup *s = &m->settings->setup;

	s->image = (struct csg_image_options){
		.symfs = text(m, o->symfs),
		.buildid_dir = text(m, o->buildid_dir),
		.use_paths = !(o->flags & CSG_SESSION_NO_LOCAL_FILES),
		.demangle = !(o->flags & CSG_SESSION_NO_DEMANGLE),
	};
	s->tmpdir = text(m, o->tmpdir);
	s->guestmount = text(m, o->guestmount);
	s->kvm_list = text(m, o->kvm_list);
	s->xen_list = text(m, o->xen_list);
	if (o->kernel)
		s->kernel = kernel_of(m, o->kernel);
	if (o->only_guest) {
		s->has_guest = true;
		s->guest = kernel_of(m, o->only_guest);
	}
}

/* --- the folder of csguest collect --- */

/* The guest of this name, which is made where there is none; NULL: no memory. */
static struct csg_guest_options *guest_named(struct maker *m, const char *name)
{
	struct csg_session_setup *s = &m->settings->setup;
	struct csg_guest_options *guests;

	for (size_t i = 0; i < s->guest_count; i++)
		if (!strcmp(s->guests[i].name, name))
			return (struct csg_guest_options *)&s->guests[i];
	guests = csg_arena_alloc(&m->settings->memory, (s->guest_count + 1) * sizeof(*guests));
	if (!guests) {
		fail(m, -CSG_E_NO_MEMORY);
		return NULL;
	}
	if (s->guest_count)
		memcpy(guests, s->guests, s->guest_count * sizeof(*guests));
	guests[s->guest_count] = (struct csg_guest_options){.name = text(m, name)};
	s->guests = guests;
	return &guests[s->guest_count++];
}

static void complete(struct maker *m, const char **ours, const char *found)
{
	if (!*ours)
		*ours = text(m, found);
}

static int take_guest(void *arg, const struct csg_guest_folder_entry *entry)
{
	struct maker *m = arg;
	struct csg_guest_options *guest = guest_named(m, entry->name);

	if (guest && !guest->perf) {
		complete(m, &guest->perf, entry->perf);
		if (!guest->files.kcore)
			complete(m, &guest->files.kallsyms, entry->kallsyms);
		complete(m, &guest->files.vmlinux, entry->vmlinux);
		complete(m, &guest->files.root, entry->root);
	}
	return m->err;
}

/* A snapshot from outside, and what Xen's control domain recorded beside it. */
static void take_dom0(struct maker *m, const struct csg_folder *folder)
{
	struct csg_session_setup *s = &m->settings->setup;
	struct csg_guest_options *guest;

	complete(m, &s->kernel.vmlinux, folder->xen_syms);
	if (s->hypervisor == CSG_HV_AUTO && folder->xen_list)
		s->hypervisor = csg_hypervisor_parse("xen");
	guest = csg_policy_has(s->hypervisor, CSG_TRAIT_DOMAINS) ? guest_named(m, "dom0") : NULL;
	if (!guest || guest->perf)
		return;
	complete(m, &guest->perf, folder->dom0);
	guest->has_domain |= !guest->pid;
}

/* What it holds besides the trace takes the place of options that were not given. */
static void look_into_folder(struct maker *m)
{
	struct csg_session_setup *s = &m->settings->setup;
	struct csg_folder folder;
	int err = csg_folder_look(&folder, s->input);

	if (!err && folder.recording) {
		s->input = text(m, folder.recording);
		complete(m, &s->kvm_list, folder.kvm_list);
		complete(m, &s->xen_list, folder.xen_list);
		if (folder.dom0)
			take_dom0(m, &folder);
		else if (!s->kernel.kcore)
			complete(m, &s->kernel.kallsyms, folder.kallsyms);
		if (folder.guests)
			err = csg_guest_folder_each(folder.guests, &m->settings->sink, take_guest,
						    m);
	}
	csg_folder_fini(&folder);
	if (err)
		fail(m, err);
}

static void make(struct maker *m, const char *path, const struct csg_session_options *o)
{
	struct csg_session_setup *s = &m->settings->setup;

	if (!is_valid(o)) {
		fail(m, -CSG_E_USAGE);
		return;
	}
	s->input = text(m, path);
	s->hypervisor = o->hypervisor;
	s->engine = o->engine;
	s->threads = o->threads ? o->threads : 1;
	s->only_cpu = s->only_trace_id = -1;
	s->counts = o->flags & CSG_SESSION_COUNTS;
	s->keep = o->flags & CSG_SESSION_KEEP_SIDEBAND;
	s->no_code = o->flags & CSG_SESSION_NO_CODE;
	s->progress = o->progress;
	s->progress_arg = o->progress_arg;
	if (o->sink)
		m->settings->sink = *o->sink;
	set_files(m, o);
	set_guests(m, o);
	s->vcpus = array(m, o->vcpus, o->vcpu_count, sizeof(*o->vcpus));
	s->vcpu_count = o->vcpu_count;
	if (o->filter)
		set_filter(m, o->filter);
	if (!m->err)
		look_into_folder(m);
}

int csg_settings_create(struct csg_settings **settings, const char *path,
			const struct csg_session_options *options)
{
	struct csg_session_options own = {.size = sizeof(own)};
	struct maker m = {.settings = calloc(1, sizeof(*m.settings))};

	*settings = NULL;
	if (!m.settings)
		return -CSG_E_NO_MEMORY;
	if (options)
		m.err = csg_abi_take(&own, sizeof(own), sizeof(own), options);
	if (!m.err)
		make(&m, path, &own);
	if (m.err)
		csg_settings_destroy(m.settings);
	else
		*settings = m.settings;
	return m.err;
}

void csg_settings_destroy(struct csg_settings *settings)
{
	if (!settings)
		return;
	csg_arena_fini(&settings->memory);
	free(settings);
}
