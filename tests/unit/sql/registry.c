/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/registry.h"

#include "fixture.h"
#include "lookup/lookup_session.h"
#include "sql/database.h"

static void what_others_refer_to_has_a_row(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_lookup lookup = csg_lookup_session(session);
	char n[16];

	fixture_drain(session);
	database_begin();
	csg_registry_write(session, &lookup, &database);
	database_end();
	snprintf(n, sizeof(n), "%zu", csg_session_stream_count(session));
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) from stream"), n);
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) > 3 from owner"), "1");
	CU_ASSERT_STRING_EQUAL(database_ask("select count(distinct vm) from vcpu"), "1");
	/* No owner refers to a VM that is not there. */
	CU_ASSERT_STRING_EQUAL(database_ask("select count(*) from owner left join vm on vm.id = "
					    "owner.vm where owner.vm > 0 and vm.id is null"),
			       "0");
	CU_ASSERT_STRING_EQUAL(
		database_ask("select count(*) from owner where world = 'host' and vm <> 0"), "0");
	database_drop();
	csg_session_close(session);
}

static void a_privilege_has_a_name_where_it_is_known(void)
{
	CU_ASSERT_STRING_EQUAL(csg_registry_privilege(CSG_USER), "user");
	CU_ASSERT_PTR_NULL(csg_registry_privilege(CSG_PRIVILEGE_UNKNOWN));
}

CSG_SUITE(sql, registry, CSG_TEST(what_others_refer_to_has_a_row),
	  CSG_TEST(a_privilege_has_a_name_where_it_is_known));
