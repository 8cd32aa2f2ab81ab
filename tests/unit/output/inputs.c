/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remove_tree.h"
#include "suite.h"

static char dir[64];

static void make(const char *name)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fclose(f);
}

static const char *find(const struct csg_inputs *inputs, const char *name)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	CU_ASSERT_EQUAL_FATAL(stat(path, &st), 0);
	return csg_inputs_find(inputs, &st);
}

static void add(struct csg_inputs *inputs, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	CU_ASSERT_EQUAL(csg_inputs_add(inputs, path), 0);
}

static void begin(void)
{
	char path[128];

	strcpy(dir, "/tmp/csguest-inputs-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/rec", dir);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/rec/kcore_dir", dir);
	CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
	make("one");
	make("two");
	make("rec/data");
	make("rec/kcore_dir/kcore");
}

static void a_file_is_found_by_any_of_its_names(void)
{
	struct csg_inputs inputs = {0};
	char one[128], link[128], hard[128];

	begin();
	snprintf(one, sizeof(one), "%s/one", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(hard, sizeof(hard), "%s/hard", dir);
	CU_ASSERT_EQUAL(symlink("one", link), 0);
	add(&inputs, "link");
	CU_ASSERT_STRING_EQUAL(find(&inputs, "one"), link);
	CU_ASSERT_EQUAL(rename(one, hard), 0);
	CU_ASSERT_PTR_NOT_NULL(find(&inputs, "hard"));
	CU_ASSERT_PTR_NULL(find(&inputs, "two"));
	csg_inputs_fini(&inputs);
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

static void all_files_of_a_directory_are_inputs(void)
{
	struct csg_inputs inputs = {0};

	begin();
	add(&inputs, "rec");
	CU_ASSERT_PTR_NOT_NULL(find(&inputs, "rec/data"));
	CU_ASSERT_PTR_NOT_NULL(find(&inputs, "rec/kcore_dir/kcore"));
	CU_ASSERT_PTR_NULL(find(&inputs, "one"));
	csg_inputs_fini(&inputs);
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

static void what_is_not_there_is_no_input(void)
{
	struct csg_inputs inputs = {0};

	CU_ASSERT_EQUAL(csg_inputs_add(&inputs, NULL), 0);
	CU_ASSERT_EQUAL(csg_inputs_add(&inputs, "/nowhere/file"), 0);
	CU_ASSERT_EQUAL(inputs.count, 0);
}

static void a_device_that_only_takes_bytes_is_never_found(void)
{
	struct csg_inputs inputs = {0};
	struct stat st;

	CU_ASSERT_EQUAL(csg_inputs_add(&inputs, "/dev/null"), 0);
	CU_ASSERT_EQUAL(inputs.count, 1);
	CU_ASSERT_EQUAL_FATAL(stat("/dev/null", &st), 0);
	CU_ASSERT_PTR_NULL(csg_inputs_find(&inputs, &st));
	csg_inputs_fini(&inputs);
}

static void a_dash_is_standard_input(void)
{
	struct csg_inputs inputs = {0};
	int before = dup(STDIN_FILENO);
	char path[128];
	FILE *f;

	begin();
	snprintf(path, sizeof(path), "%s/one", dir);
	f = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT(dup2(fileno(f), STDIN_FILENO) >= 0);
	CU_ASSERT_EQUAL(csg_inputs_add(&inputs, "-"), 0);
	CU_ASSERT_STRING_EQUAL(find(&inputs, "one"), "standard input");
	fclose(f);
	dup2(before, STDIN_FILENO);
	close(before);
	csg_inputs_fini(&inputs);
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

CSG_SUITE(output, inputs, CSG_TEST(a_file_is_found_by_any_of_its_names),
	  CSG_TEST(all_files_of_a_directory_are_inputs), CSG_TEST(what_is_not_there_is_no_input),
	  CSG_TEST(a_device_that_only_takes_bytes_is_never_found),
	  CSG_TEST(a_dash_is_standard_input));
