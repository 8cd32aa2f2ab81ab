/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "calls/span_functions.h"
#include "capture.h"

static void nodes_and_bins_are_lists_of_numbers(void)
{
	struct csg_span_node nodes[] = {
		{.name = "all"},
		{.name = "a</script>", .world = CSG_WORLD_HOST},
		{.parent = 1,
		 .name = "f",
		 .world = CSG_WORLD_GUEST,
		 .privilege = CSG_USER,
		 .vm = 7},
	};
	struct csg_span_entry entries[] = {{10, 1, 5}, {10, 2, 6}, {12, 2, 9}};
	const struct csg_span_functions functions = {.shift = 3,
						     .first = 10,
						     .last = 12,
						     .nodes = nodes,
						     .node_count = 3,
						     .entries = entries,
						     .entry_count = 3};
	struct csg_out *out = capture_begin();
	char want[64];

	csg_span_functions_write(&functions, out);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "{\"begin\":\"80\",\"width\":8,\n"));
	CU_ASSERT_PTR_NULL(strstr(captured, "</script>"));
	snprintf(want, sizeof(want), "\"worlds\":[\"%s\",\"%s\"", csg_world_name(0),
		 csg_world_name(1));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, want));
	snprintf(want, sizeof(want), "\"nodes\":[0,0,0,0,0,%d,0,0,1,%d,1,7]", CSG_WORLD_HOST,
		 CSG_WORLD_GUEST);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, want));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"bins\":[[0,1,5,2,6],\n[2,2,9]]}"));
}

static void nothing_is_an_empty_list(void)
{
	const struct csg_span_functions functions = {.shift = 3, .first = UINT64_MAX};
	struct csg_out *out = capture_begin();

	csg_span_functions_write(&functions, out);
	capture_end(out);
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "{\"begin\":\"0\","));
	CU_ASSERT_PTR_NOT_NULL(strstr(captured, "\"bins\":[]}"));
}

CSG_SUITE(calls, span_functions_write, CSG_TEST(nodes_and_bins_are_lists_of_numbers),
	  CSG_TEST(nothing_is_an_empty_list));
