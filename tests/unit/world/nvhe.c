/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/element.h"
#include "suite.h"
#include "world/world.h"

#define BACK UINT64_C(0xffff800080083304) /* where the host's HVC returns to */
#define GUEST UINT64_C(0xffff8000800d844c)
#define HYP UINT64_C(0x1137400)

/* Each step is one event, ten bytes after the last. */
struct story {
	struct csg_world_segments world;
	struct csg_context context;
	uint64_t index;
};

static void say(struct story *s, struct csg_track_event event)
{
	s->index += 10;
	event.index = s->index;
	event.context = s->context;
	csg_world_event(&s->world, &event);
}

static void at_el(struct story *s, enum csg_el el, uint32_t thread)
{
	s->context = (struct csg_context){
		.el = (uint8_t)el, .has_contextidr = true, .contextidr_el1 = thread};
	say(s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
}

static void address(struct story *s, uint64_t value)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = value});
}

/* Trace On at an address of EL1. */
static void resume(struct story *s, uint64_t at, uint32_t thread)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON});
	at_el(s, CSG_EL1, thread);
	address(s, at);
}

static void leave(struct story *s, uint16_t number, uint64_t at)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
					.number = number,
					.address = at,
					.has_address = true});
	at_el(s, CSG_EL2, s->context.contextidr_el1);
	address(s, HYP);
}

static struct csg_segment next(struct story *s)
{
	struct csg_segment segment = {.index = UINT64_MAX};

	csg_world_next(&s->world, &segment);
	return segment;
}

/* The next segment of EL1 or EL0. */
static enum csg_world next_world(struct story *s)
{
	struct csg_segment segment;

	do
		segment = next(s);
	while (segment.index != UINT64_MAX &&
	       (segment.context.el > CSG_EL1 || !segment.at_context));
	CU_ASSERT_NOT_EQUAL(segment.index, UINT64_MAX);
	return (enum csg_world)segment.owner.world;
}

/* A timestamp that shows this. */
static void proved(struct story *s, struct csg_proof proof)
{
	proof.index = s->index + 5;
	proof.evidence = proof.world ? CSG_EVIDENCE_RESIDENCY : 0;
	csg_world_proved(&s->world, &proof);
}

/* A proof, and that the stretch goes on: an exception inside EL1. */
static void prove(struct story *s)
{
	proved(s, (struct csg_proof){.world = CSG_WORLD_HOST});
	say(s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
					.number = CSG_EXCEPTION_IRQ,
					.address = BACK - 0x80,
					.has_address = true});
	address(s, GUEST + 0x280);
}

static struct story begin_story(void)
{
	struct story s = {.index = 0};

	csg_world_init(&s.world, CSG_HV_KVM_NVHE, CSG_VCTX_NONE);
	return s;
}

static void all_is_withheld_until_a_proof(void)
{
	struct story s = begin_story();
	struct csg_segment segment;

	resume(&s, GUEST, 148);
	at_el(&s, CSG_EL0, 148);
	address(&s, 0x400000);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), 20);
	next(&s);
	prove(&s);
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_KERNEL);
	CU_ASSERT_EQUAL(segment.owner.tid, 148);
	CU_ASSERT(segment.owner.evidence & CSG_EVIDENCE_RESIDENCY);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.privilege, CSG_USER);
	csg_world_fini(&s.world);
}

static void without_a_proof_it_stays_open(void)
{
	struct story s = begin_story();

	resume(&s, GUEST, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static void a_guest_is_who_begins_elsewhere_than_after_the_hvc(void)
{
	struct story s = begin_story();

	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3);
	at_el(&s, CSG_EL0, 3);
	address(&s, 0x400000);
	leave(&s, CSG_EXCEPTION_IRQ, 0x400010);
	resume(&s, BACK, 148);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	csg_world_fini(&s.world);
}

static void a_proof_after_settles_what_waited(void)
{
	struct story s = begin_story();

	resume(&s, BACK - 0x100, 148);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3);
	leave(&s, CSG_EXCEPTION_IRQ + 1, GUEST + 8);
	resume(&s, BACK, 148);
	at_el(&s, CSG_EL1, 0); /* the host switches */
	prove(&s);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next(&s).index, UINT64_MAX);
	csg_world_fini(&s.world);
}

static void an_overflow_forgets_who_ran(void)
{
	struct story s = begin_story();

	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	s.context = CSG_CONTEXT_UNKNOWN;
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_GAP, .gap = CSG_GAP_OVERFLOW});
	resume(&s, BACK, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static void an_exception_inside_el1_ends_nothing(void)
{
	struct story s = begin_story();

	resume(&s, BACK - 0x100, 148);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
					 .number = CSG_EXCEPTION_IRQ,
					 .address = BACK - 0x80,
					 .has_address = true});
	address(&s, GUEST + 0x280);
	prove(&s);
	/* The trace stops without an exception: it says nothing of who comes next. */
	resume(&s, BACK, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static void a_context_left_out_after_trace_on_still_holds(void)
{
	struct story s = begin_story();

	resume(&s, BACK - 0x100, 148);
	prove(&s);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
					 .number = CSG_EXCEPTION_CALL,
					 .address = BACK,
					 .has_address = true});
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON});
	address(&s, BACK);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next(&s).owner.world, CSG_WORLD_HOST);
	csg_world_fini(&s.world);
}

static void a_contradicting_proof_ends_the_owner_there(void)
{
	struct story s = begin_story();
	struct csg_segment segment;

	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3);
	prove(&s);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	csg_world_settle(&s.world);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.index, s.index - 15);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(segment.owner.reason, CSG_REASON_CONFLICT);
	csg_world_fini(&s.world);
}

static void a_proof_counts_only_if_the_stretch_goes_on(void)
{
	struct story s = begin_story();

	resume(&s, GUEST, 148);
	proved(&s, (struct csg_proof){.world = CSG_WORLD_HOST});
	/* The timestamp came while something else ran, which is not traced. */
	resume(&s, BACK, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

/* An atom right after the timestamp: no other event need come. */
static void a_proof_counts_where_an_atom_follows_it(void)
{
	struct story s = begin_story();

	resume(&s, GUEST, 148);
	proved(&s, (struct csg_proof){.world = CSG_WORLD_GUEST});
	csg_world_goes_on(&s.world);
	/* Tracing stops there, and starts elsewhere: of that nothing is known. */
	resume(&s, BACK, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	CU_ASSERT(s.world.stretches.windows);
	csg_world_fini(&s.world);
}

/* The window ends with an HVC of the host, and the next may begin anywhere. */
static void windows_that_end_with_an_hvc_lead_nowhere(void)
{
	struct story s = begin_story();

	resume(&s, GUEST, 148);
	resume(&s, GUEST, 148);
	prove(&s);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
					 .number = CSG_EXCEPTION_CALL,
					 .address = BACK,
					 .has_address = true});
	resume(&s, GUEST, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static void what_a_survey_has_seen_of_windows_is_learned(void)
{
	struct story s = begin_story(), other = begin_story();

	other.world.stretches.windows = true;
	csg_world_learn_from(&s.world, &other.world);
	CU_ASSERT(s.world.stretches.windows);
	csg_world_fini(&s.world);
	csg_world_fini(&other.world);
}

static struct story begin_protected(void)
{
	struct story s = {.index = 0};

	csg_world_init(&s.world, CSG_HV_PKVM, CSG_VCTX_NONE);
	return s;
}

static void under_pkvm_what_is_open_is_the_hosts_by_default(void)
{
	struct story s = begin_protected();
	struct csg_segment segment;

	resume(&s, BACK - 0x100, 148);
	next(&s);
	CU_ASSERT_NOT_EQUAL(csg_world_settled_to(&s.world), UINT64_MAX);
	csg_world_settle(&s.world);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(segment.owner.evidence & ~(uint32_t)CSG_EVIDENCE_CONTEXTIDR_EL1,
			CSG_EVIDENCE_POLICY_DEFAULT);
	csg_world_fini(&s.world);
}

static void under_pkvm_a_proof_is_worth_more_than_the_default(void)
{
	struct story s = begin_protected();
	struct csg_segment segment;

	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3); /* a guest is traced all the same */
	next(&s);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT(!(segment.owner.evidence & CSG_EVIDENCE_POLICY_DEFAULT));
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	csg_world_fini(&s.world);
}

static void under_pkvm_a_contradiction_leaves_no_default(void)
{
	struct story s = begin_protected();

	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3);
	prove(&s);
	at_el(&s, CSG_EL0, 3);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(next(&s).owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(next(&s).owner.world, CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static enum csg_world vcpu_run(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	(void)arg;
	return kind == CSG_VCPU_RUN && address == BACK - 4 ? CSG_WORLD_GUEST : CSG_WORLD_UNKNOWN;
}

/* In how many Trace Ons a guest ran; *last gets the index of the last. */
static unsigned int guests(struct story *s, uint64_t *last)
{
	struct csg_segment segment;
	unsigned int n = 0;

	csg_world_settle(&s->world);
	while (csg_world_next(&s->world, &segment)) {
		CU_ASSERT_FALSE(segment.guest_ran && segment.at_context);
		n += segment.guest_ran;
		*last = segment.guest_ran ? segment.index : *last;
	}
	return n;
}

/* The host at thread 148 calls the hypervisor, and the trace goes on at address. */
static unsigned int guests_after(enum csg_hypervisor kind, bool proved, uint16_t number,
				 uint64_t from, uint64_t at)
{
	const struct csg_landmark_names names = {.of = vcpu_run};
	struct story s = begin_story();
	uint64_t last = 0, on;
	unsigned int n;

	csg_world_set_kind(&s.world, kind);
	s.world.landmarks.names = &names;
	resume(&s, BACK - 0x100, 148);
	if (proved)
		prove(&s);
	if (number == CSG_EXCEPTION_CALL)
		leave(&s, number, from);
	else /* where to is not traced */
		say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
						 .number = number,
						 .address = from,
						 .has_address = true});
	on = s.index + 10;
	resume(&s, at, 148);
	n = guests(&s, &last);
	CU_ASSERT(!n || last == on);
	csg_world_fini(&s.world);
	return n;
}

static void where_the_host_comes_back_from_running_a_vcpu_a_guest_ran(void)
{
	CU_ASSERT_EQUAL(guests_after(CSG_HV_KVM_NVHE, true, CSG_EXCEPTION_CALL, BACK, BACK), 1);
	CU_ASSERT_EQUAL(guests_after(CSG_HV_PKVM, true, CSG_EXCEPTION_CALL, BACK, BACK), 1);
	CU_ASSERT_EQUAL(guests_after(CSG_HV_PKVM, false, CSG_EXCEPTION_CALL, BACK, BACK), 1);
	/* That it is the host its call alone says, which has a symbol. */
	CU_ASSERT_EQUAL(guests_after(CSG_HV_KVM_NVHE, false, CSG_EXCEPTION_CALL, BACK, BACK), 1);
	/* A guest that is traced. */
	CU_ASSERT_EQUAL(guests_after(CSG_HV_KVM_NVHE, true, CSG_EXCEPTION_CALL, BACK, GUEST), 0);
	/* Another hypercall. */
	CU_ASSERT_EQUAL(guests_after(CSG_HV_PKVM, true, CSG_EXCEPTION_CALL, BACK + 8, BACK + 8), 0);
	/* No call. */
	CU_ASSERT_EQUAL(guests_after(CSG_HV_PKVM, true, CSG_EXCEPTION_IRQ, BACK, BACK), 0);
}

static void a_vcpu_that_ran_is_reported_of_its_own_trace_on(void)
{
	const struct csg_landmark_names names = {.of = vcpu_run};
	struct story s = begin_story();
	uint64_t last = 0, on;

	s.world.landmarks.names = &names;
	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK + 8);
	resume(&s, BACK + 8, 148);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	on = s.index + 10;
	resume(&s, BACK, 148);
	at_el(&s, CSG_EL0, 148);
	CU_ASSERT_EQUAL(guests(&s, &last), 1);
	CU_ASSERT_EQUAL(last, on);
	/* Lost trace in between tells of no guest. */
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_GAP, .gap = CSG_GAP_OVERFLOW});
	resume(&s, BACK, 148);
	CU_ASSERT_EQUAL(guests(&s, &last), 0);
	csg_world_fini(&s.world);
}

/* --- contradictions --- */

static const struct csg_landmark_names run_names = {.of = vcpu_run};

struct reported {
	unsigned int times;
	struct csg_contradiction last;
};

static void note(void *arg, const struct csg_contradiction *one)
{
	struct reported *reported = arg;

	reported->times++;
	reported->last = *one;
}

/* The host is known, and has run a vCPU: the symbol of the HVC that does so is known. */
static struct story begin_with_run(struct reported *reported)
{
	struct story s = begin_story();

	*reported = (struct reported){0};
	s.world.landmarks.names = &run_names;
	s.world.contradiction = note;
	s.world.contradiction_arg = reported;
	resume(&s, BACK - 0x100, 148);
	prove(&s);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, BACK, 148);
	return s;
}

static void drain(struct story *s)
{
	while (next(s).index != UINT64_MAX)
		;
}

static void the_hvc_that_runs_a_vcpu_is_the_hosts_by_its_symbol(void)
{
	struct reported reported;
	struct story s = begin_with_run(&reported);

	/* Whoever it was is not known after an overflow. */
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_GAP, .gap = CSG_GAP_OVERFLOW});
	drain(&s);
	resume(&s, BACK - 0x80, 148);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3);
	at_el(&s, CSG_EL0, 3);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(reported.times, 0);
	csg_world_fini(&s.world);
}

static void a_call_that_runs_no_vcpu_leads_to_no_guest(void)
{
	struct reported reported;
	struct story s = begin_with_run(&reported);
	uint64_t begun;

	/* The address of the call is damaged: the host comes back elsewhere. */
	leave(&s, CSG_EXCEPTION_CALL, BACK + 0x1008);
	drain(&s);
	begun = s.index + 10;
	resume(&s, BACK + 8, 148);
	CU_ASSERT_EQUAL(reported.times, 1);
	CU_ASSERT_EQUAL(reported.last.kind, CSG_CONTRADICTION_WORLD);
	CU_ASSERT_EQUAL(reported.last.begin, begun);
	/* Nobody's, until the next call that runs a vCPU. */
	CU_ASSERT_EQUAL(csg_world_settled_to(&s.world), begun);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	CU_ASSERT_EQUAL(reported.last.begin, begun);
	CU_ASSERT(reported.last.end > begun + 20);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	resume(&s, GUEST, 3);
	at_el(&s, CSG_EL0, 3);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(reported.times, 2);
	csg_world_fini(&s.world);
}

static void roles_that_were_swapped_do_not_stay_so(void)
{
	struct reported reported;
	struct story s = begin_with_run(&reported);

	/* The address of the call that runs a vCPU is damaged, into that of itself in another
	 * page. */
	s.world.stretches.now.world = CSG_WORLD_GUEST;
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	CU_ASSERT_EQUAL(reported.times, 1);
	/* The call is the host's: what it leads to is a guest. */
	drain(&s);
	resume(&s, GUEST, 3);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	leave(&s, CSG_EXCEPTION_IRQ, GUEST);
	resume(&s, BACK, 148);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	drain(&s);
	resume(&s, GUEST, 3);
	at_el(&s, CSG_EL0, 3);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_GUEST);
	csg_world_fini(&s.world);
}

/* A timestamp that shows this, after which the stretch goes on. */
static void prove_in(struct story *s, struct csg_proof proof)
{
	proved(s, proof);
	csg_world_goes_on(&s->world);
}

/* A guest's stretch by the return address of the host's HVC; its first timestamp says the same. */
static struct story begin_guest(struct reported *reported)
{
	struct story s = begin_with_run(reported);

	s.world.stretches.now.world = CSG_WORLD_HOST;
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	resume(&s, GUEST, 3);
	prove_in(&s, (struct csg_proof){.world = CSG_WORLD_GUEST, .by_guest = true});
	drain(&s);
	return s;
}

static void trace_was_lost_between_two_proofs_that_contradict_each_other(void)
{
	const struct csg_proof host = {.world = CSG_WORLD_HOST, .certain = true};
	struct reported reported;
	struct story s = begin_guest(&reported);
	uint64_t guest = s.index + 5, first, second;
	struct csg_segment segment;

	at_el(&s, CSG_EL1, 148);
	drain(&s);
	prove_in(&s, host);
	first = s.index + 5;
	CU_ASSERT_EQUAL(reported.times, 1);
	CU_ASSERT_EQUAL(reported.last.begin, guest);
	CU_ASSERT_EQUAL(reported.last.end, first);
	/* From there to the next proof it is the host. */
	CU_ASSERT_EQUAL(next(&s).index, UINT64_MAX);
	at_el(&s, CSG_EL0, 148);
	prove_in(&s, host);
	second = s.index + 5;
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.index, first);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(next(&s).owner.world, CSG_WORLD_HOST);
	/* What no proof follows may come after another loss. */
	at_el(&s, CSG_EL1, 3);
	leave(&s, CSG_EXCEPTION_IRQ, GUEST);
	csg_world_settle(&s.world);
	segment = next(&s);
	CU_ASSERT_EQUAL(segment.index, second);
	CU_ASSERT_EQUAL(segment.owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(next(&s).owner.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(reported.times, 1);
	csg_world_fini(&s.world);
}

static void a_proof_that_is_not_certain_names_nobody_after_a_loss(void)
{
	struct reported reported;
	struct story s = begin_guest(&reported);

	at_el(&s, CSG_EL1, 148);
	drain(&s);
	prove_in(&s, (struct csg_proof){.world = CSG_WORLD_HOST});
	at_el(&s, CSG_EL0, 148);
	prove_in(&s, (struct csg_proof){.world = CSG_WORLD_HOST});
	at_el(&s, CSG_EL1, 148);
	prove_in(&s, (struct csg_proof){.world = CSG_WORLD_HOST});
	leave(&s, CSG_EXCEPTION_CALL, BACK + 0x100);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next(&s).owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(next(&s).owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(next(&s).owner.reason, CSG_REASON_CONFLICT);
	CU_ASSERT_EQUAL(reported.times, 1);
	csg_world_fini(&s.world);
}

/* The counters of n timestamps and another, in a stretch whose world is not known. */
static unsigned int contradictions_of(unsigned int n, struct csg_proof first,
				      struct csg_proof second)
{
	struct reported reported;
	struct story s = begin_with_run(&reported);
	uint64_t begin = 0;

	say(&s, (struct csg_track_event){.kind = CSG_TRACK_GAP, .gap = CSG_GAP_OVERFLOW});
	drain(&s);
	resume(&s, GUEST, 148);
	for (unsigned int i = 0; i < n; i++) {
		prove_in(&s, first);
		begin = s.index + 5;
		at_el(&s, CSG_EL0, 148);
	}
	prove_in(&s, second);
	if (reported.times) {
		CU_ASSERT_EQUAL(reported.last.begin, begin);
		CU_ASSERT_EQUAL(reported.last.end, s.index + 5);
		/* Nothing follows for what was before. */
		leave(&s, CSG_EXCEPTION_IRQ, GUEST);
		csg_world_settle(&s.world);
		CU_ASSERT_EQUAL(next_world(&s), first.world);
	}
	csg_world_fini(&s.world);
	return reported.times;
}

static void el2_alone_changes_the_counter(void)
{
	const struct csg_proof guest = {.by_guest = true}, host = {.world = CSG_WORLD_HOST};
	const struct csg_proof loaded = {.by_guest = true, .world = CSG_WORLD_HOST};

	CU_ASSERT_EQUAL(contradictions_of(2, guest, host), 1);
	CU_ASSERT_EQUAL(contradictions_of(2, host, guest), 1);
	CU_ASSERT_EQUAL(contradictions_of(2, guest, guest), 0);
	CU_ASSERT_EQUAL(contradictions_of(2, host, host), 0);
	/* The host's kernel in the thread whose vCPU is loaded. */
	CU_ASSERT_EQUAL(contradictions_of(2, guest, loaded), 0);
	/* The first may have been taken before the stretch began. */
	CU_ASSERT_EQUAL(contradictions_of(1, guest, host), 0);
	CU_ASSERT_EQUAL(contradictions_of(1, host, guest), 0);
}

/* The host is back from a guest, and runs user code after a first timestamp. */
static struct story run_user(struct reported *reported, struct csg_proof first)
{
	struct story s = begin_guest(reported);

	leave(&s, CSG_EXCEPTION_IRQ, GUEST);
	drain(&s);
	resume(&s, BACK, 148);
	prove_in(&s, first);
	drain(&s);
	at_el(&s, CSG_EL0, 148);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(reported->times, 0);
	return s;
}

static void user_code_in_the_time_of_the_idle_thread_ends_what_is_known(void)
{
	const struct csg_proof host = {.world = CSG_WORLD_HOST}, astray = {.astray = "lost"};
	struct reported reported;
	struct story s = run_user(&reported, host);

	prove_in(&s, astray);
	CU_ASSERT_EQUAL(reported.times, 1);
	CU_ASSERT_EQUAL(reported.last.end, s.index + 5);
	drain(&s);
	at_el(&s, CSG_EL1, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static void user_code_of_the_host_has_no_time_of_a_guests(void)
{
	const struct csg_proof guest = {.by_guest = true}, none = {.by_guest = false};
	const struct csg_proof loaded = {.by_guest = true, .world = CSG_WORLD_HOST};
	struct reported reported;
	struct story s = run_user(&reported, guest);

	prove_in(&s, loaded);
	CU_ASSERT_EQUAL(reported.times, 0);
	/* Its ID says who it is. */
	prove_in(&s, guest);
	CU_ASSERT_EQUAL(reported.times, 0);
	s.context.has_contextidr = false;
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	prove_in(&s, guest);
	CU_ASSERT_EQUAL(reported.times, 1);
	drain(&s);
	at_el(&s, CSG_EL1, 148);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);

	/* The first may have been taken before the stretch began. */
	s = run_user(&reported, none);
	s.context.has_contextidr = false;
	say(&s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
	prove_in(&s, guest);
	CU_ASSERT_EQUAL(reported.times, 0);
	/* The host's kernel in the thread whose vCPU is loaded has it. */
	at_el(&s, CSG_EL1, 148);
	prove_in(&s, guest);
	CU_ASSERT_EQUAL(reported.times, 0);
	csg_world_fini(&s.world);
}

static void in_a_stretch_no_timestamp_is_lower_than_one_before_it(void)
{
	const struct csg_proof low = {.timestamp = 100}, high = {.timestamp = 200}, zero = {0};
	const struct csg_proof host[] = {{.world = CSG_WORLD_HOST, .timestamp = 300},
					 {.world = CSG_WORLD_HOST, .timestamp = 290},
					 {.world = CSG_WORLD_HOST, .timestamp = 310}};
	struct reported reported;
	struct story s;

	CU_ASSERT_EQUAL(contradictions_of(2, high, low), 1);
	CU_ASSERT_EQUAL(contradictions_of(2, low, high), 0);
	CU_ASSERT_EQUAL(contradictions_of(2, high, high), 0);
	/* The first may have been taken before the stretch began. */
	CU_ASSERT_EQUAL(contradictions_of(1, high, low), 0);
	/* There was no counter to stamp with. */
	CU_ASSERT_EQUAL(contradictions_of(2, high, zero), 0);

	/* Who runs after it nobody knows, as it may be too low. */
	s = run_user(&reported, host[0]);
	prove_in(&s, host[0]);
	CU_ASSERT_EQUAL(reported.times, 0);
	at_el(&s, CSG_EL1, 148);
	prove_in(&s, host[1]);
	CU_ASSERT_EQUAL(reported.times, 1);
	drain(&s);
	at_el(&s, CSG_EL0, 148);
	prove_in(&s, host[2]);
	CU_ASSERT_EQUAL(reported.times, 1);
	csg_world_settle(&s.world);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_UNKNOWN);
	csg_world_fini(&s.world);
}

static void psci_brings_the_idle_thread_back_elsewhere(void)
{
	struct reported reported;
	struct story s = begin_with_run(&reported);

	at_el(&s, CSG_EL1, 0);
	leave(&s, CSG_EXCEPTION_CALL, BACK + 0x1008);
	resume(&s, BACK + 8, 0);
	CU_ASSERT_EQUAL(reported.times, 0);
	csg_world_fini(&s.world);
}

static void an_address_that_no_pe_fetches_from_is_no_place(void)
{
	struct reported reported;
	struct story s = begin_with_run(&reported);
	uint64_t call;

	at_el(&s, CSG_EL1, 148);
	call = s.index + 10;
	leave(&s, CSG_EXCEPTION_CALL, UINT64_C(0x801a505080083304));
	CU_ASSERT_EQUAL(reported.times, 1);
	/* Of what ran before the call it says nothing. */
	CU_ASSERT_EQUAL(reported.last.begin, call);
	drain(&s);
	resume(&s, BACK, 148);
	CU_ASSERT_EQUAL(s.world.stretches.now.world, CSG_WORLD_UNKNOWN);
	leave(&s, CSG_EXCEPTION_CALL, BACK);
	CU_ASSERT_EQUAL(next_world(&s), CSG_WORLD_HOST);
	csg_world_fini(&s.world);
}

CSG_SUITE(world, nvhe, CSG_TEST(all_is_withheld_until_a_proof),
	  CSG_TEST(without_a_proof_it_stays_open),
	  CSG_TEST(a_proof_counts_only_if_the_stretch_goes_on),
	  CSG_TEST(a_proof_counts_where_an_atom_follows_it),
	  CSG_TEST(windows_that_end_with_an_hvc_lead_nowhere),
	  CSG_TEST(what_a_survey_has_seen_of_windows_is_learned),
	  CSG_TEST(a_guest_is_who_begins_elsewhere_than_after_the_hvc),
	  CSG_TEST(a_proof_after_settles_what_waited), CSG_TEST(an_overflow_forgets_who_ran),
	  CSG_TEST(an_exception_inside_el1_ends_nothing),
	  CSG_TEST(a_context_left_out_after_trace_on_still_holds),
	  CSG_TEST(a_contradicting_proof_ends_the_owner_there),
	  CSG_TEST(under_pkvm_what_is_open_is_the_hosts_by_default),
	  CSG_TEST(under_pkvm_a_proof_is_worth_more_than_the_default),
	  CSG_TEST(under_pkvm_a_contradiction_leaves_no_default),
	  CSG_TEST(where_the_host_comes_back_from_running_a_vcpu_a_guest_ran),
	  CSG_TEST(a_vcpu_that_ran_is_reported_of_its_own_trace_on),
	  CSG_TEST(the_hvc_that_runs_a_vcpu_is_the_hosts_by_its_symbol),
	  CSG_TEST(a_call_that_runs_no_vcpu_leads_to_no_guest),
	  CSG_TEST(roles_that_were_swapped_do_not_stay_so),
	  CSG_TEST(trace_was_lost_between_two_proofs_that_contradict_each_other),
	  CSG_TEST(a_proof_that_is_not_certain_names_nobody_after_a_loss),
	  CSG_TEST(el2_alone_changes_the_counter),
	  CSG_TEST(user_code_in_the_time_of_the_idle_thread_ends_what_is_known),
	  CSG_TEST(user_code_of_the_host_has_no_time_of_a_guests),
	  CSG_TEST(in_a_stretch_no_timestamp_is_lower_than_one_before_it),
	  CSG_TEST(psci_brings_the_idle_thread_back_elsewhere),
	  CSG_TEST(an_address_that_no_pe_fetches_from_is_no_place));
