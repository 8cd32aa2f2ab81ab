/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "flow/core/executions.h"
#include "flow/fast_engine.h"
#include "suite.h"

static const struct csg_element stamp = {.kind = CSG_ELEMENT_TIMESTAMP, .index = 7};
static const struct csg_element gap = {.kind = CSG_ELEMENT_GAP, .index = 9};
static struct fast_engine e;

static void begin(void)
{
	const uint32_t code[] = {0x14000000}; /* branches to itself */

	fast_engine_init(&e, code, 1);
}

static size_t count(void)
{
	size_t n;

	csg_flow_elements(e.flow, &n);
	return n;
}

static void the_buffer_is_full_at_its_limit_and_takes_more(void)
{
	begin();
	csg_flow_set_limit(e.flow, 3);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_FALSE(csg_flow_full(e.flow));
		CU_ASSERT_TRUE(csg_flow_add(e.flow, &gap));
	}
	CU_ASSERT_TRUE(csg_flow_full(e.flow));
	for (int i = 0; i < 5000; i++)
		CU_ASSERT_TRUE(csg_flow_add(e.flow, &gap));
	CU_ASSERT_EQUAL(count(), 5003);
	csg_flow_take(e.flow);
	CU_ASSERT_FALSE(csg_flow_full(e.flow));
	CU_ASSERT_EQUAL(count(), 0);
	fast_engine_fini(&e);
}

static void what_was_reserved_is_there(void)
{
	begin();
	csg_flow_add(e.flow, &gap);
	CU_ASSERT_TRUE(csg_flow_reserve(e.flow, 3000));
	CU_ASSERT(e.flow->element_capacity >= 3001);
	CU_ASSERT_EQUAL(e.flow->elements[0].index, 9);
	fast_engine_fini(&e);
}

static void a_paused_engine_waits_until_its_elements_are_taken(void)
{
	begin();
	e.flow->paused = true;
	CU_ASSERT_FALSE(csg_flow_full(e.flow));
	csg_flow_add(e.flow, &gap);
	CU_ASSERT_TRUE(csg_flow_full(e.flow));
	e.flow->paused = false;
	fast_engine_fini(&e);
}

static uint64_t index_plus_one(void *arg, uint64_t index)
{
	(void)arg;
	return index + 1;
}

static void timestamps_are_dated_where_they_are(void)
{
	begin();
	csg_flow_add(e.flow, &stamp);
	csg_flow_add(e.flow, &gap);
	csg_flow_date(e.flow, index_plus_one, NULL);
	CU_ASSERT_EQUAL_FATAL(count(), 2);
	CU_ASSERT_EQUAL(e.flow->elements[0].start, 8);
	CU_ASSERT_EQUAL(e.flow->elements[1].start, 0);
	fast_engine_fini(&e);
}

static void a_block_is_swapped_with_its_memory(void)
{
	struct csg_flow_block block = {0};
	struct csg_element *before;

	begin();
	before = e.flow->elements;
	csg_flow_add(e.flow, &stamp);
	e.flow->timed = true;
	csg_flow_swap(e.flow, &block);
	CU_ASSERT_PTR_EQUAL(block.elements, before);
	CU_ASSERT_EQUAL(block.n, 1);
	CU_ASSERT_TRUE(block.timed);
	CU_ASSERT_FALSE(csg_flow_timed(e.flow));
	CU_ASSERT_EQUAL(count(), 0);
	CU_ASSERT_TRUE(csg_flow_add(e.flow, &gap)); /* into memory of its own */
	CU_ASSERT_EQUAL(block.elements[0].index, 7);
	csg_flow_swap(e.flow, &block);
	CU_ASSERT_PTR_EQUAL(e.flow->elements, before);
	CU_ASSERT_EQUAL(block.elements[0].index, 9);
	free(block.elements);
	fast_engine_fini(&e);
}

static void run_atoms(uint64_t index)
{
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(index, ((const uint8_t[]){0xdb, 0xf7}), 2), 0),
			2);
}

static void ranges_of_who_counts_come_together(void)
{
	const uint32_t code[] = {0xd503201f, 0x17ffffff}; /* nop; back to it */
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, code, 2);
	e.fast->state = CSG_FAST_DECODE;
	e.fast->reader.state = CSG_READER_HEADER;
	csg_flow_set_counts(e.flow);
	run_atoms(10); /* E E, E */
	run_atoms(12);
	e.flow->owner = 2;
	run_atoms(14);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_RANGES);
	CU_ASSERT_EQUAL(out[0].index, 10);
	CU_ASSERT_EQUAL(out[0].owner, 1);
	CU_ASSERT_EQUAL(out[0].start, 0);
	CU_ASSERT_EQUAL(out[0].instructions, 6);
	CU_ASSERT_EQUAL(out[0].timestamp, 12);
	CU_ASSERT_EQUAL(out[0].end, FAST_CODE + 8);
	CU_ASSERT_EQUAL(out[1].owner, 2);
	CU_ASSERT_EQUAL(out[1].start, 6);
	CU_ASSERT_EQUAL(out[1].instructions, 3);
	CU_ASSERT_EQUAL(csg_execution_code(csg_flow_executions(e.flow)[8])->start, FAST_CODE);
	fast_engine_fini(&e);
}

/* The engine at code: b.eq to itself; eret. */
static void begin_to_count(void)
{
	const uint32_t code[] = {0x54000000, 0xd69f03e0};

	fast_engine_init(&e, code, 2);
	e.words[15] = 0x14000000;
	e.fast->state = CSG_FAST_DECODE;
	e.fast->reader.state = CSG_READER_HEADER;
	csg_flow_set_counts(e.flow);
}

static const struct csg_element *run_one(uint8_t byte, size_t *n)
{
	static uint64_t index;

	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(++index, &byte, 1), 0), 1);
	return csg_flow_elements(e.flow, n);
}

static void ranges_that_come_together_end_with_the_last(void)
{
	const struct csg_element *out;
	size_t n;

	begin_to_count();
	e.flow->el = CSG_EL2;
	out = run_one(0xf7, &n); /* E */
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT(out[0].taken);
	CU_ASSERT(out[0].conditional);
	out = run_one(0xf6, &n); /* N */
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].instructions, 2);
	CU_ASSERT_FALSE(out[0].taken);
	CU_ASSERT_EQUAL(e.flow->eret, 0);
	out = run_one(0xf7, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].branch, CSG_BRANCH_ERET);
	CU_ASSERT_FALSE(out[0].conditional);
	CU_ASSERT_EQUAL(out[0].end, FAST_CODE + 8);
	CU_ASSERT_NOT_EQUAL(e.flow->eret, 0);
	fast_engine_fini(&e);
}

/* After the instruction there no code is. */
static void stand_at_the_last(void)
{
	csg_fast_go_to(e.fast, FAST_CODE + 60, CSG_ISA_A64);
	e.fast->at.need_address = false;
}

static void ranges_of_another_level_or_after_something_else_do_not_come_together(void)
{
	const struct csg_element *out;
	size_t n;

	begin_to_count();
	csg_flow_add(e.flow, &(struct csg_element){.kind = CSG_ELEMENT_GAP, .owner = 1});
	run_one(0xf7, &n);
	CU_ASSERT_EQUAL(n, 2);
	e.flow->el = CSG_EL2;
	run_one(0xf7, &n);
	CU_ASSERT_EQUAL(n, 3);
	run_one(0xf7, &n);
	CU_ASSERT_EQUAL(n, 3);
	/* A gap in the run: what was executed before it is an element of the run, as it is. */
	stand_at_the_last();
	e.words[15] = 0x54000000;
	run_one(0xd9, &n); /* E, N to where no code is */
	out = run_one(0xf7, &n);
	CU_ASSERT_EQUAL_FATAL(n, 4);
	CU_ASSERT_EQUAL(out[2].instructions, 4);
	CU_ASSERT_EQUAL(out[3].gap, CSG_GAP_NO_CODE);
	stand_at_the_last();
	run_one(0xd9, &n);
	stand_at_the_last();
	out = run_one(0xfa, &n); /* N, and E, N of what is missing */
	CU_ASSERT_EQUAL(out[4].instructions, 2);
	CU_ASSERT_EQUAL(out[5].kind, CSG_ELEMENT_RANGES);
	CU_ASSERT_EQUAL(out[5].instructions, 1);
	CU_ASSERT_EQUAL(out[6].gap, CSG_GAP_NO_CODE);
	fast_engine_fini(&e);
}

static void executions_fill_the_buffer_as_well(void)
{
	size_t n;

	begin_to_count();
	csg_flow_set_limit(e.flow, 2);
	for (size_t i = 0; i < 2 * CSG_FLOW_EXECUTIONS; i++) {
		CU_ASSERT_FALSE(csg_flow_full(e.flow));
		run_one(0xf7, &n);
	}
	CU_ASSERT_EQUAL(n, 1);
	CU_ASSERT(csg_flow_full(e.flow));
	fast_engine_fini(&e);
}

static void where_much_is_forgotten_but_read_ranges_are_elements(void)
{
	const struct csg_element *out;
	size_t n;

	begin_to_count();
	run_one(0xf7, &n);
	e.fast->blocks.retired = CSG_FLOW_RETIRED;
	out = run_one(0xf7, &n);
	e.fast->blocks.retired = 0;
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(out[0].kind, CSG_ELEMENT_RANGES);
	CU_ASSERT_EQUAL(out[1].kind, CSG_ELEMENT_RANGE);
	fast_engine_fini(&e);
}

/* N E of the first two, and E of a return that nothing called; of ETE an ERET is an element,
 * too. */
static void a_packet_that_makes_no_sense_counts_nothing(void)
{
	const struct csg_element *out;
	size_t n;

	for (int ete = 0; ete < 2; ete++) {
		begin_to_count();
		e.fast->unit.ete = ete;
		run_one(0xf7, &n);
		out = run_one(0xfe, &n);
		CU_ASSERT(e.fast->dead);
		CU_ASSERT_EQUAL_FATAL(n, 1);
		CU_ASSERT_EQUAL(out[0].instructions, 1);
		CU_ASSERT_EQUAL(out[0].timestamp, 1);
		CU_ASSERT_EQUAL(e.flow->execution_count, 1);
		CU_ASSERT_EQUAL(e.flow->open.first, 1);
		CU_ASSERT_EQUAL(e.flow->open.instructions, 0);
		fast_engine_fini(&e);
	}
}

static void blocks_stay_while_their_executions_wait_to_be_taken(void)
{
	const struct csg_code *reported;
	size_t n;

	begin_to_count();
	run_one(0xf7, &n);
	reported = csg_execution_code(csg_flow_executions(e.flow)[0]);
	csg_flow_forget_code(e.flow);
	e.words[0] = 0xd503201f; /* nop */
	csg_fast_go_to(e.fast, FAST_CODE, CSG_ISA_A64);
	run_one(0xf7, &n);
	CU_ASSERT_EQUAL(reported->instructions, 1);
	fast_engine_fini(&e);
}

static void blocks_stay_until_the_buffer_that_tells_of_them_comes_back(void)
{
	const uint32_t code[] = {0xd503201f, 0x17ffffff};
	struct csg_flow_block block = {0};
	const struct csg_code *reported;

	fast_engine_init(&e, code, 2);
	e.fast->state = CSG_FAST_DECODE;
	e.fast->reader.state = CSG_READER_HEADER;
	csg_flow_set_counts(e.flow);
	run_atoms(10);
	csg_flow_swap(e.flow, &block);
	CU_ASSERT_PTR_EQUAL(block.lender, e.flow);
	reported = csg_execution_code(block.executions[0]);
	csg_flow_forget_code(e.flow);
	e.words[0] = 0x14000000; /* branches to itself */
	run_atoms(12);
	csg_flow_take(e.flow);
	CU_ASSERT_EQUAL(reported->instructions, 2);
	CU_ASSERT_EQUAL(e.fast->blocks.retired, 1);
	csg_flow_give_back(&block);
	CU_ASSERT_PTR_NULL(block.lender);
	csg_flow_take(e.flow);
	CU_ASSERT_EQUAL(e.fast->blocks.retired, 0);
	free(block.elements);
	free(block.executions);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_core, flow_buffer, CSG_TEST(the_buffer_is_full_at_its_limit_and_takes_more),
	  CSG_TEST(what_was_reserved_is_there),
	  CSG_TEST(a_paused_engine_waits_until_its_elements_are_taken),
	  CSG_TEST(timestamps_are_dated_where_they_are),
	  CSG_TEST(a_block_is_swapped_with_its_memory),
	  CSG_TEST(ranges_of_who_counts_come_together),
	  CSG_TEST(ranges_that_come_together_end_with_the_last),
	  CSG_TEST(ranges_of_another_level_or_after_something_else_do_not_come_together),
	  CSG_TEST(executions_fill_the_buffer_as_well),
	  CSG_TEST(where_much_is_forgotten_but_read_ranges_are_elements),
	  CSG_TEST(a_packet_that_makes_no_sense_counts_nothing),
	  CSG_TEST(blocks_stay_while_their_executions_wait_to_be_taken),
	  CSG_TEST(blocks_stay_until_the_buffer_that_tells_of_them_comes_back));
