/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/range_walk.h"

#include <string.h>

#include "suite.h"

/* 32-bit T32 instructions at 0x2000 and 0x2006; counts the reads, and fails from 0x3000 on. */
static bool read_code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		      size_t n)
{
	unsigned int *reads = arg;

	++*reads;
	CU_ASSERT_EQUAL(owner, 1);
	CU_ASSERT_EQUAL(when, 7);
	memset(bytes, 0, n);
	if (address == 0x2000 || address == 0x2006)
		bytes[1] = 0xe8;
	return address < 0x3000;
}

static void an_a64_instruction_has_4_bytes(void)
{
	const struct csg_element range = {.start = 0x1000, .isa = CSG_ISA_A64, .owner = 1};
	unsigned int reads = 0;
	const struct csg_range_code code = {read_code, &reads, 7};
	struct csg_range_walk walk;

	csg_range_walk_begin(&walk, range.start);
	CU_ASSERT_EQUAL(csg_range_walk_to(&walk, &range, 0, &code), 0x1000);
	CU_ASSERT_EQUAL(csg_range_walk_to(&walk, &range, 5, &code), 0x1014);
	CU_ASSERT_EQUAL(csg_range_insn_size(&range, 0x1014, &code), 4);
	CU_ASSERT_EQUAL(reads, 0);
}

static void a_t32_instruction_has_2_or_4_and_is_read_once(void)
{
	const struct csg_element range = {.start = 0x2000, .isa = CSG_ISA_T32, .owner = 1};
	static const uint64_t at[] = {0x2000, 0x2004, 0x2006, 0x200a};
	unsigned int reads = 0;
	const struct csg_range_code code = {read_code, &reads, 7};
	struct csg_range_walk walk;

	csg_range_walk_begin(&walk, range.start);
	for (uint64_t n = 0; n < 4; n++)
		CU_ASSERT_EQUAL(csg_range_walk_to(&walk, &range, n, &code), at[n]);
	CU_ASSERT_EQUAL(reads, 3);
	CU_ASSERT_EQUAL(csg_range_insn_size(&range, 0x2006, &code), 4);
	CU_ASSERT_EQUAL(csg_range_insn_size(&range, 0x200a, &code), 2);
	CU_ASSERT_EQUAL(csg_range_insn_size(&range, 0x3000, &code), 2);
	csg_range_walk_begin(&walk, range.start);
	CU_ASSERT_EQUAL(csg_range_walk_to(&walk, &range, 1, &code), 0x2004);
}

CSG_SUITE(script, range_walk, CSG_TEST(an_a64_instruction_has_4_bytes),
	  CSG_TEST(a_t32_instruction_has_2_or_4_and_is_read_once));
