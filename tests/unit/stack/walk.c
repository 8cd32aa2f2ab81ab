/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "fake_trace.h"
#include "stack/walk.h"

/* Two CPUs; each batch is one range. */
struct script {
	uint64_t time;
	struct csg_element e;
};
static struct script scripts[2][16];
static size_t lengths[2], given[2];
static char order[64];
static int fails_at = -1;
static const struct csg_chunk *chunks[2];

static void add(int cpu, uint64_t time, uint32_t owner, uint64_t start, enum csg_branch branch)
{
	scripts[cpu][lengths[cpu]++] = (struct script){time, fake_range(owner, start, branch)};
}

static int next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	(void)arg;
	if (fails_at == (int)stream)
		return -CSG_E_DECODE;
	if (given[stream] == lengths[stream])
		return 0;
	*batch = (struct csg_batch){.stream = stream,
				    .elements = &scripts[stream][given[stream]].e,
				    .n = 1,
				    .chunk = chunks[stream],
				    .time = scripts[stream][given[stream]].time};
	given[stream]++;
	return 1;
}

static void note_order(void *arg, uint32_t stream, struct csg_stack *frames, uint64_t n)
{
	(void)arg, (void)frames, (void)n;
	strcat(order, stream ? "1" : "0");
}

static int walk(const char *expected)
{
	const struct csg_stacks_client client = {.owner = fake_owner,
						 .space = fake_space,
						 .function = fake_symbol,
						 .ran = note_order};
	struct csg_walk w = {.next = next, .n = 2};
	int ret;

	order[0] = 0;
	given[0] = given[1] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_stacks_create(&w.stacks, &client, 2), 0);
	fake_stacks = w.stacks;
	CU_ASSERT_EQUAL_FATAL(csg_walk_init(&w), 0);
	while ((ret = csg_walk_next(&w)) > 0)
		;
	CU_ASSERT_STRING_EQUAL(order, expected);
	csg_walk_fini(&w);
	lengths[0] = lengths[1] = 0;
	return ret;
}

static void streams_are_fed_by_time(void)
{
	add(0, 10, HOST_KERNEL, MAIN, CSG_BRANCH_NONE);
	add(0, 30, HOST_KERNEL, MAIN + 16, CSG_BRANCH_NONE);
	add(1, 20, OTHER_KERNEL, MAIN, CSG_BRANCH_NONE);
	add(1, 40, OTHER_KERNEL, MAIN + 16, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(walk("0101"), 0);
	close_stacks();
}

/* A record says when the chunk had ended; what it holds is earlier. */
static void where_time_is_not_known_a_stream_is_no_later_than_before(void)
{
	static const struct csg_chunk chunk = {.begin_time = 15, .time = 100};

	chunks[0] = &chunk;
	add(0, 0, HOST_KERNEL, MAIN, CSG_BRANCH_NONE);
	add(0, 30, HOST_KERNEL, MAIN + 16, CSG_BRANCH_NONE);
	add(0, 0, HOST_KERNEL, MAIN + 32, CSG_BRANCH_NONE);
	add(0, 50, HOST_KERNEL, MAIN + 48, CSG_BRANCH_NONE);
	add(1, 10, OTHER_KERNEL, MAIN, CSG_BRANCH_NONE);
	add(1, 20, OTHER_KERNEL, MAIN + 16, CSG_BRANCH_NONE);
	add(1, 40, OTHER_KERNEL, MAIN + 32, CSG_BRANCH_NONE);
	CU_ASSERT_EQUAL(walk("1010010"), 0);
	chunks[0] = NULL;
	close_stacks();
}

/* Thread 20 runs on CPU 0 and is switched away there; CPU 1, where it comes, is earlier by its
 * stamps. */
static void move(uint64_t later)
{
	add(0, 10, OTHER_KERNEL, MAIN, CSG_BRANCH_CALL);
	add(1, 11, HOST_KERNEL, STUB, CSG_BRANCH_CALL);
	add(1, 12, HOST_KERNEL, SWITCHES, CSG_BRANCH_RETURN);
	add(1, 13, OTHER_KERNEL, WORK + 16, CSG_BRANCH_NONE);
	add(0, later, OTHER_KERNEL, WORK, CSG_BRANCH_CALL);
	add(0, later, OTHER_KERNEL, SWITCHES, CSG_BRANCH_RETURN);
	add(0, later, HOST_KERNEL, STUB + 16, CSG_BRANCH_NONE);
}

static void where_a_thread_comes_waits_for_where_it_leaves(void)
{
	move(14);
	scripts[0][3].e.owner = GUEST_KERNEL; /* what comes on CPU 0 is nobody's of this */
	CU_ASSERT_EQUAL(walk("0110001"), 0);
	chain_of(1, true, "work main");
	close_stacks();
}

static void two_that_wait_for_each_other_both_go_on(void)
{
	move(14);
	CU_ASSERT_EQUAL(walk("0110001"), 0);
	close_stacks();
}

static void patience_has_an_end(void)
{
	move(14 + CSG_WALK_PATIENCE);
	CU_ASSERT_EQUAL(walk("0111000"), 0);
	chain_of(1, true, "work");
	close_stacks();
}

static void an_error_ends_the_walk(void)
{
	add(0, 10, HOST_KERNEL, MAIN, CSG_BRANCH_NONE);
	fails_at = 1;
	CU_ASSERT_EQUAL(walk(""), -CSG_E_DECODE);
	fails_at = -1;
	close_stacks();
}

CSG_SUITE(stack, walk, CSG_TEST(streams_are_fed_by_time),
	  CSG_TEST(where_time_is_not_known_a_stream_is_no_later_than_before),
	  CSG_TEST(where_a_thread_comes_waits_for_where_it_leaves),
	  CSG_TEST(two_that_wait_for_each_other_both_go_on), CSG_TEST(patience_has_an_end),
	  CSG_TEST(an_error_ends_the_walk));
