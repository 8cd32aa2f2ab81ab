/* SPDX-License-Identifier: BSD-3-Clause */
/* A database in memory that a test writes, and reads back with SQL. */
#ifndef TESTS_UNIT_SQL_DATABASE_H
#define TESTS_UNIT_SQL_DATABASE_H

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "suite.h"
#include "sql/rows.h"

static struct csg_rows database;
static int database_fd = -1;

static inline void database_begin(void)
{
	database_fd = memfd_create("database", 0);
	csg_rows_open(&database, database_fd);
	CU_ASSERT_EQUAL_FATAL(database.error, 0);
}

static inline void database_end(void)
{
	int failed;

	CU_ASSERT_EQUAL(csg_rows_close(&database, &failed), 0);
	CU_ASSERT_EQUAL(failed, 0);
}

/* The answer of a finished one: columns by "|", rows by " ; ".  Valid until the next question. */
static inline const char *database_ask(const char *sql)
{
	static char text[2048];
	struct csg_file_vfs vfs;
	sqlite3 *db = NULL;
	sqlite3_stmt *statement = NULL;
	size_t n = 0;

	text[0] = 0;
	CU_ASSERT_EQUAL(csg_file_vfs_init(&vfs, database_fd), SQLITE_OK);
	CU_ASSERT_EQUAL(sqlite3_open_v2("database", &db, SQLITE_OPEN_READWRITE, vfs.name), 0);
	CU_ASSERT_EQUAL(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	while (sqlite3_step(statement) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(statement); i++) {
			const char *value = (const char *)sqlite3_column_text(statement, i);

			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
					      i	  ? "|"
					      : n ? " ; "
						  : "",
					      value ? value : "-");
		}
	sqlite3_finalize(statement);
	sqlite3_close(db);
	csg_file_vfs_fini(&vfs);
	return text;
}

static inline void database_drop(void)
{
	close(database_fd);
	database_fd = -1;
}

#endif
