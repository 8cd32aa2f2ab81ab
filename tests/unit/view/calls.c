/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "csguest/error.h"
#include "fake_lookup.h"
#include "view/calls.h"

/* main calls helper, which returns. */
static const struct csg_element elements[] = {
	{.kind = CSG_ELEMENT_TIMESTAMP, .timestamp = 7, .owner = 1},
	{.kind = CSG_ELEMENT_RANGE,
	 .owner = 1,
	 .start = 0x1010,
	 .end = 0x1020,
	 .instructions = 4,
	 .last_size = 4,
	 .isa = CSG_ISA_A64,
	 .branch = CSG_BRANCH_CALL,
	 .taken = true},
	{.kind = CSG_ELEMENT_RANGE,
	 .owner = 1,
	 .start = 0x1100,
	 .end = 0x1108,
	 .instructions = 2,
	 .last_size = 4,
	 .isa = CSG_ISA_A64,
	 .branch = CSG_BRANCH_RETURN,
	 .taken = true},
	{.kind = CSG_ELEMENT_RANGE,
	 .owner = 1,
	 .start = 0x1020,
	 .end = 0x1024,
	 .instructions = 1,
	 .last_size = 4,
	 .isa = CSG_ISA_A64},
};
static bool given, fails;
static char told[256];
static struct csg_calls calls;

static int next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	(void)arg;
	if (fails)
		return -CSG_E_DECODE;
	if (given)
		return 0;
	given = true;
	*batch = (struct csg_batch){.stream = stream, .elements = elements, .n = 4, .time = 10};
	return 1;
}

static void entered(void *arg, struct csg_frames *frames, enum csg_move why)
{
	char buf[64];

	(void)arg, (void)why;
	strcat(told, " +");
	strcat(told, csg_functions_text(&calls.functions, csg_frames_top(frames)->function.label,
					buf, sizeof(buf)));
}

static void leaving(void *arg, struct csg_frames *frames, enum csg_move why)
{
	(void)arg, (void)frames, (void)why;
	strcat(told, " -");
}

static void mark(void *arg, uint32_t stream, const struct csg_element *e)
{
	(void)arg, (void)stream;
	CU_ASSERT_EQUAL(e->timestamp, 7);
	CU_ASSERT_EQUAL(calls.walk.time, 10);
	strcat(told, " mark");
}

static void ran(void *arg, uint32_t stream, const struct csg_frames *frames, uint64_t n)
{
	(void)arg, (void)stream, (void)frames;
	sprintf(told + strlen(told), " %d", (int)n);
}

static void switched(void *arg, const struct csg_stack_switch *what)
{
	(void)arg;
	CU_ASSERT_EQUAL(what->to_owner, 1);
	strcat(told, " switched");
}

static void observers_are_told_of_a_recordings_calls(void)
{
	const struct csg_calls_client client = {.next = next,
						.entered = entered,
						.leaving = leaving,
						.switched = switched,
						.ran = ran,
						.mark = mark};

	given = fails = false;
	told[0] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_calls_open(&calls, &fake_lookup, 1, &client), 0);
	CU_ASSERT_EQUAL(csg_calls_next(&calls), 1);
	CU_ASSERT_EQUAL(csg_calls_next(&calls), 0);
	CU_ASSERT_STRING_EQUAL(told, " mark switched +main 4 +helper 2 - 1");
	csg_calls_close(&calls);
}

static void observers_may_be_missing_and_errors_pass(void)
{
	const struct csg_calls_client client = {.next = next};

	given = false;
	CU_ASSERT_EQUAL_FATAL(csg_calls_open(&calls, &fake_lookup, 1, &client), 0);
	CU_ASSERT_EQUAL(csg_calls_next(&calls), 1);
	fails = true;
	CU_ASSERT_EQUAL(csg_calls_next(&calls), -CSG_E_DECODE);
	csg_calls_close(&calls);
}

CSG_SUITE(view, calls, CSG_TEST(observers_are_told_of_a_recordings_calls),
	  CSG_TEST(observers_may_be_missing_and_errors_pass));
