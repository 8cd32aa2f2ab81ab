/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random machine's trace, given to the attribution with what the host recorded, and decoded with
 * the owners that come out: who tries one judges each range.
 *
 * Trials are drawn by seeds 1 to n.  CSG_WORLD_SEEDS=n tries more and tells what came out,
 * CSG_WORLD_SEED=n shows one.
 */
#ifndef TESTS_UNIT_TRIAL_H
#define TESTS_UNIT_TRIAL_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "any_model.h"
#include "csguest/attribution.h"
#include "csguest/trace_scan.h"
#include "encoder/etm.h"
#include "flow/flow.h"
#include "guest/slices/time_slices.h"
#include "machine.h"
#include "model_source.h"
#include "suite.h"

struct trial {
	uint64_t seed;
	struct csg_enc_random random;
	struct csg_enc_model model;
	struct machine machine;
	struct csg_enc_etm etm;
	struct csg_source source;
	enum csg_hypervisor policy;
	enum csg_engine engine;
	bool symbols, sideband;
	struct csg_attribution *attribution;
	struct csg_attribution_stream *stream;
	struct csg_owner owners[4096];
	uint32_t owner_count;
	struct csg_time_slices slices; /* that a first decode shows, if there is one */
	uint64_t known, unknown, wrong;
	uint64_t tick;	   /* ns of perf time for each tick of the counter */
	uint32_t words[4]; /* of the slot that was asked for last */
};

/* What to do with each element of a decode. */
typedef void (*trial_see)(struct trial *trial, const struct csg_element *element, void *arg);

static inline const char *trial_symbol(void *arg, uint64_t address, uint64_t *offset)
{
	static const struct {
		uint64_t start, end;
		const char *name;
	} symbols[] = {
		{MACHINE_VECTORS, MACHINE_VECTORS + 0x800, "vectors"},
		{MACHINE_KVM_VECTORS, MACHINE_KVM_VECTORS + 0x800, "__kvm_hyp_vector"},
		{MACHINE_KVM_VECTORS + 0x800, MACHINE_KVM_VECTORS + 0x1800, "__bp_harden_hyp_vecs"},
		{MACHINE_ENTRIES, MACHINE_ENTRIES + 0x1000, "__guest_enter"},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (address >= symbols[i].start && address < symbols[i].end) {
			*offset = address - symbols[i].start;
			return symbols[i].name;
		}
	return NULL;
}

static inline void trial_threads(struct trial *t)
{
	static const char *const names[] = {"swapper", "sh", "CPU 0/KVM", "CPU 0/KVM", "qemu"};

	for (int i = 0; i < 5; i++) {
		const struct machine_thread *m = &t->machine.threads[i];

		CU_ASSERT_EQUAL(csg_attribution_thread(t->attribution, CSG_VM_HOST, m->pid, m->tid,
						       names[i], false, 0),
				0);
	}
}

static inline void trial_switches(struct trial *t)
{
	struct machine *m = &t->machine;

	csg_attribution_seen(t->attribution, 0, (MACHINE_START - 10) * t->tick, 0, 0);
	for (unsigned i = 0; i < m->switch_count; i++) {
		const struct machine_switch *s = &m->switches[i];
		const struct machine_thread *from = &m->threads[s->from], *to = &m->threads[s->to];
		struct csg_attribution_switch out = {.size = sizeof(out),
						     .time = (s->time - 1) * t->tick,
						     .out = true,
						     .pid = from->pid,
						     .tid = from->tid,
						     .other_pid = to->pid,
						     .other_tid = to->tid};
		struct csg_attribution_switch in = {.size = sizeof(in),
						    .time = (s->time + 1) * t->tick,
						    .pid = to->pid,
						    .tid = to->tid,
						    .other_pid = from->pid,
						    .other_tid = from->tid};

		CU_ASSERT_EQUAL(csg_attribution_switch(t->attribution, &out), 0);
		CU_ASSERT_EQUAL(csg_attribution_switch(t->attribution, &in), 0);
	}
	csg_attribution_seen(t->attribution, 0, (m->now + 10) * t->tick, -1, -1); /* AUX record */
}

/* What the host recorded: its clock, threads and switches.  Nobody records them under Xen. */
static inline void trial_state_host(struct trial *t)
{
	const struct csg_attribution_clock clock = {
		.size = sizeof(clock),
		.conv = {.valid = true, .mult = (uint32_t)t->tick},
		.first_time = (MACHINE_START - 100) * t->tick,
		.last_time = (t->machine.now + 100) * t->tick,
	};

	CU_ASSERT_EQUAL(csg_attribution_clock(t->attribution, &clock), 0);
	if (t->machine.kind == CSG_HV_XEN)
		return;
	trial_threads(t);
	if (t->sideband)
		trial_switches(t);
}

static inline void trial_attribution(struct trial *t)
{
	const struct csg_attribution_options options = {
		.size = sizeof(options),
		.hypervisor = t->policy,
		.kernel_symbol = t->symbols ? trial_symbol : NULL,
	};

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&t->attribution, &options), 0);
	csg_attribution_set_policy(t->attribution, t->policy, t->policy != t->machine.kind, true);
	trial_state_host(t);
}

static inline int64_t trial_ts_source(struct trial *t)
{
	switch (t->model.clock) {
	case CSG_ENC_CLOCK_PHYSICAL:
		return csg_enc_random_chance(&t->random, 50) ? CSG_TS_SOURCE_VIRTUAL
							     : CSG_TS_SOURCE_PHYSICAL;
	case CSG_ENC_CLOCK_VIRTUAL:
		return CSG_TS_SOURCE_VIRTUAL;
	default:
		return CSG_TS_SOURCE_CORESIGHT;
	}
}

static inline void trial_unit(struct trial *t)
{
	t->source = model_source(&t->model);
	t->source.ts_source = trial_ts_source(t);
}

static inline void trial_track(void *arg, const struct csg_track_event *event)
{
	csg_attribution_event(arg, event);
}

static inline int trial_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
			     size_t *len)
{
	struct trial *t = arg;
	uint64_t slot = address & ~UINT64_C(15);

	(void)owner;
	for (unsigned i = 0; i < 4; i++)
		t->words[i] = machine_word(slot + 4 * i);
	*bytes = (const uint8_t *)t->words + (address - slot);
	*len = 16 - (address - slot);
	return 0;
}

static inline void trial_take(struct trial *t, struct csg_flow *flow, trial_see see, void *arg)
{
	size_t n;
	const struct csg_element *e = csg_flow_elements(flow, &n);

	for (size_t i = 0; i < n; i++)
		see(t, &e[i], arg);
	csg_flow_take(flow);
}

/* All segments, then the flow over the same bytes with them. */
static inline void trial_find(struct trial *t, struct csg_flow *flow)
{
	const struct csg_enc_bytes *trace = &t->etm.out;
	const struct csg_attribution_piece piece = {.size = sizeof(piece),
						    .begin_time = (MACHINE_START - 10) * t->tick,
						    .end_time = (t->machine.now + 10) * t->tick,
						    .pid = -1,
						    .tid = -1,
						    .slices = t->slices.slices,
						    .slice_count = t->slices.count};
	struct csg_trace_unit unit = csg_source_unit(&t->source);
	struct csg_trace_scan *scan;
	struct csg_segment segment;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&t->stream, t->attribution, &unit), 0);
	CU_ASSERT_EQUAL_FATAL(csg_trace_scan_create(&scan, &unit, trial_track, t->stream), 0);
	csg_trace_scan_begin(scan, CSG_RAW);
	csg_attribution_piece(t->stream, 0, &piece);
	csg_trace_scan_feed(scan, 0, trace->data, trace->size);
	csg_trace_scan_end(scan, trace->size);
	csg_attribution_settle(t->stream);
	while (csg_attribution_next(t->stream, &segment) > 0) {
		CU_ASSERT_FATAL(t->owner_count < 4096);
		t->owners[t->owner_count] = segment.owner;
		if (segment.at_time)
			csg_flow_segment_at_time(flow, segment.index, t->owner_count++);
		else
			csg_flow_segment(flow, segment.index, segment.at_context, t->owner_count++);
	}
	csg_trace_scan_destroy(scan);
	csg_attribution_stream_destroy(t->stream);
}

static inline void trial_decode(struct trial *t, trial_see see, void *arg)
{
	const struct csg_enc_bytes *trace = &t->etm.out;
	const struct csg_flow_code code = {.arg = t, .read = trial_code};
	struct csg_flow *flow;

	CU_ASSERT_EQUAL_FATAL(csg_flow_create(&flow, t->engine, &t->source, &code, NULL), 0);
	t->owners[0] = CSG_OWNER_UNKNOWN;
	t->owner_count = 1;
	trial_find(t, flow);
	for (size_t at = 0; at < trace->size;) {
		at += csg_flow_feed(flow, CSG_RUN(at, trace->data + at, trace->size - at));
		if (csg_flow_full(flow))
			trial_take(t, flow, see, arg);
	}
	while (!csg_flow_end(flow, trace->size))
		trial_take(t, flow, see, arg);
	trial_take(t, flow, see, arg);
	csg_flow_destroy(flow);
}

/* A machine that is expected to be what it is, and its trace unit, with all evidence or any of
 * it. */
static inline void trial_draw(struct trial *t, uint64_t seed, enum csg_hypervisor kind, bool any)
{
	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->tick = 1;
	t->engine = CSG_ENGINE_OPENCSD;
	t->random.state = seed;
	if (any) {
		any_model(&t->model, &t->random, true, false);
	} else {
		csg_enc_model_init(&t->model, false);
		t->model.exclude_el = kind == CSG_HV_KVM_NVHE ? 4 : 0;
	}
	if (kind != CSG_HV_KVM_VHE && t->model.virt >= CSG_ENC_VIRTUAL_CONTEXTIDR2)
		t->model.virt = CSG_ENC_VIRTUAL_ABSENT; /* Linux has it traced at EL2 only */
	t->symbols = csg_enc_random_chance(&t->random, 50);
	t->sideband = !any || csg_enc_random_chance(&t->random, 70);
	t->policy = t->machine.kind = kind;
}

/* The machine runs and is traced; of the trace attribute() makes what it can. */
static inline void trial_run(struct trial *t, unsigned steps, bool gaps,
			     void (*attribute)(struct trial *trial))
{
	machine_run(&t->machine, &t->random, t->machine.kind, &t->model, steps, gaps);
	csg_enc_etm_init(&t->etm, &t->model);
	if (csg_enc_etm_path(&t->etm, &t->machine.path) < 0)
		printf("seed %" PRIu64 ": %s\n", t->seed, t->etm.error);
	CU_ASSERT_PTR_NULL_FATAL(t->etm.error);
	trial_unit(t);
	attribute(t);
	csg_enc_etm_fini(&t->etm);
	machine_fini(&t->machine);
}

/* Draws the trial of a seed and runs it. */
typedef void (*trial_fn)(struct trial *t, uint64_t seed, enum csg_hypervisor kind);

struct trial_sum {
	uint64_t seeds, bad; /* tried; those with something wrong */
	uint64_t known, unknown;
	bool one; /* only one that was asked for: no sum */
};

static inline struct trial_sum trial_seeds(trial_fn try, uint64_t seeds, enum csg_hypervisor kind)
{
	static struct trial trial;
	const char *more = getenv("CSG_WORLD_SEEDS"), *one = getenv("CSG_WORLD_SEED");
	uint64_t first = one ? strtoull(one, NULL, 0) : 1;
	uint64_t last = one ? first : more ? strtoull(more, NULL, 0) : seeds;
	struct trial_sum sum = {.one = one};

	for (uint64_t seed = first; seed <= last; seed++) {
		try(&trial, seed, kind);
		sum.seeds++;
		sum.bad += trial.wrong != 0;
		sum.known += trial.known;
		sum.unknown += trial.unknown;
	}
	if (more)
		printf("%s: %" PRIu64 " seeds, %" PRIu64 " bad, %" PRIu64 " known, %" PRIu64
		       " unknown\n",
		       csg_hypervisor_name(kind), sum.seeds, sum.bad, sum.known, sum.unknown);
	return sum;
}

#endif
