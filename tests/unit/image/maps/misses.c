/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/misses.h"

#include <string.h>

#include "image/world.h"
#include "suite.h"

static void the_ledger_names_what_to_bring(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = ""};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/bin/x", id_a, 5);
	const struct csg_missing *missing;
	size_t n;

	scratch_begin(&w.scratch);
	world_begin(&w, &options);
	CU_ASSERT_PTR_NULL(csg_image_missing(w.image, &n));
	csg_machine_event(w.machine, &event);
	world_byte(&w, 7, 0x900000, 10);
	world_byte(&w, 7, 0x400010, 10);
	world_byte(&w, 7, 0x400020, 10);
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_STRING_EQUAL(missing[0].path, "/bin/x");
	CU_ASSERT_EQUAL(missing[0].count, 2);
	CU_ASSERT_EQUAL(missing[0].first_address, 0x400010);
	CU_ASSERT_PTR_NOT_NULL(strstr(missing[0].remedy, "perf archive"));
	CU_ASSERT_STRING_EQUAL(missing[1].path, "");
	CU_ASSERT_EQUAL(missing[1].first_address, 0x900000);
	world_end(&w);
}

CSG_SUITE(image_maps, misses, CSG_TEST(the_ledger_names_what_to_bring));
