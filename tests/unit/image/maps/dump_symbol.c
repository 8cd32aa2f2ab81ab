/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/dump_symbol.h"

#include "image/world.h"
#include "suite.h"

/* Where another file says something else of an address, nothing is said of what has no symbol. */
static void a_dump_is_a_hole_of_its_size_where_no_other_reaches_into_it(void)
{
	struct world w = {0};
	struct csg_dump dump = {.address = 0x8000, .size = 8};
	struct csg_symbol symbol;
	struct csg_space *memory;
	char path[SCRATCH_PATH], other[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	world_begin(&w, NULL);
	scratch_text(&w.scratch, "a.bin", "0123456789");
	scratch_text(&w.scratch, "b.bin", "0123456789");
	dump.path = scratch_path(&w.scratch, path, "a.bin");
	CU_ASSERT_EQUAL(csg_machine_dump(w.machine, &dump), 0);
	memory = csg_machine_kernel(w.machine);
	CU_ASSERT_EQUAL(csg_space_symbol(memory, 0x8003, 0, &symbol), 0);
	CU_ASSERT_STRING_EQUAL(symbol.dso, path);
	CU_ASSERT_EQUAL(symbol.map_start, 0x8000);
	CU_ASSERT_EQUAL(symbol.map_end, 0x8008);
	CU_ASSERT_EQUAL(symbol.hole_start, 0x8000);
	CU_ASSERT_EQUAL(symbol.hole_end, 0x8008);
	dump.address = 0x8004;
	dump.path = scratch_path(&w.scratch, other, "b.bin");
	CU_ASSERT_EQUAL(csg_machine_dump(w.machine, &dump), 0);
	CU_ASSERT_EQUAL(csg_space_symbol(memory, 0x8003, 0, &symbol), 0);
	CU_ASSERT_STRING_EQUAL(symbol.dso, path);
	CU_ASSERT_EQUAL(symbol.map_end, 0x8008);
	CU_ASSERT_EQUAL(symbol.hole_end, 0);
	world_end(&w);
}

CSG_SUITE(image_maps, dump_symbol,
	  CSG_TEST(a_dump_is_a_hole_of_its_size_where_no_other_reaches_into_it));
