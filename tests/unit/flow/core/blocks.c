/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/blocks.h"

#include "suite.h"

static struct csg_block *add(struct csg_blocks *blocks, uint64_t space, uint64_t address,
			     uint8_t isa, uint8_t it)
{
	const struct csg_block key = {.start = address,
				      .end = address + space,
				      .shape = {.isa = isa},
				      .space = space,
				      .it = it & 15u};

	const struct csg_block_way way = {.instructions = (uint32_t)space};

	return csg_blocks_add(blocks, &key, &way);
}

static void a_block_is_found_by_all_that_selects_its_bytes(void)
{
	struct csg_blocks blocks;
	struct csg_block *block;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	block = add(&blocks, 7, 0x1000, CSG_ISA_T32, 1);
	CU_ASSERT_PTR_NOT_NULL_FATAL(block);
	CU_ASSERT_PTR_EQUAL(csg_blocks_find(&blocks, 7, 0x1000, CSG_ISA_T32, 1), block);
	CU_ASSERT_PTR_NULL(csg_blocks_find(&blocks, 8, 0x1000, CSG_ISA_T32, 1));
	CU_ASSERT_PTR_NULL(csg_blocks_find(&blocks, 7, 0x1002, CSG_ISA_T32, 1));
	CU_ASSERT_PTR_NULL(csg_blocks_find(&blocks, 7, 0x1000, CSG_ISA_A32, 1));
	CU_ASSERT_PTR_NULL(csg_blocks_find(&blocks, 7, 0x1000, CSG_ISA_T32, 0));
	csg_blocks_fini(&blocks);
}

static void all_of_many_blocks_are_found_and_stay_where_they_are(void)
{
	static struct csg_block *where[20000];
	struct csg_blocks blocks;
	size_t wrong = 0;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	for (uint64_t i = 0; i < 20000; i++)
		where[i] = add(&blocks, i % 3 + 1, i / 3 * 4, CSG_ISA_A64, 0);
	for (uint64_t i = 0; i < 20000; i++) {
		struct csg_block *block =
			csg_blocks_find(&blocks, i % 3 + 1, i / 3 * 4, CSG_ISA_A64, 0);

		wrong += !block || block != where[i] || block->end != i / 3 * 4 + i % 3 + 1;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	csg_blocks_fini(&blocks);
}

static void what_is_forgotten_is_found_no_more(void)
{
	struct csg_blocks blocks;
	size_t found = 0, again = 0;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	for (uint64_t i = 0; i < 3000; i++)
		add(&blocks, 1, i * 4, CSG_ISA_A64, 0);
	csg_blocks_forget(&blocks, false);
	for (uint64_t i = 0; i < 3000; i++)
		found += csg_blocks_find(&blocks, 1, i * 4, CSG_ISA_A64, 0) != NULL;
	CU_ASSERT_EQUAL(found, 0);
	for (uint64_t i = 0; i < 3000; i++)
		add(&blocks, 2, i * 4, CSG_ISA_A64, 0);
	for (uint64_t i = 0; i < 3000; i++)
		again += csg_blocks_find(&blocks, 2, i * 4, CSG_ISA_A64, 0) != NULL;
	CU_ASSERT_EQUAL(again, 3000);
	CU_ASSERT_EQUAL(blocks.page_count, 6);
	CU_ASSERT_EQUAL(blocks.retired, 0);
	csg_blocks_fini(&blocks);
}

#define PAGES 4 /* that 2000 blocks fill */

static void what_is_forgotten_but_read_stays_until_it_is_released(void)
{
	static struct csg_block *where[2000], *second[2000];
	struct csg_blocks blocks;
	size_t wrong = 0;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	for (uint64_t i = 0; i < 2000; i++)
		where[i] = add(&blocks, 1, i * 4, CSG_ISA_A64, 0);
	CU_ASSERT_EQUAL(blocks.page_count, PAGES);
	csg_blocks_forget(&blocks, true);
	CU_ASSERT_PTR_NULL(csg_blocks_find(&blocks, 1, 0, CSG_ISA_A64, 0));
	for (uint64_t i = 0; i < 2000; i++)
		second[i] = add(&blocks, 2, i * 4, CSG_ISA_A64, 0);
	for (uint64_t i = 0; i < 2000; i++)
		wrong += where[i]->space != 1 || where[i]->start != i * 4;
	CU_ASSERT_EQUAL(wrong, 0);
	/* Of the eight pages there are now the second four are read as well; the first are free. */
	csg_blocks_release(&blocks);
	csg_blocks_forget(&blocks, true);
	CU_ASSERT_EQUAL(blocks.page_count, PAGES);
	CU_ASSERT_EQUAL(blocks.retired, PAGES);
	for (uint64_t i = 0; i < 2000; i++)
		add(&blocks, 3, i * 4, CSG_ISA_A64, 0);
	CU_ASSERT_EQUAL(blocks.page_count + blocks.retired, 2 * PAGES);
	for (uint64_t i = 0; i < 2000; i++)
		wrong += second[i]->space != 2 || second[i]->start != i * 4;
	CU_ASSERT_EQUAL(wrong, 0);
	csg_blocks_fini(&blocks);
}

/* More pages than there is room for at first, in sum only. */
static void what_is_read_takes_room_among_the_pages(void)
{
	struct csg_blocks blocks;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	for (uint64_t space = 1; space < 4; space++) {
		for (uint64_t i = 0; i < 20000; i++)
			add(&blocks, space, i * 4, CSG_ISA_A64, 0);
		CU_ASSERT_EQUAL(blocks.page_count, 40);
		CU_ASSERT_EQUAL(blocks.retired, 40 * (space - 1));
		csg_blocks_forget(&blocks, true);
	}
	csg_blocks_fini(&blocks);
}

static void memory_is_bounded(void)
{
	struct csg_blocks blocks;
	uint64_t n = 0;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	while (n < (1u << 21) && add(&blocks, 1, n * 4, CSG_ISA_A64, 0))
		n++;
	CU_ASSERT(n >= 1u << 18);
	CU_ASSERT(n < 1u << 21);
	csg_blocks_forget(&blocks, false);
	CU_ASSERT_PTR_NOT_NULL(add(&blocks, 1, 0, CSG_ISA_A64, 0));
	csg_blocks_fini(&blocks);
}

static void a_number_is_never_given_twice(void)
{
	struct csg_blocks blocks;
	uint32_t first;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	first = add(&blocks, 1, 0, CSG_ISA_A64, 0)->number;
	CU_ASSERT_NOT_EQUAL(first, 0);
	CU_ASSERT_NOT_EQUAL(add(&blocks, 1, 4, CSG_ISA_A64, 0)->number, first);
	csg_blocks_forget(&blocks, false);
	CU_ASSERT(add(&blocks, 1, 0, CSG_ISA_A64, 0)->number > first);
	csg_blocks_fini(&blocks);
}

static void a_way_that_is_asked_for_stays_so(void)
{
	const struct csg_block_way asks = {
		{CSG_WAY_ASK, CSG_WAY_ASK | CSG_WAY_ALWAYS | CSG_WAY_ADDRESS}, 1};
	const struct csg_block key = {.space = 1};
	struct csg_blocks blocks;
	struct csg_block *block;
	uint32_t *next;

	CU_ASSERT_EQUAL_FATAL(csg_blocks_init(&blocks), 0);
	for (uint64_t i = 0; i < 600; i++)
		add(&blocks, 1, 4 + i * 4, CSG_ISA_A64, 0);
	block = csg_blocks_add(&blocks, &key, &asks);
	CU_ASSERT_PTR_NOT_NULL_FATAL(block);
	CU_ASSERT_PTR_EQUAL(csg_blocks_at(&blocks, block->at), block);
	CU_ASSERT_PTR_NULL(csg_blocks_next(&blocks, block, 0));
	CU_ASSERT_PTR_NULL(csg_blocks_next(&blocks, block, 1));
	next = blocks.ways[block->at].next;
	for (int i = 0; i < 2; i++) {
		csg_way_lead(&next[0], block);
		csg_way_lead(&next[1], block);
		CU_ASSERT_PTR_EQUAL(csg_blocks_next(&blocks, block, 0), block);
		CU_ASSERT_PTR_EQUAL(csg_blocks_next(&blocks, block, 1), block);
		CU_ASSERT_FALSE(next[0] & CSG_WAY_ASK);
		CU_ASSERT(next[1] & CSG_WAY_ASK);
		CU_ASSERT(next[1] & CSG_WAY_ADDRESS);
	}
	csg_blocks_fini(&blocks);
}

/* Host and guests run the same kernel at the same addresses. */
static void landings_of_one_address_are_apart_by_space(void)
{
	static struct csg_landing landings[CSG_LANDINGS];
	const struct csg_blocks blocks = {.landings = landings};
	const struct csg_landing *first = csg_blocks_landing(&blocks, 0x55550040, 0x1008);

	CU_ASSERT_PTR_EQUAL(csg_blocks_landing(&blocks, 0x55550040, 0x1008), first);
	CU_ASSERT_PTR_NOT_EQUAL(csg_blocks_landing(&blocks, 0x55550140, 0x1008), first);
	CU_ASSERT_PTR_NOT_EQUAL(csg_blocks_landing(&blocks, 0x55550040, 0x100c), first);
}

CSG_SUITE(flow_core, blocks, CSG_TEST(a_number_is_never_given_twice),
	  CSG_TEST(landings_of_one_address_are_apart_by_space),
	  CSG_TEST(a_way_that_is_asked_for_stays_so),
	  CSG_TEST(a_block_is_found_by_all_that_selects_its_bytes),
	  CSG_TEST(all_of_many_blocks_are_found_and_stay_where_they_are),
	  CSG_TEST(what_is_forgotten_is_found_no_more),
	  CSG_TEST(what_is_forgotten_but_read_stays_until_it_is_released),
	  CSG_TEST(what_is_read_takes_room_among_the_pages), CSG_TEST(memory_is_bounded));
