/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/id_check.h"

#include <stdio.h>

#include "csguest/error.h"
#include "world/policy.h"

#define TRCCONFIGR_CID (1u << 6)

struct search {
	int32_t tid;
	bool found;
};

static bool is_it(void *arg, const struct csg_on_cpu *interval)
{
	struct search *search = arg;

	search->found |= interval->tid == search->tid;
	return true;
}

/* Whether the host's records name the thread at all. */
static bool is_named(const struct csg_facts *facts, int32_t tid)
{
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);

	return host && csg_thread_find(&host->threads, tid);
}

/* Without switch records: perf named the threads that it found, and no record of another was
 * lost. */
static bool names_all(const struct csg_facts *facts)
{
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);

	return host && !host->has_switches && !host->lost_spans.count && facts->pid_namespace.named;
}

/* A context ID of the host's thread, which was on cpu while the piece was recorded. */
static void see_id(struct csg_facts *facts, int32_t cpu, const struct csg_attribution_piece *piece,
		   uint32_t id)
{
	struct csg_pid_namespace *ns = &facts->pid_namespace;
	struct search search = {.tid = (int32_t)id};
	bool all = piece->begin_time && piece->end_time &&
		   csg_residency_among(&facts->residency, cpu, piece->begin_time, piece->end_time,
				       is_it, &search);

	if (search.found)
		csg_pid_namespace_id(ns, id, true);
	else if (!is_named(facts, search.tid) && (all || names_all(facts)))
		csg_pid_namespace_id(ns, id, false);
	else if (names_all(facts))
		csg_pid_namespace_id(ns, id, true);
}

/* The register of the context that holds the host's thread; false: none does for certain. */
static bool host_id(const struct csg_facts *facts, const struct csg_trace_unit *unit,
		    const struct csg_context *context, bool *has, uint32_t *id)
{
	if (csg_trace_unit_vctx(unit) == CSG_VCTX_CONTEXTIDR_EL2) {
		*has = context->has_vctx;
		*id = context->vctx;
		return true;
	}
	*has = context->has_contextidr;
	*id = context->contextidr_el1;
	return csg_policy_has(facts->options.hypervisor, CSG_TRAIT_NO_GUEST) &&
	       unit->trcconfigr & TRCCONFIGR_CID;
}

int csg_id_check_event(struct csg_facts *facts, const struct csg_trace_unit *unit,
		       const struct csg_attribution_piece *piece,
		       const struct csg_track_event *event)
{
	bool has;
	uint32_t id;

	if (event->kind != CSG_TRACK_CONTEXT || !host_id(facts, unit, &event->context, &has, &id))
		return 0;
	csg_pid_namespace_context(&facts->pid_namespace, has);
	if (has && id && !csg_pid_namespace_has(&facts->pid_namespace, id))
		see_id(facts, unit->cpu, piece, id);
	return csg_pid_namespace_is_hosts(&facts->pid_namespace);
}

static int contradict(struct csg_facts *facts)
{
	struct csg_contradiction one = {
		.kind = CSG_CONTRADICTION_PID_NAMESPACE,
		.cpu = -1,
		.begin = CSG_NO_INDEX,
		.end = CSG_NO_INDEX,
	};

	snprintf(one.text, sizeof(one.text), "perf ran in another than the host's: %s",
		 facts->foreign_text);
	return csg_contradictions_add(&facts->contradictions, &one);
}

/* As an assumption that the trace contradicts: this many context IDs. */
static void note(struct csg_facts *facts)
{
	struct csg_assumption_place *place;
	enum csg_assumption assumption =
		csg_policy_has(facts->options.hypervisor, CSG_TRAIT_HOST_AT_EL2)
			? CSG_ASSUMPTION_CONTEXTIDR_EL2
			: CSG_ASSUMPTION_CONTEXTIDR_EL1;
	size_t n = facts->pid_namespace.strangers.count;

	if (!n)
		return;
	place = csg_findings_add(&facts->findings, assumption, false, n);
	if (place)
		*place = (struct csg_assumption_place){.cpu = -1, .index = CSG_NO_PLACE};
}

int csg_id_check_settle(struct csg_facts *facts)
{
	enum csg_namespace_sign sign = csg_pid_namespace_sign(&facts->pid_namespace);

	if (sign == CSG_NAMESPACE_NONE || facts->foreign_ids)
		return facts->foreign_ids;
	facts->foreign_ids = true;
	csg_pid_namespace_text(&facts->pid_namespace, sign, facts->foreign_text,
			       sizeof(facts->foreign_text));
	csg_residency_forget_idle(&facts->residency);
	csg_thread_intervals_fini(facts->by_thread);
	note(facts);
	return contradict(facts) ? -CSG_E_NO_MEMORY : 1;
}
