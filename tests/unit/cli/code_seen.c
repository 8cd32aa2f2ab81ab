/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "cli/code_seen.h"

static void the_nearest_function_that_ran_is_found(void)
{
	struct csg_code_seen *seen = csg_code_seen_create();

	CU_ASSERT_PTR_NULL(csg_code_seen_nearest(seen, "memset", 6));
	csg_code_seen_add(seen, "/bin/a", "memset");
	csg_code_seen_add(seen, "/bin/a", NULL);
	csg_code_seen_add(seen, "/bin/a", "main");
	CU_ASSERT_STRING_EQUAL(csg_code_seen_nearest(seen, "memste,x", 6), "memset");
	/* It follows one without a name. */
	CU_ASSERT_STRING_EQUAL(csg_code_seen_nearest(seen, "mian", 4), "main");
	CU_ASSERT_PTR_NULL(csg_code_seen_nearest(seen, "vfs_write", 9));
	csg_code_seen_destroy(seen);
	csg_code_seen_destroy(NULL);
}

static void what_was_seen_is_noted_once(void)
{
	struct csg_code_seen *seen = csg_code_seen_create();
	const char *dso = "/bin/a", *name = "main";

	csg_code_seen_add(seen, dso, name);
	csg_code_seen_add(seen, dso, name);
	csg_code_seen_add(seen, NULL, name);
	CU_ASSERT_EQUAL(seen->names.count, 2);
	csg_code_seen_destroy(seen);
}

CSG_SUITE(cli, code_seen, CSG_TEST(the_nearest_function_that_ran_is_found),
	  CSG_TEST(what_was_seen_is_noted_once));
