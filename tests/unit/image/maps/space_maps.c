/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/space_maps.h"

#include "image/world.h"
#include "suite.h"

static void the_last_answer_is_not_given_for_another_time_or_address(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(7, 0x10000, 0x1000, "/x", NULL, 10),
		map_event(7, 0x10000, 0x1000, "/y", NULL, 20),
		map_event(7, 0x11000, 0x1000, "/y", NULL, 20),
	};

	world_program(&w, "x", NULL);
	world_program(&w, "y", NULL);
	events[1].map.pgoff = 1;
	world_begin(&w, &options);
	for (int i = 0; i < 3; i++)
		csg_machine_event(w.machine, &events[i]);
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 10), 0x40);
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 19), 0x40);
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 20), 0x41);
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x110b0, 20), 0x40);
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, UINT64_MAX), 0x41);
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 12), 0x40);
	}
	world_end(&w);
}

/* What a later event changes is seen although the answer before it was for ever. */
static void a_later_event_is_seen(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event events[] = {
		map_event(7, 0x10000, 0x1000, "/x", NULL, 10),
		map_event(7, 0x10000, 0x1000, "/x", NULL, 20),
	};

	world_program(&w, "x", NULL);
	events[1].map.pgoff = 1;
	world_begin(&w, &options);
	csg_machine_event(w.machine, &events[0]);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 30), 0x40);
	csg_machine_event(w.machine, &events[1]);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 30), 0x41);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x100b0, 15), 0x40);
	world_end(&w);
}

CSG_SUITE(image_maps, space_maps,
	  CSG_TEST(the_last_answer_is_not_given_for_another_time_or_address),
	  CSG_TEST(a_later_event_is_seen));
