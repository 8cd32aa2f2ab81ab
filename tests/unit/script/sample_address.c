/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_address.h"

#include <string.h>

#include "suite.h"

static unsigned int lookups;

/* Code of "x" that is replaced by that of "y" at 20. */
static void place(void *arg, uint32_t number, uint64_t address, uint64_t when,
		  struct csg_place *out)
{
	(void)arg;
	CU_ASSERT_EQUAL(number, 1);
	lookups++;
	if (address < 0x2000)
		*out = (struct csg_place){when < 20 ? "x" : "y", address - 0x1000, "file"};
}

static uint64_t until(void *arg, uint32_t number, uint64_t address, uint64_t when)
{
	(void)arg, (void)number, (void)address;
	return when < 20 ? 20 : UINT64_MAX;
}

static struct csg_out out;
static struct csg_sample_cache cache;

static struct csg_sample_text text_of(uint32_t fields)
{
	struct csg_sample_text text = {.out = &out};

	csg_out_init(&out, -1);
	lookups = 0;
	text.fields.set = fields;
	text.fields.chosen = true;
	text.names = (struct csg_sample_names){.place = place, .until = until};
	return text;
}

static const char *printed(void)
{
	out.buf[out.used] = 0;
	out.used = 0;
	return out.buf;
}

static void names_are_printed_as_far_as_asked_for(void)
{
	const uint32_t sym = 1u << CSG_FIELD_SYM, dso = 1u << CSG_FIELD_DSO;
	struct csg_sample_text text = text_of(0);

	csg_sample_put_address(&text, 1, 0x1010, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "            1010");
	CU_ASSERT_EQUAL(lookups, 0);
	text.fields.set = sym | dso;
	csg_sample_put_address(&text, 1, 0x1010, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "            1010 x (file)");
	text.fields.set |= 1u << CSG_FIELD_SYMOFF;
	csg_sample_put_address(&text, 1, 0x1010, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "            1010 x+0x10 (file)");
	csg_sample_put_address(&text, CSG_SAMPLE_NOBODY, 0, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "               0 [unknown] ([unknown])");
}

static void what_is_kept_holds_until_the_code_is_replaced(void)
{
	struct csg_sample_text text = text_of(1u << CSG_FIELD_SYM);

	memset(&cache, 0, sizeof(cache));
	text.cache = &cache;
	for (uint64_t when = 10; when < 30; when++) {
		csg_sample_fetch_address(&cache, 1, 0x1000);
		csg_sample_put_address(&text, 1, 0x1000, when);
		CU_ASSERT_STRING_EQUAL(printed(),
				       when < 20 ? "            1000 x" : "            1000 y");
	}
	CU_ASSERT_EQUAL(lookups, 2);
}

static void an_end_of_a_branch_is_its_address_or_its_symbol(void)
{
	struct csg_sample_text text = text_of(1u << CSG_FIELD_BRSTACK);

	csg_sample_put_branch_end(&text, 1, 0x1010, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "0x1010");
	CU_ASSERT_EQUAL(lookups, 0);
	text.fields.set = 1u << CSG_FIELD_BRSTACKSYM | 1u << CSG_FIELD_DSO;
	csg_sample_put_branch_end(&text, 1, 0x1010, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "x+0x10 (file)");
	csg_sample_put_branch_end(&text, 1, 0x2000, 5);
	CU_ASSERT_STRING_EQUAL(printed(), "[unknown] ([unknown])");
}

CSG_SUITE(script, sample_address, CSG_TEST(names_are_printed_as_far_as_asked_for),
	  CSG_TEST(what_is_kept_holds_until_the_code_is_replaced),
	  CSG_TEST(an_end_of_a_branch_is_its_address_or_its_symbol));
