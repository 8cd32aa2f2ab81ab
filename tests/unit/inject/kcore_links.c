/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/kcore_links.h"

#include <errno.h>
#include <sys/stat.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

static char path[3][128];

static void begin(struct pb_dir *dir)
{
	pb_dir_make(dir);
	snprintf(path[0], sizeof(path[0]), "%s/in", dir->path);
	snprintf(path[1], sizeof(path[1]), "%s/in/kcore_dir__42", dir->path);
	snprintf(path[2], sizeof(path[2]), "%s/out", dir->path);
	CU_ASSERT_EQUAL(mkdir(path[0], 0700), 0);
}

static void a_directory_gets_links_to_the_kernels(void)
{
	struct pb_dir dir;
	char file[160];

	begin(&dir);
	CU_ASSERT(!csg_kcore_links_needed(path[0]));
	CU_ASSERT_EQUAL(mkdir(path[1], 0700), 0);
	pb_write_text(&dir, "in/kcore_dir__42/kallsyms", "text");
	pb_write_text(&dir, "in/data", "data");
	CU_ASSERT(csg_kcore_links_needed(path[0]));
	CU_ASSERT_EQUAL(mkdir(path[2], 0700), 0);
	CU_ASSERT_EQUAL_FATAL(csg_kcore_links_make(path[2], path[0]), 0);
	snprintf(file, sizeof(file), "%s/kcore_dir__42/kallsyms", path[2]);
	CU_ASSERT_EQUAL(access(file, R_OK), 0);
	snprintf(file, sizeof(file), "%s/data", path[2]);
	CU_ASSERT_EQUAL(access(file, R_OK), -1);
	pb_dir_remove(&dir);
}

static void a_directory_that_is_not_there_is_an_error(void)
{
	struct pb_dir dir;

	begin(&dir);
	CU_ASSERT_EQUAL(mkdir(path[1], 0700), 0);
	CU_ASSERT_EQUAL(csg_kcore_links_make("/nowhere/out", path[0]), -CSG_E_IO);
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_EQUAL(csg_kcore_links_make(path[0], "/nowhere"), -CSG_E_IO);
	CU_ASSERT(!csg_kcore_links_needed("/nowhere"));
	pb_dir_remove(&dir);
}

CSG_SUITE(inject, kcore_links, CSG_TEST(a_directory_gets_links_to_the_kernels),
	  CSG_TEST(a_directory_that_is_not_there_is_an_error));
