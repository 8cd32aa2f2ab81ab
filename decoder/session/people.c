/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/people.h"

#include <stdlib.h>

#include "csguest/error.h"

int csg_people_init(struct csg_people *people, struct csg_image *image, bool one_space,
		    bool has_guest)
{
	int err;

	*people = (struct csg_people){.one_space = one_space, .image = image};
	err = csg_owner_table_init(&people->owners);
	if (!err)
		err = csg_image_machine(image, 0, &people->host);
	if (!err && has_guest)
		err = csg_image_machine(image, CSG_ONLY_GUEST, &people->guest);
	return err;
}

void csg_people_fini(struct csg_people *people)
{
	csg_owner_table_fini(&people->owners);
	csg_vcpus_fini(&people->vcpus);
	free(people->spaces);
	people->spaces = NULL;
}

/* Process of a host thread that runs in chunk, or CSG_PID_UNKNOWN. */
static int32_t process_of(const struct csg_people *people, int32_t tid, uint64_t time,
			  const struct csg_chunk *chunk)
{
	int32_t pid = csg_machine_thread(people->host, tid, time, NULL);

	/* It ran here, so it was there when the chunk ended: time was another clock's. */
	if (pid < 0)
		pid = csg_machine_thread(people->host, tid, chunk->time ? chunk->time : UINT64_MAX,
					 NULL);
	return pid < 0 ? CSG_PID_UNKNOWN : pid;
}

/* Whether a host thread, or another of its process, is known to run a vCPU. */
static bool is_vmms(const struct csg_people *people, int32_t tid, uint64_t time,
		    const struct csg_chunk *chunk)
{
	int32_t pid;

	if (csg_vcpus_find(&people->vcpus, tid))
		return true;
	pid = process_of(people, tid, time, chunk);
	for (size_t i = 0; i < people->vcpus.count; i++)
		if (people->vcpus.entries[i].vm == pid)
			return true;
	return pid == CSG_PID_UNKNOWN;
}

/*
 * EL0 without evidence is the host's by default where no guest shows in the recording, or of a thread that
 * has nothing to do with a VM.  Of any other it is as likely the guest's: nobody's then.
 */
static bool may_be_guests(const struct csg_people *people, const struct csg_owner *owner,
			  uint64_t time, const struct csg_chunk *chunk)
{
	if (owner->privilege != CSG_USER || !(owner->witness & CSG_WITNESS_POLICY_DEFAULT) ||
	    !people->guests)
		return false;
	return !(owner->witness & CSG_WITNESS_CONTEXTIDR_EL2) ||
	       is_vmms(people, owner->host_tid, time, chunk);
}

static void leave_open(struct csg_owner *owner)
{
	owner->world = CSG_WORLD_UNKNOWN;
	owner->reason = CSG_REASON_EL0_OPEN;
	owner->witness &= ~(uint32_t)CSG_WITNESS_POLICY_DEFAULT;
	owner->vm = CSG_VM_UNKNOWN;
	owner->pid = owner->tid = CSG_PID_UNKNOWN;
}

static void complete_host(const struct csg_people *people, struct csg_owner *owner, uint64_t time,
			  const struct csg_chunk *chunk)
{
	if (owner->tid == CSG_PID_UNKNOWN && chunk->tid > 0) {
		/* The recording follows this thread only. */
		owner->tid = owner->host_tid = chunk->tid;
		owner->pid = chunk->pid > 0 ? chunk->pid : CSG_PID_UNKNOWN;
		owner->witness |= CSG_WITNESS_RECORDING;
		owner->reason = CSG_REASON_NONE;
	}
	if (owner->tid == CSG_PID_UNKNOWN || owner->pid != CSG_PID_UNKNOWN)
		return;
	owner->pid = process_of(people, owner->tid, time, chunk);
	if (owner->pid == CSG_PID_UNKNOWN)
		owner->reason = CSG_REASON_NO_THREAD;
}

/*
 * CONTEXTIDR_EL2 names the thread that entered the guest: its process is the VMM.  The vCPU table
 * knows its number; where it names another VM, witnesses contradict each other.
 */
static int complete_guest(struct csg_people *people, struct csg_owner *owner, uint64_t time,
			  const struct csg_chunk *chunk)
{
	const struct csg_vcpu_entry *vcpu;
	int32_t vmm;

	people->guests = true;
	if (owner->host_tid == CSG_PID_UNKNOWN) {
		owner->reason = CSG_REASON_NO_CONTEXT_ID;
		return 0;
	}
	vmm = process_of(people, owner->host_tid, time, chunk);
	vcpu = csg_vcpus_find(&people->vcpus, owner->host_tid);
	if (vcpu && vmm != CSG_PID_UNKNOWN && vcpu->vm != vmm) {
		owner->reason = CSG_REASON_CONFLICT;
		return 0;
	}
	owner->vm = vcpu ? vcpu->vm : vmm;
	owner->vcpu = vcpu ? vcpu->vcpu : CSG_VCPU_UNKNOWN;
	if (owner->vm == CSG_PID_UNKNOWN) {
		owner->vm = CSG_VM_UNKNOWN;
		owner->reason = CSG_REASON_NO_THREAD;
	}
	if (vcpu || vmm == CSG_PID_UNKNOWN)
		return 0;
	return csg_vcpus_add(&people->vcpus, &(struct csg_vcpu_entry){
						     .tid = owner->host_tid,
						     .vm = vmm,
						     .vcpu = CSG_VCPU_UNKNOWN,
						     .source = CSG_VCPU_BY_TRACE,
					     });
}

static struct csg_space *guest_space(const struct csg_people *people, const struct csg_owner *owner)
{
	struct csg_machine *machine = people->guest;

	if (owner->privilege != CSG_KERNEL)
		return NULL;
	if (!machine && (owner->vm <= 0 || csg_image_machine(people->image, owner->vm, &machine)))
		return NULL;
	return csg_machine_kernel(machine);
}

static struct csg_space *space_of(const struct csg_people *people, const struct csg_owner *owner)
{
	if (people->one_space)
		return csg_machine_kernel(people->host);
	switch (owner->world) {
	case CSG_WORLD_HOST:
		if (owner->privilege == CSG_KERNEL)
			return csg_machine_kernel(people->host);
		return owner->pid >= 0 ? csg_machine_process(people->host, owner->pid) : NULL;
	case CSG_WORLD_GUEST:
		return guest_space(people, owner);
	default:
		return NULL;
	}
}

static int remember_space(struct csg_people *people, uint32_t number)
{
	while (people->space_count <= number) {
		uint32_t next = (uint32_t)people->space_count;

		if (people->space_count == people->space_room) {
			size_t room = people->space_room ? people->space_room * 2 : 64;
			struct csg_space **spaces = realloc(people->spaces, room * sizeof(*spaces));

			if (!spaces)
				return -CSG_E_NO_MEMORY;
			people->spaces = spaces;
			people->space_room = room;
		}
		people->spaces[people->space_count++] =
			space_of(people, csg_owner_table_get(&people->owners, next));
	}
	return 0;
}

int64_t csg_people_number(struct csg_people *people, struct csg_owner owner, uint64_t time,
			  const struct csg_chunk *chunk)
{
	int64_t number;
	int err = 0;

	if (owner.world == CSG_WORLD_HOST && may_be_guests(people, &owner, time, chunk))
		leave_open(&owner);
	else if (owner.world == CSG_WORLD_HOST)
		complete_host(people, &owner, time, chunk);
	else if (owner.world == CSG_WORLD_GUEST)
		err = complete_guest(people, &owner, time, chunk);
	if (err)
		return err;
	number = csg_owner_table_number(&people->owners, &owner);
	if (number < 0)
		return number;
	err = remember_space(people, (uint32_t)number);
	return err ? err : number;
}

bool csg_people_knows(const struct csg_people *people, uint32_t owner)
{
	const struct csg_owner *o = csg_owner_table_get(&people->owners, owner);

	if (o->world == CSG_WORLD_HOST && o->privilege == CSG_USER)
		return o->pid != CSG_PID_UNKNOWN;
	return o->world != CSG_WORLD_UNKNOWN;
}

struct csg_space *csg_people_space(struct csg_people *people, uint32_t owner)
{
	if (owner < people->space_count)
		return people->spaces[owner];
	return space_of(people, csg_owner_table_get(&people->owners, owner));
}
