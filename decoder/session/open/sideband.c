/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/sideband.h"
#include "image/image.h"
#include "image/machine.h"
#include "image/maps/machine_time.h"

struct load {
	struct csg_registry *registry;
	struct csg_recording *rec;
	int32_t vm; /* whose recording it is */
};

/* The vCPUs that ID_INDEX tells. */
static int load_vcpus(struct csg_registry *registry, struct csg_recording *rec)
{
	size_t n;
	const struct csg_vcpu *vcpus = csg_recording_vcpus(rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_vcpu_entry entry = {
			.tid = vcpus[i].tid,
			.vm = vcpus[i].machine_pid,
			.vcpu = vcpus[i].vcpu,
			.source = CSG_VCPU_BY_ID_INDEX,
		};

		/* Without a host thread it names nobody we could meet in the trace. */
		if (entry.tid > 0 && entry.vm > 0)
			err = csg_attribution_vcpu(registry->attribution, &entry);
	}
	return err;
}

static int load_clock(const struct load *load, struct csg_recording *rec, int32_t vm)
{
	const struct csg_recording_info *info = csg_recording_info(rec);
	const struct csg_attribution_clock clock = {
		.size = sizeof(clock),
		.vm = vm,
		.conv = *csg_recording_time_conv(rec),
		.first_time = info->first_time,
		.last_time = info->last_time,
		.switches = info->has_switch && !info->per_thread,
		.host_time = vm != load->vm,
		.cpus = vm == load->vm ? info->cpus_available : 0,
	};

	return csg_attribution_clock(load->registry->attribution, &clock);
}

/* Guests whose sideband somebody (perf inject --guest-data) put into the host's recording. */
static int load_injected(const struct load *load, struct csg_recording *rec)
{
	size_t n;
	const struct csg_vcpu *vcpus = csg_recording_vcpus(rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		if (vcpus[i].machine_pid > 0)
			err = load_clock(load, rec, vcpus[i].machine_pid);
	return err;
}

static int load_switch(const struct load *load, const struct csg_event *event)
{
	bool injected = event->machine_pid > 0; /* its CPU is the host's */
	const struct csg_attribution_switch record = {
		.size = sizeof(record),
		.vm = injected ? event->machine_pid : load->vm,
		.cpu = injected ? event->vcpu : event->cpu,
		.time = event->time,
		.out = event->out,
		.pid = event->pid,
		.tid = event->tid,
		.other_pid = event->ppid,
		.other_tid = event->ptid,
	};

	return record.cpu < 0 ? 0 : csg_attribution_switch(load->registry->attribution, &record);
}

/* Records that tell who was on a CPU of the host, or that some are missing. */
static int load_seen(const struct load *load, const struct csg_event *event)
{
	struct csg_attribution *a = load->registry->attribution;

	if (event->machine_pid > 0 && event->kind == CSG_EVENT_LOST)
		return csg_attribution_guest_lost(a, event->machine_pid, event->vcpu, event->time);
	if (load->vm != CSG_VM_HOST && event->kind == CSG_EVENT_LOST)
		return csg_attribution_guest_lost(a, load->vm, event->cpu, event->time);
	if (load->vm != CSG_VM_HOST || event->machine_pid > 0)
		return 0;
	if (event->kind == CSG_EVENT_LOST)
		return csg_attribution_lost(a, event->cpu, event->time);
	if (event->cpu < 0 || event->tid < 0)
		return 0;
	return csg_attribution_seen(a, event->cpu, event->time, event->pid, event->tid);
}

/*
 * kvm:kvm_entry and kvm:kvm_exit are recorded in threads that run a vCPU (KVM_RUN), and in no
 * others.  The same holds for samples with a guest's cpumode: arm64's KVM has one from vcpu_load to
 * vcpu_put.
 */
static int load_kvm_event(const struct load *load, const struct csg_event *event)
{
	struct csg_attribution *a = load->registry->attribution;
	const struct csg_vcpu_entry entry = {
		.tid = event->tid,
		.vm = event->pid,
		.vcpu = CSG_VCPU_UNKNOWN,
		.source = CSG_VCPU_BY_EVENT,
	};
	struct csg_attribution_kvm_event record = {
		.size = sizeof(record), .cpu = event->cpu, .time = event->time, .tid = event->tid};
	struct csg_kvm_event kvm;
	int err;

	if (load->vm != CSG_VM_HOST || event->machine_pid > 0 || event->tid <= 0 || event->pid <= 0)
		return 0;
	if (!csg_recording_kvm_event(load->rec, event, &kvm)) {
		if (!event->sample.guest)
			return 0;
		kvm.has_pc = kvm.nested = false;
	}
	err = csg_attribution_vcpu(a, &entry);
	if (!err && kvm.nested)
		err = csg_attribution_vm_nests(a, entry.vm);
	if (err || !kvm.has_pc || event->cpu < 0)
		return err;
	record.exit = kvm.exit;
	record.pc = kvm.pc;
	record.ret = kvm.ret;
	record.esr_ec = kvm.esr_ec;
	return csg_attribution_kvm_event(a, &record);
}

/* AUX records show up to when records were written. */
static int load_chunks(const struct load *load, struct csg_recording *rec)
{
	size_t n;
	const struct csg_chunk *chunks = csg_recording_chunks(rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		if (chunks[i].cpu >= 0 && chunks[i].time)
			err = csg_attribution_seen(load->registry->attribution, chunks[i].cpu,
						   chunks[i].time, -1, -1);
	return err;
}

/* Records that say of which process a thread is. */
static int load_thread(const struct load *load, int32_t vm, const struct csg_event *event)
{
	struct csg_attribution *a = load->registry->attribution;
	const char *comm = event->kind == CSG_EVENT_COMM ? event->comm : NULL;
	/* perf record itself lists what ran before, with time 0. */
	bool forked = event->kind == CSG_EVENT_FORK && event->time && !event->exec;

	if (event->pid < 0 || event->tid < 0)
		return 0;
	switch (event->kind) {
	case CSG_EVENT_EXIT:
		return csg_attribution_thread_ended(a, vm, event->pid, event->tid, event->time);
	case CSG_EVENT_MAP:
		if (event->map.kernel)
			return 0;
		/* fall through */
	case CSG_EVENT_COMM:
	case CSG_EVENT_FORK:
	case CSG_EVENT_ITRACE_START:
		return csg_attribution_thread(a, vm, event->pid, event->tid, comm, forked,
					      event->time);
	default:
		return 0;
	}
}

/*
 * The only guest's kernel (registry.guest) is any VM's: where one of them has changed its text, and
 * when, is not known there.
 */
static int load_poke(const struct load *load, int32_t vm, const struct csg_event *event)
{
	struct csg_machine *guest = load->registry->guest;

	if (event->kind != CSG_EVENT_TEXT_POKE || vm == CSG_VM_HOST || !guest)
		return 0;
	csg_machine_set_time(guest, false, 0, 0);
	return csg_machine_event(guest, event);
}

static int load_event(void *arg, const struct csg_event *event)
{
	const struct load *load = arg;
	int32_t vm = event->machine_pid > 0 ? event->machine_pid : load->vm;
	struct csg_machine *machine;
	int err = 0;

	if (event->kind == CSG_EVENT_SAMPLE || event->kind == CSG_EVENT_ITRACE_START ||
	    event->kind == CSG_EVENT_LOST)
		err = load_seen(load, event);
	if (!err && event->kind == CSG_EVENT_SAMPLE)
		err = load_kvm_event(load, event);
	if (err)
		return err;
	if (event->kind == CSG_EVENT_SWITCH)
		return load_switch(load, event);
	err = csg_image_machine(load->registry->image, vm, &machine);
	if (!err)
		err = load_thread(load, vm, event);
	if (!err)
		err = load_poke(load, vm, event);
	return err ? err : csg_machine_event(machine, event);
}

int csg_sideband_load(struct csg_registry *registry, struct csg_recording *rec, int32_t vm)
{
	const uint32_t kinds = 1u << CSG_EVENT_MAP | 1u << CSG_EVENT_COMM | 1u << CSG_EVENT_FORK |
			       1u << CSG_EVENT_EXIT | 1u << CSG_EVENT_KSYMBOL |
			       1u << CSG_EVENT_TEXT_POKE | 1u << CSG_EVENT_SWITCH |
			       1u << CSG_EVENT_SAMPLE | 1u << CSG_EVENT_LOST |
			       1u << CSG_EVENT_ITRACE_START;
	struct load load = {.registry = registry, .rec = rec, .vm = vm};
	int err = load_clock(&load, rec, vm);

	if (!err && vm == CSG_VM_HOST)
		err = load_vcpus(registry, rec);
	if (!err && vm == CSG_VM_HOST)
		err = load_chunks(&load, rec);
	if (!err && vm == CSG_VM_HOST && csg_recording_info(rec)->has_guest_sideband)
		err = load_injected(&load, rec);
	return err ? err : csg_recording_events(rec, kinds, load_event, &load);
}
