/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/rows.h"

#include "csguest/error.h"
#include "sql/database.h"

static void what_is_not_known_is_null(void)
{
	database_begin();
	csg_rows_begin(&database, CSG_SQL_VM);
	csg_rows_int(&database, 136);
	csg_rows_text(&database, NULL);
	csg_rows_end(&database);
	csg_rows_begin(&database, CSG_SQL_VCPU);
	csg_rows_known(&database, 7, true);
	csg_rows_known(&database, 8, false);
	csg_rows_null(&database);
	csg_rows_end(&database);
	database_end();
	CU_ASSERT_STRING_EQUAL(database_ask("select * from vm"), "136|-");
	CU_ASSERT_STRING_EQUAL(database_ask("select * from vcpu"), "7|-|-");
	CU_ASSERT_STRING_EQUAL(database_ask("pragma user_version"), "1");
	CU_ASSERT_STRING_EQUAL(database_ask("pragma integrity_check"), "ok");
	database_drop();
}

static void the_first_error_latches(void)
{
	int failed;

	database_begin();
	csg_rows_no_memory(&database);
	csg_rows_begin(&database, CSG_SQL_VM);
	csg_rows_int(&database, 136);
	csg_rows_end(&database);
	CU_ASSERT_EQUAL(csg_rows_close(&database, &failed), -CSG_E_NO_MEMORY);
	CU_ASSERT_EQUAL(failed, 0);
	database_drop();
}

static void a_key_comes_once(void)
{
	int failed;

	database_begin();
	for (int i = 0; i < 2; i++) {
		csg_rows_begin(&database, CSG_SQL_VM);
		csg_rows_int(&database, 136);
		csg_rows_end(&database);
	}
	CU_ASSERT_EQUAL(csg_rows_close(&database, &failed), -CSG_E_IO);
	database_drop();
}

static void text_is_utf8_without_control_characters(void)
{
	database_begin();
	csg_rows_begin(&database, CSG_SQL_VM);
	csg_rows_int(&database, 136);
	csg_rows_text(&database, "=q\x1b[2J\xc2\x9b<\xc3\xa9\xc3");
	csg_rows_end(&database);
	database_end();
	CU_ASSERT_STRING_EQUAL(database_ask("select * from vm"),
			       "136|=q?[2J?<\xc3\xa9\xef\xbf\xbd");
	database_drop();
}

CSG_SUITE(sql, rows, CSG_TEST(what_is_not_known_is_null), CSG_TEST(the_first_error_latches),
	  CSG_TEST(a_key_comes_once), CSG_TEST(text_is_utf8_without_control_characters));
