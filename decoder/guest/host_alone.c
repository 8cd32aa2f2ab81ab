/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/host_alone.h"

/* A timestamp and a record of the same moment; both clocks are rounded. */
#define SLACK_NS UINT64_C(1000)

void csg_host_alone_init(struct csg_host_alone *a, const struct csg_facts *facts,
			 const struct csg_trace_unit *unit, const struct csg_agreement *agreement)
{
	*a = (struct csg_host_alone){
		.facts = facts,
		.cpu = unit->cpu,
		.virtual_time = unit->ts_source == CSG_TS_SOURCE_VIRTUAL,
		.agreement = agreement,
	};
}

void csg_host_alone_piece(struct csg_host_alone *a, const struct csg_attribution_piece *piece)
{
	a->begin = piece->begin_time;
	a->end = piece->end_time;
	if (!piece->continues)
		a->last = 0;
}

uint64_t csg_host_alone_time(const struct csg_host_alone *a, uint64_t timestamp)
{
	const struct csg_attribution_clock *clock = csg_facts_clock(a->facts, CSG_VM_HOST);
	uint64_t ns;

	if (!timestamp || !a->virtual_time || !clock->conv.valid)
		return 0;
	ns = csg_time_conv_to_ns(&clock->conv, timestamp);
	return ns < a->last || ns < a->begin || (a->end && ns > a->end) ? 0 : ns;
}

bool csg_host_alone_outside(const struct csg_host_alone *a, uint64_t timestamp)
{
	const struct csg_attribution_clock *clock = csg_facts_clock(a->facts, CSG_VM_HOST);
	uint64_t ns;

	if (!timestamp || !a->virtual_time || !clock->conv.valid)
		return false;
	ns = csg_time_conv_to_ns(&clock->conv, timestamp);
	return ns < a->begin || (a->end && ns > a->end + SLACK_NS);
}

/* Whether the thread can run a vCPU, as far as anybody knows. */
static bool may_run_vcpu(const struct csg_vcpus *vcpus, const struct csg_on_cpu *who)
{
	if (!who->tid)
		return false;
	return !vcpus->count || who->pid <= 0 || csg_vcpus_find(vcpus, who->pid, who->tid) ||
	       csg_vcpus_is_vmm(vcpus, who->pid);
}

/* Who was there at a timestamp, if that is the host's and records are relied upon; or NULL. */
static const struct csg_on_cpu *who_is_there(struct csg_host_alone *a, uint64_t time)
{
	if (!time || a->cpu < 0 || !csg_agreement_holds(a->agreement))
		return NULL;
	return csg_residency_at(&a->facts->residency, a->cpu, time, time);
}

static void watch_idle(struct csg_host_alone *a, const struct csg_on_cpu *who)
{
	const uint64_t idle = who && !who->tid ? who->from : 0;

	a->wrong = idle && idle == a->idle && a->user;
	a->idle = idle;
	a->user = false;
}

bool csg_host_alone(struct csg_host_alone *a, uint64_t timestamp, const struct csg_context *context)
{
	uint64_t time = csg_host_alone_time(a, timestamp);
	const struct csg_on_cpu *who;

	a->last = time ? time : a->last;
	a->certain = false;
	who = who_is_there(a, time);
	watch_idle(a, who);
	if (a->wrong || !who || may_run_vcpu(&a->facts->vcpus, who))
		return false;
	/* A guest's idle thread has the ID of the host's. */
	a->certain = who->tid && who->agreed && !who->contested && context->has_contextidr;
	return !context->has_contextidr || context->contextidr_el1 == (uint32_t)who->tid;
}
