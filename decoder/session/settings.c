/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "files/collect_folder.h"
#include "files/guest_folder.h"

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
	s->facts = text(m, o->facts);
	if (o->kernel)
		s->kernel = kernel_of(m, o->kernel);
	if (o->only_guest) {
		s->has_guest = true;
		s->guest = kernel_of(m, o->only_guest);
	}
}

/* --- the folder of csguest collect --- */

/* What it completes: while the settings are made. */
struct completed {
	struct csg_folder folder;
	struct csg_kernel_files kernel;
	struct csg_guest_list guests;
};

static int list_guests(struct csg_guest_list *list, const struct csg_session_options *o)
{
	int err =
		o->guest_count && (!o->guests || o->guest_count > MOST_ENTRIES) ? -CSG_E_USAGE : 0;

	for (size_t i = 0; !err && i < o->guest_count; i++) {
		const void *theirs = (const char *)o->guests + i * o->guests->size;
		struct csg_guest_files *guest;

		err = csg_guest_list_add(list, "", &guest);
		if (err)
			return err;
		err = csg_abi_take(guest, sizeof(*guest), sizeof(*guest), theirs);
		guest->size = sizeof(*guest);
		guest->name = guest->name ? guest->name : "";
	}
	return err;
}

/* What it holds besides the trace takes the place of options that were not given. */
static int complete(struct completed *c, const char **path, struct csg_session_options *o)
{
	int err = csg_folder_look(&c->folder, *path);

	if (err || !c->folder.recording)
		return err;
	*path = c->folder.recording;
	if (o->kernel)
		err = csg_abi_take(&c->kernel, sizeof(c->kernel), sizeof(c->kernel), o->kernel);
	c->kernel.size = sizeof(c->kernel);
	if (!err)
		err = list_guests(&c->guests, o);
	if (!err)
		err = csg_folder_complete(&c->folder, o, &c->kernel, &c->guests);
	if (!err && c->folder.guests)
		err = csg_guest_folder_read(&c->guests, c->folder.guests, o->sink);
	o->kernel = &c->kernel;
	o->guests = c->guests.guests;
	o->guest_count = c->guests.count;
	return err;
}

static void make(struct maker *m, const char *path, const struct csg_session_options *o)
{
	struct csg_session_setup *s = &m->settings->setup;

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
}

int csg_settings_create(struct csg_settings **settings, const char *path,
			const struct csg_session_options *options)
{
	struct csg_session_options own = {.size = sizeof(own)};
	struct maker m = {.settings = calloc(1, sizeof(*m.settings))};
	struct completed completed = {0};

	*settings = NULL;
	if (!m.settings)
		return -CSG_E_NO_MEMORY;
	if (options)
		m.err = csg_abi_take(&own, sizeof(own), sizeof(own), options);
	if (!m.err && !is_valid(&own))
		m.err = -CSG_E_USAGE;
	if (!m.err)
		m.err = complete(&completed, &path, &own);
	if (!m.err)
		make(&m, path, &own);
	csg_folder_fini(&completed.folder);
	csg_guest_list_fini(&completed.guests);
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
