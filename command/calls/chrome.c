/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/chrome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "text/escape.h"
#include "text/exception_name.h"
#include "util/array.h"

/* Process numbers of the picture: a VM has 2 + its PID. */
#define PID_CPUS 0
#define PID_HOST 1
#define PID_VM(vm) (2 + (int64_t)(vm))
/* Threads of a guest beside its vCPUs. */
#define TID_GUEST(tid) (10000000 + (int64_t)(tid))
/* Idle threads, of which each CPU and vCPU has one, all with the TID 0. */
#define TID_IDLE(cpu) (100000000 + (int64_t)(cpu))

struct track {
	int64_t pid, tid; /* tid -1: the process itself */
};

/* That was begun. */
struct slice {
	struct track track;
	uint64_t end;
};

static void begin_event(struct csg_chrome *c)
{
	csg_out_str(c->out, c->events++ ? ",\n{" : "\n{");
}

/* A time in microseconds. */
static void micros(struct csg_out *out, uint64_t ns)
{
	csg_out_printf(out, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}

static void write_name(struct csg_chrome *c, const char *what, const struct track *track,
		       const char *name)
{
	begin_event(c);
	csg_out_printf(c->out, "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRId64 ",", what,
		       track->pid);
	if (track->tid >= 0)
		csg_out_printf(c->out, "\"tid\":%" PRId64 ",", track->tid);
	csg_out_str(c->out, "\"args\":{\"name\":");
	csg_out_json(c->out, name);
	csg_out_str(c->out, "}}");
}

/* Names a track when it is met first. */
static void name_track(struct csg_chrome *c, const struct track *track, const char *process,
		       const char *thread)
{
	const struct track whole = {track->pid, -1};
	size_t before = c->tracks.count;

	if (csg_keyset_add(&c->tracks, &whole) < 0)
		c->exits.error = -CSG_E_NO_MEMORY;
	else if (c->tracks.count > before)
		write_name(c, "process_name", &whole, process);
	before = c->tracks.count;
	if (csg_keyset_add(&c->tracks, track) < 0)
		c->exits.error = -CSG_E_NO_MEMORY;
	else if (c->tracks.count > before)
		write_name(c, "thread_name", track, thread);
}

/* Slices of a track follow each other: where their times say otherwise, as of a vCPU that moved
 * between CPUs, the later one begins where the earlier one ends. */
static void keep_apart(struct csg_chrome *c, const struct track *track, uint64_t *begin,
		       uint64_t *end)
{
	const int64_t number = csg_keyset_add(&c->tracks, track);

	if (number < 0 || csg_array_reach((void **)&c->latest, &c->latest_n, (size_t)number,
					  sizeof(*c->latest))) {
		c->exits.error = -CSG_E_NO_MEMORY;
		return;
	}
	if (*begin < c->latest[number])
		*begin = c->latest[number];
	if (*end < *begin)
		*end = *begin;
	c->latest[number] = *end;
}

static void write_event(struct csg_chrome *c, char phase, const struct track *track, uint64_t time)
{
	begin_event(c);
	csg_out_printf(c->out,
		       "\"ph\":\"%c\",\"pid\":%" PRId64 ",\"tid\":%" PRId64 ",\"ts\":", phase,
		       track->pid, track->tid);
	micros(c->out, time);
}

/* A slice of a track; its args follow, then end_slice(). */
static struct slice begin_slice(struct csg_chrome *c, const struct track *track, const char *name,
				const char *category, uint64_t begin, uint64_t end)
{
	keep_apart(c, track, &begin, &end);
	write_event(c, 'B', track, begin);
	csg_out_str(c->out, ",\"name\":");
	csg_out_json(c->out, name);
	csg_out_printf(c->out, ",\"cat\":\"%s\",\"args\":{", category);
	return (struct slice){*track, end};
}

static void end_slice(struct csg_chrome *c, const struct slice *slice)
{
	csg_out_str(c->out, "}}");
	write_event(c, 'E', &slice->track, slice->end);
	csg_out_char(c->out, '}');
}

static const char *privilege_of(const struct csg_owner *owner)
{
	return owner->privilege == CSG_USER ? "user" : "kernel";
}

static const char *comm_of(const struct csg_chrome *c, uint32_t owner, uint64_t time)
{
	const struct csg_lookup *l = &c->exits.lookup;
	const char *comm = l->comm(l->arg, owner, c->exits.timeless ? UINT64_MAX : time);

	return comm ? comm : "thread";
}

static const char *vm_text(int32_t vm, char *number)
{
	csg_vm_text(vm, number, CSG_VM_TEXT_SIZE);
	return number;
}

static void name_owner(const struct csg_chrome *c, uint32_t owner, uint64_t time, char *name,
		       size_t size)
{
	const struct csg_lookup *l = &c->exits.lookup;
	const struct csg_owner *o = l->owner(l->arg, owner);
	char number[CSG_VM_TEXT_SIZE];

	if (o->world == CSG_WORLD_GUEST && o->vcpu >= 0)
		snprintf(name, size, "vm %s vcpu %d %s", vm_text(o->vm, number), o->vcpu,
			 privilege_of(o));
	else if (o->world == CSG_WORLD_GUEST)
		snprintf(name, size, "guest %s", privilege_of(o));
	else if (o->world == CSG_WORLD_HOST && o->tid >= 0)
		snprintf(name, size, "%s %d %s", comm_of(c, owner, time), o->tid, privilege_of(o));
	else
		snprintf(name, size, "%s %s", csg_world_name(o->world), privilege_of(o));
}

static void owner_args(struct csg_chrome *c, const struct csg_owner *o, int32_t cpu)
{
	csg_out_printf(c->out, "\"world\":\"%s\",\"el\":%u,\"cpu\":%d", csg_world_name(o->world),
		       o->el, cpu);
	if (o->world == CSG_WORLD_GUEST)
		csg_out_printf(c->out, ",\"vm\":%d,\"vcpu\":%d", o->vm, o->vcpu);
	if (o->tid >= 0)
		csg_out_printf(c->out, ",\"pid\":%d,\"tid\":%d", o->pid, o->tid);
}

static void write_on(struct csg_chrome *c, const struct track *track, const char *name,
		     const struct csg_owner *o, int32_t cpu, uint64_t begin, uint64_t end)
{
	const struct slice slice =
		begin_slice(c, track, name, csg_world_name(o->world), begin, end);

	owner_args(c, o, cpu);
	end_slice(c, &slice);
}

static void name_thread(const struct csg_chrome *c, uint32_t owner, const struct csg_owner *o,
			int32_t cpu, uint64_t time, char *name, size_t size)
{
	if (o->tid)
		snprintf(name, size, "%.32s %d", comm_of(c, owner, time), o->tid);
	else
		snprintf(name, size, "idle, %s %d", o->world == CSG_WORLD_GUEST ? "vCPU" : "CPU",
			 cpu);
}

static void write_guest(struct csg_chrome *c, uint32_t owner, const struct csg_owner *o,
			int32_t cpu, uint64_t begin, uint64_t end)
{
	struct track track = {PID_VM(o->vm), o->vcpu};
	char process[32], thread[64], number[CSG_VM_TEXT_SIZE];

	snprintf(process, sizeof(process), "VM %s", vm_text(o->vm, number));
	snprintf(thread, sizeof(thread), "vCPU %d", o->vcpu);
	name_track(c, &track, process, thread);
	write_on(c, &track, privilege_of(o), o, cpu, begin, end);
	if (o->tid < 0)
		return;
	track.tid = o->tid ? TID_GUEST(o->tid) : TID_IDLE(o->vcpu);
	name_thread(c, owner, o, o->vcpu, begin, thread, sizeof(thread));
	name_track(c, &track, process, thread);
	write_on(c, &track, privilege_of(o), o, cpu, begin, end);
}

static void name_cpu(struct csg_chrome *c, const struct track *track, int32_t cpu)
{
	char name[64];

	snprintf(name, sizeof(name), "CPU %d", cpu);
	name_track(c, track, "CPUs", name);
}

/* Somebody had a CPU from begin to end. */
static void write_owned(struct csg_chrome *c, uint32_t stream, uint32_t owner, uint64_t begin,
			uint64_t end)
{
	const struct csg_lookup *l = &c->exits.lookup;
	const struct csg_owner o = *l->owner(l->arg, owner);
	struct track track = {PID_CPUS, stream};
	int32_t cpu = c->cpus[stream];
	char name[96], thread[64];

	name_cpu(c, &track, cpu);
	name_owner(c, owner, begin, name, sizeof(name));
	write_on(c, &track, name, &o, cpu, begin, end);
	if (o.world == CSG_WORLD_GUEST && o.vm >= 0 && o.vcpu >= 0)
		write_guest(c, owner, &o, cpu, begin, end);
	if (o.world != CSG_WORLD_HOST || o.tid < 0)
		return;
	track = (struct track){PID_HOST, o.tid ? o.tid : TID_IDLE(cpu)};
	name_thread(c, owner, &o, cpu, begin, thread, sizeof(thread));
	name_track(c, &track, "host", thread);
	write_on(c, &track, privilege_of(&o), &o, cpu, begin, end);
}

static void write_lost(struct csg_chrome *c, uint32_t stream, enum csg_gap gap, uint64_t begin,
		       uint64_t end)
{
	const struct track track = {PID_CPUS, stream};
	char name[64];
	struct slice slice;

	name_cpu(c, &track, c->cpus[stream]);
	snprintf(name, sizeof(name), "lost: %s", csg_gap_name(gap));
	slice = begin_slice(c, &track, name, "lost", begin, end);
	end_slice(c, &slice);
}

static void close_slice(struct csg_chrome *c, uint32_t stream, uint64_t time)
{
	struct csg_chrome_slice *slice = &c->slices[stream];

	if (slice->open && c->cut && !c->cut(c->exits.arg, &slice->begin, &time))
		slice->open = false;
	if (slice->open && slice->gap)
		write_lost(c, stream, (enum csg_gap)slice->gap, slice->begin, time);
	else if (slice->open)
		write_owned(c, stream, slice->owner, slice->begin, time);
	slice->open = false;
}

static void on_slice(void *arg, uint32_t stream, uint64_t time, uint32_t owner, enum csg_gap gap)
{
	struct csg_chrome *c = arg;

	close_slice(c, stream, time);
	/* What was lost is nobody's. */
	if (c->filter.passes &&
	    (gap ||
	     !csg_owner_filter_passes(&c->filter, owner, c->exits.timeless ? UINT64_MAX : time)))
		return;
	c->slices[stream] = (struct csg_chrome_slice){
		.begin = time, .owner = owner, .gap = (uint8_t)gap, .open = true};
}

static void on_guest_exit(void *arg, const struct csg_exit_key *key, uint32_t note, uint64_t begin,
			  uint64_t end)
{
	struct csg_chrome *c = arg;
	const struct track track = {PID_VM(key->vm), key->vcpu};
	const char *handler = key->handler ? csg_lookup_function(&c->exits.lookup,
								 c->exits.follower, key->handler)
						     .name
					   : NULL;
	char name[160];
	struct slice slice;

	(void)note;
	if (key->vm < 0 || key->vcpu < 0)
		return;
	snprintf(name, sizeof(name), "exit: %s%s%.100s", csg_exception_name(key->exception),
		 handler ? " " : "", handler ? handler : "");
	slice = begin_slice(c, &track, name, key->fast ? "exit,fast" : "exit", begin, end);
	csg_out_printf(c->out,
		       "\"exception\":\"%s\",\"handler\":", csg_exception_name(key->exception));
	csg_out_json(c->out, handler);
	csg_out_printf(c->out, ",\"fast\":%s,\"from\":\"%s\"", key->fast ? "true" : "false",
		       key->user ? "EL0" : "EL1");
	end_slice(c, &slice);
}

/* An instant on a track. */
static void write_instant(struct csg_chrome *c, const struct track *track, uint64_t time,
			  uint64_t value)
{
	write_event(c, 'i', track, time);
	csg_out_printf(c->out,
		       ",\"s\":\"t\",\"name\":\"instrumentation 0x%" PRIx64
		       "\",\"cat\":\"instrumentation\",\"args\":{\"value\":\"0x%" PRIx64 "\"}}",
		       value, value);
}

/* On the CPU, and on the vCPU or thread that it is of, which have tracks where a slice named them. */
static void on_instrumented(void *arg, uint32_t stream, uint64_t time, uint32_t owner,
			    uint64_t value)
{
	struct csg_chrome *c = arg;
	const struct csg_lookup *l = &c->exits.lookup;
	const struct csg_owner *o = l->owner(l->arg, owner);
	const struct track cpu = {PID_CPUS, stream}, vcpu = {PID_VM(o->vm), o->vcpu},
			   thread = {PID_HOST, o->tid ? o->tid : TID_IDLE(c->cpus[stream])};
	uint64_t end = time;

	if ((c->filter.passes &&
	     !csg_owner_filter_passes(&c->filter, owner, c->exits.timeless ? UINT64_MAX : time)) ||
	    (c->cut && !c->cut(c->exits.arg, &time, &end)))
		return;
	write_instant(c, &cpu, time, value);
	if (o->world == CSG_WORLD_GUEST && o->vm >= 0 && o->vcpu >= 0)
		write_instant(c, &vcpu, time, value);
	if (o->world == CSG_WORLD_HOST && o->tid >= 0)
		write_instant(c, &thread, time, value);
}

int csg_chrome_open(struct csg_chrome *c, const struct csg_lookup *lookup, size_t streams)
{
	csg_keyset_init(&c->tracks, sizeof(struct track));
	c->streams = streams;
	c->slices = calloc(streams + 1, sizeof(*c->slices));
	if (!c->slices)
		return -CSG_E_NO_MEMORY;
	c->exits.by_vcpu = true;
	c->exits.watcher = (struct csg_exits_watcher){c, on_slice, on_instrumented, on_guest_exit};
	csg_out_str(c->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return csg_exits_open(&c->exits, lookup, streams);
}

void csg_chrome_close(struct csg_chrome *c)
{
	csg_exits_close(&c->exits);
	csg_keyset_fini(&c->tracks);
	free(c->latest);
	c->latest = NULL;
	free(c->slices);
	c->slices = NULL;
}

int csg_chrome_next(struct csg_chrome *c)
{
	return csg_exits_next(&c->exits);
}

int csg_chrome_finish(struct csg_chrome *c)
{
	int err = csg_exits_finish(&c->exits);

	for (uint32_t i = 0; i < c->streams; i++)
		close_slice(c, i, c->exits.log.streams[i].latest);
	csg_out_str(c->out, "\n]}\n");
	return err ? err : c->exits.error;
}
