/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_resync.h"

#include "flow/fast_engine.h"

static struct fast_engine e;

/* The scan knows an A-Sync at 100. */
static uint64_t next_async(void *arg, uint64_t index)
{
	(void)arg;
	return index <= 100 ? 100 : UINT64_MAX;
}

static void what_is_skipped_is_counted_where_decoding_goes_on(void)
{
	const uint8_t bytes[64] = {0};
	const struct csg_run before = {.index = 60, .bytes = bytes, .n = sizeof(bytes)};
	const struct csg_run after = {.index = 100, .bytes = bytes, .n = sizeof(bytes)};
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, NULL, 0);
	e.flow->code.async = next_async;
	csg_flow_recover(e.flow, 60);
	CU_ASSERT(e.flow->dead);
	CU_ASSERT_EQUAL(csg_flow_skip(e.flow, &before), 40);
	CU_ASSERT(e.flow->dead);
	CU_ASSERT_EQUAL(csg_flow_skip(e.flow, &after), 0);
	CU_ASSERT_FALSE(e.flow->dead);
	CU_ASSERT_EQUAL(csg_flow_skipped(e.flow), 40);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].gap, CSG_GAP_DECODER);
	CU_ASSERT_EQUAL(out[0].owner, 1);
	CU_ASSERT_EQUAL(out[1].gap, CSG_GAP_NO_SYNC);
	CU_ASSERT_EQUAL(out[1].info, 40);
	fast_engine_fini(&e);
}

static void a_new_piece_begins_as_nobody(void)
{
	fast_engine_init(&e, NULL, 0);
	e.flow->eret = 0x100c;
	e.flow->a64 = e.flow->border = true;
	csg_flow_segment(e.flow, 20, false, 4);
	csg_flow_restart(e.flow, 10);
	CU_ASSERT_EQUAL(e.flow->owner, 0);
	CU_ASSERT_EQUAL(e.flow->el, CSG_EL_UNKNOWN);
	CU_ASSERT_EQUAL(e.flow->eret, 0);
	CU_ASSERT_FALSE(e.flow->a64 || e.flow->border);
	CU_ASSERT(e.fast->at.need_context && e.fast->at.need_address);
	CU_ASSERT_EQUAL(csg_flow_next_border(e.flow, 0, 100), 20); /* stays */
	fast_engine_fini(&e);
}

CSG_SUITE(flow_core, flow_resync, CSG_TEST(what_is_skipped_is_counted_where_decoding_goes_on),
	  CSG_TEST(a_new_piece_begins_as_nobody));
