/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/missing.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static void the_most_wanted_comes_first_and_the_unwanted_not_at_all(void)
{
	struct csg_build_id id = {{0xab}, 20};
	struct csg_ledger ledger = {0};
	const struct csg_missing *sorted;
	size_t n;
	int a, b;

	a = csg_ledger_add(&ledger, "/a", 0, &id, -CSG_E_NO_IMAGE, "bring a");
	b = csg_ledger_add(&ledger, "/b", 7, NULL, -CSG_E_BUILD_ID, "bring b");
	csg_ledger_add(&ledger, "/c", 0, NULL, -CSG_E_NO_IMAGE, "bring c");
	CU_ASSERT_PTR_NULL(csg_ledger_sorted(&ledger, &n));
	CU_ASSERT_EQUAL(n, 0);
	csg_ledger_count(&ledger, a, 0x100);
	csg_ledger_count(&ledger, b, 0x200);
	csg_ledger_count(&ledger, b, 0x300);
	csg_ledger_count(&ledger, -1, 0);
	csg_ledger_count(&ledger, 99, 0);
	sorted = csg_ledger_sorted(&ledger, &n);
	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_STRING_EQUAL(sorted[0].path, "/b");
	CU_ASSERT_EQUAL(sorted[0].count, 2);
	CU_ASSERT_EQUAL(sorted[0].first_address, 0x200);
	CU_ASSERT_EQUAL(sorted[0].machine_pid, 7);
	CU_ASSERT_EQUAL(sorted[0].build_id_size, 0);
	CU_ASSERT_STRING_EQUAL(sorted[1].path, "/a");
	CU_ASSERT_EQUAL(sorted[1].build_id[0], 0xab);
	csg_ledger_fini(&ledger);
}

static void what_is_forgotten_counts_anew(void)
{
	struct csg_ledger ledger = {0};
	const struct csg_missing *sorted;
	size_t n;
	const int a = csg_ledger_add(&ledger, "/a", 0, NULL, -CSG_E_NO_IMAGE, "bring a");

	csg_ledger_count(&ledger, a, 0x100);
	csg_ledger_forget(&ledger);
	CU_ASSERT_PTR_NULL(csg_ledger_sorted(&ledger, &n));
	csg_ledger_count(&ledger, a, 0x200);
	sorted = csg_ledger_sorted(&ledger, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(sorted->count, 1);
	CU_ASSERT_EQUAL(sorted->first_address, 0x200);
	csg_ledger_fini(&ledger);
}

CSG_SUITE(image_maps, missing, CSG_TEST(the_most_wanted_comes_first_and_the_unwanted_not_at_all),
	  CSG_TEST(what_is_forgotten_counts_anew));
