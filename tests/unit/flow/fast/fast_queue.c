/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "flow/fast/fast_queue.h"
#include "suite.h"

static struct csg_fast_entry *push(struct csg_fast *f, enum csg_fast_kind kind, uint64_t index)
{
	struct csg_fast_entry *e = csg_fast_push(f, kind, index);

	CU_ASSERT_PTR_NOT_NULL_FATAL(e);
	e->p0 = kind == CSG_FAST_ATOMS || kind == CSG_FAST_EXCEPTION;
	f->queue.depth += e->p0;
	return e;
}

static void push_atoms(struct csg_fast *f, uint8_t n, uint32_t pattern)
{
	struct csg_fast_entry *e = push(f, CSG_FAST_ATOMS, 0);

	e->atoms = n;
	e->pattern = pattern;
	f->queue.depth += n - 1u;
}

static void entries_come_out_in_their_order(void)
{
	struct csg_fast f = {0};

	for (uint64_t round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < 1000; i++)
			push(&f, CSG_FAST_ADDRESS, i);
		for (uint64_t i = 0; i < 1000; i++) {
			CU_ASSERT_EQUAL(csg_fast_entry_at(&f, 0)->index, i);
			csg_fast_pop_oldest(&f);
		}
		push(&f, CSG_FAST_EVENT, 0);
		csg_fast_pop_oldest(&f);
	}
	free(f.queue.entries);
}

static void the_queue_is_bounded(void)
{
	struct csg_fast f = {0};
	size_t n = 0;

	while (n < 1u << 22 && csg_fast_push(&f, CSG_FAST_EVENT, n))
		n++;
	CU_ASSERT(n < 1u << 22);
	free(f.queue.entries);
}

static void a_cancel_takes_the_newest_and_leaves_what_passed(void)
{
	struct csg_fast f = {0};

	push_atoms(&f, 5, 0x1f);
	push(&f, CSG_FAST_TIMESTAMP, 10);
	push(&f, CSG_FAST_ADDRESS, 11);
	push(&f, CSG_FAST_EXCEPTION, 12);
	push(&f, CSG_FAST_EVENT, 13);
	CU_ASSERT(csg_fast_cancel(&f, 3)); /* the exception and two atoms */
	CU_ASSERT_EQUAL(f.queue.depth, 3);
	CU_ASSERT_EQUAL_FATAL(f.queue.ring.count, 3);
	CU_ASSERT_EQUAL(csg_fast_entry_at(&f, 0)->atoms, 3);
	CU_ASSERT_EQUAL(csg_fast_entry_at(&f, 1)->index, 10);
	CU_ASSERT_EQUAL(csg_fast_entry_at(&f, 2)->index, 13);
	CU_ASSERT_FALSE(csg_fast_cancel(&f, 4));
	free(f.queue.entries);
}

static void a_mispredict_slices_the_newest_atom(void)
{
	struct csg_fast f = {0};

	CU_ASSERT_FALSE(csg_fast_mispredict(&f));
	push_atoms(&f, 3, 0x7);
	push(&f, CSG_FAST_ADDRESS, 10);
	push(&f, CSG_FAST_EVENT, 11);
	CU_ASSERT(csg_fast_mispredict(&f));
	CU_ASSERT_EQUAL(csg_fast_entry_at(&f, 0)->pattern, 0x3);
	CU_ASSERT_EQUAL_FATAL(f.queue.ring.count, 2); /* the address was never reached */
	CU_ASSERT_EQUAL(csg_fast_entry_at(&f, 1)->index, 11);
	free(f.queue.entries);
}

CSG_SUITE(flow_fast, fast_queue, CSG_TEST(entries_come_out_in_their_order),
	  CSG_TEST(the_queue_is_bounded),
	  CSG_TEST(a_cancel_takes_the_newest_and_leaves_what_passed),
	  CSG_TEST(a_mispredict_slices_the_newest_atom));
