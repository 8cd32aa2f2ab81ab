// SPDX-License-Identifier: BSD-3-Clause
#include "timeline.h"

#include "a64.h"
#include "util.h"

/* Reads come a tick late or early, by how the emulator counts inside a block. */
#define SLACK 64

#define OPCODE_WFI 0xd503207fu

void timeline_init(struct timeline *t)
{
	memset(t, 0, sizeof(*t));
	for (int i = 0; i < RAW_MAX_CPUS; i++)
		t->cpu[i].waits = UINT64_MAX;
}

void timeline_fini(struct timeline *t)
{
	for (int i = 0; i < RAW_MAX_CPUS; i++)
		free(t->cpu[i].idle);
	free(t->step);
	free(t->anchor);
}

static void on_block(struct timeline *t, const struct raw_event *e)
{
	const struct raw_block *b = &e->block;
	uint64_t *waits = &t->cpu[e->cpu].waits;

	if (*waits != UINT64_MAX) {
		t->cpu[e->cpu].idle =
			grow(t->cpu[e->cpu].idle, t->cpu[e->cpu].n, sizeof(*t->cpu[e->cpu].idle));
		t->cpu[e->cpu].idle[t->cpu[e->cpu].n++] = (struct timeline_idle){*waits, b->time};
	}
	*waits = b->n && b->op[b->n - 1] == OPCODE_WFI ? b->time + b->begun : UINT64_MAX;
}

/* A counter read: physical, or virtual with the offset that applies where it was read. */
static void on_count(struct timeline *t, const struct raw_event *e)
{
	unsigned el = e->reg[RAW_EL] & 3;
	bool vhe = e->reg[RAW_HCR] >> 34 & 1, tge = e->reg[RAW_HCR] >> 27 & 1;
	bool host = vhe && (el == 2 || (el == 0 && tge));
	uint64_t ticks = e->count.value;

	if (e->count.which == RAW_CNTVCT && !host)
		ticks += e->reg[RAW_CNTVOFF];
	t->anchor = grow(t->anchor, t->anchors, sizeof(*t->anchor));
	t->anchor[t->anchors++] = (struct timeline_anchor){
		e->time, (int64_t)(ticks * TIMELINE_NS_PER_TICK - e->time)};
}

void timeline_event(struct timeline *t, const struct raw_event *e)
{
	if (e->kind == RAW_EV_BLOCK)
		on_block(t, e);
	else if (e->kind == RAW_EV_COUNT)
		on_count(t, e);
}

static int by_place(const void *a, const void *b)
{
	const struct timeline_anchor *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static bool waits_at(const struct timeline *t, unsigned cpu, uint64_t at)
{
	if (t->cpu[cpu].waits <= at)
		return true;
	for (size_t i = 0; i < t->cpu[cpu].n; i++)
		if (t->cpu[cpu].idle[i].from <= at && at <= t->cpu[cpu].idle[i].to)
			return true;
	return false;
}

/* The last place in (after, until] at which all CPUs waited. */
static bool find_wait(const struct timeline *t, unsigned cpus, uint64_t after, uint64_t until,
		      uint64_t *at)
{
	bool found = false;

	for (unsigned c = 0; c < cpus; c++)
		for (size_t i = 0; i < t->cpu[c].n; i++) {
			uint64_t from = t->cpu[c].idle[i].from;
			bool all = from > after && from <= until;

			for (unsigned o = 0; all && o < cpus; o++)
				all = waits_at(t, o, from);
			if (all && (!found || from > *at)) {
				*at = from;
				found = true;
			}
		}
	return found;
}

static void add_step(struct timeline *t, uint64_t from, int64_t offset)
{
	t->step = grow(t->step, t->steps, sizeof(*t->step));
	t->step[t->steps++] = (struct timeline_step){from, offset};
}

int timeline_settle(struct timeline *t, unsigned cpus)
{
	uint64_t before = 0;

	if (!t->anchors)
		return -1;
	qsort(t->anchor, t->anchors, sizeof(*t->anchor), by_place);
	add_step(t, 0, t->anchor[0].offset);
	for (size_t i = 0; i < t->anchors; i++) {
		const struct timeline_anchor *a = &t->anchor[i];
		uint64_t at = a->at;

		if (a->offset > t->step[t->steps - 1].offset + SLACK) {
			if (!find_wait(t, cpus, before, a->at, &at))
				t->unplaced++;
			add_step(t, at, a->offset);
		}
		before = a->at;
	}
	return 0;
}

uint64_t timeline_counter(const struct timeline *t, uint64_t instructions)
{
	size_t low = 0, high = t->steps;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (t->step[middle].from <= instructions)
			low = middle;
		else
			high = middle;
	}
	return (instructions + (uint64_t)t->step[low].offset) / TIMELINE_NS_PER_TICK;
}
