/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/deal.h"

#include <stdlib.h>

#include "suite.h"

struct item {
	int32_t whose;
	unsigned int time, order;
	char more[20];
};

static unsigned int compared;

static int32_t whose(const void *item)
{
	return ((const struct item *)item)->whose;
}

static int by_whose_and_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	compared++;
	if (x->whose != y->whose)
		return x->whose < y->whose ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

#define N 4000

/* Of this many, at times that time() says; how many are wrong after it. */
static int deal(unsigned int of, unsigned int (*time)(unsigned int))
{
	struct item *items = malloc(N * sizeof(*items));
	struct csg_dealt dealt = {NULL, items, N, N, sizeof(*items)};
	int wrong = 0;

	for (unsigned int i = 0; i < N; i++)
		items[i] = (struct item){
			.whose = (int32_t)(i * i % of) - 3, .time = time(i), .order = i};
	compared = 0;
	csg_deal(&dealt, whose, by_whose_and_time);
	items = dealt.items;
	for (size_t i = 1; i < N; i++) {
		const struct item *a = &items[i - 1], *b = &items[i];

		wrong += a->whose > b->whose;
		if (a->whose == b->whose)
			wrong += a->time > b->time || (a->time == b->time && a->order >= b->order);
	}
	free(items);
	return wrong;
}

static unsigned int rises(unsigned int i)
{
	return i / 10;
}

static unsigned int falls(unsigned int i)
{
	return (N - i) / 10;
}

static void what_comes_in_order_of_time_is_compared_once(void)
{
	CU_ASSERT_EQUAL(deal(7, rises), 0);
	CU_ASSERT(compared < N);
	CU_ASSERT_EQUAL(deal(1, rises), 0);
	CU_ASSERT_EQUAL(compared, N - 1);
}

static void what_does_not_is_sorted_all_the_same(void)
{
	CU_ASSERT_EQUAL(deal(7, falls), 0);
	CU_ASSERT_EQUAL(deal(1, falls), 0);
}

static void so_it_is_where_there_are_too_many(void)
{
	struct csg_dealt none = {.size = sizeof(struct item)};

	CU_ASSERT_EQUAL(deal(9973, rises), 0);
	CU_ASSERT(compared > N);
	csg_deal(&none, whose, by_whose_and_time);
	CU_ASSERT_PTR_NULL(none.items);
}

CSG_SUITE(base, deal, CSG_TEST(what_comes_in_order_of_time_is_compared_once),
	  CSG_TEST(what_does_not_is_sorted_all_the_same),
	  CSG_TEST(so_it_is_where_there_are_too_many));
