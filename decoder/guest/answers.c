/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/answers.h"

#include "guest/attribution_state.h"
#include "guest/resident.h"

const struct csg_contradictions *csg_attribution_contradictions(const struct csg_attribution *a)
{
	return &a->facts.contradictions;
}

const struct csg_findings *csg_attribution_findings(const struct csg_attribution *a)
{
	return &a->facts.findings;
}

void csg_attribution_found(struct csg_attribution *a, enum csg_assumption assumption,
			   bool confirmed, uint64_t n, const struct csg_assumption_place *place)
{
	struct csg_assumption_place *first =
		csg_findings_add(&a->facts.findings, assumption, confirmed, n);

	if (first)
		*first = *place;
}

/* --- owners --- */

int32_t csg_attribution_vm_of(const struct csg_attribution *a, const struct csg_owner *owner)
{
	if (owner->world != CSG_WORLD_HOST)
		return owner->vm > 0 || owner->world == CSG_WORLD_HYPERVISOR ? owner->vm
									     : CSG_VM_UNKNOWN;
	if (owner->reason == CSG_REASON_REUSED_ID)
		return CSG_VM_UNKNOWN;
	if (owner->host_process > 0 && csg_facts_find(&a->facts, owner->host_process))
		return owner->host_process;
	/* Several processes had its PID. */
	if (owner->host_process < 0 && owner->pid >= 0)
		return CSG_VM_UNKNOWN;
	return csg_vcpus_works_for(&a->facts.vcpus, owner->host_process, owner->tid);
}

bool csg_attribution_is_physical_time(const struct csg_attribution *a,
				      const struct csg_owner *owner)
{
	return csg_is_physical_time(&a->facts.clocks, owner);
}

int32_t csg_attribution_process_number(const struct csg_attribution *a, int32_t pid, uint64_t time)
{
	return csg_process_number(&a->facts.lives, pid, time);
}

/* --- the host's CPUs --- */

size_t csg_attribution_interval_count(const struct csg_attribution *a, int32_t cpu)
{
	size_t n;

	csg_residency_intervals(&a->facts.residency, cpu, &n);
	return n;
}

struct csg_interval csg_attribution_interval(const struct csg_attribution *a, int32_t cpu,
					     size_t index)
{
	size_t n;
	const struct csg_on_cpu *interval =
		&csg_residency_intervals(&a->facts.residency, cpu, &n)[index];

	return (struct csg_interval){
		.from = interval->from,
		.until = interval->until,
		.pid = csg_vm_pid(interval->pid),
		.tid = interval->tid,
		.joined = interval->joined,
	};
}

bool csg_attribution_may_run(const struct csg_attribution *a, int32_t cpu, uint64_t from,
			     uint64_t until, int32_t vm)
{
	return csg_resident_may_run(&a->facts, cpu, from, until, vm);
}

void csg_attribution_untraced(const struct csg_attribution *a, int32_t cpu,
			      enum csg_untraced_gap gap, uint64_t from, uint64_t until,
			      struct csg_untraced_span *span)
{
	csg_untraced_at(&a->facts, cpu, gap, from, until, span);
}

/* --- guests --- */

bool csg_attribution_shows_guests(const struct csg_attribution *a)
{
	return a->facts.guests_show || a->facts.vcpus.count;
}

bool csg_attribution_shows_nested(const struct csg_attribution *a)
{
	return a->facts.nesting_vms;
}

bool csg_attribution_states_levels(const struct csg_attribution *a)
{
	return a->facts.nests;
}

bool csg_attribution_has_guest_switches(const struct csg_attribution *a)
{
	return a->facts.has_guests;
}

bool csg_attribution_is_injected(const struct csg_attribution *a, int32_t vm)
{
	return csg_facts_clock(&a->facts, vm)->host_time;
}

int32_t csg_attribution_injected(const struct csg_attribution *a, size_t index)
{
	for (size_t i = 0; i < a->facts.count; i++) {
		const struct csg_facts_machine *m = &a->facts.machines[i];

		if (m->vm > 0 && m->clock.host_time && !index--)
			return m->vm;
	}
	return 0;
}

bool csg_attribution_known_offset(const struct csg_attribution *a, int32_t vm,
				  struct csg_offset *offset)
{
	return csg_facts_offset(&a->facts, vm, offset);
}

bool csg_attribution_recorded_offset(const struct csg_attribution *a, int32_t vm,
				     struct csg_offset *offset)
{
	return !csg_facts_offset(&a->facts, vm, offset) &&
	       csg_facts_any_offset(&a->facts, vm, offset);
}

bool csg_attribution_counter_times(const struct csg_attribution *a, const struct csg_offset *offset,
				   uint64_t counter, uint64_t *low, uint64_t *high)
{
	const struct csg_time_conv *host = &a->facts.clocks.conv;

	csg_offset_times(offset, host, counter, low, high);
	return host->valid;
}
