/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdbool.h>

#include "timeline/slice_store.h"

static struct csg_slice_store store;

struct sum {
	uint64_t time, instructions, missing, slices;
};

/* What an owner has in all slices. */
static struct sum sum_of(uint32_t owner)
{
	struct sum sum = {0};

	for (size_t i = 0; i < store.n; i++) {
		const struct csg_stored *s = &store.slices[i];

		for (uint32_t k = 0; k < s->share_count; k++) {
			const struct csg_share *share = &store.shares[s->shares + k];

			if (share->owner != owner)
				continue;
			sum.time += share->time;
			sum.instructions += share->instructions;
			sum.missing += share->missing;
			sum.slices += share->slices;
		}
		if (s->share_count || s->slice.owner != owner)
			continue;
		sum.time += s->slice.end - s->slice.begin;
		sum.instructions += s->slice.instructions;
		sum.missing += s->slice.missing;
		sum.slices++;
	}
	return sum;
}

static void add(uint32_t stream, uint64_t begin, uint64_t end, uint32_t owner)
{
	const struct csg_slice slice = {.stream = stream,
					.begin = begin,
					.end = end,
					.owner = owner,
					.instructions = end - begin + 1,
					.missing = owner};

	CU_ASSERT_EQUAL_FATAL(csg_slice_store_add(&store, &slice), 0);
}

static void few_slices_stay_as_they_are(void)
{
	csg_slice_store_init(&store, 10);
	for (uint32_t i = 0; i < 10; i++)
		add(0, 10 * i, 10 * i + 10, i);
	CU_ASSERT_EQUAL(store.n, 10);
	CU_ASSERT_EQUAL(store.resolution, 0);
	csg_slice_store_fini(&store);
}

static void sums_survive_any_number_of_slices(void)
{
	struct sum want[3] = {{0}};
	uint64_t at = 0;

	csg_slice_store_init(&store, 1000);
	for (uint32_t i = 0; i < 300000; i++) {
		uint32_t owner = i % 3, length = (i * 2654435761u) >> 22;

		add(i / 150000, at, at + length, owner);
		want[owner].time += length;
		want[owner].instructions += length + 1;
		want[owner].missing += owner;
		want[owner].slices++;
		at += length;
	}
	CU_ASSERT(store.n <= 1000);
	CU_ASSERT(store.n > 100);
	CU_ASSERT(store.share_n <= 3 * store.n);
	for (uint32_t owner = 0; owner < 3; owner++) {
		const struct sum sum = sum_of(owner);

		CU_ASSERT_EQUAL(sum.time, want[owner].time);
		CU_ASSERT_EQUAL(sum.instructions, want[owner].instructions);
		CU_ASSERT_EQUAL(sum.missing, want[owner].missing);
		CU_ASSERT_EQUAL(sum.slices, want[owner].slices);
	}
	for (size_t i = 1; i < store.n; i++)
		if (store.slices[i].slice.stream == store.slices[i - 1].slice.stream)
			CU_ASSERT_EQUAL(store.slices[i].slice.begin, store.slices[i - 1].slice.end);
	csg_slice_store_fini(&store);
}

static void what_is_longer_than_a_bucket_stays_single(void)
{
	bool found = false;

	csg_slice_store_init(&store, 100);
	for (uint32_t i = 0; i < 1000; i++)
		add(0, i, i + 1, i & 1);
	add(0, 1000, 1000000, 7);
	for (uint32_t i = 0; i < 1000; i++)
		add(0, 1000000 + i, 1000001 + i, i & 1);
	CU_ASSERT(store.n <= 100);
	for (size_t i = 0; i < store.n; i++)
		found |= !store.slices[i].share_count && store.slices[i].slice.owner == 7;
	CU_ASSERT(found);
	csg_slice_store_fini(&store);
}

static void streams_are_never_mixed(void)
{
	csg_slice_store_init(&store, 8);
	for (uint32_t stream = 0; stream < 100; stream++)
		add(stream, 0, 1, stream);
	CU_ASSERT_EQUAL(store.n, 100); /* one each: no fewer can be */
	csg_slice_store_fini(&store);
}

static void losses_of_different_kinds_are_distinguished(void)
{
	csg_slice_store_init(&store, 4);
	for (uint32_t i = 0; i < 64; i++) {
		const struct csg_slice lost = {.begin = i,
					       .end = i + 1,
					       .owner = CSG_SLICE_LOST,
					       .gap = (uint8_t)(1 + (i & 1))};

		CU_ASSERT_EQUAL_FATAL(csg_slice_store_add(&store, &lost), 0);
	}
	CU_ASSERT(store.n <= 4);
	CU_ASSERT_EQUAL(store.slices[0].share_count, 2);
	CU_ASSERT_EQUAL(sum_of(CSG_SLICE_LOST).slices, 64);
	csg_slice_store_fini(&store);
}

CSG_SUITE(timeline, slice_store, CSG_TEST(few_slices_stay_as_they_are),
	  CSG_TEST(sums_survive_any_number_of_slices),
	  CSG_TEST(what_is_longer_than_a_bucket_stays_single), CSG_TEST(streams_are_never_mixed),
	  CSG_TEST(losses_of_different_kinds_are_distinguished));
