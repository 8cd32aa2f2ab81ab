/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/objects.h"

#include "image/world.h"
#include "suite.h"

static void objects_and_symbols_have_small_numbers_of_their_own(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_symbol x, y, x2;
	char path[64];

	world_program(&w, "x", id_a);
	world_program(&w, "y", id_b);
	world_begin(&w, &options);
	for (int i = 0; i < 200; i++) {
		struct csg_event event;

		snprintf(path, sizeof(path), i ? "/none%d" : "/x", i);
		event = map_event(1, 0x400000 + 0x10000 * (uint64_t)i, 0x1000, path, NULL, 1);
		csg_machine_event(w.machine, &event);
		snprintf(path, sizeof(path), i == 1 ? "/y" : i == 2 ? "/x" : "/none%d", i);
		event = map_event(2, 0x400000 + 0x10000 * (uint64_t)i, 0x1000, path, NULL, 1);
		csg_machine_event(w.machine, &event);
	}
	csg_space_symbol(csg_machine_process(w.machine, 1), 0x4000e0, 2, &x);
	csg_space_symbol(csg_machine_process(w.machine, 2), 0x4100e0, 2, &y);
	csg_space_symbol(csg_machine_process(w.machine, 2), 0x4200e0, 2, &x2);
	CU_ASSERT_STRING_EQUAL(y.dso, "/y");
	CU_ASSERT_STRING_EQUAL_FATAL(x.name, "main");
	CU_ASSERT_NOT_EQUAL(x.dso_id, 0);
	CU_ASSERT_NOT_EQUAL(x.dso_id, y.dso_id);
	CU_ASSERT_EQUAL(x.dso_id, x2.dso_id);
	CU_ASSERT_NOT_EQUAL(x.symbol_id, 0);
	CU_ASSERT_NOT_EQUAL(x.symbol_id, y.symbol_id);
	CU_ASSERT_EQUAL(x.symbol_id, x2.symbol_id);
	CU_ASSERT_EQUAL(x2.start, 0x4200e0);
	world_end(&w);
}

CSG_SUITE(image_maps, objects, CSG_TEST(objects_and_symbols_have_small_numbers_of_their_own));
