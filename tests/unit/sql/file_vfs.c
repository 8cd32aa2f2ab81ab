/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>

#include "sql/database.h"
#include "sql/file_vfs.h"

static int run(int fd, const char *sql, int *error)
{
	struct csg_file_vfs vfs;
	sqlite3 *db = NULL;
	int err;

	CU_ASSERT_EQUAL_FATAL(csg_file_vfs_init(&vfs, fd), SQLITE_OK);
	sqlite3_open_v2("any name", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs.name);
	err = sqlite3_exec(db, sql, NULL, NULL, NULL);
	sqlite3_close(db);
	*error = vfs.error;
	csg_file_vfs_fini(&vfs);
	return err;
}

static void a_database_lies_in_a_file_without_a_name(void)
{
	int error;

	database_fd = memfd_create("vfs", 0);
	CU_ASSERT_EQUAL(run(database_fd,
			    "pragma journal_mode=off; create table t(a); "
			    "insert into t values(7)",
			    &error),
			SQLITE_OK);
	CU_ASSERT_EQUAL(error, 0);
	CU_ASSERT_STRING_EQUAL(database_ask("select a from t"), "7");
	database_drop();
}

static void the_first_write_that_fails_says_why(void)
{
	int error, fd = open("/dev/full", O_RDWR);

	if (fd < 0)
		return;
	CU_ASSERT_NOT_EQUAL(run(fd, "pragma journal_mode=off; create table t(a)", &error),
			    SQLITE_OK);
	CU_ASSERT_EQUAL(error, ENOSPC);
	close(fd);
}

static void nothing_is_left_of_one_that_was_never_begun(void)
{
	struct csg_file_vfs vfs = {0};

	csg_file_vfs_fini(&vfs);
	CU_ASSERT_PTR_NULL(sqlite3_vfs_find("csguest-7"));
}

CSG_SUITE(sql, file_vfs, CSG_TEST(a_database_lies_in_a_file_without_a_name),
	  CSG_TEST(the_first_write_that_fails_says_why),
	  CSG_TEST(nothing_is_left_of_one_that_was_never_begun));
