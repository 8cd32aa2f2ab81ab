/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/process_numbers.h"

#include "base/thread_lives.h"
#include "suite.h"

#define FIRST (700 + CSG_VM_AGAIN)
#define SECOND (700 + 2 * CSG_VM_AGAIN)

static struct csg_facts facts;

static struct csg_facts_machine *host(void)
{
	return csg_facts_machine(&facts, CSG_VM_HOST);
}

/* Process 700 is forked, and its thread 701, which runs a vCPU if it has a name; both end. */
static void live(uint64_t begin, uint64_t end, int32_t vcpu)
{
	const struct csg_vcpu_naming naming = {700, 701, vcpu, begin + 20};
	const struct csg_vcpu_entry entry = {
		.tid = 701, .vm = 700, .vcpu = vcpu, .source = CSG_VCPU_BY_NAME};

	csg_thread_seen(&host()->threads, 700, 700, NULL, true, begin);
	csg_thread_seen(&host()->threads, 701, 700, NULL, true, begin + 10);
	if (vcpu >= 0) {
		CU_ASSERT_EQUAL_FATAL(csg_process_lives_name(&facts.lives, &naming), 0);
		CU_ASSERT_EQUAL_FATAL(csg_vcpus_add(&facts.vcpus, &entry), 0);
	}
	if (!end)
		return;
	csg_thread_ended(&host()->threads, 701, 700, end - 10);
	csg_thread_ended(&host()->threads, 700, 700, end);
}

static void number(void)
{
	CU_ASSERT_EQUAL_FATAL(csg_process_numbers_give(&facts), 0);
	csg_facts_settle_vcpus(&facts);
}

static int32_t process_of(int32_t tid, uint64_t from, uint64_t until)
{
	return csg_facts_process(&facts, CSG_VM_HOST, tid, from, until, false);
}

static void a_pid_that_one_process_had_is_its_number(void)
{
	live(100, 200, 0);
	number();
	CU_ASSERT_EQUAL(facts.lives.count, 0);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 50), 700);
	CU_ASSERT_EQUAL(process_of(701, 120, 130), 700);
	csg_facts_fini(&facts);
}

static void another_process_with_the_pid_of_a_vmm_is_not_the_vmm(void)
{
	live(100, 200, 0);
	live(300, 400, -1);
	number();
	CU_ASSERT_EQUAL(process_of(701, 120, 130), 700);
	CU_ASSERT_EQUAL(process_of(701, 320, 330), FIRST);
	CU_ASSERT_EQUAL(process_of(700, 320, 330), FIRST);
	CU_ASSERT_EQUAL(process_of(700, 120, 330), CSG_PID_SEVERAL);
	CU_ASSERT_PTR_NOT_NULL(csg_vcpus_find(&facts.vcpus, 700, 701));
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&facts.vcpus, FIRST, 701));
	CU_ASSERT_EQUAL(csg_vcpus_works_for(&facts.vcpus, FIRST, 700), CSG_VM_HOST);
	csg_facts_fini(&facts);
}

static void the_one_that_ran_a_vm_has_the_pid_whichever_it_was(void)
{
	live(100, 200, -1);
	live(300, 0, 0);
	number();
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 150), FIRST);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 299), FIRST);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 300), 700);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, UINT64_MAX), 700);
	csg_facts_fini(&facts);
}

static void several_vms_have_a_number_each_and_none_the_pid(void)
{
	live(100, 200, 0);
	live(300, 400, -1);
	live(500, 600, 1);
	number();
	CU_ASSERT_EQUAL(process_of(701, 120, 130), FIRST);
	CU_ASSERT_EQUAL(process_of(701, 520, 530), SECOND);
	CU_ASSERT_EQUAL(process_of(701, 320, 330), 700 + 3 * CSG_VM_AGAIN);
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, FIRST, 701)->vcpu, 0);
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, SECOND, 701)->vcpu, 1);
	CU_ASSERT_FALSE(csg_vcpus_is_vmm(&facts.vcpus, 700));
	CU_ASSERT_EQUAL(process_of(701, 120, 530), CSG_PID_SEVERAL);
	csg_facts_fini(&facts);
}

static void what_has_no_time_is_of_no_vm_where_it_may_be_of_several(void)
{
	const struct csg_vcpu_entry both = {.tid = 701, .vm = 700, .source = CSG_VCPU_BY_DEBUGFS};
	const struct csg_vcpu_entry one = {.tid = 702, .vm = 700, .source = CSG_VCPU_BY_DEBUGFS};

	live(100, 200, 0);
	live(300, 0, 0);
	csg_thread_seen(&host()->threads, 702, 700, NULL, true, 350);
	csg_vcpus_add(&facts.vcpus, &both);
	csg_vcpus_add(&facts.vcpus, &one);
	number();
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, SECOND, 702)->source, CSG_VCPU_BY_DEBUGFS);
	CU_ASSERT_PTR_NULL(csg_vcpus_find(&facts.vcpus, FIRST, 702));
	/* The names of both have times; the list of KVM has none. */
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, FIRST, 701)->source, CSG_VCPU_BY_NAME);
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, SECOND, 701)->source, CSG_VCPU_BY_NAME);
	csg_facts_fini(&facts);
}

static void an_event_says_which_of_them_ran_a_vm(void)
{
	const struct csg_vcpu_entry entry = {
		.tid = 701, .vm = 700, .vcpu = CSG_VCPU_UNKNOWN, .source = CSG_VCPU_BY_EVENT};
	const struct csg_attribution_kvm_event event = {
		.size = sizeof(event), .tid = 701, .time = 330};

	live(100, 200, -1);
	live(300, 0, -1);
	csg_vcpus_add(&facts.vcpus, &entry);
	csg_kvm_visits_add(&facts.kvm_visits, &event);
	number();
	CU_ASSERT_EQUAL(process_of(701, 320, 330), 700);
	CU_ASSERT_EQUAL(process_of(701, 120, 130), FIRST);
	CU_ASSERT_PTR_NOT_NULL(csg_vcpus_find(&facts.vcpus, 700, 701));
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, 700, 701)->source, CSG_VCPU_BY_EVENT);
	csg_facts_fini(&facts);
}

/* FORK of the second is lost: between EXIT and what names it next it was either's. */
static void between_an_exit_and_the_next_record_it_is_neithers(void)
{
	const struct csg_vcpu_naming naming = {700, 701, 0, 350};

	live(100, 200, 0);
	csg_thread_seen(&host()->threads, 700, 700, NULL, false, 300);
	csg_thread_seen(&host()->threads, 701, 700, NULL, false, 350);
	csg_process_lives_name(&facts.lives, &naming);
	number();
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 200), FIRST);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 250), CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 300), SECOND);
	CU_ASSERT_EQUAL(process_of(701, 120, 130), FIRST);
	CU_ASSERT_EQUAL(process_of(701, 350, 360), SECOND);
	CU_ASSERT_EQUAL(process_of(701, 250, 360), CSG_PID_SEVERAL);
	csg_facts_fini(&facts);
}

/* As above, and the main thread is not named again. */
static void a_thread_that_runs_a_vcpu_after_its_process_ended_is_anothers(void)
{
	const struct csg_attribution_kvm_event event = {
		.size = sizeof(event), .tid = 701, .time = 330};

	live(100, 200, 0);
	csg_thread_sighted(&host()->threads, 701, 700, 340);
	csg_kvm_visits_add(&facts.kvm_visits, &event);
	number();
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 200), FIRST);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 329), CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_process_number(&facts.lives, 700, 330), SECOND);
	CU_ASSERT_EQUAL(process_of(701, 110, 110), FIRST);
	CU_ASSERT_EQUAL(process_of(701, 120, 340), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(csg_vcpus_find(&facts.vcpus, SECOND, 701)->source, CSG_VCPU_BY_EVENT);
	csg_facts_fini(&facts);
}

/* Records of one thread of both, whose FORK and EXIT are lost: when it was whose is known at its
 * ends. */
static void a_thread_that_outlasts_its_process_is_of_both(void)
{
	live(100, 200, 0);
	csg_thread_seen(&host()->threads, 705, 700, NULL, true, 150);
	live(300, 0, 0);
	csg_thread_sighted(&host()->threads, 705, 700, 400);
	number();
	CU_ASSERT_EQUAL(process_of(705, 150, 150), FIRST);
	CU_ASSERT_EQUAL(process_of(705, 400, 400), SECOND);
	CU_ASSERT_EQUAL(process_of(705, 160, 170), CSG_PID_SEVERAL);
	CU_ASSERT_EQUAL(process_of(705, 310, 320), CSG_PID_SEVERAL);
	csg_facts_fini(&facts);
}

static void records_have_numbers_as_well(void)
{
	const struct csg_attribution_switch records[] = {
		{.cpu = 0, .time = 150, .pid = 700, .tid = 701, .other_pid = 5, .other_tid = 5},
		{.cpu = 0, .time = 350, .pid = 5, .tid = 5, .other_pid = 700, .other_tid = 701},
	};
	const struct csg_seen seen = {.time = 360, .cpu = 0, .pid = 700, .tid = 701};

	live(100, 200, 0);
	live(300, 0, 0);
	csg_switches_add(&host()->switches, &records[0]);
	csg_switches_add(&host()->switches, &records[1]);
	csg_facts_see(&facts, &seen);
	number();
	CU_ASSERT_EQUAL(host()->switches.records[0].pid, FIRST);
	CU_ASSERT_EQUAL(host()->switches.records[0].other_pid, 5);
	CU_ASSERT_EQUAL(host()->switches.records[1].other_pid, SECOND);
	CU_ASSERT_EQUAL(facts.seen[0].pid, SECOND);
	csg_facts_fini(&facts);
}

/* Thread 702 is the first VM's, then a process of its own, with a FORK each; 701 runs vCPUs. */
static void a_thread_of_several_processes_may_run_none(void)
{
	live(100, 200, 0);
	csg_thread_seen(&host()->threads, 702, 5, NULL, true, 110);
	csg_thread_ended(&host()->threads, 702, 5, 150);
	csg_thread_seen(&host()->threads, 702, 702, NULL, true, 210);
	number();
	CU_ASSERT_TRUE(csg_process_runs_none(&facts, 702, 120, 220));
	CU_ASSERT_TRUE(csg_process_runs_none(&facts, 700, 120, 220));
	CU_ASSERT_FALSE(csg_process_runs_none(&facts, 701, 120, 220));
	CU_ASSERT_FALSE(csg_process_runs_none(&facts, 703, 120, 220));
	csg_spans_add(&host()->lost_spans, 155, 160);
	CU_ASSERT_FALSE(csg_process_runs_none(&facts, 702, 120, 220));
	csg_facts_fini(&facts);
}

CSG_SUITE(guest_facts, process_numbers, CSG_TEST(a_pid_that_one_process_had_is_its_number),
	  CSG_TEST(another_process_with_the_pid_of_a_vmm_is_not_the_vmm),
	  CSG_TEST(the_one_that_ran_a_vm_has_the_pid_whichever_it_was),
	  CSG_TEST(several_vms_have_a_number_each_and_none_the_pid),
	  CSG_TEST(what_has_no_time_is_of_no_vm_where_it_may_be_of_several),
	  CSG_TEST(an_event_says_which_of_them_ran_a_vm),
	  CSG_TEST(between_an_exit_and_the_next_record_it_is_neithers),
	  CSG_TEST(a_thread_that_runs_a_vcpu_after_its_process_ended_is_anothers),
	  CSG_TEST(a_thread_that_outlasts_its_process_is_of_both),
	  CSG_TEST(records_have_numbers_as_well),
	  CSG_TEST(a_thread_of_several_processes_may_run_none));
