/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vmids.h"

#include "csguest/owner.h"

static struct csg_vmid *find(struct csg_vmids *v, uint32_t vmid)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->known[i].vmid == vmid)
			return &v->known[i];
	return NULL;
}

static void learn(struct csg_vmids *v, uint32_t vmid, int32_t vm, uint8_t level)
{
	v->known[v->next] =
		(struct csg_vmid){.vmid = vmid, .vm = vm, .level = level, .former = CSG_VM_UNKNOWN};
	v->next = (v->next + 1) % CSG_VMIDS;
	v->count += v->count < CSG_VMIDS;
}

/* All VMIDs were taken back.  Who had them is remembered. */
static void expire(struct csg_vmids *v)
{
	for (size_t i = 0; i < v->count; i++) {
		if (v->known[i].vm != CSG_VM_UNKNOWN) {
			v->known[i].former = v->known[i].vm;
			v->known[i].former_level = v->known[i].level;
		}
		v->known[i].vm = CSG_VM_UNKNOWN;
	}
}

static void is_of(struct csg_vmid *entry, int32_t vm, uint8_t level)
{
	entry->vm = vm;
	entry->level = level;
}

enum csg_vmid_says csg_vmids_prove(struct csg_vmids *v, uint32_t vmid, int32_t vm, uint8_t level,
				   struct csg_vmid *known)
{
	struct csg_vmid *entry = find(v, vmid);

	if (!vmid || vm <= 0)
		return CSG_VMID_NOTHING;
	if (!entry) {
		learn(v, vmid, vm, level);
		return CSG_VMID_NOTHING;
	}
	if (!entry->disputed && entry->vm == vm && entry->level == level)
		return CSG_VMID_AGREES;
	if (!entry->disputed && entry->vm == CSG_VM_UNKNOWN) {
		is_of(entry, vm, level);
		return CSG_VMID_NOTHING;
	}
	if (!entry->disputed && (entry->former != vm || entry->former_level != level)) {
		expire(v);
		is_of(entry, vm, level);
		return CSG_VMID_NOTHING;
	}
	entry->disputed = true;
	*known = *entry;
	return CSG_VMID_CONTRADICTS;
}
