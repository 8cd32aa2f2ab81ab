/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/guest_time_slices.h"

#include "guest/facts/facts_seal.h"
#include "suite.h"
#include "switch_pair.h"

#define VM 500
#define VCPU 503
#define OFFSET 5000000 /* of the guest's counter; a tick is 1 ns */
#define US 1000

static struct csg_facts facts;

static void change(int32_t vm, int32_t cpu, uint64_t time, int32_t from, int32_t to)
{
	const struct switch_pair pair = switch_pair(cpu, time, 1, from, to);
	struct csg_facts_machine *machine = csg_facts_machine(&facts, vm);

	csg_switches_add(&machine->switches, &pair.out);
	csg_switches_add(&machine->switches, &pair.in);
}

/*
 * Host: the vCPU's thread from 20 ms on, another from 20.1, it again from 20.2 to 20.3.  In the
 * guest 21 runs, from 20.05 ms of the host on 22, from 20.25 on the idle thread, from 20.28 on 21.
 */
static void begin(void)
{
	static const struct csg_attribution_clock clock = {.conv = {.valid = true, .mult = 1},
							   .first_time = 1,
							   .last_time = 40000 * US,
							   .switches = true,
							   .cpus = 1};
	const struct csg_vcpu_entry vcpu = {
		.tid = VCPU, .vm = VM, .vcpu = 0, .source = CSG_VCPU_BY_NAME};

	facts = (struct csg_facts){0};
	csg_facts_machine(&facts, CSG_VM_HOST)->clock = clock;
	csg_facts_machine(&facts, VM)->clock = clock;
	csg_vcpus_add(&facts.vcpus, &vcpu);
	change(CSG_VM_HOST, 0, 19000 * US, 600, VCPU);
	change(CSG_VM_HOST, 0, 19100 * US, VCPU, 600);
	change(CSG_VM_HOST, 0, 20000 * US, 600, VCPU);
	change(CSG_VM_HOST, 0, 20100 * US, VCPU, 600);
	change(CSG_VM_HOST, 0, 20200 * US, 600, VCPU);
	change(CSG_VM_HOST, 0, 20300 * US, VCPU, 600);
	change(VM, 0, 19050 * US - OFFSET, 22, 21);
	change(VM, 0, 20050 * US - OFFSET, 21, 22);
	change(VM, 0, 20250 * US - OFFSET, 22, 0);
	change(VM, 0, 20280 * US - OFFSET, 0, 21);
}

/* Many more records have reported the offset. */
static void prepare(void)
{
	struct csg_facts_machine *guest = csg_facts_machine(&facts, VM);

	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
	guest->known_offset = (struct csg_offset){OFFSET - 100, OFFSET + 100};
	guest->sought_offset = guest->has_known_offset = true;
	CU_ASSERT_EQUAL_FATAL(csg_guest_time_slices_prepare(&facts), 0);
}

/* Four time slices: the first switch in the vCPU's one interval, two in the next. */
static struct csg_time_slices four_slices(uint8_t third)
{
	static const uint64_t times[][2] = {
		{20100, 20000}, {20100, 20200}, {20300, 20200}, {20300, 20200}};
	struct csg_time_slices t = {0};

	for (size_t i = 0; i < 4; i++) {
		csg_time_slices_add(&t, 10 * i, 10 * i + 10,
				    i == 2 ? third
					   : (i ? 0 : CSG_TIME_SLICE_APART) | CSG_TIME_SLICE_USER);
		t.times[i].begun_by = times[i][0] * US;
		t.times[i].lasts_to = times[i][1] * US;
	}
	return t;
}

/* Whether four time slices are those of tids; the reason where the second is not known. */
static bool are(const int32_t *tids, uint8_t third, enum csg_reason *why)
{
	struct csg_time_slices t = four_slices(third);
	enum csg_reason reason;
	bool same = true;

	CU_ASSERT_EQUAL(
		csg_guest_time_slices_match(&t, &facts, VM, VCPU, 20000 * US, 20300 * US, &reason),
		0);
	for (size_t i = 0; i < 4; i++)
		same &= t.slices[i].tid == tids[i];
	*why = csg_guest_time_slice_reason(&t, 1, reason);
	csg_time_slices_fini(&t);
	return same;
}

static const int32_t all[] = {21, 22, 0, 21}, nobody[] = {-1, -1, -1, -1};

static void as_many_switches_as_the_guest_recorded_are_its(void)
{
	enum csg_reason why;

	begin();
	prepare();
	CU_ASSERT(csg_guest_time_slices_tell(&facts, VM));
	CU_ASSERT(are(all, 0, &why));
	CU_ASSERT_EQUAL(why, CSG_REASON_NONE);
	csg_facts_fini(&facts);
}

static void slices_that_fit_nowhere_contradict_the_records(void)
{
	enum csg_reason why;

	begin();
	prepare();
	CU_ASSERT(are(nobody, CSG_TIME_SLICE_USER, &why)); /* the idle thread runs nothing at EL0 */
	CU_ASSERT_EQUAL(why, CSG_REASON_CONFLICT);
	csg_facts_fini(&facts);
}

static void where_the_guests_records_are_lost_nobody_is_named(void)
{
	static const struct csg_seen lost = {.cpu = -1, .time = 20260 * US - OFFSET, .lost = true};
	enum csg_reason why;

	begin();
	csg_facts_lose(&facts, VM, &lost);
	prepare();
	CU_ASSERT(are(nobody, 0, &why));
	CU_ASSERT_EQUAL(why, CSG_REASON_LOST_SWITCH);
	csg_facts_fini(&facts);
}

static void what_the_user_says_of_the_offset_is_no_proof(void)
{
	const struct csg_offset_period said = {
		.until = UINT64_MAX, .offset = {OFFSET, OFFSET}, .sources = CSG_OFFSET_BY_USER};
	enum csg_reason why;

	begin();
	csg_offsets_observe(&facts.clocks.offsets, VM, &said);
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&facts), 0);
	CU_ASSERT_EQUAL_FATAL(csg_guest_time_slices_prepare(&facts), 0);
	CU_ASSERT_FALSE(csg_guest_time_slices_tell(&facts, VM));
	CU_ASSERT(are(nobody, 0, &why));
	CU_ASSERT_EQUAL(why, CSG_REASON_NO_OFFSET);
	csg_facts_fini(&facts);
}

static void several_threads_that_fit_are_reported_so(void)
{
	struct csg_time_slices t = {0};
	enum csg_reason reason;

	begin();
	prepare();
	csg_time_slices_add(&t, 0, 10, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER);
	t.times[0].begun_by = 20300 * US;
	t.times[0].lasts_to = 20200 * US;
	CU_ASSERT_EQUAL(
		csg_guest_time_slices_match(&t, &facts, VM, VCPU, 20200 * US, 20300 * US, &reason),
		0);
	CU_ASSERT_EQUAL(t.slices[0].tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(csg_guest_time_slice_reason(&t, 0, reason), CSG_REASON_SWITCH_ORDER);
	csg_time_slices_fini(&t);
	csg_facts_fini(&facts);
}

/* Who has one time slice that lies between two host times; the offset's bounds are so much further
 * apart. */
static int32_t between(uint64_t from, uint64_t until, int64_t below, int64_t above)
{
	struct csg_time_slices t = {0};
	enum csg_reason reason;
	int32_t tid;

	begin();
	prepare();
	csg_facts_machine(&facts, VM)->known_offset.low -= below;
	csg_facts_machine(&facts, VM)->known_offset.high += above;
	csg_time_slices_add(&t, 0, 10, CSG_TIME_SLICE_APART | CSG_TIME_SLICE_USER);
	t.times[0].begun_by = until * US;
	t.times[0].lasts_to = from * US;
	CU_ASSERT_EQUAL(
		csg_guest_time_slices_match(&t, &facts, VM, VCPU, 20000 * US, 20300 * US, &reason),
		0);
	tid = t.slices[0].tid;
	csg_time_slices_fini(&t);
	csg_facts_fini(&facts);
	return tid;
}

static void what_the_offset_leaves_open_is_not_reported(void)
{
	CU_ASSERT_EQUAL(between(20060, 20080, 0, 0), 22);
	CU_ASSERT_EQUAL(between(20060, 20080, 0, 50 * US), CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(between(20010, 20040, 0, 0), 21);
	CU_ASSERT_EQUAL(between(20010, 20040, 50 * US, 0), CSG_PID_UNKNOWN);
}

static void switches_that_lie_tell_nothing(void)
{
	begin();
	prepare();
	CU_ASSERT(csg_guest_time_slices_tell(&facts, VM));
	csg_facts_machine(&facts, VM)->switches_lie = true;
	CU_ASSERT_FALSE(csg_guest_time_slices_tell(&facts, VM));
	csg_facts_fini(&facts);
}

/* --- whose segment it is --- */

static struct csg_owner ask(enum csg_privilege privilege, uint64_t index, uint64_t end,
			    int32_t host_tid, int32_t tid)
{
	static const struct csg_attribution_guest_time_slice slices[] = {
		{100, 200, 400, 7, 7, 0, true},
		{100, 200, VCPU, 21, 21, 0, true},
		{200, 300, VCPU, -1, -1, CSG_REASON_SWITCH_ORDER, false},
		{300, 400, VCPU, -1, -1, CSG_REASON_SWITCH_ORDER, true},
		{410, 500, VCPU, 21, 21, 0, false},
	};
	const struct csg_attribution_piece piece = {.guest_slices = slices, .guest_slice_count = 5};
	const struct csg_when when = {.index = index, .end = end, .piece = &piece};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_GUEST;
	owner.privilege = (uint8_t)privilege;
	owner.reason = CSG_REASON_NO_SWITCH;
	owner.vm = VM;
	owner.host_tid = host_tid;
	owner.pid = owner.tid = tid;
	begin();
	prepare();
	csg_owner_by_guest_time_slice(&facts, &when, &owner);
	csg_facts_fini(&facts);
	return owner;
}

static void a_segment_is_that_of_the_slice_it_lies_in(void)
{
	struct csg_owner owner = ask(CSG_KERNEL, 110, 190, VCPU, -1);

	CU_ASSERT_EQUAL(owner.tid, 21);
	CU_ASSERT_EQUAL(owner.pid, 21);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_NONE);
	CU_ASSERT_EQUAL(owner.evidence, CSG_EVIDENCE_GUEST_SWITCH_ORDER);
	CU_ASSERT_EQUAL(ask(CSG_USER, 110, 0, VCPU, -1).tid, 21);
	CU_ASSERT_EQUAL(ask(CSG_KERNEL, 110, 0, VCPU, -1).tid, -1);
	CU_ASSERT_EQUAL(ask(CSG_USER, 110, 0, 504, -1).tid, -1);
	CU_ASSERT_EQUAL(ask(CSG_USER, 510, 0, VCPU, -1).tid, -1);
	CU_ASSERT_EQUAL(ask(CSG_USER, 50, 0, VCPU, -1).tid, -1);
}

static void a_kernel_that_switches_stays_unknown(void)
{
	struct csg_owner owner = ask(CSG_KERNEL, 190, 210, VCPU, -1);

	CU_ASSERT_EQUAL(owner.tid, -1);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_SWITCH);
	CU_ASSERT_EQUAL(ask(CSG_USER, 210, 220, VCPU, -1).reason, CSG_REASON_SWITCH_ORDER);
	/* Between the one time slice and the next code is missing: nobody saw a switch. */
	CU_ASSERT_EQUAL(ask(CSG_KERNEL, 290, 310, VCPU, -1).reason, CSG_REASON_NO_SWITCH);
	CU_ASSERT_EQUAL(ask(CSG_KERNEL, 405, 420, VCPU, -1).reason, CSG_REASON_SWITCH);
}

static void another_evidence_that_disagrees_is_a_conflict(void)
{
	struct csg_owner owner = ask(CSG_USER, 110, 190, VCPU, 22);

	CU_ASSERT_EQUAL(owner.tid, -1);
	CU_ASSERT_EQUAL(owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(ask(CSG_USER, 110, 190, VCPU, 21).tid, 21);
	CU_ASSERT_EQUAL(ask(CSG_USER, 210, 220, VCPU, 22).tid, 22);
}

CSG_SUITE(guest_slices, guest_time_slices, CSG_TEST(as_many_switches_as_the_guest_recorded_are_its),
	  CSG_TEST(slices_that_fit_nowhere_contradict_the_records),
	  CSG_TEST(where_the_guests_records_are_lost_nobody_is_named),
	  CSG_TEST(what_the_user_says_of_the_offset_is_no_proof),
	  CSG_TEST(several_threads_that_fit_are_reported_so),
	  CSG_TEST(what_the_offset_leaves_open_is_not_reported),
	  CSG_TEST(switches_that_lie_tell_nothing),
	  CSG_TEST(a_segment_is_that_of_the_slice_it_lies_in),
	  CSG_TEST(a_kernel_that_switches_stays_unknown),
	  CSG_TEST(another_evidence_that_disagrees_is_a_conflict));
