/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/host_clock.h"

#include "suite.h"

#define OFFSET 5000000 /* ticks of 10 ns */

static const struct csg_time_conv conv = {.valid = true, .mult = 10};
static const struct csg_owner host_user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .host_tid = 7, .tid = 7, .pid = 7};
static const struct csg_owner vcpu_kernel = {
	.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .host_tid = 11, .tid = 11, .pid = 10};
static const struct csg_owner vcpu_user = {.world = CSG_WORLD_HOST,
					   .privilege = CSG_USER,
					   .evidence = CSG_EVIDENCE_VECTOR_BASE,
					   .host_tid = 11};
static const struct csg_owner guest = {.world = CSG_WORLD_GUEST, .vm = 10, .host_tid = 11};
static const struct csg_owner guest_of_nobody = {
	.world = CSG_WORLD_GUEST, .vm = CSG_VM_UNKNOWN, .host_tid = CSG_PID_UNKNOWN};
static const struct csg_owner kernel_of_nobody = {
	.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .host_tid = CSG_PID_UNKNOWN};

struct rig {
	struct csg_residency residency;
	struct csg_vcpus vcpus;
	struct csg_host_clocks shared;
	struct csg_host_clock clock;
	uint64_t index;
};

/* VM 10 has a vCPU in thread 11. */
static void rig_init(struct rig *r, bool is_virtual)
{
	const struct csg_vcpu_entry vcpu = {.tid = 11, .vm = 10};

	*r = (struct rig){.shared = {.conv = conv, .guests = true}};
	r->shared.residency = &r->residency;
	r->shared.vcpus = &r->vcpus;
	csg_vcpus_add(&r->vcpus, &vcpu);
	csg_host_clock_init(&r->clock, &r->shared, 0, is_virtual);
}

static void rig_fini(struct rig *r)
{
	csg_host_clock_fini(&r->clock);
	csg_offsets_fini(&r->shared.offsets);
	csg_residency_fini(&r->residency);
	csg_vcpus_fini(&r->vcpus);
}

static void stamp(struct rig *r, uint64_t raw, const struct csg_owner *owner)
{
	csg_host_clock_stamp(&r->clock, ++r->index, raw, owner, true);
}

static void a_guests_time_is_the_hosts(void)
{
	struct rig r;

	rig_init(&r, true);
	csg_host_clock_chunk(&r.clock, 1, 90000000, false);
	stamp(&r, 6000000, &host_user);
	stamp(&r, 6000010, &vcpu_kernel);
	stamp(&r, 6000020 - OFFSET, &guest);
	stamp(&r, 6000030 - OFFSET, &vcpu_kernel);
	stamp(&r, 6000040, &vcpu_kernel);
	stamp(&r, 6000050, &vcpu_user);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 1), 60000000);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 2), 60000100);
	CU_ASSERT_TRUE(csg_host_clock_time(&r.clock, 3) >= 60000100);
	CU_ASSERT_TRUE(csg_host_clock_time(&r.clock, 4) <= 60000400);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 6), 60000500);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 7), 0);
	CU_ASSERT_EQUAL(csg_offsets_of(&r.shared.offsets, 10)->count, 1);
	/* Another piece knows no time yet. */
	csg_host_clock_chunk(&r.clock, 0, 0, false);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 7), 0);
	rig_fini(&r);
}

static void where_the_domain_is_open_no_time_is_known(void)
{
	struct rig r;

	rig_init(&r, true);
	csg_host_clock_chunk(&r.clock, 0, 0, false);
	stamp(&r, 6000000, &host_user);
	stamp(&r, 6000020 - OFFSET, &guest);
	stamp(&r, 6000030, &kernel_of_nobody);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 1), 60000000);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 2), 0);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 3), 0);
	rig_fini(&r);
}

static void switches_name_the_vm_where_the_trace_does_not(void)
{
	struct csg_offset offset;
	struct rig r;

	rig_init(&r, true);
	csg_residency_in(&r.residency, 0, 59000000, 10, 11, 7);
	csg_residency_out(&r.residency, 0, 61000000, 10, 11, 7);
	csg_host_clock_chunk(&r.clock, 0, 0, false);
	stamp(&r, 6000000, &host_user);
	stamp(&r, 6000020 - OFFSET, &guest_of_nobody);
	stamp(&r, 6000030, &host_user);
	CU_ASSERT_TRUE(csg_offsets_find(&r.shared.offsets, 10, 6000020, &offset));
	CU_ASSERT_TRUE(offset.low <= OFFSET && OFFSET <= offset.high);
	/* Nobody knows who was there later. */
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 60000000, 61000000), 10);
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 60000000, 61000001), CSG_STAMP_ANY_VM);
	rig_fini(&r);
}

static void two_vms_and_none_are_distinguished_from_one(void)
{
	const struct csg_vcpu_entry other = {.tid = 21, .vm = 20};
	struct rig r;

	rig_init(&r, true);
	csg_residency_in(&r.residency, 0, 10, 10, 11, 7);
	csg_residency_out(&r.residency, 0, 20, 10, 11, 21);
	csg_residency_in(&r.residency, 0, 22, 20, 21, 11);
	csg_residency_out(&r.residency, 0, 30, 20, 21, 7);
	csg_residency_in(&r.residency, 0, 32, 7, 7, 21);
	csg_residency_out(&r.residency, 0, 40, 7, 7, 21);
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 12, 25), 10); /* 21 runs none yet */
	csg_vcpus_add(&r.vcpus, &other);
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 12, 25), CSG_STAMP_ANY_VM);
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 23, 35), 20);
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 33, 35), 0);
	rig_fini(&r);
}

static int32_t process_of_vmm(void *arg, int32_t tid, uint64_t from, uint64_t until)
{
	(void)arg;
	(void)from;
	(void)until;
	return tid == 12 ? 10 : 7;
}

static void any_thread_of_a_vmm_may_have_its_counter_loaded(void)
{
	const struct csg_owner its_kernel = {.world = CSG_WORLD_HOST,
					     .privilege = CSG_KERNEL,
					     .host_tid = 12,
					     .tid = 12,
					     .pid = CSG_PID_UNKNOWN};
	struct rig r;

	rig_init(&r, true);
	r.shared.process_of = process_of_vmm;
	csg_residency_in(&r.residency, 0, 10, 10, 12, 7);
	csg_residency_out(&r.residency, 0, 20, 10, 12, 7);
	CU_ASSERT_EQUAL(csg_resident_vm(&r.shared, 0, 12, 15), 10);
	csg_host_clock_chunk(&r.clock, 1, 90000000, false);
	stamp(&r, 6000000, &host_user);
	stamp(&r, 6000020 - OFFSET, &guest);
	stamp(&r, 6000030 - OFFSET, &its_kernel); /* of VM 10, too */
	stamp(&r, 6000040, &host_user);
	/* As the host's time it would lie before what was there already. */
	CU_ASSERT_EQUAL(r.clock.stamps.conflicts, 0);
	CU_ASSERT_TRUE(csg_host_clock_time(&r.clock, 3) >= 60000000);
	CU_ASSERT_TRUE(csg_host_clock_time(&r.clock, 3) <= 60000400);
	rig_fini(&r);
}

static void a_clock_of_another_kind_tells_nothing(void)
{
	struct rig r;

	rig_init(&r, false);
	csg_host_clock_chunk(&r.clock, 1, 2, false);
	stamp(&r, 6000000, &host_user);
	stamp(&r, 6000020 - OFFSET, &guest);
	stamp(&r, 6000030, &host_user);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 1), 0);
	CU_ASSERT_EQUAL(r.shared.offsets.count, 0);
	rig_fini(&r);
}

static void without_guests_every_timestamp_is_physical(void)
{
	struct rig r;

	rig_init(&r, true);
	r.shared.guests = false;
	csg_host_clock_chunk(&r.clock, 0, 0, false);
	stamp(&r, 6000000, &kernel_of_nobody);
	stamp(&r, 6000010, &kernel_of_nobody);
	CU_ASSERT_EQUAL(csg_host_clock_time(&r.clock, 2), 60000100);
	rig_fini(&r);
}

static struct csg_owner kernel_of(int32_t pid, int32_t tid)
{
	return (struct csg_owner){.world = CSG_WORLD_HOST,
				  .privilege = CSG_KERNEL,
				  .host_tid = tid,
				  .tid = tid,
				  .pid = pid};
}

static bool is_physical(const struct rig *r, struct csg_owner owner)
{
	return csg_is_physical_time(&r->shared, &owner);
}

static void only_who_can_run_no_vcpu_has_the_hosts_time(void)
{
	const struct csg_vcpu_entry named = {.tid = 21, .vm = 20, .source = CSG_VCPU_BY_NAME};
	struct csg_owner user = host_user;
	struct rig r;

	rig_init(&r, true);
	csg_vcpus_add(&r.vcpus, &named);
	CU_ASSERT(is_physical(&r, kernel_of(0, 0)));
	CU_ASSERT(is_physical(&r, kernel_of(20, 20))); /* QEMU's main thread */
	CU_ASSERT_FALSE(is_physical(&r, vcpu_kernel));
	CU_ASSERT_FALSE(is_physical(&r, kernel_of(10, 12))); /* a vCPU that nobody named */
	CU_ASSERT_FALSE(is_physical(&r, kernel_of(30, 31))); /* of a VMM that nobody knows */
	CU_ASSERT_FALSE(is_physical(&r, kernel_of(CSG_PID_UNKNOWN, 41)));
	CU_ASSERT_FALSE(is_physical(&r, kernel_of_nobody));
	CU_ASSERT(is_physical(&r, user));
	CU_ASSERT(is_physical(&r, vcpu_user));
	user.evidence = CSG_EVIDENCE_POLICY_DEFAULT;
	CU_ASSERT_FALSE(is_physical(&r, user));
	CU_ASSERT_FALSE(is_physical(&r, guest));
	r.shared.guests = false;
	CU_ASSERT(is_physical(&r, kernel_of(30, 31)));
	CU_ASSERT_FALSE(is_physical(&r, (struct csg_owner)CSG_OWNER_UNKNOWN));
	rig_fini(&r);
}

CSG_SUITE(guest_facts, host_clock, CSG_TEST(a_guests_time_is_the_hosts),
	  CSG_TEST(where_the_domain_is_open_no_time_is_known),
	  CSG_TEST(switches_name_the_vm_where_the_trace_does_not),
	  CSG_TEST(two_vms_and_none_are_distinguished_from_one),
	  CSG_TEST(any_thread_of_a_vmm_may_have_its_counter_loaded),
	  CSG_TEST(a_clock_of_another_kind_tells_nothing),
	  CSG_TEST(without_guests_every_timestamp_is_physical),
	  CSG_TEST(only_who_can_run_no_vcpu_has_the_hosts_time));
