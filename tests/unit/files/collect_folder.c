/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/collect_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "remove_tree.h"
#include "suite.h"

static char top[] = "/tmp/csguest-folder-XXXXXX";

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

static void begin(void)
{
	strcpy(top + strlen(top) - 6, "XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(top));
}

static void what_collect_makes_is_found(void)
{
	struct csg_folder f;

	begin();
	make_file("perf.data");
	make_file("kvm-list");
	mkdir(path_of("guests"), 0700);
	CU_ASSERT_EQUAL(csg_folder_look(&f, top), 0);
	CU_ASSERT_STRING_EQUAL(f.recording, path_of("perf.data"));
	CU_ASSERT_STRING_EQUAL(f.kvm_list, path_of("kvm-list"));
	CU_ASSERT_STRING_EQUAL(f.guests, path_of("guests"));
	CU_ASSERT_PTR_NULL(f.xen_list);
	CU_ASSERT_PTR_NULL(f.dom0);
	csg_folder_fini(&f);
	remove_tree(top);
}

static void beside_a_snapshot_the_recording_is_of_dom0(void)
{
	struct csg_folder f;

	begin();
	make_file("perf.data");
	make_file("xen-list");
	make_file("xen-syms");
	mkdir(path_of("snapshot"), 0700);
	CU_ASSERT_EQUAL(csg_folder_look(&f, top), 0);
	CU_ASSERT_STRING_EQUAL(f.recording, path_of("snapshot"));
	CU_ASSERT_STRING_EQUAL(f.dom0, path_of("perf.data"));
	CU_ASSERT_STRING_EQUAL(f.xen_list, path_of("xen-list"));
	CU_ASSERT_STRING_EQUAL(f.xen_syms, path_of("xen-syms"));
	csg_folder_fini(&f);
	remove_tree(top);
}

/* Whether a folder with a perf.data and this beside it is one of csguest collect. */
static bool is_one_with(const char *name)
{
	struct csg_folder f;
	bool is;

	begin();
	make_file("perf.data");
	make_file(name);
	CU_ASSERT_EQUAL(csg_folder_look(&f, top), 0);
	is = f.recording != NULL;
	csg_folder_fini(&f);
	remove_tree(top);
	return is;
}

static void a_recording_is_no_such_folder(void)
{
	struct csg_folder f;

	CU_ASSERT(is_one_with("machine"));
	CU_ASSERT_FALSE(is_one_with("data"));
	CU_ASSERT_FALSE(is_one_with("snapshot.ini"));
	CU_ASSERT_EQUAL(csg_folder_look(&f, "/dev/null"), 0);
	CU_ASSERT_PTR_NULL(f.recording);
	csg_folder_fini(&f);
}

CSG_SUITE(files, collect_folder, CSG_TEST(what_collect_makes_is_found),
	  CSG_TEST(beside_a_snapshot_the_recording_is_of_dom0),
	  CSG_TEST(a_recording_is_no_such_folder));
