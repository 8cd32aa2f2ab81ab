/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "fake_calls.h"
#include "export/range_list.h"

static void list(bool json)
{
	const struct csg_batch batch = {
		.stream = 1, .elements = fake_call_trace, .n = 3, .time = 10};
	struct csg_range_list l = {&fake_lookup, capture_begin(), json, NULL, NULL};

	csg_range_list_begin(&l);
	csg_range_list_add(&l, &batch, 7);
	capture_end(l.out);
}

static void csv_has_a_header_and_a_line_for_each_range(void)
{
	list(false);
	CU_ASSERT_STRING_EQUAL(captured,
			       "stream,cpu,time,index,start,end,instructions,branch,taken,el,world,"
			       "privilege,vm,vcpu,pid,tid,host_tid,level,nested,guest_tid\n"
			       "1,7,10,0,0x1010,0x1020,4,call,1,0,host,,0,,100,101,0,0,,0\n"
			       "1,7,10,0,0x1100,0x1118,6,return,1,0,host,,0,,100,101,0,0,,0\n");
}

static void json_has_an_object_for_each_range(void)
{
	static const char first[] =
		"{\"stream\":1,\"cpu\":7,\"time\":10,\"index\":0,\"start\":\"0x1010\","
		"\"end\":\"0x1020\",\"instructions\":4,\"branch\":\"call\",\"taken\":1,"
		"\"el\":0,\"world\":\"host\",\"privilege\":null,\"vm\":0,\"vcpu\":null,"
		"\"pid\":100,\"tid\":101,\"host_tid\":0,\"level\":0,\"nested\":null,\"guest_tid\":"
		"0}\n{";

	list(true);
	CU_ASSERT_EQUAL(strncmp(captured, first, strlen(first)), 0);
}

CSG_SUITE(export, range_list, CSG_TEST(csv_has_a_header_and_a_line_for_each_range),
	  CSG_TEST(json_has_an_object_for_each_range));
