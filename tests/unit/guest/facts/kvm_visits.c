/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/kvm_visits.h"

#include "suite.h"

#define CPU 1
#define A UINT64_C(0xffff800080001004)
#define B UINT64_C(0xffff800080002008)
#define IRQ 0
#define TRAP 2
#define HVC 0x16
#define HVC32 0x12

static struct csg_kvm_visits visits;

static void tell(int32_t cpu, int32_t tid, uint64_t time, bool exit, uint64_t pc, int32_t ret)
{
	const struct csg_attribution_kvm_event e = {
		.size = sizeof(e),
		.cpu = cpu,
		.tid = tid,
		.time = time,
		.exit = exit,
		.pc = pc,
		.ret = ret,
	};

	CU_ASSERT_EQUAL(csg_kvm_visits_add(&visits, &e), 0);
}

/* A visit of 10 ns. */
static void visit(int32_t tid, uint64_t time, uint64_t entry, uint64_t exit, int32_t ret)
{
	tell(CPU, tid, time, false, entry, 0);
	tell(CPU, tid, time + 10, true, exit, ret);
}

/* All that was reported, on CPU. */
static const struct csg_kvm_visit *seal(size_t n)
{
	const struct csg_kvm_visit *v;
	size_t count;

	CU_ASSERT_EQUAL(csg_kvm_visits_seal(&visits), 0);
	v = csg_kvm_visits_on(&visits, CPU, &count);
	CU_ASSERT_EQUAL_FATAL(count, n);
	return v;
}

static void end(void)
{
	csg_kvm_visits_fini(&visits);
}

static void an_entry_and_the_exit_after_it_are_a_visit(void)
{
	const struct csg_kvm_visit *v;
	size_t n;

	visit(503, 200, B, B, TRAP);
	visit(503, 100, A, B, TRAP);
	tell(3, 603, 50, false, A, 0);
	tell(3, 603, 60, true, A, TRAP);
	v = seal(2);
	CU_ASSERT(v[0].entered == 100 && v[0].left == 110 && v[0].entry == A && v[0].exit == B);
	CU_ASSERT(v[0].trap && v[0].shows && !v[0].untrusted && v[0].tid == 503);
	CU_ASSERT(v[1].entered == 200 && !v[1].untrusted);
	CU_ASSERT_PTR_NOT_NULL(csg_kvm_visits_on(&visits, 3, &n));
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT_PTR_NULL(csg_kvm_visits_on(&visits, 2, &n));
	CU_ASSERT_EQUAL(n, 0);
	end();
}

static void what_another_event_tells_again_is_reported_once(void)
{
	visit(503, 100, A, B, TRAP);
	visit(503, 100, A, B, TRAP);
	CU_ASSERT(!seal(1)[0].untrusted);
	end();
}

/* How many visits are made of the two. */
static size_t made_of(const struct csg_attribution_kvm_event *a,
		      const struct csg_attribution_kvm_event *b)
{
	size_t n;

	CU_ASSERT_EQUAL(csg_kvm_visits_add(&visits, a), 0);
	CU_ASSERT_EQUAL(csg_kvm_visits_add(&visits, b), 0);
	CU_ASSERT_EQUAL(csg_kvm_visits_seal(&visits), 0);
	n = visits.count;
	csg_kvm_visits_fini(&visits);
	return n;
}

static void what_differs_in_anything_is_reported_for_itself(void)
{
	const struct csg_attribution_kvm_event a = {.size = sizeof(a),
						    .cpu = CPU,
						    .tid = 503,
						    .time = 100,
						    .exit = true,
						    .pc = A,
						    .ret = TRAP,
						    .esr_ec = HVC};
	struct csg_attribution_kvm_event b = a;

	CU_ASSERT_EQUAL(made_of(&a, &b), 1);
#define DIFFERS(what, other)                                                                       \
	do {                                                                                       \
		b.what = (other);                                                                  \
		CU_ASSERT_EQUAL(made_of(&a, &b), 2);                                               \
		b = a;                                                                             \
	} while (0)
	DIFFERS(cpu, 2);
	DIFFERS(tid, 504);
	DIFFERS(time, 101);   /* an exit is no entry */
	DIFFERS(exit, false); /* nor before the exit at the same time */
	DIFFERS(pc, B);
	DIFFERS(ret, IRQ);
	DIFFERS(esr_ec, 0x24);
#undef DIFFERS
}

static void events_out_of_slice_are_untrusted(void)
{
	const struct csg_kvm_visit *v;

	visit(503, 100, A, B, TRAP);
	tell(CPU, 503, 150, true, B, TRAP); /* its entry is lost, or it was reported twice */
	visit(503, 200, B, B, TRAP);
	v = seal(3);
	CU_ASSERT(!v[0].untrusted && v[1].untrusted && !v[2].untrusted);
	end();
	tell(CPU, 503, 100, false, A, 0);
	tell(2, 503, 110, true, B, TRAP); /* nobody moves a thread in between */
	CU_ASSERT(seal(1)[0].untrusted);
	end();
	tell(CPU, 503, 100, false, A, 0); /* its exit is lost */
	visit(503, 110, A, B, TRAP);
	tell(CPU, 503, 150, true, A + 0x100, TRAP); /* nothing that goes on is checked against it */
	visit(503, 200, B, B, TRAP);
	v = seal(4);
	CU_ASSERT(v[0].untrusted && !v[1].untrusted && v[2].untrusted && !v[3].untrusted);
	end();
}

static void a_vcpu_goes_on_where_it_was(void)
{
	const struct csg_kvm_visit *v;

	visit(503, 100, A, B, TRAP);
	visit(503, 200, B + 4, A, TRAP); /* after what KVM has emulated */
	visit(503, 300, 0x400, B, TRAP); /* at a vector: an exception was injected */
	visit(503, 400, A, A, TRAP);	 /* not from B: something is missing */
	visit(503, 500, A, A, TRAP);
	v = seal(5);
	CU_ASSERT(!v[0].untrusted && !v[1].untrusted);
	CU_ASSERT(v[2].untrusted && v[3].untrusted && !v[4].untrusted);
	end();
	visit(503, 100, A, B, TRAP);
	visit(503, 200, B + 2, B, TRAP);  /* after an instruction of T32 */
	visit(503, 300, 0x2004, B, TRAP); /* vectors of AArch32 */
	visit(503, 400, 0x200c, B, TRAP);
	visit(503, 500, 0x2010, B, TRAP);
	visit(503, 600, 0x2008, B, TRAP); /* SVC: the guest's own */
	v = seal(6);
	CU_ASSERT(!v[0].untrusted && !v[1].untrusted && !v[2].untrusted && !v[3].untrusted);
	CU_ASSERT(v[4].untrusted && v[5].untrusted);
	end();
}

static void only_what_cannot_be_without_an_exception_must_show(void)
{
	const struct csg_kvm_visit *v;

	visit(503, 100, A, A, TRAP);
	visit(503, 200, A, B, IRQ);	/* it got to B */
	visit(503, 300, B, B, IRQ);	/* an interrupt was pending */
	visit(503, 400, B, B + 4, IRQ); /* the same, and KVM has skipped an instruction */
	visit(503, 500, B + 4, A, 1);	/* SError */
	visit(503, 600, A, A, (int32_t)(0x80000000 | TRAP)); /* KVM has changed the PC */
	v = seal(6);
	CU_ASSERT(v[0].shows && v[1].shows);
	CU_ASSERT(!v[2].shows && !v[3].shows && !v[4].shows && !v[5].shows);
	end();
}

#define ENTRY(a)                                                                                   \
	{                                                                                          \
		.address = (a), .entry = true, .known = true                                       \
	}
#define EXIT(a, n)                                                                                 \
	{                                                                                          \
		.address = (a), .number = (n), .known = true                                       \
	}
#define CALL 2
#define TRAPPED 3
#define FAULT 0xc
#define INTERRUPT 0xe

static bool shows(const struct csg_kvm_visit *v, size_t n, const struct csg_border_sight *s,
		  size_t sights, bool differ)
{
	struct csg_kvm_proof proof = {0};
	bool ok = csg_kvm_visits_show(v, n, s, sights, &proof);

	CU_ASSERT_EQUAL(proof.differ, differ);
	return ok;
}

#define SHOWS(v, n, s, differ) shows(v, n, s, sizeof(s) / sizeof(*(s)), differ)

static void visits_show_in_order(void)
{
	static const struct csg_border_sight both[] = {ENTRY(A), EXIT(A, TRAPPED), ENTRY(A + 4),
						       EXIT(B, FAULT)};
	static const struct csg_border_sight turned[] = {ENTRY(A + 4), EXIT(B, FAULT), ENTRY(A),
							 EXIT(A, TRAPPED)};
	static const struct csg_border_sight only[] = {ENTRY(A), EXIT(A, TRAPPED)};
	const struct csg_kvm_visit *v;

	visit(503, 100, A, A, TRAP);
	visit(503, 200, A, B, TRAP);
	v = seal(2);
	CU_ASSERT(SHOWS(v, 2, both, true));
	CU_ASSERT(!SHOWS(v, 2, turned, false));
	CU_ASSERT(!SHOWS(v, 2, only, false));
	CU_ASSERT(SHOWS(v, 1, only, false));
	CU_ASSERT(!shows(v, 1, NULL, 0, false));
	CU_ASSERT(shows(v, 0, NULL, 0, false));
	end();
}

static void the_border_is_passed_both_ways(void)
{
	static const struct csg_border_sight entries[] = {ENTRY(A), ENTRY(B)};
	static const struct csg_border_sight exits[] = {EXIT(A, TRAPPED), EXIT(B, FAULT)};
	static const struct csg_border_sight same[] = {ENTRY(A), EXIT(A, TRAPPED), ENTRY(A),
						       EXIT(A, TRAPPED)};
	const struct csg_kvm_visit *v;

	visit(503, 100, A, B, TRAP);
	visit(503, 200, B, B, IRQ);
	v = seal(2);
	CU_ASSERT(!SHOWS(v, 1, entries, false));
	CU_ASSERT(!SHOWS(v, 1, exits, false));
	CU_ASSERT(shows(v + 1, 1, NULL, 0, false)); /* which need not show */
	end();
	visit(503, 100, A, A, TRAP);
	visit(503, 200, A, A, TRAP);
	CU_ASSERT(SHOWS(seal(2), 2, same, false)); /* at one address only */
	end();
}

static void what_nobody_reported_may_show_as_well(void)
{
	static const struct csg_border_sight fast[] = {ENTRY(A), EXIT(A + 0x100, TRAPPED),
						       ENTRY(A + 0x100), EXIT(B, FAULT)};
	static const struct csg_border_sight process[] = {ENTRY(0x400000), EXIT(0x400010, CALL),
							  ENTRY(A), EXIT(B, FAULT)};

	visit(503, 100, A, B, TRAP);
	CU_ASSERT(SHOWS(seal(1), 1, fast, false));
	CU_ASSERT(SHOWS(visits.visits, 1, process, false));
	end();
}

static void an_exit_after_another_entry_is_not_it(void)
{
	static const struct csg_border_sight other[] = {ENTRY(A + 0x100), EXIT(B, FAULT)};
	static const struct csg_border_sight vector[] = {ENTRY(0x40003200), EXIT(B, FAULT)};
	static const struct csg_border_sight later[] = {ENTRY(A + 0x100), EXIT(B, FAULT), ENTRY(A),
							EXIT(B, FAULT)};

	visit(503, 100, A, B, TRAP);
	CU_ASSERT(!SHOWS(seal(1), 1, other, false));
	CU_ASSERT(SHOWS(visits.visits, 1, vector, false));
	CU_ASSERT(SHOWS(visits.visits, 1, later, false));
	end();
}

static void the_exception_must_be_of_the_kind_that_was_reported(void)
{
	static const struct csg_border_sight irq[] = {ENTRY(A), EXIT(B, INTERRUPT)};
	static const struct csg_border_sight call[] = {ENTRY(A), EXIT(B, CALL)};
	static const struct csg_border_sight fault[] = {ENTRY(A), EXIT(B, FAULT)};
	static const struct csg_border_sight before[] = {ENTRY(A), EXIT(B - 4, TRAPPED)};
	static const struct csg_border_sight irq_before[] = {ENTRY(A), EXIT(B - 4, INTERRUPT)};
	static const struct csg_border_sight fiq[] = {ENTRY(A), EXIT(B, 0xf)};
	static const struct csg_border_sight serror[] = {ENTRY(A), EXIT(B, 4)};
	struct csg_kvm_visit hvc;

	visit(503, 100, A, B, TRAP);
	visit(503, 200, A, B, IRQ);
	hvc = seal(2)[0];
	CU_ASSERT(!SHOWS(visits.visits, 1, irq, false));
	CU_ASSERT(!SHOWS(visits.visits, 1, fiq, false));
	CU_ASSERT(!SHOWS(visits.visits, 1, serror, false));
	CU_ASSERT(SHOWS(visits.visits, 1, fault, false));
	for (int aarch32 = 0; aarch32 < 2; aarch32++) {
		hvc.esr_ec = aarch32 ? HVC32 : HVC;
		CU_ASSERT(SHOWS(&hvc, 1, call, false));
		CU_ASSERT(!SHOWS(&hvc, 1, fault, false));
	}
	CU_ASSERT(SHOWS(&visits.visits[1], 1, irq, false));
	/* An interrupt kept it from being entered again after a trap that the fast path handled. */
	CU_ASSERT(SHOWS(&visits.visits[1], 1, before, false));
	CU_ASSERT(!SHOWS(visits.visits, 1, before, false));
	CU_ASSERT(!SHOWS(&visits.visits[1], 1, irq_before, false));
	end();
}

static void an_address_that_is_not_known_may_be_any_and_proves_nothing(void)
{
	static const struct csg_border_sight open[] = {{.entry = true}, {0}, {.entry = true}, {0}};

	visit(503, 100, A, A, TRAP);
	visit(503, 200, A, B, TRAP);
	CU_ASSERT(SHOWS(seal(2), 2, open, false));
	end();
}

CSG_SUITE(guest_facts, kvm_visits, CSG_TEST(an_entry_and_the_exit_after_it_are_a_visit),
	  CSG_TEST(what_another_event_tells_again_is_reported_once),
	  CSG_TEST(what_differs_in_anything_is_reported_for_itself),
	  CSG_TEST(the_border_is_passed_both_ways), CSG_TEST(events_out_of_slice_are_untrusted),
	  CSG_TEST(a_vcpu_goes_on_where_it_was),
	  CSG_TEST(only_what_cannot_be_without_an_exception_must_show),
	  CSG_TEST(visits_show_in_order), CSG_TEST(what_nobody_reported_may_show_as_well),
	  CSG_TEST(an_exit_after_another_entry_is_not_it),
	  CSG_TEST(the_exception_must_be_of_the_kind_that_was_reported),
	  CSG_TEST(an_address_that_is_not_known_may_be_any_and_proves_nothing));
