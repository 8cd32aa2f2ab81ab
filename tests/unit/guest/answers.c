/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/answers.h"

#include "attribution_story.h"
#include "guest/attribution_state.h"

static struct csg_owner host_thread(int32_t process, int32_t tid)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_HOST;
	owner.host_process = owner.pid = process;
	owner.tid = tid;
	return owner;
}

static void a_thread_of_the_host_works_for_the_vm_of_its_vcpu(void)
{
	struct csg_owner vcpu = host_thread(4100, 4103), other = host_thread(7, 7),
			 several = host_thread(4100, 4103), reused = host_thread(4100, 4103);
	struct story story;

	begin(&story);
	open_stream(&story);
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &vcpu), 4100);
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &other), CSG_VM_HOST);
	several.host_process = CSG_PID_UNKNOWN;
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &several), CSG_VM_UNKNOWN);
	reused.reason = CSG_REASON_REUSED_ID;
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &reused), CSG_VM_UNKNOWN);
	end(&story);
}

static void a_guest_is_its_vms(void)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;
	struct story story;

	begin(&story);
	owner.world = CSG_WORLD_GUEST;
	owner.vm = 4100;
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &owner), 4100);
	owner.vm = CSG_VM_HOST;
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &owner), CSG_VM_UNKNOWN);
	owner.world = CSG_WORLD_HYPERVISOR;
	CU_ASSERT_EQUAL(csg_attribution_vm_of(story.a, &owner), CSG_VM_HOST);
	csg_attribution_destroy(story.a);
}

static void on_cpu_intervals_are_listed(void)
{
	struct csg_interval interval;
	struct story story;

	begin(&story);
	tell_switch(story.a, CSG_VM_HOST, 1000, 4103, 7);
	tell_switch(story.a, CSG_VM_HOST, 5000, 7, 4103);
	open_stream(&story);
	CU_ASSERT_EQUAL(csg_attribution_interval_count(story.a, 1), 0);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_interval_count(story.a, 0), 3);
	interval = csg_attribution_interval(story.a, 0, 1);
	CU_ASSERT_EQUAL(interval.tid, 7);
	CU_ASSERT_TRUE(interval.joined);
	CU_ASSERT(interval.from >= 1000 && interval.from < 2000 && interval.until == 5000);
	CU_ASSERT_TRUE(csg_attribution_may_run(story.a, 0, 6000, 7000, 4100));
	CU_ASSERT_FALSE(csg_attribution_may_run(story.a, 0, 2000, 3000, 4100));
	end(&story);
}

static void injected_vms_are_listed(void)
{
	struct csg_attribution_clock clock = {.size = sizeof(clock), .vm = 500, .host_time = true};
	struct story story;

	begin(&story);
	tell_clock(story.a, 400);
	CU_ASSERT_EQUAL(csg_attribution_clock(story.a, &clock), 0);
	clock.vm = 600;
	CU_ASSERT_EQUAL(csg_attribution_clock(story.a, &clock), 0);
	CU_ASSERT_EQUAL(csg_attribution_injected(story.a, 0), 500);
	CU_ASSERT_EQUAL(csg_attribution_injected(story.a, 1), 600);
	CU_ASSERT_EQUAL(csg_attribution_injected(story.a, 2), 0);
	CU_ASSERT_TRUE(csg_attribution_is_injected(story.a, 600));
	CU_ASSERT_FALSE(csg_attribution_is_injected(story.a, 400));
	csg_attribution_destroy(story.a);
}

static void an_offset_that_the_trace_shows_is_not_what_records_alone_show(void)
{
	struct csg_facts_machine *machine;
	struct csg_offset offset;
	struct story story;

	begin(&story);
	tell_clock(story.a, 4100);
	CU_ASSERT_FALSE(csg_attribution_recorded_offset(story.a, 4100, &offset));
	machine = csg_facts_machine(&story.a->facts, 4100);
	machine->known_offset = (struct csg_offset){5, 6};
	machine->has_known_offset = true;
	CU_ASSERT_FALSE(csg_attribution_known_offset(story.a, 4100, &offset));
	CU_ASSERT_TRUE(csg_attribution_recorded_offset(story.a, 4100, &offset));
	CU_ASSERT_EQUAL(offset.high, 6);
	CU_ASSERT_EQUAL(csg_attribution_offset(story.a, 4100, 7), 0);
	CU_ASSERT_TRUE(csg_attribution_known_offset(story.a, 4100, &offset));
	CU_ASSERT_EQUAL(offset.low, 7);
	CU_ASSERT_FALSE(csg_attribution_recorded_offset(story.a, 4100, &offset));
	csg_attribution_destroy(story.a);
}

static void a_guests_counter_is_between_two_host_times(void)
{
	const struct csg_offset offset = {-30, 40};
	uint64_t low, high;
	struct story story;

	begin(&story);
	CU_ASSERT_FALSE(csg_attribution_counter_times(story.a, &offset, 1000, &low, &high));
	open_stream(&story);
	CU_ASSERT_TRUE(csg_attribution_counter_times(story.a, &offset, 1000, &low, &high));
	CU_ASSERT_EQUAL(low, 970);
	CU_ASSERT_EQUAL(high, 1040);
	end(&story);
}

static void signs_of_guests_are_those_of_names_and_policy(void)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	CU_ASSERT_FALSE(csg_attribution_shows_guests(a));
	CU_ASSERT_EQUAL(csg_attribution_thread(a, CSG_VM_HOST, 8, 9, "CPU 0/KVM", false, 0), 0);
	CU_ASSERT_TRUE(csg_attribution_shows_guests(a));
	CU_ASSERT_FALSE(csg_attribution_shows_nested(a));
	CU_ASSERT_EQUAL(csg_attribution_vm_nests(a, 8), 0);
	CU_ASSERT_TRUE(csg_attribution_shows_nested(a));
	CU_ASSERT_FALSE(csg_attribution_states_levels(a));
	csg_attribution_nests(a);
	CU_ASSERT_TRUE(csg_attribution_states_levels(a));
	csg_attribution_destroy(a);
}

static void a_guests_switches_are_known_once_facts_are_sealed(void)
{
	struct story story;

	begin(&story);
	tell_switch(story.a, 4100, 1000, 21, 22);
	open_stream(&story);
	CU_ASSERT_TRUE(csg_attribution_has_guest_switches(story.a));
	end(&story);
	begin(&story);
	tell_switch(story.a, CSG_VM_HOST, 1000, 4103, 7);
	open_stream(&story);
	CU_ASSERT_FALSE(csg_attribution_has_guest_switches(story.a));
	end(&story);
}

CSG_SUITE(guest, answers, CSG_TEST(a_thread_of_the_host_works_for_the_vm_of_its_vcpu),
	  CSG_TEST(a_guest_is_its_vms), CSG_TEST(on_cpu_intervals_are_listed),
	  CSG_TEST(injected_vms_are_listed),
	  CSG_TEST(an_offset_that_the_trace_shows_is_not_what_records_alone_show),
	  CSG_TEST(a_guests_counter_is_between_two_host_times),
	  CSG_TEST(signs_of_guests_are_those_of_names_and_policy),
	  CSG_TEST(a_guests_switches_are_known_once_facts_are_sealed));
