/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "stack/function_cache.h"

static int asked;
static const char space;

/* At 0x1000..0x2000 there is one function up to time 100, and another from then on. */
static void find(void *arg, const void *in, uint64_t address, uint64_t when,
		 struct csg_function *function, uint64_t *until)
{
	(void)arg, (void)in;
	asked++;
	if (address < 0x1000 || address >= 0x2000)
		return;
	*function = (struct csg_function){
		.start = 0x1000, .end = 0x2000, .label = when < 100 ? 1 : 2, .known = true};
	*until = when < 100 ? 100 : UINT64_MAX;
}

static uint32_t label(struct csg_function_cache *cache, const void *in, uint64_t address,
		      uint64_t when)
{
	struct csg_function function;

	csg_function_cache_find(cache, in, address, when, &function);
	CU_ASSERT(function.start <= address && address < function.end);
	return function.label;
}

static void an_address_is_asked_for_once(void)
{
	struct csg_function_cache cache;

	CU_ASSERT_EQUAL(csg_function_cache_init(&cache, find, NULL), 0);
	asked = 0;
	for (int i = 0; i < 10; i++)
		CU_ASSERT_EQUAL(label(&cache, &space, 0x1010, 5), 1);
	CU_ASSERT_EQUAL(asked, 1);
	CU_ASSERT_EQUAL(label(&cache, &space, 0x1010, UINT64_MAX), 2);
	CU_ASSERT_EQUAL(label(&cache, &space, 0x1010, UINT64_MAX), 2);
	CU_ASSERT_EQUAL(asked, 2);
	csg_function_cache_fini(&cache);
}

static void an_answer_ends_when_the_code_may_change(void)
{
	struct csg_function_cache cache;

	CU_ASSERT_EQUAL(csg_function_cache_init(&cache, find, NULL), 0);
	CU_ASSERT_EQUAL(label(&cache, &space, 0x1010, 99), 1);
	CU_ASSERT_EQUAL(label(&cache, &space, 0x1010, 100), 2);
	CU_ASSERT_EQUAL(label(&cache, &space, 0x1010, 99), 1);
	csg_function_cache_fini(&cache);
}

static void where_nothing_is_an_answer_holds_the_address(void)
{
	struct csg_function_cache cache;

	CU_ASSERT_EQUAL(csg_function_cache_init(&cache, find, NULL), 0);
	asked = 0;
	CU_ASSERT_EQUAL(label(&cache, &space, 0x5000, 5), 0);
	CU_ASSERT_EQUAL(label(&cache, NULL, 0x1010, 5), 0);
	CU_ASSERT_EQUAL(asked, 1);
	csg_function_cache_fini(&cache);
}

CSG_SUITE(stack, function_cache, CSG_TEST(an_address_is_asked_for_once),
	  CSG_TEST(an_answer_ends_when_the_code_may_change),
	  CSG_TEST(where_nothing_is_an_answer_holds_the_address));
