/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/untraced.h"

#include "util/bisect.h"
#include "world/policy.h"

static const struct csg_owner unknown = {
	.el = CSG_EL_UNKNOWN,
	.vm = CSG_VM_UNKNOWN,
	.vcpu = CSG_VCPU_UNKNOWN,
	.pid = CSG_PID_UNKNOWN,
	.tid = CSG_PID_UNKNOWN,
	.host_tid = CSG_PID_UNKNOWN,
	.host_process = CSG_PID_UNKNOWN,
	.nested = CSG_VM_UNKNOWN,
	.guest_tid = CSG_PID_UNKNOWN,
	.level = CSG_LEVEL_UNKNOWN,
};

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void end_at(struct csg_untraced_span *span, uint64_t time)
{
	span->until = earlier(span->until, time);
}

/* --- a thread that may run a vCPU --- */

static struct csg_owner owner_of_thread(const struct csg_on_cpu *interval)
{
	struct csg_owner owner = unknown;

	owner.evidence = CSG_EVIDENCE_RESIDENCY;
	owner.host_tid = interval->tid;
	return owner;
}

static void set_host(struct csg_owner *owner, const struct csg_on_cpu *interval)
{
	owner->world = CSG_WORLD_HOST;
	owner->vm = CSG_VM_HOST;
	owner->vcpu = CSG_VCPU_UNKNOWN;
	owner->host_process = interval->pid < 0 ? CSG_PID_UNKNOWN : interval->pid;
	owner->pid = csg_vm_pid(owner->host_process);
	owner->tid = interval->tid;
	owner->reason = owner->pid == CSG_PID_UNKNOWN ? CSG_REASON_NO_THREAD : CSG_REASON_NONE;
}

/* Whether the visit is the thread's, entered and left while it was on the CPU. */
static bool is_in(const struct csg_kvm_visit *visit, const struct csg_on_cpu *interval)
{
	return visit->tid == interval->tid && !visit->untrusted &&
	       visit->entered >= interval->from && visit->left <= interval->until;
}

/* KVM's events around a time of an interval. */
struct events {
	const struct csg_kvm_visit
		*before; /* entered at that time or earlier in the interval, or NULL */
	const struct csg_kvm_visit *after; /* entered later in the interval, or NULL */
};

static struct events events_around(const struct csg_facts *facts, int32_t cpu,
				   const struct csg_on_cpu *interval, uint64_t time)
{
	struct events e = {NULL, NULL};
	size_t n, i;
	const struct csg_kvm_visit *visits = csg_kvm_visits_on(&facts->kvm_visits, cpu, &n);

	CSG_BISECT(i, n, visits[i].entered <= time);
	if (i && visits[i - 1].entered >= interval->from)
		e.before = &visits[i - 1];
	if (i < n && visits[i].entered <= interval->until)
		e.after = &visits[i];
	return e;
}

/*
 * KVM reports kvm_exit when it has let the interrupt in for which the guest was left: when it was
 * left is not known, but where all that is not traced is at EL2 or below.
 */
static bool is_guest(const struct csg_kvm_visit *visit, enum csg_untraced_gap gap)
{
	return visit->trap || gap == CSG_UNTRACED_GUEST;
}

static void see_vcpu_thread(const struct csg_facts *facts, int32_t cpu, enum csg_untraced_gap gap,
			    const struct csg_on_cpu *interval, struct csg_untraced_span *span)
{
	const struct events e = events_around(facts, cpu, interval, span->from);
	const bool before = e.before && is_in(e.before, interval);
	const bool after = e.after && is_in(e.after, interval);
	struct csg_owner *owner = &span->owner;

	owner->reason = CSG_REASON_NO_KVM_EVENT;
	if (e.after)
		end_at(span, e.after->entered);
	if (before && span->from < e.before->left) {
		if (is_guest(e.before, gap)) {
			owner->world = CSG_WORLD_GUEST;
			owner->reason = CSG_REASON_NOT_TRACED;
		}
		owner->evidence |= CSG_EVIDENCE_KVM_EVENTS;
		end_at(span, e.before->left);
	} else if ((before || after) && (before || !e.before) && (after || !e.after)) {
		owner->evidence |= CSG_EVIDENCE_KVM_EVENTS;
		set_host(owner, interval);
	}
}

/* --- any thread --- */

/* KVM's events show every thread that runs a vCPU; the names of threads may leave a VMM out. */
static bool knows_vcpus(const struct csg_facts *facts)
{
	return facts->kvm_visits.count;
}

static void see_interval(const struct csg_facts *facts, int32_t cpu, enum csg_untraced_gap gap,
			 const struct csg_on_cpu *interval, struct csg_untraced_span *span)
{
	const struct csg_vcpu_entry *vcpu =
		csg_vcpus_find(&facts->vcpus, interval->pid, interval->tid);
	const int32_t vm = csg_vcpus_vm_of(&facts->vcpus, interval->pid, interval->tid);

	span->owner = owner_of_thread(interval);
	end_at(span, interval->until);
	if ((vm == CSG_VM_HOST && (!interval->tid || knows_vcpus(facts))) ||
	    csg_policy_has(facts->options.hypervisor, CSG_TRAIT_NO_GUEST)) {
		set_host(&span->owner, interval);
		return;
	}
	if (vm > 0)
		span->owner.vm = vm;
	span->owner.reason = CSG_REASON_NO_KVM_EVENT;
	if (vcpu && vcpu->contradicted)
		span->owner.reason = CSG_REASON_CONFLICT;
	else if (vcpu)
		span->owner.vcpu = vcpu->vcpu;
	/* Only a VM that is known can be entered. */
	if (vm > 0 && vcpu && !vcpu->contradicted)
		see_vcpu_thread(facts, cpu, gap, interval, span);
}

/* The kernel writes the record of who leaves before it switches, and that of who comes after it. */
static void see_switch(struct csg_untraced_span *span)
{
	span->owner.world = CSG_WORLD_HOST;
	span->owner.privilege = CSG_KERNEL;
	span->owner.vm = CSG_VM_HOST;
	span->owner.reason = CSG_REASON_HOST_SWITCH;
	span->owner.evidence = CSG_EVIDENCE_RESIDENCY;
}

/* Whether the trace contradicts what records say of the CPU then. */
static bool is_contradicted(const struct csg_facts *facts, int32_t cpu, uint64_t from,
			    uint64_t until)
{
	const struct csg_contradictions *list = &facts->contradictions;

	for (size_t i = 0; i < list->count; i++) {
		const struct csg_contradiction *c = &list->list[i];

		if ((c->kind == CSG_CONTRADICTION_ON_CPU ||
		     c->kind == CSG_CONTRADICTION_KVM_EVENTS) &&
		    c->cpu == cpu && (!c->begin_time || c->begin_time <= until) &&
		    (!c->end_time || c->end_time >= from))
			return true;
	}
	return false;
}

/* What the records say of the CPU; they are of its thread IDs. */
static void see(const struct csg_facts *facts, int32_t cpu, enum csg_untraced_gap gap,
		struct csg_untraced_span *span)
{
	size_t n, i;
	const struct csg_on_cpu *intervals = csg_residency_intervals(&facts->residency, cpu, &n);

	CSG_BISECT(i, n, intervals[i].until <= span->from);
	span->owner.reason = CSG_REASON_NO_HOST_SWITCH;
	if (i == n)
		return;
	if (intervals[i].from <= span->from) {
		see_interval(facts, cpu, gap, &intervals[i], span);
		return;
	}
	end_at(span, intervals[i].from);
	if (intervals[i].joined && i)
		see_switch(span);
}

/* EL2 switches no threads: it works for the one that called it. */
static void call_el2(struct csg_owner *owner, enum csg_untraced_gap gap)
{
	const bool host = owner->world == CSG_WORLD_HOST && owner->tid != CSG_PID_UNKNOWN;
	const struct csg_owner caller = *owner;

	if (gap == CSG_UNTRACED_ANY || (gap == CSG_UNTRACED_GUEST && !host) ||
	    owner->host_tid == CSG_PID_UNKNOWN)
		return;
	*owner = unknown;
	owner->world = CSG_WORLD_HYPERVISOR;
	owner->reason = CSG_REASON_NOT_TRACED;
	owner->el = CSG_EL2;
	owner->evidence = CSG_EVIDENCE_RESIDENCY | CSG_EVIDENCE_EXCEPTION_LEVEL |
			  (gap == CSG_UNTRACED_GUEST ? caller.evidence : 0);
	owner->vm = CSG_VM_HOST;
	owner->host_tid = caller.host_tid;
}

bool csg_untraced_at(const struct csg_facts *facts, int32_t cpu, enum csg_untraced_gap gap,
		     uint64_t from, uint64_t until, struct csg_untraced_span *span)
{
	*span = (struct csg_untraced_span){.from = from, .until = until, .owner = unknown};
	if (facts->foreign_ids) {
		span->owner.reason = CSG_REASON_PID_NAMESPACE;
		return false;
	}
	if (!csg_policy_shares_el1(facts->options.hypervisor))
		gap = CSG_UNTRACED_ANY;
	see(facts, cpu, gap, span);
	call_el2(&span->owner, gap);
	if (is_contradicted(facts, cpu, span->from, span->until)) {
		span->owner = unknown;
		span->owner.reason = CSG_REASON_CONFLICT;
	}
	return span->owner.world != CSG_WORLD_UNKNOWN;
}
