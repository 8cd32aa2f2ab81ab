/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/vm_offsets.h"

#include <stdlib.h>

#include "suite.h"

static int switch_at(struct csg_attribution *a, int32_t cpu, uint64_t time, bool out, int32_t tid,
		     int32_t other)
{
	const struct csg_attribution_switch record = {.size = sizeof(record),
						      .cpu = cpu,
						      .time = time,
						      .out = out,
						      .pid = tid / 10 * 10,
						      .tid = tid,
						      .other_tid = other};

	return csg_attribution_switch(a, &record);
}

static void every_vm_is_reported_with_its_residencies(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	const struct csg_trace_unit unit = {.size = sizeof(unit), .cpu = 0};
	struct csg_attribution_stream *stream;
	struct csg_attribution *a;
	struct csg_vm_offset *vms;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	csg_attribution_thread(a, CSG_VM_HOST, 20, 21, "CPU 0/KVM", false, 0);
	csg_attribution_thread(a, CSG_VM_HOST, 10, 11, "CPU 0/KVM", false, 0);
	csg_attribution_thread(a, CSG_VM_HOST, 10, 12, "CPU 1/KVM", false, 0);
	switch_at(a, 0, 100, false, 11, 7);
	switch_at(a, 0, 200, true, 11, 7);
	switch_at(a, 1, 50, false, 12, 7);
	switch_at(a, 1, 60, true, 12, 7);
	switch_at(a, 1, 62, false, 7, 12);
	/* Facts are sealed by the first stream. */
	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&stream, a, &unit), 0);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_offsets(a, &vms, &n), 0);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(vms[0].vm, 10);
	CU_ASSERT_EQUAL(vms[0].residencies, 2);
	CU_ASSERT_PTR_NULL(vms[0].timeline);
	CU_ASSERT_EQUAL(vms[1].vm, 20);
	CU_ASSERT_EQUAL(vms[1].residencies, 0);
	free(vms);
	csg_attribution_stream_destroy(stream);
	csg_attribution_destroy(a);
}

static void a_thread_that_two_vms_claim_counts_for_neither(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	const struct csg_trace_unit unit = {.size = sizeof(unit), .cpu = 0};
	const struct csg_vcpu_entry claims[] = {
		{.tid = 11, .vm = 10, .vcpu = 0, .source = CSG_VCPU_BY_ID_INDEX},
		{.tid = 11, .vm = 20, .vcpu = 0, .source = CSG_VCPU_BY_ID_INDEX},
		{.tid = 21, .vm = 20, .vcpu = 1, .source = CSG_VCPU_BY_ID_INDEX},
	};
	struct csg_attribution_stream *stream;
	struct csg_attribution *a;
	struct csg_vm_offset *vms;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++)
		CU_ASSERT_EQUAL(csg_attribution_vcpu(a, &claims[i]), 0);
	switch_at(a, 0, 100, false, 11, 21);
	switch_at(a, 0, 200, true, 11, 21);
	switch_at(a, 0, 201, false, 21, 11);
	switch_at(a, 0, 300, true, 21, 11);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&stream, a, &unit), 0);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_offsets(a, &vms, &n), 0);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(vms[0].vm, 20);
	CU_ASSERT_EQUAL(vms[0].residencies, 1);
	free(vms);
	csg_attribution_stream_destroy(stream);
	csg_attribution_destroy(a);
}

CSG_SUITE(guest, vm_offsets, CSG_TEST(every_vm_is_reported_with_its_residencies),
	  CSG_TEST(a_thread_that_two_vms_claim_counts_for_neither));
