/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/samples.h"

#include "csguest/error.h"
#include "suite.h"

#define RANGE(at)                                                                                  \
	{                                                                                          \
		.kind = CSG_ELEMENT_RANGE, .start = (at), .end = (at) + 4, .instructions = 1,      \
		.branch = CSG_BRANCH_DIRECT, .taken = true, .isa = CSG_ISA_A64, .last_size = 4     \
	}
#define STAMP(value)                                                                               \
	{                                                                                          \
		.kind = CSG_ELEMENT_TIMESTAMP, .timestamp = (value)                                \
	}

/* Two streams of a few elements each, handed out one by one. */
struct feed {
	const struct csg_element *elements[2];
	size_t n[2], done[2];
	size_t fail_at; /* elements of stream 1 before an error; 0: none */
	struct csg_chunk chunks[3];
};

static int next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct feed *feed = arg;
	size_t at = feed->done[stream];

	if (at == feed->n[stream])
		return 0;
	if (stream == 1 && feed->fail_at && at == feed->fail_at)
		return -CSG_E_CORRUPT;
	*batch = (struct csg_batch){
		.stream = stream, .elements = &feed->elements[stream][at], .n = 1};
	batch->chunk = &feed->chunks[at / 2];
	feed->done[stream]++;
	return 1;
}

static bool code(void *arg, uint32_t owner, uint64_t address, uint64_t when, uint8_t *bytes,
		 size_t n)
{
	(void)arg, (void)owner, (void)address, (void)when, (void)bytes, (void)n;
	return false;
}

static uint64_t same_time(void *arg, uint64_t timestamp)
{
	(void)arg;
	return timestamp;
}

static bool same_machine(void *arg, uint32_t a, uint32_t b)
{
	(void)arg;
	return a == b;
}

static uint64_t targets[16];
static int32_t cpus[16];
static size_t count;

/* Lists the targets of all branches; returns the error met, or 0. */
static int list(struct feed *feed, enum csg_sampler_clock clock)
{
	static const struct csg_source sources[] = {{.cpu = 4}, {.cpu = 5}};
	const struct csg_stream_info infos[] = {{.source = &sources[0]}, {.source = &sources[1]}};
	const struct csg_samples_source source = {
		.arg = feed, .streams = infos, .n = 2, .chunks = feed->chunks, .next = next};
	const struct csg_sampler_setup setup = {.itrace = {.branches = true, .period = 1},
						.clock = clock,
						.client = {NULL, code, same_time, same_machine}};
	const struct csg_sample_branch *branches;
	const struct csg_sample *sample;
	struct csg_samples *samples;
	int ret, err = 0;

	CU_ASSERT_EQUAL_FATAL(csg_samples_open(&samples, &source, &setup), 0);
	for (count = 0; count < 16 && (ret = csg_samples_next(samples, &sample, &branches));) {
		if (ret < 0) {
			CU_ASSERT_EQUAL(err, 0);
			err = ret;
			continue;
		}
		targets[count] = sample->addr;
		cpus[count++] = sample->cpu;
	}
	csg_samples_close(samples);
	return err;
}

static const struct csg_element one[] = {STAMP(100),  RANGE(0x10), STAMP(300),
					 RANGE(0x11), STAMP(500),  RANGE(0x12)},
				two[] = {STAMP(50),   RANGE(0x20), STAMP(200),
					 RANGE(0x21), STAMP(290),  RANGE(0x22)};

static struct feed both(void)
{
	return (struct feed){.elements = {one, two}, .n = {6, 6}};
}

static int targets_are(size_t n, const uint64_t *want)
{
	if (count != n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (targets[i] != want[i])
			return 0;
	return 1;
}

/* Ranges lie one timestamp after: those of stream 2 at 50, 50 and 200, of stream 1 at 100 … */
static void streams_are_merged_by_time(void)
{
	const uint64_t want[] = {0x20, 0x21, 0x10, 0x11, 0x22, 0x12};
	struct feed feed = both();

	CU_ASSERT_EQUAL(list(&feed, CSG_SAMPLER_TRACE), 0);
	CU_ASSERT(targets_are(6, want));
	CU_ASSERT_EQUAL(cpus[0], 5);
	CU_ASSERT_EQUAL(cpus[2], 4);
	feed = both();
	CU_ASSERT_EQUAL(list(&feed, CSG_SAMPLER_RECORD), 0);
	CU_ASSERT(targets_are(6, want));
}

static void without_time_one_piece_of_trace_comes_after_the_other(void)
{
	const uint64_t want[] = {0x10, 0x20, 0x11, 0x21, 0x12, 0x22};
	struct feed feed = both();

	CU_ASSERT_EQUAL(list(&feed, CSG_SAMPLER_TIMELESS), 0);
	CU_ASSERT(targets_are(6, want));
}

static void what_came_before_an_error_is_listed(void)
{
	const uint64_t want[] = {0x20, 0x10};
	struct feed feed = both();

	feed.fail_at = 2;
	CU_ASSERT_EQUAL(list(&feed, CSG_SAMPLER_TRACE), -CSG_E_CORRUPT);
	CU_ASSERT(targets_are(2, want));
}

static enum csg_sampler_clock clock_of(uint64_t trcconfigr, int64_t ts_source, int kind,
				       struct csg_itrace itrace)
{
	struct csg_source source = {.trcconfigr = trcconfigr, .ts_source = ts_source};
	struct csg_stream_info info = {.source = &source};

	return csg_samples_clock(&info, 1, kind, &itrace);
}

static void times_are_the_traces_own_only_from_the_virtual_counter(void)
{
	struct csg_itrace plain = {0}, trusting = {.kernel_time = true},
			  timeless = {.timeless = true};

	CU_ASSERT_EQUAL(clock_of(0x800, CSG_TS_SOURCE_VIRTUAL, CSG_RECORDING_PERF, plain),
			CSG_SAMPLER_TRACE);
	CU_ASSERT_EQUAL(clock_of(0x800, CSG_TS_SOURCE_CORESIGHT, CSG_RECORDING_PERF, plain),
			CSG_SAMPLER_RECORD);
	CU_ASSERT_EQUAL(clock_of(0x800, CSG_TS_SOURCE_CORESIGHT, CSG_RECORDING_PERF, trusting),
			CSG_SAMPLER_TRACE);
	CU_ASSERT_EQUAL(clock_of(0, CSG_TS_SOURCE_VIRTUAL, CSG_RECORDING_PERF, plain),
			CSG_SAMPLER_TIMELESS);
	CU_ASSERT_EQUAL(clock_of(0x800, CSG_TS_SOURCE_VIRTUAL, CSG_RECORDING_PERF, timeless),
			CSG_SAMPLER_TIMELESS);
	CU_ASSERT_EQUAL(clock_of(0x800, CSG_TS_SOURCE_VIRTUAL, CSG_RECORDING_SNAPSHOT, plain),
			CSG_SAMPLER_RECORD);
}

CSG_SUITE(script, samples, CSG_TEST(streams_are_merged_by_time),
	  CSG_TEST(without_time_one_piece_of_trace_comes_after_the_other),
	  CSG_TEST(what_came_before_an_error_is_listed),
	  CSG_TEST(times_are_the_traces_own_only_from_the_virtual_counter));
