/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sampler.h"

#include <string.h>

#include "csguest/context.h"
#include "suite.h"

#define BRANCH CSG_FLAG_BRANCH
#define CALLS (CSG_FLAG_BRANCH | CSG_FLAG_CALL)
#define RETURNS (CSG_FLAG_BRANCH | CSG_FLAG_RETURN)
#define NOBODY CSG_SAMPLE_NOBODY

/* Elements of A64 code */
#define RANGE(from, to, last, was_taken)                                                           \
	{                                                                                          \
		.kind = CSG_ELEMENT_RANGE, .start = (from), .end = (to),                           \
		.instructions = ((to) - (from)) / 4, .branch = CSG_BRANCH_##last,                  \
		.taken = (was_taken), .isa = CSG_ISA_A64, .last_size = 4, .owner = 1,              \
		.el = CSG_EL0                                                                      \
	}
#define GAP(what, at)                                                                              \
	{                                                                                          \
		.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_##what, .start = (at), .owner = 1          \
	}
#define ELEMENT(what)                                                                              \
	{                                                                                          \
		.kind = CSG_ELEMENT_##what, .owner = 1                                             \
	}
#define STAMP(value)                                                                               \
	{                                                                                          \
		.kind = CSG_ELEMENT_TIMESTAMP, .timestamp = (value), .owner = 1                    \
	}
#define EXCEPTION(number)                                                                          \
	{                                                                                          \
		.kind = CSG_ELEMENT_EXCEPTION, .info = (number), .owner = 1                        \
	}

/* SVC at 0x1004 and, in T32, 32-bit instructions at 0x2000 and 0x2006 */
static bool code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		 size_t n)
{
	static const uint8_t svc[] = {0x01, 0x00, 0x00, 0xd4};

	(void)arg, (void)owner, (void)when;
	memset(bytes, 0, n);
	if (address == 0x1004 && n == 4)
		memcpy(bytes, svc, 4);
	if (n == 2 && (address == 0x2000 || address == 0x2006))
		bytes[1] = 0xf0;
	return true;
}

/* 77 is a guest's: it has no time. */
static uint64_t tenfold(void *arg, uint64_t timestamp)
{
	(void)arg;
	return timestamp == 77 ? 0 : timestamp * 10;
}

/* Owners below 10 are of one machine. */
static bool same_machine(void *arg, uint32_t a, uint32_t b)
{
	(void)arg;
	return (a < 10) == (b < 10);
}

static const struct csg_sampler_client client = {
	.code = code, .time = tenfold, .same_machine = same_machine};

static const struct csg_sampler_place here = {.when = 7, .record = 8, .piece = 2};

static struct csg_sample got[64];
static struct csg_sample_branch stacks[64][8];
static size_t got_count;

static void collect(struct csg_sampler *sampler)
{
	struct csg_sample_queue *queue = csg_sampler_queue(sampler);
	const struct csg_sample *head;

	for (; (head = csg_sample_queue_head(queue)); csg_sample_queue_take(queue)) {
		if (got_count == 64)
			continue;
		if (head->branch_count && head->branch_count <= 8)
			memcpy(stacks[got_count], csg_sample_queue_branches(queue, head),
			       head->branch_count * sizeof(**stacks));
		got[got_count++] = *head;
	}
}

/* Each time it is asked the stack is one deeper. */
static uint32_t deeper(void *arg, uint32_t stream)
{
	CU_ASSERT_EQUAL(stream, 0);
	return ++*(uint32_t *)arg;
}

static bool with_depth;

static void sample_with(const char *options, enum csg_sampler_clock clock,
			const struct csg_element *elements, size_t n)
{
	uint32_t depth = 0;
	struct csg_sampler_setup setup = {.clock = clock,
					  .client = client,
					  .depth = with_depth ? deeper : NULL,
					  .chain_arg = &depth};
	struct csg_sampler *sampler;
	char why[100];

	CU_ASSERT_EQUAL_FATAL(csg_itrace_parse(&setup.itrace, options, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL_FATAL(csg_sampler_create(&sampler, &setup, 0, 3), 0);
	got_count = 0;
	for (size_t done = 0; done < n;) {
		done += csg_sampler_feed(sampler, elements + done, n - done, &here);
		collect(sampler);
	}
	csg_sampler_end(sampler);
	collect(sampler);
	csg_sampler_destroy(sampler);
}

#define SAMPLE(options, clock, ...)                                                                \
	do {                                                                                       \
		const struct csg_element elements_[] = {__VA_ARGS__};                              \
		sample_with(options, CSG_SAMPLER_##clock, elements_,                               \
			    sizeof(elements_) / sizeof(*elements_));                               \
	} while (0)

static int is_branch(size_t i, uint64_t ip, uint64_t addr, uint32_t flags)
{
	return i < got_count && got[i].event == CSG_SAMPLE_BRANCH && got[i].ip == ip &&
	       got[i].addr == addr && got[i].flags == flags;
}

static int is_instruction(size_t i, uint64_t ip, uint64_t period)
{
	return i < got_count && got[i].event == CSG_SAMPLE_INSTRUCTION && got[i].ip == ip &&
	       got[i].period == period;
}

static void a_taken_branch_goes_from_one_range_to_the_next(void)
{
	SAMPLE("b", TIMELESS, RANGE(0x100, 0x110, CALL, true), RANGE(0x200, 0x208, RETURN, true),
	       RANGE(0x110, 0x114, DIRECT, false), RANGE(0x114, 0x118, DIRECT, true),
	       RANGE(0x300, 0x304, BARRIER, true), RANGE(0x304, 0x308, NONE, false));
	CU_ASSERT_EQUAL(got_count, 4);
	CU_ASSERT(is_branch(0, 0, 0x100, BRANCH | CSG_FLAG_BEGIN));
	CU_ASSERT(is_branch(1, 0x10c, 0x200, CALLS));
	CU_ASSERT(is_branch(2, 0x204, 0x110, RETURNS));
	CU_ASSERT(is_branch(3, 0x114, 0x300, BRANCH));
	CU_ASSERT_EQUAL(got[1].owner, 1);
	CU_ASSERT_EQUAL(got[1].target, 1);
	CU_ASSERT_EQUAL(got[1].insn_size, 4);
	CU_ASSERT_EQUAL(got[1].cpu, 3);
	CU_ASSERT_EQUAL(got[1].period, 1);
	CU_ASSERT_EQUAL(got[0].owner, NOBODY);
	CU_ASSERT_EQUAL(got[0].thread, 1);
	CU_ASSERT_EQUAL(got[0].insn_size, 0);
}

static void interrupted_tracing_ends_and_begins(void)
{
	SAMPLE("b", TIMELESS, GAP(TRACE_ON, 0), RANGE(0x100, 0x110, DIRECT, false),
	       GAP(TRACE_ON, 0), GAP(OVERFLOW, 0), RANGE(0x500, 0x504, NONE, false));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_branch(1, 0x10c, 0, BRANCH | CSG_FLAG_END));
	CU_ASSERT_EQUAL(got[1].target, NOBODY);
	CU_ASSERT_EQUAL(got[1].thread, 1);
	CU_ASSERT(is_branch(2, 0, 0x500, BRANCH | CSG_FLAG_BEGIN));
}

static void the_end_is_reported_when_another_piece_begins(void)
{
	SAMPLE("b", TIMELESS, RANGE(0x100, 0x110, DIRECT, true), ELEMENT(END));
	CU_ASSERT_EQUAL(got_count, 1);
	SAMPLE("b", TIMELESS, RANGE(0x100, 0x110, DIRECT, true), ELEMENT(END), GAP(TRUNCATED, 0),
	       ELEMENT(CONTEXT), RANGE(0x200, 0x210, DIRECT, true));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_branch(1, 0x10c, 0, BRANCH | CSG_FLAG_END));
	CU_ASSERT(is_branch(2, 0, 0x200, BRANCH | CSG_FLAG_BEGIN));
}

static void an_exception_makes_any_instruction_a_branch(void)
{
	SAMPLE("b", TIMELESS, RANGE(0x100, 0x110, NONE, false), EXCEPTION(14),
	       RANGE(0x800, 0x804, NONE, false), EXCEPTION(12), GAP(TRACE_ON, 0));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_branch(1, 0x10c, 0x800, CALLS | CSG_FLAG_ASYNC | CSG_FLAG_INTERRUPT));
	CU_ASSERT(is_branch(2, 0x800, 0, CALLS | CSG_FLAG_INTERRUPT | CSG_FLAG_END));
}

static void a_system_call_and_its_return_are_known_by_their_svc(void)
{
	SAMPLE("b", TIMELESS, RANGE(0x1000, 0x1008, NONE, false), EXCEPTION(2),
	       RANGE(0x800, 0x804, ERET, true), ELEMENT(EXCEPTION_RET),
	       RANGE(0x1008, 0x100c, NONE, false), EXCEPTION(2), RANGE(0x800, 0x804, ERET, true),
	       RANGE(0x1100, 0x1104, NONE, false));
	CU_ASSERT_EQUAL(got_count, 5);
	CU_ASSERT(is_branch(1, 0x1004, 0x800, CALLS | CSG_FLAG_SYSCALL));
	CU_ASSERT(is_branch(2, 0x800, 0x1008, RETURNS | CSG_FLAG_SYSCALL));
	CU_ASSERT(is_branch(3, 0x1008, 0x800, CALLS | CSG_FLAG_INTERRUPT));
	CU_ASSERT(is_branch(4, 0x800, 0x1100, RETURNS | CSG_FLAG_INTERRUPT));
}

static void code_that_is_missing_ends_the_trace_at_its_address(void)
{
	SAMPLE("b", TIMELESS, RANGE(0x100, 0x110, CALL, true), GAP(NO_CODE, 0x9000),
	       GAP(NO_CODE, 0xa000), RANGE(0x200, 0x204, DIRECT, false));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_branch(1, 0x10c, 0x9000, CALLS | CSG_FLAG_END));
	CU_ASSERT(is_branch(2, 0, 0x200, BRANCH | CSG_FLAG_BEGIN));
}

static void instructions_are_counted_across_ranges(void)
{
	SAMPLE("i10i", TIMELESS, RANGE(0x100, 0x124, DIRECT, true),
	       RANGE(0x200, 0x258, DIRECT, true));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_instruction(0, 0x200, 10));
	CU_ASSERT(is_instruction(1, 0x228, 10));
	CU_ASSERT(is_instruction(2, 0x250, 10));
	CU_ASSERT_EQUAL(got[0].flags, BRANCH);
}

static void every_instruction_has_its_address_in_t32(void)
{
	struct csg_element thumb = RANGE(0x2000, 0x200c, DIRECT, true);

	thumb.isa = CSG_ISA_T32;
	thumb.instructions = 4;
	sample_with("i1i", CSG_SAMPLER_TIMELESS, &thumb, 1);
	CU_ASSERT_EQUAL(got_count, 4);
	CU_ASSERT(is_instruction(0, 0x2000, 1));
	CU_ASSERT(is_instruction(1, 0x2004, 1));
	CU_ASSERT(is_instruction(2, 0x2006, 1));
	CU_ASSERT(is_instruction(3, 0x200a, 1));
	CU_ASSERT_EQUAL(got[0].insn_size, 4);
	CU_ASSERT_EQUAL(got[3].insn_size, 2);
}

static void an_instruction_carries_the_branches_that_led_to_it(void)
{
	SAMPLE("i100il2", TIMELESS, RANGE(0x100, 0x104, DIRECT, true),
	       RANGE(0x200, 0x204, DIRECT, true), RANGE(0x300, 0x304, DIRECT, true),
	       RANGE(0x400, 0x590, DIRECT, true), GAP(TRACE_ON, 0),
	       RANGE(0x700, 0x704, DIRECT, true), ELEMENT(END));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_instruction(0, 0x580, 100));
	CU_ASSERT_EQUAL(got[0].branch_count, 2);
	CU_ASSERT_EQUAL(stacks[0][0].from, 0x300);
	CU_ASSERT_EQUAL(stacks[0][0].to, 0x400);
	CU_ASSERT_EQUAL(stacks[0][1].from, 0x200);
	/* what is left of the period where tracing ended */
	CU_ASSERT(is_instruction(1, 0x58c, 3));
	CU_ASSERT_EQUAL(got[1].branch_count, 2);
	CU_ASSERT(is_instruction(2, 0x700, 1));
	CU_ASSERT_EQUAL(got[2].branch_count, 0);
}

/* Pieces of trace by turns with and without branches before what is left of a period. */
static void stacks_stay_with_their_samples_over_many_pieces(void)
{
	const struct csg_element piece[] = {
		RANGE(0x100, 0x104, DIRECT, true),
		RANGE(0x200, 0x240, DIRECT, true),
		GAP(TRACE_ON, 0),
		RANGE(0x300, 0x304, DIRECT, false),
		GAP(TRACE_ON, 0),
	};
	struct csg_element elements[50 * 5];
	size_t wrong = 0;

	for (size_t i = 0; i < 50 * 5; i++)
		elements[i] = piece[i % 5];
	sample_with("i13il8", CSG_SAMPLER_TIMELESS, elements, 50 * 5);
	CU_ASSERT_EQUAL(got_count, 64);
	for (size_t i = 0; i < got_count; i++) {
		uint32_t want = got[i].ip >= 0x300 ? 0 : 1;

		wrong += got[i].branch_count != want;
		wrong += want && (stacks[i][0].from != 0x100 || stacks[i][0].to != 0x200);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static void samples_are_dated_by_the_trace(void)
{
	SAMPLE("b", TRACE, GAP(TRACE_ON, 0), ELEMENT(CONTEXT), RANGE(0x100, 0x1f0, DIRECT, true),
	       RANGE(0x200, 0x204, DIRECT, true), STAMP(100), RANGE(0x300, 0x384, DIRECT, true),
	       STAMP(200), RANGE(0x400, 0x404, DIRECT, true));
	CU_ASSERT_EQUAL(got_count, 4);
	CU_ASSERT_EQUAL(got[0].time, 994);
	CU_ASSERT_EQUAL(got[1].time, 994);
	CU_ASSERT_EQUAL(got[2].time, 997);
	CU_ASSERT_EQUAL(got[3].time, 1000);
	CU_ASSERT_EQUAL(got[3].order, 1000);
	CU_ASSERT_EQUAL(got[3].when, 7);
}

static void a_guests_timestamp_counts_if_it_has_a_host_time(void)
{
	const struct csg_element guests = {
		.kind = CSG_ELEMENT_TIMESTAMP, .timestamp = 5, .start = 1003, .owner = 1};

	SAMPLE("b", TRACE, GAP(TRACE_ON, 0), STAMP(100), RANGE(0x100, 0x104, DIRECT, true),
	       STAMP(77), RANGE(0x200, 0x204, DIRECT, true), guests, guests,
	       RANGE(0x300, 0x304, DIRECT, true), RANGE(0x400, 0x404, DIRECT, true));
	CU_ASSERT_EQUAL(got_count, 4);
	CU_ASSERT_EQUAL(got[1].time, 1000);
	CU_ASSERT_EQUAL(got[2].time, 1003);
	CU_ASSERT_EQUAL(got[3].time, 1003);
}

static void or_by_the_record_that_brought_them(void)
{
	SAMPLE("b", RECORD, RANGE(0x100, 0x1f0, DIRECT, true), STAMP(100),
	       RANGE(0x300, 0x384, DIRECT, true));
	CU_ASSERT_EQUAL(got_count, 2);
	CU_ASSERT_EQUAL(got[1].time, 8);
	CU_ASSERT_EQUAL(got[1].order, 97);
}

static void samples_do_not_wait_for_ever(void)
{
	struct csg_element ranges[1100];

	for (size_t i = 0; i < 1100; i++)
		ranges[i] = (struct csg_element)RANGE(0x100, 0x104, DIRECT, i == 0);
	sample_with("b", CSG_SAMPLER_TRACE, ranges, 1100);
	CU_ASSERT_EQUAL(got_count, 2);
	CU_ASSERT_EQUAL(got[1].time, 8);
}

static void a_range_of_any_length_fits_through(void)
{
	struct csg_element long_range = RANGE(0x100000, 0x10000000, DIRECT, true);
	struct csg_sampler_setup setup = {.itrace = {.instructions = true, .period = 100},
					  .clock = CSG_SAMPLER_TIMELESS,
					  .client = client};
	struct csg_sampler *sampler;
	uint64_t count = 0, wrong = 0, last = 0x100000 - 4;
	const struct csg_sample *head;

	csg_sampler_create(&sampler, &setup, 0, 0);
	for (size_t used = 0, slices = 0; !used && slices < 1000; slices++) {
		used = csg_sampler_feed(sampler, &long_range, 1, &here);
		for (; (head = csg_sample_queue_head(csg_sampler_queue(sampler))); count++) {
			wrong += head->ip != last + 400;
			last = head->ip;
			csg_sample_queue_take(csg_sampler_queue(sampler));
		}
	}
	CU_ASSERT_EQUAL(count, long_range.instructions / 100);
	CU_ASSERT_EQUAL(wrong, 0);
	csg_sampler_destroy(sampler);
}

static void at_the_border_of_machines_the_one_that_left_is_shown(void)
{
	struct csg_element host = RANGE(0x100, 0x104, ERET, true),
			   guest = RANGE(0x200, 0x204, NONE, false);

	guest.owner = 12;
	SAMPLE("b", TIMELESS, host, guest, EXCEPTION(14), host);
	CU_ASSERT_EQUAL(got[1].thread, 1);
	CU_ASSERT_EQUAL(got[1].target, 12);
	CU_ASSERT_EQUAL(got[2].thread, 12);
	CU_ASSERT_EQUAL(got[2].owner, 12);
	guest.owner = 2;
	SAMPLE("b", TIMELESS, host, guest);
	CU_ASSERT_EQUAL(got[1].thread, 2);
}

/* A thread runs on CPU 0 in piece 1, elsewhere in piece 2, and on CPU 0 again in piece 3. */
static void list_migration(bool per_thread)
{
	const struct csg_sampler_setup setup = {.itrace = {.branches = true},
						.clock = CSG_SAMPLER_TIMELESS,
						.per_thread = per_thread,
						.client = client};
	const struct csg_element ran[] = {RANGE(0x100, 0x104, DIRECT, true), ELEMENT(END)},
				 empty = ELEMENT(END);
	struct csg_sampler_place place = {.when = 10, .piece = 1};
	struct csg_sampler *sampler;

	CU_ASSERT_EQUAL_FATAL(csg_sampler_create(&sampler, &setup, 0, 0), 0);
	got_count = 0;
	csg_sampler_feed(sampler, ran, 2, &place);
	place.piece = 2;
	csg_sampler_feed(sampler, &empty, 1, &place);
	place = (struct csg_sampler_place){.when = 30, .piece = 3};
	csg_sampler_feed(sampler, ran, 2, &place);
	csg_sampler_end(sampler);
	collect(sampler);
	csg_sampler_destroy(sampler);
}

static void a_thread_that_moves_on_ends_its_trace_on_this_cpu(void)
{
	list_migration(true);
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_branch(1, 0x100, 0, BRANCH | CSG_FLAG_END));
	CU_ASSERT_EQUAL(got[1].order, 1);
	CU_ASSERT_EQUAL(got[2].order, 3);
	list_migration(false);
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT(is_branch(1, 0x100, 0, BRANCH | CSG_FLAG_END));
	CU_ASSERT_EQUAL(got[1].order, 3);
}

static void where_the_trace_ends_it_is_looked_up_as_of_then(void)
{
	list_migration(false);
	CU_ASSERT_EQUAL(got[1].when, 10);
	CU_ASSERT_EQUAL(got[2].when, 30);
}

static void errors_are_samples_when_asked_for(void)
{
	SAMPLE("e", TIMELESS, GAP(TRACE_ON, 0), GAP(OVERFLOW, 0), GAP(NO_CODE, 0x9000),
	       GAP(TRUNCATED, 0));
	CU_ASSERT_EQUAL(got_count, 3);
	CU_ASSERT_EQUAL(got[1].event, CSG_SAMPLE_ERROR);
	CU_ASSERT_EQUAL(got[1].gap, CSG_GAP_NO_CODE);
	CU_ASSERT_EQUAL(got[1].ip, 0x9000);
	SAMPLE("e-o-l", TIMELESS, GAP(TRACE_ON, 0), GAP(OVERFLOW, 0), GAP(NO_CODE, 0x9000),
	       GAP(TRUNCATED, 0));
	CU_ASSERT_EQUAL(got_count, 1);
	SAMPLE("b", TIMELESS, GAP(OVERFLOW, 0), GAP(NO_CODE, 0x9000));
	CU_ASSERT_EQUAL(got_count, 0);
}

static void only_calls_are_listed_when_asked_for(void)
{
	SAMPLE("c", TIMELESS, RANGE(0x100, 0x110, CALL, true), RANGE(0x200, 0x208, RETURN, true),
	       RANGE(0x110, 0x114, DIRECT, true), RANGE(0x100, 0x104, NONE, false));
	CU_ASSERT_EQUAL(got_count, 1);
	CU_ASSERT(is_branch(0, 0x10c, 0x200, CALLS));
}

/* Where TRCIT was executed is not known; whose it is, is. */
static void instrumentation_packets_are_samples_when_asked_for(void)
{
#define ITE(who, level, value)                                                                     \
	{.kind = CSG_ELEMENT_INSTRUMENTATION, .owner = (who), .info = (level), .timestamp = (value)}
	SAMPLE("bw", TIMELESS, RANGE(0x100, 0x110, CALL, true), ITE(5, CSG_EL1, 0x77),
	       RANGE(0x200, 0x208, RETURN, true));
	CU_ASSERT_EQUAL_FATAL(got_count, 3);
	CU_ASSERT_EQUAL(got[1].event, CSG_SAMPLE_INSTRUMENTATION);
	CU_ASSERT_EQUAL(got[1].addr, 0x77);
	CU_ASSERT_EQUAL(got[1].ip, 0);
	CU_ASSERT_EQUAL(got[1].owner, 5);
	CU_ASSERT_EQUAL(got[1].thread, 5);
	CU_ASSERT_EQUAL(got[1].el, CSG_EL1);
	/* The branch goes on around it. */
	CU_ASSERT(is_branch(2, 0x10c, 0x200, CALLS));
	SAMPLE("b", TIMELESS, ITE(5, CSG_EL1, 0x77));
	CU_ASSERT_EQUAL(got_count, 0);
#undef ITE
}

/* The recording's own, with the time of its record, and the branches up to there. */
static void samples_that_hold_trace_are_listed_when_asked_for(void)
{
#define TRACED(at, when)                                                                           \
	{.kind = CSG_ELEMENT_SAMPLE, .owner = 5, .start = (at), .timestamp = (when), .info = 3}
	SAMPLE("L2", RECORD, RANGE(0x100, 0x104, DIRECT, true), RANGE(0x200, 0x204, DIRECT, true),
	       RANGE(0x300, 0x308, NONE, false), TRACED(0x308, 99), GAP(TRACE_ON, 0),
	       TRACED(0x700, 100), ELEMENT(END));
	CU_ASSERT_EQUAL_FATAL(got_count, 2);
	CU_ASSERT_EQUAL(got[0].event, CSG_SAMPLE_EVENT);
	CU_ASSERT_EQUAL(got[0].ip, 0x308);
	CU_ASSERT_EQUAL(got[0].time, 99);
	CU_ASSERT_EQUAL(got[0].record, 3);
	CU_ASSERT_EQUAL(got[0].owner, 5);
	CU_ASSERT_EQUAL(got[0].branch_count, 2);
	CU_ASSERT_EQUAL(stacks[0][0].from, 0x200);
	CU_ASSERT_EQUAL(got[1].time, 100);
	CU_ASSERT_EQUAL(got[1].branch_count, 0);
	SAMPLE("i1il", RECORD, TRACED(0x308, 99));
	CU_ASSERT_EQUAL(got_count, 0);
#undef TRACED
}

/* What is entered is as deep as the stack is then, what is left as deep as it was before. */
static void a_call_has_the_depth_of_its_target_and_a_return_of_its_source(void)
{
	with_depth = true;
	SAMPLE("cr", TIMELESS, RANGE(0x100, 0x110, CALL, true), RANGE(0x200, 0x208, RETURN, true),
	       RANGE(0x110, 0x114, CALL, true), GAP(OVERFLOW, 0), RANGE(0x100, 0x104, NONE, false));
	with_depth = false;
	/* Asked where trace begins and at the end of each range: 1, 2; 3, 4; 5; 6; 7. */
	CU_ASSERT_EQUAL_FATAL(got_count, 5);
	CU_ASSERT(is_branch(1, 0x10c, 0x200, CALLS));
	CU_ASSERT_EQUAL(got[0].depth, 1);
	CU_ASSERT_EQUAL(got[1].depth, 3);
	CU_ASSERT_EQUAL(got[2].depth, 4);
	CU_ASSERT_EQUAL(got[3].depth, 5);
	CU_ASSERT_EQUAL(got[4].depth, 6);
	SAMPLE("c", TIMELESS, RANGE(0x100, 0x110, CALL, true), RANGE(0x200, 0x208, RETURN, true));
	CU_ASSERT_EQUAL(got[0].depth, 0);
}

CSG_SUITE(script, sampler, CSG_TEST(a_taken_branch_goes_from_one_range_to_the_next),
	  CSG_TEST(interrupted_tracing_ends_and_begins),
	  CSG_TEST(the_end_is_reported_when_another_piece_begins),
	  CSG_TEST(an_exception_makes_any_instruction_a_branch),
	  CSG_TEST(a_system_call_and_its_return_are_known_by_their_svc),
	  CSG_TEST(code_that_is_missing_ends_the_trace_at_its_address),
	  CSG_TEST(instructions_are_counted_across_ranges),
	  CSG_TEST(every_instruction_has_its_address_in_t32),
	  CSG_TEST(an_instruction_carries_the_branches_that_led_to_it),
	  CSG_TEST(stacks_stay_with_their_samples_over_many_pieces),
	  CSG_TEST(samples_are_dated_by_the_trace),
	  CSG_TEST(a_guests_timestamp_counts_if_it_has_a_host_time),
	  CSG_TEST(or_by_the_record_that_brought_them), CSG_TEST(samples_do_not_wait_for_ever),
	  CSG_TEST(a_range_of_any_length_fits_through),
	  CSG_TEST(at_the_border_of_machines_the_one_that_left_is_shown),
	  CSG_TEST(a_thread_that_moves_on_ends_its_trace_on_this_cpu),
	  CSG_TEST(where_the_trace_ends_it_is_looked_up_as_of_then),
	  CSG_TEST(errors_are_samples_when_asked_for),
	  CSG_TEST(only_calls_are_listed_when_asked_for),
	  CSG_TEST(instrumentation_packets_are_samples_when_asked_for),
	  CSG_TEST(samples_that_hold_trace_are_listed_when_asked_for),
	  CSG_TEST(a_call_has_the_depth_of_its_target_and_a_return_of_its_source));
