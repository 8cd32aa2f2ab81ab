/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/guest_option.h"

#include <fcntl.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

/* The option is parsed; what it tells the user goes nowhere. */
static int parse(struct csg_guest_list *list, const char *arg)
{
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY), err;

	dup2(null, STDERR_FILENO);
	err = csg_guest_option(list, arg);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(null);
	return err;
}

static void a_guest_has_a_name_and_what_is_known_of_it(void)
{
	struct csg_guest_list list = {.command = "test"};
	const struct csg_guest_files *g;

	CU_ASSERT_EQUAL(
		parse(&list,
		      "web,perf=/a/b.data,pid=4100,offset=-5,vmlinux=v,kallsyms=k,kcore=c,root=/r"),
		0);
	CU_ASSERT_EQUAL(parse(&list, "db"), 0);
	CU_ASSERT_EQUAL(parse(&list, "domU,vmid=2"), 0);
	CU_ASSERT_EQUAL(parse(&list, "dom0,domain=0,maps=latest"), 0);
	CU_ASSERT_EQUAL_FATAL(list.count, 4);
	g = &list.guests[0];
	CU_ASSERT_STRING_EQUAL(g->name, "web");
	CU_ASSERT_STRING_EQUAL(g->perf, "/a/b.data");
	CU_ASSERT_EQUAL(g->pid, 4100);
	CU_ASSERT(g->has_offset);
	CU_ASSERT_EQUAL(g->offset, -5);
	CU_ASSERT_STRING_EQUAL(g->files.vmlinux, "v");
	CU_ASSERT_STRING_EQUAL(g->files.kallsyms, "k");
	CU_ASSERT_STRING_EQUAL(g->files.kcore, "c");
	CU_ASSERT_STRING_EQUAL(g->files.root, "/r");
	CU_ASSERT_STRING_EQUAL(list.guests[1].name, "db");
	CU_ASSERT_EQUAL(list.guests[1].pid, 0);
	CU_ASSERT(!list.guests[0].is_domain);
	CU_ASSERT_EQUAL(list.guests[2].pid, 2);
	CU_ASSERT(list.guests[2].is_domain);
	CU_ASSERT_FALSE(list.guests[2].has_domain);
	CU_ASSERT(list.guests[3].has_domain);
	CU_ASSERT(list.guests[3].maps_latest);
	CU_ASSERT_FALSE(list.guests[2].maps_latest);
	CU_ASSERT_FALSE(list.guests[3].is_domain);
	csg_guest_list_fini(&list);
}

static void what_cannot_be_meant_is_refused(void)
{
	static const char *const bad[] = {"",
					  "perf=x",
					  "a,pid=0",
					  "a,pid=x",
					  "a,perf",
					  "a,perf=",
					  "a,,",
					  "a,nosuch=1",
					  "a,offset=x",
					  "a,maps=first",
					  "a,vmid=0",
					  "a,vmid=65536",
					  "a,pid=1,vmid=1",
					  "a,domain=x",
					  "a,domain=-1",
					  "a,domain=65536",
					  "a,domain=1,vmid=1",
					  "a,vmid=1,domain=1",
					  "a,domain=0,domain=0"};
	struct csg_guest_list list = {.command = "test"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CU_ASSERT_EQUAL(parse(&list, bad[i]), -CSG_E_USAGE);
	csg_guest_list_fini(&list);
	CU_ASSERT_EQUAL(list.count, 0);
}

CSG_SUITE(cli, guest_option, CSG_TEST(a_guest_has_a_name_and_what_is_known_of_it),
	  CSG_TEST(what_cannot_be_meant_is_refused));
