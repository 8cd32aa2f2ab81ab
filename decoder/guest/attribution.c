/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/attribution.h"

#include <stdlib.h>

#include "base/abi.h"
#include "base/vcpu_name.h"
#include "util/array.h"
#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "guest/facts/facts_seal.h"
#include "guest/slices/guest_time_slices.h"
#include "guest/id_check.h"

static enum csg_world named(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	const struct csg_attribution *a = arg;
	uint64_t offset = 0;
	const char *name = a->facts.options.kernel_symbol(a->facts.options.arg, address, &offset);

	return csg_landmark_named(kind, name, offset);
}

int csg_attribution_create(struct csg_attribution **result,
			   const struct csg_attribution_options *options)
{
	struct csg_attribution_options copy;
	struct csg_attribution *a;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!options || csg_abi_take(&copy, sizeof(copy), sizeof(copy), options) ||
	    copy.hypervisor <= CSG_HV_AUTO || copy.hypervisor >= CSG_HV_COUNT)
		return -CSG_E_USAGE;
	a = calloc(1, sizeof(*a));
	if (!a)
		return -CSG_E_NO_MEMORY;
	a->facts.options = copy;
	a->names = (struct csg_landmark_names){.arg = a, .of = named};
	*result = a;
	return 0;
}

void csg_attribution_destroy(struct csg_attribution *a)
{
	if (!a)
		return;
	csg_facts_fini(&a->facts);
	free(a);
}

void csg_attribution_use_code(struct csg_attribution *a,
			      bool (*may_have)(void *arg, int32_t vm, int32_t pid,
					       uint64_t address),
			      void *arg)
{
	a->facts.code = (struct csg_code_owners){may_have, arg};
}

/* --- facts --- */

/* Streams conclude from what was stated when they were created. */
static bool has_streams(const struct csg_attribution *a)
{
	return a->streams;
}

/*
 * Whether a fact of vm is taken: the next stream concludes from it.  Residency is made of what was
 * stated of the host when the first one is created.
 */
static bool takes(struct csg_attribution *a, int32_t vm)
{
	if (has_streams(a) || (vm == CSG_VM_HOST && a->facts.has_residency))
		return false;
	a->facts.sealed = false;
	return true;
}

int csg_attribution_clock(struct csg_attribution *a, const struct csg_attribution_clock *clock)
{
	struct csg_attribution_clock copy;
	struct csg_facts_machine *machine;

	if (!a || !clock || csg_abi_take(&copy, sizeof(copy), sizeof(copy), clock) || copy.vm < 0 ||
	    !takes(a, copy.vm))
		return -CSG_E_USAGE;
	machine = csg_facts_machine(&a->facts, copy.vm);
	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->clock = copy;
	return 0;
}

int csg_attribution_thread(struct csg_attribution *a, int32_t vm, int32_t pid, int32_t tid,
			   const char *comm, bool forked, uint64_t time)
{
	const struct csg_vcpu_entry vcpu = {
		.tid = tid, .vm = pid, .vcpu = csg_vcpu_of_name(comm), .source = CSG_VCPU_BY_NAME};
	struct csg_facts_machine *machine;

	if (!a || vm < 0 || pid < 0 || tid < 0 || !takes(a, vm))
		return -CSG_E_USAGE;
	if (vm == CSG_VM_HOST && vcpu.vcpu >= 0) {
		const struct csg_vcpu_naming naming = {pid, tid, vcpu.vcpu, time};
		int err = csg_vcpus_add(&a->facts.vcpus, &vcpu);

		if (!err)
			err = csg_process_lives_name(&a->facts.lives, &naming);
		if (err)
			return err;
	}
	if (vm == CSG_VM_HOST && comm)
		csg_pid_namespace_name(&a->facts.pid_namespace, tid, time);
	machine = csg_facts_machine(&a->facts, vm);
	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->nests |= vm != CSG_VM_HOST && vcpu.vcpu >= 0;
	a->facts.nesting_vms |= machine->nests;
	return csg_thread_seen(&machine->threads, tid, pid, NULL, forked, time);
}

int csg_attribution_thread_ended(struct csg_attribution *a, int32_t vm, int32_t pid, int32_t tid,
				 uint64_t time)
{
	struct csg_facts_machine *machine;

	if (!a || vm < 0 || pid < 0 || tid < 0 || !takes(a, vm))
		return -CSG_E_USAGE;
	if (vm == CSG_VM_HOST)
		csg_pid_namespace_exit(&a->facts.pid_namespace, tid);
	machine = csg_facts_machine(&a->facts, vm);
	return machine ? csg_thread_ended(&machine->threads, tid, pid, time) : -CSG_E_NO_MEMORY;
}

bool csg_attribution_is_dated(const struct csg_attribution *a, int32_t vm)
{
	const struct csg_facts_machine *m = a && vm > 0 ? csg_facts_find(&a->facts, vm) : NULL;

	return !m || !m->clock.host_time || !m->switches_lie;
}

int csg_attribution_switch(struct csg_attribution *a, const struct csg_attribution_switch *record)
{
	struct csg_attribution_switch copy;
	struct csg_facts_machine *machine;

	if (!a || !record || csg_abi_take(&copy, sizeof(copy), sizeof(copy), record) ||
	    copy.vm < 0 || copy.cpu < 0 || !takes(a, copy.vm))
		return -CSG_E_USAGE;
	machine = csg_facts_machine(&a->facts, copy.vm);
	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->has_switches = true;
	return csg_switches_add(&machine->switches, &copy);
}

int csg_attribution_seen(struct csg_attribution *a, int32_t cpu, uint64_t time, int32_t pid,
			 int32_t tid)
{
	const struct csg_seen seen = {.cpu = cpu, .time = time, .pid = pid, .tid = tid};

	if (!a || cpu < 0 || !takes(a, CSG_VM_HOST))
		return -CSG_E_USAGE;
	return csg_facts_see(&a->facts, &seen);
}

int csg_attribution_lost(struct csg_attribution *a, int32_t cpu, uint64_t time)
{
	const struct csg_seen seen = {.cpu = cpu, .time = time, .lost = true};

	if (!a || !takes(a, CSG_VM_HOST))
		return -CSG_E_USAGE;
	return csg_facts_see(&a->facts, &seen);
}

int csg_attribution_guest_lost(struct csg_attribution *a, int32_t vm, int32_t cpu, uint64_t time)
{
	const struct csg_seen seen = {.cpu = cpu, .time = time, .lost = true};

	if (!a || vm <= 0 || !takes(a, vm))
		return -CSG_E_USAGE;
	return csg_facts_lose(&a->facts, vm, &seen);
}

int csg_attribution_kvm_event(struct csg_attribution *a,
			      const struct csg_attribution_kvm_event *event)
{
	struct csg_attribution_kvm_event copy;

	if (!a || !event || csg_abi_take(&copy, sizeof(copy), sizeof(copy), event) ||
	    copy.cpu < 0 || copy.tid <= 0 || !takes(a, CSG_VM_HOST))
		return -CSG_E_USAGE;
	return csg_kvm_visits_add(&a->facts.kvm_visits, &copy);
}

int csg_attribution_offset(struct csg_attribution *a, int32_t vm, int64_t offset)
{
	const struct csg_offset_period said = {
		.until = UINT64_MAX,
		.offset = {offset, offset},
		.sources = CSG_OFFSET_BY_USER,
	};

	if (!a || vm <= 0 || !takes(a, vm))
		return -CSG_E_USAGE;
	return csg_offsets_observe(&a->facts.clocks.offsets, vm, &said);
}

int csg_attribution_vcpu(struct csg_attribution *a, const struct csg_vcpu_entry *entry)
{
	if (!a || !entry || entry->tid <= 0 || entry->vm <= 0 || entry->source > CSG_VCPU_BY_USER ||
	    !takes(a, entry->vm))
		return -CSG_E_USAGE;
	return csg_vcpus_add(&a->facts.vcpus, entry);
}

int csg_attribution_check_ids(struct csg_attribution *a, const struct csg_trace_unit *unit,
			      const struct csg_attribution_piece *piece,
			      const struct csg_track_event *event)
{
	struct csg_attribution_piece of;
	struct csg_trace_unit by;
	int err;

	if (!a || !event || csg_abi_take(&by, sizeof(by), sizeof(by), unit) ||
	    csg_abi_take(&of, sizeof(of), sizeof(of), piece) || has_streams(a))
		return -CSG_E_USAGE;
	err = csg_facts_seal(&a->facts);
	return err ? err : csg_id_check_event(&a->facts, &by, &of, event);
}

int csg_attribution_settle_ids(struct csg_attribution *a, const char **why)
{
	int err;

	if (!a || !why || has_streams(a))
		return -CSG_E_USAGE;
	err = csg_facts_seal(&a->facts);
	*why = a->facts.foreign_text;
	return err ? err : csg_id_check_settle(&a->facts);
}

/* --- what is known --- */

void csg_attribution_nests(struct csg_attribution *a)
{
	if (a && !has_streams(a))
		a->facts.nests = true;
}

void csg_attribution_may_nest(struct csg_attribution *a, bool may)
{
	if (a && !has_streams(a))
		a->facts.may_nest = may;
}

int csg_attribution_plain_vm(struct csg_attribution *a, int32_t vm)
{
	struct csg_facts_machine *machine = csg_facts_machine(&a->facts, vm);

	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->plain = true;
	return 0;
}

int csg_attribution_vm_nests(struct csg_attribution *a, int32_t vm)
{
	struct csg_facts_machine *machine;

	if (!a || vm <= 0 || !takes(a, vm))
		return -CSG_E_USAGE;
	machine = csg_facts_machine(&a->facts, vm);
	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->nests = a->facts.nesting_vms = true;
	return 0;
}

bool csg_attribution_may_be_nested(const struct csg_attribution *a, const struct csg_owner *owner)
{
	return a && owner &&
	       (owner->level == CSG_LEVEL_NESTED ||
		(owner->level != CSG_LEVEL_GUEST && csg_facts_nests(&a->facts, owner->vm)));
}

int csg_attribution_nested_said(struct csg_attribution *a, int32_t vm, int32_t nested)
{
	struct csg_facts_machine *machine = csg_facts_machine(&a->facts, vm);

	if (!machine || csg_array_grow((void **)&machine->nested, machine->nested_count,
				       &machine->nested_capacity, sizeof(*machine->nested)))
		return -CSG_E_NO_MEMORY;
	machine->nested[machine->nested_count++] = nested;
	return csg_attribution_vm_nests(a, vm);
}

int csg_attribution_contradict(struct csg_attribution *a, const struct csg_contradiction *one)
{
	return csg_contradictions_add(&a->facts.contradictions, one);
}

int csg_attribution_levels_conflict(struct csg_attribution *a, int32_t cpu, uint64_t index,
				    uint64_t time)
{
	const struct csg_contradiction one = {
		.kind = CSG_CONTRADICTION_LEVEL,
		.cpu = cpu,
		.begin = index,
		.end = index,
		.begin_time = time,
		.end_time = time,
		.text = "what KVM called before it entered says two levels of the guest",
	};

	return csg_contradictions_add(&a->facts.contradictions, &one);
}

enum csg_hypervisor csg_attribution_hypervisor(const struct csg_attribution *a)
{
	return a ? a->facts.options.hypervisor : CSG_HV_AUTO;
}

void csg_attribution_set_policy(struct csg_attribution *a, enum csg_hypervisor kind, bool assumed,
				bool guests)
{
	if (!a || kind <= CSG_HV_AUTO || kind >= CSG_HV_COUNT)
		return;
	a->facts.options.hypervisor = kind;
	a->facts.guests_show |= guests;
	a->assumed = assumed;
}

const struct csg_vcpu_entry *csg_attribution_vcpu_of(const struct csg_attribution *a, int32_t tid)
{
	return a ? csg_vcpus_find(&a->facts.vcpus, CSG_PID_UNKNOWN, tid) : NULL;
}

void csg_attribution_use_memory(struct csg_attribution *a, struct csg_disk_memory *memory)
{
	a->facts.memory = a->facts.residency.memory = memory;
}

void csg_attribution_settle_vcpus(struct csg_attribution *a)
{
	csg_facts_settle_vcpus(&a->facts);
}

int csg_attribution_prepare_guest_time_slices(struct csg_attribution *a)
{
	return csg_guest_time_slices_prepare(&a->facts);
}

int csg_attribution_domain(struct csg_attribution *a, uint32_t vmid, bool disputed)
{
	return csg_domains_add(&a->facts.domains, vmid, disputed);
}

int csg_attribution_domain_said(struct csg_attribution *a, uint32_t vmid)
{
	return csg_domains_say(&a->facts.domains, vmid);
}

const struct csg_vcpu_entry *csg_attribution_vcpus(const struct csg_attribution *a, size_t *n)
{
	if (!n)
		return NULL;
	*n = a ? a->facts.vcpus.count : 0;
	return a ? a->facts.vcpus.entries : NULL;
}
