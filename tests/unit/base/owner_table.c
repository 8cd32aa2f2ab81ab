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

static void owners_are_read_as_they_were_written(void)
{
	struct csg_owner_table table;
	struct csg_owner guest = CSG_OWNER_UNKNOWN, owner;
	struct csg_pack pack = {0};
	struct csg_unpack u;

	guest.world = CSG_WORLD_GUEST;
	guest.privilege = CSG_USER;
	guest.vm = guest.host_process = INT32_MAX;
	guest.vcpu = 3;
	guest.pid = guest.tid = 4711;
	guest.host_tid = INT32_MIN;
	guest.evidence = UINT32_MAX;
	guest.level = 1;
	CU_ASSERT_EQUAL_FATAL(csg_owner_table_init(&table), 0);
	CU_ASSERT_EQUAL(csg_owner_table_number(&table, &guest), 1);
	csg_owner_table_pack(&table, &pack);
	u = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	CU_ASSERT_EQUAL(csg_unpack_count(&u, CSG_OWNER_PACKED), 2);
	CU_ASSERT(csg_owner_unpack(&u, &owner) && csg_owner_equal(&owner, &CSG_OWNER_UNKNOWN));
	CU_ASSERT(csg_owner_unpack(&u, &owner) && csg_owner_equal(&owner, &guest));
	CU_ASSERT_EQUAL(csg_unpack_end(&u), 0);
	CU_ASSERT(!csg_owner_unpack(&u, &owner));
	/* A world that there is not. */
	pack.bytes[8] = CSG_WORLD_COUNT;
	u = (struct csg_unpack){.at = pack.bytes + 8, .end = pack.bytes + pack.n};
	CU_ASSERT(!csg_owner_unpack(&u, &owner));
	csg_pack_fini(&pack);
	csg_owner_table_fini(&table);
}

CSG_SUITE(base, owner_table, CSG_TEST(number_0_is_the_unknown_owner),
	  CSG_TEST(equal_owners_share_a_number_through_growth),
	  CSG_TEST(every_field_tells_owners_apart), CSG_TEST(owners_are_read_as_they_were_written));
