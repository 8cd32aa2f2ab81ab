/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/dump.h"

#include "csguest/error.h"
#include "scratch.h"
#include "suite.h"

static void what_is_of_all_cores_comes_first(void)
{
	struct csg_dumps dumps = {0};
	struct scratch s;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	scratch_text(&s, "mem", "0123456789");
	scratch_path(&s, path, "mem");
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 4, 0x100, 4, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x103)->bytes[3], '3');
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 6, 0x102, 4, -1), 0);
	CU_ASSERT_EQUAL(dumps.file_count, 1);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x103)->bytes[1], '7');
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x101)->bytes[1], '1');
	CU_ASSERT_PTR_NULL(csg_dumps_find(&dumps, 0x106));
	CU_ASSERT_PTR_NULL(csg_dumps_find(&dumps, 0xff));
	csg_dumps_fini(&dumps);
	scratch_end(&s);
}

static void a_region_is_alone_where_no_other_reaches(void)
{
	struct csg_dumps dumps = {0};
	struct scratch s;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	scratch_text(&s, "mem", "0123456789");
	scratch_path(&s, path, "mem");
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 4, 0x104, 4, 1), 0);
	CU_ASSERT_TRUE(csg_dumps_alone(&dumps, &dumps.regions[0]));
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 8, 0x106, 2, 2), 0);
	CU_ASSERT_TRUE(csg_dumps_alone(&dumps, &dumps.regions[0]));
	CU_ASSERT_FALSE(csg_dumps_alone(&dumps, &dumps.regions[2]));
	CU_ASSERT_FALSE(csg_dumps_alone(&dumps, &dumps.regions[3]));
	csg_dumps_fini(&dumps);
	scratch_end(&s);
}

static void regions_end_with_their_file_and_with_the_world(void)
{
	struct csg_dumps dumps = {0};
	struct scratch s;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	scratch_text(&s, "mem", "0123456789");
	scratch_path(&s, path, "mem");
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 8, 0, UINT64_MAX, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 1)->size, 2);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 10, 0, 1, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, UINT64_MAX, 0, 1, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, UINT64_MAX - 4, 0, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, UINT64_MAX - 1)->size, 4);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, "/nowhere/mem", 0, 0, 0, 0), -CSG_E_NOT_FOUND);
	csg_dumps_fini(&dumps);
	scratch_end(&s);
}

CSG_SUITE(image, dump, CSG_TEST(what_is_of_all_cores_comes_first),
	  CSG_TEST(a_region_is_alone_where_no_other_reaches),
	  CSG_TEST(regions_end_with_their_file_and_with_the_world));
