/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/call_indent.h"

#include <string.h>

#include "suite.h"

#define BIT(field) (1u << CSG_FIELD_##field)
#define CALLS (CSG_FLAG_BRANCH | CSG_FLAG_CALL)
#define RETURNS (CSG_FLAG_BRANCH | CSG_FLAG_RETURN)

static void place(void *arg, uint32_t owner, uint64_t address, uint64_t when,
		  struct csg_place *place)
{
	(void)arg, (void)when;
	CU_ASSERT_EQUAL(owner, address < 0x2000 ? 1 : 2);
	if (address < 0x3000)
		*place = (struct csg_place){address < 0x2000 ? "caller" : "callee", 0, "/bin/x"};
}

static const char *printed(const struct csg_sample *sample, uint32_t fields)
{
	static struct csg_out out;
	struct csg_sample_text text = {.out = &out, .fields = {.set = fields}};

	text.names.place = place;
	csg_out_init(&out, -1);
	csg_out_str(&out, "x: ");
	csg_call_indent_put(&text, sample);
	out.buf[out.used] = 0;
	return out.buf + 3;
}

static struct csg_sample branch(uint32_t flags, uint32_t depth)
{
	return (struct csg_sample){.ip = 0x1000,
				   .addr = 0x2000,
				   .owner = 1,
				   .target = 2,
				   .flags = flags,
				   .depth = depth};
}

static void a_call_shows_what_is_entered(void)
{
	const struct csg_sample call = branch(CALLS, 3),
				interrupt = branch(CALLS | CSG_FLAG_INTERRUPT, 1);

	CU_ASSERT_STRING_EQUAL(printed(&call, 0), "        callee");
	CU_ASSERT_STRING_EQUAL(printed(&interrupt, 0), "callee");
}

static void a_return_shows_what_is_left(void)
{
	const struct csg_sample ret = branch(RETURNS, 2);

	CU_ASSERT_STRING_EQUAL(printed(&ret, 0), "    caller");
}

static void other_branches_show_nothing(void)
{
	const struct csg_sample jump = branch(CSG_FLAG_BRANCH, 2),
				conditional = branch(CSG_FLAG_BRANCH | CSG_FLAG_CONDITIONAL, 2);

	CU_ASSERT_STRING_EQUAL(printed(&jump, BIT(DSO)), "");
	CU_ASSERT_STRING_EQUAL(printed(&conditional, BIT(DSO)), "");
}

static void where_trace_begins_and_ends_shows_the_end_that_is_known(void)
{
	struct csg_sample begin = branch(CSG_FLAG_BRANCH | CSG_FLAG_BEGIN, 2),
			  end = branch(CALLS | CSG_FLAG_END, 2);

	begin.owner = CSG_SAMPLE_NOBODY;
	begin.ip = 0;
	CU_ASSERT_STRING_EQUAL(printed(&begin, 0), "    callee");
	end.target = CSG_SAMPLE_NOBODY;
	end.addr = 0;
	CU_ASSERT_STRING_EQUAL(printed(&end, 0), "    caller");
}

static void the_object_follows_where_no_address_has_it(void)
{
	const struct csg_sample call = branch(CALLS, 2);

	CU_ASSERT_STRING_EQUAL(printed(&call, BIT(DSO)), "    callee (/bin/x)");
	CU_ASSERT_STRING_EQUAL(printed(&call, BIT(DSO) | BIT(IP)), "    callee");
	CU_ASSERT_STRING_EQUAL(printed(&call, BIT(DSO) | BIT(ADDR)), "    callee");
}

static void a_function_without_a_name_is_its_address(void)
{
	struct csg_sample call = branch(CALLS, 0);

	call.addr = 0x3000;
	CU_ASSERT_STRING_EQUAL(printed(&call, BIT(DSO)), "            3000 ([unknown])");
}

CSG_SUITE(script, call_indent, CSG_TEST(a_call_shows_what_is_entered),
	  CSG_TEST(a_return_shows_what_is_left), CSG_TEST(other_branches_show_nothing),
	  CSG_TEST(where_trace_begins_and_ends_shows_the_end_that_is_known),
	  CSG_TEST(the_object_follows_where_no_address_has_it),
	  CSG_TEST(a_function_without_a_name_is_its_address));
