/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/element.h"
#include "suite.h"
#include "world/world.h"

/* Writes tracks as a story: each step is one event, ten bytes behind the last. */
struct story {
	struct csg_world_segments world;
	struct csg_context context;
	uint64_t index;
};

static struct story begin_story(enum csg_hypervisor kind)
{
	struct story s = {.context = {.el = CSG_EL_UNKNOWN}};

	csg_world_init(&s.world, kind, CSG_VCTX_CONTEXTIDR_EL2);
	return s;
}

static void say(struct story *s, struct csg_track_event event)
{
	s->index += 10;
	event.index = s->index;
	event.context = s->context;
	csg_world_event(&s->world, &event);
}

static void at_el(struct story *s, enum csg_el el, uint32_t tid)
{
	s->context = (struct csg_context){
		.el = (uint8_t)el, .aarch64 = true, .has_vctx = tid != 0, .vctx = tid};
	say(s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
}

static void address(struct story *s)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = 0x400000});
}

static void trace_on(struct story *s)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON});
}

static void overflow(struct story *s)
{
	s->context = CSG_CONTEXT_UNKNOWN;
	say(s, (struct csg_track_event){.kind = CSG_TRACK_GAP, .gap = CSG_GAP_OVERFLOW});
}

static struct csg_segment next(struct story *s)
{
	struct csg_segment segment = {.index = UINT64_MAX};

	csg_world_next(&s->world, &segment);
	return segment;
}

static void expect(struct story *s, uint64_t index, enum csg_world world, uint32_t witness)
{
	struct csg_segment segment = next(s);

	CU_ASSERT_EQUAL(segment.index, index);
	CU_ASSERT_EQUAL(segment.owner.world, world);
	CU_ASSERT_EQUAL(segment.owner.witness & ~(uint32_t)CSG_WITNESS_CONTEXTIDR_EL2, witness);
}

static void end_story(struct story *s)
{
	CU_ASSERT_EQUAL(next(s).index, UINT64_MAX);
	csg_world_fini(&s->world);
}

static void el0_entered_from_el1_is_the_guests(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	at_el(&s, CSG_EL0, 7);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	expect(&s, 10, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_WITNESS_NEIGHBOUR_EL);
	end_story(&s);
}

static void el0_entered_from_el2_stays_open_until_it_is_left(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	expect(&s, 10, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	CU_ASSERT_EQUAL(next(&s).index, UINT64_MAX);
	at_el(&s, CSG_EL1, 7);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_WITNESS_NEIGHBOUR_EL);
	expect(&s, 30, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void el0_between_two_el2_is_the_host_by_default(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL2, 7);
	expect(&s, 10, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	expect(&s, 30, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void a_neighbour_behind_trace_on_is_none(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	trace_on(&s);
	at_el(&s, CSG_EL0, 7);
	trace_on(&s);
	at_el(&s, CSG_EL1, 7);
	expect(&s, 10, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 30, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	expect(&s, 40, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	expect(&s, 50, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void a_context_left_out_after_trace_on_still_holds(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	trace_on(&s);
	address(&s);
	at_el(&s, CSG_EL1, 7);
	next(&s);
	expect(&s, 20, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	/* What ran after Trace On was left to EL1 without a gap. */
	expect(&s, 30, CSG_WORLD_GUEST, CSG_WITNESS_NEIGHBOUR_EL);
	expect(&s, 50, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void after_overflow_nobody_runs_until_a_context(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment gap;

	at_el(&s, CSG_EL1, 7);
	overflow(&s);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL2, 7);
	next(&s);
	gap = next(&s);
	CU_ASSERT_EQUAL(gap.index, 20);
	CU_ASSERT_FALSE(gap.at_context);
	CU_ASSERT_EQUAL(gap.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(gap.owner.reason, CSG_REASON_NO_CONTEXT);
	expect(&s, 30, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	expect(&s, 40, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void a_context_stated_again_changes_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL1, 7);
	next(&s);
	expect(&s, 20, CSG_WORLD_GUEST, CSG_WITNESS_NEIGHBOUR_EL);
	expect(&s, 40, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void host_threads_are_named_by_contextidr_el2(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment;

	at_el(&s, CSG_EL2, 4711);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.tid, 4711);
	CU_ASSERT_EQUAL(segment.owner.vm, CSG_VM_HOST);
	CU_ASSERT(segment.owner.witness & CSG_WITNESS_CONTEXTIDR_EL2);
	at_el(&s, CSG_EL1, 4711);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.host_tid, 4711);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.vm, CSG_VM_UNKNOWN);
	end_story(&s);
}

static void a_zero_context_id_names_nobody(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment;

	s.context = (struct csg_context){.el = CSG_EL2, .has_vctx = true};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_ZERO_CONTEXT_ID);
	end_story(&s);
}

static void under_vhe_contextidr_el1_does_not_name_the_host(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	s.context =
		(struct csg_context){.el = CSG_EL0, .has_contextidr = true, .contextidr_el1 = 99};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next(&s).owner.tid, CSG_PID_UNKNOWN);
	end_story(&s);
}

static void without_guests_contextidr_el1_names_the_host(void)
{
	struct story s = begin_story(CSG_HV_NONE);

	s.context =
		(struct csg_context){.el = CSG_EL1, .has_contextidr = true, .contextidr_el1 = 99};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	CU_ASSERT_EQUAL(next(&s).owner.tid, 99);
	end_story(&s);
}

static void the_queue_keeps_its_order_while_it_grows(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	uint64_t expected = 10;

	for (int i = 0; i < 1000; i++) {
		at_el(&s, i & 1 ? CSG_EL1 : CSG_EL2, 7);
		if (i % 3 == 0) {
			CU_ASSERT_EQUAL(next(&s).index, expected);
			expected += 10;
		}
	}
	for (; expected <= 10000; expected += 10)
		CU_ASSERT_EQUAL(next(&s).index, expected);
	end_story(&s);
}

static void a_changed_policy_holds_from_then_on(void)
{
	struct story s = begin_story(CSG_HV_NONE);

	at_el(&s, CSG_EL1, 7);
	csg_world_set_kind(&s.world, CSG_HV_KVM_VHE);
	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL1, 7);
	expect(&s, 10, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	expect(&s, 20, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 30, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

/* An exception to target at el: packet, context, then the address. */
static void exception_to(struct story *s, enum csg_el el, uint64_t target)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION});
	at_el(s, el, 7);
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = target});
}

#define HYP_VECTORS UINT64_C(0xffff800080011000)
#define HOST_VECTORS UINT64_C(0xffff800080010800)

/* A guest's kernel exits, which shows the guest vectors of this CPU. */
static struct story begin_with_known_vectors(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x400);
	next(&s);
	next(&s);
	return s;
}

static void el0_that_leaves_to_the_guest_vectors_is_the_guests(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x600);
	expect(&s, 50, CSG_WORLD_GUEST, CSG_WITNESS_VECTOR_BASE);
	expect(&s, 70, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void el0_that_leaves_to_other_vectors_is_the_hosts(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	expect(&s, 50, CSG_WORLD_HOST, CSG_WITNESS_VECTOR_BASE);
	expect(&s, 70, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

static void while_the_guest_vectors_are_not_known_a_target_proves_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x600);
	next(&s);
	expect(&s, 20, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	next(&s);
	end_story(&s);
}

static void the_exit_of_a_guests_el0_shows_the_vectors_too(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x600);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x680);
	for (int i = 0; i < 3; i++)
		next(&s);
	expect(&s, 60, CSG_WORLD_GUEST, CSG_WITNESS_VECTOR_BASE);
	next(&s);
	end_story(&s);
}

static void faults_inside_hyp_code_teach_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION});
	say(&s,
	    (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = HOST_VECTORS + 0x200});
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	next(&s);
	expect(&s, 40, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	next(&s);
	end_story(&s);
}

static void an_exception_cut_off_by_a_gap_settles_nothing(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION});
	at_el(&s, CSG_EL2, 7);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 50);
	trace_on(&s);
	expect(&s, 50, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	next(&s);
	next(&s);
	end_story(&s);
}

static void vectors_are_remembered_across_gaps(void)
{
	struct story s = begin_with_known_vectors();

	overflow(&s);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x680);
	next(&s);
	expect(&s, 60, CSG_WORLD_GUEST, CSG_WITNESS_VECTOR_BASE);
	next(&s);
	end_story(&s);
}

/* --- what contradicts itself --- */

static enum csg_world symbols(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	(void)arg;
	if (kind == CSG_ENTRY_ERET)
		return address == HYP_VECTORS ? CSG_WORLD_GUEST : CSG_WORLD_UNKNOWN;
	return address == HYP_VECTORS	 ? CSG_WORLD_GUEST
	       : address == HOST_VECTORS ? CSG_WORLD_HOST
					 : CSG_WORLD_UNKNOWN;
}

static const struct csg_landmark_names symbol_names = {.of = symbols};

struct told {
	unsigned int times;
	struct csg_contradiction last;
};

static void note(void *arg, const struct csg_contradiction *one)
{
	struct told *told = arg;

	told->times++;
	told->last = *one;
}

static struct story begin_with_symbols(struct told *told)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	*told = (struct told){0};
	s.world.landmarks.names = &symbol_names;
	s.world.contradiction = note;
	s.world.contradiction_arg = told;
	return s;
}

/* EL0 that leaves to these vectors: world, witness and reason. */
static void expect_el0(struct story *s, uint64_t target, enum csg_world world, uint32_t witness)
{
	struct csg_segment segment;

	at_el(s, CSG_EL0, 7);
	exception_to(s, CSG_EL2, target);
	segment = next(s);
	CU_ASSERT_EQUAL(segment.owner.el, CSG_EL0);
	CU_ASSERT_EQUAL(segment.open, witness == CSG_WITNESS_POLICY_DEFAULT);
	CU_ASSERT_EQUAL(segment.owner.world, world);
	CU_ASSERT_EQUAL(segment.owner.witness & ~(uint32_t)CSG_WITNESS_CONTEXTIDR_EL2, witness);
	CU_ASSERT_EQUAL(segment.owner.reason == CSG_REASON_CONFLICT, world == CSG_WORLD_UNKNOWN);
	next(s);
}

static void an_exit_that_its_symbol_contradicts_is_told_and_does_not_last(void)
{
	struct told told;
	struct story s = begin_with_symbols(&told);

	at_el(&s, CSG_EL1, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	CU_ASSERT_EQUAL(told.times, 1);
	CU_ASSERT_EQUAL(told.last.kind, CSG_CONTRADICTION_EXIT_VECTORS);
	CU_ASSERT_EQUAL(told.last.begin, 10);
	CU_ASSERT_EQUAL(told.last.end, 20);
	next(&s);
	next(&s);
	/* Up to the next exit that agrees with the symbols EL0 is nobody's. */
	expect_el0(&s, HOST_VECTORS + 0x400, CSG_WORLD_UNKNOWN, 0);
	CU_ASSERT_EQUAL(told.last.begin, 10);
	CU_ASSERT_EQUAL(told.last.end, 60);
	expect_el0(&s, HOST_VECTORS + 0x400, CSG_WORLD_HOST, CSG_WITNESS_VECTOR_BASE);
	expect_el0(&s, HYP_VECTORS + 0x400, CSG_WORLD_GUEST, CSG_WITNESS_VECTOR_BASE);
	CU_ASSERT_EQUAL(told.times, 2);
	end_story(&s);
}

static void what_is_no_vector_tells_nothing(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x44);
	CU_ASSERT_FALSE(csg_exit_vectors_known(&s.world.exit_vectors));
	next(&s);
	next(&s);
	s.world.exit_vectors.guest = (struct csg_exit_base){.base = HYP_VECTORS, .exits = 1};
	expect_el0(&s, HOST_VECTORS + 0x44, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	end_story(&s);
}

static void an_eret_that_its_symbol_contradicts_settles_nothing_until_it_agrees(void)
{
	struct told told;
	struct story s = begin_with_symbols(&told);
	const struct csg_owner host = {.world = CSG_WORLD_HOST, .witness = CSG_WITNESS_VECTOR_BASE};
	struct csg_segment segment;

	csg_world_learn_entry(&s.world, HYP_VECTORS, CSG_EL0, &host);
	CU_ASSERT_EQUAL(told.times, 1);
	CU_ASSERT_EQUAL(told.last.kind, CSG_CONTRADICTION_ENTRY_ERET);
	at_el(&s, CSG_EL0, 7);
	at_el(&s, CSG_EL2, 7);
	segment = next(&s);
	CU_ASSERT(segment.open);
	csg_world_entered(&s.world, &segment, HYP_VECTORS);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_CONFLICT);
	csg_world_learn_entry(&s.world, HYP_VECTORS, CSG_EL1, NULL);
	segment.open = true;
	csg_world_entered(&s.world, &segment, HYP_VECTORS);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_GUEST);
	next(&s);
	end_story(&s);
}

static void an_entry_to_el3_tells_nothing_of_el0(void)
{
	struct story s = begin_with_known_vectors();

	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL3, HYP_VECTORS + 0x400);
	expect(&s, 50, CSG_WORLD_HOST, CSG_WITNESS_POLICY_DEFAULT);
	expect(&s, 70, CSG_WORLD_FIRMWARE, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

#define KVM_ERET UINT64_C(0xffff800080099920)
#define HOST_ERET UINT64_C(0xffff8000800121f0)

/* An EL0 that nothing settles, entered from EL2. */
static struct csg_segment open_el0(struct story *s)
{
	at_el(s, CSG_EL2, 7);
	at_el(s, CSG_EL0, 7);
	at_el(s, CSG_EL2, 7);
	next(s);
	return next(s);
}

static void an_open_el0_is_settled_by_the_symbol_of_the_eret_that_entered_it(void)
{
	struct told told;
	struct story s = begin_with_symbols(&told);
	struct csg_segment segment = open_el0(&s);

	CU_ASSERT(segment.open);
	csg_world_entered(&s.world, &segment, KVM_ERET);
	CU_ASSERT_EQUAL(segment.owner.witness,
			CSG_WITNESS_POLICY_DEFAULT | CSG_WITNESS_CONTEXTIDR_EL2);
	csg_world_entered(&s.world, &segment, HYP_VECTORS);
	CU_ASSERT_FALSE(segment.open);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(segment.owner.host_tid, 7);
	CU_ASSERT_EQUAL(segment.owner.tid, CSG_PID_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.vm, CSG_VM_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.witness, CSG_WITNESS_ENTRY_ERET | CSG_WITNESS_CONTEXTIDR_EL2);
	segment = open_el0(&s);
	csg_world_entered(&s.world, &segment, HOST_VECTORS);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.tid, 7);
	next(&s);
	end_story(&s);
}

/* It may serve processes as well as guests. */
static void an_eret_that_has_entered_guests_or_processes_does_not_settle_who_is_next(void)
{
	const struct csg_owner host = {.world = CSG_WORLD_HOST, .witness = CSG_WITNESS_VECTOR_BASE};
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment;

	csg_world_learn_entry(&s.world, KVM_ERET, CSG_EL1, NULL);
	csg_world_learn_entry(&s.world, HOST_ERET, CSG_EL0, &host);
	segment = open_el0(&s);
	csg_world_entered(&s.world, &segment, KVM_ERET);
	CU_ASSERT(segment.open);
	csg_world_entered(&s.world, &segment, HOST_ERET);
	CU_ASSERT(segment.open);
	next(&s);
	end_story(&s);
}

static void a_default_teaches_nothing_of_erets(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);
	struct csg_segment segment = open_el0(&s);

	csg_world_learn_entry(&s.world, HOST_ERET, CSG_EL0, &segment.owner);
	csg_world_entered(&s.world, &segment, HOST_ERET);
	CU_ASSERT(segment.open);
	next(&s);
	end_story(&s);
}

static void what_is_settled_stays_so(void)
{
	struct story s = begin_with_known_vectors();
	struct csg_segment segment;

	csg_world_learn_entry(&s.world, KVM_ERET, CSG_EL1, NULL);
	at_el(&s, CSG_EL0, 7);
	exception_to(&s, CSG_EL2, HOST_VECTORS + 0x400);
	segment = next(&s);
	CU_ASSERT_FALSE(segment.open);
	csg_world_entered(&s.world, &segment, KVM_ERET);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	next(&s);
	end_story(&s);
}

static void an_el2_that_nobody_stated_is_no_hypervisor(void)
{
	struct story s = begin_story(CSG_HV_KVM_NVHE);

	s.world.assumed = true;
	at_el(&s, CSG_EL2, 0);
	expect(&s, 10, CSG_WORLD_UNKNOWN, 0);
	end_story(&s);
}

static void domains_of_xen_are_known_by_their_vmid(void)
{
	struct story s = {.context = {.el = CSG_EL_UNKNOWN}};
	struct csg_segment segment;

	csg_world_init(&s.world, CSG_HV_XEN, CSG_VCTX_VMID);
	at_el(&s, CSG_EL1, 2);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.vm, 2);
	CU_ASSERT(segment.owner.witness & CSG_WITNESS_VMID);
	at_el(&s, CSG_EL2, 2);
	CU_ASSERT_EQUAL(next(&s).owner.vm, CSG_VM_HOST);
	s.context = (struct csg_context){.el = CSG_EL0, .has_vctx = true};
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	CU_ASSERT_EQUAL(next(&s).owner.vm, CSG_VM_UNKNOWN);
	end_story(&s);
}

#define KVM_VECTORS UINT64_C(0xffff800080000800)

static enum csg_world hyp_vectors(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	(void)arg;
	return kind == CSG_EXIT_VECTORS && address == KVM_VECTORS ? CSG_WORLD_GUEST
								  : CSG_WORLD_HOST;
}

static void address_at(struct story *s, uint64_t address)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = address});
}

/* Whether the trace that goes on at address of el shows that a guest ran; stated: with a context. */
static bool guest_before(enum csg_hypervisor kind, bool stated, enum csg_el el, uint64_t address)
{
	const struct csg_landmark_names names = {.of = hyp_vectors};
	struct story s = begin_story(kind);
	struct csg_segment segment;
	bool guest = false;
	uint64_t on;

	s.world.landmarks.names = &names;
	at_el(&s, el, 7);
	address_at(&s, 0x400000);
	trace_on(&s);
	on = s.index;
	if (stated)
		at_el(&s, el, 7);
	address_at(&s, address);
	/* Only the first address tells. */
	address_at(&s, KVM_VECTORS + 0x400);
	if (el == CSG_EL2)
		CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	csg_world_settle(&s.world);
	while (csg_world_next(&s.world, &segment)) {
		CU_ASSERT(!segment.guest_ran || segment.index == on);
		guest |= segment.guest_ran;
	}
	csg_world_fini(&s.world);
	return guest;
}

static void trace_that_goes_on_where_guests_exit_to_shows_that_one_ran(void)
{
	CU_ASSERT(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x480));
	CU_ASSERT(guest_before(CSG_HV_KVM_VHE, false, CSG_EL2, KVM_VECTORS + 0x600));
	/* A fault in KVM's own code, its code, the host's vectors. */
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x280));
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x484));
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL2, KVM_VECTORS + 0x1480));
	/* A guest's own vectors, at the same address. */
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL1, KVM_VECTORS + 0x480));
	CU_ASSERT_FALSE(guest_before(CSG_HV_KVM_VHE, true, CSG_EL0, KVM_VECTORS + 0x480));
	CU_ASSERT_FALSE(guest_before(CSG_HV_XEN, true, CSG_EL2, KVM_VECTORS + 0x480));
}

static void a_trace_on_waits_for_its_first_address_only(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL2, 7);
	trace_on(&s);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	at_el(&s, CSG_EL2, 8);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	/* No address comes: who runs next settles nothing of it. */
	at_el(&s, CSG_EL1, 8);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	expect(&s, 10, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 20, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 30, CSG_WORLD_HOST, CSG_WITNESS_EXCEPTION_LEVEL);
	expect(&s, 40, CSG_WORLD_GUEST, CSG_WITNESS_EXCEPTION_LEVEL);
	end_story(&s);
}

CSG_SUITE(world, world, CSG_TEST(el0_entered_from_el1_is_the_guests),
	  CSG_TEST(el0_entered_from_el2_stays_open_until_it_is_left),
	  CSG_TEST(el0_between_two_el2_is_the_host_by_default),
	  CSG_TEST(a_neighbour_behind_trace_on_is_none),
	  CSG_TEST(a_context_left_out_after_trace_on_still_holds),
	  CSG_TEST(after_overflow_nobody_runs_until_a_context),
	  CSG_TEST(a_context_stated_again_changes_nothing),
	  CSG_TEST(host_threads_are_named_by_contextidr_el2),
	  CSG_TEST(a_zero_context_id_names_nobody),
	  CSG_TEST(under_vhe_contextidr_el1_does_not_name_the_host),
	  CSG_TEST(without_guests_contextidr_el1_names_the_host),
	  CSG_TEST(the_queue_keeps_its_order_while_it_grows),
	  CSG_TEST(a_changed_policy_holds_from_then_on),
	  CSG_TEST(el0_that_leaves_to_the_guest_vectors_is_the_guests),
	  CSG_TEST(el0_that_leaves_to_other_vectors_is_the_hosts),
	  CSG_TEST(while_the_guest_vectors_are_not_known_a_target_proves_nothing),
	  CSG_TEST(the_exit_of_a_guests_el0_shows_the_vectors_too),
	  CSG_TEST(faults_inside_hyp_code_teach_nothing),
	  CSG_TEST(an_exception_cut_off_by_a_gap_settles_nothing),
	  CSG_TEST(vectors_are_remembered_across_gaps),
	  CSG_TEST(an_exit_that_its_symbol_contradicts_is_told_and_does_not_last),
	  CSG_TEST(what_is_no_vector_tells_nothing),
	  CSG_TEST(an_eret_that_its_symbol_contradicts_settles_nothing_until_it_agrees),
	  CSG_TEST(an_entry_to_el3_tells_nothing_of_el0),
	  CSG_TEST(an_open_el0_is_settled_by_the_symbol_of_the_eret_that_entered_it),
	  CSG_TEST(an_eret_that_has_entered_guests_or_processes_does_not_settle_who_is_next),
	  CSG_TEST(a_default_teaches_nothing_of_erets), CSG_TEST(what_is_settled_stays_so),
	  CSG_TEST(domains_of_xen_are_known_by_their_vmid),
	  CSG_TEST(an_el2_that_nobody_stated_is_no_hypervisor),
	  CSG_TEST(trace_that_goes_on_where_guests_exit_to_shows_that_one_ran),
	  CSG_TEST(a_trace_on_waits_for_its_first_address_only));
