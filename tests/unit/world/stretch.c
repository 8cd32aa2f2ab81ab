/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"
#include "world/stretch.h"

#define HVC UINT64_C(0xffff800080083300) /* the host's, and where it returns to */
#define BACK (HVC + 4)
#define GUEST UINT64_C(0xffff8000800d844c)
#define THREAD 148

static struct csg_stand at(uint64_t address, uint32_t thread)
{
	return (struct csg_stand){.address = address,
				  .thread = thread,
				  .known = true,
				  .has_thread = true,
				  .el = CSG_EL1};
}

/* A stretch of thread from one address to another, left by an exception to EL2. */
static void run(struct csg_stretches *s, uint64_t from, uint64_t to, uint16_t number,
		uint32_t thread)
{
	csg_stretch_begin(s);
	csg_stretch_stand(s, at(from, thread));
	csg_stretch_exception(s, number, at(to, thread));
	csg_stretch_leads_to(s, CSG_EL2);
}

/* The host, proved, that left for EL2 by its HVC. */
static struct csg_stretches host_has_left(void)
{
	struct csg_stretches s = {0};

	csg_stretches_break(&s);
	csg_stretch_begin(&s);
	csg_stretch_stand(&s, at(HVC - 0x100, THREAD));
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY), 1);
	csg_stretches_settled(&s);
	csg_stretch_exception(&s, CSG_EXCEPTION_CALL, at(BACK, THREAD));
	csg_stretch_leads_to(&s, CSG_EL2);
	return s;
}

static enum csg_world next_at(struct csg_stretches *s, uint64_t address, uint32_t thread)
{
	csg_stretch_begin(s);
	csg_stretch_stand(s, at(address, thread));
	return (enum csg_world)s->now.world;
}

static void who_comes_back_after_the_hosts_hvc_is_the_host(void)
{
	struct csg_stretches s = host_has_left();

	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(s.now.evidence, CSG_EVIDENCE_HVC_RETURN);
	csg_stretches_fini(&s);
}

static void who_begins_elsewhere_is_a_guest_until_the_host_is_back(void)
{
	struct csg_stretches s = host_has_left();

	CU_ASSERT_EQUAL(next_at(&s, GUEST, 0), CSG_WORLD_GUEST);
	csg_stretch_exception(&s, CSG_EXCEPTION_IRQ, at(GUEST + 8, 0));
	CU_ASSERT_EQUAL(next_at(&s, GUEST + 8, 0), CSG_WORLD_GUEST);
	csg_stretch_exception(&s, 3, at(GUEST + 12, 0));
	CU_ASSERT_EQUAL(next_at(&s, GUEST + 16, 0), CSG_WORLD_GUEST);
	csg_stretch_exception(&s, CSG_EXCEPTION_CALL, at(GUEST + 20, 0));
	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_HOST);
	csg_stretches_fini(&s);
}

static void the_threads_must_agree_with_the_address(void)
{
	struct csg_stretches s = host_has_left();

	CU_ASSERT_EQUAL(next_at(&s, BACK, 7), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
	s = host_has_left();
	CU_ASSERT_EQUAL(next_at(&s, GUEST, 0), CSG_WORLD_GUEST);
	csg_stretch_exception(&s, CSG_EXCEPTION_IRQ, at(GUEST, 0));
	CU_ASSERT_EQUAL(next_at(&s, BACK, 0), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void a_guest_that_stands_where_the_host_comes_back_is_not_reported_from_it(void)
{
	struct csg_stretches s = host_has_left();

	next_at(&s, GUEST, THREAD);
	csg_stretch_exception(&s, CSG_EXCEPTION_IRQ, at(BACK, THREAD));
	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void an_smc_of_the_idle_thread_may_come_back_anywhere(void)
{
	struct csg_stretches s = {0};

	csg_stretches_break(&s);
	next_at(&s, HVC, 0);
	csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY);
	csg_stretches_settled(&s);
	csg_stretch_exception(&s, CSG_EXCEPTION_CALL, at(BACK, 0));
	CU_ASSERT_EQUAL(next_at(&s, GUEST, 0), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
	s = host_has_left();
	s.now.target = CSG_EL3;
	CU_ASSERT_EQUAL(next_at(&s, GUEST, 0), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void nothing_follows_where_no_exception_ended_the_stretch(void)
{
	struct csg_stretches s = host_has_left();

	csg_stretch_goes_on(&s);
	CU_ASSERT_EQUAL(next_at(&s, GUEST, 0), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
	s = host_has_left();
	csg_stretches_break(&s);
	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void a_proof_settles_what_was_before(void)
{
	struct csg_stretches s = {0};

	csg_stretches_break(&s);
	run(&s, GUEST, GUEST + 8, 3, 0);
	run(&s, GUEST + 8, GUEST + 16, 3, 0);
	run(&s, BACK, BACK + 0x20, CSG_EXCEPTION_CALL, THREAD);
	run(&s, BACK + 0x20, BACK, CSG_EXCEPTION_CALL, THREAD);
	run(&s, GUEST + 20, GUEST + 24, 3, 0);
	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY), 1);
	CU_ASSERT_EQUAL_FATAL(s.count, 5);
	CU_ASSERT_EQUAL(s.open[4].world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(s.open[3].world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(s.open[2].world, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(s.open[1].world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(s.open[0].world, CSG_WORLD_GUEST);
	csg_stretches_fini(&s);
}

static void who_left_for_elsewhere_than_the_host_came_back_stays_open(void)
{
	struct csg_stretches s = {0};

	csg_stretches_break(&s);
	run(&s, GUEST, GUEST + 8, CSG_EXCEPTION_CALL, 5);
	run(&s, GUEST + 20, GUEST + 24, 3, 0);
	next_at(&s, BACK, THREAD);
	csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY);
	CU_ASSERT_EQUAL(s.open[1].world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(s.open[0].world, CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void who_is_interrupted_to_el2_is_a_guest(void)
{
	struct csg_stretches s = {0};

	csg_stretches_break(&s);
	csg_stretch_begin(&s);
	csg_stretches_settled(&s);
	next_at(&s, GUEST, 0);
	csg_stretch_exception(&s, CSG_EXCEPTION_IRQ, at(GUEST + 8, 0));
	CU_ASSERT_FALSE(csg_stretch_leads_to(&s, CSG_EL3));
	CU_ASSERT(csg_stretch_leads_to(&s, CSG_EL2));
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_GUEST);
	csg_stretches_settled(&s);
	/* Where the host's HVC was is not known: only the same place is the same guest. */
	CU_ASSERT_EQUAL(next_at(&s, GUEST + 8, 0), CSG_WORLD_GUEST);
	csg_stretch_exception(&s, CSG_EXCEPTION_IRQ, at(GUEST + 8, 0));
	CU_ASSERT_EQUAL(next_at(&s, BACK, 3), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void a_contradiction_leaves_the_rest_of_the_stretch_open(void)
{
	struct csg_stretches s = host_has_left();

	CU_ASSERT_EQUAL(next_at(&s, GUEST, 0), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_GUEST, CSG_EVIDENCE_RESIDENCY), 0);
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY), -1);
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY), 0);
	csg_stretch_exception(&s, CSG_EXCEPTION_IRQ, at(GUEST, 0));
	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

static void an_interrupt_alone_does_not_give_up_what_was_before(void)
{
	struct csg_stretches s = {0};

	csg_stretches_break(&s);
	run(&s, BACK - 0x100, BACK, CSG_EXCEPTION_CALL, THREAD);
	run(&s, GUEST, GUEST + 8, CSG_EXCEPTION_IRQ, 0);
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_GUEST);
	next_at(&s, BACK, THREAD);
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY), 1);
	CU_ASSERT_EQUAL(s.open[1].world, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(s.open[1].evidence, CSG_EVIDENCE_EXCEPTION_LEVEL);
	CU_ASSERT_EQUAL(s.open[0].world, CSG_WORLD_HOST);
	csg_stretches_fini(&s);
}

static void the_call_that_runs_a_vcpu_proves_the_host(void)
{
	const struct csg_stand host = {.known = true, .el = CSG_EL1, .address = 0x1000};
	const struct csg_stand other = {.known = true, .el = CSG_EL1, .address = 0x2000};
	struct csg_stretches s = {0};

	csg_stretch_begin(&s);
	csg_stretch_stand(&s, other);
	csg_stretch_exception(&s, CSG_EXCEPTION_CALL, host);
	CU_ASSERT_EQUAL(csg_stretch_hvc(&s, true), 1);
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_HOST);
	/* Another call leads to no guest. */
	csg_stretch_begin(&s);
	csg_stretch_stand(&s, host);
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_HOST);
	csg_stretch_exception(&s, CSG_EXCEPTION_CALL, other);
	csg_stretch_leads_to(&s, CSG_EL2);
	CU_ASSERT_EQUAL(csg_stretch_hvc(&s, false), 0);
	csg_stretch_begin(&s);
	csg_stretch_stand(&s, host);
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_UNKNOWN);
	CU_ASSERT(s.now.is_astray);
	csg_stretches_fini(&s);
}

/* Where tracing stops without an exception it may go on anywhere. */
static void of_windows_none_follows_another(void)
{
	struct csg_stretches s = host_has_left();

	csg_stretch_stopped(&s, false); /* by the HVC */
	CU_ASSERT_FALSE(s.windows);
	CU_ASSERT_EQUAL(next_at(&s, GUEST, THREAD), CSG_WORLD_GUEST);
	csg_stretch_stopped(&s, true); /* it may be by an ERET to EL0, which is not traced */
	CU_ASSERT_FALSE(s.windows);
	csg_stretch_stopped(&s, false);
	CU_ASSERT(s.windows);
	run(&s, HVC - 0x100, BACK, CSG_EXCEPTION_CALL, THREAD);
	csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY);
	csg_stretches_settled(&s);
	csg_stretch_stopped(&s, false);
	CU_ASSERT_EQUAL(next_at(&s, GUEST, THREAD), CSG_WORLD_UNKNOWN);
	csg_stretches_fini(&s);
}

/* The world of a stretch that was split, as it ends with number at an address and the host follows
 * it. */
static enum csg_world world_of_split(bool open, uint16_t number, uint64_t end)
{
	struct csg_stretches s = host_has_left();
	enum csg_world world;

	next_at(&s, BACK, THREAD);
	csg_stretch_split(&s, open);
	CU_ASSERT_EQUAL(s.now.world, CSG_WORLD_UNKNOWN);
	csg_stretch_exception(&s, number, at(end, THREAD));
	s.now.segments = 1;
	CU_ASSERT_EQUAL(next_at(&s, BACK, THREAD), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(csg_stretch_prove(&s, CSG_WORLD_HOST, CSG_EVIDENCE_RESIDENCY), 1);
	CU_ASSERT_EQUAL_FATAL(s.count, 1);
	world = (enum csg_world)s.open[0].world;
	csg_stretches_fini(&s);
	return world;
}

static void after_a_split_only_the_host_is_known_from_what_follows(void)
{
	CU_ASSERT_EQUAL(world_of_split(false, CSG_EXCEPTION_CALL, BACK), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(world_of_split(true, CSG_EXCEPTION_CALL, BACK), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(world_of_split(false, CSG_EXCEPTION_IRQ, GUEST), CSG_WORLD_UNKNOWN);
}

CSG_SUITE(world, stretch, CSG_TEST(of_windows_none_follows_another),
	  CSG_TEST(the_call_that_runs_a_vcpu_proves_the_host),
	  CSG_TEST(who_comes_back_after_the_hosts_hvc_is_the_host),
	  CSG_TEST(who_begins_elsewhere_is_a_guest_until_the_host_is_back),
	  CSG_TEST(the_threads_must_agree_with_the_address),
	  CSG_TEST(a_guest_that_stands_where_the_host_comes_back_is_not_reported_from_it),
	  CSG_TEST(an_smc_of_the_idle_thread_may_come_back_anywhere),
	  CSG_TEST(nothing_follows_where_no_exception_ended_the_stretch),
	  CSG_TEST(a_proof_settles_what_was_before),
	  CSG_TEST(who_left_for_elsewhere_than_the_host_came_back_stays_open),
	  CSG_TEST(who_is_interrupted_to_el2_is_a_guest),
	  CSG_TEST(an_interrupt_alone_does_not_give_up_what_was_before),
	  CSG_TEST(a_contradiction_leaves_the_rest_of_the_stretch_open),
	  CSG_TEST(after_a_split_only_the_host_is_known_from_what_follows));
