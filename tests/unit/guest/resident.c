/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/resident.h"

#include "suite.h"

static struct csg_agreement agreement;

/* On CPU 2: thread 11, a vCPU of VM 10, from 100 to 200; thread 7 of process 5 from 210 to 300. */
static struct csg_facts host(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 11, .vm = 10, .vcpu = 0};
	struct csg_facts facts = {0};

	agreement = (struct csg_agreement){0};
	csg_vcpus_add(&facts.vcpus, &vcpu);
	csg_residency_in(&facts.residency, 2, 100, 10, 11, 7);
	csg_residency_out(&facts.residency, 2, 200, 10, 11, 7);
	csg_residency_in(&facts.residency, 2, 210, 5, 7, 11);
	csg_residency_out(&facts.residency, 2, 300, 5, 7, 11);
	return facts;
}

static struct csg_owner ask(struct csg_facts *facts, enum csg_world world, int32_t tid,
			    uint64_t from, uint64_t until)
{
	const struct csg_when when = {
		.cpu = 2, .from = from, .until = until, .agreement = &agreement};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = (uint8_t)world;
	owner.host_tid = tid;
	owner.tid = world == CSG_WORLD_HOST ? tid : CSG_PID_UNKNOWN;
	owner.reason = CSG_REASON_NO_CONTEXT_ID;
	csg_owner_by_residency(facts, &when, &owner);
	return owner;
}

static void a_vm_may_run_where_no_other_thread_was_all_the_time(void)
{
	struct csg_facts facts = host();

	CU_ASSERT(csg_resident_may_run(&facts, 2, 120, 180, 10));
	CU_ASSERT_FALSE(csg_resident_may_run(&facts, 2, 120, 180, 20));
	CU_ASSERT(csg_resident_may_run(&facts, 2, 190, 220, 10));
	CU_ASSERT_FALSE(csg_resident_may_run(&facts, 2, 220, 290, 10));
	/* Without records, or a time, anybody. */
	CU_ASSERT(csg_resident_may_run(&facts, 2, 290, 310, 20));
	CU_ASSERT(csg_resident_may_run(&facts, 3, 120, 180, 20));
	CU_ASSERT(csg_resident_may_run(&facts, 2, 0, 180, 20));
	CU_ASSERT(csg_resident_may_run(&facts, 2, 120, 0, 20));
	facts.foreign_ids = true;
	CU_ASSERT(csg_resident_may_run(&facts, 2, 120, 180, 20));
	csg_facts_fini(&facts);
}

/* Between a Trace On and the context that follows, that from before it is in force. */
static void what_is_empty_contradicts_nothing(void)
{
	const struct csg_when when = {
		.cpu = 2, .from = 220, .until = 290, .empty = true, .agreement = &agreement};
	static const int32_t ids[] = {11, CSG_PID_UNKNOWN};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		struct csg_facts facts = host();
		struct csg_owner owner = CSG_OWNER_UNKNOWN;

		owner.world = ids[i] < 0 ? CSG_WORLD_GUEST : CSG_WORLD_HOST;
		owner.host_tid = ids[i];
		owner.reason = CSG_REASON_NONE;
		CU_ASSERT_EQUAL(csg_owner_by_residency(&facts, &when, &owner), 0);
		CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
		CU_ASSERT_EQUAL(owner.host_tid, ids[i]);
		CU_ASSERT_EQUAL(facts.contradictions.count, 0);
		CU_ASSERT(csg_agreement_holds(&agreement));
		csg_facts_fini(&facts);
	}
}

/* Timestamps with the same upper bits may be as wrong, where times alone say who ran. */
static void a_contradiction_begins_where_the_upper_bits_do(void)
{
	for (uint64_t block = 0; block <= 40; block += 40) {
		const struct csg_when when = {.cpu = 2,
					      .from = 220,
					      .until = 290,
					      .index = 100,
					      .end = 200,
					      .block = block,
					      .block_from = 150,
					      .agreement = &agreement};
		struct csg_facts facts = host();
		struct csg_owner owner = CSG_OWNER_UNKNOWN;

		owner.world = CSG_WORLD_GUEST;
		CU_ASSERT_EQUAL(csg_owner_by_residency(&facts, &when, &owner), 0);
		CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
		CU_ASSERT_EQUAL(facts.contradictions.list[0].begin, block ? 40 : 100);
		CU_ASSERT_EQUAL(facts.contradictions.list[0].begin_time, block ? 150 : 220);
		CU_ASSERT_EQUAL(facts.contradictions.list[0].end, 200);
		csg_facts_fini(&facts);
	}
}

static void a_thread_that_was_there_all_the_time_ran(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 220, 290);

	CU_ASSERT_EQUAL(owner.tid, 7);
	CU_ASSERT_EQUAL(owner.pid, 5);
	CU_ASSERT_EQUAL(owner.host_tid, 7);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_RESIDENCY);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
	owner = ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 190, 220);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_CONTEXT_ID);
	owner = ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 0, 290);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

/* The same of the host's kernel, whose context ID is 0 while others are not. */
static struct csg_owner ask_zero_certain(struct csg_facts *facts, enum csg_privilege privilege,
					 uint64_t from, uint64_t begun, uint64_t ended,
					 uint64_t until)
{
	const struct csg_when when = {.cpu = 2,
				      .from = from,
				      .until = until,
				      .begun = begun,
				      .ended = ended,
				      .zero_id = CSG_EVIDENCE_CONTEXTIDR_EL2,
				      .agreement = &agreement};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_HOST;
	owner.privilege = (uint8_t)privilege;
	owner.reason = CSG_REASON_ZERO_CONTEXT_ID;
	csg_owner_by_residency(facts, &when, &owner);
	return owner;
}

static struct csg_owner ask_zero(struct csg_facts *facts, enum csg_privilege privilege,
				 uint64_t from, uint64_t until)
{
	return ask_zero_certain(facts, privilege, from, 0, 0, until);
}

/* Records are missing after 400: who was there then is not known. */
static void a_context_id_of_zero_lasts_into_a_hole(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner;

	csg_residency_in(&facts.residency, 2, 305, 0, 0, 11);
	csg_residency_out(&facts.residency, 2, 400, 0, 0, 11);
	csg_residency_in(&facts.residency, 2, 505, 5, 7, 8);
	csg_residency_out(&facts.residency, 2, 600, 5, 7, 8);
	owner = ask_zero_certain(&facts, CSG_KERNEL, 380, 390, 430, 440);
	CU_ASSERT_EQUAL(owner.tid, 0);
	CU_ASSERT_EQUAL(owner.host_tid, 0);
	/* It may have begun after the idle thread's records, or ended before them. */
	owner = ask_zero_certain(&facts, CSG_KERNEL, 380, 410, 430, 440);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	owner = ask_zero_certain(&facts, CSG_KERNEL, 380, 390, 385, 440);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	owner = ask_zero_certain(&facts, CSG_KERNEL, 380, 0, 430, 440);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	/* Another thread was there for certain. */
	owner = ask_zero_certain(&facts, CSG_KERNEL, 480, 490, 550, 560);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
	/* Amid a switch it may be over. */
	facts = host();
	csg_residency_in(&facts.residency, 2, 305, 0, 0, 11);
	csg_residency_out(&facts.residency, 2, 400, 0, 0, 11);
	csg_residency_in(&facts.residency, 2, 405, 10, 11, 0);
	csg_residency_out(&facts.residency, 2, 450, 10, 11, 7);
	owner = ask_zero_certain(&facts, CSG_KERNEL, 380, 402, 470, 480);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void a_context_id_of_zero_is_the_idle_threads_where_that_may_have_been_there(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner;

	/* From 305 to 400 the CPU is idle. */
	csg_residency_in(&facts.residency, 2, 301, 10, 11, 7);
	csg_residency_out(&facts.residency, 2, 302, 10, 11, 0);
	csg_residency_in(&facts.residency, 2, 305, 0, 0, 11);
	csg_residency_out(&facts.residency, 2, 400, 0, 0, 11);
	csg_residency_in(&facts.residency, 2, 405, 10, 11, 0);
	csg_residency_out(&facts.residency, 2, 500, 10, 11, 0);
	owner = ask_zero(&facts, CSG_KERNEL, 301, 420);
	CU_ASSERT_EQUAL(owner.tid, 0);
	CU_ASSERT_EQUAL(owner.pid, 0);
	CU_ASSERT_EQUAL(owner.host_tid, 0);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_RESIDENCY | CSG_EVIDENCE_CONTEXTIDR_EL2);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
	/* Who was there from 501 on is not known. */
	CU_ASSERT_EQUAL(ask_zero(&facts, CSG_KERNEL, 390, 600).tid, CSG_PID_UNKNOWN);
	/* It runs no user code, and without other IDs zero says nothing. */
	CU_ASSERT_EQUAL(ask_zero(&facts, CSG_USER, 301, 420).tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 301, 420).tid,
			CSG_PID_UNKNOWN);
	CU_ASSERT(csg_agreement_holds(&agreement));
	CU_ASSERT_EQUAL(facts.contradictions.count, 0);
	csg_facts_fini(&facts);
}

static void a_context_id_of_zero_while_others_were_there_contradicts(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask_zero(&facts, CSG_KERNEL, 220, 290);

	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_FALSE(csg_agreement_holds(&agreement));
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].kind, CSG_CONTRADICTION_ON_CPU);
	CU_ASSERT_STRING_EQUAL(facts.contradictions.list[0].text,
			       "the trace shows the idle thread's context ID 0; by the switch "
			       "records that is not there");
	csg_facts_fini(&facts);
}

static void a_guest_ran_in_the_only_vcpu_thread_that_was_there(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 150, 205);

	CU_ASSERT_EQUAL(owner.host_tid, 11);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_RESIDENCY);
	owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 150, 305);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void a_guest_may_be_of_a_process_that_nobody_knows_as_a_vmm(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 150, 250);

	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_CONTEXT_ID);
	/* The idle thread runs no guest. */
	csg_residency_in(&facts.residency, 3, 100, 10, 11, 0);
	csg_residency_out(&facts.residency, 3, 200, 10, 11, 0);
	csg_residency_in(&facts.residency, 3, 210, 0, 0, 11);
	csg_residency_out(&facts.residency, 3, 300, 0, 0, 7);
	owner = CSG_OWNER_UNKNOWN;
	owner.world = CSG_WORLD_GUEST;
	csg_owner_by_residency(&facts, &(struct csg_when){.cpu = 3, .from = 150, .until = 250},
			       &owner);
	CU_ASSERT_EQUAL(owner.host_tid, 11);
	csg_facts_fini(&facts);
}

static void a_process_that_was_leaving_ran_no_guest_any_more(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 11, .vm = 10, .vcpu = 0};
	struct csg_facts facts = {0};
	struct csg_owner owner;

	/* Thread 7, of which nobody knows that it is of a VMM, left at 90; 11 was there from 100
	 * on. */
	csg_vcpus_add(&facts.vcpus, &vcpu);
	csg_residency_in(&facts.residency, 2, 50, 5, 7, 11);
	csg_residency_out(&facts.residency, 2, 90, 5, 7, 11);
	csg_residency_in(&facts.residency, 2, 100, 10, 11, 7);
	csg_residency_out(&facts.residency, 2, 200, 10, 11, 7);
	owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 95, 150);
	CU_ASSERT_EQUAL(owner.host_tid, 11);
	owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 85, 150);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

/* The same with 12, another thread of VM 10's process, on the CPU from 90 on and at 190. */
static struct csg_facts host_of_more(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 11, .vm = 10, .vcpu = 0};
	struct csg_facts facts = {0};

	csg_vcpus_add(&facts.vcpus, &vcpu);
	csg_residency_in(&facts.residency, 2, 90, 10, 12, 7);
	csg_residency_out(&facts.residency, 2, 99, 10, 12, 11);
	csg_residency_in(&facts.residency, 2, 100, 10, 11, 12);
	csg_residency_out(&facts.residency, 2, 190, 10, 11, 12);
	csg_residency_in(&facts.residency, 2, 191, 10, 12, 11);
	csg_residency_out(&facts.residency, 2, 200, 10, 12, 7);
	return facts;
}

static void a_guest_may_have_run_in_any_thread_of_a_vmm(void)
{
	struct csg_facts facts = host_of_more();

	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 110, 180).host_tid, 11);
	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 110, 195).host_tid,
			CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 95, 180).host_tid,
			CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void a_guest_in_another_thread_of_a_vmm_is_no_conflict(void)
{
	struct csg_facts facts = host_of_more();
	struct csg_owner owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 92, 98);

	/* Nor is the thread known by that to be a vCPU. */
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_CONTEXT_ID);
	CU_ASSERT(csg_agreement_holds(&agreement));
	CU_ASSERT_EQUAL(facts.contradictions.count, 0);
	csg_facts_fini(&facts);
}

static void a_context_id_of_another_thread_is_a_conflict(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask(&facts, CSG_WORLD_HOST, 7, 110, 190);
	const struct csg_contradiction *one = facts.contradictions.list;

	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(one->kind, CSG_CONTRADICTION_ON_CPU);
	CU_ASSERT_EQUAL(one->cpu, 2);
	CU_ASSERT_EQUAL(one->begin_time, 110);
	CU_ASSERT_EQUAL(one->end_time, 190);
	CU_ASSERT_STRING_EQUAL(one->text,
			       "the trace shows the context ID of thread 7; by the switch "
			       "records thread 11 is there");
	/* Residency alone is not believed after it. */
	owner = ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 220, 290);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	owner = ask(&facts, CSG_WORLD_HOST, 7, 220, 290);
	CU_ASSERT_EQUAL(owner.tid, 7);
	csg_facts_fini(&facts);
}

static void residency_counts_again_after_intervals_that_agree(void)
{
	struct csg_facts facts = host();
	const struct csg_on_cpu *intervals;
	size_t n;

	for (uint64_t i = 0; i < CSG_AGREEMENTS; i++) {
		csg_residency_in(&facts.residency, 2, 1000 + 20 * i, 5, i % 2 ? 7 : 8, -1);
		csg_residency_out(&facts.residency, 2, 1010 + 20 * i, 5, i % 2 ? 7 : 8, -1);
	}
	intervals = csg_residency_intervals(&facts.residency, 2, &n);
	ask(&facts, CSG_WORLD_HOST, 7, 110, 190);
	for (size_t i = n - CSG_AGREEMENTS; i < n; i++) {
		CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 220, 290).tid,
				CSG_PID_UNKNOWN);
		ask(&facts, CSG_WORLD_HOST, intervals[i].tid, intervals[i].from,
		    intervals[i].until);
	}
	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_HOST, CSG_PID_UNKNOWN, 220, 290).tid, 7);
	CU_ASSERT_EQUAL(facts.contradictions.count, 1);
	csg_facts_fini(&facts);
}

static void a_guest_in_a_thread_that_runs_none_is_a_conflict(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 220, 290);

	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	owner = ask(&facts, CSG_WORLD_GUEST, CSG_PID_UNKNOWN, 110, 190);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void firmware_and_what_is_open_are_nobodys_thread(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_UNKNOWN, CSG_PID_UNKNOWN, 220, 290).host_tid,
			CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(ask(&facts, CSG_WORLD_FIRMWARE, CSG_PID_UNKNOWN, 220, 290).host_tid,
			CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

/* Thread 7 of process 5 from index 100 to 200, vCPU thread 11 from there to 300, nobody knows who
 * then. */
static const struct csg_attribution_time_slice slices[] = {
	{100, 200, 5, 7, CSG_TIME_SLICE_EVENTS_SILENT},
	{200, 300, 10, 11, CSG_TIME_SLICE_EVENTS_AGREE},
	{300, 400, CSG_PID_UNKNOWN, CSG_PID_UNKNOWN, CSG_TIME_SLICE_EVENTS_SILENT},
	{400, 500, CSG_PID_UNKNOWN, CSG_PID_UNKNOWN, CSG_TIME_SLICE_EVENTS_CONTRADICT}};

static struct csg_owner ask_slice(struct csg_facts *facts, enum csg_world world, enum csg_el el,
				  uint64_t index, uint64_t end)
{
	const struct csg_attribution_piece piece = {.slices = slices, .slice_count = 4};
	const struct csg_when when = {
		.index = index, .end = end, .piece = &piece, .agreement = &agreement};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = (uint8_t)world;
	owner.el = (uint8_t)el;
	owner.reason = CSG_REASON_NO_CONTEXT_ID;
	csg_owner_by_order(facts, &when, &owner);
	return owner;
}

static void a_segment_is_of_the_thread_whose_slice_it_was(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask_slice(&facts, CSG_WORLD_HOST, CSG_EL0, 110, 0);

	CU_ASSERT_EQUAL(owner.tid, 7);
	CU_ASSERT_EQUAL(owner.pid, 5);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_SWITCH_ORDER);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
	owner = ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 210, 0);
	CU_ASSERT_EQUAL(owner.host_tid, 11);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_SWITCH_ORDER | CSG_EVIDENCE_KVM_EVENTS);
	owner = ask_slice(&facts, CSG_WORLD_HOST, CSG_EL0, 310, 0);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_CONTEXT_ID);
	csg_facts_fini(&facts);
}

static void a_slice_that_events_contradict_is_a_conflict(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 410, 0);

	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT(owner.evidence & CSG_EVIDENCE_KVM_EVENTS);
	ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 420, 0);
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].kind, CSG_CONTRADICTION_KVM_EVENTS);
	/* The time slices before it agree with the events, or these say nothing of them. */
	CU_ASSERT_EQUAL(facts.contradictions.list[0].begin, 400);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].end, 500);
	/* A segment that begins before it and reaches into it may be of either side. */
	CU_ASSERT_EQUAL(ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 210, 400).reason,
			CSG_REASON_NO_CONTEXT_ID);
	CU_ASSERT_EQUAL(ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 210, 401).reason,
			CSG_REASON_CONFLICT);
	CU_ASSERT(csg_agreement_holds(&agreement));
	csg_facts_fini(&facts);
}

static void the_kernel_may_switch_before_a_segment_ends(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_EQUAL(ask_slice(&facts, CSG_WORLD_HOST, CSG_EL2, 110, 200).tid, 7);
	CU_ASSERT_EQUAL(ask_slice(&facts, CSG_WORLD_HOST, CSG_EL2, 110, 201).tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(ask_slice(&facts, CSG_WORLD_HOST, CSG_EL2, 110, 0).tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void a_guest_in_the_slice_of_a_thread_that_runs_none_is_a_conflict(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 110, 0);

	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(facts.contradictions.count, 1);
	/* Nor are the other time slices of the piece believed; those of others are. */
	owner = ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 210, 0);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	agreement.slices = NULL;
	owner = ask_slice(&facts, CSG_WORLD_GUEST, CSG_EL1, 210, 0);
	CU_ASSERT_EQUAL(owner.host_tid, 11);
	csg_facts_fini(&facts);
}

/* Between 190 and 220 it was one of 11 and 7. */
static void a_context_id_of_none_of_those_who_were_there_is_a_conflict(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = ask(&facts, CSG_WORLD_HOST, 11, 190, 220);

	CU_ASSERT_EQUAL(owner.tid, 11);
	owner = ask(&facts, CSG_WORLD_HOST, 7, 190, 220);
	CU_ASSERT_EQUAL(owner.tid, 7);
	owner = ask(&facts, CSG_WORLD_HOST, 9, 190, 220);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	/* Before 100 anybody may have been there. */
	owner = ask(&facts, CSG_WORLD_HOST, 9, 50, 220);
	CU_ASSERT_EQUAL(owner.tid, 9);
	csg_facts_fini(&facts);
}

static void the_idle_thread_has_no_user_code(void)
{
	struct csg_facts facts = host();
	const struct csg_when when = {.cpu = 2, .from = 320, .until = 390, .agreement = &agreement};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	csg_residency_in(&facts.residency, 2, 310, 0, 0, 7);
	csg_residency_out(&facts.residency, 2, 400, 0, 0, 7);
	owner.world = CSG_WORLD_HOST;
	owner.privilege = CSG_KERNEL;
	csg_owner_by_residency(&facts, &when, &owner);
	CU_ASSERT_EQUAL(owner.tid, 0);
	owner = CSG_OWNER_UNKNOWN;
	owner.world = CSG_WORLD_HOST;
	owner.privilege = CSG_USER;
	csg_owner_by_residency(&facts, &when, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, resident, CSG_TEST(a_vm_may_run_where_no_other_thread_was_all_the_time),
	  CSG_TEST(a_context_id_of_none_of_those_who_were_there_is_a_conflict),
	  CSG_TEST(the_idle_thread_has_no_user_code), CSG_TEST(what_is_empty_contradicts_nothing),
	  CSG_TEST(a_contradiction_begins_where_the_upper_bits_do),
	  CSG_TEST(a_thread_that_was_there_all_the_time_ran),
	  CSG_TEST(a_context_id_of_zero_lasts_into_a_hole),
	  CSG_TEST(a_context_id_of_zero_is_the_idle_threads_where_that_may_have_been_there),
	  CSG_TEST(a_context_id_of_zero_while_others_were_there_contradicts),
	  CSG_TEST(a_guest_ran_in_the_only_vcpu_thread_that_was_there),
	  CSG_TEST(a_guest_may_be_of_a_process_that_nobody_knows_as_a_vmm),
	  CSG_TEST(a_process_that_was_leaving_ran_no_guest_any_more),
	  CSG_TEST(a_guest_may_have_run_in_any_thread_of_a_vmm),
	  CSG_TEST(a_guest_in_another_thread_of_a_vmm_is_no_conflict),
	  CSG_TEST(a_context_id_of_another_thread_is_a_conflict),
	  CSG_TEST(residency_counts_again_after_intervals_that_agree),
	  CSG_TEST(a_guest_in_a_thread_that_runs_none_is_a_conflict),
	  CSG_TEST(firmware_and_what_is_open_are_nobodys_thread),
	  CSG_TEST(a_segment_is_of_the_thread_whose_slice_it_was),
	  CSG_TEST(a_slice_that_events_contradict_is_a_conflict),
	  CSG_TEST(the_kernel_may_switch_before_a_segment_ends),
	  CSG_TEST(a_guest_in_the_slice_of_a_thread_that_runs_none_is_a_conflict));
