/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/traced.h"

#include <string.h>

#include "csguest/element.h"
#include "suite.h"

#include "capture.h"

static struct csg_traced traced;

static void add(uint64_t time, uint8_t gap, int world, int32_t vm)
{
	const struct csg_slice slice = {.begin = 1000, .end = 1000 + time, .gap = gap};
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = (uint8_t)world;
	owner.vm = vm;
	CU_ASSERT_EQUAL(csg_traced_add(&traced, &slice, world < 0 ? NULL : &owner), 0);
}

static const char *text(bool json)
{
	struct csg_out *out = capture_begin();

	csg_traced_finish(&traced);
	if (json)
		csg_traced_json(&traced, out);
	else
		csg_traced_text(&traced, &(struct csg_lookup){0}, out);
	capture_end(out);
	return captured;
}

static void what_is_not_traced_is_added_up_by_owner(void)
{
	traced = (struct csg_traced){0};
	add(2000000, CSG_GAP_NONE, CSG_WORLD_HOST, CSG_VM_HOST);
	add(1000, CSG_GAP_TRACE_ON, CSG_WORLD_GUEST, 142);
	add(1500000, CSG_GAP_TRACE_ON, CSG_WORLD_HOST, CSG_VM_HOST);
	add(498000, CSG_GAP_OVERFLOW, CSG_WORLD_GUEST, 142);
	add(900, CSG_GAP_TRACE_ON, CSG_WORLD_UNKNOWN, 140);
	add(100, CSG_GAP_TRACE_ON, -1, 0);
	CU_ASSERT_STRING_EQUAL(text(false),
			       "# traced: 50.00% of 4.000 ms of CPU time\n"
			       "# not traced: 1500.000 us, host\n"
			       "# not traced: 499.000 us, guest VM 142\n"
			       "# not traced: 0.900 us, VM 140's vCPUs, guest or host not known\n"
			       "# not traced: 0.100 us, not known who\n");
	CU_ASSERT_PTR_NOT_NULL(strstr(text(true),
				      "{\"time\":4000000,\"traced\":2000000,\"untraced\":["
				      "{\"world\":\"host\",\"vm\":null,\"time\":1500000}"));
	csg_traced_fini(&traced);
}

/* The parts have what the windows do not, in proportion. */
static void of_windows_with_few_timestamps_an_estimate_is_reported_or_nothing(void)
{
	traced = (struct csg_traced){.estimated = true, .share = 0.1};
	add(2000000, CSG_GAP_NONE, CSG_WORLD_HOST, CSG_VM_HOST);
	add(1500000, CSG_GAP_TRACE_ON, CSG_WORLD_HOST, CSG_VM_HOST);
	add(500000, CSG_GAP_TRACE_ON, CSG_WORLD_GUEST, 142);
	CU_ASSERT_PTR_NOT_NULL(strstr(text(false), "# traced: about 10.00% of 4.000 ms"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "# not traced: about 2700.000 us, host\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "# not traced: about 900.000 us, guest VM 142\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text(true), "\"traced\":400000,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"vm\":142,\"time\":900000}"));
	traced.share = 0;
	CU_ASSERT_PTR_NOT_NULL(strstr(text(false), "# traced: not known of 4.000 ms"));
	CU_ASSERT_PTR_NULL(strstr(captured, "# not traced"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text(true), "\"traced\":null,"));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"vm\":142,\"time\":null}"));
	csg_traced_fini(&traced);
}

static void where_nearly_all_is_traced_there_is_no_line(void)
{
	traced = (struct csg_traced){0};
	add(1000000, CSG_GAP_NONE, CSG_WORLD_HOST, CSG_VM_HOST);
	add(400, CSG_GAP_TRACE_ON, -1, 0);
	CU_ASSERT_FALSE(csg_traced_has_holes(&traced));
	CU_ASSERT_STRING_EQUAL(text(false), "");
	add(200, CSG_GAP_TRACE_ON, -1, 0);
	CU_ASSERT_TRUE(csg_traced_has_holes(&traced));
	csg_traced_fini(&traced);
}

CSG_SUITE(timeline, traced,
	  CSG_TEST(of_windows_with_few_timestamps_an_estimate_is_reported_or_nothing),
	  CSG_TEST(what_is_not_traced_is_added_up_by_owner),
	  CSG_TEST(where_nearly_all_is_traced_there_is_no_line));
