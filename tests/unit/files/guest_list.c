/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/guest_list.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"

static void a_guest_is_found_by_its_name(void)
{
	struct csg_guest_list list = {0};
	struct csg_guest_files *g;

	CU_ASSERT_EQUAL(csg_guest_list_add(&list, "web", &g), 0);
	CU_ASSERT_EQUAL(g->size, sizeof(*g));
	CU_ASSERT_EQUAL(g->files.size, sizeof(g->files));
	g->pid = 5;
	CU_ASSERT_EQUAL(csg_guest_list_named(&list, "db", &g), 0);
	CU_ASSERT_EQUAL(g->pid, 0);
	CU_ASSERT_EQUAL(csg_guest_list_named(&list, "web", &g), 0);
	CU_ASSERT_EQUAL(g->pid, 5);
	CU_ASSERT_EQUAL(list.count, 2);
	csg_guest_list_fini(&list);
	CU_ASSERT_EQUAL(list.count, 0);
}

static void texts_live_as_long_as_the_list(void)
{
	struct csg_guest_list list = {0};

	for (int i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(csg_guest_list_keep(&list, strdup("text")), 0);
	CU_ASSERT_EQUAL_FATAL(list.text_count, 20);
	CU_ASSERT_STRING_EQUAL(list.texts[19], "text");
	csg_guest_list_fini(&list);
	CU_ASSERT_EQUAL(list.text_count, 0);
}

CSG_SUITE(files, guest_list, CSG_TEST(a_guest_is_found_by_its_name),
	  CSG_TEST(texts_live_as_long_as_the_list));
