/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/stack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "fixture.h"
#include "stack/fake_source.h"

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
static bool given;
static int fails;
static uint32_t element_size = sizeof(struct csg_element);
static char reported[256];
static struct csg_follower *follower;

static int next(void *arg, uint32_t stream, struct csg_batch *batch, size_t size)
{
	CU_ASSERT_PTR_EQUAL(arg, reported);
	CU_ASSERT_EQUAL(size, sizeof(*batch));
	if (fails)
		return fails;
	if (given)
		return 0;
	given = true;
	*batch = (struct csg_batch){.stream = stream,
				    .elements = elements,
				    .element_size = element_size,
				    .n = sizeof(elements) / sizeof(*elements),
				    .time = 10};
	return 1;
}

static void entered(void *arg, struct csg_stack *stack, enum csg_move why)
{
	const struct csg_frame *top = csg_stack_top(stack);
	char buf[64];

	(void)why;
	CU_ASSERT_PTR_EQUAL(top, csg_stack_frame(stack, stack->depth - 1));
	CU_ASSERT_EQUAL(top->note, 0);
	strcat(arg, " +");
	strcat(arg, csg_follower_text(follower, top->function.label, buf, sizeof(buf)));
	csg_stack_top(stack)->note = (uint32_t)strlen(arg);
}

static void leaving(void *arg, struct csg_stack *stack, enum csg_move why)
{
	(void)why;
	CU_ASSERT_NOT_EQUAL(csg_stack_top(stack)->note, 0);
	strcat(arg, " -");
}

static void mark(void *arg, uint32_t stream, const struct csg_element *e)
{
	(void)stream;
	CU_ASSERT_EQUAL(e->timestamp, 7);
	strcat(arg, " mark");
}

static void ran(void *arg, uint32_t stream, struct csg_stack *stack, uint64_t n)
{
	CU_ASSERT_PTR_EQUAL(stack, csg_follower_now(follower, stream));
	CU_ASSERT_EQUAL(csg_follower_owner(follower, stream), 1);
	sprintf((char *)arg + strlen(arg), " %d", (int)n);
}

static void switched(void *arg, const struct csg_stack_switch *what)
{
	CU_ASSERT_EQUAL(what->size, sizeof(*what));
	CU_ASSERT_EQUAL(what->to_owner, 1);
	CU_ASSERT_PTR_NULL(what->from);
	CU_ASSERT_PTR_EQUAL(what->to, what->to->task->kernel);
	strcat(arg, " switched");
}

static void used(void *arg, uint32_t stream, const struct csg_element *e)
{
	(void)stream, (void)e;
	strcat(arg, " .");
}

static const struct csg_follower_options observed = {
	.size = sizeof(observed),
	.arg = reported,
	.next = next,
	.entered = entered,
	.leaving = leaving,
	.switched = switched,
	.ran = ran,
	.mark = mark,
	.source = &fake_source,
};

static void begin(const struct csg_follower_options *options)
{
	given = false;
	fails = 0;
	reported[0] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_follower_create(&follower, NULL, options), 0);
}

static void a_client_is_called_for_calls_and_returns(void)
{
	struct csg_follower_options each = observed;

	begin(&observed);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 1);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 0);
	CU_ASSERT_STRING_EQUAL(reported, " mark switched +main 4 +helper 2 - 1");
	csg_follower_destroy(follower);
	each.used = used;
	begin(&each);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 1);
	CU_ASSERT_STRING_EQUAL(reported, " mark . switched +main . 4 +helper . 2 - . 1");
	csg_follower_destroy(follower);
}

static void a_client_may_only_step(void)
{
	const struct csg_follower_options options = {
		.size = sizeof(options), .arg = reported, .next = next, .source = &fake_source};
	const struct csg_follower_counts *counts;
	struct csg_chain_entry chain[2];
	const struct csg_stack *stack;

	begin(&options);
	CU_ASSERT_PTR_NULL(csg_follower_now(follower, 0));
	CU_ASSERT_EQUAL(csg_follower_owner(follower, 0), 0);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 1);
	stack = csg_follower_now(follower, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(stack);
	CU_ASSERT_EQUAL(stack->size, sizeof(*stack));
	CU_ASSERT_EQUAL(stack->frame_size, sizeof(struct csg_frame));
	CU_ASSERT_EQUAL(stack->depth, 1);
	CU_ASSERT_EQUAL(stack->bottom, CSG_BOTTOM_OLDER);
	CU_ASSERT_EQUAL(stack->task->size, sizeof(*stack->task));
	CU_ASSERT_EQUAL(stack->task->key.tid, 101);
	CU_ASSERT_EQUAL(stack->task->stream, 0);
	CU_ASSERT_PTR_EQUAL(stack->task->kernel, stack);
	CU_ASSERT_EQUAL(stack->task->user->depth, 0);
	CU_ASSERT_PTR_NULL(stack->task->host);
	CU_ASSERT_PTR_NULL(csg_stack_under(stack, true));
	CU_ASSERT_EQUAL(csg_follower_chain(follower, 0, 0x1024, true, chain, sizeof(chain[0]), 2),
			1);
	CU_ASSERT_EQUAL(chain[0].address, 0x1024);
	CU_ASSERT_PTR_EQUAL(chain[0].stack, stack);
	counts = csg_follower_counts(follower);
	CU_ASSERT_EQUAL(counts->size, sizeof(*counts));
	CU_ASSERT_EQUAL(counts->moves[CSG_MOVE_CALL], 1);
	CU_ASSERT_EQUAL(counts->moves[CSG_MOVE_RETURN], 1);
	csg_follower_destroy(follower);
}

static void a_client_of_a_later_version_gets_zeroes(void)
{
	struct {
		struct csg_chain_entry entry;
		uint64_t later;
	} chain = {.later = 7};
	struct {
		struct csg_follower_options options;
		uint64_t later;
	} newer = {.options = observed};

	newer.options.size = sizeof(newer);
	newer.later = 1;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &newer.options), -CSG_E_USAGE);
	newer.later = 0;
	begin(&newer.options);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 1);
	CU_ASSERT_EQUAL(csg_follower_chain(follower, 0, 5, false, &chain.entry, sizeof(chain), 1),
			1);
	CU_ASSERT_EQUAL(chain.entry.address, 5);
	CU_ASSERT_EQUAL(chain.later, 0);
	csg_follower_destroy(follower);
}

static void functions_have_names_by_label(void)
{
	const struct csg_function_name *name;
	uint32_t label = 0;

	begin(&observed);
	CU_ASSERT_EQUAL(csg_follower_label(follower, 1, 0x1110, 5, &label), 0);
	CU_ASSERT_NOT_EQUAL(label, 0);
	name = csg_follower_function(follower, label);
	CU_ASSERT_PTR_NOT_NULL_FATAL(name);
	CU_ASSERT_STRING_EQUAL(name->name, "helper");
	CU_ASSERT_STRING_EQUAL(name->dso, "/bin/app");
	CU_ASSERT_EQUAL(name->start, 0x1100);
	CU_ASSERT_EQUAL(name->end, 0x1180);
	CU_ASSERT_PTR_NULL(csg_follower_function(follower, label + 1));
	CU_ASSERT_STRING_EQUAL(csg_follower_text(follower, label + 1, NULL, 0), "[unknown]");
	CU_ASSERT_EQUAL(csg_follower_label(follower, 0, 0x1110, 5, &label), 0);
	CU_ASSERT_EQUAL(label, 0);
	csg_follower_destroy(follower);
}

static void an_error_ends_the_follower(void)
{
	begin(&observed);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 1);
	fails = -CSG_E_DECODE;
	CU_ASSERT_EQUAL(csg_follower_next(follower), -CSG_E_DECODE);
	fails = 0;
	CU_ASSERT_EQUAL(csg_follower_next(follower), -CSG_E_DECODE);
	csg_follower_destroy(follower);
	/* Elements of another size than ours cannot be read. */
	begin(&observed);
	element_size = 8;
	CU_ASSERT_EQUAL(csg_follower_next(follower), -CSG_E_USAGE);
	element_size = sizeof(struct csg_element);
	csg_follower_destroy(follower);
}

/* One of the bundled recording, by the session alone. */
static void a_session_is_followed_to_its_end(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	const struct csg_follower_counts *counts;
	struct csg_batch batch;
	int ret, named = 0;

	CU_ASSERT_EQUAL_FATAL(csg_follower_create(&follower, session, NULL), 0);
	while ((ret = csg_follower_next(follower)) > 0)
		;
	CU_ASSERT_EQUAL(ret, 0);
	counts = csg_follower_counts(follower);
	CU_ASSERT(counts->moves[CSG_MOVE_CALL] > 100);
	CU_ASSERT(counts->moves[CSG_MOVE_RETURN] > 100);
	for (uint32_t i = 0; csg_follower_function(follower, i); i++)
		named += csg_follower_function(follower, i)->name != NULL;
	CU_ASSERT(named > 10);
	/* What a follower pulls, no other does. */
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_TIME, &batch, sizeof(batch)),
			-CSG_E_USAGE);
	csg_follower_destroy(follower);
	csg_session_close(session);
}

static void refuses(const struct csg_filter *filter, uint32_t flags)
{
	struct csg_session *session = fixture_open(filter, flags);

	follower = (void *)reported;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, session, NULL), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(follower);
	csg_session_close(session);
}

static void sessions_that_leave_out_calls_are_refused(void)
{
	const int32_t cpu = 0, vm = CSG_VM_HOST;
	const struct csg_filter by_cpu = {.size = sizeof(by_cpu), .cpus = &cpu, .cpu_count = 1};
	const struct csg_filter by_vm = {.size = sizeof(by_vm), .vms = &vm, .vm_count = 1};
	const struct csg_filter by_time = {.size = sizeof(by_time), .begin_time = 1};
	struct csg_session *session = fixture_open(&by_cpu, 0);

	CU_ASSERT_EQUAL_FATAL(csg_follower_create(&follower, session, NULL), 0);
	CU_ASSERT_EQUAL(csg_follower_next(follower), 1);
	csg_follower_destroy(follower);
	csg_session_close(session);
	refuses(&by_vm, 0);
	refuses(&by_time, 0);
	refuses(NULL, CSG_SESSION_COUNTS);
	refuses(NULL, CSG_SESSION_NO_CODE);
}

/* Every function of a source but interval, and every size. */
static void incomplete_options_are_refused(void)
{
	struct csg_follower_source source = fake_source;
	struct csg_follower_options options = observed;

	options.source = &source;
	source.owner = NULL;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	source = fake_source;
	source.space = NULL;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	source = fake_source;
	source.symbol = NULL;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	source = fake_source;
	source.code = NULL;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	source = fake_source;
	source.size = 8;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	source = fake_source;
	options.next = NULL;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	options = observed;
	options.source = NULL;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	options = observed;
	options.size = 8;
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, &options), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_follower_create(&follower, NULL, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_follower_create(NULL, NULL, &observed), -CSG_E_USAGE);
}

static void wrong_use_is_refused(void)
{
	struct csg_chain_entry entry;
	uint32_t label;

	CU_ASSERT_EQUAL(csg_follower_next(NULL), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(csg_follower_now(NULL, 0));
	CU_ASSERT_EQUAL(csg_follower_owner(NULL, 0), 0);
	CU_ASSERT_PTR_NULL(csg_stack_under(NULL, true));
	CU_ASSERT_EQUAL(csg_follower_chain(NULL, 0, 0, true, &entry, sizeof(entry), 1),
			-CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(csg_follower_function(NULL, 0));
	CU_ASSERT_STRING_EQUAL(csg_follower_text(NULL, 0, NULL, 0), "[unknown]");
	CU_ASSERT_EQUAL(csg_follower_label(NULL, 0, 0, 0, &label), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(csg_follower_counts(NULL));
	CU_ASSERT_STRING_EQUAL(csg_move_name(CSG_MOVE_COUNT), "?");
	CU_ASSERT_STRING_EQUAL(csg_bottom_name(CSG_BOTTOM_COUNT), "?");
	csg_follower_destroy(NULL);
	begin(&observed);
	CU_ASSERT_PTR_NULL(csg_follower_now(follower, 1));
	CU_ASSERT_EQUAL(csg_follower_owner(follower, 1), 0);
	CU_ASSERT_EQUAL(csg_follower_label(follower, 1, 0, 0, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_follower_chain(follower, 1, 0, true, &entry, sizeof(entry), 1),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_follower_chain(follower, 0, 0, true, NULL, sizeof(entry), 1),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_follower_chain(follower, 0, 0, true, &entry, 8, 1), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_follower_chain(follower, 0, 0, true, &entry, sizeof(entry) + 1, 1),
			-CSG_E_USAGE);
	csg_follower_destroy(follower);
}

CSG_SUITE(api, stack, CSG_TEST(a_client_is_called_for_calls_and_returns),
	  CSG_TEST(a_client_may_only_step), CSG_TEST(a_client_of_a_later_version_gets_zeroes),
	  CSG_TEST(functions_have_names_by_label), CSG_TEST(an_error_ends_the_follower),
	  CSG_TEST(a_session_is_followed_to_its_end),
	  CSG_TEST(sessions_that_leave_out_calls_are_refused),
	  CSG_TEST(incomplete_options_are_refused), CSG_TEST(wrong_use_is_refused));
