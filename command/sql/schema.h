/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables of csguest export --sqlite, as csguest-sqlite(5) documents them.
 *
 * A version may get tables, and columns at the end of a table; any other change is a new schema
 * version.
 */
#ifndef COMMAND_SQL_SCHEMA_H
#define COMMAND_SQL_SCHEMA_H

/* PRAGMA user_version, and meta.schema. */
#define CSG_SQL_SCHEMA_VERSION 1

/* PRAGMA application_id: "csgu". */
#define CSG_SQL_APPLICATION 0x63736775

/* X(NAME, name, columns) */
#define CSG_SQL_TABLES(X)                                                                          \
	X(META, "meta", 2)                                                                         \
	X(STREAM, "stream", 5)                                                                     \
	X(VM, "vm", 2)                                                                             \
	X(VCPU, "vcpu", 3)                                                                         \
	X(OWNER, "owner", 15)                                                                      \
	X(SEGMENT, "segment", 8)                                                                   \
	X(EXIT, "exit", 11)                                                                        \
	X(SYMBOL, "symbol", 3)                                                                     \
	X(COUNTED, "counted", 7)                                                                   \
	X(CALL, "call", 11)                                                                        \
	X(SWITCH, "switch", 9)                                                                     \
	X(STATE, "state", 6)                                                                       \
	X(RAN_INSTEAD, "ran_instead", 4)                                                           \
	X(LOSS, "loss", 3)                                                                         \
	X(MISSING, "missing", 5)

enum csg_sql_table {
#define CSG_SQL_TABLE_ENUM(name, text, columns) CSG_SQL_##name,
	CSG_SQL_TABLES(CSG_SQL_TABLE_ENUM)
#undef CSG_SQL_TABLE_ENUM
		CSG_SQL_TABLE_COUNT
};

/* The statements that make them. */
const char *csg_sql_schema(void);

const char *csg_sql_table_name(enum csg_sql_table table);
unsigned int csg_sql_table_columns(enum csg_sql_table table);

#endif
