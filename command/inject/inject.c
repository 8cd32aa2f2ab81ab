/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/inject.h"

#include <stdlib.h>

#include "csguest/element.h"
#include "csguest/error.h"
#include "util/array.h"

void csg_inject_fini(struct csg_inject *inject)
{
	free(inject->vms);
	free(inject->stack);
	free(inject->chain);
	inject->chain = NULL;
	inject->chain_capacity = 0;
	inject->vms = NULL;
	inject->stack = NULL;
	inject->vm_count = inject->vm_capacity = inject->stack_capacity = 0;
}

/* --- who --- */

static uint8_t cpumode_of(const struct csg_owner *owner)
{
	bool kernel = owner->privilege == CSG_KERNEL, user = owner->privilege == CSG_USER;

	switch (owner->world) {
	case CSG_WORLD_HOST:
		return kernel ? CSG_CPUMODE_KERNEL : user ? CSG_CPUMODE_USER : CSG_CPUMODE_UNKNOWN;
	case CSG_WORLD_HYPERVISOR:
		return CSG_CPUMODE_HYPERVISOR;
	case CSG_WORLD_GUEST:
		return kernel ? CSG_CPUMODE_GUEST_KERNEL
		       : user ? CSG_CPUMODE_GUEST_USER
			      : CSG_CPUMODE_UNKNOWN;
	default:
		return CSG_CPUMODE_UNKNOWN;
	}
}

static struct csg_injected_guest guest_of(const struct csg_owner *owner)
{
	if (owner->world != CSG_WORLD_GUEST)
		return (struct csg_injected_guest){0, -1, -1};
	if (owner->vm <= 0)
		return (struct csg_injected_guest){CSG_INJECT_NO_VM, -1, -1};
	return (struct csg_injected_guest){owner->vm, owner->vcpu, owner->host_tid};
}

/* perf would look an address of a guest of a guest up in the guest, as its format has no levels. */
static bool has_address(const struct csg_inject *inject, uint32_t number)
{
	return inject->names->owner(inject->names->arg, number)->level != CSG_LEVEL_NESTED;
}

/* perf knows no kernel of a guest that did not record itself, but by an MMAP record. */
static int tell_kernel(struct csg_inject *inject, uint32_t number,
		       const struct csg_injected_guest *guest)
{
	struct csg_injected_kernel kernel;
	bool known;

	for (size_t i = 0; i < inject->vm_count; i++)
		if (inject->vms[i].vm == guest->machine_pid)
			return 0;
	if (csg_array_grow((void **)&inject->vms, inject->vm_count, &inject->vm_capacity,
			   sizeof(*inject->vms)))
		return -CSG_E_NO_MEMORY;
	inject->vms[inject->vm_count++] = (struct csg_inject_vm){guest->machine_pid, number};
	known = inject->kernel && inject->kernel(inject->arg, number, &kernel);
	return known ? csg_injection_kernel(inject->to, guest, &kernel) : 0;
}

/*
 * Fills in who: the machine is number's, process and thread are thread's.  Returns an error, or 0.
 */
static int set_owner(struct csg_inject *inject, struct csg_injected_sample *to, uint32_t number,
		     uint32_t thread, uint64_t when)
{
	const struct csg_sample_names *names = inject->names;
	const struct csg_owner *owner = names->owner(names->arg, number);
	struct csg_sample_who who = {NULL, -1, -1};

	to->cpumode = cpumode_of(owner);
	to->guest = guest_of(owner);
	if (to->cpumode == CSG_CPUMODE_UNKNOWN)
		to->guest = (struct csg_injected_guest){0, -1, -1};
	else
		names->who(names->arg, thread, when, &who);
	to->pid = who.pid;
	to->tid = who.tid;
	if (to->cpumode != CSG_CPUMODE_GUEST_KERNEL || to->guest.machine_pid == CSG_INJECT_NO_VM ||
	    !has_address(inject, number))
		return 0;
	return tell_kernel(inject, number, &to->guest);
}

/* --- when --- */

static uint64_t time_of(struct csg_inject *inject, const struct csg_sample *sample)
{
	uint64_t time = sample->time;

	if (!inject->in_order)
		return time;
	/* Without an order it was before any timestamp: its time is the end of the AUX record. */
	if (!sample->order || time < inject->last || (inject->latest && time > inject->latest)) {
		inject->counts.late += sample->order != 0;
		time = inject->last;
	}
	inject->last = time;
	return time;
}

/* --- what --- */

static int put(struct csg_inject *inject, const struct csg_injected_sample *sample)
{
	inject->counts.branches += sample->branch;
	inject->counts.instructions += !sample->branch;
	inject->counts.unknown += sample->cpumode == CSG_CPUMODE_UNKNOWN;
	inject->counts.no_vm += sample->guest.machine_pid == CSG_INJECT_NO_VM;
	return csg_injection_sample(inject->to, sample);
}

/* A branch; perf report, where it shows stacks, wants one of every event. */
static int put_branch(struct csg_inject *inject, struct csg_injected_sample *branch)
{
	const struct csg_injected_branch itself = {branch->ip, branch->addr};

	branch->stack = &itself;
	branch->n_stack = inject->stacks;
	return put(inject, branch);
}

static int on_branch(struct csg_inject *inject, const struct csg_sample *sample,
		     struct csg_injected_sample *to)
{
	bool from = sample->owner != CSG_SAMPLE_NOBODY,
	     target = sample->target != CSG_SAMPLE_NOBODY;
	bool split =
		from && target && !inject->same_machine(inject->arg, sample->owner, sample->target);
	bool hide;
	int err = 0;

	if (from) {
		hide = !has_address(inject, sample->owner);
		inject->counts.nested += hide;
		to->ip = hide ? 0 : sample->ip;
		to->addr = split || hide ? 0 : sample->addr;
		err = set_owner(inject, to, sample->owner, sample->thread, sample->when);
		if (!err)
			err = put_branch(inject, to);
	}
	if (err || (from && !split) || !target)
		return err;
	inject->counts.split += split;
	hide = !has_address(inject, sample->target);
	inject->counts.nested += hide;
	to->ip = 0;
	to->addr = hide ? 0 : sample->addr;
	err = set_owner(inject, to, sample->target, split ? sample->target : sample->thread,
			sample->when);
	return err ? err : put_branch(inject, to);
}

/* The newest entries of a stack, as far as they are of the sample's machine. */
static int take_stack(struct csg_inject *inject, const struct csg_sample *sample,
		      const struct csg_sample_branch *stack, struct csg_injected_sample *to)
{
	if (sample->branch_count > inject->stack_capacity) {
		free(inject->stack);
		inject->stack = calloc(sample->branch_count, sizeof(*inject->stack));
		inject->stack_capacity = inject->stack ? sample->branch_count : 0;
		if (!inject->stack)
			return -CSG_E_NO_MEMORY;
	}
	for (uint32_t i = 0; i < sample->branch_count; i++) {
		if (!inject->same_machine(inject->arg, sample->owner, stack[i].to_owner) ||
		    !inject->same_machine(inject->arg, sample->owner, stack[i].from_owner))
			break;
		inject->stack[to->n_stack++] =
			(struct csg_injected_branch){stack[i].from, stack[i].to};
	}
	to->stack = inject->stack;
	return 0;
}

/* What stands before the frames of a mode; 0: perf knows none. */
static uint64_t context_of(const struct csg_inject *inject, uint8_t cpumode)
{
	switch (cpumode) {
	case CSG_CPUMODE_KERNEL:
		return CSG_CONTEXT_KERNEL;
	case CSG_CPUMODE_USER:
		return CSG_CONTEXT_USER;
	case CSG_CPUMODE_HYPERVISOR:
		return CSG_CONTEXT_HV;
	case CSG_CPUMODE_GUEST_KERNEL:
		return inject->plain ? CSG_CONTEXT_KERNEL : CSG_CONTEXT_GUEST_KERNEL;
	case CSG_CPUMODE_GUEST_USER:
		return inject->plain ? CSG_CONTEXT_USER : CSG_CONTEXT_GUEST_USER;
	default:
		return 0;
	}
}

/* The host's frame runs the guest's vCPU: its kernel's, or the VMM's. */
static bool runs_guest(const struct csg_owner *host, const struct csg_owner *guest)
{
	if (guest->world != CSG_WORLD_GUEST || guest->vm <= 0 || host->world != CSG_WORLD_HOST)
		return false;
	return host->privilege == CSG_KERNEL || host->pid == guest->vm;
}

/* Does perf look this frame up where it belongs, by the machine and process of the sample? */
static bool fits(const struct csg_inject *inject, const struct csg_sample *sample,
		 const struct csg_sample_frame *frame)
{
	const struct csg_sample_names *names = inject->names;
	const struct csg_owner *owner = names->owner(names->arg, frame->owner);
	int32_t pid = names->owner(names->arg, sample->thread)->pid;

	if (!inject->same_machine(inject->arg, sample->owner, frame->owner))
		return inject->joined && runs_guest(owner, names->owner(names->arg, sample->owner));
	/* In a process that is not known perf finds nothing. */
	return owner->privilege != CSG_USER || pid < 0 || owner->pid == pid;
}

/* The call chain as far as perf can look it up. */
static int take_chain(struct csg_inject *inject, const struct csg_sample *sample,
		      const struct csg_sample_frame *chain, struct csg_injected_sample *to)
{
	const struct csg_sample_names *names = inject->names;
	uint64_t context = 0;

	if (2 * (size_t)sample->chain_count > inject->chain_capacity) {
		free(inject->chain);
		inject->chain_capacity = 2 * (size_t)sample->chain_count;
		inject->chain = calloc(inject->chain_capacity, sizeof(*inject->chain));
		if (!inject->chain)
			inject->chain_capacity = 0;
		if (!inject->chain)
			return -CSG_E_NO_MEMORY;
	}
	for (uint32_t i = 0; i < sample->chain_count && fits(inject, sample, &chain[i]); i++) {
		uint64_t now =
			context_of(inject, cpumode_of(names->owner(names->arg, chain[i].owner)));

		if (!now || !chain[i].address || chain[i].address >= CSG_CONTEXT_MAX)
			break;
		if (now != context)
			inject->chain[to->n_chain++] = now;
		context = now;
		inject->chain[to->n_chain++] = chain[i].address;
	}
	to->chain = inject->chain;
	return 0;
}

static int on_instruction(struct csg_inject *inject, const struct csg_sample *sample,
			  const struct csg_sample_branch *stack,
			  const struct csg_sample_frame *chain, struct csg_injected_sample *to)
{
	bool hide = !has_address(inject, sample->owner);
	int err = set_owner(inject, to, sample->owner, sample->thread, sample->when);

	inject->counts.nested += hide;
	to->ip = hide ? 0 : sample->ip;
	if (!err && inject->stacks && !hide)
		err = take_stack(inject, sample, stack, to);
	if (!err && inject->chains && !hide)
		err = take_chain(inject, sample, chain, to);
	return err ? err : put(inject, to);
}

static int on_error(struct csg_inject *inject, const struct csg_sample *sample, uint64_t time)
{
	struct csg_injected_sample who = {0};
	struct csg_injected_error error = {
		.code = sample->gap,
		.cpu = sample->cpu,
		.ip = sample->ip,
		.time = time,
		.text = csg_gap_name(sample->gap),
	};
	int err = set_owner(inject, &who, sample->thread, sample->thread, sample->when);

	error.pid = who.pid;
	error.tid = who.tid;
	error.guest = who.guest;
	inject->counts.errors++;
	return err ? err : csg_injection_error(inject->to, &error);
}

int csg_inject_sample(struct csg_inject *inject, const struct csg_sample *sample,
		      const struct csg_sample_branch *stack, const struct csg_sample_frame *chain)
{
	struct csg_injected_sample to = {
		.branch = sample->event == CSG_SAMPLE_BRANCH,
		.cpu = sample->cpu,
		.period = sample->period,
		.time = time_of(inject, sample),
	};

	if (sample->event == CSG_SAMPLE_ERROR)
		return on_error(inject, sample, to.time);
	return to.branch ? on_branch(inject, sample, &to)
			 : on_instruction(inject, sample, stack, chain, &to);
}
