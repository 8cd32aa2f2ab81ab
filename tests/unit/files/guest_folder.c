/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/guest_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csguest/error.h"
#include "remove_tree.h"
#include "suite.h"

static char top[] = "/tmp/csguest-folder-XXXXXX";
static char seen[400];

static void make(const char *name, bool folder)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	if (folder) {
		CU_ASSERT_EQUAL(mkdir(path, 0700), 0);
		return;
	}
	f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fclose(f);
}

/* A path without the folder's. */
static const char *in(const char *path)
{
	return path ? path + strlen(top) + 1 : "-";
}

static int see(void *arg, const struct csg_guest_folder_entry *guest)
{
	snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s %s %s %s %s\n", guest->name,
		 in(guest->perf), in(guest->kallsyms), in(guest->vmlinux), in(guest->root));
	return *(const int *)arg;
}

static void count(void *arg, const struct csg_diag *diag)
{
	unsigned int *n = arg;

	*n += diag->severity == CSG_WARNING;
}

static void begin(void)
{
	strcpy(top + strlen(top) - 6, "XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
	seen[0] = 0;
}

static void each_recording_is_a_guest_with_its_files(void)
{
	unsigned int warnings = 0;
	const struct csg_diag_sink sink = {.report = count, .arg = &warnings};
	int go_on = 0;

	begin();
	make("web.perf.data", false);
	make("app", true);
	make("app/data", false);
	make("ci", true);
	make("ci/perf.data", false);
	make("ci/kallsyms", false);
	make("ci/root", true);
	make("notes", true);
	make(".hidden", false);
	CU_ASSERT_EQUAL(csg_guest_folder_each(top, &sink, see, &go_on), 0);
	CU_ASSERT_STRING_EQUAL(seen, "app app - - -\nci ci/perf.data ci/kallsyms - ci/root\n"
				     "web web.perf.data - - -\n");
	CU_ASSERT_EQUAL(warnings, 1);
	remove_tree(top);
}

static void it_ends_where_it_is_told_to(void)
{
	int stop = 7;

	begin();
	make("a", false);
	make("b", false);
	CU_ASSERT_EQUAL(csg_guest_folder_each(top, NULL, see, &stop), 7);
	CU_ASSERT_STRING_EQUAL(seen, "a a - - -\n");
	remove_tree(top);
	CU_ASSERT_EQUAL(csg_guest_folder_each(top, NULL, see, &stop), -CSG_E_NOT_FOUND);
}

CSG_SUITE(files, guest_folder, CSG_TEST(each_recording_is_a_guest_with_its_files),
	  CSG_TEST(it_ends_where_it_is_told_to));
