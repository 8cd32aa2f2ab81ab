/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "encoder/etm.h"
#include "encoder/frame.h"
#include "encoder/perf_writer.h"
#include "encoder/tracing_data.h"
#include "encoder/snapshot_writer.h"
#include "scenario.h"

/* Host time in ns is the counter, 1 GHz, plus this. */
#define TIME_ZERO UINT64_C(40000000000)

uint64_t scn_time(uint64_t counter)
{
	return counter + TIME_ZERO;
}

struct csg_enc_model scn_unit(const struct scn *s, const struct csg_enc_model *model, unsigned cpu)
{
	struct csg_enc_model m = *model;

	m.trace_id = (uint8_t)(0x10 + (s->separate_sinks ? 0 : 2 * cpu));
	m.clock_mult = 1;
	m.clock_div = 10;
	m.clock_offset = 777000;
	return m;
}

/* One pass of a CPU as the sink holds it. */
static void trace(struct scn *s, const struct csg_enc_model *model, unsigned cpu, unsigned pass,
		  struct csg_enc_bytes *out)
{
	struct csg_enc_model unit = scn_unit(s, model, cpu);
	struct csg_enc_frames f = {0};
	struct csg_enc_etm etm;

	csg_enc_etm_init(&etm, &unit);
	if (csg_enc_etm_path(&etm, &s->cpus[cpu].passes[pass]) < 0)
		scn_die(NULL, "%s: cpu %u: %s", s->file, cpu, etm.error);
	if (s->raw) {
		csg_enc_bytes_put(out, etm.out.data, etm.out.size);
	} else {
		csg_enc_frames_barrier(&f);
		csg_enc_frames_put(&f, unit.trace_id, etm.out.data, etm.out.size);
		csg_enc_frames_flush(&f);
		csg_enc_bytes_put(out, f.out.data, f.out.size);
	}
	csg_enc_frames_fini(&f);
	csg_enc_etm_fini(&etm);
}

static unsigned cpu_count(const struct scn *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SCN_CPUS; i++)
		if (s->cpus[i].began)
			n = i + 1;
	return n;
}

static struct csg_enc_perf_sample sample(const struct scn_thread *t, unsigned cpu, uint64_t counter,
					 uint64_t id)
{
	if (t->kind == SCN_GUEST && t->on)
		t = t->on;
	return (struct csg_enc_perf_sample){(uint32_t)t->pid, (uint32_t)t->tid, cpu,
					    scn_time(counter), id + cpu};
}

/* The thread of the host that was there when tracing began: perf tells it. */
static const struct scn_thread *who_began(const struct scn *s, const struct scn_cpu *c)
{
	const struct scn_thread *t = c->first;

	if (s->per_thread)
		return &s->threads[0];
	return t->kind == SCN_GUEST && t->on ? t->on : t;
}

static void put_trace(struct scn *s, const struct csg_enc_model *model, struct csg_enc_perf *p,
		      unsigned cpu, uint64_t id)
{
	struct scn_cpu *c = &s->cpus[cpu];
	const struct scn_thread *t = who_began(s, c);
	struct csg_enc_perf_sample at = sample(t, cpu, c->begin[0] - 100, id);
	struct csg_enc_bytes aux = {0};

	csg_enc_perf_hw_id(p, scn_unit(s, model, cpu).trace_id, s->separate_sinks,
			   s->separate_sinks ? 0x100 + cpu : 0, &at);
	csg_enc_perf_itrace_start(p, at.pid, at.tid, &at);
	for (unsigned pass = 0; pass <= c->pass; pass++) {
		size_t begin = aux.size;

		at = sample(t, cpu, c->end[pass], id);
		trace(s, model, cpu, pass, &aux);
		csg_enc_perf_aux(p, begin, aux.size - begin, s->raw ? 0x100 : 0, &at);
	}
	csg_enc_perf_auxtrace(p, cpu, s->per_thread ? (uint32_t)t->tid : CSG_ENC_PERF_ANY, 0,
			      0x1234 + cpu, aux.data, aux.size);
	csg_enc_bytes_fini(&aux);
}

static int64_t ts_source(const struct scn *s, const struct csg_enc_model *model)
{
	if (s->has_ts_source)
		return s->ts_source;
	switch (model->clock) {
	case CSG_ENC_CLOCK_UNRELATED:
	case CSG_ENC_CLOCK_ZERO:
		return -1;
	case CSG_ENC_CLOCK_PHYSICAL:
		return 3;
	default:
		return 1;
	}
}

/* kvm:kvm_entry and kvm:kvm_exit, where something records them. */
static void add_kvm_events(struct scn_tape *tape)
{
	struct csg_enc_perf_event entry = {
		.type = 2, .config = CSG_ENC_KVM_ENTRY, .period = 1, .name = "kvm:kvm_entry"};
	struct csg_enc_perf_event out = {
		.type = 2, .config = CSG_ENC_KVM_EXIT, .period = 1, .name = "kvm:kvm_exit"};
	bool any = false, raw = false;

	for (unsigned i = 0; i < tape->scn->record_count; i++) {
		const struct scn_record *r = &tape->scn->records[i];
		const bool kvm = r->kind == SCN_KVM_ENTRY || r->kind == SCN_KVM_EXIT;

		any |= kvm;
		raw |= kvm && r->raw;
	}
	if (!any)
		return;
	entry.flags = out.flags = CSG_ENC_ATTR_SAMPLE_ID_ALL;
	entry.raw = out.raw = raw;
	tape->perf->options.tracing_data |= raw;
	tape->kvm_ids[0] = csg_enc_perf_add_event(tape->perf, &entry, CSG_ENC_PERF_ANY);
	tape->kvm_ids[1] = csg_enc_perf_add_event(tape->perf, &out, CSG_ENC_PERF_ANY);
}

/* sched:sched_waking and sched:sched_wakeup, where somebody is woken. */
static void add_wake_events(struct scn_tape *tape)
{
	static const struct csg_enc_perf_event events[] = {
		{.type = 2,
		 .config = CSG_ENC_SCHED_WAKING,
		 .period = 1,
		 .raw = true,
		 .flags = CSG_ENC_ATTR_SAMPLE_ID_ALL,
		 .name = "sched:sched_waking"},
		{.type = 2,
		 .config = CSG_ENC_SCHED_WAKEUP,
		 .period = 1,
		 .raw = true,
		 .flags = CSG_ENC_ATTR_SAMPLE_ID_ALL,
		 .name = "sched:sched_wakeup"},
	};
	bool any = false;

	for (unsigned i = 0; i < tape->scn->record_count; i++)
		any |= tape->scn->records[i].kind == SCN_WAKE;
	if (!any)
		return;
	tape->perf->options.tracing_data = true;
	for (unsigned i = 0; i < 2; i++)
		tape->wake_ids[i] =
			csg_enc_perf_add_event(tape->perf, &events[i], CSG_ENC_PERF_ANY);
}

/* The host's, and that of guests whose records were put among them. */
static void put_all_sideband(const struct scn_tape *host)
{
	const struct scn *s = host->scn;

	scn_sideband(host);
	for (unsigned i = 0; i < s->guest_count; i++) {
		struct scn_tape guest = *host;

		guest.vm = s->guests[i].vm;
		guest.injected = true;
		guest.id = s->guests[i].id;
		if (s->guests[i].injected)
			scn_sideband(&guest);
	}
}

static void write_perf(struct scn *s, const struct csg_enc_model *model, const char *path)
{
	struct csg_enc_model units[SCN_CPUS];
	struct csg_enc_bytes file = {0};
	struct csg_enc_perf p;
	struct scn_tape tape = {.scn = s, .perf = &p};
	uint64_t etm_id;
	unsigned cpus = cpu_count(s);
	uint32_t tid = s->per_thread ? (uint32_t)s->threads[0].tid : CSG_ENC_PERF_ANY;

	for (unsigned i = 0; i < cpus; i++)
		units[i] = scn_unit(s, model, i);
	csg_enc_perf_init(&p);
	p.options.cpus = cpus;
	p.options.hostname = "scenario";
	p.options.release = s->release ? s->release : "6.12.0";
	p.options.cmdline = "perf record -a -e cs_etm//GH";
	etm_id = csg_enc_perf_add_etm(
		&p, &units[0], CSG_ENC_ATTR_DISABLED | CSG_ENC_ATTR_INHERIT | s->etm_flags, tid);
	tape.id = csg_enc_perf_add_dummy(
		&p, SCN_SIDEBAND_FLAGS | (s->no_switches ? 0 : CSG_ENC_ATTR_CONTEXT_SWITCH), tid);
	add_kvm_events(&tape);
	add_wake_events(&tape);
	for (unsigned i = 0; i < s->guest_count; i++)
		if (s->guests[i].injected)
			s->guests[i].id = scn_sideband_ids(s, &s->guests[i], &p);
	csg_enc_perf_time_conv(&p, SCN_TIME_SHIFT, UINT64_C(1) << SCN_TIME_SHIFT, TIME_ZERO);
	csg_enc_perf_id_index(&p);
	csg_enc_perf_auxtrace_info(&p, 1, units, cpus, ts_source(s, model));
	put_all_sideband(&tape);
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		if (s->cpus[cpu].began)
			put_trace(s, model, &p, cpu, etm_id);
	csg_enc_perf_finished_round(&p);
	csg_enc_perf_finish(&p, &file);
	if (csg_enc_bytes_save(&file, path) < 0)
		scn_die(NULL, "%s: cannot be written", path);
	csg_enc_bytes_fini(&file);
	csg_enc_perf_fini(&p);
}

/* Memory as a debug probe sees it: all that is in a file, by exception level. */
static void write_snapshot(struct scn *s, const struct csg_enc_model *model, const char *directory)
{
	static const char *const spaces[] = {"EL1N", "EL1N", "EL2", "EL3"};
	static const char *const files[] = {"trace0.bin", "trace1.bin", "trace2.bin", "trace3.bin"};
	struct csg_enc_model units[SCN_CPUS];
	struct csg_enc_snapshot_buffer buffers[SCN_CPUS];
	struct csg_enc_snapshot_core cores[SCN_CPUS];
	struct csg_enc_snapshot_dump dumps[SCN_IMAGES];
	struct csg_enc_bytes bytes[SCN_CPUS] = {{0}};
	struct csg_enc_snapshot snapshot = {buffers, 0, cores, 0, dumps, 0};

	for (unsigned i = 0; i < cpu_count(s); i++) {
		units[i] = scn_unit(s, model, i);
		for (unsigned pass = 0; pass <= s->cpus[i].pass; pass++)
			trace(s, model, i, pass, &bytes[i]);
		buffers[i] = (struct csg_enc_snapshot_buffer){files[i], s->raw, bytes[i].data,
							      bytes[i].size};
		cores[i] = (struct csg_enc_snapshot_core){"ARMv8-A", &units[i], i};
		snapshot.buffer_count = ++snapshot.core_count;
	}
	for (unsigned i = 0; i < s->image_count; i++)
		if (s->images[i].path)
			dumps[snapshot.dump_count++] = (struct csg_enc_snapshot_dump){
				s->images[i].name, s->images[i].base, spaces[s->images[i].el & 3],
				s->images[i].code.data, s->images[i].code.size};
	if (csg_enc_snapshot_write(&snapshot, directory) < 0)
		scn_die(NULL, "%s: cannot be written", directory);
	for (unsigned i = 0; i < SCN_CPUS; i++)
		csg_enc_bytes_fini(&bytes[i]);
}

/* mkdir -p of the directories that lead to a file. */
void scn_make_way(const char *file)
{
	char path[1200];

	snprintf(path, sizeof(path), "%s", file);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			scn_die(NULL, "%s: %s", path, strerror(errno));
		*slash = '/';
	}
}

/* Where the files of a guest, or of a guest of it, are. */
static void machine_root(char *root, size_t size, const char *directory, int32_t vm, int32_t nested)
{
	if (nested)
		snprintf(root, size, "%.500s/guest/%d-%d", directory, vm, nested);
	else
		snprintf(root, size, "%.511s/guest/%d", directory, vm);
}

/* The files of the host below host/, a guest's below guest/VM/, a guest's of that below
 * guest/VM-VMM/. */
static void write_images(const struct scn *s, struct scn_place *place)
{
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct scn_thread *t = &s->threads[i];

		for (unsigned k = 0; k < t->image_count; k++) {
			const struct scn_image *image = t->images[k];
			bool kernel = image->path && !strncmp(image->path, "[", 1);
			char root[600], path[1200];

			if (!image->path || t->kind > SCN_GUEST)
				continue;
			snprintf(root, sizeof(root), "%s/%s", place->directory, "host");
			if (t->kind == SCN_GUEST)
				machine_root(root, sizeof(root), place->directory, t->vm, t->vmm);
			snprintf(path, sizeof(path), "%s%s", root,
				 kernel ? "/vmlinux" : image->path);
			scn_make_way(path);
			scn_image_save(image, path);
			if (kernel && t->kind == SCN_HOST) {
				place->has_vmlinux = true;
				snprintf(place->vmlinux, sizeof(place->vmlinux), "%.599s", path);
			} else if (kernel && !t->level) {
				place->has_guest = true;
				snprintf(place->guest_vmlinux, sizeof(place->guest_vmlinux),
					 "%.599s", path);
				snprintf(place->guest_root, sizeof(place->guest_root), "%s", root);
			}
		}
	}
}

/* Whether there is one guest only: the options for it are of no use otherwise. */
static bool one_guest(const struct scn *s)
{
	int32_t vm = 0;

	for (unsigned i = 0; i < s->thread_count; i++) {
		if (s->threads[i].kind != SCN_GUEST)
			continue;
		if (vm && s->threads[i].vm != vm)
			return false;
		vm = s->threads[i].vm;
	}
	return vm;
}

/* A guest's files, as --guest gives them. */
static struct scn_guest_place write_guest(const struct scn *s, const struct scn_guest *guest,
					  const char *directory)
{
	struct scn_guest_place g = {.root = ""};

	machine_root(g.root, sizeof(g.root), directory, guest->vm, guest->nested);
	snprintf(g.vmlinux, sizeof(g.vmlinux), "%s/vmlinux", g.root);
	if (access(g.vmlinux, R_OK))
		g.vmlinux[0] = 0;
	if (!guest->records || guest->injected)
		return g;
	snprintf(g.perf, sizeof(g.perf), "%.511s/guest-%d.data", directory, guest->vm);
	scn_sideband_of_guest(s, guest, g.perf);
	return g;
}

void scn_write(struct scn *s, const struct csg_enc_model *model, struct scn_place *place)
{
	snprintf(place->recording, sizeof(place->recording), "%s/%s", place->directory,
		 s->snapshot ? "snapshot" : "perf.data");
	snprintf(place->symfs, sizeof(place->symfs), "%s/host", place->directory);
	write_images(s, place);
	place->has_guest &= one_guest(s) && !s->guest_count;
	for (unsigned i = 0; i < s->guest_count; i++)
		place->guests[i] = write_guest(s, &s->guests[i], place->directory);
	if (s->snapshot) {
		char file[700];

		snprintf(file, sizeof(file), "%s/x", place->recording);
		scn_make_way(file);
		write_snapshot(s, model, place->recording);
	} else {
		write_perf(s, model, place->recording);
	}
}
