/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_slice_survey.h"

#include "csguest/error.h"
#include "suite.h"
#include "switch_pair.h"

#define CPU 1
#define SWITCH_TO UINT64_C(0xffff800080012340)
#define ELSEWHERE UINT64_C(0xffff800080056780)

static const struct csg_owner kernel = {.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL};
static const struct csg_owner user = {
	.world = CSG_WORLD_HOST, .privilege = CSG_USER, .evidence = CSG_EVIDENCE_VECTOR_BASE};

static struct csg_attribution *a;
static struct csg_attribution_stream *stream;
static struct csg_time_slice_survey *survey;
static const struct csg_attribution_time_slice *slices;
static size_t slice_count;

static struct csg_trace_unit unit_of(uint64_t trcconfigr, int32_t cpu)
{
	return (struct csg_trace_unit){.size = sizeof(struct csg_trace_unit),
				       .protocol = CSG_PROTOCOL_ETMV4,
				       .cpu = cpu,
				       .trcconfigr = trcconfigr};
}

static void tell_switch(uint64_t time, int32_t from, int32_t to)
{
	const struct switch_pair pair = switch_pair(CPU, time, 10, from, to);

	CU_ASSERT_EQUAL(csg_attribution_switch(a, &pair.out), 0);
	CU_ASSERT_EQUAL(csg_attribution_switch(a, &pair.in), 0);
}

/* Thread 11 until 200, 22 until 300, then 33. */
static void begin(enum csg_hypervisor kind)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = kind};
	const struct csg_attribution_clock clock = {.size = sizeof(clock),
						    .conv = {.valid = true, .mult = 1},
						    .first_time = 1,
						    .last_time = 1000,
						    .switches = true};
	const struct csg_trace_unit unit = unit_of(0, CPU);

	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	CU_ASSERT_EQUAL(csg_attribution_clock(a, &clock), 0);
	CU_ASSERT_EQUAL(csg_attribution_seen(a, CPU, 100, 11, 11), 0);
	tell_switch(200, 11, 22);
	tell_switch(300, 22, 33);
	CU_ASSERT_EQUAL(csg_attribution_seen(a, CPU, 600, -1, -1), 0);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&stream, a, &unit), 0);
}

static void end(void)
{
	csg_time_slice_survey_destroy(survey);
	survey = NULL;
	csg_attribution_stream_destroy(stream);
	csg_attribution_destroy(a);
}

static int create(uint64_t trcconfigr, int32_t cpu, uint64_t switch_to)
{
	const struct csg_trace_unit unit = unit_of(trcconfigr, cpu);

	return csg_time_slice_survey_create(&survey, a, &unit, switch_to);
}

static void range(uint64_t index, uint8_t el, uint64_t start, const struct csg_owner *owner)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_RANGE, .index = index, .el = el, .start = start};

	CU_ASSERT_EQUAL(csg_time_slice_survey_see(survey, &e, owner), 0);
}

/* A piece with two switches. */
static void piece(uint64_t index)
{
	csg_time_slice_survey_begin(survey, index);
	range(index + 10, 0, 0x400000, &user);
	range(index + 20, 2, SWITCH_TO, &kernel);
	range(index + 30, 2, ELSEWHERE, &kernel);
	range(index + 40, 2, SWITCH_TO, &kernel);
	range(index + 50, 0, 0x500000, &user);
}

static bool is(size_t i, uint64_t from, uint64_t until, int32_t tid)
{
	return i < slice_count && slices[i].begin == from && slices[i].end == until &&
	       slices[i].tid == tid && slices[i].pid == tid;
}

static void switches_in_order_name_threads(void)
{
	begin(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL_FATAL(create(0, CPU, SWITCH_TO), 1);
	piece(1000);
	CU_ASSERT_EQUAL(csg_time_slice_survey_end(survey, 100, 600, &slices, &slice_count), 0);
	CU_ASSERT_EQUAL(slice_count, 3);
	CU_ASSERT(is(0, 999, 1020, 11));
	CU_ASSERT(is(1, 1020, 1040, 22));
	CU_ASSERT(is(2, 1040, 1051, 33));
	end();
}

static void each_piece_has_its_own_slices(void)
{
	begin(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL_FATAL(create(0, CPU, SWITCH_TO), 1);
	piece(0);
	CU_ASSERT_EQUAL(csg_time_slice_survey_end(survey, 0, 0, &slices, &slice_count), 0);
	CU_ASSERT_EQUAL(slice_count, 3);
	CU_ASSERT(is(0, 0, 20, CSG_PID_UNKNOWN)); /* nobody says when it was recorded */
	csg_time_slice_survey_begin(survey, 100);
	CU_ASSERT_EQUAL(csg_time_slice_survey_end(survey, 100, 600, &slices, &slice_count), 0);
	CU_ASSERT_EQUAL(slice_count, 0);
	CU_ASSERT_PTR_NULL(slices);
	piece(2000);
	CU_ASSERT_EQUAL(csg_time_slice_survey_end(survey, 100, 600, &slices, &slice_count), 0);
	CU_ASSERT_EQUAL(slice_count, 3);
	CU_ASSERT(is(2, 2040, 2051, 33));
	end();
}

static void what_tells_nothing_is_not_surveyed(void)
{
	begin(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(create(1u << 7 | 1u << 15, CPU, SWITCH_TO), 0); /* CONTEXTIDR_EL2 */
	CU_ASSERT_EQUAL(create(0, CPU + 1, SWITCH_TO), 0);		/* no switches there */
	CU_ASSERT_EQUAL(create(0, CPU, 0), 0);				/* no symbol of that name */
	CU_ASSERT_PTR_NULL(survey);
	end();
	begin(CSG_HV_KVM_NVHE);
	CU_ASSERT_EQUAL(create(0, CPU, SWITCH_TO), 0);
	CU_ASSERT_PTR_NULL(survey);
	end();
}

static void a_unit_of_no_version_is_refused(void)
{
	struct {
		struct csg_trace_unit unit;
		uint64_t tail;
	} later = {.unit = unit_of(0, CPU)};

	begin(CSG_HV_KVM_VHE);
	later.unit.size = sizeof(later);
	CU_ASSERT_EQUAL(csg_time_slice_survey_create(&survey, a, &later.unit, 0), 0);
	later.tail = 1;
	CU_ASSERT_EQUAL(csg_time_slice_survey_create(&survey, a, &later.unit, SWITCH_TO),
			-CSG_E_USAGE);
	later.unit.size = sizeof(size_t);
	CU_ASSERT_EQUAL(csg_time_slice_survey_create(&survey, a, &later.unit, SWITCH_TO),
			-CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(survey);
	end();
}

CSG_SUITE(guest, time_slice_survey, CSG_TEST(switches_in_order_name_threads),
	  CSG_TEST(each_piece_has_its_own_slices), CSG_TEST(what_tells_nothing_is_not_surveyed),
	  CSG_TEST(a_unit_of_no_version_is_refused));
