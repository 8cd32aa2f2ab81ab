/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "info/contradictions.h"

static void a_recording_without_any_has_no_line(void)
{
	struct csg_out *out = capture_begin();

	csg_contradictions_print(NULL, 0, 0, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "");
}

static void kind_place_and_time_are_named(void)
{
	struct csg_contradiction list[] = {
		{.kind = CSG_CONTRADICTION_EXIT_VECTORS,
		 .cpu = 1,
		 .begin = 0x10,
		 .end = 0x20,
		 .begin_time = 41000000005,
		 .end_time = 42000000000,
		 .text = "this and that"},
		{.kind = CSG_CONTRADICTION_SWITCH_RECORDS,
		 .vm = 500,
		 .cpu = 0,
		 .begin = CSG_NO_INDEX,
		 .end = CSG_NO_INDEX,
		 .begin_time = 7,
		 .text = "these"},
		{.kind = CSG_CONTRADICTION_WORLD,
		 .cpu = -1,
		 .begin = 0x30,
		 .end = CSG_NO_INDEX,
		 .text = "those"},
	};
	struct csg_out *out = capture_begin();

	csg_contradictions_print(list, 3, 3, out);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"csguest: 3 contradictions in the recording: owners that rest on either side are "
		"unknown there\n"
		"csguest: contradiction (exit vectors), CPU 1, at 41.000000005 to 42.000000000, "
		"trace bytes 0x10 to 0x20: this and that\n"
		"csguest: contradiction (switch records), VM 500, CPU 0, at 0.000000007: these\n"
		"csguest: contradiction (host or guest), trace bytes 0x30 to the end: those\n");
}

static void of_many_the_first_are_shown(void)
{
	struct csg_contradiction list[20] = {{.text = "x"}};
	struct csg_out *out = capture_begin();

	csg_contradictions_print(list, 20, 25, out);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "csguest: 25 contradictions "));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "csguest: and 17 more contradictions\n"));
}

/* Of the host's sideband; the others are a guest's and the trace's. */
static const struct csg_contradiction of_sideband[] = {
	{.kind = CSG_CONTRADICTION_SWITCH_RECORDS,
	 .cpu = 2,
	 .begin = CSG_NO_INDEX,
	 .end = CSG_NO_INDEX,
	 .begin_time = 5000000001,
	 .end_time = 7000000000,
	 .record_time = 6000000000,
	 .text = "this and that"},
	{.kind = CSG_CONTRADICTION_SWITCH_RECORDS, .vm = 9, .begin = CSG_NO_INDEX, .text = "guest"},
	{.kind = CSG_CONTRADICTION_WORLD, .begin = 3, .text = "trace"},
	{.kind = CSG_CONTRADICTION_VCPU, .cpu = -1, .begin = CSG_NO_INDEX, .text = "these"},
};

static void written(bool json)
{
	struct csg_out *out = capture_begin();
	struct csg_form f;

	csg_form_begin(&f, out, json);
	csg_contradictions_write(of_sideband, 4, 4, NULL, &f);
	csg_form_end(&f);
	capture_end(out);
}

static void info_lists_those_of_the_hosts_sideband(void)
{
	written(false);
	CU_ASSERT_STRING_EQUAL(captured,
			       "Contradictions of the sideband\n"
			       "  switch records, CPU 2, record at 6.000000000: this and that\n"
			       "    not used: from 5.000000001 to 7.000000000\n"
			       "  vCPU table: these\n"
			       "  and 2 more\n");
}

static void what_is_not_known_of_one_is_null(void)
{
	written(true);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"record_time\": 6.000000000,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"begin_time\": 5.000000001,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"file_offset\": null,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"cpu\": null,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"record_time\": null,"));
	CU_ASSERT_PTR_NULL(strstr(captured, "guest"));
}

static void records_are_named_by_some_that_info_lists(void)
{
	struct csg_contradiction list[] = {
		{.begin = 0x10, .end = 0x20, .record_time = 5},
		{.vm = 500, .begin = CSG_NO_INDEX, .end = CSG_NO_INDEX, .record_time = 5},
		{.begin = CSG_NO_INDEX, .end = CSG_NO_INDEX},
		{.begin = CSG_NO_INDEX, .end = CSG_NO_INDEX, .record_time = 5},
	};

	CU_ASSERT_FALSE(csg_contradictions_name_records(list, 3));
	CU_ASSERT(csg_contradictions_name_records(list, 4));
}

CSG_SUITE(info, contradictions, CSG_TEST(a_recording_without_any_has_no_line),
	  CSG_TEST(kind_place_and_time_are_named), CSG_TEST(of_many_the_first_are_shown),
	  CSG_TEST(info_lists_those_of_the_hosts_sideband),
	  CSG_TEST(what_is_not_known_of_one_is_null),
	  CSG_TEST(records_are_named_by_some_that_info_lists));
