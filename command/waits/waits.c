/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits/waits.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"
#include "util/bisect.h"

/* Beyond these bytes records lie in a temporary file, of which stays resident what these events
 * touch. */
#define HEAP_BYTES (CSG_DISK_MEMORY_LIMIT / 4)
#define TRIM_EVENTS 65536

/* What is known of who is on a CPU. */
enum cpu_state {
	CPU_FRESH,    /* no record yet */
	CPU_HAS,      /* tid is on it */
	CPU_SWITCHES, /* to tid; -1: to whom is not known */
	CPU_LOST,     /* records are missing since `last` */
};

const char *csg_wait_state_name(enum csg_wait_state state)
{
	static const char *const names[] = {
		[CSG_WAIT_RUNNING] = "running",	  [CSG_WAIT_PREEMPTED] = "preempted",
		[CSG_WAIT_RUNNABLE] = "runnable", [CSG_WAIT_HALTED] = "halted",
		[CSG_WAIT_ASLEEP] = "asleep",	  [CSG_WAIT_BLOCKED] = "blocked",
		[CSG_WAIT_OFF] = "no_reason",	  [CSG_WAIT_UNKNOWN] = "no_record",
	};

	return names[state];
}

bool csg_wait_state_is_rare(enum csg_wait_state state)
{
	return state == CSG_WAIT_RUNNABLE || state == CSG_WAIT_HALTED || state == CSG_WAIT_ASLEEP;
}

static int by_tid_and_vm(const void *pa, const void *pb)
{
	const struct csg_wait_thread *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->vm < b->vm ? -1 : a->vm > b->vm;
}

int csg_waits_init(struct csg_waits *w, const struct csg_vcpu_entry *vcpus, size_t n)
{
	*w = (struct csg_waits){0};
	w->memory.limit = HEAP_BYTES;
	csg_keyset_init(&w->others, 2 * sizeof(int32_t));
	w->threads = calloc(n ? n : 1, sizeof(*w->threads));
	if (!w->threads)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		if (vcpus[i].vm > 0 && vcpus[i].tid > 0)
			w->threads[w->thread_count++] =
				(struct csg_wait_thread){.tid = vcpus[i].tid, .vm = vcpus[i].vm};
	qsort(w->threads, w->thread_count, sizeof(*w->threads), by_tid_and_vm);
	return 0;
}

void csg_waits_fini(struct csg_waits *w)
{
	csg_disk_memory_close(&w->memory);
	for (size_t i = 0; i < w->thread_count; i++)
		csg_disk_memory_free(&w->memory, w->threads[i].spans,
				     w->threads[i].capacity * sizeof(*w->threads[i].spans));
	for (size_t i = 0; i < w->cpu_count; i++)
		csg_disk_memory_free(&w->memory, w->cpus[i].switches,
				     w->cpus[i].capacity * sizeof(*w->cpus[i].switches));
	csg_disk_memory_fini(&w->memory);
	free(w->threads);
	free(w->cpus);
	free(w->holes);
	csg_keyset_fini(&w->others);
	*w = (struct csg_waits){0};
}

void csg_waits_keep_in(struct csg_waits *w, const char *dir)
{
	w->memory.dir = dir;
}

void csg_waits_trim(const struct csg_waits *w)
{
	csg_disk_memory_trim(&w->memory);
}

/* --- threads of vCPUs --- */

/* The first with this TID, or where it would be. */
static size_t first_of(const struct csg_waits *w, int32_t tid)
{
	size_t i;

	CSG_BISECT(i, w->thread_count, w->threads[i].tid < tid);
	return i;
}

struct csg_wait_thread *csg_wait_thread_of(const struct csg_waits *w, int32_t vm, int32_t tid)
{
	for (size_t i = first_of(w, tid); i < w->thread_count && w->threads[i].tid == tid; i++)
		if (w->threads[i].vm == vm)
			return &w->threads[i];
	return NULL;
}

const struct csg_wait_thread *csg_waits_threads_of(const struct csg_waits *w, int32_t tid,
						   size_t *n)
{
	const size_t first = first_of(w, tid);

	for (*n = 0; first + *n < w->thread_count && w->threads[first + *n].tid == tid;)
		++*n;
	return &w->threads[first];
}

static struct csg_wait_span *last_of(const struct csg_wait_thread *t)
{
	return t->count ? &t->spans[t->count - 1] : NULL;
}

static bool has_ended(const struct csg_wait_thread *t)
{
	return t->count && last_of(t)->state == CSG_WAIT_ENDED;
}

static int add_span(struct csg_waits *w, struct csg_wait_thread *t, uint64_t from, int32_t cpu,
		    uint32_t state)
{
	int err = csg_disk_memory_grow(&w->memory, (void **)&t->spans, t->count, &t->capacity,
				       sizeof(*t->spans));

	if (!err)
		t->spans[t->count++] =
			(struct csg_wait_span){.from = from, .cpu = cpu, .state = (uint16_t)state};
	return err;
}

/* What the thread did since its last record is not known. */
static void contradiction(struct csg_wait_thread *t)
{
	if (t && t->count && !has_ended(t))
		last_of(t)->state = CSG_WAIT_UNKNOWN;
}

static int end(struct csg_waits *w, struct csg_wait_thread *t, uint64_t time)
{
	return t && !has_ended(t) ? add_span(w, t, time, CSG_NO_CPU, CSG_WAIT_ENDED) : 0;
}

/* Another process has the TID: the thread ended when it was last switched out, or unseen. */
static int end_others(struct csg_waits *w, const struct csg_sideband_event *event)
{
	int err = 0;

	for (size_t i = first_of(w, event->tid);
	     !err && i < w->thread_count && w->threads[i].tid == event->tid; i++) {
		struct csg_wait_thread *t = &w->threads[i];

		if (t->vm == event->pid || !t->count)
			continue;
		if (last_of(t)->state != CSG_WAIT_RUNNING) {
			last_of(t)->state = CSG_WAIT_ENDED;
			continue;
		}
		contradiction(t);
		err = end(w, t, event->time);
	}
	return err;
}

static int come(struct csg_waits *w, struct csg_wait_thread *t, uint64_t time, int32_t cpu)
{
	/* It was on a CPU that it never left. */
	if (t->count && last_of(t)->state == CSG_WAIT_RUNNING)
		contradiction(t);
	return add_span(w, t, time, cpu, CSG_WAIT_RUNNING);
}

static int leave(struct csg_waits *w, struct csg_wait_thread *t,
		 const struct csg_sideband_event *event)
{
	static const uint32_t states[] = {
		[CSG_LEAVE_UNKNOWN] = CSG_WAIT_OFF,
		[CSG_LEAVE_PREEMPTED] = CSG_WAIT_PREEMPTED,
		[CSG_LEAVE_BLOCKED] = CSG_WAIT_BLOCKED,
	};

	/* It was on none, or on another CPU. */
	if (t->count && (last_of(t)->state != CSG_WAIT_RUNNING || last_of(t)->cpu != event->cpu))
		contradiction(t);
	return add_span(w, t, event->time, event->cpu, states[event->leave]);
}

/* Threads of several VMs may have had the TID; those that ended sleep no more. */
static int wake(struct csg_waits *w, const struct csg_sideband_event *event)
{
	int err = 0;

	for (size_t i = first_of(w, event->tid);
	     !err && i < w->thread_count && w->threads[i].tid == event->tid; i++) {
		struct csg_wait_thread *t = &w->threads[i];
		struct csg_wait_span *last = last_of(t);

		if (!last)
			continue;
		if (last->state == CSG_WAIT_RUNNABLE && event->cpu >= 0)
			last->cpu = event->cpu;
		/* A thread that can run is not woken: whyever it left, it slept. */
		if (last->state != CSG_WAIT_BLOCKED && last->state != CSG_WAIT_OFF)
			continue;
		last->state = CSG_WAIT_ASLEEP;
		err = add_span(w, t, event->time, event->cpu, CSG_WAIT_RUNNABLE);
	}
	return err;
}

/* --- CPUs --- */

int csg_waits_covers(struct csg_waits *w, int32_t cpu)
{
	struct csg_wait_cpu *c;

	if (cpu < 0 || cpu >= CSG_WAIT_CPUS)
		return 0;
	if (csg_array_reach((void **)&w->cpus, &w->cpu_count, (size_t)cpu, sizeof(*w->cpus)))
		return -CSG_E_NO_MEMORY;
	c = &w->cpus[cpu];
	if (!c->covered && w->lost_anywhere)
		c->state = CPU_LOST;
	c->covered = true;
	return 0;
}

static int add_hole(struct csg_waits *w, uint64_t from, uint64_t until)
{
	int err = csg_array_grow((void **)&w->holes, w->hole_count, &w->hole_capacity,
				 sizeof(*w->holes));

	if (!err)
		w->holes[w->hole_count++] = (struct csg_wait_hole){from, until};
	return err;
}

/* Anybody may have been on the CPU since its last record, until then. */
static int lose(struct csg_waits *w, struct csg_wait_cpu *c, uint64_t until)
{
	if (c->state == CPU_HAS)
		contradiction(csg_wait_thread_of(w, c->pid, c->tid));
	if (c->count)
		c->switches[c->count - 1].who = CSG_WAIT_NOBODY;
	return add_hole(w, c->last, until);
}

static int add_switch_to(struct csg_waits *w, struct csg_wait_cpu *c, uint64_t time, int32_t pid,
			 int32_t tid)
{
	const int32_t key[2] = {pid, tid};
	int64_t who = tid < 0 ? (int64_t)CSG_WAIT_NOBODY : csg_keyset_add(&w->others, key);
	int err = csg_disk_memory_grow(&w->memory, (void **)&c->switches, c->count, &c->capacity,
				       sizeof(*c->switches));

	if (who < 0 || err)
		return -CSG_E_NO_MEMORY;
	c->switches[c->count++] = (struct csg_wait_switch){time, (uint32_t)who};
	return 0;
}

/* Another event of perf's tells of the same switch. */
static bool repeats(const struct csg_wait_cpu *c, const struct csg_sideband_event *event)
{
	if (event->time != c->last)
		return false;
	if (event->out)
		return c->state == CPU_SWITCHES && c->left == event->tid &&
		       c->tid == event->other_tid;
	return c->state == CPU_HAS && c->tid == event->tid;
}

/* Whether the record follows from what is known of its CPU; a dead thread has no number any
 * more. */
static bool agrees(const struct csg_wait_cpu *c, const struct csg_sideband_event *event)
{
	if (c->state == CPU_FRESH)
		return true;
	if (event->out)
		return c->state == CPU_HAS && (event->tid < 0 || c->tid == event->tid);
	return c->state == CPU_SWITCHES && (c->tid < 0 || c->tid == event->tid) &&
	       (c->left < 0 || event->other_tid < 0 || c->left == event->other_tid);
}

static int switch_out(struct csg_waits *w, struct csg_wait_cpu *c,
		      const struct csg_sideband_event *event)
{
	struct csg_wait_thread *t = csg_wait_thread_of(w, event->pid, event->tid);
	int err = add_switch_to(w, c, event->time, event->other_pid, event->other_tid);

	if (!err && t && !has_ended(t))
		err = leave(w, t, event);
	if (!err && event->tid < 0 && c->state == CPU_HAS)
		err = end(w, csg_wait_thread_of(w, c->pid, c->tid), event->time);
	c->state = CPU_SWITCHES;
	c->left = event->tid;
	c->pid = event->other_pid;
	c->tid = event->other_tid;
	return err;
}

static int switch_in(struct csg_waits *w, struct csg_wait_cpu *c,
		     const struct csg_sideband_event *event)
{
	struct csg_wait_thread *t = csg_wait_thread_of(w, event->pid, event->tid);
	int err = 0;

	if (c->state != CPU_SWITCHES || c->tid != event->tid)
		err = add_switch_to(w, c, event->time, event->pid, event->tid);
	if (!err && t && !has_ended(t))
		err = come(w, t, event->time, event->cpu);
	c->state = CPU_HAS;
	c->pid = event->pid;
	c->tid = event->tid;
	return err;
}

static int add_switch(struct csg_waits *w, const struct csg_sideband_event *event)
{
	struct csg_wait_cpu *c;
	int err;

	if (event->cpu < 0 || event->cpu >= CSG_WAIT_CPUS || (event->tid < 0 && !event->out))
		return 0;
	err = csg_waits_covers(w, event->cpu);
	if (err)
		return err;
	c = &w->cpus[event->cpu];
	if (repeats(c, event))
		return 0;
	if (!agrees(c, event)) {
		err = lose(w, c, event->time);
		c->state = CPU_LOST;
	}
	if (!err && event->tid > 0 && event->pid >= 0)
		err = end_others(w, event);
	if (!err)
		err = event->out ? switch_out(w, c, event) : switch_in(w, c, event);
	c->last = event->time;
	return err;
}

/* The time of the loss is that of the record before it, at the earliest. */
static void lose_records(struct csg_waits *w, int32_t cpu)
{
	for (size_t i = 0; i < w->cpu_count; i++) {
		struct csg_wait_cpu *c = &w->cpus[i];

		if (!c->covered || (cpu >= 0 && (size_t)cpu != i))
			continue;
		if (c->state == CPU_HAS)
			contradiction(csg_wait_thread_of(w, c->pid, c->tid));
		c->state = CPU_LOST;
	}
}

static int add_lost(struct csg_waits *w, int32_t cpu)
{
	int err = csg_waits_covers(w, cpu);

	w->lost_anywhere |= cpu < 0;
	if (!err)
		lose_records(w, cpu);
	return err;
}

void csg_waits_number(struct csg_waits *w, int32_t (*number)(void *arg, int32_t pid, uint64_t time),
		      void *arg)
{
	w->number = number;
	w->number_arg = arg;
}

int csg_waits_add(struct csg_waits *w, const struct csg_sideband_event *given)
{
	struct csg_sideband_event own = *given, *event = &own;
	struct csg_wait_thread *t;

	if (event->vm || !event->time)
		return 0;
	if (++w->events % TRIM_EVENTS == 0)
		csg_waits_trim(w);
	if (w->number) {
		own.pid = w->number(w->number_arg, own.pid, own.time);
		own.other_pid = w->number(w->number_arg, own.other_pid, own.time);
	}
	if (event->kind == CSG_SIDEBAND_SWITCH)
		return add_switch(w, event);
	if (event->kind == CSG_SIDEBAND_WAKE)
		return wake(w, event);
	if (event->kind == CSG_SIDEBAND_LOST)
		return add_lost(w, event->cpu);
	if (event->kind != CSG_SIDEBAND_EXIT && event->kind != CSG_SIDEBAND_FORK)
		return 0;
	t = csg_wait_thread_of(w, event->pid, event->tid);
	if (event->kind == CSG_SIDEBAND_EXIT)
		return end(w, t, event->time);
	if (t && !t->count)
		t->born = event->time;
	return 0;
}

/* --- all events are in --- */

static int by_from(const void *pa, const void *pb)
{
	const struct csg_wait_hole *a = pa, *b = pb;

	return a->from < b->from ? -1 : a->from > b->from;
}

/* Holes of all CPUs become a list in which none overlaps another. */
static void merge_holes(struct csg_waits *w)
{
	size_t to = 0;

	if (!w->hole_count)
		return;
	qsort(w->holes, w->hole_count, sizeof(*w->holes), by_from);
	for (size_t i = 1; i < w->hole_count; i++) {
		struct csg_wait_hole *last = &w->holes[to];

		if (w->holes[i].from > last->until)
			w->holes[++to] = w->holes[i];
		else if (w->holes[i].until > last->until)
			last->until = w->holes[i].until;
	}
	w->hole_count = to + 1;
}

int csg_waits_finish(struct csg_waits *w, uint32_t online)
{
	size_t covered = 0;
	int err = 0;

	for (size_t i = 0; !err && i < w->cpu_count; i++) {
		covered += w->cpus[i].covered;
		if (w->cpus[i].state == CPU_LOST)
			err = add_hole(w, w->cpus[i].last, UINT64_MAX);
	}
	/* On the other CPUs anybody may have been all the time. */
	if (!err && (!online || covered < online))
		err = add_hole(w, 0, UINT64_MAX);
	merge_holes(w);
	return err;
}

/* The one span that begins as the thread leaves the CPU between these times; NULL: none, or
 * several. */
static struct csg_wait_span *leave_between(const struct csg_wait_thread *t, int32_t cpu,
					   uint64_t from, uint64_t until)
{
	struct csg_wait_span *found = NULL;
	size_t i;

	CSG_BISECT(i, t->count, t->spans[i].from < from);
	for (; i < t->count && t->spans[i].from <= until; i++) {
		struct csg_wait_span *span = &t->spans[i];

		if (!i || span[-1].state != CSG_WAIT_RUNNING || span->cpu != cpu)
			continue;
		if (found)
			return NULL;
		found = span;
	}
	return found;
}

void csg_waits_halted(struct csg_waits *w, int32_t tid, int32_t cpu, uint64_t from, uint64_t until)
{
	for (size_t i = first_of(w, tid); i < w->thread_count && w->threads[i].tid == tid; i++) {
		struct csg_wait_span *span = leave_between(&w->threads[i], cpu, from, until);

		if (!span || (span->state != CSG_WAIT_ASLEEP && span->state != CSG_WAIT_BLOCKED))
			continue;
		span->was = span->state;
		span->state = CSG_WAIT_HALTED;
	}
}
