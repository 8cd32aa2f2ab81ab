/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of an SQLite database that is made from nothing: one transaction, a prepared statement for
 * each table.
 *
 *	csg_rows_begin(rows, CSG_SQL_VM);
 *	csg_rows_int(rows, 136);
 *	csg_rows_text(rows, NULL);
 *	csg_rows_end(rows);
 *
 * The first error latches: what comes after does nothing, and csg_rows_close() returns it.
 */
#ifndef COMMAND_SQL_ROWS_H
#define COMMAND_SQL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "sql/file_vfs.h"
#include "sql/schema.h"

struct csg_rows {
	struct csg_file_vfs vfs;
	sqlite3 *db;
	sqlite3_stmt *insert[CSG_SQL_TABLE_COUNT];
	sqlite3_stmt *now; /* whose row is being made */
	int column;	   /* its last that has a value */
	int error;	   /* 0, -CSG_E_NO_MEMORY or -CSG_E_IO */
};

/* Begins a database in fd, an empty file.  *rows may not move until csg_rows_close(). */
void csg_rows_open(struct csg_rows *rows, int fd);

void csg_rows_begin(struct csg_rows *rows, enum csg_sql_table table);
/* The next columns of the row.  Text may be NULL, which is NULL. */
void csg_rows_int(struct csg_rows *rows, int64_t n);
void csg_rows_null(struct csg_rows *rows);
void csg_rows_known(struct csg_rows *rows, int64_t n, bool known);
void csg_rows_text(struct csg_rows *rows, const char *text);
void csg_rows_end(struct csg_rows *rows);

/* Memory for a row ran out elsewhere. */
void csg_rows_no_memory(struct csg_rows *rows);

/*
 * Ends transaction and database; the file is whole where this returns 0.  *write_error gets errno
 * of a write that failed, or 0.  -CSG_E_NO_MEMORY, -CSG_E_IO; not reported.  All zero: does
 * nothing.
 */
int csg_rows_close(struct csg_rows *rows, int *write_error);

#endif
