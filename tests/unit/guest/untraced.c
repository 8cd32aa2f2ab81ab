/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/untraced.h"

#include "suite.h"

#define CPU 1
#define VM 140
#define VCPU 147
#define TRAP 2
#define IRQ 0

static struct csg_facts facts;

/*
 * On CPU 1 thread 9 of process 5 is from 100 to 200, and the vCPU's from 210 to 900; at 1000 to
 * 1100 the idle thread, after records that are lost.
 */
static void begin(enum csg_hypervisor hypervisor)
{
	const struct csg_vcpu_entry vcpu = {
		.tid = VCPU, .vm = VM, .vcpu = 3, .source = CSG_VCPU_BY_EVENT};

	facts = (struct csg_facts){.options = {.hypervisor = hypervisor}};
	CU_ASSERT_EQUAL(csg_vcpus_add(&facts.vcpus, &vcpu), 0);
	csg_residency_in(&facts.residency, CPU, 100, 5, 9, 0);
	csg_residency_out(&facts.residency, CPU, 200, 5, 9, VCPU);
	csg_residency_in(&facts.residency, CPU, 210, VM, VCPU, 9);
	csg_residency_out(&facts.residency, CPU, 900, VM, VCPU, 0);
	csg_residency_lost(&facts.residency, CPU);
	csg_residency_in(&facts.residency, CPU, 1000, 0, 0, 7);
	csg_residency_out(&facts.residency, CPU, 1100, 0, 0, 7);
	csg_residency_settle(&facts.residency, CPU);
}

static void event(uint64_t time, bool exit, int32_t ret, uint64_t pc)
{
	const struct csg_attribution_kvm_event e = {.size = sizeof(e),
						    .cpu = CPU,
						    .tid = VCPU,
						    .time = time,
						    .exit = exit,
						    .ret = ret,
						    .pc = pc};

	CU_ASSERT_EQUAL(csg_kvm_visits_add(&facts.kvm_visits, &e), 0);
}

/* The guest is entered at 300 and left at 400 for a trap, entered at 500 and left at 600 for an
 * interrupt. */
static void visits(void)
{
	event(300, false, 0, 0x1004);
	event(400, true, TRAP, 0x2008);
	event(500, false, 0, 0x2008);
	event(600, true, IRQ, 0x3004);
	CU_ASSERT_EQUAL(csg_kvm_visits_seal(&facts.kvm_visits), 0);
}

static void end(void)
{
	csg_residency_fini(&facts.residency);
	csg_kvm_visits_fini(&facts.kvm_visits);
	csg_vcpus_fini(&facts.vcpus);
	csg_contradictions_fini(&facts.contradictions);
}

static struct csg_untraced_span in_gap(enum csg_untraced_gap gap, uint64_t from)
{
	struct csg_untraced_span span;

	CU_ASSERT_EQUAL(csg_untraced_at(&facts, CPU, gap, from, 2000, &span),
			span.owner.world != CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(span.from, from);
	CU_ASSERT(span.until > from && span.until <= 2000);
	return span;
}

static struct csg_untraced_span at(uint64_t from)
{
	return in_gap(CSG_UNTRACED_ANY, from);
}

static void is_host(struct csg_untraced_span span, uint64_t until, int32_t tid)
{
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(span.owner.level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(span.owner.guest_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(span.owner.vm, CSG_VM_HOST);
	CU_ASSERT_EQUAL(span.owner.tid, tid);
	CU_ASSERT_EQUAL(span.until, until);
}

static void is_open(struct csg_untraced_span span, uint64_t until, enum csg_reason reason)
{
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(span.owner.reason, reason);
	CU_ASSERT_EQUAL(span.until, until);
}

static void from_entry_to_exit_for_a_trap_it_is_the_guest(void)
{
	struct csg_untraced_span span;

	begin(CSG_HV_KVM_VHE);
	visits();
	span = at(300);
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(span.owner.vm, VM);
	CU_ASSERT_EQUAL(span.owner.vcpu, 3);
	CU_ASSERT_EQUAL(span.owner.host_tid, VCPU);
	CU_ASSERT_EQUAL(span.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(span.owner.evidence, CSG_EVIDENCE_RESIDENCY | CSG_EVIDENCE_KVM_EVENTS);
	CU_ASSERT_EQUAL(span.until, 400);
	is_host(at(210), 300, VCPU);
	is_host(at(400), 500, VCPU);
	is_host(at(600), 900, VCPU);
	end();
}

static void the_handler_of_an_interrupt_may_be_in_the_guests_time(void)
{
	struct csg_untraced_span span;

	begin(CSG_HV_KVM_VHE);
	visits();
	span = at(550);
	is_open(span, 600, CSG_REASON_NO_KVM_EVENT);
	CU_ASSERT_EQUAL(span.owner.vm, VM);
	CU_ASSERT_EQUAL(span.owner.vcpu, 3);
	end();
}

static void what_stopped_at_el2_is_below_it(void)
{
	struct csg_untraced_span span;

	begin(CSG_HV_KVM_NVHE);
	visits();
	span = in_gap(CSG_UNTRACED_GUEST, 550);
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(span.owner.vm, VM);
	span = in_gap(CSG_UNTRACED_GUEST, 420);
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_HYPERVISOR);
	CU_ASSERT_EQUAL(span.owner.el, CSG_EL2);
	CU_ASSERT_EQUAL(span.until, 500);
	span = in_gap(CSG_UNTRACED_GUEST, 150);
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_HYPERVISOR);
	/* On the way into a guest that is traced nothing but EL2 runs. */
	CU_ASSERT_EQUAL(in_gap(CSG_UNTRACED_EL2, 310).owner.world, CSG_WORLD_HYPERVISOR);
	CU_ASSERT_EQUAL(in_gap(CSG_UNTRACED_EL2, 310).owner.level, CSG_LEVEL_UNKNOWN);
	CU_ASSERT_EQUAL(in_gap(CSG_UNTRACED_EL2, 550).owner.world, CSG_WORLD_HYPERVISOR);
	CU_ASSERT_EQUAL(in_gap(CSG_UNTRACED_EL2, 950).owner.world, CSG_WORLD_UNKNOWN);
	/* With VHE EL2 is the host's kernel. */
	facts.options.hypervisor = CSG_HV_KVM_VHE;
	is_host(in_gap(CSG_UNTRACED_GUEST, 150), 200, 9);
	end();
}

static void without_events_a_vcpus_thread_may_run_either(void)
{
	struct csg_untraced_span span;

	begin(CSG_HV_KVM_VHE);
	span = at(300);
	is_open(span, 900, CSG_REASON_NO_KVM_EVENT);
	CU_ASSERT_EQUAL(span.owner.vm, VM);
	CU_ASSERT_EQUAL(span.owner.host_tid, VCPU);
	/* Nor is another thread known to run none. */
	is_open(at(150), 200, CSG_REASON_NO_KVM_EVENT);
	CU_ASSERT_EQUAL(at(150).owner.host_tid, 9);
	CU_ASSERT_EQUAL(at(150).owner.vm, CSG_VM_UNKNOWN);
	is_host(at(1000), 1100, 0);
	end();
}

static void an_event_without_its_other_half_tells_nothing_around_it(void)
{
	begin(CSG_HV_KVM_VHE);
	event(300, false, 0, 0x1004);
	event(400, true, TRAP, 0x2008);
	event(700, true, TRAP, 0x2008);
	CU_ASSERT_EQUAL(csg_kvm_visits_seal(&facts.kvm_visits), 0);
	CU_ASSERT_EQUAL(at(350).owner.world, CSG_WORLD_GUEST);
	is_open(at(450), 700, CSG_REASON_NO_KVM_EVENT);
	is_open(at(750), 900, CSG_REASON_NO_KVM_EVENT);
	end();
}

static void between_two_threads_it_is_the_hosts_scheduler(void)
{
	struct csg_untraced_span span;

	begin(CSG_HV_KVM_VHE);
	visits();
	span = at(200);
	CU_ASSERT_EQUAL(span.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(span.owner.reason, CSG_REASON_HOST_SWITCH);
	CU_ASSERT_EQUAL(span.until, 210);
	end();
}

static void where_records_are_missing_it_is_nobody(void)
{
	struct csg_untraced_span span;

	begin(CSG_HV_KVM_VHE);
	visits();
	is_open(at(50), 100, CSG_REASON_NO_HOST_SWITCH);
	is_open(at(900), 1000, CSG_REASON_NO_HOST_SWITCH);
	is_open(at(1100), 2000, CSG_REASON_NO_HOST_SWITCH);
	CU_ASSERT_EQUAL(at(900).owner.host_tid, CSG_PID_UNKNOWN);
	CU_ASSERT_FALSE(csg_untraced_at(&facts, 7, CSG_UNTRACED_ANY, 100, 200, &span));
	CU_ASSERT_EQUAL(span.until, 200);
	end();
}

static void what_the_trace_contradicts_is_nobodys(void)
{
	const struct csg_contradiction one = {
		.kind = CSG_CONTRADICTION_ON_CPU, .cpu = CPU, .begin_time = 320, .end_time = 330};

	begin(CSG_HV_KVM_VHE);
	visits();
	CU_ASSERT_EQUAL(csg_contradictions_add(&facts.contradictions, &one), 0);
	is_open(at(310), 400, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(at(310).owner.vm, CSG_VM_UNKNOWN);
	is_host(at(150), 200, 9);
	end();
}

static void without_a_hypervisor_all_is_the_hosts(void)
{
	begin(CSG_HV_NONE);
	is_host(at(150), 200, 9);
	is_host(at(300), 900, VCPU);
	end();
}

static void threads_of_another_pid_namespace_are_nobody(void)
{
	begin(CSG_HV_KVM_VHE);
	visits();
	facts.foreign_ids = true;
	is_open(at(310), 2000, CSG_REASON_PID_NAMESPACE);
	end();
}

CSG_SUITE(guest, untraced, CSG_TEST(from_entry_to_exit_for_a_trap_it_is_the_guest),
	  CSG_TEST(the_handler_of_an_interrupt_may_be_in_the_guests_time),
	  CSG_TEST(what_stopped_at_el2_is_below_it),
	  CSG_TEST(without_events_a_vcpus_thread_may_run_either),
	  CSG_TEST(an_event_without_its_other_half_tells_nothing_around_it),
	  CSG_TEST(between_two_threads_it_is_the_hosts_scheduler),
	  CSG_TEST(where_records_are_missing_it_is_nobody),
	  CSG_TEST(what_the_trace_contradicts_is_nobodys),
	  CSG_TEST(without_a_hypervisor_all_is_the_hosts),
	  CSG_TEST(threads_of_another_pid_namespace_are_nobody));
