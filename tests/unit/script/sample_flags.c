/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_flags.h"

#include <string.h>

#include "suite.h"

static const char *text_of(uint32_t flags)
{
	static char text[CSG_FLAGS_TEXT_MAX];

	csg_flags_text(flags, text);
	return text;
}

static uint32_t of_range(enum csg_branch branch, bool conditional)
{
	struct csg_element range = {
		.kind = CSG_ELEMENT_RANGE, .branch = branch, .conditional = conditional};

	return csg_flags_of_range(&range);
}

static void branches_have_perfs_words(void)
{
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_DIRECT, false)),
			       "jmp                  ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_DIRECT, true)), "jcc                  ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_CALL, true)), "call                 ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_INDIRECT_CALL, false)),
			       "call                 ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_INDIRECT, false)),
			       "return               ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_RETURN, false)),
			       "return               ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_ERET, false)), "iret                 ");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_BARRIER, false)), "");
	CU_ASSERT_STRING_EQUAL(text_of(of_range(CSG_BRANCH_NONE, false)), "");
}

static void exceptions_have_perfs_words(void)
{
	CU_ASSERT_EQUAL(strncmp(text_of(csg_flags_of_exception(2, true)), "syscall ", 8), 0);
	CU_ASSERT_EQUAL(strncmp(text_of(csg_flags_of_exception(2, false)), "int ", 4), 0);
	CU_ASSERT_EQUAL(strncmp(text_of(csg_flags_of_exception(14, false)), "hw int ", 7), 0);
	CU_ASSERT_EQUAL(strncmp(text_of(csg_flags_of_exception(12, false)), "int ", 4), 0);
	CU_ASSERT_EQUAL(strncmp(text_of(csg_flags_of_exception(20, false)), "int ", 4), 0);
	CU_ASSERT_EQUAL(csg_flags_of_exception(5, false), 0);
	CU_ASSERT_EQUAL(csg_flags_of_exception(32, false), 0);
}

static void the_ends_of_tracing_come_before_the_word(void)
{
	uint32_t call = CSG_FLAG_BRANCH | CSG_FLAG_CALL;

	CU_ASSERT_STRING_EQUAL(text_of(CSG_FLAG_BRANCH | CSG_FLAG_BEGIN), "tr strt              ");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_FLAG_BRANCH | CSG_FLAG_END), "tr end               ");
	CU_ASSERT_STRING_EQUAL(text_of(call | CSG_FLAG_INTERRUPT | CSG_FLAG_END),
			       "tr end  int          ");
	CU_ASSERT_STRING_EQUAL(text_of(call | CSG_FLAG_BEGIN), "tr strt call         ");
	CU_ASSERT_STRING_EQUAL(text_of(CSG_FLAG_BRANCH | CSG_FLAG_SYSCALL | CSG_FLAG_END), "bsE");
}

static void svc_is_known_in_every_instruction_set(void)
{
	const uint8_t a64[] = {0x01, 0x00, 0x00, 0xd4}, hvc[] = {0x02, 0x00, 0x00, 0xd4};
	const uint8_t a32[] = {0x00, 0x00, 0x00, 0xef}, not_a32[] = {0x00, 0x00, 0x00, 0xff};
	const uint8_t t32[] = {0x05, 0xdf}, not_t32[] = {0x05, 0xde};

	CU_ASSERT(csg_is_svc(CSG_ISA_A64, a64));
	CU_ASSERT_FALSE(csg_is_svc(CSG_ISA_A64, hvc));
	CU_ASSERT(csg_is_svc(CSG_ISA_A32, a32));
	CU_ASSERT_FALSE(csg_is_svc(CSG_ISA_A32, not_a32));
	CU_ASSERT(csg_is_svc(CSG_ISA_T32, t32));
	CU_ASSERT_FALSE(csg_is_svc(CSG_ISA_T32, not_t32));
	CU_ASSERT_FALSE(csg_is_svc(CSG_ISA_UNKNOWN, a64));
}

static void c_and_r_ask_for_calls_and_returns_only(void)
{
	struct csg_itrace all = {.branches = true}, calls = {.calls = true},
			  returns = {.returns = true};
	uint32_t jump = CSG_FLAG_BRANCH, call = jump | CSG_FLAG_CALL, ret = jump | CSG_FLAG_RETURN;

	CU_ASSERT(csg_flags_wanted(jump, &all));
	CU_ASSERT(csg_flags_wanted(call, &calls));
	CU_ASSERT_FALSE(csg_flags_wanted(ret, &calls));
	CU_ASSERT_FALSE(csg_flags_wanted(jump, &calls));
	CU_ASSERT(csg_flags_wanted(jump | CSG_FLAG_END, &calls));
	CU_ASSERT(csg_flags_wanted(ret, &returns));
	CU_ASSERT(csg_flags_wanted(jump | CSG_FLAG_BEGIN, &returns));
	CU_ASSERT_FALSE(csg_flags_wanted(call, &returns));
}

CSG_SUITE(script, sample_flags, CSG_TEST(branches_have_perfs_words),
	  CSG_TEST(exceptions_have_perfs_words), CSG_TEST(the_ends_of_tracing_come_before_the_word),
	  CSG_TEST(svc_is_known_in_every_instruction_set),
	  CSG_TEST(c_and_r_ask_for_calls_and_returns_only));
