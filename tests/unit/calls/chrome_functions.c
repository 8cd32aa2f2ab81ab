/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>
#include <string.h>

#include "calls/chrome_functions.h"

static char seen[256];
static const struct csg_owner owners[] = {
	{.world = CSG_WORLD_HOST, .vcpu = CSG_VCPU_UNKNOWN},
	{.world = CSG_WORLD_GUEST, .vm = 42, .vcpu = 1},
	{.world = CSG_WORLD_GUEST, .vm = 43, .vcpu = 1},
	{.world = CSG_WORLD_GUEST, .vm = 43, .vcpu = 2},
	{.world = CSG_WORLD_GUEST, .vm = 43, .vcpu = CSG_VCPU_UNKNOWN},
	{.world = CSG_WORLD_GUEST, .vm = CSG_VM_UNKNOWN, .vcpu = 2},
};

static const struct csg_owner *owner(void *arg, uint32_t number)
{
	(void)arg;
	return &owners[number];
}

static int write(void *arg, uint32_t stream, const struct csg_chrome_lane *lane, bool entry,
		 uint32_t label)
{
	const size_t n = strlen(seen);

	(void)arg, (void)stream;
	snprintf(seen + n, sizeof(seen) - n, "%s%d/%u ", entry ? "+" : "-", lane->vm, label);
	return 0;
}

static const struct csg_lookup lookup = {.owner = owner};
static const struct csg_call_filter filter;
static struct csg_chrome_functions functions;

static void begin(void)
{
	functions =
		(struct csg_chrome_functions){.lookup = &lookup, .filter = &filter, .event = write};
	seen[0] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_chrome_functions_init(&functions, 1), 0);
}

/* A thread of this owner runs the functions with these labels, divided by 0, which begins its
 * kernel's. */
static void run(uint32_t number, const uint32_t *labels, size_t n)
{
	struct csg_frame frames[8] = {{0}};
	struct csg_stack user = {.frame = frames, .frame_size = sizeof(*frames)};
	struct csg_stack kernel = {.frame = frames + 4, .frame_size = sizeof(*frames)};
	struct csg_task task = {.kernel = &kernel, .user = &user};
	struct csg_stack *now = &user;

	user.task = kernel.task = &task;
	for (size_t i = 0; i < n; i++)
		if (!labels[i])
			now = &kernel;
		else
			now->frame[now->depth++].function.label = labels[i];
	CU_ASSERT_EQUAL(csg_chrome_functions_run(&functions, 0, now, number), 0);
}
#define RUN(number, ...)                                                                           \
	run(number, (const uint32_t[]){__VA_ARGS__},                                               \
	    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void calls_and_returns_nest(void)
{
	begin();
	RUN(1, 7, 8);
	RUN(1, 7);
	RUN(1, 7, 9, 8);
	RUN(1, 7, 6, 8);
	CU_ASSERT_STRING_EQUAL(seen, "+42/7 +42/8 -42/8 +42/9 +42/8 -42/8 -42/9 +42/6 +42/8 ");
	csg_chrome_functions_fini(&functions);
}

static void a_kernel_hangs_under_the_user_that_entered_it(void)
{
	begin();
	RUN(1, 7);
	RUN(1, 7, 0, 20, 21);
	RUN(1, 7);
	CU_ASSERT_STRING_EQUAL(seen, "+42/7 +42/20 +42/21 -42/21 -42/20 ");
	csg_chrome_functions_fini(&functions);
}

static void nothing_is_open_while_another_runs(void)
{
	begin();
	RUN(1, 7, 8);
	RUN(0, 7);
	RUN(2, 7);
	CU_ASSERT_EQUAL(csg_chrome_functions_cut(&functions, 0), 0);
	CU_ASSERT_STRING_EQUAL(seen, "+42/7 +42/8 -42/8 -42/7 +43/7 -43/7 ");
	csg_chrome_functions_fini(&functions);
}

static void each_vcpu_has_functions_of_its_own(void)
{
	begin();
	RUN(1, 7);
	RUN(2, 7);
	RUN(3, 7);
	RUN(4, 7);
	RUN(5, 7);
	CU_ASSERT_STRING_EQUAL(seen, "+42/7 -42/7 +43/7 -43/7 +43/7 -43/7 ");
	csg_chrome_functions_fini(&functions);
}

static bool is_of_vm_42(void *arg, const struct csg_owner *owner)
{
	(void)arg;
	return owner->vm == 42;
}

static void an_owner_that_is_filtered_out_has_none(void)
{
	static const struct csg_call_filter one_vm = {.owner = is_of_vm_42};

	begin();
	functions.filter = &one_vm;
	RUN(1, 7);
	RUN(2, 8);
	CU_ASSERT_STRING_EQUAL(seen, "+42/7 -42/7 ");
	csg_chrome_functions_fini(&functions);
}

CSG_SUITE(calls, chrome_functions, CSG_TEST(calls_and_returns_nest),
	  CSG_TEST(a_kernel_hangs_under_the_user_that_entered_it),
	  CSG_TEST(nothing_is_open_while_another_runs),
	  CSG_TEST(each_vcpu_has_functions_of_its_own),
	  CSG_TEST(an_owner_that_is_filtered_out_has_none));
