/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "util/keyset.h"

struct key {
	uint64_t a;
	uint32_t b;
	uint32_t c;
	uint8_t tail[3];
} __attribute__((packed));

static void numbers_follow_the_order_of_arrival(void)
{
	struct csg_keyset set;
	struct key key = {.a = 1};

	csg_keyset_init(&set, sizeof(key));
	CU_ASSERT_EQUAL(csg_keyset_find(&set, &key), -1);
	CU_ASSERT_EQUAL(csg_keyset_add(&set, &key), 0);
	key.tail[2] = 1;
	CU_ASSERT_EQUAL(csg_keyset_find(&set, &key), -1);
	CU_ASSERT_EQUAL(csg_keyset_add(&set, &key), 1);
	CU_ASSERT_EQUAL(csg_keyset_find(&set, &key), 1);
	CU_ASSERT_EQUAL(csg_keyset_add(&set, &key), 1);
	key.tail[2] = 0;
	CU_ASSERT_EQUAL(csg_keyset_add(&set, &key), 0);
	CU_ASSERT_EQUAL(set.count, 2);
	csg_keyset_fini(&set);
	csg_keyset_fini(&set);
}

static void many_keys_keep_their_numbers(void)
{
	struct csg_keyset set;

	csg_keyset_init(&set, sizeof(struct key));
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 100000; i++) {
			struct key key = {.a = i / 7, .b = i % 7};

			if (csg_keyset_add(&set, &key) != i)
				CU_FAIL_FATAL("another number");
		}
	CU_ASSERT_EQUAL(set.count, 100000);
	CU_ASSERT_EQUAL(((const struct key *)csg_keyset_get(&set, 700))->a, 100);
	csg_keyset_fini(&set);
}

CSG_SUITE(util, keyset, CSG_TEST(numbers_follow_the_order_of_arrival),
	  CSG_TEST(many_keys_keep_their_numbers));
