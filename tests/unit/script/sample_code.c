/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_code.h"

#include <string.h>

#include "suite.h"

#define BIT(field) (1u << CSG_FIELD_##field)

static bool is_available = true;

static bool code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		 size_t n)
{
	static const uint8_t call[] = {0x10, 0x00, 0x00, 0x94};

	(void)arg, (void)when;
	CU_ASSERT_EQUAL(owner, 7);
	CU_ASSERT_EQUAL(address, 0x1000);
	memcpy(bytes, call, n);
	return is_available;
}

static const char *printed(uint32_t fields, uint8_t size, enum csg_isa isa)
{
	static struct csg_out out;
	struct csg_sample_text text = {.out = &out, .fields = {.set = fields}};
	const struct csg_sample sample = {
		.ip = 0x1000, .owner = 7, .insn_size = size, .isa = (uint8_t)isa};

	text.names.code = code;
	csg_out_init(&out, -1);
	csg_disasm_create(&text.disasm);
	csg_sample_put_code(&text, &sample);
	csg_disasm_destroy(text.disasm);
	out.buf[out.used] = 0;
	return out.buf;
}

static void bytes_and_length_are_those_of_perf(void)
{
	CU_ASSERT_STRING_EQUAL(printed(BIT(INSN) | BIT(INSNLEN), 4, CSG_ISA_A64),
			       " ilen: 4 insn: 10 00 00 94");
	CU_ASSERT_STRING_EQUAL(printed(BIT(INSN), 2, CSG_ISA_T32), " insn: 10 00");
	CU_ASSERT_STRING_EQUAL(printed(BIT(IP), 4, CSG_ISA_A64), "");
}

static void the_assembler_text_follows_two_tabs(void)
{
	if (!csg_disasm_built_in())
		return;
	CU_ASSERT_STRING_EQUAL(printed(BIT(DISASM), 4, CSG_ISA_A64), "\t\tbl #0x1040");
	CU_ASSERT_STRING_EQUAL(printed(BIT(DISASM) | BIT(INSN), 4, CSG_ISA_A64),
			       " insn: 10 00 00 94\t\tbl #0x1040");
}

static void what_has_no_text_shows_its_bytes(void)
{
	CU_ASSERT_STRING_EQUAL(printed(BIT(DISASM), 4, CSG_ISA_UNKNOWN), "\t\t10 00 00 94");
}

static void code_that_is_not_available_shows_nothing(void)
{
	is_available = false;
	CU_ASSERT_STRING_EQUAL(printed(BIT(DISASM) | BIT(INSN), 4, CSG_ISA_A64), "");
	is_available = true;
	CU_ASSERT_STRING_EQUAL(printed(BIT(DISASM) | BIT(INSN) | BIT(INSNLEN), 0, CSG_ISA_A64),
			       " ilen: 0");
}

CSG_SUITE(script, sample_code, CSG_TEST(bytes_and_length_are_those_of_perf),
	  CSG_TEST(the_assembler_text_follows_two_tabs), CSG_TEST(what_has_no_text_shows_its_bytes),
	  CSG_TEST(code_that_is_not_available_shows_nothing));
