/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "util/hash.h"

static bool equal(const void *keys, uint32_t entry, const void *key)
{
	return ((const uint64_t *)keys)[entry] == *(const uint64_t *)key;
}

static void an_empty_table_finds_nothing(void)
{
	struct csg_hash table = {0};
	uint64_t key = 0;

	CU_ASSERT_EQUAL(csg_hash_find(&table, 0, equal, NULL, &key), -1);
	csg_hash_clear(&table);
	csg_hash_fini(&table);
	csg_hash_fini(&table);
}

static void entries_of_one_hash_are_distinguished(void)
{
	const uint64_t keys[] = {7, 8, 9};
	struct csg_hash table = {0};
	uint64_t key = 10;

	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(csg_hash_add(&table, UINT32_MAX, i), 0);
	for (uint32_t i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(csg_hash_find(&table, UINT32_MAX, equal, keys, &keys[i]), i);
	CU_ASSERT_EQUAL(csg_hash_find(&table, UINT32_MAX, equal, keys, &key), -1);
	csg_hash_clear(&table);
	CU_ASSERT_EQUAL(csg_hash_find(&table, UINT32_MAX, equal, keys, &keys[0]), -1);
	csg_hash_fini(&table);
}

static void a_table_grows_without_losing_entries(void)
{
	static uint64_t keys[10000];
	struct csg_hash table = {0};
	size_t found = 0;

	for (uint32_t i = 0; i < 10000; i++) {
		keys[i] = (uint64_t)i << 12;
		if (csg_hash_add(&table, csg_hash_of(csg_hash_mix(0, keys[i])), i))
			CU_FAIL_FATAL("no memory");
	}
	for (uint32_t i = 0; i < 10000; i++)
		found += csg_hash_find(&table, csg_hash_of(csg_hash_mix(0, keys[i])), equal, keys,
				       &keys[i]) == i;
	CU_ASSERT_EQUAL(found, 10000);
	CU_ASSERT_EQUAL(table.count, 10000);
	CU_ASSERT(table.count <= ((size_t)3 << table.bits) / 4);
	csg_hash_fini(&table);
}

static void every_byte_counts_in_a_hash(void)
{
	uint8_t bytes[21] = {0};
	const uint64_t none = csg_hash_bytes(0, bytes, sizeof(bytes));

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = 1;
		CU_ASSERT_NOT_EQUAL(csg_hash_bytes(0, bytes, sizeof(bytes)), none);
		bytes[i] = 0;
	}
	CU_ASSERT_NOT_EQUAL(csg_hash_bytes(0, bytes, 20), none);
	CU_ASSERT_NOT_EQUAL(csg_hash_bytes(1, bytes, sizeof(bytes)), none);
}

CSG_SUITE(util, hash, CSG_TEST(an_empty_table_finds_nothing),
	  CSG_TEST(entries_of_one_hash_are_distinguished),
	  CSG_TEST(a_table_grows_without_losing_entries), CSG_TEST(every_byte_counts_in_a_hash));
