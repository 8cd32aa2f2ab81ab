/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whatever a machine executes, whatever trace unit traces it, whatever the policy expects: nobody is taken
 * for another.  CSG_WORLD_SEEDS=n tries more seeds, CSG_WORLD_SEED=n shows one.
 */
#include <inttypes.h>
#include <stdio.h>

#include "any_model.h"
#include "csguest/attribution.h"
#include "csguest/trace_scan.h"
#include "encoder/etm.h"
#include "flow/flow.h"
#include "guest/attribution_facts.h"
#include "guest/turn_watch.h"
#include "machine.h"
#include "suite.h"

struct trial {
	uint64_t seed;
	struct csg_enc_random random;
	struct csg_enc_model model;
	struct machine machine;
	struct csg_enc_etm etm;
	struct csg_source source;
	enum csg_hypervisor policy;
	bool symbols, sideband;
	struct csg_attribution *attribution;
	struct csg_attribution_stream *stream;
	struct csg_owner owners[4096];
	uint32_t owner_count;
	struct csg_turns turns; /* that a first decode shows */
	struct csg_turn_watch watch;
	uint64_t known, unknown, wrong;
	uint64_t guests, guests_named; /* instructions of guests; those whose VM is known */
	uint32_t words[4];	       /* of the slot that was asked for last */
};

static const char *symbol(void *arg, uint64_t address, uint64_t *offset)
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

static void state_threads(struct trial *t)
{
	static const char *const names[] = {"swapper", "sh", "CPU 0/KVM", "CPU 0/KVM", "qemu"};

	for (int i = 0; i < 5; i++) {
		const struct machine_thread *m = &t->machine.threads[i];

		CU_ASSERT_EQUAL(csg_attribution_thread(t->attribution, CSG_VM_HOST, m->pid, m->tid,
						       names[i], false, 0),
				0);
	}
}

static void state_switches(struct trial *t)
{
	struct machine *m = &t->machine;

	csg_attribution_seen(t->attribution, 0, MACHINE_START - 10, 0, 0);
	for (unsigned i = 0; i < m->switch_count; i++) {
		const struct machine_switch *s = &m->switches[i];
		const struct machine_thread *from = &m->threads[s->from], *to = &m->threads[s->to];
		struct csg_attribution_switch out = {.size = sizeof(out),
						     .time = s->time - 1,
						     .out = true,
						     .pid = from->pid,
						     .tid = from->tid,
						     .other_pid = to->pid,
						     .other_tid = to->tid};
		struct csg_attribution_switch in = {.size = sizeof(in),
						    .time = s->time + 1,
						    .pid = to->pid,
						    .tid = to->tid,
						    .other_pid = from->pid,
						    .other_tid = from->tid};

		CU_ASSERT_EQUAL(csg_attribution_switch(t->attribution, &out), 0);
		CU_ASSERT_EQUAL(csg_attribution_switch(t->attribution, &in), 0);
	}
	csg_attribution_seen(t->attribution, 0, m->now + 10, -1, -1); /* PERF_RECORD_AUX */
}

static int64_t ts_source(struct trial *t)
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

static void describe_unit(struct trial *t)
{
	struct csg_enc_registers regs;

	csg_enc_model_registers(&t->model, &regs);
	t->source = (struct csg_source){
		.cpu = 0,
		.trace_id = t->model.trace_id,
		.protocol = t->model.ete ? CSG_PROTOCOL_ETE : CSG_PROTOCOL_ETMV4,
		.trcconfigr = regs.configr,
		.trctraceidr = regs.traceidr,
		.trcidr0 = regs.idr0,
		.trcidr1 = regs.idr1,
		.trcidr2 = regs.idr2,
		.trcidr8 = regs.idr8,
		.trcdevarch = regs.devarch,
		.ts_source = ts_source(t),
	};
}

static void on_track(void *arg, const struct csg_track_event *event)
{
	csg_attribution_event(arg, event);
}

static int read_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
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

static bool is_wrong(const struct trial *t, const struct csg_owner *o, uint64_t address)
{
	static const enum csg_world worlds[] = {CSG_WORLD_HOST, CSG_WORLD_GUEST,
						CSG_WORLD_HYPERVISOR, CSG_WORLD_FIRMWARE};
	static const int32_t vms[] = {500, 600};
	int guest;
	enum machine_who who = machine_who_at(address, &guest);

	if (o->world == CSG_WORLD_UNKNOWN)
		return false;
	if (o->world != worlds[who])
		return true;
	if (who == HOST && o->el == CSG_EL0 && o->tid != CSG_PID_UNKNOWN)
		return o->tid != t->machine.threads[(address - MACHINE_USER) >> 12].tid;
	if (who != GUEST || o->vm == CSG_VM_UNKNOWN || (o->witness & CSG_WITNESS_VMID))
		return false;
	return o->vm != vms[guest] || (o->vcpu != CSG_VCPU_UNKNOWN && o->vcpu);
}

static void judge(struct trial *t, const struct csg_element *e)
{
	const struct csg_owner *o = &t->owners[e->owner];
	char witness[200];

	if (o->world == CSG_WORLD_UNKNOWN)
		t->unknown += e->instructions;
	else
		t->known += e->instructions;
	if (o->world == CSG_WORLD_GUEST) {
		t->guests += e->instructions;
		t->guests_named += o->vm != CSG_VM_UNKNOWN ? e->instructions : 0;
	}
	if (!is_wrong(t, o, e->start))
		return;
	if (!t->wrong++ || getenv("CSG_WORLD_SEED")) {
		csg_witness_text(o->witness, witness, sizeof(witness));
		printf("seed %" PRIu64 ": %s under %s: %#" PRIx64 " at %" PRIu64
		       " EL%u is not %s's vm %d (%s)\n",
		       t->seed, csg_hypervisor_name(t->machine.kind),
		       csg_hypervisor_name(t->policy), e->start, e->index, e->el,
		       csg_world_name((enum csg_world)o->world), o->vm, witness);
	}
}

/* What to do with an element. */
typedef void (*see_fn)(struct trial *t, const struct csg_element *e);

static void judge_range(struct trial *t, const struct csg_element *e)
{
	if (e->kind == CSG_ELEMENT_RANGE)
		judge(t, e);
}

static void watch_turns(struct trial *t, const struct csg_element *e)
{
	CU_ASSERT_EQUAL(csg_turn_watch_see(&t->watch, e, &t->owners[e->owner]), 0);
}

static void take(struct trial *t, struct csg_flow *flow, see_fn see)
{
	size_t n;
	const struct csg_element *e = csg_flow_elements(flow, &n);

	for (size_t i = 0; i < n; i++)
		see(t, &e[i]);
	csg_flow_take(flow);
}

/* All segments, then the flow over the same bytes with them. */
static void find_owners(struct trial *t, struct csg_flow *flow)
{
	const struct csg_enc_bytes *trace = &t->etm.out;
	const struct csg_attribution_piece piece = {.size = sizeof(piece),
						    .begin_time = MACHINE_START - 10,
						    .end_time = t->machine.now + 10,
						    .pid = -1,
						    .tid = -1,
						    .turns = t->turns.turns,
						    .turn_count = t->turns.count};
	struct csg_trace_unit unit = csg_source_unit(&t->source);
	struct csg_trace_scan *scan;
	struct csg_segment segment;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&t->stream, t->attribution, &unit), 0);
	CU_ASSERT_EQUAL_FATAL(csg_trace_scan_create(&scan, &unit, on_track, t->stream), 0);
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

static void decode(struct trial *t, see_fn see)
{
	const struct csg_enc_bytes *trace = &t->etm.out;
	const struct csg_flow_code code = {.arg = t, .read = read_code};
	struct csg_flow *flow;

	CU_ASSERT_EQUAL_FATAL(csg_flow_create(&flow, CSG_ENGINE_OPENCSD, &t->source, &code, NULL),
			      0);
	t->owners[0] = CSG_OWNER_UNKNOWN;
	t->owner_count = 1;
	find_owners(t, flow);
	for (size_t at = 0; at < trace->size;) {
		at += csg_flow_feed(flow, at, trace->data + at, trace->size - at);
		if (csg_flow_full(flow))
			take(t, flow, see);
	}
	while (!csg_flow_end(flow, trace->size))
		take(t, flow, see);
	take(t, flow, see);
	csg_flow_destroy(flow);
}

/* Whose turns there are, as session/switch_survey.h finds them. */
static void survey_turns(struct trial *t)
{
	const struct csg_facts *facts = csg_attribution_facts(t->attribution);

	t->watch = (struct csg_turn_watch){.turns = &t->turns, .switch_to = MACHINE_SWITCH_TO};
	csg_turn_watch_begin(&t->watch, 0);
	decode(t, watch_turns);
	CU_ASSERT_EQUAL(csg_turn_watch_end(&t->watch), 0);
	CU_ASSERT_EQUAL(csg_turns_match(&t->turns, 0, &facts->residency, 0, MACHINE_START - 10,
					t->machine.now + 10),
			0);
}

static void attribute(struct trial *t)
{
	const struct csg_attribution_options options = {
		.size = sizeof(options),
		.hypervisor = t->policy,
		.kernel_symbol = t->symbols ? symbol : NULL,
	};
	const struct csg_attribution_clock clock = {
		.size = sizeof(clock),
		.conv = {.valid = true, .mult = 1},
		.first_time = MACHINE_START - 100,
		.last_time = t->machine.now + 100,
	};

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&t->attribution, &options), 0);
	csg_attribution_set_policy(t->attribution, t->policy, t->policy != t->machine.kind, true);
	CU_ASSERT_EQUAL(csg_attribution_clock(t->attribution, &clock), 0);
	if (t->machine.kind != CSG_HV_XEN)
		state_threads(t);
	if (t->machine.kind != CSG_HV_XEN && t->sideband)
		state_switches(t);
	if (t->policy == CSG_HV_KVM_VHE && t->model.virt != CSG_ENC_VIRTUAL_CONTEXTIDR2)
		survey_turns(t);
	decode(t, judge_range);
	csg_turns_fini(&t->turns);
	csg_attribution_destroy(t->attribution);
}

/* What may be expected of a machine by who does not know which it is. */
static enum csg_hypervisor policy_for(struct trial *t, enum csg_hypervisor kind)
{
	if (csg_enc_random_chance(&t->random, 70))
		return kind;
	if (csg_enc_random_chance(&t->random, 50))
		return CSG_HV_UNKNOWN;
	return kind == CSG_HV_XEN ? CSG_HV_XEN : CSG_HV_KVM_NVHE;
}

/* A machine and its trace unit, with all evidence or any of it. */
static void prepare(struct trial *t, uint64_t seed, enum csg_hypervisor kind, bool any)
{
	memset(t, 0, sizeof(*t));
	t->seed = seed;
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
	t->policy = any ? policy_for(t, kind) : kind;
	t->machine.kind = kind;
}

static void play(struct trial *t, bool gaps)
{
	machine_run(&t->machine, &t->random, t->machine.kind, &t->model, 600, gaps);
	csg_enc_etm_init(&t->etm, &t->model);
	if (csg_enc_etm_path(&t->etm, &t->machine.path) < 0)
		printf("seed %" PRIu64 ": %s\n", t->seed, t->etm.error);
	CU_ASSERT_PTR_NULL_FATAL(t->etm.error);
	describe_unit(t);
	attribute(t);
	csg_enc_etm_fini(&t->etm);
	machine_fini(&t->machine);
}

static void try(struct trial *t, uint64_t seed, enum csg_hypervisor kind, bool any)
{
	prepare(t, seed, kind, any);
	play(t, any && csg_enc_random_chance(&t->random, 60));
}

static void nobody_is_taken_for_another(enum csg_hypervisor kind)
{
	static struct trial trial;
	const char *more = getenv("CSG_WORLD_SEEDS"), *one = getenv("CSG_WORLD_SEED");
	uint64_t last = more ? strtoull(more, NULL, 0) : 150, first = 1, bad = 0, known = 0;

	if (one)
		first = last = strtoull(one, NULL, 0);
	for (uint64_t seed = first; seed <= last; seed++) {
		try(&trial, seed, kind, true);
		bad += trial.wrong != 0;
		known += trial.known;
	}
	CU_ASSERT_EQUAL(bad, 0);
	CU_ASSERT(one || known > 100 * last);
}

static void under_vhe_nobody_is_taken_for_another(void)
{
	nobody_is_taken_for_another(CSG_HV_KVM_VHE);
}

static void without_vhe_nobody_is_taken_for_another(void)
{
	nobody_is_taken_for_another(CSG_HV_KVM_NVHE);
}

static void under_xen_nobody_is_taken_for_another(void)
{
	nobody_is_taken_for_another(CSG_HV_XEN);
}

/* With all of the evidence there, few instructions stay open. */
static void the_usual_trace_tells_nearly_all(void)
{
	static const enum csg_hypervisor kinds[] = {CSG_HV_KVM_VHE, CSG_HV_KVM_NVHE, CSG_HV_XEN};
	static struct trial trial;

	for (int k = 0; k < 3; k++) {
		uint64_t known = 0, unknown = 0;

		for (uint64_t seed = 1; seed <= 20; seed++) {
			try(&trial, seed, kinds[k], false);
			CU_ASSERT_EQUAL(trial.wrong, 0);
			known += trial.known;
			unknown += trial.unknown;
		}
		CU_ASSERT(unknown * 10 < known);
	}
}

/* Without any context ID, and by a clock that nobody knows, the order of switches tells who ran. */
static void switches_alone_tell_guests_apart(void)
{
	static struct trial trial;
	uint64_t named = 0, known = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		prepare(&trial, seed, CSG_HV_KVM_VHE, false);
		trial.model.virt = CSG_ENC_VIRTUAL_ABSENT;
		trial.model.clock = CSG_ENC_CLOCK_UNRELATED;
		play(&trial, false);
		CU_ASSERT_EQUAL(trial.wrong, 0);
		known += trial.guests;
		named += trial.guests_named;
	}
	CU_ASSERT(known > 1000);
	CU_ASSERT_EQUAL(named, known);
}

CSG_SUITE(guest, worlds, CSG_TEST(under_vhe_nobody_is_taken_for_another),
	  CSG_TEST(without_vhe_nobody_is_taken_for_another),
	  CSG_TEST(under_xen_nobody_is_taken_for_another),
	  CSG_TEST(the_usual_trace_tells_nearly_all), CSG_TEST(switches_alone_tell_guests_apart));
