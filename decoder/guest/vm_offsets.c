/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/vm_offsets.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "guest/facts/guest_offset.h"

static struct csg_vm_offset *find(struct csg_vm_offset *vms, size_t n, int32_t vm)
{
	for (size_t i = 0; i < n; i++)
		if (vms[i].vm == vm)
			return &vms[i];
	return NULL;
}

static void add(const struct csg_facts *facts, struct csg_vm_offset *vms, size_t *n, int32_t vm)
{
	if (vm > 0 && !find(vms, *n, vm))
		vms[(*n)++] = (struct csg_vm_offset){
			.vm = vm, .timeline = csg_offsets_of(&facts->clocks.offsets, vm)};
}

/*
 * Counts one residency of a thread for its VM.  A thread that two VMs claim has an entry whose VM
 * is unknown (csg_vcpus_settle()); its residencies count for neither.
 */
static void count_residency(const struct csg_facts *facts, struct csg_vm_offset *vms, size_t n,
			    const struct csg_on_cpu *interval)
{
	const struct csg_vcpu_entry *vcpu =
		csg_vcpus_find(&facts->vcpus, interval->pid, interval->tid);
	struct csg_vm_offset *vm = vcpu ? find(vms, n, vcpu->vm) : NULL;

	if (vm)
		vm->residencies++;
}

static void count_residencies(const struct csg_facts *facts, struct csg_vm_offset *vms, size_t n)
{
	for (size_t cpu = 0; cpu < facts->residency.count; cpu++) {
		size_t intervals;
		const struct csg_on_cpu *interval =
			csg_residency_intervals(&facts->residency, (int32_t)cpu, &intervals);

		for (size_t i = 0; i < intervals; i++)
			count_residency(facts, vms, n, &interval[i]);
	}
}

static int by_vm(const void *a, const void *b)
{
	const struct csg_vm_offset *x = a, *y = b;

	return x->vm < y->vm ? -1 : x->vm > y->vm;
}

int csg_attribution_offsets(const struct csg_attribution *a, struct csg_vm_offset **vms, size_t *n)
{
	const struct csg_facts *facts = &a->facts;
	size_t capacity = facts->vcpus.count + facts->clocks.offsets.count;

	*n = 0;
	*vms = calloc(capacity ? capacity : 1, sizeof(**vms));
	if (!*vms)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < facts->vcpus.count; i++)
		add(facts, *vms, n, facts->vcpus.entries[i].vm);
	for (size_t i = 0; i < facts->clocks.offsets.count; i++)
		add(facts, *vms, n, facts->clocks.offsets.vms[i].vm);
	count_residencies(facts, *vms, *n);
	qsort(*vms, *n, sizeof(**vms), by_vm);
	return 0;
}

const struct csg_offset_vm *csg_attribution_offset_of(const struct csg_attribution *a, int32_t vm)
{
	return csg_offsets_of(&a->facts.clocks.offsets, vm);
}

int csg_attribution_narrow_offsets(struct csg_attribution *a)
{
	int err = 0;

	for (size_t i = 0; !err && i < a->facts.count; i++)
		if (a->facts.machines[i].vm != CSG_VM_HOST && a->facts.machines[i].switches.count)
			err = csg_guest_narrow(&a->facts, a->facts.machines[i].vm);
	return err;
}
