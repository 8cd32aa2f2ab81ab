/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/chrome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/chrome_write.h"
#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "text/escape.h"
#include "text/exception_name.h"
#include "text/nested_text.h"
#include "text/vm_name.h"
#include "util/array.h"

/* Process numbers of the picture: a VM has 2 + its PID. */
#define PID_CPUS 0
#define PID_HOST 1
#define PID_VM(vm) (2 + (int64_t)(vm))
/* Threads of a guest beside its vCPUs. */
#define TID_GUEST(tid) (10000000 + (int64_t)(tid))
/* Idle threads, of which each CPU and vCPU has one, all with the TID 0. */
#define TID_IDLE(cpu) (100000000 + (int64_t)(cpu))
#define TID_FUNCTIONS(vcpu) (200000000 + (int64_t)(vcpu))

#define NOBODY UINT32_MAX

/* Kinds of events for csg_exits_log(). */
enum {
	SHOW, /* from now on what runs passes the filter by code */
	HIDE,
	ENTER, /* a function, its label; address: VM << 32 | vCPU */
	LEAVE,
	INSTRUMENTED, /* TRCIT was executed with a value */
};

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

static const char *name_vm(const struct csg_chrome *c, int32_t vm, char name[CSG_VM_NAME_SIZE])
{
	const struct csg_lookup *l = &c->exits.lookup;

	return csg_vm_name(csg_lookup_guest(l, vm), vm, name);
}

static void name_owner(const struct csg_chrome *c, uint32_t owner, uint64_t time, char *name,
		       size_t size)
{
	const struct csg_lookup *l = &c->exits.lookup;
	const struct csg_owner *o = l->owner(l->arg, owner);
	char vm[CSG_VM_NAME_SIZE], nested[CSG_NESTED_TEXT_SIZE];

	csg_nested_text(o->level, o->nested, nested, sizeof(nested));
	if (o->world == CSG_WORLD_GUEST && o->vcpu >= 0)
		snprintf(name, size, "%s vCPU %d%s %s", name_vm(c, o->vm, vm), o->vcpu, nested,
			 privilege_of(o));
	else if (o->world == CSG_WORLD_GUEST)
		snprintf(name, size, "guest%s %s", nested, privilege_of(o));
	else if (o->world == CSG_WORLD_HOST && o->tid >= 0)
		snprintf(name, size, "%s %d %s", comm_of(c, owner, time), o->tid, privilege_of(o));
	else
		snprintf(name, size, "%s %s", csg_world_name(o->world), privilege_of(o));
}

struct on_cpu {
	const struct csg_owner *owner;
	int32_t cpu;
};

static void owner_args(struct csg_out *out, const void *arg)
{
	const struct on_cpu *on = arg;
	const struct csg_owner *o = on->owner;

	csg_out_printf(out, "\"world\":\"%s\",\"el\":%u,\"cpu\":%d", csg_world_name(o->world),
		       o->el, on->cpu);
	if (o->world == CSG_WORLD_GUEST)
		csg_out_printf(out, ",\"vm\":%d,\"vcpu\":%d", o->vm, o->vcpu);
	if (o->tid >= 0)
		csg_out_printf(out, ",\"pid\":%d,\"tid\":%d", o->pid, o->tid);
	if (o->level == CSG_LEVEL_NESTED)
		csg_out_printf(out, ",\"level\":%d,\"nested\":%d", o->level, o->nested);
}

static void write_on(struct csg_chrome *c, const struct csg_chrome_track *track, const char *name,
		     const struct csg_owner *o, int32_t cpu, uint64_t begin, uint64_t end)
{
	const struct on_cpu on = {o, cpu};
	const struct csg_chrome_slice_text text = {track, name, csg_world_name(o->world),
						   owner_args, &on};

	csg_chrome_write_slice(&c->to, &text, begin, end);
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
	struct csg_chrome_track track = {PID_VM(o->vm), o->vcpu};
	char process[CSG_VM_NAME_SIZE], thread[64], nested[CSG_NESTED_TEXT_SIZE], name[48];

	name_vm(c, o->vm, process);
	snprintf(thread, sizeof(thread), "vCPU %d", o->vcpu);
	csg_chrome_name_track(&c->to, &track, process, thread);
	csg_nested_text(o->level, o->nested, nested, sizeof(nested));
	snprintf(name, sizeof(name), "%s %s", nested, privilege_of(o));
	write_on(c, &track, &name[1], o, cpu, begin, end);
	if (o->tid < 0)
		return;
	track.tid = o->tid ? TID_GUEST(o->tid) : TID_IDLE(o->vcpu);
	name_thread(c, owner, o, o->vcpu, begin, thread, sizeof(thread));
	csg_chrome_name_track(&c->to, &track, process, thread);
	write_on(c, &track, privilege_of(o), o, cpu, begin, end);
}

static void name_cpu(struct csg_chrome *c, const struct csg_chrome_track *track, int32_t cpu)
{
	char name[64];

	snprintf(name, sizeof(name), "CPU %d", cpu);
	csg_chrome_name_track(&c->to, track, "CPUs", name);
}

/* Somebody had a CPU from begin to end. */
static void write_owned(struct csg_chrome *c, uint32_t stream, uint32_t owner, uint64_t begin,
			uint64_t end)
{
	const struct csg_lookup *l = &c->exits.lookup;
	const struct csg_owner o = *l->owner(l->arg, owner);
	struct csg_chrome_track track = {PID_CPUS, stream};
	int32_t cpu = c->cpus[stream];
	char name[160], thread[64];

	name_cpu(c, &track, cpu);
	name_owner(c, owner, begin, name, sizeof(name));
	write_on(c, &track, name, &o, cpu, begin, end);
	if (o.world == CSG_WORLD_GUEST && o.vm >= 0 && o.vcpu >= 0)
		write_guest(c, owner, &o, cpu, begin, end);
	if (o.world != CSG_WORLD_HOST || o.tid < 0)
		return;
	track = (struct csg_chrome_track){PID_HOST, o.tid ? o.tid : TID_IDLE(cpu)};
	name_thread(c, owner, &o, cpu, begin, thread, sizeof(thread));
	csg_chrome_name_track(&c->to, &track, "host", thread);
	write_on(c, &track, privilege_of(&o), &o, cpu, begin, end);
}

static void write_lost(struct csg_chrome *c, uint32_t stream, enum csg_gap gap, uint64_t begin,
		       uint64_t end)
{
	const struct csg_chrome_track track = {PID_CPUS, stream};
	char name[64];
	const struct csg_chrome_slice_text text = {
		.track = &track, .name = name, .category = "lost"};

	name_cpu(c, &track, c->cpus[stream]);
	snprintf(name, sizeof(name), "lost: %s", csg_gap_name(gap));
	csg_chrome_write_slice(&c->to, &text, begin, end);
}

static void close_slice(struct csg_chrome *c, uint32_t stream, uint64_t time)
{
	struct csg_chrome_slice *slice = &c->slices[stream];
	const struct csg_slice_windows *windows = csg_call_filter_windows(&c->exits.filter);

	for (size_t i = 0; slice->open && i < windows->n; i++) {
		uint64_t begin = slice->begin, end = time;

		if (!csg_slice_window_cut_time(&windows->at[i], &begin, &end))
			continue;
		if (slice->gap)
			write_lost(c, stream, (enum csg_gap)slice->gap, begin, end);
		else
			write_owned(c, stream, slice->owner, begin, end);
	}
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

struct exit_text {
	const struct csg_exit_key *key;
	const char *handler; /* or NULL */
};

static void exit_args(struct csg_out *out, const void *arg)
{
	const struct exit_text *text = arg;
	const struct csg_exit_key *key = text->key;

	csg_out_printf(out,
		       "\"exception\":\"%s\",\"handler\":", csg_exception_name(key->exception));
	csg_out_json(out, text->handler);
	csg_out_printf(out, ",\"fast\":%s,\"from\":\"%s\"", key->fast ? "true" : "false",
		       key->user ? "EL0" : "EL1");
}

static void on_guest_exit(void *arg, const struct csg_exit_key *key, uint32_t note, uint64_t begin,
			  uint64_t end)
{
	struct csg_chrome *c = arg;
	const struct csg_chrome_track track = {PID_VM(key->vm), key->vcpu};
	const struct exit_text args = {key, key->handler ? csg_lookup_function(&c->exits.lookup,
									       c->exits.follower,
									       key->handler)
								   .name
							 : NULL};
	char name[160];
	const struct csg_chrome_slice_text text = {&track, name, key->fast ? "exit,fast" : "exit",
						   exit_args, &args};

	(void)note;
	if (key->vm < 0 || key->vcpu < 0)
		return;
	snprintf(name, sizeof(name), "exit: %s%s%.100s", csg_exception_name(key->exception),
		 args.handler ? " " : "", args.handler ? args.handler : "");
	csg_chrome_write_slice(&c->to, &text, begin, end);
}

/* An instant on a track. */
static void write_instant(struct csg_chrome *c, const struct csg_chrome_track *track, uint64_t time,
			  uint64_t value)
{
	csg_chrome_write_event(&c->to, 'i', track, time);
	csg_out_printf(c->to.out,
		       ",\"s\":\"t\",\"name\":\"instrumentation 0x%" PRIx64
		       "\",\"cat\":\"instrumentation\",\"args\":{\"value\":\"0x%" PRIx64 "\"}}",
		       value, value);
}

/* On the CPU, and on the vCPU or thread that it is of, which have tracks where a slice named
 * them. */
static void on_instrumented(struct csg_chrome *c, const struct csg_call_event *event)
{
	const struct csg_lookup *l = &c->exits.lookup;
	const struct csg_owner *o = l->owner(l->arg, event->owner);
	const int32_t idle = c->cpus[event->stream];
	const struct csg_chrome_track cpu = {PID_CPUS, event->stream},
				      vcpu = {PID_VM(o->vm), o->vcpu},
				      thread = {PID_HOST, o->tid ? o->tid : TID_IDLE(idle)};

	if (!csg_owner_filter_passes(&c->filter, event->owner,
				     c->exits.timeless ? UINT64_MAX : event->time) ||
	    !csg_slice_windows_have(csg_call_filter_windows(&c->exits.filter), event->time))
		return;
	write_instant(c, &cpu, event->time, event->value);
	if (o->world == CSG_WORLD_GUEST && o->vm >= 0 && o->vcpu >= 0)
		write_instant(c, &vcpu, event->time, event->value);
	if (o->world == CSG_WORLD_HOST && o->tid >= 0)
		write_instant(c, &thread, event->time, event->value);
}

/* --- functions --- */

struct function_writer {
	struct csg_chrome *c;
	const struct csg_chrome_track *track;
	struct csg_chrome_calls *calls;
};

static void write_function(void *arg, bool entry, uint64_t time, size_t depth, uint64_t label)
{
	const struct function_writer *w = arg;
	struct csg_chrome *c = w->c;
	const uint64_t least = w->calls->time + (entry != w->calls->entry);
	char name[256];

	(void)depth;
	/* Tools put beginnings and ends of one time into an order of their own. */
	if (time < least)
		time = least;
	w->calls->time = time;
	w->calls->entry = entry;
	csg_chrome_write_event(&c->to, entry ? 'B' : 'E', w->track, time);
	csg_out_str(c->to.out, ",\"cat\":\"function\",\"name\":");
	csg_out_json(c->to.out, csg_lookup_function_text(&c->exits.lookup, c->exits.follower,
							 (uint32_t)label, name, sizeof(name)));
	csg_out_char(c->to.out, '}');
}

static void name_functions(struct csg_chrome *c, const struct csg_chrome_track *track, int32_t vm,
			   int32_t vcpu)
{
	const struct csg_chrome_track whole = {track->pid, -1};
	const size_t before = c->to.tracks.count;
	char name[CSG_VM_NAME_SIZE];

	name_vm(c, vm, name);
	if (csg_chrome_track_number(&c->to, &whole) >= 0 && c->to.tracks.count > before)
		csg_chrome_write_name(&c->to, "process_name", &whole, name);
	snprintf(name, sizeof(name), "vCPU %d functions", vcpu);
	csg_chrome_write_name(&c->to, "thread_name", track, name);
}

static void on_function(struct csg_chrome *c, const struct csg_call_event *event)
{
	const int32_t vm = (int32_t)(event->address >> 32), vcpu = (int32_t)event->address;
	const struct csg_chrome_track track = {PID_VM(vm), TID_FUNCTIONS(vcpu)};
	struct function_writer writer = {.c = c, .track = &track};
	const struct csg_nest_client client = {csg_call_filter_windows(&c->exits.filter),
					       write_function, &writer};
	const size_t before = c->to.tracks.count;
	const int64_t number = csg_chrome_track_number(&c->to, &track);

	if (c->to.tracks.count > before)
		name_functions(c, &track, vm, vcpu);
	if (number < 0 ||
	    csg_array_reach((void **)&c->calls, &c->call_n, (size_t)number, sizeof(*c->calls))) {
		c->to.error = -CSG_E_NO_MEMORY;
		return;
	}
	writer.calls = &c->calls[number];
	if (c->to.latest[number] < event->time)
		c->to.latest[number] = event->time;
	if (event->kind == LEAVE)
		csg_nest_leave(&writer.calls->nest, &client, c->to.latest[number]);
	else if (csg_nest_enter(&writer.calls->nest, &client, c->to.latest[number], event->label))
		c->to.error = -CSG_E_NO_MEMORY;
}

static void on_logged(void *arg, const struct csg_call_event *event)
{
	struct csg_chrome *c = arg;

	if (event->kind == SHOW)
		on_slice(c, event->stream, event->time, event->owner, CSG_GAP_NONE);
	else if (event->kind == HIDE)
		close_slice(c, event->stream, event->time);
	else if (event->kind == INSTRUMENTED)
		on_instrumented(c, event);
	else
		on_function(c, event);
}

static int log_function(void *arg, uint32_t stream, const struct csg_chrome_lane *lane, bool entry,
			uint32_t label)
{
	struct csg_chrome *c = arg;
	const struct csg_call_event event = {
		.stream = stream,
		.label = label,
		.address = (uint64_t)(uint32_t)lane->vm << 32 | (uint32_t)lane->vcpu,
		.kind = entry ? ENTER : LEAVE,
	};

	csg_exits_log(&c->exits, &event);
	return c->exits.error ? c->exits.error : c->to.error;
}

static void show(struct csg_chrome *c, uint32_t stream, uint32_t owner)
{
	const struct csg_call_event event = {
		.stream = stream, .owner = owner, .kind = owner == NOBODY ? HIDE : SHOW};

	if (c->shown[stream] != owner)
		csg_exits_log(&c->exits, &event);
	c->shown[stream] = owner;
}

static void on_ran(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n)
{
	struct csg_chrome *c = arg;
	const uint32_t owner = csg_follower_owner(c->exits.follower, stream);

	if (!n)
		return;
	if (c->exits.filter.code)
		show(c, stream,
		     csg_call_filter_code(&c->exits.filter, &c->exits.lookup, c->exits.follower,
					  stack)
			     ? owner
			     : NOBODY);
	if (c->with_functions)
		csg_chrome_functions_run(&c->functions, stream, stack, owner);
}

static void on_mark(void *arg, uint32_t stream, const struct csg_element *e)
{
	struct csg_chrome *c = arg;
	const struct csg_call_event instant = {
		.stream = stream, .owner = e->owner, .value = e->timestamp, .kind = INSTRUMENTED};

	if (e->kind == CSG_ELEMENT_INSTRUMENTATION && !c->exits.filter.code)
		csg_exits_log(&c->exits, &instant);
	if (e->kind != CSG_ELEMENT_GAP)
		return;
	if (c->exits.filter.code)
		show(c, stream, NOBODY);
	if (c->with_functions)
		csg_chrome_functions_cut(&c->functions, stream);
}

int csg_chrome_open(struct csg_chrome *c, const struct csg_lookup *lookup, size_t streams)
{
	int err;

	csg_keyset_init(&c->to.tracks, sizeof(struct csg_chrome_track));
	c->streams = streams;
	c->slices = calloc(streams + 1, sizeof(*c->slices));
	c->shown = malloc((streams + 1) * sizeof(*c->shown));
	if (!c->slices || !c->shown)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < streams; i++)
		c->shown[i] = NOBODY;
	c->exits.by_vcpu = true;
	c->exits.watcher = (struct csg_exits_watcher){c, c->exits.filter.code ? NULL : on_slice,
						      on_guest_exit, on_logged};
	c->exits.also = (struct csg_follower_options){.arg = c, .ran = on_ran, .mark = on_mark};
	csg_out_str(c->to.out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	err = csg_exits_open(&c->exits, lookup, streams);
	c->functions = (struct csg_chrome_functions){.lookup = &c->exits.lookup,
						     .follower = c->exits.follower,
						     .filter = &c->exits.filter,
						     .event = log_function,
						     .arg = c};
	if (!err)
		err = csg_chrome_functions_init(&c->functions, streams);
	return err;
}

void csg_chrome_close(struct csg_chrome *c)
{
	csg_exits_close(&c->exits);
	csg_keyset_fini(&c->to.tracks);
	csg_chrome_functions_fini(&c->functions);
	for (size_t i = 0; i < c->call_n; i++)
		csg_nest_fini(&c->calls[i].nest);
	free(c->calls);
	free(c->shown);
	free(c->to.latest);
	free(c->slices);
	c->calls = NULL;
	c->shown = NULL;
	c->to.latest = NULL;
	c->slices = NULL;
}

int csg_chrome_next(struct csg_chrome *c)
{
	int ret = csg_exits_next(&c->exits);

	return ret >= 0 && c->to.error ? c->to.error : ret;
}

int csg_chrome_finish(struct csg_chrome *c)
{
	int err;

	for (uint32_t i = 0; i < c->functions.n; i++)
		csg_chrome_functions_cut(&c->functions, i);
	err = csg_exits_finish(&c->exits);
	for (uint32_t i = 0; i < c->streams; i++)
		close_slice(c, i, c->exits.log.streams[i].latest);
	csg_out_str(c->to.out, "\n]}\n");
	return err ? err : c->to.error;
}
