/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/trace_ids.h"

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

#define UNITS 4

struct made {
	struct csg_recording *rec;
	struct csg_hw_ids ids;
	struct csg_etm_metadata metadata;
	struct csg_source units[UNITS];
	struct pb_seen seen;
};

/* A machine of four CPUs, whose metadata has the trace IDs 0x10, 0x12, 0x14, 0x16. */
static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	for (int cpu = 0; cpu < UNITS; cpu++)
		made->units[cpu] = (struct csg_source){.cpu = cpu,
						       .trace_id = (uint8_t)(0x10 + 2 * cpu),
						       .trcidr0 = (uint64_t)cpu};
	made->metadata.units = made->units;
	made->metadata.n = UNITS;
}

static void end(struct made *made)
{
	csg_hw_ids_fini(&made->ids);
	csg_recording_close(made->rec);
}

static void chunk(struct made *made, uint32_t queue, int32_t cpu, enum csg_framing framing)
{
	struct csg_chunk *new = CSG_STORE_ADD(made->rec, chunks);

	new->queue = queue;
	new->cpu = cpu;
	new->framing = (uint8_t)framing;
}

static void hw_id(struct made *made, int32_t cpu, uint8_t trace_id, uint32_t sink, uint64_t minor)
{
	struct csg_hw_id id = {.cpu = cpu, .value = minor << 56 | (uint64_t)sink << 8 | trace_id};

	CU_ASSERT_EQUAL(csg_hw_ids_add(&made->ids, &id), 0);
}

static const struct csg_source *make(struct made *made, size_t n)
{
	CU_ASSERT_EQUAL(csg_trace_ids_make_sources(&made->ids, &made->metadata, made->rec, "f"), 0);
	CU_ASSERT_EQUAL_FATAL(made->rec->n_sources, n);
	return made->rec->sources;
}

static bool is(const struct csg_source *source, uint32_t queue, uint8_t trace_id, int32_t cpu)
{
	return source->queue == queue && source->trace_id == trace_id && source->cpu == cpu;
}

static void without_hw_ids_every_unit_is_in_every_formatted_queue(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, 0, CSG_FRAMES);
	chunk(&made, 2, 2, CSG_FRAMES);
	sources = make(&made, 8);
	for (int i = 0; i < 8; i++) {
		CU_ASSERT(is(&sources[i], i < 4 ? 0 : 2, (uint8_t)(0x10 + 2 * (i % 4)), i % 4));
		CU_ASSERT_EQUAL(sources[i].sink, CSG_NO_SINK);
		CU_ASSERT_EQUAL(sources[i].trcidr0, i % 4);
	}
	end(&made);
}

static void without_hw_ids_a_raw_queue_is_its_cpus(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, 0, CSG_RAW);
	chunk(&made, 5, 3, CSG_RAW);
	chunk(&made, 5, 3, CSG_RAW);
	sources = make(&made, 2);
	CU_ASSERT(is(&sources[0], 0, 0x10, 0));
	CU_ASSERT(is(&sources[1], 5, 0x16, 3));
	end(&made);
}

static void with_minor_0_ids_are_global(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, 0, CSG_FRAMES);
	chunk(&made, 1, 1, CSG_FRAMES);
	hw_id(&made, 0, 0x30, 0, 0);
	hw_id(&made, 1, 0x31, 0, 0);
	hw_id(&made, 1, 0x31, 0, 0);
	sources = make(&made, 4);
	CU_ASSERT(is(&sources[0], 0, 0x30, 0));
	CU_ASSERT(is(&sources[1], 0, 0x31, 1));
	CU_ASSERT(is(&sources[2], 1, 0x30, 0));
	CU_ASSERT(is(&sources[3], 1, 0x31, 1));
	CU_ASSERT_EQUAL(sources[0].sink, CSG_NO_SINK);
	end(&made);
}

static void with_minor_1_ids_belong_to_a_sink(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	for (uint32_t cpu = 0; cpu < 4; cpu++)
		chunk(&made, cpu, (int32_t)cpu, CSG_FRAMES);
	hw_id(&made, 0, 0x10, 0xa, 1);
	hw_id(&made, 1, 0x11, 0xa, 1);
	hw_id(&made, 2, 0x10, 0xb, 1); /* the same ID in another sink */
	hw_id(&made, 3, 0x11, 0xb, 2);
	sources = make(&made, 8);
	CU_ASSERT(is(&sources[0], 0, 0x10, 0));
	CU_ASSERT(is(&sources[1], 0, 0x11, 1));
	CU_ASSERT(is(&sources[2], 1, 0x10, 0));
	CU_ASSERT(is(&sources[4], 2, 0x10, 2));
	CU_ASSERT(is(&sources[5], 2, 0x11, 3));
	CU_ASSERT(is(&sources[7], 3, 0x11, 3));
	CU_ASSERT_EQUAL(sources[0].sink, 0xa);
	CU_ASSERT_EQUAL(sources[7].sink, 0xb);
	CU_ASSERT_EQUAL(made.seen.n, 0);
	end(&made);
}

static void raw_queues_under_one_sink_stay_apart(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, 0, CSG_RAW);
	chunk(&made, 1, 1, CSG_RAW);
	hw_id(&made, 0, 0x10, 0xa, 1);
	hw_id(&made, 1, 0x11, 0xa, 1);
	sources = make(&made, 2);
	CU_ASSERT(is(&sources[0], 0, 0x10, 0));
	CU_ASSERT(is(&sources[1], 1, 0x11, 1));
	end(&made);
}

static void a_thread_that_moved_has_a_source_for_each_cpu(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, 2, CSG_RAW);
	chunk(&made, 0, 0, CSG_RAW);
	chunk(&made, 0, 2, CSG_RAW);
	hw_id(&made, 2, 0x10, 0xb, 1);
	sources = make(&made, 2);
	CU_ASSERT(is(&sources[0], 0, 0x10, 0)); /* its HW_ID was lost */
	CU_ASSERT(is(&sources[1], 0, 0x10, 2));
	end(&made);
}

static void an_id_of_two_cpus_stays_with_the_first(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, 0, CSG_FRAMES);
	hw_id(&made, 0, 0x10, 0xa, 1);
	hw_id(&made, 1, 0x10, 0xa, 1);
	hw_id(&made, 2, 0x10, 0xa, 1);
	sources = make(&made, 1);
	CU_ASSERT(is(&sources[0], 0, 0x10, 0));
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	end(&made);
}

static void ids_that_no_trace_can_have_are_passed_over(void)
{
	struct made made;

	begin(&made);
	chunk(&made, 0, 0, CSG_FRAMES);
	hw_id(&made, 0, 0, 0, 0);
	hw_id(&made, 1, 0x70, 0, 0);
	hw_id(&made, 9, 0x11, 0, 0);
	make(&made, 0);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	end(&made);
}

static void trace_of_an_unknown_cpu_takes_any_unit(void)
{
	struct made made;
	const struct csg_source *sources;

	begin(&made);
	chunk(&made, 0, CSG_NO_CPU, CSG_RAW);
	sources = make(&made, 1);
	CU_ASSERT_EQUAL(sources[0].cpu, CSG_NO_CPU);
	end(&made);
	begin(&made);
	chunk(&made, 0, CSG_NO_CPU, CSG_FRAMES);
	hw_id(&made, 0, 0x10, 0xa, 1);
	hw_id(&made, 1, 0x11, 0xb, 1);
	make(&made, 2);
	end(&made);
}

static void thousands_of_ids_are_no_machine(void)
{
	struct csg_hw_ids ids = {0};
	struct csg_hw_id id = {0};
	int ret = 0;

	for (id.value = 0; id.value < 5000 && !ret; id.value++)
		ret = csg_hw_ids_add(&ids, &id);
	CU_ASSERT_EQUAL(ret, -CSG_E_CORRUPT);
	csg_hw_ids_fini(&ids);
}

CSG_SUITE(recording_perf, trace_ids,
	  CSG_TEST(without_hw_ids_every_unit_is_in_every_formatted_queue),
	  CSG_TEST(without_hw_ids_a_raw_queue_is_its_cpus), CSG_TEST(with_minor_0_ids_are_global),
	  CSG_TEST(with_minor_1_ids_belong_to_a_sink),
	  CSG_TEST(raw_queues_under_one_sink_stay_apart),
	  CSG_TEST(a_thread_that_moved_has_a_source_for_each_cpu),
	  CSG_TEST(an_id_of_two_cpus_stays_with_the_first),
	  CSG_TEST(ids_that_no_trace_can_have_are_passed_over),
	  CSG_TEST(trace_of_an_unknown_cpu_takes_any_unit),
	  CSG_TEST(thousands_of_ids_are_no_machine));
