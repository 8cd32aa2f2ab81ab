/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/flow_state.h"
#include "flow/fast_engine.h"
#include "flow/core/flow_segments.h"
#include "suite.h"

#define NOP 0xd503201f
#define B_SELF 0x14000000 /* branches to itself */

static struct fast_engine a, b;
static struct csg_flow_state *x, *y;

static void begin(void)
{
	const uint32_t code[] = {NOP, B_SELF};

	fast_engine_init(&a, code, 2);
	fast_engine_init(&b, code, 2);
	x = csg_flow_state_create();
	y = csg_flow_state_create();
	CU_ASSERT_FATAL(x && y);
}

static void end(void)
{
	csg_flow_state_destroy(x);
	csg_flow_state_destroy(y);
	fast_engine_fini(&a);
	fast_engine_fini(&b);
}

static bool same(void)
{
	CU_ASSERT_EQUAL(csg_flow_save(a.flow, x), 0);
	CU_ASSERT_EQUAL(csg_flow_save(b.flow, y), 0);
	return csg_flow_same(x, y);
}

static void what_was_saved_is_there_when_it_is_loaded(void)
{
	begin();
	a.fast->at.address = 0x1004;
	a.fast->ids.contextidr = 7;
	a.flow->el = CSG_EL1;
	csg_fast_push(a.fast, CSG_FAST_TIMESTAMP, 20)->value = 99;
	csg_fast_push_return(a.fast, 0x2000, CSG_ISA_A64, NULL);
	csg_flow_segment(a.flow, 50, true, 3);
	CU_ASSERT_FALSE(same());
	CU_ASSERT_EQUAL(csg_flow_load(b.flow, x), 0);
	CU_ASSERT(same());
	CU_ASSERT_EQUAL(b.fast->at.address, 0x1004);
	CU_ASSERT_EQUAL(csg_fast_entry_at(b.fast, 0)->value, 99);
	CU_ASSERT_EQUAL(csg_flow_segment_at(b.flow, 0)->owner, 3);
	CU_ASSERT_PTR_EQUAL(b.fast->flow, b.flow);
	end();
}

/* Whatever the engine has looked at last: all that it gave is out. */
static void code_that_was_missing_last_counts(void)
{
	begin();
	CU_ASSERT(csg_flow_add(b.flow, &(struct csg_element){.kind = CSG_ELEMENT_GAP,
							     .gap = CSG_GAP_NO_CODE,
							     .start = FAST_CODE}));
	CU_ASSERT(same());
	b.flow->refusal = CSG_GAP_NO_CODE;
	csg_flow_name_gap(b.flow, b.flow->elements);
	CU_ASSERT_FALSE(same());
	CU_ASSERT(csg_flow_add(b.flow, &(struct csg_element){.kind = CSG_ELEMENT_EVENT}));
	CU_ASSERT_FALSE(same());
	CU_ASSERT(csg_flow_add(b.flow, &(struct csg_element){.kind = CSG_ELEMENT_CONTEXT}));
	CU_ASSERT(same());
	end();
}

static void every_part_counts(void)
{
	begin();
	CU_ASSERT(same());
#define DIFFERS(what, other)                                                                       \
	do {                                                                                       \
		CU_ASSERT_EQUAL(csg_flow_save(a.flow, x), 0);                                      \
		b.what = (other);                                                                  \
		CU_ASSERT_FALSE(same());                                                           \
		CU_ASSERT_EQUAL(csg_flow_load(b.flow, x), 0);                                      \
		CU_ASSERT(same());                                                                 \
	} while (0)
	DIFFERS(flow->owner, 2);
	DIFFERS(flow->el, CSG_EL3);
	DIFFERS(flow->eret, 4);
	DIFFERS(flow->border, true);
	DIFFERS(flow->dead, true);
	DIFFERS(fast->at.address, 0x1004);
	DIFFERS(fast->at.isa, CSG_ISA_T32);
	DIFFERS(fast->at.it, 2);
	DIFFERS(fast->at.need_address, true);
	DIFFERS(fast->at.need_context, true);
	DIFFERS(fast->pop_pending, true);
	DIFFERS(fast->wait_address, true);
	DIFFERS(fast->returns.count, 1);
	DIFFERS(fast->queue.depth, 1);
	DIFFERS(fast->seen_marker, true);
	DIFFERS(fast->overflowed, true);
	DIFFERS(fast->ids.vctx, 1);
	DIFFERS(fast->ids.has_contextidr, true);
	DIFFERS(fast->reader.sf, !a.fast->reader.sf);
	DIFFERS(fast->returns.unknown, true);
	b.fast->replaced.address = 0x1004;
	CU_ASSERT(same()); /* nothing was replaced yet */
	DIFFERS(fast->early, true);
	a.fast->early = b.fast->early = true;
	b.fast->replaced = a.fast->replaced;
	DIFFERS(fast->replaced.address, 0x1008);
	DIFFERS(fast->replaced.isa, CSG_ISA_T32);
	DIFFERS(fast->replaced.pop_pending, true);
	DIFFERS(fast->replaced.wait_address, true);
#undef DIFFERS
	end();
}

static void what_waits_in_the_queue_counts(void)
{
	begin();
	csg_fast_push(a.fast, CSG_FAST_EVENT, 20)->number = 1;
	CU_ASSERT_FALSE(same());
	csg_fast_push(b.fast, CSG_FAST_EVENT, 20)->number = 2;
	CU_ASSERT_FALSE(same());
	csg_fast_entry_at(b.fast, 0)->number = 1;
	CU_ASSERT(same());
	end();
}

static void a_guess_stands_at_an_async_and_knows_nothing(void)
{
	begin();
	csg_flow_segment(a.flow, 7, true, 3);
	csg_flow_guess(a.flow, 100, 5);
	CU_ASSERT_EQUAL(a.flow->owner, 5);
	CU_ASSERT_EQUAL(a.flow->queue.count, 0);
	CU_ASSERT(a.fast->at.need_address && a.fast->at.need_context);
	CU_ASSERT_EQUAL(a.fast->state, CSG_FAST_NO_SYNC);
	end();
}

CSG_SUITE(flow, flow_state, CSG_TEST(what_was_saved_is_there_when_it_is_loaded),
	  CSG_TEST(code_that_was_missing_last_counts), CSG_TEST(every_part_counts),
	  CSG_TEST(what_waits_in_the_queue_counts),
	  CSG_TEST(a_guess_stands_at_an_async_and_knows_nothing));
