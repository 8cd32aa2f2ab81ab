/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "report/report_sort.h"

static struct csg_report_sort sort;
static const char *bad;

static void keys_are_read_in_their_order(void)
{
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, "symbol,world,vm", &bad), 0);
	CU_ASSERT_EQUAL(sort.n, 3);
	CU_ASSERT_EQUAL(sort.keys[0], CSG_REPORT_SYMBOL);
	CU_ASSERT_EQUAL(sort.keys[1], CSG_REPORT_WORLD);
	CU_ASSERT_EQUAL(sort.keys[2], CSG_REPORT_VM);
	CU_ASSERT_EQUAL(sort.set,
			1u << CSG_REPORT_SYMBOL | 1u << CSG_REPORT_WORLD | 1u << CSG_REPORT_VM);
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, CSG_REPORT_DEFAULT_SORT, &bad), 0);
}

static void keys_have_other_words(void)
{
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, "sym,witness", &bad), 0);
	CU_ASSERT_EQUAL(sort.keys[0], CSG_REPORT_SYMBOL);
	CU_ASSERT_EQUAL(sort.keys[1], CSG_REPORT_EVIDENCE);
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, "evidence", &bad), 0);
	CU_ASSERT_EQUAL(sort.keys[0], CSG_REPORT_EVIDENCE);
}

static void refuses(const char *text, const char *where)
{
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, text, &bad), -CSG_E_USAGE);
	CU_ASSERT_STRING_EQUAL(bad, where);
}

static void what_is_no_key_is_pointed_at(void)
{
	refuses("", "");
	refuses("world,", "");
	refuses("world,nonsense,el", "nonsense,el");
	refuses("worlds", "worlds");
	refuses("wor", "wor");
	refuses("el,world,el", "el");
	refuses("evidence,witness", "witness");
}

static void a_process_and_a_thread_have_a_name_and_a_number(void)
{
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, "vm,process,thread,symbol", &bad), 0);
	CU_ASSERT_EQUAL(sort.n, 6);
	CU_ASSERT_EQUAL(sort.keys[1], CSG_REPORT_PROCESS);
	CU_ASSERT_EQUAL(sort.keys[2], CSG_REPORT_PID);
	CU_ASSERT_EQUAL(sort.keys[3], CSG_REPORT_COMM);
	CU_ASSERT_EQUAL(sort.keys[4], CSG_REPORT_TID);
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, "pid,process", &bad), 0);
	CU_ASSERT_EQUAL(sort.n, 2);
	CU_ASSERT_EQUAL(sort.keys[0], CSG_REPORT_PID);
	refuses("process,vm,process", "process");
	refuses("tid,comm,thread", "thread");
}

static void adds_machine(const char *text, size_t n, int at)
{
	CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, text, &bad), 0);
	csg_report_sort_name_machine(&sort);
	CU_ASSERT_EQUAL(sort.n, n);
	CU_ASSERT_EQUAL(sort.added_vm, at >= 0);
	if (at >= 0) {
		CU_ASSERT_EQUAL(sort.keys[at], CSG_REPORT_VM);
		CU_ASSERT(sort.set & 1u << CSG_REPORT_VM);
	}
}

static void what_every_machine_has_comes_with_the_machine(void)
{
	adds_machine("process", 3, 0);
	adds_machine("world,symbol,tid,pid", 5, 2);
	adds_machine("dso,vcpu", 3, 1);
	adds_machine("comm,vm", 2, -1);
	adds_machine("guest,thread", 3, -1);
	adds_machine("world,symbol", 2, -1);
}

static void every_key_can_be_read_by_its_name(void)
{
	for (int key = 0; key < CSG_REPORT_KEY_COUNT; key++) {
		CU_ASSERT_EQUAL(csg_report_sort_parse(&sort, csg_report_key_name(key), &bad), 0);
		CU_ASSERT_EQUAL(sort.keys[0], key);
		CU_ASSERT_PTR_NOT_NULL(csg_report_key_title(key));
	}
}

CSG_SUITE(report, report_sort, CSG_TEST(keys_are_read_in_their_order),
	  CSG_TEST(keys_have_other_words), CSG_TEST(what_is_no_key_is_pointed_at),
	  CSG_TEST(a_process_and_a_thread_have_a_name_and_a_number),
	  CSG_TEST(what_every_machine_has_comes_with_the_machine),
	  CSG_TEST(every_key_can_be_read_by_its_name));
