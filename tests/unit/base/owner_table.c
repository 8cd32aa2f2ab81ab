/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/owner_table.h"
#include "suite.h"

static struct csg_owner thread(int32_t tid)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = CSG_WORLD_HOST;
	owner.tid = tid;
	return owner;
}

static void number_0_is_the_unknown_owner(void)
{
	struct csg_owner_table table;

	CU_ASSERT_EQUAL_FATAL(csg_owner_table_init(&table), 0);
	CU_ASSERT(csg_owner_equal(csg_owner_table_get(&table, 0), &CSG_OWNER_UNKNOWN));
	CU_ASSERT_EQUAL(csg_owner_table_number(&table, &CSG_OWNER_UNKNOWN), 0);
	CU_ASSERT(csg_owner_equal(csg_owner_table_get(&table, 99), &CSG_OWNER_UNKNOWN));
	csg_owner_table_fini(&table);
}

static void equal_owners_share_a_number_through_growth(void)
{
	struct csg_owner_table table;

	CU_ASSERT_EQUAL_FATAL(csg_owner_table_init(&table), 0);
	for (int round = 0; round < 2; round++)
		for (int32_t tid = 1; tid <= 1000; tid++) {
			struct csg_owner owner = thread(tid);

			CU_ASSERT_EQUAL(csg_owner_table_number(&table, &owner), tid);
			CU_ASSERT_EQUAL(csg_owner_table_get(&table, (uint32_t)tid)->tid, tid);
		}
	CU_ASSERT_EQUAL(table.count, 1001);
	csg_owner_table_fini(&table);
}

static void every_field_tells_owners_apart(void)
{
	struct csg_owner base = thread(1);

#define DIFFERS(field)                                                                             \
	do {                                                                                       \
		struct csg_owner other = base;                                                     \
		other.field ^= 1;                                                                  \
		CU_ASSERT_FALSE(csg_owner_equal(&base, &other));                                   \
	} while (0)
	DIFFERS(world);
	DIFFERS(privilege);
	DIFFERS(reason);
	DIFFERS(el);
	DIFFERS(evidence);
	DIFFERS(vm);
	DIFFERS(vcpu);
	DIFFERS(pid);
	DIFFERS(tid);
	DIFFERS(host_tid);
#undef DIFFERS
	CU_ASSERT(csg_owner_equal(&base, &base));
}

CSG_SUITE(base, owner_table, CSG_TEST(number_0_is_the_unknown_owner),
	  CSG_TEST(equal_owners_share_a_number_through_growth),
	  CSG_TEST(every_field_tells_owners_apart));
