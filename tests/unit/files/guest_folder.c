/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/guest_folder.h"

#include "csguest/error.h"
#include "scratch.h"
#include "suite.h"

static void each_recording_is_a_guest_with_its_files(void)
{
	struct csg_guest_list list = {.command = "test"};
	const struct csg_guest_files *g;
	struct scratch s;

	scratch_begin(&s);
	scratch_text(&s, "web.data", "");
	scratch_text(&s, "vpn.perf.data", "");
	scratch_text(&s, "db", "");
	scratch_text(&s, "app/data", "");
	scratch_text(&s, "ci/perf.data", "");
	scratch_text(&s, "ci/kallsyms", "");
	scratch_text(&s, "ci/root/init", "");
	scratch_text(&s, ".hidden", "");
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, s.dir, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 5);
	g = list.guests;
	CU_ASSERT_STRING_EQUAL(g[0].name, "app");
	CU_ASSERT(scratch_is_at(&s, g[0].perf, "app"));
	CU_ASSERT_PTR_NULL(g[0].files.kallsyms);
	CU_ASSERT_STRING_EQUAL(g[1].name, "ci");
	CU_ASSERT(scratch_is_at(&s, g[1].perf, "ci/perf.data"));
	CU_ASSERT(scratch_is_at(&s, g[1].files.kallsyms, "ci/kallsyms"));
	CU_ASSERT(scratch_is_at(&s, g[1].files.root, "ci/root"));
	CU_ASSERT_PTR_NULL(g[1].files.vmlinux);
	CU_ASSERT_STRING_EQUAL(g[2].name, "db");
	CU_ASSERT_STRING_EQUAL(g[3].name, "vpn");
	CU_ASSERT_STRING_EQUAL(g[4].name, "web");
	CU_ASSERT(scratch_is_at(&s, g[4].perf, "web.data"));
	csg_guest_list_fini(&list);
	scratch_end(&s);
}

static void a_guest_that_was_named_gets_what_was_not_said(void)
{
	struct csg_guest_list list = {.command = "test"};
	struct csg_guest_files *g;
	struct scratch s;

	scratch_begin(&s);
	scratch_text(&s, "db", "");
	scratch_text(&s, "ci/perf.data", "");
	scratch_text(&s, "ci/kallsyms", "");
	scratch_text(&s, "ci/vmlinux", "");
	CU_ASSERT_EQUAL(csg_guest_list_add(&list, "ci", &g), 0);
	g->pid = 5;
	g->files.kcore = "kcore";
	CU_ASSERT_EQUAL(csg_guest_list_add(&list, "db", &g), 0);
	g->perf = "mine";
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, s.dir, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 2);
	CU_ASSERT_EQUAL(list.guests[0].pid, 5);
	CU_ASSERT(scratch_is_at(&s, list.guests[0].perf, "ci/perf.data"));
	CU_ASSERT(scratch_is_at(&s, list.guests[0].files.vmlinux, "ci/vmlinux"));
	CU_ASSERT_PTR_NULL(list.guests[0].files.kallsyms);
	CU_ASSERT_STRING_EQUAL(list.guests[1].perf, "mine");
	csg_guest_list_fini(&list);
	scratch_end(&s);
}

static void what_is_no_recording_is_reported(void)
{
	struct csg_guest_list list = {.command = "test"};
	struct said said = {0};
	const struct csg_diag_sink sink = {.report = said_hear, .arg = &said};
	struct scratch s;

	scratch_begin(&s);
	scratch_text(&s, "notes/text", "");
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, s.dir, &sink), 0);
	CU_ASSERT_EQUAL(list.count, 0);
	CU_ASSERT_EQUAL(said.count, 1);
	CU_ASSERT(scratch_is_at(&s, said.file, "notes"));
	scratch_end(&s);
	CU_ASSERT_EQUAL(csg_guest_folder_read(&list, s.dir, &sink), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(said.count, 2);
	csg_guest_list_fini(&list);
}

CSG_SUITE(files, guest_folder, CSG_TEST(each_recording_is_a_guest_with_its_files),
	  CSG_TEST(a_guest_that_was_named_gets_what_was_not_said),
	  CSG_TEST(what_is_no_recording_is_reported));
