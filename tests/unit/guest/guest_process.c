/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_process.h"

#include "guest/owners.h"
#include "guest/facts/facts_seal.h"
#include "guest/facts/guest_cpus.h"
#include "suite.h"
#include "switch_pair.h"

#define US 1000 /* the guest's counter has a tick a nanosecond */

/* The trace shows that timestamps are the guest's. */
static const struct csg_offset_period jumps = {
	.from = 1, .until = 2, .offset = {70, 80}, .sources = CSG_OFFSET_BY_TRACE};

static void change(struct csg_facts_machine *guest, int32_t cpu, uint64_t time, int32_t from,
		   int32_t to)
{
	const struct switch_pair pair = switch_pair(cpu, time, 1, from, to);

	csg_switches_add(&guest->switches, &pair.out);
	csg_switches_add(&guest->switches, &pair.in);
}

/* Guest 4100: 21 runs, from 100 us on 22, from 200 us on idle, from 300 us on 21 again. */
static struct csg_facts facts_of_guest(void)
{
	struct csg_facts facts = {0};
	struct csg_facts_machine *guest = csg_facts_machine(&facts, 4100);

	csg_offsets_observe(&facts.clocks.offsets, 4100, &jumps);

	guest->clock = (struct csg_attribution_clock){
		.conv = {.valid = true, .mult = 1}, .first_time = 1, .last_time = 1000 * US};
	change(guest, 0, 100 * US, 21, 22);
	change(guest, 0, 200 * US, 22, 0);
	change(guest, 0, 300 * US, 0, 21);
	csg_thread_seen(&guest->threads, 21, 21, NULL, false, 0);
	csg_thread_seen(&guest->threads, 22, 22, NULL, false, 0);
	CU_ASSERT_EQUAL(csg_facts_seal(&facts), 0);
	return facts;
}

static struct csg_owner guest_owner(enum csg_privilege privilege)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_GUEST;
	owner.privilege = (uint8_t)privilege;
	owner.reason = CSG_REASON_NONE;
	owner.vm = 4100;
	owner.vcpu = 0;
	return owner;
}

/* Of the trace of a CPU. */
static const struct csg_attribution_piece piece = {.pid = -1, .tid = -1};
static const struct csg_when somewhere = {.cpu = 1, .index = 77, .end = 99, .piece = &piece};

static struct csg_owner ask(enum csg_privilege privilege, struct csg_guest_span span)
{
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(privilege);

	csg_guest_process(&facts, &somewhere, &span, &owner);
	csg_facts_fini(&facts);
	return owner;
}

static void a_segment_in_which_trace_was_lost_is_nobodys(void)
{
	static const struct {
		struct csg_attribution_loss loss;
		bool inside;
	} cases[] = {{{50, 77}, false}, {{50, 78}, true}, {{80, 99}, true}, {{80, 100}, false}};
	const struct csg_guest_span span = {.first = 110 * US, .last = 111 * US};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct csg_attribution_piece lossy = {.losses = &cases[i].loss,
							    .loss_count = 1};
		struct csg_facts facts = facts_of_guest();
		struct csg_owner owner = guest_owner(CSG_USER);
		struct csg_when when = somewhere;

		when.piece = &lossy;
		CU_ASSERT_EQUAL(csg_guest_process(&facts, &when, &span, &owner), 0);
		CU_ASSERT_EQUAL(owner.tid, cases[i].inside ? CSG_PID_UNKNOWN : 22);
		CU_ASSERT_EQUAL(owner.reason,
				cases[i].inside ? CSG_REASON_CONFLICT : CSG_REASON_NONE);
		CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, cases[i].inside);
		if (cases[i].inside) {
			CU_ASSERT_EQUAL(facts.contradictions.list->kind, CSG_CONTRADICTION_PATH);
			CU_ASSERT_EQUAL(facts.contradictions.list->begin, cases[i].loss.begin);
			CU_ASSERT_EQUAL(facts.contradictions.list->end, cases[i].loss.end);
		}
		csg_facts_fini(&facts);
	}
}

static void between_two_switches_the_thread_is_known(void)
{
	struct csg_owner owner =
		ask(CSG_KERNEL, (struct csg_guest_span){.after = 120 * US, .before = 130 * US});

	CU_ASSERT_EQUAL(owner.tid, 22);
	CU_ASSERT_EQUAL(owner.pid, 22);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_GUEST_SIDEBAND);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
}

static void a_switch_within_the_uncertainty_leaves_it_unknown(void)
{
	struct csg_owner owner =
		ask(CSG_USER, (struct csg_guest_span){.after = 90 * US, .before = 101 * US});

	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_SWITCH);
	owner = ask(CSG_USER, (struct csg_guest_span){.after = 90 * US, .before = 100 * US - 50});
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
}

static void at_el0_one_timestamp_inside_is_enough(void)
{
	const struct csg_guest_span span = {
		.after = 90 * US, .first = 110 * US, .last = 111 * US, .before = 210 * US};

	CU_ASSERT_EQUAL(ask(CSG_USER, span).tid, 22);
	/* A kernel may switch in the middle. */
	CU_ASSERT_EQUAL(ask(CSG_KERNEL, span).tid, CSG_PID_UNKNOWN);
}

static void the_idle_thread_runs_no_user_code(void)
{
	const struct csg_guest_span span = {.after = 210 * US, .before = 220 * US};
	struct csg_owner owner = ask(CSG_USER, span);

	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(ask(CSG_KERNEL, span).tid, 0);
}

static void a_time_outside_the_guests_recording_names_nobody(void)
{
	struct csg_owner owner =
		ask(CSG_USER, (struct csg_guest_span){.after = 2000 * US, .before = 2001 * US});

	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_SWITCH);
}

/* What is missing to find the thread by the guest's switches, one after the other. */
static void each_reason_is_the_one_that_is_true(void)
{
	static const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	static const struct csg_guest_span half = {.after = 120 * US}, none = {.after = 0};
	static const struct {
		enum csg_reason reason;
		const struct csg_guest_span *span;
		bool no_switches, no_vcpu, no_clock, no_offset, lost;
	} cases[] = {
		{.reason = CSG_REASON_NONE, .span = &span},
		{.reason = CSG_REASON_NO_TIME, .span = &half},
		{.reason = CSG_REASON_NO_TIME, .span = &none},
		{.reason = CSG_REASON_NO_SWITCHES, .span = &span, .no_switches = true},
		{.reason = CSG_REASON_NO_GUEST_CPU, .span = &span, .no_vcpu = true},
		{.reason = CSG_REASON_NO_GUEST_CLOCK, .span = &span, .no_clock = true},
		{.reason = CSG_REASON_NO_OFFSET, .span = &span, .no_offset = true},
		{.reason = CSG_REASON_LOST_SWITCH, .span = &span, .lost = true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct csg_facts facts = facts_of_guest();
		struct csg_facts_machine *guest = csg_facts_machine(&facts, 4100);
		struct csg_owner owner = guest_owner(CSG_USER);

		if (cases[i].no_switches)
			csg_switches_fini(&guest->switches);
		if (cases[i].no_vcpu)
			owner.vcpu = CSG_VCPU_UNKNOWN;
		guest->clock.conv.valid = !cases[i].no_clock;
		if (cases[i].no_offset)
			csg_offsets_fini(&facts.clocks.offsets);
		if (cases[i].lost)
			csg_switches_lose(&guest->switches, 0, 110 * US, 140 * US);
		CU_ASSERT_EQUAL(csg_guest_process(&facts, &somewhere, cases[i].span, &owner), 0);
		CU_ASSERT_EQUAL(owner.reason, cases[i].reason);
		CU_ASSERT_EQUAL(owner.tid, i ? CSG_PID_UNKNOWN : 22);
		csg_facts_fini(&facts);
	}
}

static void contextidr_el1_names_the_thread(void)
{
	const struct csg_guest_span nothing = {0};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	owner.tid = 22;
	owner.evidence = CSG_EVIDENCE_CONTEXTIDR_EL1;
	csg_guest_process(&facts, &somewhere, &nothing, &owner);
	CU_ASSERT_EQUAL(owner.pid, 22);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_CONTEXTIDR_EL1);
	owner.tid = 4711; /* no thread of this guest */
	csg_guest_process(&facts, &somewhere, &nothing, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_THREAD);
	CU_ASSERT_EQUAL(owner.evidence, 0);
	csg_facts_fini(&facts);
}

static void two_sources_agree_or_it_is_a_conflict(void)
{
	const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	owner.tid = 22;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, 22);
	CU_ASSERT(owner.evidence & CSG_EVIDENCE_GUEST_SIDEBAND);
	owner.tid = 21;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	csg_facts_fini(&facts);
}

/* The guest has this many CPUs, and its VMM this many threads, of which 4103 runs the vCPU. */
static int32_t tid_without_number(uint32_t cpus, int32_t threads)
{
	const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	const struct csg_vcpu_entry vcpu = {
		.tid = 4103, .vm = 4100, .vcpu = CSG_VCPU_UNKNOWN, .source = CSG_VCPU_BY_TRACE};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);
	struct csg_facts_machine *host = csg_facts_machine(&facts, CSG_VM_HOST);

	host->clock.switches = true;
	for (int32_t tid = 4103; tid < 4103 + threads; tid++)
		csg_thread_seen(&host->threads, tid, 4100, NULL, false, 0);
	csg_vcpus_add(&facts.vcpus, &vcpu);
	csg_facts_machine(&facts, 4100)->clock.cpus = cpus;
	owner.vcpu = CSG_VCPU_UNKNOWN;
	owner.host_tid = 4103;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	csg_facts_fini(&facts);
	return owner.tid;
}

static void the_only_vcpu_of_a_guest_of_one_cpu_needs_no_number(void)
{
	CU_ASSERT_EQUAL(tid_without_number(1, 1), 22);
	/* It has more CPUs than have recorded something, or so it may. */
	CU_ASSERT_EQUAL(tid_without_number(2, 1), CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(tid_without_number(0, 1), CSG_PID_UNKNOWN);
	/* Another thread of the VMM may run a vCPU as well. */
	CU_ASSERT_EQUAL(tid_without_number(1, 2), CSG_PID_UNKNOWN);
}

static void a_vcpu_has_the_switches_of_the_cpu_of_its_number(void)
{
	const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	owner.vcpu = 1;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_SWITCH);
	csg_facts_fini(&facts);
}

static void switches_of_a_cpu_that_is_another_vcpu_do_not_count(void)
{
	const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	struct csg_facts facts = facts_of_guest();
	struct csg_guest_cpus *cpus = &csg_facts_machine(&facts, 4100)->cpus;
	struct csg_owner owner = guest_owner(CSG_USER);

	CU_ASSERT_EQUAL(csg_guest_cpus_look(&facts, csg_facts_machine(&facts, 4100)), 0);
	CU_ASSERT_EQUAL_FATAL(cpus->count, 1);
	cpus->contradicted = true;
	owner.host_tid = 4103;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	cpus->cpus[0].tid = 4103;
	owner = guest_owner(CSG_USER);
	owner.vcpu = 7;
	owner.host_tid = 4103;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, 22);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_GUEST_SIDEBAND | CSG_EVIDENCE_GUEST_CPU);
	csg_facts_fini(&facts);
}

static void records_that_switch_user_code_lie(void)
{
	const struct csg_guest_span lie = {.first = 90 * US, .last = 110 * US};
	const struct csg_guest_span fine = {.after = 120 * US, .before = 130 * US};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	csg_guest_process(&facts, &somewhere, &lie, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	owner = guest_owner(CSG_USER);
	csg_guest_process(&facts, &somewhere, &fine, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].kind, CSG_CONTRADICTION_GUEST_SWITCHES);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].vm, 4100);
	CU_ASSERT_STRING_EQUAL(facts.contradictions.list[0].text,
			       "user code runs on in the trace while the records of its CPU 0 "
			       "switch threads: none of this guest's counts any more");
	csg_facts_fini(&facts);
}

/* The vCPU's thread 4101 is on a CPU around each switch of the guest alone. */
static void run_vcpu(struct csg_facts *facts)
{
	const struct csg_vcpu_entry vcpu = {.tid = 4101, .vm = 4100, .vcpu = 0};
	struct csg_facts_machine *host = csg_facts_machine(facts, CSG_VM_HOST);
	struct csg_facts_machine *guest;

	csg_vcpus_add(&facts->vcpus, &vcpu);
	host->clock = (struct csg_attribution_clock){
		.conv = {.valid = true, .mult = 1}, .first_time = 1, .last_time = 9000 * US};
	guest = csg_facts_machine(facts, 4100);
	for (uint64_t time = 50 * US; time <= 900 * US; time += 50 * US) {
		change(host, 0, time + 5000 * US - 10 * US, 0, 4101);
		change(host, 0, time + 5000 * US + 10 * US, 4101, 0);
		if (time >= 350 * US)
			change(guest, 0, time, time / US % 100 ? 21 : 22,
			       time / US % 100 ? 22 : 21);
	}
	csg_offsets_fini(&facts->clocks.offsets);
	csg_offsets_observe(&facts->clocks.offsets, 4100,
			    &(struct csg_offset_period){.from = 1,
							.until = 2,
							.offset = {4999 * US, 5001 * US},
							.loads = 1,
							.sources = CSG_OFFSET_BY_TRACE});
	facts->sealed = facts->has_residency = false;
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(facts), 0);
}

static void a_switch_of_user_code_is_wrong_alone_where_all_others_fit(void)
{
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner;

	csg_facts_machine(&facts, CSG_VM_HOST);
	run_vcpu(&facts);
	for (uint64_t i = 0; i < 6; i++) {
		const struct csg_guest_span lie = {.first = (390 + 100 * i) * US,
						   .last = (410 + 100 * i) * US};
		const struct csg_guest_span fine = {.after = 120 * US, .before = 130 * US};

		owner = guest_owner(CSG_USER);
		CU_ASSERT_EQUAL(csg_guest_process(&facts, &somewhere, &lie, &owner), 0);
		CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
		CU_ASSERT_EQUAL(facts.contradictions.count, i < 5 ? i + 1 : 5);
		owner = guest_owner(CSG_USER);
		CU_ASSERT_EQUAL(csg_guest_process(&facts, &somewhere, &fine, &owner), 0);
		CU_ASSERT_EQUAL(owner.tid, i < 4 ? 22 : CSG_PID_UNKNOWN);
	}
	csg_facts_fini(&facts);
}

static void user_code_with_many_switches_in_it_is_damaged_trace(void)
{
	const struct csg_guest_span joined = {.first = 390 * US, .last = 610 * US};
	const struct csg_guest_span fine = {.first = 470 * US, .last = 480 * US};
	struct csg_owner owner = guest_owner(CSG_USER);
	struct csg_facts facts = facts_of_guest();

	csg_facts_machine(&facts, CSG_VM_HOST);
	run_vcpu(&facts);
	CU_ASSERT_EQUAL(csg_guest_process(&facts, &somewhere, &joined, &owner), 0);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL_FATAL(facts.contradictions.count, 1);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].begin, 77);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].end, 99);
	CU_ASSERT_EQUAL(facts.contradictions.list[0].cpu, 1);
	CU_ASSERT_STRING_EQUAL(
		facts.contradictions.list[0].text,
		"user code runs on while the records of VM 4100 switch threads 5 times");
	/* The records are as good as before. */
	owner = guest_owner(CSG_USER);
	CU_ASSERT_EQUAL(csg_guest_process(&facts, &somewhere, &fine, &owner), 0);
	CU_ASSERT_NOT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

/* The driver says the virtual counter; where no offset shows it may be the physical one. */
static void timestamps_that_do_not_jump_may_be_the_hosts(void)
{
	const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	const struct csg_offset_period still = {
		.from = 1, .until = 2, .offset = {-5, 5}, .sources = CSG_OFFSET_BY_TRACE};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	csg_offsets_fini(&facts.clocks.offsets);
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_OFFSET);
	csg_offsets_observe(&facts.clocks.offsets, 4100, &still);
	owner = guest_owner(CSG_USER);
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	csg_facts_fini(&facts);
}

static void records_in_the_hosts_time_ask_for_the_offset(void)
{
	const struct csg_guest_span span = {.after = 20 * US, .before = 30 * US};
	const struct csg_offset_period seen = {
		.offset = {99 * US, 101 * US}, .loads = 1, .sources = CSG_OFFSET_BY_TRACE};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	csg_facts_machine(&facts, 4100)->clock.host_time = true;
	csg_offsets_fini(&facts.clocks.offsets);
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_OFFSET);
	CU_ASSERT_EQUAL(csg_offsets_observe(&facts.clocks.offsets, 4100, &seen), 0);
	owner = guest_owner(CSG_USER);
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, 22);
	csg_facts_fini(&facts);
}

static void records_in_the_hosts_time_lie_beyond_the_offsets_uncertainty(void)
{
	/* The offset is known to 2 us, the switch is at 100 us. */
	const struct csg_guest_span before = {.first = 98500, .last = 100500};
	const struct csg_guest_span after = {.first = 99500, .last = 101500};
	const struct csg_guest_span lie = {.first = 98500, .last = 101500};
	const struct csg_offset_period seen = {
		.offset = {-1 * US, 1 * US}, .loads = 1, .sources = CSG_OFFSET_BY_TRACE};
	struct csg_facts facts = facts_of_guest();
	struct csg_facts_machine *guest = csg_facts_machine(&facts, 4100);
	struct csg_owner owner = guest_owner(CSG_USER);

	guest->clock.host_time = true;
	csg_offsets_fini(&facts.clocks.offsets);
	CU_ASSERT_EQUAL(csg_offsets_observe(&facts.clocks.offsets, 4100, &seen), 0);
	csg_guest_process(&facts, &somewhere, &before, &owner);
	csg_guest_process(&facts, &somewhere, &after, &owner);
	CU_ASSERT_FALSE(guest->switches_lie);
	csg_guest_process(&facts, &somewhere, &lie, &owner);
	CU_ASSERT(guest->switches_lie);
	csg_facts_fini(&facts);
}

static void a_guest_without_sideband_has_no_process(void)
{
	const struct csg_guest_span span = {.after = 120 * US, .before = 130 * US};
	struct csg_facts facts = facts_of_guest();
	struct csg_owner owner = guest_owner(CSG_USER);

	owner.vm = 5000;
	owner.tid = 22;
	csg_guest_process(&facts, &somewhere, &span, &owner);
	CU_ASSERT_EQUAL(owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NO_GUEST);
	csg_facts_fini(&facts);
}

CSG_SUITE(guest, guest_process, CSG_TEST(between_two_switches_the_thread_is_known),
	  CSG_TEST(a_segment_in_which_trace_was_lost_is_nobodys),
	  CSG_TEST(a_switch_within_the_uncertainty_leaves_it_unknown),
	  CSG_TEST(at_el0_one_timestamp_inside_is_enough),
	  CSG_TEST(the_idle_thread_runs_no_user_code),
	  CSG_TEST(a_time_outside_the_guests_recording_names_nobody),
	  CSG_TEST(contextidr_el1_names_the_thread),
	  CSG_TEST(two_sources_agree_or_it_is_a_conflict),
	  CSG_TEST(the_only_vcpu_of_a_guest_of_one_cpu_needs_no_number),
	  CSG_TEST(a_vcpu_has_the_switches_of_the_cpu_of_its_number),
	  CSG_TEST(switches_of_a_cpu_that_is_another_vcpu_do_not_count),
	  CSG_TEST(each_reason_is_the_one_that_is_true),
	  CSG_TEST(records_that_switch_user_code_lie),
	  CSG_TEST(a_switch_of_user_code_is_wrong_alone_where_all_others_fit),
	  CSG_TEST(user_code_with_many_switches_in_it_is_damaged_trace),
	  CSG_TEST(timestamps_that_do_not_jump_may_be_the_hosts),
	  CSG_TEST(records_in_the_hosts_time_ask_for_the_offset),
	  CSG_TEST(records_in_the_hosts_time_lie_beyond_the_offsets_uncertainty),
	  CSG_TEST(a_guest_without_sideband_has_no_process));
