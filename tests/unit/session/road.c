/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_road.h"
#include "session/road.h"
#include "suite.h"

static struct recorded_road r;

static void begin(unsigned int pieces)
{
	memset(&r, 0, sizeof(r));
	r.w.pieces = pieces;
	recorded_road_open(&r, 4, 20000);
}

static void legs_hold_every_byte_once_in_order(void)
{
	const struct csg_enc_bytes *trace = &r.w.walk.etm.out;
	struct csg_leg leg = {0};
	uint64_t at = 0;
	size_t legs = 0;

	begin(1);
	for (; recorded_road_leg(&r, &leg) > 0; legs++) {
		for (size_t i = 0; i < leg.steps.n; i++) {
			const struct csg_leg_step *step = &leg.steps.at[i];

			if (step->kind != CSG_LEG_RUN)
				continue;
			CU_ASSERT(step->index >= at);
			CU_ASSERT(step->index + step->n <= leg.end);
			at = step->index + step->n;
		}
		CU_ASSERT(leg.bytes.n <= CSG_LEG_BYTES_MAX);
		CU_ASSERT_EQUAL(leg.fresh, legs == 0);
	}
	CU_ASSERT(legs > 1);
	CU_ASSERT_EQUAL(at, trace->size);
	CU_ASSERT_EQUAL(r.opened, 1);
	csg_leg_fini(&leg);
	recorded_road_close(&r);
}

static void segments_stand_in_the_leg_of_their_index(void)
{
	struct csg_leg leg = {0};
	uint64_t begun = 0;
	size_t segments = 0;

	begin(1);
	while (recorded_road_leg(&r, &leg) > 0) {
		for (size_t i = 0; i < leg.segments.n; i++)
			CU_ASSERT(leg.segments.at[i].index >= begun &&
				  leg.segments.at[i].index < leg.end);
		for (size_t i = 0; i < leg.asyncs.n; i++)
			CU_ASSERT(leg.asyncs.at[i] >= begun && leg.asyncs.at[i] < leg.end);
		segments += leg.segments.n;
		begun = leg.end;
	}
	CU_ASSERT(segments > 100);
	csg_leg_fini(&leg);
	recorded_road_close(&r);
}

static void every_chunk_begins_a_leg_that_knows_nothing(void)
{
	struct csg_leg leg = {0};
	size_t fresh = 0, ends = 0;

	begin(3);
	while (recorded_road_leg(&r, &leg) > 0) {
		fresh += leg.fresh;
		ends += leg.steps.n && leg.steps.at[leg.steps.n - 1].kind == CSG_LEG_END;
	}
	CU_ASSERT_EQUAL(fresh, 3);
	CU_ASSERT_EQUAL(ends, 3);
	csg_leg_fini(&leg);
	recorded_road_close(&r);
}

CSG_SUITE(session, road, CSG_TEST(legs_hold_every_byte_once_in_order),
	  CSG_TEST(segments_stand_in_the_leg_of_their_index),
	  CSG_TEST(every_chunk_begins_a_leg_that_knows_nothing));
