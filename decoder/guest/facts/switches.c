/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/switches.h"

#include <string.h>

#include "base/deal.h"
#include "csguest/error.h"

void csg_switches_fini(struct csg_switches *s)
{
	csg_disk_memory_free(s->memory, s->records, s->capacity * sizeof(*s->records));
	csg_disk_memory_free(s->memory, s->spans, s->span_capacity * sizeof(*s->spans));
	*s = (struct csg_switches){.memory = s->memory};
}

int csg_switches_add(struct csg_switches *s, const struct csg_attribution_switch *record)
{
	int err = csg_disk_memory_grow(s->memory, (void **)&s->records, s->count, &s->capacity,
				       sizeof(*s->records));

	if (!err)
		s->records[s->count++] = (struct csg_switch_record){
			.time = record->time,
			.cpu = record->cpu,
			.pid = record->pid,
			.tid = record->tid,
			.other_pid = record->other_pid,
			.other_tid = record->other_tid,
			.out = record->out,
		};
	return err;
}

static int32_t cpu_of(const void *record)
{
	return ((const struct csg_switch_record *)record)->cpu;
}

/* At one time the OUT of a task stands before the IN of the next. */
static int by_cpu_and_time(const void *a, const void *b)
{
	const struct csg_switch_record *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (int)y->out - (int)x->out;
}

/* Whom a record says to run after it. */
static struct csg_ran_from comes(const struct csg_switch_record *r)
{
	return (struct csg_ran_from){
		.cpu = r->cpu,
		.pid = r->out ? r->other_pid : r->pid,
		.tid = r->out ? r->other_tid : r->tid,
		.time = r->time,
		.switching = r->out,
	};
}

/* What ran between two records of a CPU. A task that has died is switched out as -1. */
static struct csg_ran_from between(const struct csg_switch_record *a,
				   const struct csg_switch_record *b)
{
	struct csg_ran_from span = comes(a);

	if (span.tid == CSG_PID_UNKNOWN)
		span.pid = b->pid, span.tid = b->tid;
	if (a->out == b->out || (b->tid != CSG_PID_UNKNOWN && b->tid != span.tid))
		span.pid = span.tid = CSG_PID_UNKNOWN;
	return span;
}

static void add_span(struct csg_switches *s, struct csg_ran_from span)
{
	s->spans[s->span_count++] = span;
}

/* How many CPUs the sorted records are of. */
static size_t cpus_of(const struct csg_switches *s)
{
	size_t n = s->count > 0;

	for (size_t i = 1; i < s->count; i++)
		n += s->records[i].cpu != s->records[i - 1].cpu;
	return n;
}

/* The spans around record i. */
static void span_of(struct csg_switches *s, size_t i)
{
	const struct csg_switch_record *r = &s->records[i];
	bool first = !i || r[-1].cpu != r->cpu, last = i + 1 == s->count || r[1].cpu != r->cpu;

	if (first)
		add_span(s, (struct csg_ran_from){
				    .cpu = r->cpu,
				    .pid = r->out ? r->pid : CSG_PID_UNKNOWN,
				    .tid = r->out ? r->tid : CSG_PID_UNKNOWN,
				    .time = s->first_time,
			    });
	add_span(s, last ? comes(r) : between(r, &r[1]));
}

void csg_switches_sort(struct csg_switches *s)
{
	struct csg_dealt d = {s->memory, s->records, s->count, s->capacity, sizeof(*s->records)};

	if (!s->count)
		return;
	csg_deal(&d, cpu_of, by_cpu_and_time);
	s->records = d.items;
	s->capacity = d.capacity;
}

int csg_switches_seal(struct csg_switches *s, uint64_t first_time, uint64_t last_time)
{
	s->first_time = first_time;
	s->last_time = last_time;
	if (!s->count)
		return 0;
	csg_disk_memory_free(s->memory, s->spans, s->span_capacity * sizeof(*s->spans));
	s->span_count = 0;
	csg_switches_sort(s);
	/* Each CPU has one span more than records. */
	s->span_capacity = s->count + cpus_of(s);
	s->spans = csg_disk_memory_alloc(s->memory, s->span_capacity * sizeof(*s->spans));
	if (!s->spans)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < s->count; i++)
		span_of(s, i);
	return 0;
}

/* The last span of cpu that begins at time or before, or where it would be. */
static size_t span_at(const struct csg_switches *s, int32_t cpu, uint64_t time)
{
	size_t low = 0, high = s->span_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct csg_ran_from *span = &s->spans[middle];

		if (span->cpu < cpu || (span->cpu == cpu && span->time <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}

static void lose_on(struct csg_switches *s, int32_t cpu, uint64_t from, uint64_t until)
{
	/* A span that ends at from is one of them. */
	for (size_t i = span_at(s, cpu, from ? from - 1 : 0); i < s->span_count; i++) {
		struct csg_ran_from *span = &s->spans[i];

		if (span->cpu > cpu || (span->cpu == cpu && span->time >= until))
			break;
		if (span->cpu == cpu)
			span->pid = span->tid = CSG_PID_UNKNOWN;
	}
}

void csg_switches_lose(struct csg_switches *s, int32_t cpu, uint64_t from, uint64_t until)
{
	for (size_t i = 0; i < s->count; i++)
		if ((!i || s->records[i].cpu != s->records[i - 1].cpu) &&
		    (cpu < 0 || s->records[i].cpu == cpu))
			lose_on(s, s->records[i].cpu, from, until);
}

bool csg_switches_is_lone(const struct csg_switches *s, size_t i)
{
	const struct csg_switch_record *r = &s->records[i];
	size_t at = s->span_count ? span_at(s, r->cpu, r->time) : 0;

	if (!at || s->spans[at - 1].cpu != r->cpu)
		return false;
	return s->spans[at].tid == CSG_PID_UNKNOWN && s->spans[at - 1].tid == CSG_PID_UNKNOWN;
}

enum csg_ran_answer csg_switches_ran(const struct csg_switches *s, int32_t cpu, bool kernel,
				     uint64_t from, uint64_t to, struct csg_ran_from *who)
{
	size_t i;

	if (!s->span_count || from < s->first_time || to > s->last_time || from > to)
		return CSG_RAN_UNKNOWN;
	i = span_at(s, cpu, from);
	if (s->spans[i].cpu != cpu || s->spans[i].time > from)
		return CSG_RAN_UNKNOWN;
	*who = s->spans[i];
	for (;; i++) {
		if (i == s->span_count || s->spans[i].cpu != cpu || s->spans[i].time > to)
			return CSG_RAN_ONE;
		if (s->spans[i].tid == CSG_PID_UNKNOWN)
			return CSG_RAN_UNKNOWN;
		if (s->spans[i].tid != who->tid || s->spans[i].pid != who->pid ||
		    (kernel && s->spans[i].switching))
			return CSG_RAN_SEVERAL;
	}
}

bool csg_switches_step(const struct csg_switches *s, bool back, struct csg_ran_from *who)
{
	const size_t at = span_at(s, who->cpu, who->time), beside = back ? at - 1 : at + 1,
		     other = back ? at - 2 : at + 2;
	const struct csg_ran_from *in, *comes;

	if ((back && at < 2) || other >= s->span_count || s->spans[at].cpu != who->cpu ||
	    s->spans[other].cpu != who->cpu)
		return false;
	in = &s->spans[beside];
	comes = &s->spans[back ? at : other];
	if (s->spans[at].switching || !in->switching || s->spans[other].switching ||
	    comes->tid == CSG_PID_UNKNOWN || in->tid != comes->tid ||
	    s->spans[other].tid == CSG_PID_UNKNOWN)
		return false;
	*who = s->spans[other];
	return true;
}

size_t csg_switches_between(const struct csg_switches *s, int32_t cpu, uint64_t from, uint64_t to)
{
	size_t n = 0;

	for (size_t i = span_at(s, cpu, from) + 1; i < s->span_count; i++) {
		const struct csg_ran_from *span = &s->spans[i];

		if (span->cpu != cpu || span->time > to)
			break;
		n += span->time > from && span->tid != span[-1].tid;
	}
	return n;
}

bool csg_switches_cover(const struct csg_switches *s, int32_t cpu, uint64_t from, uint64_t to)
{
	return s->span_count && from >= s->first_time && to <= s->last_time &&
	       s->spans[span_at(s, cpu, from)].cpu == cpu;
}

int32_t csg_switches_only_cpu(const struct csg_switches *s)
{
	for (size_t i = 1; i < s->count; i++)
		if (s->records[i].cpu != s->records[0].cpu)
			return -1;
	return s->count ? s->records[0].cpu : -1;
}
