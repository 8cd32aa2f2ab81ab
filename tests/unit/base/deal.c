/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/deal.h"

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

#define N 1000

/* Of so many, at times that time() says; how many are wrong behind it. */
static int deal(unsigned int of, unsigned int (*time)(unsigned int))
{
	struct item items[N];
	int wrong = 0;

	for (unsigned int i = 0; i < N; i++)
		items[i] = (struct item){
			.whose = (int32_t)(i * i % of) - 3, .time = time(i), .order = i};
	compared = 0;
	csg_deal(items, N, sizeof(items[0]), whose, by_whose_and_time);
	for (size_t i = 1; i < N; i++) {
		const struct item *a = &items[i - 1], *b = &items[i];

		wrong += a->whose > b->whose;
		if (a->whose == b->whose)
			wrong += a->time > b->time || (a->time == b->time && a->order >= b->order);
	}
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
	CU_ASSERT_EQUAL(compared, N - 1);
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
	CU_ASSERT_EQUAL(deal(1009, rises), 0);
	CU_ASSERT(compared > N);
	csg_deal(NULL, 0, sizeof(struct item), whose, by_whose_and_time);
}

CSG_SUITE(base, deal, CSG_TEST(what_comes_in_order_of_time_is_compared_once),
	  CSG_TEST(what_does_not_is_sorted_all_the_same),
	  CSG_TEST(so_it_is_where_there_are_too_many));
