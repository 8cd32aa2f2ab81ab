/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/vcpu_loaded.h"

/* A timestamp and a record of the same moment; both clocks are rounded. */
#define SLACK_NS UINT64_C(1000)

void csg_vcpu_loaded_see_host(struct csg_vcpu_loaded *l, const struct csg_context *context)
{
	if (context->has_contextidr && context->contextidr_el1 && l->named < CSG_LOADED_NAMED)
		l->named++;
}

/* Whose vCPU's threads were on the CPU in some time. */
struct there {
	const struct csg_vcpus *vcpus;
	int32_t vm;		      /* asked for */
	const struct csg_on_cpu *who; /* a vCPU's thread of vm; NULL: none */
	bool others;		      /* other threads than that */
};

static bool look(void *arg, const struct csg_on_cpu *interval)
{
	struct there *t = arg;
	const struct csg_vcpu_entry *vcpu = csg_vcpus_find(t->vcpus, interval->pid, interval->tid);

	if (vcpu && vcpu->vm == t->vm && !vcpu->contradicted && !t->who)
		t->who = interval;
	else
		t->others = true;
	return true;
}

enum fit { NEVER, MAYBE, CERTAIN };

/* Whether the timestamp may be of vm's guest; CERTAIN: then *who was there. */
static enum fit fits(const struct csg_host_alone *a, int32_t vm, uint64_t timestamp,
		     const struct csg_on_cpu **who, uint64_t *from)
{
	const struct csg_time_conv *conv = &csg_facts_clock(a->facts, CSG_VM_HOST)->conv;
	struct there there = {.vcpus = &a->facts->vcpus, .vm = vm};
	struct csg_offset offset;
	uint64_t until;
	bool known;

	if (!csg_facts_any_offset(a->facts, vm, &offset))
		return MAYBE;
	*from = csg_time_conv_to_ns(conv, timestamp + (uint64_t)offset.low);
	until = csg_time_conv_to_ns(conv, timestamp + (uint64_t)offset.high) + SLACK_NS;
	*from = *from > SLACK_NS ? *from - SLACK_NS : 0;
	if (until < a->last || (a->end && *from > a->end) || until < a->begin)
		return NEVER;
	known = csg_residency_among(&a->facts->residency, a->cpu, *from, until, look, &there);
	if (known && !there.who)
		return NEVER;
	*who = there.who;
	return known && !there.others ? CERTAIN : MAYBE;
}

/* The VM of which alone a vCPU can be loaded, 0: none, -1: not known. */
static int32_t vm_at(struct csg_host_alone *a, uint64_t timestamp, const struct csg_on_cpu **who)
{
	const struct csg_vcpus *vcpus = &a->facts->vcpus;
	const struct csg_on_cpu *its = NULL;
	int32_t vm = 0;
	uint64_t from, last = 0;

	for (size_t i = 0; i < vcpus->count; i++) {
		const int32_t other = vcpus->entries[i].vm;

		if (other <= 0)
			return -1;
		if (other == vm)
			continue;
		switch (fits(a, other, timestamp, &its, &from)) {
		case NEVER:
			continue;
		case MAYBE:
			return -1;
		case CERTAIN:
			break;
		}
		if (vm)
			return -1;
		vm = other;
		*who = its;
		last = from;
	}
	a->last = vm ? last : a->last;
	return vm;
}

/*
 * Whether CONTEXTIDR_EL1 names a thread of the host that the guest, which has recorded, never had:
 * then trace was lost, and the timestamp has its upper bits from before.
 */
static bool is_hosts_thread(const struct csg_facts *facts, int32_t vm,
			    const struct csg_context *context)
{
	const int32_t tid = (int32_t)context->contextidr_el1;

	return context->has_contextidr && tid > 0 && csg_facts_find(facts, vm) &&
	       csg_facts_process(facts, vm, tid, CSG_TIME_FIRST, CSG_TIME_LAST, false) ==
		       CSG_PID_UNKNOWN &&
	       csg_facts_process(facts, CSG_VM_HOST, tid, CSG_TIME_FIRST, CSG_TIME_LAST, false) !=
		       CSG_PID_UNKNOWN;
}

/* The thread's kernel, or its guest. */
static enum csg_world at_el1(const struct csg_vcpu_loaded *l, const struct csg_facts *facts,
			     int32_t vm, const struct csg_on_cpu *who,
			     const struct csg_context *context)
{
	if (!context->has_contextidr || l->named < CSG_LOADED_NAMED)
		return CSG_WORLD_UNKNOWN;
	if (context->contextidr_el1 != (uint32_t)who->tid)
		return CSG_WORLD_GUEST;
	/* A thread of the guest may have the same number. */
	return csg_facts_find(facts, vm) &&
			       csg_facts_process(facts, vm, who->tid, CSG_TIME_FIRST, CSG_TIME_LAST,
						 false) == CSG_PID_UNKNOWN
		       ? CSG_WORLD_HOST
		       : CSG_WORLD_UNKNOWN;
}

enum csg_world csg_vcpu_loaded_tell(struct csg_vcpu_loaded *l, struct csg_host_alone *a,
				    uint64_t timestamp, const struct csg_context *context)
{
	const struct csg_on_cpu *who = NULL;
	int32_t vm;

	l->astray = false;
	if (l->wrong || a->cpu < 0 || !timestamp || !a->virtual_time ||
	    !csg_facts_clock(a->facts, CSG_VM_HOST)->conv.valid || a->facts->foreign_ids ||
	    !csg_agreement_holds(a->agreement) || csg_host_alone_time(a, timestamp))
		return CSG_WORLD_UNKNOWN;
	vm = vm_at(a, timestamp, &who);
	l->wrong = !vm;
	l->fits = vm > 0 ? l->fits + (l->fits < CSG_LOADED_FITS) : l->fits;
	if (vm <= 0 || l->fits < CSG_LOADED_FITS || context->security != CSG_NON_SECURE)
		return CSG_WORLD_UNKNOWN;
	l->astray = (context->el == CSG_EL0 || context->contextidr_el1 != (uint32_t)who->tid) &&
		    is_hosts_thread(a->facts, vm, context);
	if (l->astray)
		return CSG_WORLD_UNKNOWN;
	if (context->el == CSG_EL0)
		return CSG_WORLD_GUEST;
	return context->el == CSG_EL1 ? at_el1(l, a->facts, vm, who, context) : CSG_WORLD_UNKNOWN;
}
