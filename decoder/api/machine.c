/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/machine.h"

#include "base/abi.h"
#include "csguest/error.h"
#include "guest/answers.h"
#include "image/image.h"
#include "image/machine.h"
#include "session/session.h"
#include "session/session_guests.h"

/* The smallest number of a VM that is larger than `after`; INT32_MAX: there is none. */
static int32_t next_vm(const struct csg_session *session, int32_t after)
{
	int32_t next = INT32_MAX, vm = 0;

	for (size_t i = 0; i < csg_session_owner_count(session); i++) {
		vm = csg_session_owner(session, (uint32_t)i)->vm;
		next = vm > after && vm < next ? vm : next;
	}
	for (size_t i = 0; i < csg_vcpu_count(session); i++) {
		vm = csg_vcpu_at(session, i)->vm;
		next = vm > after && vm < next ? vm : next;
	}
	for (size_t i = 0; csg_guest_recording(session, i, &vm); i++)
		next = vm > after && vm < next ? vm : next;
	return next;
}

size_t csg_session_machines(const struct csg_session *session, int32_t *vms, size_t max)
{
	size_t n = 0;

	for (int32_t vm = CSG_VM_HOST; session && vm != INT32_MAX; vm = next_vm(session, vm), n++)
		if (vms && n < max)
			vms[n] = vm;
	return n;
}

const char *csg_session_vm_name(const struct csg_session *session, int32_t vm)
{
	return session ? csg_session_guest_name(session, vm) : NULL;
}

/* The machine whose threads are known as those of vm, or NULL. */
static struct csg_machine *machine_of(struct csg_session *session, int32_t vm)
{
	struct csg_machine *machine;

	if (!session || vm < 0 || csg_image_machine(csg_session_image(session), vm, &machine))
		return NULL;
	return machine;
}

const char *csg_session_comm(struct csg_session *session, int32_t vm, int32_t tid, uint64_t time)
{
	const struct csg_machine *machine = tid >= 0 ? machine_of(session, vm) : NULL;
	const char *comm = NULL;

	if (!machine)
		return NULL;
	csg_machine_thread(machine, tid, time, &comm);
	/* No record names a CPU's idle thread; perf calls it so. */
	return comm || tid ? comm : "swapper";
}

int32_t csg_session_process(struct csg_session *session, int32_t vm, int32_t tid, uint64_t time)
{
	const struct csg_machine *machine = tid >= 0 ? machine_of(session, vm) : NULL;

	return machine ? csg_machine_thread(machine, tid, time, NULL) : CSG_PID_UNKNOWN;
}

uint64_t csg_session_names_until(struct csg_session *session, int32_t vm, int32_t tid,
				 uint64_t time)
{
	const struct csg_machine *machine = machine_of(session, vm);

	return machine ? csg_machine_thread_until(machine, tid, time) : UINT64_MAX;
}

const struct csg_vcpu_entry *csg_vcpu_of_thread(const struct csg_session *session, int32_t tid)
{
	return session ? csg_attribution_vcpu_of(csg_session_attribution(session), tid) : NULL;
}

size_t csg_vcpu_count(const struct csg_session *session)
{
	size_t n = 0;

	if (session)
		csg_attribution_vcpus(csg_session_attribution(session), &n);
	return n;
}

const struct csg_vcpu_entry *csg_vcpu_at(const struct csg_session *session, size_t index)
{
	size_t n = 0;
	const struct csg_vcpu_entry *vcpus =
		session ? csg_attribution_vcpus(csg_session_attribution(session), &n) : NULL;

	return index < n ? &vcpus[index] : NULL;
}

size_t csg_interval_count(const struct csg_session *session, int32_t cpu)
{
	if (!session || cpu < 0)
		return 0;
	return csg_attribution_interval_count(csg_session_attribution(session), cpu);
}

int csg_interval_at(const struct csg_session *session, int32_t cpu, size_t index,
		    struct csg_interval *interval, size_t size)
{
	struct csg_interval own;

	if (index >= csg_interval_count(session, cpu))
		return -CSG_E_USAGE;
	own = csg_attribution_interval(csg_session_attribution(session), cpu, index);
	return csg_abi_give(interval, size, sizeof(own), &own, sizeof(own));
}

size_t csg_guest_recording_count(const struct csg_session *session)
{
	return session ? csg_session_guests(session)->count : 0;
}

const struct csg_recording *csg_guest_recording(const struct csg_session *session, size_t index,
						int32_t *vm)
{
	const struct csg_guests *guests;

	if (index >= csg_guest_recording_count(session))
		return NULL;
	guests = csg_session_guests(session);
	if (vm)
		*vm = guests->recorded[index];
	return guests->recordings[index];
}

uint64_t csg_guest_time(const struct csg_session *session, int32_t vm, uint64_t time)
{
	return session ? csg_session_guest_time(session, vm, time) : 0;
}
