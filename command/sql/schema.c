/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/schema.h"

/* schema_page.sql */
static const unsigned char schema_text[] = {
#include "sql/schema_page.inc"
	0};

const char *csg_sql_schema(void)
{
	return (const char *)schema_text;
}

static const struct {
	const char *name;
	unsigned int columns;
} tables[] = {
#define TABLE(name, text, columns) {text, columns},
	CSG_SQL_TABLES(TABLE)
#undef TABLE
};

const char *csg_sql_table_name(enum csg_sql_table table)
{
	return tables[table].name;
}

unsigned int csg_sql_table_columns(enum csg_sql_table table)
{
	return tables[table].columns;
}
