/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sampler_stacks.h"

#include "suite.h"

static size_t two_frames(void *arg, uint32_t stream, uint64_t ip, struct csg_sample_frame *frames,
			 size_t max)
{
	(void)arg;
	CU_ASSERT(max >= 2);
	frames[0] = (struct csg_sample_frame){.address = ip, .owner = stream};
	frames[1] = (struct csg_sample_frame){.address = 0x900, .outermost = true};
	return 2;
}

static void a_sample_gets_the_branches_that_were_taken(void)
{
	const struct csg_element to = {.start = 0x200, .owner = 6};
	struct csg_sampler s = {.before = {.range = true, .last = 0x100, .owner = 5}};
	struct csg_sample sample = {0};
	uint64_t stack;

	CU_ASSERT_FATAL(csg_last_branches_init(&s.last_branches, 4));
	csg_sampler_push_branch(&s, &to); /* it fell through */
	csg_sampler_attach(&s, &sample, 0);
	CU_ASSERT_EQUAL(sample.branch_count, 0);
	s.before.taken = true;
	csg_sampler_push_branch(&s, &to);
	s.before.range = false;
	csg_sampler_push_branch(&s, &to); /* from nowhere */
	stack = csg_last_branches_copy(&s.last_branches, &s.queue);
	csg_sampler_attach(&s, &sample, stack);
	CU_ASSERT_EQUAL_FATAL(sample.branch_count, 1);
	CU_ASSERT_EQUAL(s.queue.branches[sample.branches].from, 0x100);
	CU_ASSERT_EQUAL(s.queue.branches[sample.branches].to, 0x200);
	CU_ASSERT_EQUAL(s.queue.branches[sample.branches].from_owner, 5);
	csg_last_branches_fini(&s.last_branches);
	csg_sample_queue_fini(&s.queue);
}

static void the_newest_sample_gets_the_chain(void)
{
	struct csg_sampler s = {.setup = {.chain = two_frames}, .stream = 3};

	CU_ASSERT_PTR_NOT_NULL(csg_sample_queue_add(&s.queue));
	CU_ASSERT_PTR_NOT_NULL_FATAL(csg_sample_queue_add(&s.queue));
	csg_sampler_add_chain(&s, 0x100);
	CU_ASSERT_EQUAL(s.queue.samples[0].chain_count, 0);
	CU_ASSERT_EQUAL_FATAL(s.queue.samples[1].chain_count, 2);
	CU_ASSERT_EQUAL(csg_sample_queue_frames(&s.queue, &s.queue.samples[1])[0].address, 0x100);
	CU_ASSERT_EQUAL(csg_sample_queue_frames(&s.queue, &s.queue.samples[1])[0].owner, 3);
	csg_sample_queue_fini(&s.queue);
}

CSG_SUITE(script, sampler_stacks, CSG_TEST(a_sample_gets_the_branches_that_were_taken),
	  CSG_TEST(the_newest_sample_gets_the_chain));
