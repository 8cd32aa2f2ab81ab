/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/code_sample.h"

#include "suite.h"

#define START 0xffff800080000000u
#define NOP 0xd503201fu
#define CBZ_2 0x34000040u /* cbz w0, two further on */
#define B_2 0x14000002u
#define RET 0xd65f03c0u
#define ISB 0xd5033fdfu
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

static struct csg_code_sample take(const uint32_t *words, size_t count, uint32_t pattern,
				   unsigned int n)
{
	struct csg_code_sample sample = {0};
	struct code code = {words, count};

	csg_code_sample_take(&sample, 0, START, pattern, n, read_code, &code);
	return sample;
}

static void only_a_conditional_branch_is_not_taken(void)
{
	static const struct {
		uint32_t branch;
		uint32_t agreed, contradicted;
	} rows[] = {{CBZ_2, 1, 0}, {B_2, 0, 1}, {RET, 0, 1}, {ISB, 0, 1}, {UDF, 0, 1}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const uint32_t words[] = {NOP, rows[i].branch, NOP};
		struct csg_code_sample n = take(words, 3, 0, 1), e = take(words, 3, 1, 1);

		CU_ASSERT_EQUAL(n.agreed, rows[i].agreed);
		CU_ASSERT_EQUAL(n.contradicted, rows[i].contradicted);
		CU_ASSERT_EQUAL(n.first, rows[i].contradicted ? START : 0);
		CU_ASSERT_EQUAL(e.agreed, 0);
		CU_ASSERT_EQUAL(e.contradicted, rows[i].branch == UDF);
	}
}

static void atoms_lead_on_to_the_first_indirect_branch(void)
{
	/* E: over the RET; N: on; E: back through RET, after which nobody knows. */
	const uint32_t words[] = {B_2, RET, CBZ_2, RET, B_2};
	struct csg_code_sample s = take(words, 5, 0x5, 4);

	CU_ASSERT_EQUAL(s.agreed, 1);
	CU_ASSERT_EQUAL(s.contradicted, 0);
	s = take(words, 5, 0x1, 3);
	CU_ASSERT_EQUAL(s.agreed, 1);
	CU_ASSERT_EQUAL(s.contradicted, 1);
	CU_ASSERT_EQUAL(s.first, START + 12);
}

static void code_that_is_not_there_says_nothing(void)
{
	const uint32_t words[] = {NOP, NOP};

	CU_ASSERT_EQUAL(csg_code_sample_places(&(struct csg_code_sample){0}), 0);
	CU_ASSERT_EQUAL(take(words, 2, 0, 1).contradicted, 0);
	CU_ASSERT_EQUAL(take(words, 0, 0, 1).contradicted, 0);
}

static void a_place_counts_once(void)
{
	const uint32_t words[] = {CBZ_2};
	struct csg_code_sample sample = {0};
	struct code code = {words, 1};

	for (int i = 0; i < 100; i++)
		csg_code_sample_take(&sample, 0, START, 0, 1, read_code, &code);
	CU_ASSERT_EQUAL(csg_code_sample_places(&sample), 1);
}

static void what_runs_again_and_again_is_known(void)
{
	static const uint32_t word = CBZ_2;
	struct code code = {&word, 1}, none = {0};
	struct csg_code_sample sample = {0};

	for (int i = 0; i <= 2 * CSG_CODE_SAMPLE_REPEATS; i++)
		csg_code_sample_take(&sample, 0, START, 0, 1, read_code, &none);
	CU_ASSERT_FALSE(csg_code_sample_repeats(&sample));
	for (int i = 0; i < CSG_CODE_SAMPLE_REPEATS; i++)
		csg_code_sample_take(&sample, 0, START, i & 1, 1, read_code, &code);
	CU_ASSERT_FALSE(csg_code_sample_repeats(&sample));
	csg_code_sample_take(&sample, 0, START, 1, 1, read_code, &code);
	CU_ASSERT(csg_code_sample_repeats(&sample));
	sample.seen[(START >> 2) % CSG_CODE_SAMPLE_SEEN] = 0;
	csg_code_sample_take(&sample, 0, START, 0, 1, read_code, &code);
	CU_ASSERT_FALSE(csg_code_sample_repeats(&sample));
}

static void some_contradictions_are_patched_branches(void)
{
	static const struct {
		struct csg_code_sample sample;
		bool refutes;
	} rows[] = {
		{{.agreed = 0, .contradicted = 0}, false},
		{{.agreed = 0, .contradicted = 4}, false},
		{{.agreed = 0, .contradicted = 5}, true},
		{{.agreed = 6, .contradicted = 5}, false},
		{{.agreed = 5, .contradicted = 5}, true},
		{{.agreed = 49, .contradicted = 15}, false},
		{{.agreed = 48, .contradicted = 16}, true},
		{{.agreed = 1000, .contradicted = 30}, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CU_ASSERT_EQUAL(csg_code_sample_refutes(&rows[i].sample), rows[i].refutes);
}

CSG_SUITE(session_open, code_sample, CSG_TEST(only_a_conditional_branch_is_not_taken),
	  CSG_TEST(atoms_lead_on_to_the_first_indirect_branch),
	  CSG_TEST(code_that_is_not_there_says_nothing), CSG_TEST(a_place_counts_once),
	  CSG_TEST(what_runs_again_and_again_is_known),
	  CSG_TEST(some_contradictions_are_patched_branches));
