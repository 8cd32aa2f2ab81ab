/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/hot_code.h"

#include "fake_lookup.h"
#include "suite.h"

#define SPACE ((struct csg_space *)&code)
#define OTHER ((struct csg_space *)&words)

/* From address 0x1000 on. */
static const uint32_t words[128] = {
	[0] = 0xb9400001,  /* ldr w1, [x0] */
	[1] = 0x34ffffe1,  /* cbz w1, . - 4 */
	[4] = 0xd503203f,  /* yield */
	[5] = 0x17fffffb,  /* b . - 20 */
	[8] = 0xd503205f,  /* wfe */
	[12] = 0xd5031003, /* wfet x3 */
	[16] = 0xd503207f, /* wfi */
};
static uint8_t code[sizeof(words)];

static void code_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		    const uint8_t **bytes, size_t *len, uint64_t *until)
{
	(void)arg;
	(void)time;
	for (size_t i = 0; i < sizeof(words); i++)
		code[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
	*until = UINT64_MAX;
	*len = space == SPACE && addr >= 0x1000 && addr < 0x1000 + sizeof(words)
		       ? 0x1000 + sizeof(words) - addr
		       : 0;
	*bytes = code + (addr - 0x1000);
}

static void symbol_at(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	(void)arg;
	(void)time;
	*symbol = (struct csg_symbol){.name = space == SPACE && addr < 0x1100 ? "wait" : "work"};
}

static struct csg_hot_code hot;

/* Words `first` to before `end` of VM 7, vCPU 0: n instructions. */
static void ran(struct csg_space *space, unsigned first, unsigned end, uint64_t n)
{
	const struct csg_report_label label = {.world = CSG_WORLD_GUEST, .vm = 7, .vcpu = 0};
	const struct csg_report_range range = {.space = space,
					       .start = 0x1000 + 4 * first,
					       .end = 0x1000 + 4 * end,
					       .instructions = n,
					       .isa = CSG_ISA_A64};

	CU_ASSERT_EQUAL_FATAL(csg_hot_code_add(&hot, &label, &range), 0);
}

static struct csg_hot_place place_of(int32_t vm, int32_t vcpu)
{
	struct csg_lookup lookup = fake_lookup;

	lookup.code = code_at;
	lookup.symbol = symbol_at;
	return csg_hot_code_of(&hot, vm, vcpu, &lookup);
}

static bool spins(void)
{
	const struct csg_hot_place place = place_of(7, 0);

	csg_hot_code_fini(&hot);
	return csg_hot_place_spins(&place);
}

static void a_loop_that_yields_spins(void)
{
	struct csg_hot_place place;

	ran(SPACE, 0, 2, 600);
	ran(SPACE, 4, 6, 300);
	ran(SPACE, 100, 104, 100);
	place = place_of(7, 0);
	CU_ASSERT_EQUAL(place.all, 1000);
	CU_ASSERT_EQUAL(place.instructions, 900);
	CU_ASSERT_EQUAL(place.bytes, 24);
	CU_ASSERT_STRING_EQUAL(place.symbol, "wait");
	CU_ASSERT_STRING_EQUAL(place.waits, "YIELD");
	CU_ASSERT_TRUE(csg_hot_place_spins(&place));
	csg_hot_code_fini(&hot);
}

static void wfe_and_wfet_wait_as_well_and_wfi_does_not(void)
{
	ran(SPACE, 8, 9, 10);
	CU_ASSERT_TRUE(spins());
	ran(SPACE, 12, 13, 10);
	CU_ASSERT_TRUE(spins());
	ran(SPACE, 16, 17, 10);
	CU_ASSERT_FALSE(spins());
}

/* Near misses. */
static void a_loop_that_works_does_not_spin(void)
{
	struct csg_hot_place place;

	ran(SPACE, 0, 2, 1000);
	place = place_of(7, 0);
	CU_ASSERT_EQUAL(place.instructions, place.all);
	CU_ASSERT_PTR_NULL(place.waits);
	CU_ASSERT_FALSE(spins());
	/* It takes a lock that it seldom waits for. */
	ran(SPACE, 0, 2, 950);
	ran(SPACE, 4, 6, 50);
	CU_ASSERT_FALSE(spins());
	ran(SPACE, 0, 2, 900);
	ran(SPACE, 4, 6, 100);
	CU_ASSERT_TRUE(spins());
}

static void less_than_nine_tenths_are_not_all(void)
{
	ran(SPACE, 4, 6, 89);
	ran(SPACE, 100, 104, 11);
	CU_ASSERT_FALSE(spins());
	ran(SPACE, 4, 6, 90);
	ran(SPACE, 100, 104, 10);
	CU_ASSERT_TRUE(spins());
}

/* CSG_SPIN_BYTES are 64 words: a place ends with them. */
static void what_ends_further_away_is_another_place(void)
{
	ran(SPACE, 4, 6, 50);
	ran(SPACE, 60, 68, 50);
	CU_ASSERT_TRUE(spins());
	ran(SPACE, 4, 6, 50);
	ran(SPACE, 60, 69, 50);
	CU_ASSERT_FALSE(spins());
}

static void code_of_several_spaces_is_no_loop(void)
{
	ran(SPACE, 4, 6, 50);
	ran(OTHER, 4, 6, 50);
	CU_ASSERT_FALSE(spins());
}

static void code_that_is_not_there_says_nothing(void)
{
	struct csg_hot_place place;

	ran(OTHER, 4, 6, 50);
	place = place_of(7, 0);
	CU_ASSERT_EQUAL(place.instructions, 50);
	CU_ASSERT_PTR_NULL(place.waits);
	CU_ASSERT_FALSE(spins());
	place = place_of(7, 1);
	CU_ASSERT_EQUAL(place.all, 0);
	CU_ASSERT_FALSE(csg_hot_place_spins(&place));
}

static void only_guests_code_counts(void)
{
	const struct csg_report_label host = {.world = CSG_WORLD_HOST};
	const struct csg_report_range range = {.start = 0x1000, .end = 0x1004, .instructions = 1};

	CU_ASSERT_EQUAL(csg_hot_code_add(&hot, &host, &range), 0);
	CU_ASSERT_EQUAL(hot.count, 0);
	csg_hot_code_fini(&hot);
}

CSG_SUITE(summary, hot_code, CSG_TEST(a_loop_that_yields_spins),
	  CSG_TEST(wfe_and_wfet_wait_as_well_and_wfi_does_not),
	  CSG_TEST(a_loop_that_works_does_not_spin), CSG_TEST(less_than_nine_tenths_are_not_all),
	  CSG_TEST(what_ends_further_away_is_another_place),
	  CSG_TEST(code_of_several_spaces_is_no_loop),
	  CSG_TEST(code_that_is_not_there_says_nothing), CSG_TEST(only_guests_code_counts));
