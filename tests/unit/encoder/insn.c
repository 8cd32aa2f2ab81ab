/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/insn.h"
#include "suite.h"

#define PC 0xffff800080001000

static const struct {
	uint32_t word;
	enum csg_enc_p0 p0;
	bool conditional;
	int64_t offset;
} known[] = {
	{0x14000002, CSG_ENC_DIRECT, false, 8},		  /* b .+8 */
	{0x17ffffff, CSG_ENC_DIRECT, false, -4},	  /* b .-4 */
	{0x97ffff00, CSG_ENC_DIRECT_CALL, false, -0x400}, /* bl */
	{0x54ffffa1, CSG_ENC_DIRECT, true, -12},	  /* b.ne */
	{0x54000070, CSG_ENC_DIRECT, true, 12},		  /* bc.eq */
	{0xb5ffffe0, CSG_ENC_DIRECT, true, -4},		  /* cbnz x0 */
	{0x34000040, CSG_ENC_DIRECT, true, 8},		  /* cbz w0 */
	{0x36000040, CSG_ENC_DIRECT, true, 8},		  /* tbz w0, #0 */
	{0xb7ffffe1, CSG_ENC_DIRECT, true, -4},		  /* tbnz x1, #63 */
	{0xd61f0200, CSG_ENC_INDIRECT, false, 0},	  /* br x16 */
	{0xd71f0a11, CSG_ENC_INDIRECT, false, 0},	  /* braa x16, x17 */
	{0xd61f0e1f, CSG_ENC_INDIRECT, false, 0},	  /* brabz x16 */
	{0xd63f0120, CSG_ENC_INDIRECT_CALL, false, 0},	  /* blr x9 */
	{0xd73f0931, CSG_ENC_INDIRECT_CALL, false, 0},	  /* blraa x9, x17 */
	{0xd63f093f, CSG_ENC_INDIRECT_CALL, false, 0},	  /* blraaz x9 */
	{0xd65f03c0, CSG_ENC_RET, false, 0},		  /* ret */
	{0xd65f0bff, CSG_ENC_RET, false, 0},		  /* retaa */
	{0xd65f0fff, CSG_ENC_RET, false, 0},		  /* retab */
	{0xd69f03e0, CSG_ENC_ERET, false, 0},		  /* eret */
	{0xd69f0bff, CSG_ENC_ERET, false, 0},		  /* eretaa */
	{0xd5033fdf, CSG_ENC_ISB, false, 0},		  /* isb */
	{0xd5233060, CSG_ENC_TSTART, false, 0},		  /* tstart x0 */
};

static void p0_instructions_are_known(void)
{
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct csg_enc_insn insn = csg_enc_insn_decode(known[i].word, PC, false);

		CU_ASSERT(insn.is_p0);
		CU_ASSERT_EQUAL(insn.p0, known[i].p0);
		CU_ASSERT_EQUAL(insn.conditional, known[i].conditional);
		if (known[i].offset)
			CU_ASSERT_EQUAL(insn.target, PC + (uint64_t)known[i].offset);
	}
}

static void waits_are_p0_only_where_the_unit_says_so(void)
{
	CU_ASSERT_FALSE(csg_enc_insn_decode(0xd503207f, PC, false).is_p0); /* wfi */
	CU_ASSERT_TRUE(csg_enc_insn_decode(0xd503207f, PC, true).is_p0);
	CU_ASSERT_TRUE(csg_enc_insn_decode(0xd503205f, PC, true).is_p0);  /* wfe */
	CU_ASSERT_TRUE(csg_enc_insn_decode(0xd5031000, PC, true).is_p0);  /* wfet x0 */
	CU_ASSERT_FALSE(csg_enc_insn_decode(0xd503209f, PC, true).is_p0); /* sev */
}

static void calls_of_exceptions_stop_a_walk_but_are_no_p0(void)
{
	static const uint32_t calls[] = {0xd4000001, 0xd4000002, 0xd4000003, 0xd41fffe1};

	for (unsigned i = 0; i < 4; i++) {
		struct csg_enc_insn insn = csg_enc_insn_decode(calls[i], PC, true);

		CU_ASSERT(insn.is_call_exception && !insn.is_p0);
	}
}

static void other_instructions_are_nothing(void)
{
	static const uint32_t others[] = {
		0xd503201f, /* nop */
		0xd5033f9f, /* dsb sy */
		0xd5033bbf, /* dmb ish */
		0x8b000000, /* add */
		0xd4200000, /* brk */
		0xa9bf7bfd, /* stp */
		0x9ac00800, /* udiv */
	};

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct csg_enc_insn insn = csg_enc_insn_decode(others[i], PC, true);

		CU_ASSERT(!insn.is_p0 && !insn.is_call_exception);
	}
}

CSG_SUITE(encoder, insn, CSG_TEST(p0_instructions_are_known),
	  CSG_TEST(waits_are_p0_only_where_the_unit_says_so),
	  CSG_TEST(calls_of_exceptions_stop_a_walk_but_are_no_p0),
	  CSG_TEST(other_instructions_are_nothing));
