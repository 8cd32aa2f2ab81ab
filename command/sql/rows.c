/* SPDX-License-Identifier: BSD-3-Clause */
#include "sql/rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "text/escape.h"

/* The file is dropped unless all of it is written: it needs no journal. */
#define SETTINGS                                                                                   \
	"PRAGMA page_size=8192; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "                 \
	"PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32768; "

static void check(struct csg_rows *r, int code)
{
	if (r->error || code == SQLITE_OK || code == SQLITE_DONE)
		return;
	r->error = (code & 0xff) == SQLITE_NOMEM ? -CSG_E_NO_MEMORY : -CSG_E_IO;
}

static void run(struct csg_rows *r, const char *sql)
{
	if (!r->error)
		check(r, sqlite3_exec(r->db, sql, NULL, NULL, NULL));
}

static void prepare(struct csg_rows *r, enum csg_sql_table table)
{
	unsigned int columns = csg_sql_table_columns(table);
	char sql[128];
	int n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES(?", csg_sql_table_name(table));

	while (--columns)
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ",?");
	snprintf(sql + n, sizeof(sql) - (size_t)n, ")");
	if (!r->error)
		check(r, sqlite3_prepare_v2(r->db, sql, -1, &r->insert[table], NULL));
}

void csg_rows_open(struct csg_rows *r, int fd)
{
	char version[96];

	memset(r, 0, sizeof(*r));
	check(r, csg_file_vfs_init(&r->vfs, fd));
	if (r->error)
		return;
	check(r, sqlite3_open_v2("csguest", &r->db,
				 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
				 r->vfs.name));
	snprintf(version, sizeof(version), "PRAGMA application_id=%d; PRAGMA user_version=%d",
		 CSG_SQL_APPLICATION, CSG_SQL_SCHEMA_VERSION);
	run(r, SETTINGS);
	run(r, version);
	run(r, "BEGIN");
	run(r, csg_sql_schema());
	for (int i = 0; i < CSG_SQL_TABLE_COUNT; i++)
		prepare(r, (enum csg_sql_table)i);
}

void csg_rows_begin(struct csg_rows *r, enum csg_sql_table table)
{
	r->now = r->error ? NULL : r->insert[table];
	r->column = 0;
}

void csg_rows_int(struct csg_rows *r, int64_t n)
{
	if (r->now)
		check(r, sqlite3_bind_int64(r->now, ++r->column, n));
}

void csg_rows_null(struct csg_rows *r)
{
	if (r->now)
		check(r, sqlite3_bind_null(r->now, ++r->column));
}

void csg_rows_known(struct csg_rows *r, int64_t n, bool known)
{
	if (known)
		csg_rows_int(r, n);
	else
		csg_rows_null(r);
}

void csg_rows_text(struct csg_rows *r, const char *text)
{
	char *clean;

	if (!r->now)
		return;
	if (!text || csg_escape_is_clean(text)) {
		check(r, sqlite3_bind_text(r->now, ++r->column, text, -1, SQLITE_TRANSIENT));
		return;
	}
	clean = malloc(3 * strlen(text) + 1);
	if (!clean) {
		csg_rows_no_memory(r);
		return;
	}
	csg_escape_database(text, clean);
	check(r, sqlite3_bind_text(r->now, ++r->column, clean, -1, free));
}

void csg_rows_end(struct csg_rows *r)
{
	if (!r->now)
		return;
	check(r, sqlite3_step(r->now));
	sqlite3_reset(r->now);
	r->now = NULL;
}

void csg_rows_no_memory(struct csg_rows *r)
{
	check(r, SQLITE_NOMEM);
}

int csg_rows_close(struct csg_rows *r, int *write_error)
{
	int err;

	for (int i = 0; i < CSG_SQL_TABLE_COUNT; i++)
		sqlite3_finalize(r->insert[i]);
	if (r->db)
		run(r, "COMMIT");
	check(r, sqlite3_close(r->db));
	err = r->error;
	*write_error = r->vfs.error;
	csg_file_vfs_fini(&r->vfs);
	memset(r, 0, sizeof(*r));
	return err;
}
