/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_code.h"

#include "suite.h"

#include "fake_exits.h"

static const char *text(const struct csg_exits *x, size_t row, char *buf, size_t size)
{
	const struct csg_exit_key *key = csg_keyset_get(&x->keys, row);

	return csg_exit_code_text(&x->code, key->code, &x->lookup, x->follower, buf, size);
}

static void exits_are_distinguished_by_the_guests_function(void)
{
	struct csg_exits x = {.by_vm = true, .by_code = CSG_EXIT_CODE_SYMBOL};
	char buf[64];

	fake_exits(&x);
	CU_ASSERT_EQUAL_FATAL(x.keys.count, 2);
	CU_ASSERT_STRING_EQUAL(text(&x, 0, buf, sizeof(buf)), "guest");
	CU_ASSERT_STRING_EQUAL(text(&x, 0, buf, 4), "gue");
	csg_exits_close(&x);
}

static void a_chain_has_its_callers(void)
{
	struct csg_exits x = {.by_vm = true};
	struct csg_frame frames[2] = {{.function = {.label = 1}}, {.function = {.label = 2}}};
	struct csg_stack stack = {
		.size = sizeof(stack), .frame = frames, .frame_size = sizeof(*frames), .depth = 2};
	struct csg_stack user = {.size = sizeof(user), .frame_size = sizeof(*frames)};
	struct csg_task task = {.size = sizeof(task), .kernel = &stack, .user = &user};
	struct csg_exit_code code;
	const struct csg_lookup lookup = fake_calls_lookup();
	char buf[128], want[128];
	int64_t number;

	stack.task = &task;
	fake_exits(&x);
	CU_ASSERT_FALSE(csg_exit_code_init(&code, CSG_EXIT_CODE_STACK));
	number = csg_exit_code_of(&code, &stack, 2, &lookup);
	CU_ASSERT(number > 0);
	CU_ASSERT_EQUAL(csg_exit_code_of(&code, &stack, 2, &lookup), number);
	snprintf(want, sizeof(want), "%s;%s", csg_follower_function(x.follower, 1)->name,
		 csg_follower_function(x.follower, 2)->name);
	CU_ASSERT_STRING_EQUAL(
		csg_exit_code_text(&code, (uint32_t)number, &lookup, x.follower, buf, sizeof(buf)),
		want);
	csg_exit_code_fini(&code);
	csg_exits_close(&x);
}

static void a_process_that_is_not_known_is_none(void)
{
	struct csg_exit_code code;
	const struct csg_lookup lookup = fake_calls_lookup();
	char buf[64];
	int64_t number;

	CU_ASSERT_FALSE(csg_exit_code_init(&code, CSG_EXIT_CODE_PROCESS));
	CU_ASSERT_EQUAL(csg_exit_code_of(&code, NULL, 2, &lookup), 0);
	number = csg_exit_code_of(&code, NULL, 1, &lookup);
	CU_ASSERT_STRING_EQUAL(
		csg_exit_code_text(&code, (uint32_t)number, &lookup, NULL, buf, sizeof(buf)),
		"renamed 100");
	CU_ASSERT_STRING_EQUAL(csg_exit_code_text(&code, 0, &lookup, NULL, buf, sizeof(buf)), "");
	csg_exit_code_fini(&code);
}

CSG_SUITE(calls, exit_code, CSG_TEST(exits_are_distinguished_by_the_guests_function),
	  CSG_TEST(a_chain_has_its_callers), CSG_TEST(a_process_that_is_not_known_is_none));
