/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/machine.h"

#include <string.h>

#include "csguest/error.h"
#include "fixture.h"

static void vcpus_and_their_threads_are_known(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_vcpu_entry *vcpu;
	const char *comm;

	fixture_drain(session);
	CU_ASSERT_FATAL(csg_vcpu_count(session) > 0);
	vcpu = csg_vcpu_at(session, 0);
	CU_ASSERT_PTR_NULL(csg_vcpu_at(session, csg_vcpu_count(session)));
	CU_ASSERT_PTR_EQUAL(csg_vcpu_of_thread(session, vcpu->tid), vcpu);
	CU_ASSERT_EQUAL(csg_session_process(session, CSG_VM_HOST, vcpu->tid, UINT64_MAX), vcpu->vm);
	comm = csg_session_comm(session, CSG_VM_HOST, vcpu->tid, UINT64_MAX);
	CU_ASSERT_PTR_NOT_NULL_FATAL(comm);
	CU_ASSERT_STRING_EQUAL(comm, "CPU 0/KVM");
	CU_ASSERT_EQUAL(csg_session_names_until(session, CSG_VM_HOST, vcpu->tid, UINT64_MAX - 1),
			UINT64_MAX);
	CU_ASSERT_PTR_NULL(csg_session_comm(session, CSG_VM_HOST, 999999, UINT64_MAX));
	CU_ASSERT_EQUAL(csg_session_process(session, CSG_VM_HOST, -1, UINT64_MAX), -1);
	CU_ASSERT_STRING_EQUAL(csg_session_comm(session, CSG_VM_HOST, 0, UINT64_MAX), "swapper");
	csg_session_close(session);
}

static void machines_are_the_host_and_the_vms_that_were_met(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	int32_t vms[4] = {-7, -7, -7, -7};
	size_t n;

	fixture_drain(session);
	n = csg_session_machines(session, vms, 4);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(vms[0], CSG_VM_HOST);
	CU_ASSERT_EQUAL(vms[1], csg_vcpu_at(session, 0)->vm);
	CU_ASSERT_EQUAL(vms[2], -7);
	vms[1] = -7;
	CU_ASSERT_EQUAL(csg_session_machines(session, vms, 1), n);
	CU_ASSERT_EQUAL(vms[1], -7);
	CU_ASSERT_EQUAL(csg_session_machines(session, NULL, 4), n);
	csg_session_close(session);
}

static void intervals_on_a_cpu_are_in_order(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_interval interval;
	uint64_t last = 0;
	size_t n = csg_interval_count(session, 0);

	CU_ASSERT_FATAL(n > 1);
	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(csg_interval_at(session, 0, i, &interval, sizeof(interval)), 0);
		CU_ASSERT(interval.from >= last && interval.until >= interval.from);
		last = interval.until;
	}
	CU_ASSERT_EQUAL(csg_interval_at(session, 0, n, &interval, sizeof(interval)), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_interval_at(session, 0, 0, &interval, 4), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_interval_count(session, -1), 0);
	CU_ASSERT_EQUAL(csg_interval_count(session, 500), 0);
	csg_session_close(session);
}

static void recordings_of_guests_are_listed(void)
{
	const struct csg_guest_files guest = {
		.size = sizeof(guest), .name = "asker", .perf = FIXTURE_DIR "perf.data"};
	const struct csg_session_options options = {
		.size = sizeof(options), .guests = &guest, .guest_count = 1};
	const struct csg_recording *recording;
	struct csg_session *session;
	int32_t vm = -7;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, FIXTURE_DIR "perf.data", &options), 0);
	CU_ASSERT_EQUAL(csg_guest_recording_count(session), 1);
	recording = csg_guest_recording(session, 0, &vm);
	CU_ASSERT_PTR_NOT_NULL_FATAL(recording);
	CU_ASSERT_PTR_NOT_EQUAL(recording, csg_session_recording(session));
	CU_ASSERT_STRING_EQUAL(csg_recording_info(recording)->path, guest.perf);
	CU_ASSERT(vm > 0); /* there is one VM only */
	CU_ASSERT_PTR_EQUAL(csg_guest_recording(session, 0, NULL), recording);
	CU_ASSERT_PTR_NULL(csg_guest_recording(session, 1, &vm));
	CU_ASSERT_PTR_NULL(csg_guest_recording(NULL, 0, &vm));
	csg_session_close(session);
}

static void without_a_session_nothing_is_known(void)
{
	CU_ASSERT_PTR_NULL(csg_session_vm_name(NULL, 1));
	CU_ASSERT_PTR_NULL(csg_session_comm(NULL, 0, 0, 0));
	CU_ASSERT_EQUAL(csg_session_process(NULL, 0, 1, 0), -1);
	CU_ASSERT_EQUAL(csg_session_names_until(NULL, 0, 1, 0), UINT64_MAX);
	CU_ASSERT_PTR_NULL(csg_vcpu_of_thread(NULL, 1));
	CU_ASSERT_EQUAL(csg_vcpu_count(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_vcpu_at(NULL, 0));
	CU_ASSERT_EQUAL(csg_interval_count(NULL, 0), 0);
	CU_ASSERT_EQUAL(csg_guest_recording_count(NULL), 0);
	CU_ASSERT_EQUAL(csg_guest_time(NULL, 1, 1), 0);
}

CSG_SUITE(api, machine, CSG_TEST(vcpus_and_their_threads_are_known),
	  CSG_TEST(machines_are_the_host_and_the_vms_that_were_met),
	  CSG_TEST(intervals_on_a_cpu_are_in_order), CSG_TEST(recordings_of_guests_are_listed),
	  CSG_TEST(without_a_session_nothing_is_known));
