/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same trace through scan, world and flow with either engine, and what differs between their
 * elements: also of two flows that take turns, and of one that tells ranges as who counts gets
 * them.  Code is other code for each owner, and changes at timestamps.
 */
#ifndef TESTS_ENGINE_PAIR_H
#define TESTS_ENGINE_PAIR_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "flow/core/executions.h"
#include "flow/flow_state.h"
#include "scan/scan.h"
#include "world/world.h"

/*
 * Where code comes from.  A piece reaches from address to an end that is the same for all
 * addresses in it.
 */
struct pair_code {
	const uint8_t *(*piece)(void *arg, uint32_t owner, uint64_t time, uint64_t address,
				size_t *len);
	void *arg;
};

enum pair_way {
	PAIR_ALONE,
	PAIR_RELAY,
	PAIR_COUNTS,
};

struct pair_run {
	const struct csg_source *source;
	const struct pair_code *code;
	struct csg_flow *flow;
	struct csg_flow *other; /* takes turns with flow, or NULL */
	struct csg_flow_state *state;
	uint64_t nobody_accesses;
	struct csg_scan *scan;
	struct csg_world_segments world;
	uint64_t time;
	uint64_t eret;	  /* of the last element before the end */
	uint64_t entries; /* what was reported of ERETs to guests, as one number */

	struct csg_element *elements;
	size_t count, capacity;
};

static int pair_read(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		     size_t *len)
{
	struct pair_run *run = arg;

	if (!owner)
		return -CSG_E_DECODE;
	*bytes = run->code->piece(run->code->arg, owner, run->time, address, len);
	return *bytes ? 0 : -CSG_E_NO_IMAGE;
}

/* The code of two in a row is the same. */
static uint64_t pair_space(void *arg, uint32_t owner)
{
	(void)arg;
	return (owner + 1) / 2;
}

static void pair_time(void *arg, uint64_t index)
{
	struct pair_run *run = arg;

	if (index / 64 != run->time) {
		csg_flow_forget_code(run->flow);
		if (run->other)
			csg_flow_forget_code(run->other);
	}
	run->time = index / 64;
}

static void pair_entered(void *arg, uint64_t index, uint64_t eret, enum csg_el el, uint32_t owner)
{
	struct pair_run *run = arg;

	(void)index;
	run->entries = run->entries * 31 + eret * 7 + (uint64_t)el * 5 + owner;
}

static uint64_t pair_async(void *arg, uint64_t index)
{
	return csg_scan_async(((struct pair_run *)arg)->scan, index);
}

static void pair_track(void *arg, const struct csg_track_event *event)
{
	csg_world_event(&((struct pair_run *)arg)->world, event);
}

/* As session/run/stream.c hands them to the flow. */
static void pair_segments(struct pair_run *run)
{
	struct csg_segment s;

	csg_world_settle(&run->world);
	while (csg_world_next(&run->world, &s)) {
		bool bad = s.gap == CSG_GAP_BAD_PACKET;

		if (bad || (s.gap == CSG_GAP_NO_SYNC && s.lost))
			csg_flow_gap(run->flow, s.index, s.gap, s.lost, bad);
		csg_flow_segment(run->flow, s.index, s.at_context,
				 s.owner.world * 2u + (s.owner.privilege == CSG_USER));
	}
}

static void pair_add(struct pair_run *run, const struct csg_element *e)
{
	if (run->count == run->capacity) {
		run->capacity = run->capacity ? 2 * run->capacity : 256;
		run->elements = realloc(run->elements, run->capacity * sizeof(*e));
		if (!run->elements)
			abort();
	}
	run->elements[run->count++] = *e;
}

/* What a RANGES element stands for; what it says of all of them is their sum. */
static void pair_add_ranges(struct pair_run *run, const struct csg_element *ranges)
{
	const uintptr_t *executions = csg_flow_executions(run->flow) + ranges->start;
	uint64_t instructions = 0;
	struct csg_element e = {0};

	for (uint32_t i = 0; i < ranges->instructions; i++) {
		e = csg_execution_range(executions[i], ranges);
		instructions += e.instructions;
		e.info = PAIR_COUNTS;
		pair_add(run, &e);
	}
	if (instructions != ranges->timestamp || e.end != ranges->end || e.taken != ranges->taken ||
	    e.branch != ranges->branch || e.last_size != ranges->last_size)
		abort();
}

static void pair_take(struct pair_run *run)
{
	size_t n;
	const struct csg_element *e = csg_flow_elements(run->flow, &n);

	for (size_t i = 0; i < n; i++)
		if (e[i].kind == CSG_ELEMENT_RANGES)
			pair_add_ranges(run, &e[i]);
		else
			pair_add(run, &e[i]);
	csg_flow_take(run->flow);
}

/* The other flow goes on from here. */
static void pair_hand_over(struct pair_run *run)
{
	struct csg_flow *flow = run->other;

	if (!flow)
		return;
	if (csg_flow_save(run->flow, run->state) || csg_flow_load(flow, run->state))
		abort();
	run->other = run->flow;
	run->flow = flow;
}

/*
 * Decodes n bytes in pieces, of every third size as frames have them; elements are in run
 * afterwards.  False: no such trace unit.
 */
static bool pair_decode(struct pair_run *run, enum csg_engine engine, enum pair_way way,
			const struct csg_source *source, const struct pair_code *code,
			const uint8_t *bytes, size_t n, size_t piece)
{
	const struct csg_flow_code from = {.arg = run,
					   .read = pair_read,
					   .space = pair_space,
					   .time = pair_time,
					   .entered = pair_entered,
					   .async = piece % 4 ? pair_async : NULL};
	const struct csg_run all = {
		.bytes = bytes, .n = n, .frame = piece % 3 ? 0 : CSG_FRAME_DATA};
	const uint64_t end = csg_run_index(&all, n);
	const struct csg_diag_sink silent = {0};

	memset(run, 0, sizeof(*run));
	run->source = source;
	run->code = code;
	if (csg_flow_create(&run->flow, engine, source, &from, &silent))
		return false;
	run->state = csg_flow_state_create();
	if (way == PAIR_COUNTS)
		csg_flow_set_counts(run->flow);
	if (way == PAIR_RELAY && csg_flow_engine(run->flow) == CSG_ENGINE_FAST &&
	    csg_flow_create(&run->other, engine, source, &from, &silent))
		abort();
	if (csg_scan_create(&run->scan, source, pair_track, run))
		abort();
	csg_world_init(&run->world, CSG_HV_KVM_VHE, csg_source_vctx(source));
	csg_scan_feed(run->scan, &all);
	csg_scan_end(run->scan, end);
	pair_segments(run);
	for (size_t at = 0; at < n;) {
		const struct csg_run part = csg_run_part(&all, at, n - at < piece ? n - at : piece);

		at += csg_flow_feed(run->flow, &part);
		pair_take(run);
		pair_hand_over(run);
	}
	while (!csg_flow_drain(run->flow, end))
		pair_take(run);
	run->eret = csg_flow_eret(run->flow);
	while (!csg_flow_end(run->flow, end))
		pair_take(run);
	pair_take(run);
	run->nobody_accesses = csg_flow_nobody_accesses(run->flow);
	if (run->other)
		run->nobody_accesses += csg_flow_nobody_accesses(run->other);
	csg_scan_destroy(run->scan);
	csg_world_fini(&run->world);
	return true;
}

static void pair_fini(struct pair_run *run)
{
	csg_flow_destroy(run->flow);
	csg_flow_destroy(run->other);
	csg_flow_state_destroy(run->state);
	free(run->elements);
}

static void pair_show(const char *name, const struct pair_run *run, size_t i)
{
	const struct csg_element *e = &run->elements[i];

	if (i >= run->count) {
		fprintf(stderr, "  %s: end\n", name);
		return;
	}
	fprintf(stderr,
		"  %s: index %llu %s gap %s 0x%llx to 0x%llx n %u owner %u el %u isa %u branch %u "
		"size %u taken %d cond %d info 0x%x time 0x%llx cycles %u/%d\n",
		name, (unsigned long long)e->index, csg_element_name(e->kind), csg_gap_name(e->gap),
		(unsigned long long)e->start, (unsigned long long)e->end, e->instructions, e->owner,
		e->el, e->isa, e->branch, e->last_size, e->taken, e->conditional, e->info,
		(unsigned long long)e->timestamp, e->cycles, e->has_cycles);
}

/* Of ranges that were reported together only the place of the first is known. */
static bool pair_same(const struct csg_element *a, const struct csg_element *b)
{
	struct csg_element e = *b;

	if (b->kind == CSG_ELEMENT_RANGE && b->info == PAIR_COUNTS && b->index <= a->index) {
		e.index = a->index;
		e.info = 0;
	}
	return !memcmp(a, &e, offsetof(struct csg_element, code));
}

/* Whether b gave the same as a; where not, the first difference is printed.  Only b may count. */
static bool pair_agree(const struct pair_run *a, const struct pair_run *b, const char *first,
		       const char *second)
{
	size_t i = 0;

	while (i < a->count && i < b->count && pair_same(&a->elements[i], &b->elements[i]))
		i++;
	if (i == a->count && i == b->count && a->entries == b->entries && a->eret == b->eret &&
	    a->nobody_accesses == b->nobody_accesses)
		return true;
	fprintf(stderr, "\nelement %zu of %zu and %zu:\n", i, a->count, b->count);
	if (i)
		pair_show("before ", a, i - 1);
	pair_show(first, a, i);
	pair_show(second, b, i);
	return false;
}

/*
 * Whether both engines give the same, and two fast ones that take turns, and one that counts; where
 * not, the first difference is printed.
 */
static bool pair_equal(const struct csg_source *source, const struct pair_code *code,
		       const uint8_t *bytes, size_t n, size_t piece)
{
	static const struct {
		enum csg_engine engine;
		enum pair_way way;
		const char *name;
	} runs[] = {{CSG_ENGINE_FAST, PAIR_ALONE, "fast   "},
		    {CSG_ENGINE_OPENCSD, PAIR_ALONE, "opencsd"},
		    {CSG_ENGINE_FAST, PAIR_RELAY, "relay  "},
		    {CSG_ENGINE_FAST, PAIR_COUNTS, "counts "}};
	struct pair_run fast, run;
	const bool known =
		pair_decode(&fast, runs[0].engine, runs[0].way, source, code, bytes, n, piece);
	bool equal = true;

	for (size_t i = 1; equal && i < sizeof(runs) / sizeof(runs[0]); i++) {
		equal = pair_decode(&run, runs[i].engine, runs[i].way, source, code, bytes, n,
				    piece) == known &&
			pair_agree(&fast, &run, runs[0].name, runs[i].name);
		pair_fini(&run);
	}
	pair_fini(&fast);
	return equal;
}

#endif
