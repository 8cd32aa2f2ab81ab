/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/spool.h"

#include <string.h>

#include "suite.h"

#define BYTES 1000
#define ROUNDS 300

struct taken {
	uint64_t n, wrong, calls;
	uint64_t stop; /* at this call */
};

static uint8_t byte_at(uint64_t index)
{
	return (uint8_t)(index * 7 + (index >> 8));
}

static int take(void *arg, const void *bytes, size_t n)
{
	struct taken *taken = arg;
	const uint8_t *at = bytes;

	for (size_t i = 0; i < n; i++)
		taken->wrong += at[i] != byte_at(taken->n++);
	return ++taken->calls == taken->stop ? 5 : 0;
}

static void fill(struct csg_spool *spool)
{
	uint8_t bytes[BYTES];

	for (uint64_t round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < BYTES; i++)
			bytes[i] = byte_at(round * BYTES + i);
		csg_spool_add(spool, bytes, round % 3 ? BYTES : 1);
		if (round % 3 == 0)
			csg_spool_add(spool, bytes + 1, BYTES - 1);
		csg_spool_add(spool, bytes, 0);
	}
}

static void bytes_come_back_in_order(struct csg_disk_memory *memory)
{
	struct csg_spool spool = {.memory = memory};
	struct taken taken = {0}, stopped = {.stop = 2};

	fill(&spool);
	CU_ASSERT_FALSE(spool.failed);
	CU_ASSERT_EQUAL(spool.n, ROUNDS * BYTES);
	CU_ASSERT_EQUAL(csg_spool_each(&spool, take, &taken), 0);
	CU_ASSERT_EQUAL(taken.n, ROUNDS * BYTES);
	CU_ASSERT_EQUAL(taken.wrong, 0);
	CU_ASSERT_EQUAL(csg_spool_each(&spool, take, &stopped), 5);
	CU_ASSERT_EQUAL(stopped.n, 2 * CSG_SPOOL_PIECE);
	csg_spool_fini(&spool);
}

static void bytes_come_back_in_order_from_the_heap(void)
{
	struct csg_disk_memory memory = {.limit = 1 << 20};

	bytes_come_back_in_order(&memory);
	CU_ASSERT_FALSE(memory.is_open);
	CU_ASSERT_EQUAL(memory.on_heap, 0);
	csg_disk_memory_fini(&memory);
	bytes_come_back_in_order(NULL);
}

static void bytes_come_back_in_order_from_the_disk(void)
{
	struct csg_disk_memory memory = {.limit = 1};

	bytes_come_back_in_order(&memory);
	CU_ASSERT(memory.is_open);
	csg_disk_memory_fini(&memory);
}

static void where_there_is_no_room_it_fails(void)
{
	struct csg_disk_memory memory = {.limit = 1, .dir = "/nowhere"};
	struct csg_spool spool = {.memory = &memory};
	struct taken taken = {0};

	fill(&spool);
	CU_ASSERT_TRUE(spool.failed);
	CU_ASSERT_EQUAL(spool.n, 0);
	CU_ASSERT_EQUAL(csg_spool_each(&spool, take, &taken), 0);
	CU_ASSERT_EQUAL(taken.calls, 0);
	csg_spool_fini(&spool);
	csg_disk_memory_fini(&memory);
}

CSG_SUITE(util, spool, CSG_TEST(bytes_come_back_in_order_from_the_heap),
	  CSG_TEST(bytes_come_back_in_order_from_the_disk),
	  CSG_TEST(where_there_is_no_room_it_fails));
