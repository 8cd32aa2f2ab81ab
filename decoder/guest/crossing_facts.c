/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/crossing_facts.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/attribution_state.h"

#define PIECE_BYTES (9 * sizeof(uint64_t))
#define VM_BYTES (7 * sizeof(uint64_t))
#define VCPU_BYTES (5 * sizeof(uint64_t))

/* --- counter offsets --- */

static void pack_period(struct csg_pack *p, const struct csg_offset_period *period)
{
	csg_pack_number(p, period->from);
	csg_pack_number(p, period->until);
	csg_pack_number(p, (uint64_t)period->offset.low);
	csg_pack_number(p, (uint64_t)period->offset.high);
	csg_pack_number(p, period->loads);
	csg_pack_number(p, period->puts);
	csg_pack_number(p, period->events);
	csg_pack_number(p, period->sources);
	csg_pack_number(p, period->contradicted);
}

static struct csg_offset_period unpack_period(struct csg_unpack *u)
{
	struct csg_offset_period period = {.from = csg_unpack_number(u)};

	period.until = csg_unpack_number(u);
	period.offset.low = (int64_t)csg_unpack_number(u);
	period.offset.high = (int64_t)csg_unpack_number(u);
	period.loads = csg_unpack_number(u);
	period.puts = csg_unpack_number(u);
	period.events = csg_unpack_number(u);
	period.sources = (uint8_t)csg_unpack_below(u, UINT8_MAX);
	period.contradicted = csg_unpack_below(u, 2);
	return period;
}

static void pack_vm(struct csg_pack *p, const struct csg_offset_vm *vm)
{
	csg_pack_number(p, (uint32_t)vm->vm);
	csg_pack_number(p, vm->compared);
	csg_pack_number(p, vm->agreements);
	csg_pack_number(p, vm->contradictions);
	csg_pack_number(p, vm->refuted);
	csg_pack_number(p, (uint64_t)vm->said);
	pack_period(p, &vm->evidence);
	csg_pack_number(p, vm->count);
	for (size_t i = 0; i < vm->count; i++)
		pack_period(p, &vm->periods[i]);
	csg_pack_number(p, vm->shown != NULL);
	if (vm->shown)
		pack_vm(p, vm->shown);
}

/* beside: the timeline beside what the user said, which has none beside itself. */
static int unpack_vm(struct csg_unpack *u, struct csg_offset_vm *vm, bool beside)
{
	size_t n;

	*vm = (struct csg_offset_vm){.vm = (int32_t)csg_unpack_below(u, INT32_MAX)};
	vm->compared = csg_unpack_number(u);
	vm->agreements = csg_unpack_number(u);
	vm->contradictions = csg_unpack_number(u);
	vm->refuted = csg_unpack_below(u, 2);
	vm->said = (int64_t)csg_unpack_number(u);
	vm->evidence = unpack_period(u);
	n = csg_unpack_count(u, PIECE_BYTES);
	vm->periods = n ? calloc(n, sizeof(*vm->periods)) : NULL;
	if (n && !vm->periods)
		return -CSG_E_NO_MEMORY;
	vm->count = vm->capacity = n;
	for (size_t i = 0; i < n; i++)
		vm->periods[i] = unpack_period(u);
	if (!csg_unpack_below(u, beside ? 1 : 2))
		return u->failed ? -CSG_E_CORRUPT : 0;
	vm->shown = calloc(1, sizeof(*vm->shown));
	if (!vm->shown)
		return -CSG_E_NO_MEMORY;
	/* It stands for what was seen: one piece that the user said. */
	if (vm->count != 1)
		u->failed = true;
	return unpack_vm(u, vm->shown, true);
}

static int unpack_offsets(struct csg_unpack *u, struct csg_offsets *offsets)
{
	const size_t n = csg_unpack_count(u, VM_BYTES);
	int err = 0;

	csg_offsets_fini(offsets);
	offsets->vms = n ? calloc(n, sizeof(*offsets->vms)) : NULL;
	if (n && !offsets->vms)
		return -CSG_E_NO_MEMORY;
	offsets->count = offsets->capacity = n;
	for (size_t i = 0; !err && i < n; i++)
		err = unpack_vm(u, &offsets->vms[i], false);
	return err;
}

/* --- vCPU threads --- */

static void pack_vcpus(struct csg_pack *p, const struct csg_vcpus *vcpus)
{
	csg_pack_number(p, vcpus->count);
	for (size_t i = 0; i < vcpus->count; i++) {
		const struct csg_vcpu_entry *e = &vcpus->entries[i];

		csg_pack_number(p, (uint32_t)e->tid);
		csg_pack_number(p, (uint32_t)e->vm);
		csg_pack_number(p, (uint32_t)e->vcpu);
		csg_pack_number(p, e->source);
		csg_pack_number(p, e->contradicted);
	}
}

/* In their order: by TID, then by VM. */
static bool follows(const struct csg_vcpu_entry *before, const struct csg_vcpu_entry *e)
{
	return before->tid < e->tid || (before->tid == e->tid && before->vm < e->vm);
}

static int unpack_vcpus(struct csg_unpack *u, struct csg_vcpus *vcpus)
{
	const size_t n = csg_unpack_count(u, VCPU_BYTES);
	struct csg_vcpu_entry *entries = calloc(n ? n : 1, sizeof(*entries));
	int err;

	if (!entries)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		struct csg_vcpu_entry *e = &entries[i];

		e->tid = (int32_t)csg_unpack_below(u, INT32_MAX);
		e->vm = (int32_t)csg_unpack_below(u, UINT64_C(1) << 32);
		e->vcpu = (int32_t)csg_unpack_below(u, UINT64_C(1) << 32);
		e->source = (uint8_t)csg_unpack_below(u, CSG_VCPU_BY_USER + 1);
		e->contradicted = csg_unpack_below(u, 2);
		u->failed |= i && !follows(e - 1, e);
	}
	err = u->failed ? -CSG_E_CORRUPT : csg_vcpus_replace(vcpus, entries, n);
	if (err)
		free(entries);
	return err;
}

/* --- all of them --- */

void csg_crossing_facts_pack(const struct csg_attribution *a, struct csg_pack *p)
{
	const struct csg_facts *f = &a->facts;
	const struct csg_vmid *vmid = &f->disputed_vmid;

	csg_pack_number(p, f->options.hypervisor);
	csg_pack_number(p, a->assumed);
	csg_pack_number(p, f->guests_show);
	csg_pack_number(p, vmid->vmid);
	csg_pack_number(p, (uint32_t)vmid->vm);
	csg_pack_number(p, (uint32_t)vmid->former);
	csg_pack_number(p, vmid->level);
	csg_pack_number(p, vmid->former_level);
	csg_pack_number(p, vmid->disputed);
	csg_pack_number(p, f->domains.unlisted);
	pack_vcpus(p, &f->vcpus);
	csg_pack_number(p, f->clocks.offsets.count);
	for (size_t i = 0; i < f->clocks.offsets.count; i++)
		pack_vm(p, &f->clocks.offsets.vms[i]);
}

int csg_crossing_facts_unpack(struct csg_attribution *a, struct csg_unpack *u)
{
	struct csg_facts *f = &a->facts;
	struct csg_vmid *vmid = &f->disputed_vmid;
	int err;

	f->options.hypervisor = (enum csg_hypervisor)csg_unpack_below(u, CSG_HV_COUNT);
	a->assumed = csg_unpack_below(u, 2);
	f->guests_show = csg_unpack_below(u, 2);
	vmid->vmid = (uint32_t)csg_unpack_below(u, UINT64_C(1) << 32);
	vmid->vm = (int32_t)csg_unpack_below(u, UINT64_C(1) << 32);
	vmid->former = (int32_t)csg_unpack_below(u, UINT64_C(1) << 32);
	vmid->level = (uint8_t)csg_unpack_below(u, CSG_LEVEL_UNKNOWN + 1);
	vmid->former_level = (uint8_t)csg_unpack_below(u, CSG_LEVEL_UNKNOWN + 1);
	vmid->disputed = csg_unpack_below(u, 2);
	f->domains.unlisted = (uint32_t)csg_unpack_below(u, UINT64_C(1) << 32);
	err = unpack_vcpus(u, &f->vcpus);
	if (!err)
		err = unpack_offsets(u, &f->clocks.offsets);
	if (!err && f->options.hypervisor == CSG_HV_AUTO)
		err = -CSG_E_CORRUPT;
	return err ? err : u->failed ? -CSG_E_CORRUPT : 0;
}
