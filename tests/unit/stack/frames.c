/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "fake_code.h"
#include "stack/frames.h"

static const struct csg_frames_client client = {NULL, fake_find, fake_entered, fake_leaving};
static struct csg_frames owned;
static struct csg_stack *const frames = &owned.stack;

static struct csg_arrival to(uint64_t address)
{
	return (struct csg_arrival){&client, address, 1};
}

/* A stack of main, which called work, which called leaf. */
static void begin(enum csg_bottom bottom)
{
	struct csg_arrival at = to(MAIN + 0x10);

	csg_frames_fini(&owned);
	csg_frames_init(&owned, NULL);
	CU_ASSERT_EQUAL(csg_frames_begin(frames, &at, bottom, CSG_MOVE_BEGIN), 0);
	at = to(WORK);
	CU_ASSERT_EQUAL(csg_frames_call(frames, &at, MAIN + 0x20), 0);
	at = to(LEAF);
	CU_ASSERT_EQUAL(csg_frames_call(frames, &at, WORK + 0x20), 0);
	CU_ASSERT_STRING_EQUAL(fake_names(frames), "main work leaf");
	fake_log[0] = 0;
}

static void is(const char *names, const char *log)
{
	CU_ASSERT_STRING_EQUAL(fake_names(frames), names);
	CU_ASSERT_STRING_EQUAL(fake_log, log);
	csg_frames_fini(&owned);
}

static void returns(uint64_t address)
{
	struct csg_arrival at = to(address);

	CU_ASSERT_EQUAL(csg_frames_return(frames, &at), 0);
}

static void jumps(uint64_t address, bool indirect)
{
	struct csg_arrival at = to(address);

	CU_ASSERT_EQUAL(csg_frames_jump(frames, &at, indirect), 0);
}

static void calls(uint64_t address, uint64_t ret)
{
	struct csg_arrival at = to(address);

	CU_ASSERT_EQUAL(csg_frames_call(frames, &at, ret), 0);
}

static void is_interrupted(uint64_t at, uint64_t vector)
{
	struct csg_arrival there = to(vector);

	CU_ASSERT_EQUAL(csg_frames_exception(frames, &there, at), 0);
}

static void erets(uint64_t address)
{
	struct csg_arrival at = to(address);

	CU_ASSERT_EQUAL(csg_frames_eret(frames, &at), 0);
}

static void a_call_is_a_frame_more(void)
{
	begin(CSG_BOTTOM_WHOLE);
	calls(MAIN, LEAF + 0x14);
	CU_ASSERT_EQUAL(csg_frames_top(frames)->ret, LEAF + 0x14);
	is("main work leaf main", "+call");
}

static void a_call_of_the_next_instruction_is_none(void)
{
	begin(CSG_BOTTOM_WHOLE);
	calls(LEAF + 0x14, LEAF + 0x14);
	is("main work leaf", "");
}

static void a_return_to_the_caller_takes_the_frame_off(void)
{
	begin(CSG_BOTTOM_WHOLE);
	returns(WORK + 0x20);
	is("main work", "-return");
}

static void a_return_to_an_outer_caller_unwinds(void)
{
	begin(CSG_BOTTOM_WHOLE);
	returns(MAIN + 0x20);
	is("main", "-unwind -unwind");
}

static void a_return_to_the_beginning_of_a_function_is_a_tail_call(void)
{
	begin(CSG_BOTTOM_WHOLE);
	returns(STUB);
	CU_ASSERT_EQUAL(csg_frames_top(frames)->ret, WORK + 0x20);
	CU_ASSERT_EQUAL(csg_frames_top(frames)->entry, STUB);
	is("main work stub", "-tail call +tail call");
}

static void a_return_into_an_outer_function_unwinds_to_it(void)
{
	begin(CSG_BOTTOM_WHOLE);
	returns(MAIN + 0x80);
	is("main", "-unwind -unwind");
}

static void a_return_beyond_what_is_known_goes_into_an_older_frame(void)
{
	begin(CSG_BOTTOM_OLDER);
	returns(WORK + 0x20);
	returns(MAIN + 0x20);
	fake_log[0] = 0;
	returns(STUB + 0x30);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_OLDER);
	is("stub", "-return +begin");
}

static void a_return_that_nobody_expects_cuts_the_stack(void)
{
	begin(CSG_BOTTOM_OLDER);
	returns(STUB + 0x30);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_MISMATCH);
	is("stub", "-discontinuity -discontinuity -discontinuity +begin");
}

static void a_return_out_of_a_whole_stack_cuts_it(void)
{
	begin(CSG_BOTTOM_WHOLE);
	returns(WORK + 0x20);
	returns(MAIN + 0x20);
	returns(STUB + 0x30);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_MISMATCH);
	CU_ASSERT_STRING_EQUAL(fake_names(frames), "stub");
	csg_frames_fini(&owned);
}

static void a_jump_within_a_function_changes_nothing(void)
{
	begin(CSG_BOTTOM_WHOLE);
	jumps(LEAF + 0x40, false);
	jumps(LEAF, true);
	is("main work leaf", "");
}

static void a_jump_to_a_function_is_a_tail_call(void)
{
	begin(CSG_BOTTOM_WHOLE);
	jumps(STUB, false);
	CU_ASSERT_EQUAL(csg_frames_top(frames)->ret, WORK + 0x20);
	returns(WORK + 0x20);
	is("main work", "-tail call +tail call -return");
}

static void a_stub_that_jumps_on_is_replaced(void)
{
	begin(CSG_BOTTOM_WHOLE);
	calls(STUB, LEAF + 8);
	jumps(WORK, true);
	is("main work leaf work", "+call -tail call +tail call");
}

static void a_direct_jump_into_another_symbol_stays_in_the_frame(void)
{
	begin(CSG_BOTTOM_WHOLE);
	jumps(STUB + 0x40, false);
	jumps(LEAF + 0x40, false);
	is("main work leaf", "-jump +jump -jump +jump");
}

static void an_indirect_jump_into_an_outer_function_is_a_longjmp(void)
{
	begin(CSG_BOTTOM_WHOLE);
	jumps(MAIN + 0x60, true);
	is("main", "-unwind -unwind");
}

static void an_indirect_jump_to_nowhere_known_stays_in_the_frame(void)
{
	begin(CSG_BOTTOM_WHOLE);
	jumps(NOTHING_THERE, true);
	is("main work ?", "-jump +jump");
}

static void code_without_symbols_is_one_function(void)
{
	begin(CSG_BOTTOM_WHOLE);
	calls(NOTHING_THERE, LEAF + 8);
	fake_log[0] = 0;
	jumps(NOTHING_THERE + 0x40, false);
	jumps(NOTHING_THERE + 0x80, false);
	is("main work leaf ?", "");
}

static void falling_after_the_end_of_a_function_is_a_jump(void)
{
	struct csg_arrival at = to(STUB);

	begin(CSG_BOTTOM_WHOLE);
	csg_frames_go_on(frames, &at, CSG_MOVE_JUMP);
	is("main work stub", "-jump +jump");
}

static void an_exception_returns_to_where_it_came_from(void)
{
	begin(CSG_BOTTOM_WHOLE);
	is_interrupted(LEAF + 0x30, VECTORS + 0x80);
	calls(WORK, VECTORS + 0x90);
	erets(LEAF + 0x30);
	is("main work leaf", "+exception +call -exception return -exception return");
}

static void an_exception_may_return_after_what_it_fixed_up(void)
{
	begin(CSG_BOTTOM_WHOLE);
	is_interrupted(LEAF + 0x30, VECTORS + 0x80);
	erets(LEAF + 0x70);
	is("main work leaf", "+exception -exception return");
}

static void nested_exceptions_return_one_by_one(void)
{
	begin(CSG_BOTTOM_WHOLE);
	is_interrupted(LEAF + 0x30, VECTORS + 0x80);
	is_interrupted(VECTORS + 0x84, VECTORS);
	erets(VECTORS + 0x84);
	CU_ASSERT_STRING_EQUAL(fake_names(frames), "main work leaf vectors");
	erets(LEAF + 0x30);
	CU_ASSERT_STRING_EQUAL(fake_names(frames), "main work leaf");
	csg_frames_fini(&owned);
}

static void an_exception_return_without_an_exception_is_older(void)
{
	begin(CSG_BOTTOM_OLDER);
	erets(STUB + 0x30);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_OLDER);
	CU_ASSERT_STRING_EQUAL(fake_names(frames), "stub");
	csg_frames_fini(&owned);
}

static void a_handler_does_not_return_into_what_it_interrupted(void)
{
	begin(CSG_BOTTOM_WHOLE);
	is_interrupted(LEAF + 0x30, VECTORS + 0x80);
	calls(STUB, VECTORS + 0x90);
	fake_log[0] = 0;
	returns(WORK + 0x20);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_MISMATCH);
	CU_ASSERT_STRING_EQUAL(fake_names(frames), "work");
	csg_frames_fini(&owned);
}

static void a_trampoline_returns_into_the_vectors(void)
{
	begin(CSG_BOTTOM_WHOLE);
	csg_frames_leave(frames, &client, 0, CSG_MOVE_CUT);
	fake_log[0] = 0;
	is_interrupted(0, STUB + 0x80);
	calls(STUB + 0x90, STUB + 0x84);
	returns(VECTORS + 0x84);
	is("vectors", "+exception +call -jump -jump +jump");
}

static void a_stack_that_is_too_deep_loses_its_outer_half(void)
{
	begin(CSG_BOTTOM_WHOLE);
	for (uint64_t i = 0; i < 3 * CSG_FRAMES_MAX; i++) {
		calls(LEAF, LEAF + 0x20 + 4 * (i % 16));
		fake_log[0] = 0;
		CU_ASSERT_FATAL(frames->depth <= CSG_FRAMES_MAX);
	}
	CU_ASSERT(frames->depth >= CSG_FRAMES_MAX / 2);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_DEPTH);
	CU_ASSERT_EQUAL(csg_frames_top(frames)->ret,
			LEAF + 0x20 + 4 * ((3 * CSG_FRAMES_MAX - 1) % 16));
	csg_frames_fini(&owned);
}

static void a_stack_that_was_too_deep_returns_to_its_end(void)
{
	uint64_t calls_n = 2 * CSG_FRAMES_MAX, i;

	begin(CSG_BOTTOM_WHOLE);
	for (i = 0; i < calls_n; i++) {
		calls(i % 2 ? LEAF : WORK, (i % 2 ? WORK : LEAF) + 0x20);
		fake_log[0] = 0;
	}
	while (i-- > 0) {
		returns((i % 2 ? WORK : LEAF) + 0x20);
		CU_ASSERT_FATAL(frames->depth > 0);
		fake_log[0] = 0;
	}
	CU_ASSERT_EQUAL(frames->depth, 1);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_DEPTH);
	csg_frames_fini(&owned);
}

/* The caller of the outermost frame is gone, but where it goes on is known. */
static void an_unwind_out_of_a_stack_that_was_too_deep_begins_it_anew(void)
{
	begin(CSG_BOTTOM_WHOLE);
	for (uint64_t i = 0; i < CSG_FRAMES_MAX; i++) {
		calls(LEAF, NOTHING_THERE + 4 * i);
		fake_log[0] = 0;
	}
	CU_ASSERT(frames->depth > 1 && frames->frame[0].kind == CSG_MOVE_CALL);
	returns(frames->frame[0].ret);
	CU_ASSERT_EQUAL(frames->depth, 1);
	CU_ASSERT_EQUAL(frames->bottom, CSG_BOTTOM_DEPTH);
	csg_frames_fini(&owned);
}

static void every_move_and_bottom_has_a_name(void)
{
	for (int i = 0; i < CSG_MOVE_COUNT; i++)
		CU_ASSERT_STRING_NOT_EQUAL(csg_move_name(i), "?");
	for (int i = 0; i < CSG_BOTTOM_COUNT; i++)
		CU_ASSERT_STRING_NOT_EQUAL(csg_bottom_name(i), "?");
	CU_ASSERT_STRING_EQUAL(csg_move_name(CSG_MOVE_COUNT), "?");
	CU_ASSERT_STRING_EQUAL(csg_bottom_name(CSG_BOTTOM_COUNT), "?");
}

CSG_SUITE(stack, frames, CSG_TEST(a_call_is_a_frame_more),
	  CSG_TEST(a_call_of_the_next_instruction_is_none),
	  CSG_TEST(a_return_to_the_caller_takes_the_frame_off),
	  CSG_TEST(a_return_to_an_outer_caller_unwinds),
	  CSG_TEST(a_return_to_the_beginning_of_a_function_is_a_tail_call),
	  CSG_TEST(a_return_into_an_outer_function_unwinds_to_it),
	  CSG_TEST(a_return_beyond_what_is_known_goes_into_an_older_frame),
	  CSG_TEST(a_return_that_nobody_expects_cuts_the_stack),
	  CSG_TEST(a_return_out_of_a_whole_stack_cuts_it),
	  CSG_TEST(a_jump_within_a_function_changes_nothing),
	  CSG_TEST(a_jump_to_a_function_is_a_tail_call), CSG_TEST(a_stub_that_jumps_on_is_replaced),
	  CSG_TEST(a_direct_jump_into_another_symbol_stays_in_the_frame),
	  CSG_TEST(an_indirect_jump_into_an_outer_function_is_a_longjmp),
	  CSG_TEST(an_indirect_jump_to_nowhere_known_stays_in_the_frame),
	  CSG_TEST(code_without_symbols_is_one_function),
	  CSG_TEST(falling_after_the_end_of_a_function_is_a_jump),
	  CSG_TEST(an_exception_returns_to_where_it_came_from),
	  CSG_TEST(an_exception_may_return_after_what_it_fixed_up),
	  CSG_TEST(nested_exceptions_return_one_by_one),
	  CSG_TEST(an_exception_return_without_an_exception_is_older),
	  CSG_TEST(a_handler_does_not_return_into_what_it_interrupted),
	  CSG_TEST(a_trampoline_returns_into_the_vectors),
	  CSG_TEST(a_stack_that_is_too_deep_loses_its_outer_half),
	  CSG_TEST(a_stack_that_was_too_deep_returns_to_its_end),
	  CSG_TEST(an_unwind_out_of_a_stack_that_was_too_deep_begins_it_anew),
	  CSG_TEST(every_move_and_bottom_has_a_name));
