/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"
#include "world/exit_vectors.h"

#define KVM UINT64_C(0xffff80008009a800)
#define HOST UINT64_C(0xffff800080010800)
#define OTHER UINT64_C(0xffff800080077000)
#define THIRD UINT64_C(0xffff800080088000)

/* A kernel with KVM's vectors at KVM and its own at HOST. */
static enum csg_world symbols(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	(void)arg;
	if (kind != CSG_EXIT_VECTORS)
		return CSG_WORLD_UNKNOWN;
	return address == KVM	 ? CSG_WORLD_GUEST
	       : address == HOST ? CSG_WORLD_HOST
				 : CSG_WORLD_UNKNOWN;
}

static const struct csg_landmark_names names = {.of = symbols};

/* What is known with symbols, and without. */
struct knowledge {
	struct csg_landmarks landmarks;
	struct csg_exit_vectors v;
};

static const struct knowledge named = {.landmarks = {.names = &names}};
static const struct knowledge unnamed;

static bool learn(struct knowledge *k, uint64_t base)
{
	return csg_exit_vectors_learn(&k->v, &k->landmarks, base);
}

static enum csg_world whose(struct knowledge *k, uint64_t base)
{
	return csg_exit_vectors_world(&k->v, &k->landmarks, base);
}

static bool disputed(struct knowledge *k, uint64_t base)
{
	return csg_exit_vectors_disputed(&k->v, &k->landmarks, base);
}

static void vectors_for_lower_levels_begin_at_0x400(void)
{
	CU_ASSERT(csg_is_exit_vector(KVM + 0x400));
	CU_ASSERT(csg_is_exit_vector(KVM + 0x780));
	CU_ASSERT_FALSE(csg_is_exit_vector(KVM + 0x280));
	CU_ASSERT_FALSE(csg_is_exit_vector(KVM + 0x404));
}

static void nothing_is_known_at_first(void)
{
	struct knowledge k = unnamed;

	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_UNKNOWN);
	CU_ASSERT_FALSE(disputed(&k, KVM));
	CU_ASSERT_FALSE(csg_exit_vectors_known(&k.v));
}

static void once_a_guest_exits_other_vectors_are_the_hosts(void)
{
	struct knowledge k = unnamed;

	CU_ASSERT(learn(&k, KVM));
	CU_ASSERT(csg_exit_vectors_known(&k.v));
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_HOST);
}

static void symbols_tell_without_an_exit(void)
{
	struct knowledge k = named;

	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(whose(&k, HOST), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_UNKNOWN);
	CU_ASSERT(learn(&k, KVM));
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_HOST);
}

static void an_exit_to_vectors_named_the_hosts_teaches_nothing(void)
{
	struct knowledge k = named;

	CU_ASSERT_FALSE(learn(&k, HOST));
	CU_ASSERT_FALSE(csg_exit_vectors_known(&k.v));
	CU_ASSERT_EQUAL(whose(&k, HOST), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_UNKNOWN);
	CU_ASSERT(disputed(&k, HOST));
	CU_ASSERT(disputed(&k, KVM));
}

static void an_exit_that_agrees_with_the_symbols_ends_the_dispute(void)
{
	struct knowledge k = named;

	CU_ASSERT_FALSE(learn(&k, HOST));
	CU_ASSERT(learn(&k, KVM));
	CU_ASSERT_EQUAL(whose(&k, HOST), CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
	/* Of EL0 as well, where no guest runs any more; but only to vectors that have a name. */
	CU_ASSERT_FALSE(learn(&k, HOST));
	csg_exit_vectors_seen(&k.v, &k.landmarks, OTHER);
	CU_ASSERT(disputed(&k, HOST));
	csg_exit_vectors_seen(&k.v, &k.landmarks, HOST);
	CU_ASSERT_EQUAL(whose(&k, HOST), CSG_WORLD_HOST);
}

static void a_second_base_contradicts_one_that_symbols_confirm(void)
{
	struct knowledge k = named;

	CU_ASSERT(learn(&k, KVM));
	for (int i = 0; i < 2 * CSG_EXITS_ESTABLISHED; i++)
		CU_ASSERT_FALSE(learn(&k, OTHER));
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_UNKNOWN);
	CU_ASSERT(learn(&k, KVM));
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_HOST);
}

static void without_symbols_two_bases_are_nobodys_until_one_is_established(void)
{
	struct knowledge k = unnamed;

	CU_ASSERT(learn(&k, OTHER)); /* never happened */
	for (int i = 1; i < CSG_EXITS_ESTABLISHED; i++) {
		CU_ASSERT_FALSE(learn(&k, KVM));
		CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_UNKNOWN);
		CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_UNKNOWN);
		CU_ASSERT(disputed(&k, OTHER));
		/* Neither of the two. */
		CU_ASSERT_EQUAL(whose(&k, THIRD), CSG_WORLD_HOST);
	}
	CU_ASSERT_FALSE(learn(&k, KVM));
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_HOST);
	CU_ASSERT_FALSE(disputed(&k, OTHER));
}

static void one_exit_does_not_overthrow_what_is_established(void)
{
	struct knowledge k = unnamed;

	for (int i = 0; i < CSG_EXITS_ESTABLISHED; i++)
		CU_ASSERT(learn(&k, KVM));
	CU_ASSERT_FALSE(learn(&k, HOST));
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(whose(&k, HOST), CSG_WORLD_HOST);
	CU_ASSERT_FALSE(disputed(&k, HOST));
}

static void what_another_has_learned_counts_where_nothing_is_known(void)
{
	struct knowledge from = unnamed, k = unnamed;

	learn(&from, OTHER);
	csg_exit_vectors_learn_from(&k.v, &from.v);
	CU_ASSERT_EQUAL(whose(&k, OTHER), CSG_WORLD_GUEST);
	k = unnamed;
	learn(&k, KVM);
	csg_exit_vectors_learn_from(&k.v, &from.v);
	CU_ASSERT_EQUAL(whose(&k, KVM), CSG_WORLD_GUEST);
}

CSG_SUITE(world, exit_vectors, CSG_TEST(vectors_for_lower_levels_begin_at_0x400),
	  CSG_TEST(nothing_is_known_at_first),
	  CSG_TEST(once_a_guest_exits_other_vectors_are_the_hosts),
	  CSG_TEST(symbols_tell_without_an_exit),
	  CSG_TEST(an_exit_to_vectors_named_the_hosts_teaches_nothing),
	  CSG_TEST(an_exit_that_agrees_with_the_symbols_ends_the_dispute),
	  CSG_TEST(a_second_base_contradicts_one_that_symbols_confirm),
	  CSG_TEST(without_symbols_two_bases_are_nobodys_until_one_is_established),
	  CSG_TEST(one_exit_does_not_overthrow_what_is_established),
	  CSG_TEST(what_another_has_learned_counts_where_nothing_is_known));
