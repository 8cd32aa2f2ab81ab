/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs every unit test suite, or those whose "room/file" or "room/folder/file" begins with an
 * argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

extern const CU_SuiteInfo *const csg_suites[];

/* The suite of room/folder/file is named room_folder/file. */
static int begins_with(const char *name, const char *path)
{
	while (*path && (*name == *path || (*name == '_' && *path == '/'))) {
		name++;
		path++;
	}
	return !*path;
}

static int wanted(const char *name, int argc, char **argv)
{
	if (argc < 2)
		return 1;
	for (int i = 1; i < argc; i++)
		if (begins_with(name, argv[i]))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int run, failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	for (const CU_SuiteInfo *const *s = csg_suites; *s; s++) {
		CU_SuiteInfo one[] = {**s, CU_SUITE_INFO_NULL};

		if (wanted((*s)->pName, argc, argv) && CU_register_suites(one) != CUE_SUCCESS) {
			fprintf(stderr, "%s: %s\n", (*s)->pName, CU_get_error_msg());
			return 1;
		}
	}
	CU_basic_set_mode(CU_BRM_SILENT);
	CU_basic_run_tests();
	run = CU_get_number_of_tests_run();
	failed = CU_get_number_of_tests_failed() + CU_get_number_of_suites_failed();
	if (failed)
		CU_basic_show_failures(CU_get_failure_list());
	printf("\nunit: %u passed, %u failed, 0 skipped\n", run - failed, failed);
	CU_cleanup_registry();
	return failed || !run;
}
