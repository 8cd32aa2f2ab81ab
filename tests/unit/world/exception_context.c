/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/exception_context.h"

#include "suite.h"
#include "world/stretch.h"

struct story {
	struct csg_exception_context state;
	struct csg_context context;
	uint64_t at; /* the index that was handed out last */
};

static enum csg_context_says say(struct story *s, struct csg_track_event event)
{
	return csg_exception_context_event(&s->state, &event, &s->context, &s->at);
}

static void leave(struct story *s, enum csg_el el, uint64_t index)
{
	s->context = (struct csg_context){.el = (uint8_t)el, .aarch64 = true};
	CU_ASSERT_EQUAL(say(s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
							.number = CSG_EXCEPTION_IRQ,
							.index = index}),
			CSG_CONTEXT_NOTHING);
}

static enum csg_context_says address(struct story *s, uint64_t address)
{
	return say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = address});
}

static enum csg_context_says context(struct story *s, enum csg_el el)
{
	return say(s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT,
					       .context = {.el = (uint8_t)el, .aarch64 = true}});
}

static enum csg_context_says eret(struct story *s)
{
	return say(s, (struct csg_track_event){.kind = CSG_TRACK_ERET});
}

static void a_context_follows_on_either_side_of_the_address(void)
{
	struct story s = {0};

	leave(&s, CSG_EL0, 7);
	CU_ASSERT_EQUAL(context(&s, CSG_EL2), CSG_CONTEXT_FOLLOWS);
	CU_ASSERT_EQUAL(s.at, 7);
	CU_ASSERT_EQUAL(address(&s, 0x1400), CSG_CONTEXT_NOTHING);
	CU_ASSERT_EQUAL(context(&s, CSG_EL2), CSG_CONTEXT_NOTHING);
	leave(&s, CSG_EL1, 9);
	CU_ASSERT_EQUAL(address(&s, 0x1480), CSG_CONTEXT_NOTHING);
	CU_ASSERT_EQUAL(context(&s, CSG_EL2), CSG_CONTEXT_FOLLOWS);
	CU_ASSERT_EQUAL(s.at, 9);
}

static void execution_that_goes_on_without_one_misses_it(void)
{
	struct story s = {0};

	leave(&s, CSG_EL0, 7);
	CU_ASSERT_EQUAL(address(&s, 0x1400), CSG_CONTEXT_NOTHING);
	CU_ASSERT_EQUAL(eret(&s), CSG_CONTEXT_MISSING);
	CU_ASSERT_EQUAL(s.at, 7);
	CU_ASSERT_EQUAL(eret(&s), CSG_CONTEXT_NOTHING);
	leave(&s, CSG_EL0, 8);
	address(&s, 0x1400);
	CU_ASSERT_EQUAL(context(&s, CSG_EL0), CSG_CONTEXT_MISSING);
}

static void el1_that_takes_its_own_exception_needs_none(void)
{
	struct story s = {0};

	leave(&s, CSG_EL1, 7);
	address(&s, 0x1280);
	CU_ASSERT_EQUAL(eret(&s), CSG_CONTEXT_NOTHING);
	leave(&s, CSG_EL1, 8);
	address(&s, 0x1480);
	CU_ASSERT_EQUAL(eret(&s), CSG_CONTEXT_MISSING);
}

static void a_loss_or_an_exception_at_the_target_shows_nothing(void)
{
	struct story s = {0};

	leave(&s, CSG_EL0, 7);
	address(&s, 0x1400);
	CU_ASSERT_EQUAL(say(&s, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON}),
			CSG_CONTEXT_NOTHING);
	CU_ASSERT_EQUAL(eret(&s), CSG_CONTEXT_NOTHING);
	leave(&s, CSG_EL0, 8);
	address(&s, 0x1400);
	CU_ASSERT_EQUAL(say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
							 .number = CSG_EXCEPTION_IRQ,
							 .has_address = true,
							 .address = 0x1400}),
			CSG_CONTEXT_NOTHING);
	leave(&s, CSG_EL0, 9);
	address(&s, 0x1400);
	CU_ASSERT_EQUAL(say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
							 .number = CSG_EXCEPTION_IRQ,
							 .has_address = true,
							 .address = 0x1404}),
			CSG_CONTEXT_MISSING);
}

static void debug_state_is_no_vector(void)
{
	struct story s = {.context = {.el = CSG_EL0, .aarch64 = true}};

	say(&s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION, .number = 1});
	address(&s, 0x1400);
	CU_ASSERT_EQUAL(eret(&s), CSG_CONTEXT_NOTHING);
}

CSG_SUITE(world, exception_context, CSG_TEST(a_context_follows_on_either_side_of_the_address),
	  CSG_TEST(execution_that_goes_on_without_one_misses_it),
	  CSG_TEST(el1_that_takes_its_own_exception_needs_none),
	  CSG_TEST(a_loss_or_an_exception_at_the_target_shows_nothing),
	  CSG_TEST(debug_state_is_no_vector));
