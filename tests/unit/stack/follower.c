/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/follower.h"

#include "csguest/error.h"
#include "fake_trace.h"

/* Thread 20 leaves CPU 0, whose trace lags, and is switched to on CPU 1. */
#define PIECES 6

static struct piece {
	uint32_t stream;
	struct csg_element e;
	uint64_t time;
} pieces[PIECES];
static size_t done[2];
static char order[16];

static int next(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	size_t n = 0;

	(void)arg, (void)size;
	for (size_t i = 0; i < PIECES; i++) {
		if (pieces[i].stream != stream || n++ < done[stream])
			continue;
		done[stream]++;
		*batch = (struct csg_batch){.stream = stream,
					    .elements = &pieces[i].e,
					    .element_size = sizeof(pieces[i].e),
					    .n = 1,
					    .time = pieces[i].time};
		return 1;
	}
	return 0;
}

static void ran_here(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n)
{
	(void)arg, (void)stack, (void)n;
	strcat(order, stream ? "1" : "0");
}

static struct csg_space *space_of(void *arg, uint32_t owner)
{
	(void)arg, (void)owner;
	return (struct csg_space *)(uintptr_t)&fake_owners;
}

static int symbol_at(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		     struct csg_symbol *symbol, size_t size)
{
	struct csg_function function;

	(void)arg, (void)space, (void)time, (void)size;
	fake_function_at(address, &function);
	*symbol = (struct csg_symbol){
		.name = function.switches ? "cpu_switch_to" : "other",
		.start = function.start,
		.end = function.end,
		.symbol_id = function.label,
	};
	return 0;
}

static int code_at(void *arg, struct csg_space *space, uint64_t address, uint64_t time,
		   const uint8_t **bytes, size_t *len, uint64_t *until)
{
	(void)arg, (void)space, (void)address, (void)time, (void)bytes, (void)len, (void)until;
	return -CSG_E_NO_IMAGE;
}

/* Thread 20 was on stream 0 from 5 to 30, then on stream 1. */
static int interval_at(void *arg, uint32_t stream, size_t index, struct csg_interval *interval,
		       size_t size)
{
	static const struct csg_interval intervals[] = {{.from = 5, .until = 30, .tid = 20},
							{.from = 31, .until = 90, .tid = 20}};

	(void)arg, (void)size;
	if (index)
		return -CSG_E_USAGE;
	*interval = intervals[stream];
	return 0;
}

/* Follows to the end; the streams in the order in which they were followed. */
static const char *follow(bool intervals)
{
	const struct csg_follower_source source = {
		.size = sizeof(source),
		.streams = 2,
		.owner = fake_owner,
		.space = space_of,
		.symbol = symbol_at,
		.code = code_at,
		.interval = intervals ? interval_at : NULL,
	};
	const struct csg_follower_options options = {
		.size = sizeof(options), .next = next, .ran = ran_here};
	struct csg_follower *follower;
	int ret;

	done[0] = done[1] = 0;
	order[0] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_follower_begin(&follower, &source, &options, NULL), 0);
	while ((ret = csg_follower_next(follower)) > 0)
		;
	CU_ASSERT_EQUAL(ret, 0);
	csg_follower_destroy(follower);
	return order;
}

static void a_thread_that_moves_is_followed_to_where_it_leaves(void)
{
	pieces[0] = (struct piece){1, fake_range(HOST_KERNEL, STUB, BL), 10};
	pieces[1] = (struct piece){1, fake_range(HOST_KERNEL, SWITCHES, RET), 11};
	pieces[2] = (struct piece){1, fake_range(OTHER_KERNEL, WORK, NO), 26};
	pieces[3] = (struct piece){0, fake_range(HOST_IDLE, MAIN, BL), 27};
	pieces[4] = (struct piece){0, fake_range(HOST_IDLE, WORK, NO), 29};
	pieces[5] = (struct piece){0, fake_range(HOST_IDLE, WORK + 16, NO), 33};
	CU_ASSERT_STRING_EQUAL(follow(false), "111000");
	/* By its records the thread was on the other CPU until 30. */
	CU_ASSERT_STRING_EQUAL(follow(true), "110010");
}

CSG_SUITE(stack, follower, CSG_TEST(a_thread_that_moves_is_followed_to_where_it_leaves));
