/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/directory.h"

#include <sys/stat.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

static void parts_come_in_the_order_of_their_numbers(void)
{
	static const char *const names[] = {"data.10", "data.2",  "data.0",    "data",
					    "data.x",  "data.1x", "metadata.3"};
	struct pb_dir dir;
	unsigned long *parts;
	char path[128];

	pb_dir_make(&dir);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		pb_write(&dir, names[i], "", 0);
	snprintf(path, sizeof(path), "%s/data.5", dir.path);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	CU_ASSERT_EQUAL_FATAL(csg_directory_parts(dir.path, &parts), 3);
	CU_ASSERT_EQUAL(parts[0], 0);
	CU_ASSERT_EQUAL(parts[1], 2);
	CU_ASSERT_EQUAL(parts[2], 10);
	free(parts);
	CU_ASSERT(csg_directory_has(dir.path, "data"));
	CU_ASSERT(!csg_directory_has(dir.path, "data.5"));
	CU_ASSERT(!csg_directory_has(dir.path, "data.7"));
	pb_dir_remove(&dir);
	CU_ASSERT_EQUAL(csg_directory_parts(dir.path, &parts), -CSG_E_IO);
}

static void names_are_joined(void)
{
	char *path = csg_directory_join("a/b", "c");

	CU_ASSERT_STRING_EQUAL(path, "a/b/c");
	free(path);
}

CSG_SUITE(recording_perf, directory, CSG_TEST(parts_come_in_the_order_of_their_numbers),
	  CSG_TEST(names_are_joined));
