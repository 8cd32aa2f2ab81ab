/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/vm_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

static int read_text(struct csg_vm_names *names, const char *text)
{
	char path[] = "/tmp/csguest-names-XXXXXX";
	int fd = mkstemp(path), err;

	CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	*names = (struct csg_vm_names){0};
	err = csg_vm_names_read(names, path, NULL);
	unlink(path);
	return err;
}

static void a_line_names_a_vm(void)
{
	struct csg_vm_names names;

	CU_ASSERT_EQUAL(read_text(&names, "# of today\n136\tweb\tABC-1\n\n138 - def\n140 ci\n"), 0);
	CU_ASSERT_EQUAL_FATAL(names.count, 3);
	CU_ASSERT_EQUAL(names.names[0].pid, 136);
	CU_ASSERT_STRING_EQUAL(names.names[0].name, "web");
	CU_ASSERT_PTR_NULL(names.names[1].name);
	CU_ASSERT_PTR_NULL(names.names[2].uuid);
	CU_ASSERT(csg_vm_names_is(&names, 136, "abc-1,x", 5));
	CU_ASSERT_FALSE(csg_vm_names_is(&names, 136, "abc-1", 4));
	CU_ASSERT_FALSE(csg_vm_names_is(&names, 138, "abc-1", 5));
	csg_vm_names_fini(&names);
}

static void what_names_nothing_is_refused(void)
{
	static const char *const bad[] = {"web 136\n", "136\n", "136 -\n", "0 web\n"};
	struct csg_vm_names names = {0};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CU_ASSERT_EQUAL(read_text(&names, bad[i]), -CSG_E_CORRUPT);
		csg_vm_names_fini(&names);
	}
	CU_ASSERT_EQUAL(csg_vm_names_read(&names, "/nowhere/names", NULL), -CSG_E_NOT_FOUND);
	csg_vm_names_fini(&names);
}

static void what_the_user_said_stays(void)
{
	struct csg_guest_list guests = {.command = "test"};
	struct csg_vm_names names;

	CU_ASSERT_EQUAL(csg_guest_option(&guests, "mine,pid=136"), 0);
	CU_ASSERT_EQUAL(csg_guest_option(&guests, "db,perf=x"), 0);
	CU_ASSERT_EQUAL(read_text(&names, "136 web\n138 db\n140 db\n142 - u\n"), 0);
	CU_ASSERT_EQUAL(csg_vm_names_give(&names, &guests), 0);
	CU_ASSERT_EQUAL_FATAL(guests.count, 3);
	CU_ASSERT_STRING_EQUAL(guests.guests[0].name, "mine");
	CU_ASSERT_EQUAL(guests.guests[1].pid, 138);
	CU_ASSERT_EQUAL(guests.guests[2].pid, 140);
	CU_ASSERT_STRING_EQUAL(guests.guests[2].name, "db");
	csg_guest_list_fini(&guests);
	csg_vm_names_fini(&names);
}

CSG_SUITE(cli, vm_names, CSG_TEST(a_line_names_a_vm), CSG_TEST(what_names_nothing_is_refused),
	  CSG_TEST(what_the_user_said_stays));
