/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/database.h"
#include "sql/schema.h"

static void every_table_has_as_many_columns_as_are_written(void)
{
	char sql[128], columns[16];

	database_begin();
	database_end();
	for (int i = 0; i < CSG_SQL_TABLE_COUNT; i++) {
		enum csg_sql_table table = (enum csg_sql_table)i;

		snprintf(sql, sizeof(sql), "select count(*) from pragma_table_info('%s')",
			 csg_sql_table_name(table));
		snprintf(columns, sizeof(columns), "%u", csg_sql_table_columns(table));
		CU_ASSERT_STRING_EQUAL(database_ask(sql), columns);
	}
	snprintf(columns, sizeof(columns), "%d", CSG_SQL_TABLE_COUNT);
	CU_ASSERT_STRING_EQUAL(
		database_ask("select count(*) from sqlite_master where type = 'table'"), columns);
	database_drop();
}

static void the_text_of_a_table_explains_it(void)
{
	CU_ASSERT_PTR_NOT_NULL(strstr(csg_sql_schema(), "-- who ran, as far as it is known"));
}

CSG_SUITE(sql, schema, CSG_TEST(every_table_has_as_many_columns_as_are_written),
	  CSG_TEST(the_text_of_a_table_explains_it));
