/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/spill.h"

#include <dirent.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static void the_file_has_no_name(void)
{
	struct pb_dir dir;
	char byte = 0;
	int fd;

	pb_dir_make(&dir);
	fd = csg_spill_open(dir.path);
	CU_ASSERT(fd >= 0);
	CU_ASSERT_EQUAL(entries(dir.path), 0);
	CU_ASSERT_EQUAL(write(fd, "x", 1), 1);
	CU_ASSERT_EQUAL(pread(fd, &byte, 1, 0), 1);
	CU_ASSERT_EQUAL(byte, 'x');
	close(fd);
	pb_dir_remove(&dir);
}

static void the_users_tmpdir_is_used(void)
{
	const char *was = getenv("TMPDIR");
	char *kept = was ? strdup(was) : NULL;

	setenv("TMPDIR", "/nowhere", 1);
	CU_ASSERT_EQUAL(csg_spill_open(NULL), -CSG_E_IO);
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	free(kept);
}

CSG_SUITE(util, spill, CSG_TEST(the_file_has_no_name), CSG_TEST(the_users_tmpdir_is_used));
