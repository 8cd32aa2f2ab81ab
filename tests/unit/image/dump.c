/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/dump.h"

#include "csguest/error.h"
#include "scratch.h"
#include "suite.h"

static void spaces_take_in_what_opencsd_says(void)
{
	CU_ASSERT_EQUAL(csg_regimes_named("EL1N"), CSG_REGIME_EL1N);
	CU_ASSERT_EQUAL(csg_regimes_named("EL2"), CSG_REGIME_EL2N);
	CU_ASSERT_EQUAL(csg_regimes_named("n"), 0x06);
	CU_ASSERT_EQUAL(csg_regimes_named("S"), 0x19);
	CU_ASSERT_EQUAL(csg_regimes_named("R"), 0x60);
	CU_ASSERT_EQUAL(csg_regimes_named("H"), CSG_REGIME_EL2N);
	CU_ASSERT_EQUAL(csg_regimes_named(NULL), CSG_REGIME_ANY);
	CU_ASSERT_EQUAL(csg_regimes_named("what"), CSG_REGIME_ANY);
}

static void a_context_is_of_one_regime_if_all_is_known(void)
{
	CU_ASSERT_EQUAL(csg_regimes_of(CSG_EL0, CSG_NON_SECURE), CSG_REGIME_EL1N);
	CU_ASSERT_EQUAL(csg_regimes_of(CSG_EL1, CSG_SECURE), CSG_REGIME_EL1S);
	CU_ASSERT_EQUAL(csg_regimes_of(CSG_EL2, CSG_REALM), CSG_REGIME_EL2R);
	CU_ASSERT_EQUAL(csg_regimes_of(CSG_EL3, CSG_NON_SECURE), CSG_REGIME_EL3 | CSG_REGIME_ROOT);
	CU_ASSERT_EQUAL(csg_regimes_of(CSG_EL_UNKNOWN, CSG_SECURITY_UNKNOWN), CSG_REGIME_ANY);
	CU_ASSERT_EQUAL(csg_regimes_of(CSG_EL1, CSG_SECURITY_UNKNOWN),
			CSG_REGIME_EL1S | CSG_REGIME_EL1N | CSG_REGIME_EL1R);
}

static void the_cores_own_dump_comes_first(void)
{
	struct csg_dumps dumps = {0};
	struct scratch s;
	char path[SCRATCH_PATH];

	scratch_begin(&s);
	scratch_text(&s, "mem", "0123456789");
	scratch_path(&s, path, "mem");
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, CSG_REGIME_ANY, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 4, 0x100, 4, CSG_REGIME_ANY, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 8, 0x100, 2, CSG_REGIME_EL3, 1), 0);
	CU_ASSERT_EQUAL(dumps.file_count, 1);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x103, CSG_REGIME_EL1N, 0)->bytes[3], '3');
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x103, CSG_REGIME_EL1N, 1)->bytes[3], '7');
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 0x103, CSG_REGIME_EL1N, 5)->bytes[3], '3');
	CU_ASSERT_PTR_NULL(csg_dumps_find(&dumps, 0x104, CSG_REGIME_EL1N, 0));
	CU_ASSERT_PTR_NULL(csg_dumps_find(&dumps, 0xff, CSG_REGIME_EL1N, 0));
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
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, CSG_REGIME_ANY, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, 0x100, 4, CSG_REGIME_ANY, 1), 0);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 4, 0x104, 4, CSG_REGIME_ANY, 1), 0);
	CU_ASSERT_TRUE(csg_dumps_alone(&dumps, &dumps.regions[0]));
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 8, 0x106, 2, CSG_REGIME_EL3, 2), 0);
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
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 8, 0, UINT64_MAX, CSG_REGIME_ANY, 0),
			-CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, 1, CSG_REGIME_ANY, 0)->size, 2);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 10, 0, 1, CSG_REGIME_ANY, 0), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, UINT64_MAX, 0, 1, CSG_REGIME_ANY, 0),
			-CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, path, 0, UINT64_MAX - 4, 0, CSG_REGIME_ANY, 0), 0);
	CU_ASSERT_EQUAL(csg_dumps_find(&dumps, UINT64_MAX - 1, CSG_REGIME_ANY, 0)->size, 4);
	CU_ASSERT_EQUAL(csg_dumps_add(&dumps, "/nowhere/mem", 0, 0, 0, CSG_REGIME_ANY, 0),
			-CSG_E_NOT_FOUND);
	csg_dumps_fini(&dumps);
	scratch_end(&s);
}

CSG_SUITE(image, dump, CSG_TEST(spaces_take_in_what_opencsd_says),
	  CSG_TEST(a_context_is_of_one_regime_if_all_is_known),
	  CSG_TEST(the_cores_own_dump_comes_first),
	  CSG_TEST(a_region_is_alone_where_no_other_reaches),
	  CSG_TEST(regions_end_with_their_file_and_with_the_world));
