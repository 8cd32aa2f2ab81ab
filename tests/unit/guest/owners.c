/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/owners.h"

#include "guest/facts/switch_contradictions.h"
#include "suite.h"

static const struct csg_attribution_piece any_cpu = {.pid = -1, .tid = -1};
static const struct csg_guest_span no_span;

/* The host has VMM 4100 with thread 4103 since time 10. */
static struct csg_facts host(void)
{
	struct csg_facts facts = {0};
	struct csg_facts_machine *machine = csg_facts_machine(&facts, CSG_VM_HOST);

	csg_thread_seen(&machine->threads, 4103, 4100, NULL, true, 10);
	return facts;
}

static struct csg_owner owner_of(enum csg_world world, enum csg_privilege privilege, int32_t tid)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = (uint8_t)world;
	owner.privilege = (uint8_t)privilege;
	owner.reason = CSG_REASON_NONE;
	owner.host_tid = tid;
	if (world == CSG_WORLD_HOST) {
		owner.vm = CSG_VM_HOST;
		owner.tid = tid;
	}
	return owner;
}

static struct csg_owner complete(struct csg_facts *facts, struct csg_owner owner,
				 const struct csg_attribution_piece *piece)
{
	const struct csg_when when = {.piece = piece};

	CU_ASSERT_EQUAL(csg_owner_complete(facts, &when, &no_span, &owner), 0);
	return owner;
}

static void a_thread_gets_its_process(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner =
		complete(&facts, owner_of(CSG_WORLD_HOST, CSG_USER, 4103), &any_cpu);

	CU_ASSERT_EQUAL(owner.pid, 4100);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
	csg_facts_fini(&facts);
}

static void a_thread_nobody_saw_has_no_process(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = complete(&facts, owner_of(CSG_WORLD_HOST, CSG_USER, 99), &any_cpu);

	CU_ASSERT_EQUAL(owner.pid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_THREAD);
	csg_facts_fini(&facts);
}

/* By the return address of the host's HVC and another source, thread 99, which is none of the
 * host's. */
static struct csg_owner stranger(enum csg_world world, uint32_t evidence)
{
	struct csg_owner owner = owner_of(world, CSG_KERNEL, 99);
	struct csg_facts facts = host();

	if (world == CSG_WORLD_GUEST) {
		csg_facts_machine(&facts, 4100);
		owner.host_tid = 4103;
		owner.tid = 99;
	}
	owner.evidence = evidence | CSG_EVIDENCE_CONTEXTIDR_EL1;
	owner = complete(&facts, owner, &any_cpu);
	csg_facts_fini(&facts);
	return owner;
}

static void where_stretches_begin_makes_no_world_for_a_stranger(void)
{
	static const enum csg_world worlds[] = {CSG_WORLD_HOST, CSG_WORLD_GUEST};

	for (size_t i = 0; i < 2; i++) {
		struct csg_owner owner = stranger(worlds[i], CSG_EVIDENCE_HVC_RETURN);

		CU_ASSERT_EQUAL(owner.world, CSG_WORLD_UNKNOWN);
		CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_THREAD);
		CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
		CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
		/* Where something else says who runs, the recording may not know all threads. */
		CU_ASSERT_EQUAL(
			stranger(worlds[i], CSG_EVIDENCE_HVC_RETURN | CSG_EVIDENCE_RESIDENCY).world,
			worlds[i]);
		CU_ASSERT_EQUAL(stranger(worlds[i], CSG_EVIDENCE_EXCEPTION_LEVEL).world, worlds[i]);
	}
}

/* Who ran between two times, where the ID was another process's from 20 us on. */
static struct csg_owner ran_between(enum csg_privilege privilege, uint64_t exited, uint64_t from,
				    uint64_t until)
{
	struct csg_facts facts = host();
	struct csg_owner owner = owner_of(CSG_WORLD_HOST, privilege, 4103);
	const struct csg_when when = {.from = from, .until = until, .piece = &any_cpu};
	struct csg_thread_table *threads = &csg_facts_machine(&facts, 0)->threads;

	if (exited)
		csg_thread_ended(threads, 4103, 4100, exited);
	csg_thread_seen(threads, 4103, 5000, NULL, true, 20000);
	CU_ASSERT_EQUAL(csg_owner_complete(&facts, &when, &no_span, &owner), 0);
	CU_ASSERT_EQUAL(owner.tid, 4103);
	csg_facts_fini(&facts);
	return owner;
}

static void a_thread_id_that_came_back_is_of_one_process_at_a_time(void)
{
	struct csg_owner owner = ran_between(CSG_USER, 0, 15000, 25000);

	CU_ASSERT_EQUAL(owner.pid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_REUSED_ID);
	CU_ASSERT_EQUAL(ran_between(CSG_USER, 0, 0, 0).pid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(ran_between(CSG_USER, 0, 15000, 18000).pid, 4100);
	CU_ASSERT_EQUAL(ran_between(CSG_USER, 0, 22000, 25000).pid, 5000);
	/* User code of the first ended with it, its kernel went on. */
	CU_ASSERT_EQUAL(ran_between(CSG_USER, 12000, 15000, 25000).pid, 5000);
	CU_ASSERT_EQUAL(ran_between(CSG_KERNEL, 12000, 15000, 25000).pid, CSG_PID_UNKNOWN);
}

static void a_recording_of_one_thread_names_it(void)
{
	const struct csg_attribution_piece of_thread = {.pid = 4100, .tid = 4103};
	struct csg_facts facts = host();
	struct csg_owner owner =
		complete(&facts, owner_of(CSG_WORLD_HOST, CSG_USER, CSG_PID_UNKNOWN), &of_thread);

	CU_ASSERT_EQUAL(owner.tid, 4103);
	CU_ASSERT_EQUAL(owner.pid, 4100);
	CU_ASSERT(owner.evidence & CSG_EVIDENCE_RECORDING);
	csg_facts_fini(&facts);
}

static void a_guest_is_the_vm_of_the_thread_that_runs_it(void)
{
	const struct csg_vcpu_entry entry = {4103, 4100, 2, CSG_VCPU_BY_NAME, false};
	struct csg_facts facts = host();
	struct csg_owner guest = owner_of(CSG_WORLD_GUEST, CSG_KERNEL, 4103), owner;

	csg_vcpus_add(&facts.vcpus, &entry);
	owner = complete(&facts, guest, &any_cpu);
	CU_ASSERT_EQUAL(owner.vcpu, 2);
	CU_ASSERT_EQUAL(owner.pid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_GUEST);
	csg_facts_fini(&facts);
}

static void the_trace_alone_makes_no_process_a_vmm(void)
{
	const struct csg_vcpu_entry other = {4104, 4100, 0, CSG_VCPU_BY_NAME, false};
	struct csg_facts facts = host();
	struct csg_owner guest = owner_of(CSG_WORLD_GUEST, CSG_KERNEL, 4103), owner;

	for (int i = 0; i < 2; i++) {
		owner = complete(&facts, guest, &any_cpu);
		CU_ASSERT_EQUAL(owner.world, CSG_WORLD_GUEST);
		CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
		CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_VMM);
	}
	/* But it may be one: its EL0 is not the host's by default. */
	CU_ASSERT(csg_vcpus_is_vmm(&facts.vcpus, 4100));
	CU_ASSERT_FALSE(csg_vcpus_names_vmm(&facts.vcpus, 4100));
	/* A name of one of its threads is another source, for all of them. */
	csg_vcpus_add(&facts.vcpus, &other);
	owner = complete(&facts, guest, &any_cpu);
	CU_ASSERT_EQUAL(owner.vm, 4100);
	CU_ASSERT_EQUAL(owner.vcpu, CSG_VCPU_UNKNOWN);
	csg_facts_fini(&facts);
}

static void what_is_stated_of_a_guest_names_its_vmm(void)
{
	struct csg_facts facts = host();

	CU_ASSERT_PTR_NOT_NULL(csg_facts_machine(&facts, 4100));
	CU_ASSERT_EQUAL(complete(&facts, owner_of(CSG_WORLD_GUEST, CSG_KERNEL, 4103), &any_cpu).vm,
			4100);
	csg_facts_fini(&facts);
}

static void a_guest_in_a_thread_that_runs_none_is_a_conflict(void)
{
	const struct csg_vcpu_entry vcpu = {4103, 4100, 0, CSG_VCPU_BY_NAME, false};
	const struct csg_when when = {
		.piece = &any_cpu, .cpu = 1, .index = 70, .end = 90, .from = 5, .until = 6};
	struct csg_owner owner = owner_of(CSG_WORLD_GUEST, CSG_KERNEL, 4100);
	struct csg_facts facts = host();

	csg_thread_seen(&csg_facts_machine(&facts, 0)->threads, 4100, 4100, NULL, true, 10);
	csg_vcpus_add(&facts.vcpus, &vcpu);
	CU_ASSERT_EQUAL(csg_owner_complete(&facts, &when, &no_span, &owner), 0);
	CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].kind, CSG_CONTRADICTION_VCPU);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].begin, 70);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].begin_time, 5);
	csg_facts_fini(&facts);
}

static void el0_is_no_guests_by_its_eret_alone_where_nothing_names_the_vmm(void)
{
	struct csg_facts facts = host();
	struct csg_owner el0 = owner_of(CSG_WORLD_GUEST, CSG_USER, 4103), owner;

	el0.evidence = CSG_EVIDENCE_ENTRY_ERET | CSG_EVIDENCE_CONTEXTIDR_EL2;
	owner = complete(&facts, el0, &any_cpu);
	CU_ASSERT_EQUAL(owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_EL0_OPEN);
	CU_ASSERT_EQUAL(facts.vcpus.count, 0);
	el0.evidence |= CSG_EVIDENCE_VECTOR_BASE;
	CU_ASSERT_EQUAL(complete(&facts, el0, &any_cpu).world, CSG_WORLD_GUEST);
	csg_facts_fini(&facts);
}

static void sources_that_name_two_vms_are_a_conflict(void)
{
	const struct csg_vcpu_entry entry = {4103, 5000, 2, CSG_VCPU_BY_ID_INDEX, false};
	struct csg_facts facts = host();
	struct csg_owner owner;

	csg_vcpus_add(&facts.vcpus, &entry);
	owner = complete(&facts, owner_of(CSG_WORLD_GUEST, CSG_KERNEL, 4103), &any_cpu);
	CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	csg_facts_fini(&facts);
}

static void a_guest_without_context_id_is_some_guest(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner =
		complete(&facts, owner_of(CSG_WORLD_GUEST, CSG_KERNEL, CSG_PID_UNKNOWN), &any_cpu);

	CU_ASSERT_EQUAL(owner.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_CONTEXT_ID);
	csg_facts_fini(&facts);
}

static enum csg_world by_default(struct csg_facts *facts, int32_t tid)
{
	struct csg_owner owner = owner_of(CSG_WORLD_HOST, CSG_USER, tid);

	owner.evidence = CSG_EVIDENCE_POLICY_DEFAULT;
	if (tid != CSG_PID_UNKNOWN)
		owner.evidence |= CSG_EVIDENCE_CONTEXTIDR_EL2;
	owner = complete(facts, owner, &any_cpu);
	if (owner.world == CSG_WORLD_UNKNOWN) {
		CU_ASSERT_EQUAL(owner.reason, CSG_REASON_EL0_OPEN);
		CU_ASSERT_EQUAL(owner.pid, CSG_PID_UNKNOWN);
	}
	return owner.world;
}

static void where_guests_show_only_threads_of_no_vm_are_the_hosts_by_default(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 4104, .vm = 4100, .source = CSG_VCPU_BY_NAME};
	struct csg_facts facts = host();

	csg_thread_seen(&csg_facts_machine(&facts, 0)->threads, 50, 50, NULL, true, 10);
	csg_vcpus_add(&facts.vcpus, &vcpu);
	CU_ASSERT_EQUAL(by_default(&facts, 4104), CSG_WORLD_HOST);
	facts.guests_show = true;
	CU_ASSERT_EQUAL(by_default(&facts, 4104), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(by_default(&facts, 4103), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(by_default(&facts, 50), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(by_default(&facts, 99), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(by_default(&facts, CSG_PID_UNKNOWN), CSG_WORLD_UNKNOWN);
	csg_facts_fini(&facts);
}

static void a_guest_in_the_trace_shows_guests(void)
{
	struct csg_facts facts = host();

	complete(&facts, owner_of(CSG_WORLD_GUEST, CSG_KERNEL, CSG_PID_UNKNOWN), &any_cpu);
	CU_ASSERT(facts.guests_show);
	csg_facts_fini(&facts);
}

/* A guest that ran in a vCPU thread with a VMID. */
static struct csg_owner guest_with(struct csg_facts *facts, struct csg_vmids *vmids, int32_t tid,
				   uint32_t vmid)
{
	const struct csg_when when = {.piece = &any_cpu, .vmid = vmid, .vmids = vmids};
	struct csg_owner owner = owner_of(CSG_WORLD_GUEST, CSG_KERNEL, tid);

	CU_ASSERT_EQUAL(csg_owner_complete(facts, &when, &no_span, &owner), 0);
	return owner;
}

static void a_vmid_agrees_or_is_a_conflict(void)
{
	const struct csg_vcpu_entry one = {4103, 4100, 0, CSG_VCPU_BY_NAME, false};
	const struct csg_vcpu_entry two = {4203, 4200, 0, CSG_VCPU_BY_NAME, false};
	struct csg_facts facts = host();
	struct csg_vmids vmids = {0};
	struct csg_owner owner;

	csg_vcpus_add(&facts.vcpus, &one);
	csg_vcpus_add(&facts.vcpus, &two);
	csg_thread_seen(&csg_facts_machine(&facts, 0)->threads, 4203, 4200, NULL, true, 10);
	owner = guest_with(&facts, &vmids, 4103, 5);
	CU_ASSERT_FALSE(owner.evidence & CSG_EVIDENCE_VMID);
	owner = guest_with(&facts, &vmids, 4103, 5);
	CU_ASSERT(owner.evidence & CSG_EVIDENCE_VMID);
	CU_ASSERT_EQUAL(owner.vm, 4100);
	/* It names nobody. */
	owner = guest_with(&facts, &vmids, CSG_PID_UNKNOWN, 5);
	CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_CONTEXT_ID);
	owner = guest_with(&facts, &vmids, 4203, 5);
	CU_ASSERT_EQUAL(owner.vm, 4200);
	CU_ASSERT_FALSE(facts.disputed_vmid.disputed);
	owner = guest_with(&facts, &vmids, 4103, 5);
	CU_ASSERT_EQUAL(owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(owner.vcpu, CSG_VCPU_UNKNOWN);
	CU_ASSERT_EQUAL(owner.host_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.pid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT(facts.disputed_vmid.disputed);
	csg_facts_fini(&facts);
}

static void a_domain_is_known_as_far_as_xens_list_bears_it(void)
{
	struct csg_facts facts = host();
	struct csg_owner owner = owner_of(CSG_WORLD_GUEST, CSG_KERNEL, CSG_PID_UNKNOWN);

	owner.vm = 2;
	CU_ASSERT_EQUAL(complete(&facts, owner, &any_cpu).vm, 2);
	CU_ASSERT_EQUAL(csg_domains_add(&facts.domains, 1, false), 0);
	CU_ASSERT_EQUAL(complete(&facts, owner, &any_cpu).vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(complete(&facts, owner, &any_cpu).reason, CSG_REASON_NO_DOMAIN);
	CU_ASSERT_EQUAL(csg_domains_add(&facts.domains, 2, true), 0);
	CU_ASSERT_EQUAL(complete(&facts, owner, &any_cpu).vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(complete(&facts, owner, &any_cpu).reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(csg_domains_say(&facts.domains, 2), 0);
	CU_ASSERT_EQUAL(complete(&facts, owner, &any_cpu).vm, 2);
	csg_facts_fini(&facts);
}

static void count_nothing(void *arg, enum csg_assumption assumption, bool confirmed, uint64_t index,
			  uint64_t n)
{
	(void)arg, (void)assumption, (void)confirmed, (void)index, (void)n;
}

/* CPU 1's records contradict each other at 500. */
static struct csg_facts contradicted_host(void)
{
	struct csg_facts facts = host();
	struct csg_residency *r = &facts.residency;

	csg_residency_in(r, 1, 90, 1, 8, 7);
	csg_residency_out(r, 1, 95, 1, 8, 7);
	csg_residency_in(r, 1, 100, 1, 7, 8);
	csg_residency_seen(r, 1, 500, 9, 99);
	csg_residency_out(r, 1, 900, 1, 7, 8);
	csg_residency_in(r, 1, 905, 1, 8, 7);
	csg_residency_out(r, 1, 950, 1, 8, 7);
	csg_residency_settle(r, 1);
	CU_ASSERT_EQUAL(csg_holes_make(&facts.holes, r), 0);
	CU_ASSERT_EQUAL(csg_switch_contradictions(&facts.contradictions, CSG_VM_HOST, r), 0);
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	return facts;
}

/* Until when that is reported after a segment from 600 to 650 and all other trace, which names
 * threads. */
static uint64_t contradicted_until(enum csg_world world, enum csg_el el, enum csg_reason reason)
{
	const struct csg_finder finder = {.found = count_nothing};
	const struct csg_when when = {.cpu = 1,
				      .from = 600,
				      .until = 650,
				      .before = 650,
				      .ended = 640,
				      .piece = &any_cpu,
				      .finder = &finder};
	struct csg_owner owner = owner_of(world, CSG_KERNEL, CSG_PID_UNKNOWN);
	struct csg_facts facts = contradicted_host();
	uint64_t until;

	csg_holes_read(&facts.holes,
		       &(struct csg_hole_part){
			       .cpu = 1, .from = 50, .until = 2000, .ended = 2000, .named = true},
		       &facts.contradictions);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].end_time, 500);
	owner.el = (uint8_t)el;
	owner.reason = (uint8_t)reason;
	CU_ASSERT_EQUAL(csg_owner_complete(&facts, &when, &no_span, &owner), 0);
	until = facts.contradictions.list[0].end_time;
	csg_facts_fini(&facts);
	return until;
}

/* Between a guest and the host without VHE a hypervisor runs, whoever has the CPU. */
static void contradictory_records_leave_open_only_who_is_a_threads(void)
{
	const enum csg_reason unproved = CSG_REASON_EL1_OPEN, none = CSG_REASON_NO_CONTEXT;

	CU_ASSERT_EQUAL(contradicted_until(CSG_WORLD_HOST, CSG_EL2, CSG_REASON_NONE), 650);
	CU_ASSERT_EQUAL(contradicted_until(CSG_WORLD_GUEST, CSG_EL1, CSG_REASON_NONE), 650);
	CU_ASSERT_EQUAL(contradicted_until(CSG_WORLD_UNKNOWN, CSG_EL1, unproved), 650);
	CU_ASSERT_EQUAL(contradicted_until(CSG_WORLD_UNKNOWN, CSG_EL2, unproved), 500);
	CU_ASSERT_EQUAL(contradicted_until(CSG_WORLD_UNKNOWN, CSG_EL1, none), 500);
	CU_ASSERT_EQUAL(contradicted_until(CSG_WORLD_HYPERVISOR, CSG_EL2, CSG_REASON_NONE), 500);
}

/* The piece ends at 600, and no trace follows. */
static void after_the_end_of_the_trace_contradictory_records_leave_nothing_open(void)
{
	const struct csg_finder finder = {.found = count_nothing};
	const struct csg_attribution_piece piece = {.end_time = 600, .pid = -1, .tid = -1};
	const struct csg_when when = {
		.cpu = 1, .from = 50, .until = 60, .ended = 55, .piece = &piece, .finder = &finder};
	struct csg_owner owner = owner_of(CSG_WORLD_HOST, CSG_KERNEL, CSG_PID_UNKNOWN);
	struct csg_facts facts = contradicted_host();

	CU_ASSERT(facts.contradictions.list[0].end_time > 600);
	CU_ASSERT_EQUAL(csg_owner_complete(&facts, &when, &no_span, &owner), 0);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].end_time, 500);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, owners, CSG_TEST(a_thread_gets_its_process),
	  CSG_TEST(a_domain_is_known_as_far_as_xens_list_bears_it),
	  CSG_TEST(a_thread_nobody_saw_has_no_process),
	  CSG_TEST(where_stretches_begin_makes_no_world_for_a_stranger),
	  CSG_TEST(a_thread_id_that_came_back_is_of_one_process_at_a_time),
	  CSG_TEST(a_recording_of_one_thread_names_it),
	  CSG_TEST(a_guest_is_the_vm_of_the_thread_that_runs_it),
	  CSG_TEST(the_trace_alone_makes_no_process_a_vmm),
	  CSG_TEST(what_is_stated_of_a_guest_names_its_vmm),
	  CSG_TEST(a_guest_in_a_thread_that_runs_none_is_a_conflict),
	  CSG_TEST(el0_is_no_guests_by_its_eret_alone_where_nothing_names_the_vmm),
	  CSG_TEST(sources_that_name_two_vms_are_a_conflict),
	  CSG_TEST(a_guest_without_context_id_is_some_guest),
	  CSG_TEST(where_guests_show_only_threads_of_no_vm_are_the_hosts_by_default),
	  CSG_TEST(a_guest_in_the_trace_shows_guests),
	  CSG_TEST(contradictory_records_leave_open_only_who_is_a_threads),
	  CSG_TEST(after_the_end_of_the_trace_contradictory_records_leave_nothing_open),
	  CSG_TEST(a_vmid_agrees_or_is_a_conflict));
