/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_lookup.h"
#include "evidence/place.h"

static struct csg_place place;
static const struct csg_evidence_place *const ev = &place.found;

static const struct csg_owner *owner_of(const void *arg, uint32_t owner)
{
	(void)arg;
	return fake_lookup.owner(fake_lookup.arg, owner);
}

static void feed(struct csg_element e)
{
	const struct csg_batch batch = {
		.elements = &e, .element_size = sizeof(e), .n = 1, .time = e.index};

	csg_place_add(&place, &batch);
}

static void code(uint64_t index, uint32_t owner, uint8_t el, uint64_t start)
{
	feed((struct csg_element){.index = index,
				  .kind = CSG_ELEMENT_RANGE,
				  .owner = owner,
				  .el = el,
				  .start = start,
				  .end = start + 8,
				  .instructions = 2,
				  .last_size = 4});
}

static void exception(uint64_t index, uint32_t owner, uint8_t el, uint64_t from)
{
	feed((struct csg_element){.index = index,
				  .kind = CSG_ELEMENT_EXCEPTION,
				  .owner = owner,
				  .el = el,
				  .info = 3,
				  .has_return = true,
				  .end = from});
}

static void other(uint64_t index, uint8_t kind, uint32_t owner, uint8_t el, uint8_t gap)
{
	feed((struct csg_element){
		.index = index, .kind = kind, .owner = owner, .el = el, .gap = gap});
}

/* The host (4) enters a guest (2), which exits to 0xa00c00; host user (1) leaves to 0xb00400. */
static void play(uint64_t index)
{
	csg_place_init(&place, owner_of, NULL, index);
	other(5, CSG_ELEMENT_GAP, 0, CSG_EL_UNKNOWN, CSG_GAP_TRACE_ON);
	other(10, CSG_ELEMENT_CONTEXT, 4, CSG_EL2, 0);
	code(12, 4, CSG_EL2, 0x1000);
	other(20, CSG_ELEMENT_EXCEPTION_RET, 4, CSG_EL2, 0);
	other(21, CSG_ELEMENT_CONTEXT, 2, CSG_EL1, 0);
	code(22, 2, CSG_EL1, 0x8000);
	other(25, CSG_ELEMENT_TIMESTAMP, 2, CSG_EL1, 0);
	feed((struct csg_element){.index = 26,
				  .kind = CSG_ELEMENT_GAP,
				  .gap = CSG_GAP_NO_CODE,
				  .owner = 2,
				  .el = CSG_EL1,
				  .start = 0x9000});
	exception(30, 2, CSG_EL1, 0x9004);
	other(31, CSG_ELEMENT_CONTEXT, 4, CSG_EL2, 0);
	code(32, 4, CSG_EL2, 0xa00c00);
	other(40, CSG_ELEMENT_EXCEPTION_RET, 4, CSG_EL2, 0);
	other(41, CSG_ELEMENT_CONTEXT, 1, CSG_EL0, 0);
	code(42, 1, CSG_EL0, 0x400000);
	exception(50, 1, CSG_EL0, 0x400008);
	other(51, CSG_ELEMENT_CONTEXT, 4, CSG_EL2, 0);
	code(52, 4, CSG_EL2, 0xb00400);
	csg_place_end(&place);
}

static void a_segment_has_its_neighbours_and_borders(void)
{
	play(23);
	CU_ASSERT(ev->at.exists);
	CU_ASSERT_EQUAL(ev->at.owner, 2);
	CU_ASSERT_EQUAL(ev->at.begin, 21);
	CU_ASSERT_EQUAL(ev->at.end, 31);
	CU_ASSERT_EQUAL(ev->at.instructions, 2);
	CU_ASSERT_EQUAL(ev->at.missing, 1);
	CU_ASSERT_EQUAL(ev->at.first, 0x8000);
	CU_ASSERT_EQUAL(ev->at.context.index, 21);
	CU_ASSERT_EQUAL(ev->at.entered.kind, CSG_BORDER_ERET);
	CU_ASSERT_EQUAL(ev->at.entered.address, 0x1004);
	CU_ASSERT_EQUAL(ev->before.owner, 4);
	CU_ASSERT_EQUAL(ev->after.owner, 4);
	CU_ASSERT_EQUAL(ev->after.begin, 31);
	CU_ASSERT_EQUAL(ev->after.first, 0xa00c00);
	CU_ASSERT_EQUAL(ev->after.entered.kind, CSG_BORDER_EXCEPTION);
	CU_ASSERT_EQUAL(ev->after.entered.number, 3);
	CU_ASSERT_EQUAL(ev->after.entered.address, 0x9004);
	CU_ASSERT_EQUAL(ev->here.index, 22);
	CU_ASSERT_EQUAL(ev->here_time, 22);
	CU_ASSERT_EQUAL(ev->timestamp_after.index, 25);
	CU_ASSERT_FALSE(ev->timestamp_before.exists);
}

static void losses_are_segments_and_borders(void)
{
	play(7);
	CU_ASSERT(ev->at.lost);
	CU_ASSERT_EQUAL(ev->at.entered.gap, CSG_GAP_TRACE_ON);
	CU_ASSERT_FALSE(ev->before.exists);
	play(12);
	CU_ASSERT(ev->before.lost);
	CU_ASSERT_EQUAL(ev->at.entered.kind, CSG_BORDER_LOSS);
	CU_ASSERT_EQUAL(ev->at.begin, 10);
}

/* The host leaves to what is not traced; timestamps come, a loss, more of them; then a context. */
static void play_nobody(uint64_t index)
{
	csg_place_init(&place, owner_of, NULL, index);
	other(10, CSG_ELEMENT_CONTEXT, 4, CSG_EL2, 0);
	code(12, 4, CSG_EL2, 0x1000);
	exception(20, 4, CSG_EL2, 0x1004);
	other(22, CSG_ELEMENT_TIMESTAMP, 0, CSG_EL_UNKNOWN, 0);
	other(24, CSG_ELEMENT_EVENT, 0, CSG_EL_UNKNOWN, 0);
	other(30, CSG_ELEMENT_GAP, 0, CSG_EL_UNKNOWN, CSG_GAP_OVERFLOW);
	other(34, CSG_ELEMENT_CYCLES, 0, CSG_EL_UNKNOWN, 0);
	other(40, CSG_ELEMENT_CONTEXT, 1, CSG_EL0, 0);
	code(42, 1, CSG_EL0, 0x400000);
	other(44, CSG_ELEMENT_TIMESTAMP, 1, CSG_EL0, 0);
	csg_place_end(&place);
}

static void without_a_context_nobody_runs_from_the_next_packet_on(void)
{
	play_nobody(21);
	CU_ASSERT_EQUAL(ev->at.owner, 4);
	CU_ASSERT_EQUAL(ev->at.end, 22);
	play_nobody(25);
	CU_ASSERT_EQUAL(ev->at.owner, 0);
	CU_ASSERT_FALSE(ev->at.lost);
	CU_ASSERT_EQUAL(ev->at.begin, 22);
	CU_ASSERT_EQUAL(ev->at.end, 30);
	CU_ASSERT_EQUAL(ev->at.entered.kind, CSG_BORDER_EXCEPTION);
	CU_ASSERT_EQUAL(ev->before.owner, 4);
	play_nobody(31);
	CU_ASSERT(ev->at.lost);
	CU_ASSERT_EQUAL(ev->at.end, 34);
	play_nobody(35);
	CU_ASSERT_FALSE(ev->at.lost);
	CU_ASSERT_EQUAL(ev->at.begin, 34);
	CU_ASSERT_EQUAL(ev->at.end, 40);
	CU_ASSERT_EQUAL(ev->at.entered.kind, CSG_BORDER_LOSS);
	CU_ASSERT_EQUAL(ev->after.entered.kind, CSG_BORDER_LOSS);
	CU_ASSERT_EQUAL(ev->after.entered.gap, CSG_GAP_OVERFLOW);
	play_nobody(44);
	CU_ASSERT_EQUAL(ev->at.owner, 1);
	CU_ASSERT_EQUAL(ev->at.begin, 40);
}

static void vectors_are_learned_from_guests_exits(void)
{
	play(42);
	CU_ASSERT_EQUAL(ev->base_count, 2);
	CU_ASSERT_EQUAL(ev->bases[0].base, 0xa00800);
	CU_ASSERT(ev->bases[0].guest);
	CU_ASSERT_EQUAL(ev->bases[0].guest_index, 30);
	CU_ASSERT_EQUAL(ev->bases[1].base, 0xb00000);
	CU_ASSERT_FALSE(ev->bases[1].guest);
	CU_ASSERT_EQUAL(ev->after.first, 0xb00400);
}

static void the_last_segment_ends_with_the_trace(void)
{
	play(52);
	CU_ASSERT(ev->at.exists);
	CU_ASSERT_EQUAL(ev->at.begin, 51);
	CU_ASSERT_EQUAL(ev->at.end, 52);
	CU_ASSERT_FALSE(ev->after.exists);
}

static void places_outside_the_trace_are_none(void)
{
	play(4);
	CU_ASSERT_FALSE(ev->at.exists);
	play(53);
	CU_ASSERT_FALSE(ev->at.exists);
}

CSG_SUITE(evidence, place, CSG_TEST(a_segment_has_its_neighbours_and_borders),
	  CSG_TEST(losses_are_segments_and_borders),
	  CSG_TEST(without_a_context_nobody_runs_from_the_next_packet_on),
	  CSG_TEST(vectors_are_learned_from_guests_exits),
	  CSG_TEST(the_last_segment_ends_with_the_trace),
	  CSG_TEST(places_outside_the_trace_are_none));
