/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/facts.h"

#include <stdlib.h>

#include "util/array.h"
#include "csguest/error.h"
#include "world/policy.h"

void csg_facts_fini(struct csg_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		csg_thread_table_fini(&facts->machines[i].threads);
		csg_spans_fini(&facts->machines[i].lost_spans);
		csg_switches_fini(&facts->machines[i].switches);
		csg_guest_cpus_fini(&facts->machines[i].cpus);
		csg_residency_fini(&facts->machines[i].intervals);
		free(facts->machines[i].lost);
		free(facts->machines[i].nested);
	}
	free(facts->machines);
	csg_vcpus_fini(&facts->vcpus);
	csg_process_lives_fini(&facts->lives);
	csg_domains_fini(&facts->domains);
	csg_residency_fini(&facts->residency);
	if (facts->by_thread)
		csg_thread_intervals_fini(facts->by_thread);
	free(facts->by_thread);
	csg_kvm_visits_fini(&facts->kvm_visits);
	csg_contradictions_fini(&facts->contradictions);
	csg_holes_fini(&facts->holes);
	csg_offsets_fini(&facts->clocks.offsets);
	free(facts->seen);
	*facts = (struct csg_facts){0};
}

const struct csg_facts_machine *csg_facts_find(const struct csg_facts *facts, int32_t vm)
{
	for (size_t i = 0; i < facts->count; i++)
		if (facts->machines[i].vm == vm)
			return &facts->machines[i];
	return NULL;
}

struct csg_facts_machine *csg_facts_machine(struct csg_facts *facts, int32_t vm)
{
	const struct csg_facts_machine *known = csg_facts_find(facts, vm);

	if (known)
		return &facts->machines[known - facts->machines];
	if (csg_array_grow((void **)&facts->machines, facts->count, &facts->capacity,
			   sizeof(*facts->machines)))
		return NULL;
	facts->machines[facts->count] = (struct csg_facts_machine){
		.vm = vm, .switches.memory = facts->memory, .intervals.memory = facts->memory};
	return &facts->machines[facts->count++];
}

int csg_facts_see(struct csg_facts *facts, const struct csg_seen *seen)
{
	int err = csg_array_grow((void **)&facts->seen, facts->seen_count, &facts->seen_capacity,
				 sizeof(*facts->seen));

	if (!err)
		facts->seen[facts->seen_count++] = *seen;
	return err;
}

int csg_facts_lose(struct csg_facts *facts, int32_t vm, const struct csg_seen *lost)
{
	struct csg_facts_machine *m = csg_facts_machine(facts, vm);

	if (!m ||
	    csg_array_grow((void **)&m->lost, m->lost_count, &m->lost_capacity, sizeof(*m->lost)))
		return -CSG_E_NO_MEMORY;
	facts->sealed = false;
	m->lost[m->lost_count++] = *lost;
	return 0;
}

static bool only_offset(const struct csg_offset_vm *timeline, struct csg_offset *offset)
{
	if (!timeline || timeline->count != 1 || timeline->periods[0].contradicted)
		return false;
	*offset = timeline->periods[0].offset;
	return csg_offset_is_bounded(offset);
}

bool csg_facts_offset(const struct csg_facts *facts, int32_t vm, struct csg_offset *offset)
{
	return only_offset(csg_offsets_of(&facts->clocks.offsets, vm), offset);
}

bool csg_facts_shown_offset(const struct csg_facts *facts, int32_t vm, struct csg_offset *offset)
{
	const struct csg_offset_vm *timeline = csg_offsets_of(&facts->clocks.offsets, vm);

	return only_offset(timeline && timeline->shown ? timeline->shown : timeline, offset);
}

bool csg_facts_any_offset(const struct csg_facts *facts, int32_t vm, struct csg_offset *offset)
{
	const struct csg_facts_machine *m = csg_facts_find(facts, vm);

	if (csg_facts_offset(facts, vm, offset))
		return true;
	if (!m || !m->has_known_offset)
		return false;
	*offset = m->known_offset;
	return true;
}

/* As a caller that knows all threads says; it is asked at both ends. */
static int32_t as_said(const struct csg_attribution_options *options, int32_t vm, int32_t tid,
		       uint64_t from, uint64_t until)
{
	int32_t pid = options->process_of(options->arg, vm, tid, until);
	int32_t first = from ? options->process_of(options->arg, vm, tid, from) : CSG_PID_UNKNOWN;

	if (pid < 0)
		return first < 0 ? CSG_PID_UNKNOWN : first;
	return first >= 0 && first != pid ? CSG_PID_SEVERAL : pid;
}

int32_t csg_facts_process(const struct csg_facts *facts, int32_t vm, int32_t tid, uint64_t from,
			  uint64_t until, bool user)
{
	const struct csg_facts_machine *m;

	if (facts->options.process_of)
		return as_said(&facts->options, vm, tid, from, until);
	m = csg_facts_find(facts, vm);
	return m ? csg_thread_during(&m->threads, &m->lost_spans, tid, from, until, user)
		 : CSG_PID_UNKNOWN;
}

int32_t csg_facts_pid(const struct csg_facts *facts, int32_t tid, uint64_t from, uint64_t until,
		      bool user)
{
	const struct csg_facts_machine *m = csg_facts_find(facts, CSG_VM_HOST);

	if (!facts->lives.count || !m)
		return CSG_PID_SEVERAL;
	return csg_thread_pid_during(&m->threads, &m->lost_spans, tid, from, until, user);
}

const struct csg_thread_intervals *csg_facts_by_thread(const struct csg_facts *facts)
{
	struct csg_thread_intervals *by_thread = facts->by_thread;

	if (by_thread->places)
		return by_thread;
	if (csg_thread_intervals_make(by_thread, &facts->residency)) {
		csg_thread_intervals_fini(by_thread);
		return NULL;
	}
	return by_thread;
}

static int was(void *arg, int32_t tid, int32_t pid)
{
	const struct csg_facts *facts = arg;
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);

	return host ? csg_thread_was(&host->threads, tid, pid) : -1;
}

void csg_facts_settle_vcpus(struct csg_facts *facts)
{
	facts->vcpus.was = was;
	facts->vcpus.arg = facts;
	csg_vcpus_settle(&facts->vcpus);
}

/* KVM gives vEL2 to its guests under VHE alone. */
static bool may_nest(const struct csg_facts *facts)
{
	return facts->may_nest && csg_policy_has(facts->options.hypervisor, CSG_TRAIT_HOST_AT_EL2);
}

bool csg_facts_nests(const struct csg_facts *facts, int32_t vm)
{
	const struct csg_facts_machine *machine = vm > 0 ? csg_facts_find(facts, vm) : NULL;

	return machine && (machine->nests || machine->plain) ? machine->nests
							     : facts->nests || may_nest(facts);
}

bool csg_facts_any_nests(const struct csg_facts *facts)
{
	return facts->nests || facts->nesting_vms || may_nest(facts);
}

const struct csg_attribution_clock *csg_facts_clock(const struct csg_facts *facts, int32_t vm)
{
	static const struct csg_attribution_clock none;
	const struct csg_facts_machine *machine = csg_facts_find(facts, vm);

	return machine ? &machine->clock : &none;
}
