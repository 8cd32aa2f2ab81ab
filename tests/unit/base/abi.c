/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/abi.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

/* A struct as three versions have it. */
struct v1 {
	size_t size;
	int a;
	int b;
};

struct v2 {
	size_t size;
	int a;
	int b;
	long c;
};

struct v3 {
	size_t size;
	int a;
	int b;
	long c;
	long d;
};

static void a_struct_of_the_same_version_is_taken_whole(void)
{
	const struct v2 theirs = {.size = sizeof(theirs), .a = 1, .b = 2, .c = 3};
	struct v2 ours;

	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), &theirs), 0);
	CU_ASSERT_EQUAL(ours.a, 1);
	CU_ASSERT_EQUAL(ours.b, 2);
	CU_ASSERT_EQUAL(ours.c, 3);
}

static void what_an_older_caller_lacks_is_zero(void)
{
	const struct v1 theirs = {.size = sizeof(theirs), .a = 1, .b = 2};
	struct v2 ours = {.c = 7};

	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), &theirs), 0);
	CU_ASSERT_EQUAL(ours.b, 2);
	CU_ASSERT_EQUAL(ours.c, 0);
}

static void a_newer_caller_may_not_ask_for_what_we_lack(void)
{
	struct v3 theirs = {.size = sizeof(theirs), .a = 1, .b = 2, .c = 3};
	struct v2 ours;

	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), &theirs), 0);
	CU_ASSERT_EQUAL(ours.c, 3);
	theirs.d = 1;
	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), &theirs),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(ours.a, 0);
}

static void a_size_of_no_version_is_refused(void)
{
	struct v1 theirs = {.size = sizeof(theirs) - 1};
	struct v2 ours;

	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), &theirs),
			-CSG_E_USAGE);
	theirs.size = 0;
	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), &theirs),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_abi_take(&ours, sizeof(ours), sizeof(struct v1), NULL), -CSG_E_USAGE);
}

static void a_caller_gets_as_much_as_it_knows(void)
{
	const struct v2 ours = {.size = sizeof(ours), .a = 1, .b = 2, .c = 3};
	struct v3 newer;
	struct {
		struct v1 older;
		long beyond;
	} small = {.beyond = 9};

	memset(&newer, 0xff, sizeof(newer));
	CU_ASSERT_EQUAL(csg_abi_give(&newer, sizeof(newer), sizeof(struct v1), &ours, sizeof(ours)),
			0);
	CU_ASSERT_EQUAL(newer.c, 3);
	CU_ASSERT_EQUAL(newer.d, 0);
	CU_ASSERT_EQUAL(csg_abi_give(&small.older, sizeof(small.older), sizeof(struct v1), &ours,
				     sizeof(ours)),
			0);
	CU_ASSERT_EQUAL(small.older.b, 2);
	CU_ASSERT_EQUAL(small.beyond, 9);
	CU_ASSERT_EQUAL(csg_abi_give(&small, 8, sizeof(struct v1), &ours, sizeof(ours)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_abi_give(NULL, sizeof(ours), sizeof(struct v1), &ours, sizeof(ours)),
			-CSG_E_USAGE);
}

CSG_SUITE(base, abi, CSG_TEST(a_struct_of_the_same_version_is_taken_whole),
	  CSG_TEST(what_an_older_caller_lacks_is_zero),
	  CSG_TEST(a_newer_caller_may_not_ask_for_what_we_lack),
	  CSG_TEST(a_size_of_no_version_is_refused), CSG_TEST(a_caller_gets_as_much_as_it_knows));
