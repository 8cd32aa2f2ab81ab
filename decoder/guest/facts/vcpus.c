/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vcpus.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"

void csg_vcpus_fini(struct csg_vcpus *vcpus)
{
	free(vcpus->entries);
	free(vcpus->vms);
	*vcpus = (struct csg_vcpus){0};
}

/* --- by VM --- */

/* Who says so knows of all vCPUs of its VM, or of a VMM that runs them in threads of their own. */
static bool rules_out_main(const struct csg_vcpu_entry *entry)
{
	return entry->source == CSG_VCPU_BY_NAME || entry->source == CSG_VCPU_BY_ID_INDEX ||
	       entry->source == CSG_VCPU_BY_DEBUGFS;
}

/* Where vm is, or belongs. */
static size_t place_of_vm(const struct csg_vcpus *vcpus, int32_t vm)
{
	size_t i;

	CSG_BISECT(i, vcpus->vm_count, vcpus->vms[i].vm < vm);
	return i;
}

/* What is known of vm. */
static struct csg_vcpus_of of_vm(const struct csg_vcpus *vcpus, int32_t vm)
{
	size_t i = place_of_vm(vcpus, vm);

	return i < vcpus->vm_count && vcpus->vms[i].vm == vm ? vcpus->vms[i]
							     : (struct csg_vcpus_of){.vm = vm};
}

static int make_vm(struct csg_vcpus *vcpus, int32_t vm)
{
	size_t i = place_of_vm(vcpus, vm);

	if (i < vcpus->vm_count && vcpus->vms[i].vm == vm)
		return 0;
	if (csg_array_grow((void **)&vcpus->vms, vcpus->vm_count, &vcpus->vm_capacity,
			   sizeof(*vcpus->vms)))
		return -CSG_E_NO_MEMORY;
	memmove(&vcpus->vms[i + 1], &vcpus->vms[i], (vcpus->vm_count - i) * sizeof(*vcpus->vms));
	vcpus->vms[i] = (struct csg_vcpus_of){.vm = vm};
	vcpus->vm_count++;
	return 0;
}

/* Counts an entry of a VM that there is; by -1: no more. */
static void count_in(struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entry, int by)
{
	struct csg_vcpus_of *of = &vcpus->vms[place_of_vm(vcpus, entry->vm)];

	of->entries += (uint32_t)by;
	if (entry->source != CSG_VCPU_BY_TRACE)
		of->named += (uint32_t)by;
	if (rules_out_main(entry))
		of->excluding += (uint32_t)by;
}

/* --- by TID --- */

/* Where tid in vm is, or belongs. */
static size_t place(const struct csg_vcpus *vcpus, int32_t tid, int32_t vm)
{
	const struct csg_vcpu_entry *e = vcpus->entries;
	size_t i;

	CSG_BISECT(i, vcpus->count, e[i].tid < tid || (e[i].tid == tid && e[i].vm < vm));
	return i;
}

/* The entries of tid from the i-th on: how many. */
static size_t count_of(const struct csg_vcpus *vcpus, size_t i, int32_t tid)
{
	size_t n = 0;

	while (i + n < vcpus->count && vcpus->entries[i + n].tid == tid)
		n++;
	return n;
}

/* Whether the thread was of the entry's VMM at any time; an event is itself a record that says
 * so. */
static int was(const struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entry)
{
	if (vcpus->was && entry->source == CSG_VCPU_BY_EVENT)
		return 1;
	return vcpus->was ? vcpus->was(vcpus->arg, entry->tid, entry->vm) : -1;
}

/* Whether an entry counts for a thread that is not of its VMM at the time asked for. */
static bool counts_elsewhere(const struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entry,
			     int32_t pid)
{
	int known;

	if (entry->vm == CSG_VM_UNKNOWN)
		return true;
	known = was(vcpus, entry);
	return !known || (known < 0 && pid >= 0);
}

const struct csg_vcpu_entry *csg_vcpus_find(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid)
{
	size_t first = place(vcpus, tid, INT32_MIN), n = count_of(vcpus, first, tid);
	const struct csg_vcpu_entry *entries = &vcpus->entries[first];

	if (n == 1 && pid == CSG_PID_UNKNOWN)
		return entries;
	for (size_t i = 0; i < n && pid >= 0; i++)
		if (entries[i].vm == pid)
			return &entries[i];
	for (size_t i = 0; i < n; i++)
		if (counts_elsewhere(vcpus, &entries[i], pid))
			return &entries[i];
	return NULL;
}

/* Whether the two disagree in which vCPU of a VM it is: an event is of some vCPU, whichever. */
static bool numbers_differ(const struct csg_vcpu_entry *a, const struct csg_vcpu_entry *b)
{
	return a->vcpu != b->vcpu && a->source != CSG_VCPU_BY_EVENT &&
	       b->source != CSG_VCPU_BY_EVENT;
}

/* What entry says in addition to what is known of its thread. */
static void merge(struct csg_vcpu_entry *known, const struct csg_vcpu_entry *entry)
{
	bool overrules = known->source == CSG_VCPU_BY_TRACE || entry->source == CSG_VCPU_BY_USER;

	if (known->source == CSG_VCPU_BY_USER && entry->source != CSG_VCPU_BY_USER)
		return;
	if (overrules) {
		*known = *entry;
		return;
	}
	if (entry->source == CSG_VCPU_BY_TRACE)
		return;
	if (numbers_differ(known, entry)) {
		known->vcpu = CSG_VCPU_UNKNOWN;
		known->contradicted = true;
	} else if (known->source == CSG_VCPU_BY_EVENT) {
		known->vcpu = entry->vcpu;
	}
	if (entry->source > known->source)
		known->source = entry->source;
}

int csg_vcpus_add(struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entry)
{
	size_t i = place(vcpus, entry->tid, entry->vm);

	if (i < vcpus->count && vcpus->entries[i].tid == entry->tid &&
	    vcpus->entries[i].vm == entry->vm) {
		count_in(vcpus, &vcpus->entries[i], -1);
		merge(&vcpus->entries[i], entry);
		count_in(vcpus, &vcpus->entries[i], 1);
		return 0;
	}
	/* csg_vcpus_settle() may need the unknown one. */
	if (make_vm(vcpus, CSG_VM_UNKNOWN) || make_vm(vcpus, entry->vm) ||
	    csg_array_grow((void **)&vcpus->entries, vcpus->count, &vcpus->capacity,
			   sizeof(*vcpus->entries)))
		return -CSG_E_NO_MEMORY;
	memmove(&vcpus->entries[i + 1], &vcpus->entries[i],
		(vcpus->count - i) * sizeof(*vcpus->entries));
	vcpus->entries[i] = *entry;
	vcpus->count++;
	count_in(vcpus, entry, 1);
	return 0;
}

int csg_vcpus_replace(struct csg_vcpus *vcpus, struct csg_vcpu_entry *entries, size_t n)
{
	int err = make_vm(vcpus, CSG_VM_UNKNOWN);

	for (size_t i = 0; !err && i < n; i++)
		err = make_vm(vcpus, entries[i].vm);
	if (err)
		return err;
	for (size_t i = 0; i < vcpus->vm_count; i++)
		vcpus->vms[i] = (struct csg_vcpus_of){.vm = vcpus->vms[i].vm};
	for (size_t i = 0; i < n; i++)
		count_in(vcpus, &entries[i], 1);
	free(vcpus->entries);
	vcpus->entries = entries;
	vcpus->count = vcpus->capacity = n;
	return 0;
}

/* The one of n entries of a TID that is left where they cannot all be true. */
static struct csg_vcpu_entry what_is_left(const struct csg_vcpu_entry *entries, size_t n)
{
	struct csg_vcpu_entry left = entries[0];

	for (size_t i = 1; i < n; i++)
		if (entries[i].source > left.source)
			left = entries[i];
	if (left.source != CSG_VCPU_BY_USER) {
		left.vm = CSG_VM_UNKNOWN;
		left.vcpu = CSG_VCPU_UNKNOWN;
		left.contradicted = true;
	}
	return left;
}

/* Whether the thread cannot have run, at its time, what each of n entries says. */
static bool cannot_all_be(const struct csg_vcpus *vcpus, const struct csg_vcpu_entry *entries,
			  size_t n)
{
	bool cannot = false;

	for (size_t i = 0; i < n; i++)
		cannot |= entries[i].source != CSG_VCPU_BY_TRACE && was(vcpus, &entries[i]) <= 0;
	return cannot && n > 1;
}

void csg_vcpus_settle(struct csg_vcpus *vcpus)
{
	struct csg_vcpu_entry *entries = vcpus->entries;
	size_t kept = 0, n;

	for (size_t i = 0; i < vcpus->count; i += n) {
		n = count_of(vcpus, i, entries[i].tid);
		if (!cannot_all_be(vcpus, &entries[i], n)) {
			for (size_t k = 0; k < n; k++)
				entries[kept++] = entries[i + k];
			continue;
		}
		for (size_t k = 0; k < n; k++)
			count_in(vcpus, &entries[i + k], -1);
		entries[kept] = what_is_left(&entries[i], n);
		count_in(vcpus, &entries[kept++], 1);
	}
	vcpus->count = kept;
}

bool csg_vcpus_is_vmm(const struct csg_vcpus *vcpus, int32_t pid)
{
	return of_vm(vcpus, pid).entries;
}

bool csg_vcpus_names_vmm(const struct csg_vcpus *vcpus, int32_t pid)
{
	return of_vm(vcpus, pid).named;
}

int32_t csg_vcpus_vm_of(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid)
{
	const struct csg_vcpu_entry *entry = csg_vcpus_find(vcpus, pid, tid);

	if (entry)
		return entry->vm;
	if (!tid)
		return CSG_VM_HOST;
	if (pid <= 0)
		return CSG_VM_UNKNOWN;
	if (tid == csg_vm_pid(pid) && of_vm(vcpus, pid).excluding)
		return CSG_VM_HOST;
	return csg_vcpus_is_vmm(vcpus, pid) ? pid : CSG_VM_HOST;
}

int32_t csg_vcpus_works_for(const struct csg_vcpus *vcpus, int32_t process, int32_t tid)
{
	const struct csg_vcpu_entry *entry = csg_vcpus_find(vcpus, process, tid);

	if (!tid)
		return CSG_VM_HOST;
	if (entry && entry->source != CSG_VCPU_BY_TRACE)
		return entry->vm;
	if (process < 0)
		return CSG_VM_UNKNOWN;
	if (csg_vcpus_names_vmm(vcpus, process))
		return process;
	return csg_vcpus_is_vmm(vcpus, process) ? CSG_VM_UNKNOWN : CSG_VM_HOST;
}

bool csg_vcpus_may_run(const struct csg_vcpus *vcpus, int32_t pid, int32_t tid, int32_t vm)
{
	int32_t its = csg_vcpus_vm_of(vcpus, pid, tid);

	if (its == CSG_VM_UNKNOWN || its == vm)
		return true;
	return its != CSG_VM_HOST && vm == CSG_VM_UNKNOWN;
}
