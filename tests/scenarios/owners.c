/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds every executed instruction against what csguest says of it.
 *
 * The truth of a stream is the list of its traced instructions in order; what the session
 * yields is the same list with holes.  Their longest common subsequence brings the two
 * together: what only the truth has was not seen, what only the session has never ran.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/element.h"
#include "encoder/filter.h"
#include "scenario.h"
#include "session/session.h"
#include "session/session_pull.h"

struct insn {
	uint64_t pc;
	uint32_t thread;
	uint8_t el;
	bool gap; /* seen: code was wanted here, for this owner, and is not there */
};

struct truth {
	struct insn *insns;
	size_t count, capacity;
};

struct seen {
	struct insn *insns;
	uint32_t *owners;
	size_t count, capacity;
};

struct scoring {
	struct scn *s;
	struct scn_score *score;
	struct csg_session *session;
	struct truth truths[SCN_CPUS];
	struct seen seen[SCN_CPUS];
};

static void truth_add(struct truth *t, uint64_t start, uint64_t end,
		      const struct csg_enc_context *c)
{
	for (uint64_t pc = start; pc < end; pc += 4) {
		if (t->count == t->capacity) {
			t->capacity = t->capacity ? 2 * t->capacity : 256;
			t->insns = csg_enc_grow(t->insns, t->capacity * sizeof(*t->insns));
		}
		t->insns[t->count++] = (struct insn){pc, c->owner, c->el, false};
	}
}

static void tell_truth(struct scoring *g, const struct csg_enc_model *model)
{
	for (unsigned cpu = 0; cpu < SCN_CPUS; cpu++) {
		struct scn_cpu *c = &g->s->cpus[cpu];

		for (unsigned pass = 0; c->began && pass <= c->pass; pass++) {
			struct csg_enc_path path = {0};
			struct csg_enc_context context = {0};
			bool wrong = false;

			csg_enc_filter_path(model, &c->passes[pass], &path);
			for (size_t i = 0; i < path.count; i++) {
				const struct csg_enc_event *e = &path.events[i];

				if (e->kind == CSG_ENC_WRONG_PATH || e->kind == CSG_ENC_CANCEL)
					wrong = e->kind == CSG_ENC_WRONG_PATH;
				if (wrong)
					continue;
				if (e->kind == CSG_ENC_CONTEXT)
					context = e->context;
				else if (e->kind == CSG_ENC_BRANCH)
					truth_add(&g->truths[cpu], e->branch.start, e->branch.end,
						  &context);
				else if (e->kind == CSG_ENC_EXCEPTION)
					truth_add(&g->truths[cpu], e->exception.start,
						  e->exception.ret, &context);
			}
			csg_enc_path_fini(&path);
		}
	}
}

static bool claims_wrong(int32_t claim, int32_t unknown, int32_t truth)
{
	return claim != unknown && claim != truth;
}

static enum csg_world world_of(const struct scn_thread *t)
{
	static const enum csg_world worlds[] = {
		[SCN_HOST] = CSG_WORLD_HOST,
		[SCN_GUEST] = CSG_WORLD_GUEST,
		[SCN_HYPERVISOR] = CSG_WORLD_HYPERVISOR,
		[SCN_FIRMWARE] = CSG_WORLD_FIRMWARE,
	};

	return worlds[t->kind];
}

/* The thread that is a guest's vCPU, or one that nobody has where that has no number of its own. */
static int32_t host_tid_of(const struct scn_thread *t)
{
	return t->on && !t->on->outside ? t->on->tid : INT32_MIN;
}

/* Of several VMs with one PID the first has it for its number where no record shows another. */
static bool wrong_vm(const struct scn_thread *t, int32_t vm)
{
	if (t->kind != SCN_GUEST)
		return claims_wrong(vm, CSG_VM_UNKNOWN, CSG_VM_HOST);
	return vm / CSG_VM_AGAIN == 0 && t->vm / CSG_VM_AGAIN == 1
		       ? claims_wrong(vm, CSG_VM_UNKNOWN, csg_vm_pid(t->vm))
		       : claims_wrong(vm, CSG_VM_UNKNOWN, t->vm);
}

/* Levels are found in guests of guests only; where they are, every part must be right. */
static bool wrong_level(const struct scn_thread *t, const struct csg_owner *o)
{
	uint8_t level = t->level ? t->level : t->kind == SCN_GUEST;

	if (o->level == CSG_LEVEL_UNKNOWN)
		return o->nested != CSG_VM_UNKNOWN || o->guest_tid != CSG_PID_UNKNOWN;
	return o->level != level || claims_wrong(o->nested, CSG_VM_UNKNOWN, t->vmm) ||
	       claims_wrong(o->guest_tid, CSG_PID_UNKNOWN, t->in);
}

static bool wrong(const struct scn_thread *t, const struct csg_owner *o)
{
	int32_t none = CSG_PID_UNKNOWN;

	if (o->world == CSG_WORLD_UNKNOWN)
		return false;
	if (o->world != world_of(t))
		return true;
	if (t->kind == SCN_HYPERVISOR || t->kind == SCN_FIRMWARE)
		return false;
	if (wrong_vm(t, o->vm) || wrong_level(t, o))
		return true;
	if (t->kind == SCN_GUEST && (claims_wrong(o->vcpu, CSG_VCPU_UNKNOWN, t->vcpu) ||
				     claims_wrong(o->host_tid, none, host_tid_of(t))))
		return true;
	/* Others have that number, too. */
	if (t->nested || t->outside)
		return o->pid != none || o->tid != none;
	/* The number that the kernel has for it, and no process. */
	if (t->global && o->pid == none && o->tid == (int32_t)t->global)
		return false;
	return claims_wrong(csg_vm_pid(o->host_process), none, t->pid) ||
	       claims_wrong(o->pid, none, t->pid) || claims_wrong(o->tid, none, t->tid);
}

static enum scn_grade grade(const struct scn_thread *t, const struct csg_owner *o)
{
	bool by_default = o->evidence & CSG_EVIDENCE_POLICY_DEFAULT;

	if (wrong(t, o))
		return by_default ? SCN_WRONG_DEFAULT : SCN_WRONG;
	if (o->world == CSG_WORLD_UNKNOWN)
		return SCN_UNKNOWN;
	if (by_default)
		return SCN_DEFAULT;
	if (t->kind == SCN_HYPERVISOR || t->kind == SCN_FIRMWARE)
		return SCN_WORLD;
	if (o->tid != CSG_PID_UNKNOWN && o->pid != CSG_PID_UNKNOWN)
		return SCN_PROCESS;
	if (t->kind == SCN_HOST || o->vm == CSG_VM_UNKNOWN)
		return SCN_WORLD;
	return o->vcpu == CSG_VCPU_UNKNOWN ? SCN_VM : SCN_VCPU;
}

static void count(struct scoring *g, const struct insn *truth, enum scn_grade gr)
{
	g->score->counts[truth->thread][truth->el == 0 ? 0 : 1][gr]++;
	g->score->total[gr]++;
}

static void tell_wrong(struct scoring *g, unsigned cpu, const struct insn *insn,
		       const struct csg_owner *o)
{
	const struct scn_thread *t = &g->s->threads[insn->thread];
	char evidence[200];

	if (g->score->text[0])
		return;
	csg_evidence_text(o->evidence, evidence, sizeof(evidence));
	snprintf(g->score->text, sizeof(g->score->text),
		 "cpu %u: %#" PRIx64 " at EL%u was executed by %s (%s vm %d vcpu %d pid %d tid %d),"
		 " not by %s vm %d vcpu %d pid %d tid %d host tid %d (%s)",
		 cpu, insn->pc, insn->el, t->name, csg_world_name(world_of(t)), t->vm, t->vcpu,
		 t->pid, t->tid, csg_world_name((enum csg_world)o->world), o->vm, o->vcpu, o->pid,
		 o->tid, o->host_tid, evidence);
}

static void found(struct scoring *g, unsigned cpu, const struct insn *insn, uint32_t owner,
		  bool gap)
{
	const struct csg_owner *o = csg_session_owner(g->session, owner);
	enum scn_grade gr = grade(&g->s->threads[insn->thread], o);

	if (gap && gr < SCN_UNSEEN)
		gr = SCN_UNSEEN;
	count(g, insn, gr);
	if (gr == SCN_WRONG)
		tell_wrong(g, cpu, insn, o);
}

static void strange(struct scoring *g, unsigned cpu, const struct seen *s, size_t i)
{
	const struct csg_owner *o = csg_session_owner(g->session, s->owners[i]);

	if (s->insns[i].gap)
		return;
	/* What follows from a default that is wrong counts with it. */
	if (o->evidence & CSG_EVIDENCE_POLICY_DEFAULT) {
		g->score->strange_default++;
		return;
	}
	if (!g->score->strange++ && !g->score->text[0])
		snprintf(g->score->text, sizeof(g->score->text),
			 "cpu %u: %#" PRIx64 " at EL%u was never executed there, "
			 "but is said to be by %s vm %d vcpu %d pid %d",
			 cpu, s->insns[i].pc, s->insns[i].el,
			 csg_world_name((enum csg_world)o->world), o->vm, o->vcpu, o->pid);
}

/* What it is worth to take the instruction seen for the executed one: right owners decide ties. */
static uint32_t worth(const struct scoring *g, const struct insn *truth, const struct seen *s,
		      size_t i)
{
	const struct csg_owner *o;

	if (truth->pc != s->insns[i].pc || truth->el != s->insns[i].el)
		return 0;
	o = csg_session_owner(g->session, s->owners[i]);
	return (s->insns[i].gap ? 100 : 10000) + !wrong(&g->s->threads[truth->thread], o);
}

/*
 * The longest common subsequence: best[i * width + k] is what truth from i on and seen from k
 * on are worth together.
 */
static void align(struct scoring *g, unsigned cpu)
{
	const struct truth *t = &g->truths[cpu];
	const struct seen *s = &g->seen[cpu];
	size_t width = s->count + 1, i = 0, k = 0;
	uint32_t *best = calloc((t->count + 1) * width, sizeof(*best));

	if (!best)
		scn_die(NULL, "%s: too long", g->s->file);
	for (i = t->count; i-- > 0;)
		for (k = s->count; k-- > 0;) {
			uint32_t w = worth(g, &t->insns[i], s, k);
			uint32_t skip = best[(i + 1) * width + k];

			if (best[i * width + k + 1] > skip)
				skip = best[i * width + k + 1];
			if (w && w + best[(i + 1) * width + k + 1] >= skip)
				skip = w + best[(i + 1) * width + k + 1];
			best[i * width + k] = skip;
		}
	for (i = k = 0; i < t->count || k < s->count;) {
		uint32_t w = i < t->count && k < s->count ? worth(g, &t->insns[i], s, k) : 0;

		if (w && best[i * width + k] == w + best[(i + 1) * width + k + 1]) {
			found(g, cpu, &t->insns[i++], s->owners[k], s->insns[k].gap);
			k++;
		} else if (i < t->count && best[i * width + k] == best[(i + 1) * width + k])
			count(g, &t->insns[i++], SCN_UNSEEN);
		else
			strange(g, cpu, s, k++);
	}
	free(best);
}

static void see(struct seen *s, const struct csg_element *e)
{
	unsigned size = e->isa == CSG_ISA_T32 ? 2 : 4;
	uint64_t end = e->kind == CSG_ELEMENT_GAP ? e->start + size : e->end;
	const struct insn *last = s->count ? &s->insns[s->count - 1] : NULL;

	/* Asked for again after each packet. */
	if (e->kind == CSG_ELEMENT_GAP && last && last->gap && last->pc == e->start &&
	    s->owners[s->count - 1] == e->owner)
		return;
	for (uint64_t pc = e->start; pc < end; pc += size) {
		if (s->count == s->capacity) {
			s->capacity = s->capacity ? 2 * s->capacity : 256;
			s->insns = csg_enc_grow(s->insns, s->capacity * sizeof(*s->insns));
			s->owners = csg_enc_grow(s->owners, s->capacity * sizeof(*s->owners));
		}
		s->insns[s->count] =
			(struct insn){.pc = pc, .el = e->el, .gap = e->kind == CSG_ELEMENT_GAP};
		s->owners[s->count++] = e->owner;
	}
}

static void on_batch(struct scoring *g, const struct csg_batch *batch)
{
	size_t streams;
	const struct csg_stream_info *info = csg_session_streams(g->session, &streams);
	int32_t cpu = batch->stream < streams ? info[batch->stream].source->cpu : -1;

	if (cpu < 0 || cpu >= SCN_CPUS) /* a snapshot's cores are in order */
		cpu = (int32_t)batch->stream;
	for (size_t i = 0; cpu < SCN_CPUS && i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE ||
		    (e->kind == CSG_ELEMENT_GAP &&
		     (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER)))
			see(&g->seen[cpu], e);
	}
}

/* What went wrong last. */
static void keep(void *arg, const struct csg_diag *diag)
{
	if (diag->severity == CSG_ERROR)
		snprintf(arg, SCN_ERROR, "%s", diag->text);
}

static const char *or_null(const char *text)
{
	return text[0] ? text : NULL;
}

struct csg_session *scn_open(const struct scn *s, const struct scn_place *place,
			     struct scn_setup *setup)
{
	struct csg_session *session;
	struct csg_session_setup options = {
		.input = place->recording,
		.hypervisor = (enum csg_hypervisor)s->hypervisor,
		.image = {.symfs = place->symfs, .buildid_dir = "/nonexistent", .demangle = true},
		.only_trace_id = -1,
		.only_cpu = -1,
		.guests = setup->guests,
		.guest_count = s->guest_count,
		.vcpus = s->vcpus,
		.vcpu_count = s->vcpu_count,
	};

	setup->sink = (struct csg_diag_sink){.report = keep, .arg = setup->error};
	setup->error[0] = 0;
	if (place->has_vmlinux)
		options.kernel.vmlinux = place->vmlinux;
	if (place->has_guest) {
		options.has_guest = true;
		options.guest.vmlinux = place->guest_vmlinux;
		options.guest.root = place->guest_root;
	}
	for (unsigned i = 0; i < s->guest_count; i++)
		setup->guests[i] = (struct csg_guest_options){
			.name = s->guests[i].name,
			.perf = or_null(place->guests[i].perf),
			.pid = s->guests[i].unsaid ? 0 : s->guests[i].vm,
			.nested = s->guests[i].nested,
			.has_offset = s->guests[i].has_offset,
			.offset = s->guests[i].offset,
			.files = {.vmlinux = or_null(place->guests[i].vmlinux),
				  .root = place->guests[i].root},
		};
	if (csg_session_begin(&session, &options, &setup->sink) < 0)
		return NULL;
	return session;
}

void scn_score(struct scn *s, const struct csg_enc_model *model, const struct scn_place *place,
	       struct scn_score *score)
{
	struct scoring g = {.s = s, .score = score};
	struct scn_setup setup;
	struct csg_batch batch;
	int ret;

	memset(score, 0, sizeof(*score));
	g.session = scn_open(s, place, &setup);
	if (!g.session) {
		memcpy(score->refused, setup.error, sizeof(score->refused));
		return;
	}
	tell_truth(&g, model);
	while ((ret = csg_session_pull(g.session, false, &batch)) > 0)
		on_batch(&g, &batch);
	if (ret < 0)
		scn_die(NULL, "%s: decoding ends with error %d", s->file, ret);
	for (unsigned cpu = 0; cpu < SCN_CPUS; cpu++) {
		align(&g, cpu);
		free(g.truths[cpu].insns);
		free(g.seen[cpu].insns);
		free(g.seen[cpu].owners);
	}
	csg_session_close(g.session);
}
