/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/returns_at_once.h"

#include "suite.h"

#define START 0xffff8000800b6f38u
#define NOP 0xd503201fu
#define MOV 0xaa1e03e9u	  /* mov x9, x30 */
#define B_2 0x14000002u	  /* two further on */
#define B_0 0x14000000u	  /* to itself */
#define CBZ_2 0x34000040u /* cbz w0, two further on */
#define BL 0x94000040u
#define BR 0xd61f0000u
#define BLR 0xd63f0000u
#define ISB 0xd5033fdfu
#define RET 0xd65f03c0u
#define RETAA 0xd65f0bffu
#define ERET 0xd69f03e0u
#define BRK 0xd4210000u
#define UDF 0x00000000u

struct code {
	const uint32_t *words;
	size_t n;
};

static int read_code(void *arg, uint64_t address, const uint8_t **bytes, size_t *len)
{
	const struct code *code = arg;
	uint64_t at = (address - START) / 4;

	if (at >= code->n)
		return -1;
	*bytes = (const uint8_t *)&code->words[at];
	*len = (code->n - at) * 4;
	return 0;
}

#define RETURNS(...) returns((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static bool returns(const uint32_t *words, size_t n)
{
	struct code code = {words, n};

	return csg_code_returns_at_once(START, read_code, &code);
}

/* kvm_nested_flush_hwstate() of Linux 7.3: with "nested", without, and before it is patched. */
static void a_capability_decides_what_is_reached(void)
{
	CU_ASSERT_FALSE(RETURNS(MOV, NOP, NOP, 0x14000003, RET, BRK, NOP, BL, RET));
	CU_ASSERT_TRUE(RETURNS(MOV, NOP, NOP, NOP, RET, BRK, NOP, BL, RET));
	CU_ASSERT_FALSE(RETURNS(MOV, NOP, 0x14000003, NOP, RET, BRK, NOP, BL, RET));
}

static void every_path_counts(void)
{
	CU_ASSERT_TRUE(RETURNS(CBZ_2, RET, RETAA));
	CU_ASSERT_FALSE(RETURNS(CBZ_2, BL, RET));
	CU_ASSERT_FALSE(RETURNS(CBZ_2, RET, BL, RET));
	CU_ASSERT_TRUE(RETURNS(B_2, BL, ISB, RET));
	CU_ASSERT_TRUE(RETURNS(CBZ_2, B_0, RET));
}

static void nothing_but_branches_and_a_return_will_do(void)
{
	static const uint32_t ends[] = {BL, BLR, BR, ERET, BRK, UDF};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		CU_ASSERT_FALSE(RETURNS(NOP, ends[i], RET));
	CU_ASSERT_TRUE(RETURNS(RET));
}

static void a_call_is_looked_for_in_all_of_a_function(void)
{
	static const uint32_t words[] = {NOP, RET, BLR, B_2, BL, RET};
	struct code code = {words, 6};

	CU_ASSERT_FALSE(csg_code_has_call(START, START + 16, read_code, &code));
	CU_ASSERT_TRUE(csg_code_has_call(START, START + 20, read_code, &code));
	CU_ASSERT_TRUE(csg_code_has_call(START + 16, START + 400, read_code, &code));
	CU_ASSERT_FALSE(csg_code_has_call(START + 20, START + 400, read_code, &code));
	CU_ASSERT_FALSE(csg_code_has_call(START + 16, START, read_code, &code));
}

static void code_that_is_missing_or_long_is_not_followed(void)
{
	uint32_t words[200];

	CU_ASSERT_FALSE(RETURNS(NOP, NOP));
	CU_ASSERT_FALSE(RETURNS(CBZ_2, RET));
	for (size_t i = 0; i < 200; i++)
		words[i] = i == 199 ? RET : NOP;
	CU_ASSERT_FALSE(returns(words, 200));
	for (size_t i = 0; i < 200; i++)
		words[i] = i % 2 ? RET : CBZ_2;
	CU_ASSERT_FALSE(returns(words, 200));
}

CSG_SUITE(world, returns_at_once, CSG_TEST(a_capability_decides_what_is_reached),
	  CSG_TEST(every_path_counts), CSG_TEST(nothing_but_branches_and_a_return_will_do),
	  CSG_TEST(a_call_is_looked_for_in_all_of_a_function),
	  CSG_TEST(code_that_is_missing_or_long_is_not_followed));
