/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/disasm.h"

#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

static struct csg_disasm *opened(void)
{
	struct csg_disasm *disasm;
	int err = csg_disasm_create(&disasm);

	CU_ASSERT_EQUAL(err, csg_disasm_built_in() ? 0 : -CSG_E_UNSUPPORTED);
	CU_ASSERT_EQUAL(disasm != NULL, csg_disasm_built_in());
	return disasm;
}

/* What it says of size bytes of a word at 0x1000; without capstone nothing is expected. */
static void reads(enum csg_isa isa, uint32_t word, size_t size, const char *expected)
{
	struct csg_disasm *disasm = opened();
	uint8_t bytes[4];
	const char *text;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(word >> (8 * i));
	text = csg_disasm_text(disasm, isa, 0x1000, bytes, size);
	if (!disasm || !expected)
		CU_ASSERT_PTR_NULL(text);
	if (disasm && expected) {
		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		CU_ASSERT_STRING_EQUAL(text, expected);
	}
	csg_disasm_destroy(disasm);
}

static void instructions_of_each_instruction_set_have_text(void)
{
	reads(CSG_ISA_A64, 0xa9bf7bfd, 4, "stp x29, x30, [sp, #-0x10]!");
	reads(CSG_ISA_A32, 0xe1a00001, 4, "mov r0, r1");
	reads(CSG_ISA_T32, 0x4608, 2, "mov r0, r1");
	reads(CSG_ISA_T32, 0xf802f000, 4, "bl #0x1008");
}

static void one_without_operands_ends_with_its_name(void)
{
	reads(CSG_ISA_A64, 0xd65f03c0, 4, "ret");
}

static void branches_show_where_they_lead(void)
{
	reads(CSG_ISA_A64, 0x94000010, 4, "bl #0x1040");
	reads(CSG_ISA_A64, 0x17ffffff, 4, "b #0xffc");
}

static void what_is_no_instruction_has_none(void)
{
	reads(CSG_ISA_A64, 0x00000000, 4, NULL);
	reads(CSG_ISA_UNKNOWN, 0xd65f03c0, 4, NULL);
	reads(CSG_ISA_A64, 0x03c0, 2, NULL);
	/* Half of one of 32 bits, and two of 16. */
	reads(CSG_ISA_T32, 0xf000, 2, NULL);
	reads(CSG_ISA_T32, 0x46084608, 4, NULL);
}

/* Texts are kept: none is taken for another's. */
static void every_word_has_its_own_text_at_every_address(void)
{
	struct csg_disasm *disasm = opened();
	unsigned int wrong = 0;

	for (uint32_t i = 0; disasm && i < 60000; i++) {
		const uint32_t at = 0x1000 + (i & 1 ? 4 * i : 0), to = i & 1 ? 16 : i / 2;
		const uint8_t bytes[] = {(uint8_t)to, (uint8_t)(to >> 8), 0, 0x94};
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "bl #0x%x", at + 4 * to);
		wrong += strcmp(csg_disasm_text(disasm, CSG_ISA_A64, at, bytes, 4), wanted) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	csg_disasm_destroy(disasm);
}

static void and_in_every_instruction_set(void)
{
	static const uint8_t bytes[] = {0x10, 0, 0, 0x94};
	struct csg_disasm *disasm = opened();

	if (disasm) {
		CU_ASSERT_STRING_EQUAL(csg_disasm_text(disasm, CSG_ISA_A64, 0, bytes, 4),
				       "bl #0x40");
		CU_ASSERT_STRING_EQUAL(csg_disasm_text(disasm, CSG_ISA_A32, 0, bytes, 4),
				       "strls r0, [r0], #-0x10");
	}
	csg_disasm_destroy(disasm);
}

static void without_capstone_nothing_has_text(void)
{
	static const uint8_t ret[] = {0xc0, 0x03, 0x5f, 0xd6};

	CU_ASSERT_PTR_NULL(csg_disasm_text(NULL, CSG_ISA_A64, 0, ret, 4));
	csg_disasm_destroy(NULL);
}

CSG_SUITE(text, disasm, CSG_TEST(instructions_of_each_instruction_set_have_text),
	  CSG_TEST(one_without_operands_ends_with_its_name),
	  CSG_TEST(branches_show_where_they_lead), CSG_TEST(what_is_no_instruction_has_none),
	  CSG_TEST(every_word_has_its_own_text_at_every_address),
	  CSG_TEST(and_in_every_instruction_set), CSG_TEST(without_capstone_nothing_has_text));
