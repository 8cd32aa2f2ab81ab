/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guest_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csguest/error.h"
#include "remove_tree.h"
#include "suite.h"

static char top[] = "/tmp/csguest-guests-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return path;
}

static void make_file(const char *name)
{
	FILE *f = fopen(path_of(name), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fclose(f);
}

static void make_folder(const char *name)
{
	CU_ASSERT_EQUAL(mkdir(path_of(name), 0700), 0);
}

static void begin(void)
{
	strcpy(top + strlen(top) - 6, "XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
}

/* Warnings are counted. */
static void count(void *arg, const struct csg_diag *diag)
{
	unsigned int *n = arg;

	*n += diag->severity == CSG_WARNING;
}

static void each_entry_is_a_guest_in_the_order_of_names(void)
{
	struct csg_guest_list list = {.command = "test"};

	begin();
	make_file("web.data");
	make_file("db");
	make_folder("app");
	make_file("app/data");
	make_folder("ci");
	make_file("ci/perf.data");
	make_file("ci/kallsyms");
	make_folder("ci/root");
	make_file(".hidden");
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, top, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 4);
	CU_ASSERT_STRING_EQUAL(list.guests[0].name, "app");
	CU_ASSERT_STRING_EQUAL(list.guests[0].perf, path_of("app"));
	CU_ASSERT_STRING_EQUAL(list.guests[1].name, "ci");
	CU_ASSERT_STRING_EQUAL(list.guests[1].perf, path_of("ci/perf.data"));
	CU_ASSERT_STRING_EQUAL(list.guests[1].files.kallsyms, path_of("ci/kallsyms"));
	CU_ASSERT_STRING_EQUAL(list.guests[1].files.root, path_of("ci/root"));
	CU_ASSERT_PTR_NULL(list.guests[1].files.vmlinux);
	CU_ASSERT_STRING_EQUAL(list.guests[2].name, "db");
	CU_ASSERT_STRING_EQUAL(list.guests[3].name, "web");
	CU_ASSERT_STRING_EQUAL(list.guests[3].perf, path_of("web.data"));
	csg_guest_list_fini(&list);
	remove_tree(top);
}

static void a_guest_that_was_named_gets_what_was_not_said(void)
{
	struct csg_guest_list list = {.command = "test"};

	begin();
	make_file("web.data");
	make_file("db");
	CU_ASSERT_EQUAL(csg_guest_option(&list, "web,pid=5"), 0);
	CU_ASSERT_EQUAL(csg_guest_option(&list, "db,perf=mine"), 0);
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, top, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 2);
	CU_ASSERT_EQUAL(list.guests[0].pid, 5);
	CU_ASSERT_STRING_EQUAL(list.guests[0].perf, path_of("web.data"));
	CU_ASSERT_STRING_EQUAL(list.guests[1].perf, "mine");
	csg_guest_list_fini(&list);
	remove_tree(top);
}

static void what_is_no_recording_is_reported(void)
{
	struct csg_guest_list list = {.command = "test"};
	unsigned int warnings = 0;
	const struct csg_diag_sink sink = {.report = count, .arg = &warnings};

	begin();
	make_folder("notes");
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, top, &sink), 0);
	CU_ASSERT_EQUAL(list.count, 0);
	CU_ASSERT_EQUAL(warnings, 1);
	remove_tree(top);
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, top, &sink), -CSG_E_NOT_FOUND);
	csg_guest_list_fini(&list);
}

CSG_SUITE(cli, guest_folder, CSG_TEST(each_entry_is_a_guest_in_the_order_of_names),
	  CSG_TEST(a_guest_that_was_named_gets_what_was_not_said),
	  CSG_TEST(what_is_no_recording_is_reported));
