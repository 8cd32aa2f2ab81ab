/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/resident.h"

#include <inttypes.h>
#include <stdio.h>

#include "guest/slices/time_slices.h"
#include "util/bisect.h"
#include "world/policy.h"

struct vcpu_threads {
	const struct csg_vcpus *vcpus;
	const struct csg_when *when;
	const struct csg_on_cpu *only;
};

/*
 * Whether a thread may have run the guest of which nobody knows that its process is a VMM.  The
 * idle thread is none, and between the records of a switch only the kernel runs.
 */
static bool is_stranger(const struct vcpu_threads *v, const struct csg_on_cpu *interval)
{
	return interval->tid && interval->from <= v->when->until &&
	       interval->until >= v->when->from && !csg_vcpus_is_vmm(v->vcpus, interval->pid);
}

static bool visit(void *arg, const struct csg_on_cpu *interval)
{
	struct vcpu_threads *v = arg;

	if (is_stranger(v, interval))
		return false;
	if (!csg_vcpus_may_run(v->vcpus, interval->pid, interval->tid, CSG_VM_UNKNOWN) ||
	    (v->only && v->only->tid == interval->tid && v->only->pid == interval->pid))
		return true;
	if (v->only)
		return false;
	v->only = interval;
	return true;
}

/* The only vCPU thread that was there, if no other can be one; or NULL. */
static const struct csg_on_cpu *vcpu_thread(const struct csg_facts *facts,
					    const struct csg_when *when)
{
	struct vcpu_threads threads = {.vcpus = &facts->vcpus, .when = when};

	if (!csg_residency_among(&facts->residency, when->cpu, when->from, when->until, visit,
				 &threads) ||
	    !threads.only || !csg_vcpus_find(&facts->vcpus, threads.only->pid, threads.only->tid))
		return NULL;
	return threads.only;
}

/*
 * Trace and records of another thread: whose the segment is is not known.  Where times alone say
 * who ran, those with the same upper bits may be as wrong.
 */
static int contradict(struct csg_facts *facts, const struct csg_when *when, struct csg_owner *owner,
		      const char *trace, int32_t tid)
{
	struct csg_contradiction one = csg_when_contradicted_times(when, CSG_CONTRADICTION_ON_CPU);

	if (tid == CSG_PID_UNKNOWN)
		snprintf(one.text, sizeof(one.text),
			 "the trace shows %s; by the switch records that is not there", trace);
	else
		snprintf(one.text, sizeof(one.text),
			 "the trace shows %s; by the switch records thread %" PRId32 " is there",
			 trace, tid);
	owner->reason = CSG_REASON_CONFLICT;
	owner->host_tid = CSG_PID_UNKNOWN;
	if (owner->world == CSG_WORLD_HOST)
		owner->pid = owner->tid = CSG_PID_UNKNOWN;
	/* What a survey took for the host's may turn out to be a guest's. */
	if (when->finder && !when->finder->found)
		return 0;
	return csg_contradictions_add(&facts->contradictions, &one);
}

static int contradict_interval(struct csg_facts *facts, const struct csg_when *when,
			       struct csg_owner *owner, const char *trace, int32_t tid)
{
	if (when->empty)
		return 0;
	csg_agreement_contradict(when->agreement);
	owner->evidence |= CSG_EVIDENCE_RESIDENCY;
	return contradict(facts, when, owner, trace, tid);
}

static void name(struct csg_owner *owner, int32_t pid, int32_t tid,
		 enum csg_evidence_source evidence)
{
	owner->host_tid = tid;
	owner->evidence |= evidence;
	if (owner->world == CSG_WORLD_GUEST)
		return;
	owner->tid = tid;
	owner->pid = pid < 0 ? CSG_PID_UNKNOWN : pid;
	owner->reason = owner->pid == CSG_PID_UNKNOWN ? CSG_REASON_NO_THREAD : CSG_REASON_NONE;
}

static bool note_idle(void *arg, const struct csg_on_cpu *interval)
{
	bool *idle = arg;

	*idle |= !interval->tid;
	return true;
}

struct overlap {
	const struct csg_when *when;
	bool idle;
};

/* All of the segment's time from begun to ended is certain, of a switch either thread's. */
static bool note_overlap(void *arg, const struct csg_on_cpu *interval)
{
	struct overlap *o = arg;

	o->idle |= !interval->tid && interval->from <= o->when->ended &&
		   interval->until >= o->when->begun;
	return true;
}

/*
 * Whether the idle thread was there at some time of the segment, whatever records say of the rest:
 * what has one context ID is one thread's.
 */
static bool idle_was_there(const struct csg_facts *facts, const struct csg_when *when)
{
	struct overlap o = {.when = when};

	if (when->begun && when->begun <= when->ended)
		csg_residency_among(&facts->residency, when->cpu, when->begun, when->ended,
				    note_overlap, &o);
	return o.idle;
}

/* Linux gives no thread the ID 0 but each CPU's idle thread. */
static int name_idle(struct csg_facts *facts, const struct csg_when *when, struct csg_owner *owner)
{
	bool idle = false;

	if (!csg_residency_among(&facts->residency, when->cpu, when->from, when->until, note_idle,
				 &idle)) {
		idle = idle_was_there(facts, when);
		if (!idle)
			return 0;
	}
	if (!idle)
		return contradict_interval(facts, when, owner, "the idle thread's context ID 0",
					   CSG_PID_UNKNOWN);
	if (!csg_agreement_holds(when->agreement))
		return 0;
	name(owner, 0, 0, CSG_EVIDENCE_RESIDENCY);
	owner->evidence |= when->zero_id;
	return 0;
}

/* The register that holds the host's thread, by which the owner was named. */
static void note_id(const struct csg_when *when, uint32_t evidence, bool agrees)
{
	if (evidence & (CSG_EVIDENCE_CONTEXTIDR_EL1 | CSG_EVIDENCE_CONTEXTIDR_EL2))
		csg_found(when->finder,
			  evidence & CSG_EVIDENCE_CONTEXTIDR_EL2 ? CSG_ASSUMPTION_CONTEXTIDR_EL2
								 : CSG_ASSUMPTION_CONTEXTIDR_EL1,
			  agrees, when->index);
}

struct search {
	int32_t tid;
	bool found;
};

static bool find(void *arg, const struct csg_on_cpu *interval)
{
	struct search *search = arg;

	search->found |= interval->tid == search->tid;
	return true;
}

/* Several threads were there, and all are known: the trace names none of them. */
static int compare_all(struct csg_facts *facts, const struct csg_when *when,
		       struct csg_owner *owner)
{
	struct search search = {.tid = owner->host_tid};
	char trace[64];

	if (!csg_residency_among(&facts->residency, when->cpu, when->from, when->until, find,
				 &search) ||
	    search.found)
		return 0;
	note_id(when, owner->evidence, false);
	snprintf(trace, sizeof(trace), "the context ID of thread %" PRId32, owner->host_tid);
	return contradict_interval(facts, when, owner, trace, CSG_PID_UNKNOWN);
}

/* The trace names the thread itself. */
static int compare(struct csg_facts *facts, const struct csg_when *when,
		   const struct csg_on_cpu *interval, struct csg_owner *owner)
{
	char trace[64];

	if (when->empty)
		return 0;
	if (!interval)
		return compare_all(facts, when, owner);
	note_id(when, owner->evidence, interval->tid == owner->host_tid);
	if (interval->tid == owner->host_tid) {
		csg_agreement_agree(when->agreement, interval);
		return 0;
	}
	snprintf(trace, sizeof(trace), "the context ID of thread %" PRId32, owner->host_tid);
	return contradict_interval(facts, when, owner, trace, interval->tid);
}

/* A guest runs in a thread that runs a vCPU. */
static int name_guest(struct csg_facts *facts, const struct csg_when *when,
		      const struct csg_on_cpu *interval, struct csg_owner *owner)
{
	const struct csg_on_cpu *vcpu;

	if (!facts->vcpus.count)
		return 0;
	if (interval &&
	    !csg_vcpus_may_run(&facts->vcpus, interval->pid, interval->tid, CSG_VM_UNKNOWN))
		return contradict_interval(facts, when, owner, "a guest", interval->tid);
	if (interval && csg_vcpus_find(&facts->vcpus, interval->pid, interval->tid))
		csg_agreement_agree(when->agreement, interval);
	vcpu = vcpu_thread(facts, when);
	if (vcpu && csg_agreement_holds(when->agreement))
		name(owner, vcpu->pid, vcpu->tid, CSG_EVIDENCE_RESIDENCY);
	return 0;
}

int csg_owner_by_residency(struct csg_facts *facts, const struct csg_when *when,
			   struct csg_owner *owner)
{
	bool guest = owner->world == CSG_WORLD_GUEST;
	const struct csg_on_cpu *interval;

	if ((!guest && owner->world != CSG_WORLD_HOST) || !when->from || !when->until)
		return 0;
	interval = csg_residency_at(&facts->residency, when->cpu, when->from, when->until);
	if (owner->host_tid != CSG_PID_UNKNOWN)
		return compare(facts, when, interval, owner);
	if (guest)
		return name_guest(facts, when, interval, owner);
	if (interval && !when->empty && owner->reason == CSG_REASON_ZERO_CONTEXT_ID)
		note_id(when,
			csg_policy_has(facts->options.hypervisor, CSG_TRAIT_HOST_AT_EL2)
				? CSG_EVIDENCE_CONTEXTIDR_EL2
				: CSG_EVIDENCE_CONTEXTIDR_EL1,
			!interval->tid);
	if (when->zero_id && owner->privilege == CSG_KERNEL)
		return name_idle(facts, when, owner);
	if (interval && !interval->tid && owner->privilege == CSG_USER)
		return contradict_interval(facts, when, owner, "user code", interval->tid);
	if (interval && csg_agreement_holds(when->agreement))
		name(owner, interval->pid, interval->tid, CSG_EVIDENCE_RESIDENCY);
	return 0;
}

/* The kernel switches threads at EL2, nobody does elsewhere: there the end must be known, too. */
static uint64_t end_of(const struct csg_when *when, const struct csg_owner *owner)
{
	return owner->el < CSG_EL2 ? when->index + 1 : when->end;
}

/* None of the piece's counts any more: they were found together. */
static int contradict_slice(struct csg_facts *facts, const struct csg_when *when,
			    struct csg_owner *owner, int32_t tid)
{
	if (when->agreement)
		when->agreement->slices = when->piece->slices;
	owner->evidence |= CSG_EVIDENCE_SWITCH_ORDER;
	return contradict(facts, when, owner, "a guest", tid);
}

static bool is_contradicted(const struct csg_attribution_time_slice *slice)
{
	return slice->events == CSG_TIME_SLICE_EVENTS_CONTRADICT;
}

/* Those beside it are contradicted together with it: one contradiction. */
static int contradict_events(struct csg_facts *facts, const struct csg_when *when,
			     const struct csg_attribution_time_slice *slice)
{
	const struct csg_attribution_piece *piece = when->piece;
	const struct csg_attribution_time_slice *first = slice, *last = slice;
	bool all;

	while (first > piece->slices && is_contradicted(first - 1))
		first--;
	while (last + 1 < piece->slices + piece->slice_count && is_contradicted(last + 1))
		last++;
	all = first == piece->slices && last + 1 == piece->slices + piece->slice_count;
	return csg_contradictions_add(
		&facts->contradictions,
		&(struct csg_contradiction){
			.kind = CSG_CONTRADICTION_KVM_EVENTS,
			.cpu = when->cpu,
			.begin = first->begin,
			.end = last->end,
			.begin_time = all ? piece->begin_time : 0,
			.end_time = all ? piece->end_time : 0,
			.text = "kvm:kvm_entry and kvm:kvm_exit record visits to guests that "
				"no sequence of the host's switches shows",
		});
}

/* The first time slice that contradicts KVM's events, and of which something lies in the segment;
 * or NULL. */
static const struct csg_attribution_time_slice *contradicted_slice(const struct csg_when *when,
								   uint64_t end)
{
	const struct csg_attribution_time_slice *slices = when->piece->slices;
	size_t n = when->piece->slice_count, i;

	CSG_BISECT(i, n, slices[i].end < when->index);
	for (; i < n && slices[i].begin < end; i++)
		if (is_contradicted(&slices[i]))
			return &slices[i];
	return NULL;
}

int csg_owner_by_order(struct csg_facts *facts, const struct csg_when *when,
		       struct csg_owner *owner)
{
	bool guest = owner->world == CSG_WORLD_GUEST;
	uint64_t end = end_of(when, owner);
	const struct csg_attribution_time_slice *slice;

	if ((!guest && owner->world != CSG_WORLD_HOST) || owner->host_tid != CSG_PID_UNKNOWN ||
	    !end || (when->agreement && when->agreement->slices == when->piece->slices))
		return 0;
	slice = contradicted_slice(when, when->end > end ? when->end : end);
	if (slice) {
		owner->evidence |= CSG_EVIDENCE_KVM_EVENTS;
		owner->reason = CSG_REASON_CONFLICT;
		return contradict_events(facts, when, slice);
	}
	slice = csg_time_slices_find(when->piece->slices, when->piece->slice_count, when->index,
				     end);
	if (!slice || slice->tid == CSG_PID_UNKNOWN)
		return 0;
	if (slice->events == CSG_TIME_SLICE_EVENTS_AGREE)
		owner->evidence |= CSG_EVIDENCE_KVM_EVENTS;
	if (guest && facts->vcpus.count &&
	    !csg_vcpus_may_run(&facts->vcpus, slice->pid, slice->tid, CSG_VM_UNKNOWN))
		return contradict_slice(facts, when, owner, slice->tid);
	name(owner, slice->pid, slice->tid, CSG_EVIDENCE_SWITCH_ORDER);
	return 0;
}

/* Somebody else than a VM's vCPUs. */
struct others {
	const struct csg_vcpus *vcpus;
	int32_t vm;
};

static bool is_other(void *arg, const struct csg_on_cpu *interval)
{
	const struct others *o = arg;

	return !csg_vcpus_may_run(o->vcpus, interval->pid, interval->tid, o->vm);
}

bool csg_resident_may_run(const struct csg_facts *facts, int32_t cpu, uint64_t from, uint64_t until,
			  int32_t vm)
{
	struct others o = {&facts->vcpus, vm};

	/* From an unknown time on there is a hole: that needs no look at all that lies before the
	 * trace. */
	return !from || !until || facts->foreign_ids ||
	       !csg_residency_among(&facts->residency, cpu, from, until, is_other, &o);
}
