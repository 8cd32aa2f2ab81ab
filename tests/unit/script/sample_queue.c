/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_queue.h"

#include "suite.h"

static void samples_come_out_in_order_once_they_are_dated(void)
{
	struct csg_sample_queue queue = {0};

	csg_sample_queue_add(&queue)->ip = 1;
	csg_sample_queue_add(&queue)->ip = 2;
	CU_ASSERT_PTR_NULL(csg_sample_queue_head(&queue));
	csg_sample_queue_date(&queue, 10, 100);
	csg_sample_queue_add(&queue)->ip = 3;
	CU_ASSERT_EQUAL(csg_sample_queue_head(&queue)->ip, 1);
	CU_ASSERT_EQUAL(csg_sample_queue_head(&queue)->time, 10);
	CU_ASSERT_EQUAL(csg_sample_queue_head(&queue)->order, 100);
	csg_sample_queue_take(&queue);
	CU_ASSERT_EQUAL(csg_sample_queue_head(&queue)->ip, 2);
	csg_sample_queue_take(&queue);
	CU_ASSERT_PTR_NULL(csg_sample_queue_head(&queue));
	csg_sample_queue_date(&queue, 11, 101);
	CU_ASSERT_EQUAL(csg_sample_queue_head(&queue)->ip, 3);
	CU_ASSERT_EQUAL(csg_sample_queue_head(&queue)->time, 11);
	csg_sample_queue_fini(&queue);
}

static void stack_of(struct csg_sample_queue *queue, uint64_t ip, size_t n, int sharers)
{
	struct csg_sample_branch *stack;
	uint64_t at;

	stack = csg_sample_queue_add_branches(queue, n, &at);
	for (size_t i = 0; i < n; i++)
		stack[i].from = ip * 100 + i;
	for (int i = 0; i < sharers; i++) {
		struct csg_sample *sample = csg_sample_queue_add(queue);

		sample->ip = ip;
		sample->branches = at;
		sample->branch_count = (uint32_t)n;
	}
}

/* Adds 3 samples of 2 ranges for every one that is taken, then takes the rest. */
static void stacks_stay_with_their_samples(void)
{
	struct csg_sample_queue queue = {0};
	uint64_t put = 0, got = 0, wrong = 0, last = 0;

	for (int i = 0; i < 2000; i++) {
		put++;
		stack_of(&queue, put, put % 7, 2);
		csg_sample_queue_add(&queue)->ip = ++put;
		csg_sample_queue_date(&queue, 1, 1);
		for (int k = 0; k < (i % 3 ? 2 : 5); k++) {
			const struct csg_sample *head = csg_sample_queue_head(&queue);

			if (!head)
				break;
			wrong += head->ip < last || head->ip > last + 1;
			last = head->ip;
			for (uint32_t b = 0; b < head->branch_count; b++)
				wrong += csg_sample_queue_branches(&queue, head)[b].from !=
					 head->ip * 100 + b;
			csg_sample_queue_take(&queue);
			got++;
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(got > 5000);
	CU_ASSERT(queue.end < 6000);
	csg_sample_queue_fini(&queue);
}

static void chains_stay_with_their_samples(void)
{
	struct csg_sample_queue queue = {0};
	uint64_t put = 0, got = 0, wrong = 0;

	for (int i = 0; i < 3000; i++) {
		struct csg_sample *sample = csg_sample_queue_add(&queue);
		size_t n = put % 5;

		sample->ip = put;
		if (n) {
			struct csg_sample_frame *frames =
				csg_sample_queue_add_frames(&queue, n, &sample->chain);

			for (size_t k = 0; k < n; k++)
				frames[k].address = put * 10 + k;
			sample->chain_count = (uint32_t)n;
		}
		put++;
		csg_sample_queue_date(&queue, 1, 1);
		for (int k = 0; k < i % 3; k++) {
			const struct csg_sample *head = csg_sample_queue_head(&queue);

			if (!head)
				break;
			wrong += head->ip != got++;
			for (uint32_t f = 0; f < head->chain_count; f++)
				wrong += csg_sample_queue_frames(&queue, head)[f].address !=
					 head->ip * 10 + f;
			csg_sample_queue_take(&queue);
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(got > 2900);
	CU_ASSERT(queue.frame_end < 2000);
	csg_sample_queue_fini(&queue);
}

static void it_says_when_it_is_full(void)
{
	struct csg_sample_queue queue = {0};
	size_t n = 0;

	while (!csg_sample_queue_full(&queue) && n < 1000000) {
		csg_sample_queue_add(&queue);
		n++;
	}
	CU_ASSERT(n >= 1000 && n < 1000000);
	csg_sample_queue_date(&queue, 1, 1);
	while (csg_sample_queue_head(&queue))
		csg_sample_queue_take(&queue);
	CU_ASSERT_FALSE(csg_sample_queue_full(&queue));
	for (n = 0; !csg_sample_queue_full(&queue) && n < 100000; n++)
		stack_of(&queue, n, 1024, 1);
	CU_ASSERT(n < 1000);
	csg_sample_queue_fini(&queue);
}

CSG_SUITE(script, sample_queue, CSG_TEST(samples_come_out_in_order_once_they_are_dated),
	  CSG_TEST(stacks_stay_with_their_samples), CSG_TEST(chains_stay_with_their_samples),
	  CSG_TEST(it_says_when_it_is_full));
