/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "csguest/error.h"
#include "timeline/slices.h"

static struct csg_slices *slices;
static struct csg_slice seen[16];
static size_t seen_count;
static int fail_with;

static uint64_t plus_one(void *arg, uint64_t timestamp)
{
	(void)arg;
	return timestamp + 1;
}

/* Owners below 100 are the host's. */
static uint64_t below_100(void *arg, uint32_t owner)
{
	(void)arg;
	return owner < 100 ? CSG_CLOCK_HOST : CSG_CLOCK_UNSURE;
}

static int keep(void *arg, const struct csg_slice *slice)
{
	(void)arg;
	if (seen_count < 16)
		seen[seen_count++] = *slice;
	return fail_with;
}

static void begin(enum csg_slices_unit unit)
{
	const struct csg_slices_client client = {.source = {.time = plus_one, .clock = below_100},
						 .slice = keep};

	seen_count = 0;
	fail_with = 0;
	CU_ASSERT_EQUAL_FATAL(csg_slices_create(&slices, 2, unit, &client), 0);
}

static int feed(struct csg_element e)
{
	const struct csg_batch batch = {.elements = &e, .n = 1};

	return csg_slices_add(slices, &batch);
}

static void range(uint64_t index, uint32_t owner, uint32_t instructions)
{
	CU_ASSERT_EQUAL(feed((struct csg_element){.index = index,
						  .kind = CSG_ELEMENT_RANGE,
						  .owner = owner,
						  .instructions = instructions}),
			0);
}

static void other(uint64_t index, uint8_t kind, uint32_t owner, uint32_t info)
{
	CU_ASSERT_EQUAL(feed((struct csg_element){
				.index = index, .kind = kind, .owner = owner, .info = info}),
			0);
}

static void gap(uint64_t index, uint32_t owner, uint8_t why)
{
	CU_ASSERT_EQUAL(
		feed((struct csg_element){
			.index = index, .kind = CSG_ELEMENT_GAP, .owner = owner, .gap = why}),
		0);
}

static void stamp(uint64_t index, uint32_t owner, uint64_t timestamp)
{
	CU_ASSERT_EQUAL(feed((struct csg_element){.index = index,
						  .kind = CSG_ELEMENT_TIMESTAMP,
						  .owner = owner,
						  .timestamp = timestamp}),
			0);
}

static void end(void)
{
	CU_ASSERT_EQUAL(csg_slices_finish(slices), 0);
	csg_slices_destroy(slices);
}

static void is(size_t i, uint32_t owner, uint64_t begin_at, uint64_t end_at, uint64_t instructions)
{
	CU_ASSERT_FATAL(i < seen_count);
	CU_ASSERT_EQUAL(seen[i].owner, owner);
	CU_ASSERT_EQUAL(seen[i].begin, begin_at);
	CU_ASSERT_EQUAL(seen[i].end, end_at);
	CU_ASSERT_EQUAL(seen[i].instructions, instructions);
}

static void ranges_of_an_owner_are_one_slice(void)
{
	begin(CSG_SLICES_BYTES);
	range(10, 1, 5);
	range(20, 1, 6);
	range(30, 2, 7);
	other(35, CSG_ELEMENT_EXCEPTION, 2, 0xe);
	other(36, CSG_ELEMENT_CONTEXT, 3, 0);
	range(40, 3, 8);
	other(45, CSG_ELEMENT_EXCEPTION_RET, 3, 0);
	other(46, CSG_ELEMENT_CONTEXT, 1, 0);
	range(50, 1, 9);
	end();
	CU_ASSERT_EQUAL(seen_count, 4);
	is(0, 1, 10, 30, 11);
	is(1, 2, 30, 36, 7);
	is(2, 3, 36, 46, 8);
	is(3, 1, 46, 50, 9);
	CU_ASSERT_EQUAL(seen[0].left, CSG_LEFT_UNSEEN);
	CU_ASSERT_EQUAL(seen[1].left, 0xe);
	CU_ASSERT_EQUAL(seen[2].left, CSG_LEFT_ERET);
}

static bool is_first_page(void *arg, const struct csg_element *e, uint64_t time)
{
	(void)arg;
	CU_ASSERT_EQUAL(time, 77);
	return e->start < 0x1000;
}

static void code_that_is_not_wanted_is_a_slice_of_its_own(void)
{
	const struct csg_slices_client client = {.slice = keep, .code = is_first_page};
	const struct csg_element trace[] = {
		{.index = 10, .kind = CSG_ELEMENT_RANGE, .owner = 1, .instructions = 5},
		{.index = 20, .kind = CSG_ELEMENT_RANGE, .owner = 1, .start = 8, .instructions = 6},
		{.index = 30,
		 .kind = CSG_ELEMENT_RANGE,
		 .owner = 1,
		 .start = 0x1000,
		 .instructions = 7},
		{.index = 35, .kind = CSG_ELEMENT_EXCEPTION, .owner = 1, .info = 0xe},
		{.index = 36, .kind = CSG_ELEMENT_CONTEXT, .owner = 3},
		{.index = 40, .kind = CSG_ELEMENT_RANGE, .owner = 3, .instructions = 8},
	};
	const struct csg_batch batch = {
		.elements = trace, .n = sizeof(trace) / sizeof(*trace), .lookup_time = 77};

	seen_count = 0;
	CU_ASSERT_EQUAL_FATAL(csg_slices_create(&slices, 2, CSG_SLICES_BYTES, &client), 0);
	CU_ASSERT_EQUAL(csg_slices_add(slices, &batch), 0);
	end();
	CU_ASSERT_EQUAL(seen_count, 3);
	is(0, 1, 10, 30, 11);
	is(1, 1, 30, 36, 7);
	is(2, 3, 36, 40, 8);
	CU_ASSERT_TRUE(!seen[0].unwanted && seen[1].unwanted && !seen[2].unwanted);
	CU_ASSERT_EQUAL(seen[1].left, 0xe);
}

static uint32_t the_window;

static uint32_t in_the_window(void *arg, uint32_t stream)
{
	(void)arg, (void)stream;
	return the_window;
}

/* Where the window changes while an owner runs, a slice of the same owner begins. */
static void what_is_counted_in_another_window_is_a_slice_of_its_own(void)
{
	const struct csg_slices_client client = {.slice = keep, .window = in_the_window};

	seen_count = 0;
	CU_ASSERT_EQUAL_FATAL(csg_slices_create(&slices, 2, CSG_SLICES_BYTES, &client), 0);
	the_window = 0;
	range(10, 7, 3);
	range(20, 7, 4);
	the_window = CSG_SLICE_NO_WINDOW;
	range(30, 7, 5);
	the_window = 1;
	range(40, 8, 6);
	end();
	CU_ASSERT_EQUAL_FATAL(seen_count, 3);
	CU_ASSERT(seen[0].owner == 7 && seen[0].window == 0 && seen[0].instructions == 7);
	CU_ASSERT(seen[1].owner == 7 && seen[1].window == CSG_SLICE_NO_WINDOW);
	CU_ASSERT(seen[1].begin == 30 && seen[1].instructions == 5);
	CU_ASSERT(seen[2].owner == 8 && seen[2].window == 1 && seen[2].instructions == 6);
}

/* Their member instructions is how many they are. */
static void counted_ranges_add_their_instructions(void)
{
	begin(CSG_SLICES_BYTES);
	range(10, 1, 5);
	CU_ASSERT_EQUAL(feed((struct csg_element){.index = 20,
						  .kind = CSG_ELEMENT_RANGES,
						  .owner = 1,
						  .instructions = 3,
						  .timestamp = 40}),
			0);
	other(30, CSG_ELEMENT_CONTEXT, 2, 0);
	end();
	CU_ASSERT_EQUAL(seen[0].instructions, 45);
}

/* Its packet comes before the range in which it was executed, and may be all that is seen of an
 * owner. */
static void instrumentation_is_counted_for_its_owner(void)
{
	begin(CSG_SLICES_BYTES);
	range(10, 1, 5);
	other(15, CSG_ELEMENT_INSTRUMENTATION, 1, 1);
	other(16, CSG_ELEMENT_INSTRUMENTATION, 1, 1);
	other(17, CSG_ELEMENT_EXCEPTION, 1, 0xe);
	other(18, CSG_ELEMENT_INSTRUMENTATION, 1, 1);
	other(20, CSG_ELEMENT_INSTRUMENTATION, 2, 1);
	range(30, 3, 7);
	end();
	CU_ASSERT_EQUAL(seen_count, 3);
	is(0, 1, 10, 20, 5);
	CU_ASSERT_EQUAL(seen[0].instrumented, 3);
	CU_ASSERT_EQUAL(seen[0].left, CSG_LEFT_UNSEEN);
	is(1, 2, 20, 30, 0);
	CU_ASSERT_EQUAL(seen[1].instrumented, 1);
	is(2, 3, 30, 30, 7);
	CU_ASSERT_EQUAL(seen[2].instrumented, 0);
}

static void losses_are_slices_and_missing_code_is_not(void)
{
	begin(CSG_SLICES_BYTES);
	gap(0, 0, CSG_GAP_NO_SYNC);
	gap(5, 0, CSG_GAP_TRACE_ON);
	range(10, 1, 5);
	gap(12, 1, CSG_GAP_NO_CODE);
	gap(14, 1, CSG_GAP_NO_OWNER);
	gap(20, 1, CSG_GAP_TRACE_ON);
	gap(21, 1, CSG_GAP_OVERFLOW);
	range(30, 1, 5);
	end();
	CU_ASSERT_EQUAL(seen_count, 4);
	is(0, CSG_SLICE_LOST, 0, 10, 0);
	CU_ASSERT_EQUAL(seen[0].gap, CSG_GAP_NO_SYNC);
	is(1, 1, 10, 20, 5);
	CU_ASSERT_EQUAL(seen[1].missing, 2);
	is(2, CSG_SLICE_LOST, 20, 30, 0);
	CU_ASSERT_EQUAL(seen[2].gap, CSG_GAP_OVERFLOW);
}

static void a_context_in_which_nothing_ran_is_none(void)
{
	begin(CSG_SLICES_BYTES);
	range(0, 1, 5);
	other(10, CSG_ELEMENT_CONTEXT, 2, 0);
	gap(11, 2, CSG_GAP_TRACE_ON);
	range(20, 1, 5);
	end();
	CU_ASSERT_EQUAL(seen_count, 3);
	is(1, CSG_SLICE_LOST, 10, 20, 0);
}

static void timestamps_date_slices_in_perf_time(void)
{
	begin(CSG_SLICES_NS);
	range(0, 1, 5);
	stamp(0, 1, 99);
	range(50, 200, 5);
	stamp(75, 200, 7); /* a guest's */
	stamp(80, 200, 0); /* the trace unit did not know */
	range(75, 1, 5);
	stamp(100, 1, 199);
	end();
	CU_ASSERT_EQUAL(seen_count, 3);
	is(0, 1, 100, 150, 5);
	is(2, 1, 175, 200, 5);
	begin(CSG_SLICES_TICKS);
	range(0, 200, 5);
	stamp(0, 200, 99);
	stamp(100, 200, 199);
	end();
	is(0, 200, 99, 199, 5);
}

static void a_guests_timestamp_dates_if_it_has_a_host_time(void)
{
	begin(CSG_SLICES_NS);
	range(0, 1, 5);
	stamp(0, 1, 99);
	range(50, 200, 5);
	feed((struct csg_element){.index = 50,
				  .owner = 200,
				  .kind = CSG_ELEMENT_TIMESTAMP,
				  .timestamp = 7,
				  .start = 120});
	range(75, 1, 5);
	stamp(100, 1, 199);
	end();
	is(0, 1, 100, 120, 5);
}

static void an_error_of_the_taker_ends_it(void)
{
	begin(CSG_SLICES_BYTES);
	range(0, 1, 5);
	fail_with = -CSG_E_IO;
	CU_ASSERT_EQUAL(
		feed((struct csg_element){.index = 1, .kind = CSG_ELEMENT_RANGE, .owner = 2}),
		-CSG_E_IO);
	csg_slices_destroy(slices);
	csg_slices_destroy(NULL);
}

static void the_unit_is_what_all_streams_have(void)
{
	struct csg_source a = {.trcconfigr = 1u << 11, .ts_source = CSG_TS_SOURCE_VIRTUAL}, b = a;
	const struct csg_stream_info infos[] = {{.source = &a}, {.source = &b}};

	CU_ASSERT_EQUAL(csg_slices_unit(infos, 2, CSG_RECORDING_PERF), CSG_SLICES_NS);
	CU_ASSERT_EQUAL(csg_slices_unit(infos, 2, CSG_RECORDING_SNAPSHOT), CSG_SLICES_TICKS);
	b.ts_source = CSG_TS_SOURCE_CORESIGHT;
	CU_ASSERT_EQUAL(csg_slices_unit(infos, 2, CSG_RECORDING_PERF), CSG_SLICES_TICKS);
	b.trcconfigr = 0;
	CU_ASSERT_EQUAL(csg_slices_unit(infos, 2, CSG_RECORDING_PERF), CSG_SLICES_BYTES);
	CU_ASSERT_EQUAL(csg_slices_unit(infos, 0, CSG_RECORDING_PERF), CSG_SLICES_BYTES);
}

/* Owner 7 has the CPU up to time 150, then nobody is known. */
static int64_t seven_until_150(void *arg, const struct csg_slice *slice, uint64_t *until)
{
	(void)arg;
	CU_ASSERT(slice->gap == CSG_GAP_TRACE_ON && slice->el == CSG_EL2);
	if (slice->begin >= 150)
		return CSG_SLICE_LOST;
	*until = *until < 150 ? *until : 150;
	return 7;
}

static void what_is_not_traced_has_the_owners_that_records_name(void)
{
	const struct csg_slices_client client = {
		.source = {.time = plus_one, .clock = below_100, .untraced = seven_until_150},
		.slice = keep};
	const struct csg_element on = {
		.index = 20, .kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_TRACE_ON, .el = CSG_EL2};

	seen_count = 0;
	fail_with = 0;
	CU_ASSERT_EQUAL_FATAL(csg_slices_create(&slices, 2, CSG_SLICES_NS, &client), 0);
	stamp(0, 1, 89);
	range(0, 1, 5);
	stamp(10, 1, 99);
	range(10, 1, 5);
	CU_ASSERT_EQUAL(feed(on), 0);
	range(20, 1, 5);
	stamp(30, 1, 199);
	CU_ASSERT_EQUAL(csg_slices_finish(slices), 0);
	CU_ASSERT_EQUAL_FATAL(seen_count, 4);
	CU_ASSERT_EQUAL(seen[1].owner, 7);
	CU_ASSERT_EQUAL(seen[1].gap, CSG_GAP_TRACE_ON);
	CU_ASSERT_EQUAL(seen[1].instructions, 0);
	CU_ASSERT_EQUAL(seen[1].end, 150);
	CU_ASSERT_EQUAL(seen[2].owner, CSG_SLICE_LOST);
	CU_ASSERT_EQUAL(seen[2].begin, 150);
	CU_ASSERT_EQUAL(seen[2].end, seen[3].begin);
	CU_ASSERT_EQUAL(seen[3].gap, CSG_GAP_NONE);
	csg_slices_destroy(slices);
}

static uint64_t border;
static uint8_t el_seen;

/* Owner 7 up to the border, then 8. */
static int64_t two_owners(void *arg, const struct csg_slice *slice, uint64_t *until)
{
	(void)arg;
	el_seen = slice->el;
	if (slice->begin >= border)
		return 8;
	*until = *until < border ? *until : border;
	return 7;
}

static void untraced_from_100_to_100000(uint64_t at)
{
	const struct csg_slices_client client = {
		.source = {.time = plus_one, .clock = below_100, .untraced = two_owners},
		.slice = keep};
	const struct csg_element on = {
		.index = 10, .kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_TRACE_ON, .el = CSG_EL2};

	border = at;
	seen_count = 0;
	fail_with = 0;
	CU_ASSERT_EQUAL_FATAL(csg_slices_create(&slices, 2, CSG_SLICES_NS, &client), 0);
	stamp(0, 1, 89);
	range(0, 1, 5);
	stamp(10, 1, 99);
	CU_ASSERT_EQUAL(feed(on), 0);
	range(20, 1, 5);
	stamp(30, 1, 99999);
	CU_ASSERT_EQUAL(csg_slices_finish(slices), 0);
	csg_slices_destroy(slices);
}

static void a_record_amid_a_gap_shows_that_not_only_el2_ran(void)
{
	untraced_from_100_to_100000(4000);
	CU_ASSERT_EQUAL(el_seen, CSG_EL2);
	untraced_from_100_to_100000(98000);
	CU_ASSERT_EQUAL(el_seen, CSG_EL2);
	untraced_from_100_to_100000(50000);
	CU_ASSERT_EQUAL(el_seen, CSG_EL_UNKNOWN);
}

CSG_SUITE(timeline, slices, CSG_TEST(ranges_of_an_owner_are_one_slice),
	  CSG_TEST(code_that_is_not_wanted_is_a_slice_of_its_own),
	  CSG_TEST(what_is_counted_in_another_window_is_a_slice_of_its_own),
	  CSG_TEST(counted_ranges_add_their_instructions),
	  CSG_TEST(instrumentation_is_counted_for_its_owner),
	  CSG_TEST(losses_are_slices_and_missing_code_is_not),
	  CSG_TEST(a_context_in_which_nothing_ran_is_none),
	  CSG_TEST(timestamps_date_slices_in_perf_time),
	  CSG_TEST(a_guests_timestamp_dates_if_it_has_a_host_time),
	  CSG_TEST(an_error_of_the_taker_ends_it), CSG_TEST(the_unit_is_what_all_streams_have),
	  CSG_TEST(what_is_not_traced_has_the_owners_that_records_name),
	  CSG_TEST(a_record_amid_a_gap_shows_that_not_only_el2_ran));
