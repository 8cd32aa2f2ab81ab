/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"
#include "world/landmarks.h"

#define KVM UINT64_C(0xffff80008009a800)
#define HOST UINT64_C(0xffff800080010800)
#define OTHER UINT64_C(0xffff800080077000)

static unsigned int asked;

/* A kernel with KVM's vectors at KVM and its own at HOST. */
static enum csg_world symbols(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	asked++;
	CU_ASSERT_PTR_NULL(arg);
	if (address == KVM)
		return csg_landmark_named(
			kind, kind == CSG_EXIT_VECTORS ? "__kvm_hyp_vector" : "__guest_enter", 0);
	if (address == HOST)
		return csg_landmark_named(kind,
					  kind == CSG_EXIT_VECTORS ? "vectors" : "ret_to_user", 0);
	return CSG_WORLD_UNKNOWN;
}

static const struct csg_landmark_names names = {.of = symbols};

static void nothing_is_known_at_first(void)
{
	struct csg_landmarks l = {0};

	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_EXIT_VECTORS, KVM), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, KVM), CSG_WORLD_UNKNOWN);
}

static void of_erets_only_the_learned_ones_are_known(void)
{
	struct csg_landmarks l = {0};

	csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, OTHER), CSG_WORLD_UNKNOWN);
	csg_landmarks_learn(&l, CSG_ENTRY_ERET, OTHER, CSG_WORLD_HOST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, OTHER), CSG_WORLD_HOST);
}

static void what_contradicts_itself_is_nobodys(void)
{
	struct csg_landmarks l = {0};

	csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_GUEST);
	csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_HOST);
	csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, KVM), CSG_WORLD_UNKNOWN);
}

static void symbols_tell_without_learning_and_are_asked_once(void)
{
	struct csg_landmarks l = {.names = &names};

	asked = 0;
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_EXIT_VECTORS, KVM), CSG_WORLD_GUEST);
		CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_EXIT_VECTORS, HOST), CSG_WORLD_HOST);
		CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_EXIT_VECTORS, OTHER),
				CSG_WORLD_UNKNOWN);
		CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, HOST), CSG_WORLD_HOST);
	}
	CU_ASSERT_EQUAL(asked, 4);
}

static void a_symbol_that_the_trace_contradicts_is_nobodys_until_it_agrees(void)
{
	struct csg_landmarks l = {.names = &names};

	CU_ASSERT(csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_GUEST));
	CU_ASSERT_FALSE(csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_HOST));
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, KVM), CSG_WORLD_UNKNOWN);
	CU_ASSERT(csg_landmarks_disputed(&l, CSG_ENTRY_ERET, KVM));
	/* The others still count. */
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, HOST), CSG_WORLD_HOST);
	CU_ASSERT_FALSE(csg_landmarks_disputed(&l, CSG_ENTRY_ERET, HOST));
	CU_ASSERT(csg_landmarks_learn(&l, CSG_ENTRY_ERET, KVM, CSG_WORLD_GUEST));
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, KVM), CSG_WORLD_GUEST);
	CU_ASSERT_FALSE(csg_landmarks_disputed(&l, CSG_ENTRY_ERET, KVM));
}

static void an_unnamed_one_that_serves_both_contradicts_nothing(void)
{
	struct csg_landmarks l = {.names = &names};

	CU_ASSERT(csg_landmarks_learn(&l, CSG_ENTRY_ERET, OTHER, CSG_WORLD_GUEST));
	CU_ASSERT(csg_landmarks_learn(&l, CSG_ENTRY_ERET, OTHER, CSG_WORLD_HOST));
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, OTHER), CSG_WORLD_UNKNOWN);
	CU_ASSERT_FALSE(csg_landmarks_disputed(&l, CSG_ENTRY_ERET, OTHER));
}

static void only_what_was_learned_is_passed_on(void)
{
	struct csg_landmarks from = {.names = &names}, l = {0};

	csg_landmarks_learn(&from, CSG_ENTRY_ERET, OTHER, CSG_WORLD_GUEST);
	csg_landmarks_world(&from, CSG_ENTRY_ERET, HOST);
	csg_landmarks_learn(&from, CSG_ENTRY_ERET, OTHER + 4, CSG_WORLD_GUEST);
	csg_landmarks_learn(&from, CSG_ENTRY_ERET, OTHER + 4, CSG_WORLD_HOST);
	csg_landmarks_learn_from(&l, &from);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, OTHER), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, OTHER + 4), CSG_WORLD_UNKNOWN);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, HOST), CSG_WORLD_UNKNOWN);
}

static void more_than_there_is_room_for_is_not_kept(void)
{
	struct csg_landmarks l = {0};

	for (uint64_t i = 0; i < 2 * CSG_LANDMARKS; i++)
		csg_landmarks_learn(&l, CSG_ENTRY_ERET, 4 * i, CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, 4), CSG_WORLD_GUEST);
	CU_ASSERT_EQUAL(csg_landmarks_world(&l, CSG_ENTRY_ERET, 4 * (2 * CSG_LANDMARKS - 1)),
			CSG_WORLD_UNKNOWN);
}

static void names_are_those_of_linux(void)
{
	static const struct {
		const char *name;
		uint64_t offset;
		enum csg_landmark_kind kind;
		enum csg_world world;
	} cases[] = {
		{"__kvm_hyp_vector", 0, CSG_EXIT_VECTORS, CSG_WORLD_GUEST},
		{"__kvm_hyp_vector", 0x800, CSG_EXIT_VECTORS, CSG_WORLD_UNKNOWN},
		{"__bp_harden_hyp_vecs", 0x1000, CSG_EXIT_VECTORS, CSG_WORLD_GUEST},
		{"__bp_harden_hyp_vecs", 0x1004, CSG_EXIT_VECTORS, CSG_WORLD_UNKNOWN},
		{"vectors", 0, CSG_EXIT_VECTORS, CSG_WORLD_HOST},
		{"__bp_harden_el1_vectors", 0x800, CSG_EXIT_VECTORS, CSG_WORLD_HOST},
		{"tramp_vectors", 0x1800, CSG_EXIT_VECTORS, CSG_WORLD_HOST},
		{"__guest_enter", 0x60, CSG_ENTRY_ERET, CSG_WORLD_GUEST},
		{"wa_epilogue", 8, CSG_ENTRY_ERET, CSG_WORLD_GUEST},
		{"ret_to_user", 0x140, CSG_ENTRY_ERET, CSG_WORLD_HOST},
		{"tramp_exit", 0x20, CSG_ENTRY_ERET, CSG_WORLD_HOST},
		{"kvm_arm_vcpu_enter_exit", 0x40, CSG_VCPU_RUN, CSG_WORLD_GUEST},
		{"kvm_arch_vcpu_ioctl_run", 0x40, CSG_VCPU_RUN, CSG_WORLD_UNKNOWN},
		{"vectors", 0, CSG_ENTRY_ERET, CSG_WORLD_UNKNOWN},
		{"el1h_64_sync", 0x100, CSG_ENTRY_ERET, CSG_WORLD_UNKNOWN},
		{NULL, 0, CSG_EXIT_VECTORS, CSG_WORLD_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CU_ASSERT_EQUAL(csg_landmark_named(cases[i].kind, cases[i].name, cases[i].offset),
				cases[i].world);
}

CSG_SUITE(world, landmarks, CSG_TEST(nothing_is_known_at_first),
	  CSG_TEST(of_erets_only_the_learned_ones_are_known),
	  CSG_TEST(what_contradicts_itself_is_nobodys),
	  CSG_TEST(symbols_tell_without_learning_and_are_asked_once),
	  CSG_TEST(a_symbol_that_the_trace_contradicts_is_nobodys_until_it_agrees),
	  CSG_TEST(an_unnamed_one_that_serves_both_contradicts_nothing),
	  CSG_TEST(only_what_was_learned_is_passed_on),
	  CSG_TEST(more_than_there_is_room_for_is_not_kept), CSG_TEST(names_are_those_of_linux));
