/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "csguest/error.h"
#include "flow/flow.h"
#include "scan/scan.h"
#include "suite.h"
#include "walk.h"

#define SEEDS 40
#define PIECES 16 /* an owner is an exception level, and 16 times the piece */

/* A flow over a walk, whose owners are the exception levels that the scan finds. */
struct run {
	struct walk walk;
	struct csg_flow *flow;
	bool refuse_owners;		/* nobody's code is given out */
	bool divide;			/* owners change at timestamps as well */
	uint32_t reported_times, times; /* timestamps that the scan and the flow have come by */
	size_t reads, wrong_reads;
	uint8_t *code; /* of all places, one after the other */

	struct csg_enc_elem *ranges; /* what came out */
	size_t range_count;
	size_t ends, wrong_owners, gaps[CSG_GAP_COUNT];
};

#define MAX_RANGES 40000

static uint32_t owner_of(enum csg_el el)
{
	return el == CSG_EL_UNKNOWN ? 0 : (uint32_t)el + 1;
}

static const struct csg_enc_place *place_at(const struct run *run, uint64_t address)
{
	for (int i = 0; i < CSG_ENC_WANDER_PLACES; i++) {
		const struct csg_enc_place *place = &run->walk.machine.place[i];

		if (address >= place->base && address < place->base + sizeof(place->words))
			return place;
	}
	return NULL;
}

static int read_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		     size_t *len)
{
	struct run *run = arg;
	const struct csg_enc_place *place = place_at(run, address);

	if (run->refuse_owners)
		return -CSG_E_DECODE;
	if (!place)
		return -CSG_E_NO_IMAGE;
	run->reads++;
	if (owner % PIECES != owner_of(place->el))
		run->wrong_reads++;
	*bytes = (const uint8_t *)place->words + (address - place->base);
	*len = place->base + sizeof(place->words) - address;
	return 0;
}

/* Segments as the track says them: this is what world/ does, without a policy. */
static void add_segment(void *arg, const struct csg_track_event *event)
{
	struct run *run = arg;
	uint32_t owner = owner_of(event->context.el);

	if (event->kind == CSG_TRACK_TIMESTAMP && run->divide) {
		owner += PIECES * ++run->reported_times;
		CU_ASSERT_EQUAL(csg_flow_segment_at_time(run->flow, event->index, owner), 0);
	}
	if (event->kind != CSG_TRACK_CONTEXT && event->kind != CSG_TRACK_GAP)
		return;
	owner += PIECES * run->reported_times;
	CU_ASSERT_EQUAL(
		csg_flow_segment(run->flow, event->index, event->kind == CSG_TRACK_CONTEXT, owner),
		0);
}

static void scan_all(struct run *run)
{
	struct csg_scan *scan;

	CU_ASSERT_EQUAL_FATAL(csg_scan_create(&scan, &run->walk.source, add_segment, run), 0);
	csg_scan_feed(scan, CSG_RUN(0, run->walk.etm.out.data, run->walk.etm.out.size));
	csg_scan_end(scan, run->walk.etm.out.size);
	csg_scan_destroy(scan);
}

static void take(struct run *run)
{
	size_t n;
	const struct csg_element *e = csg_flow_elements(run->flow, &n);

	for (size_t i = 0; i < n; i++, e++) {
		run->ends += e->kind == CSG_ELEMENT_END;
		run->times += e->kind == CSG_ELEMENT_TIMESTAMP && run->divide;
		if (e->kind == CSG_ELEMENT_GAP)
			run->gaps[e->gap]++;
		if (e->kind != CSG_ELEMENT_RANGE || run->range_count == MAX_RANGES)
			continue;
		run->wrong_owners +=
			e->owner != owner_of(place_at(run, e->start)->el) + PIECES * run->times;
		run->ranges[run->range_count++] = (struct csg_enc_elem){
			.start = e->start, .end = e->end, .count = e->instructions, .el = e->el};
	}
	csg_flow_take(run->flow);
}

static void decode(struct run *run, size_t piece)
{
	const struct csg_enc_bytes *trace = &run->walk.etm.out;
	const struct csg_flow_code code = {.arg = run, .read = read_code};

	CU_ASSERT_EQUAL_FATAL(
		csg_flow_create(&run->flow, CSG_ENGINE_OPENCSD, &run->walk.source, &code, NULL), 0);
	scan_all(run);
	for (size_t at = 0; at < trace->size;) {
		size_t n = trace->size - at < piece ? trace->size - at : piece;

		at += csg_flow_feed(run->flow, CSG_RUN(at, trace->data + at, n));
		if (csg_flow_full(run->flow))
			take(run);
	}
	while (!csg_flow_end(run->flow, trace->size))
		take(run);
	take(run);
	csg_flow_destroy(run->flow);
}

static bool begin(struct run *run, uint64_t seed, bool ete, bool gaps, unsigned steps)
{
	memset(run, 0, sizeof(*run));
	run->ranges = calloc(MAX_RANGES, sizeof(*run->ranges));
	return walk_init(&run->walk, seed, ete, gaps, steps);
}

static void end(struct run *run)
{
	free(run->ranges);
	walk_fini(&run->walk);
}

/* The ranges that OpenCSD gives when it decodes the same trace in one go. */
static bool equals_reference(struct run *run)
{
	struct csg_enc_decode d = {
		.model = &run->walk.model,
		.data = run->walk.etm.out.data,
		.size = run->walk.etm.out.size,
		.read = csg_enc_wander_read,
		.arg = &run->walk.machine,
	};
	struct csg_enc_elems seen = {0};
	size_t at = 0;
	bool equal = csg_enc_decode(&d, &seen) >= 0;

	for (size_t i = 0; equal && i < seen.count; i++) {
		const struct csg_enc_elem *e = &seen.elems[i], *r = &run->ranges[at];

		if (e->kind != CSG_ENC_ELEM_RANGE)
			continue;
		equal = at++ < run->range_count && e->start == r->start && e->end == r->end &&
			e->count == r->count && e->el == r->el;
	}
	equal &= at == run->range_count;
	csg_enc_elems_fini(&seen);
	return equal;
}

static void the_flow_gives_the_ranges_of_opencsd(void)
{
	static struct run run;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		CU_ASSERT_FATAL(begin(&run, seed, seed % 4 == 3, seed % 3 == 0, 500));
		decode(&run, seed % 5 ? SIZE_MAX : 7);
		CU_ASSERT(run.range_count > 100);
		CU_ASSERT(equals_reference(&run));
		CU_ASSERT_EQUAL(run.ends, 1);
		end(&run);
	}
}

static void code_is_read_for_nobody_but_its_owner(void)
{
	static struct run run;
	size_t reads = 0;

	for (uint64_t seed = 100; seed <= 100 + SEEDS; seed++) {
		CU_ASSERT_FATAL(begin(&run, seed, seed % 4 == 3, seed % 3 == 0, 500));
		decode(&run, SIZE_MAX);
		reads += run.reads;
		CU_ASSERT_EQUAL(run.wrong_reads, 0);
		CU_ASSERT_EQUAL(run.wrong_owners, 0);
		end(&run);
	}
	CU_ASSERT(reads > 10 * SEEDS);
}

static void a_segment_is_divided_at_the_timestamp_itself(void)
{
	static struct run run;
	size_t times = 0;

	for (uint64_t seed = 200; seed <= 200 + SEEDS; seed++) {
		CU_ASSERT_FATAL(begin(&run, seed, seed % 4 == 3, seed % 3 == 0, 500));
		run.divide = true;
		decode(&run, seed % 5 ? SIZE_MAX : 7);
		times += run.times;
		CU_ASSERT_EQUAL(run.times, run.reported_times);
		CU_ASSERT_EQUAL(run.wrong_owners, 0);
		CU_ASSERT_EQUAL(run.wrong_reads, 0);
		CU_ASSERT(equals_reference(&run));
		end(&run);
	}
	CU_ASSERT(times > 10 * SEEDS);
}

static void a_full_buffer_pauses_and_loses_nothing(void)
{
	static struct run run;

	CU_ASSERT_FATAL(begin(&run, 7, false, false, 20000));
	decode(&run, SIZE_MAX);
	CU_ASSERT(run.range_count > 10000);
	CU_ASSERT(equals_reference(&run));
	end(&run);
}

static void nobodys_code_is_a_gap(void)
{
	static struct run run;

	CU_ASSERT_FATAL(begin(&run, 7, false, false, 200));
	run.refuse_owners = true;
	decode(&run, SIZE_MAX);
	CU_ASSERT_EQUAL(run.range_count, 0);
	CU_ASSERT(run.gaps[CSG_GAP_NO_OWNER] > 10);
	CU_ASSERT_EQUAL(run.gaps[CSG_GAP_NO_CODE], 0);
	end(&run);
}

static void q_elements_are_kept_from_opencsd(void)
{
	struct csg_source source = {.trcconfigr = 1u << 11};

	CU_ASSERT_EQUAL(csg_engine_for(CSG_ENGINE_OPENCSD, &source), CSG_ENGINE_OPENCSD);
	CU_ASSERT_EQUAL(csg_engine_for(CSG_ENGINE_FAST, &source), CSG_ENGINE_FAST);
	source.trcconfigr |= 1u << 13; /* with a count */
	CU_ASSERT_EQUAL(csg_engine_for(CSG_ENGINE_OPENCSD, &source), CSG_ENGINE_FAST);
	source.trcconfigr = 2u << 13; /* without */
	CU_ASSERT_EQUAL(csg_engine_for(CSG_ENGINE_OPENCSD, &source), CSG_ENGINE_FAST);
}

CSG_SUITE(flow, flow, CSG_TEST(the_flow_gives_the_ranges_of_opencsd),
	  CSG_TEST(code_is_read_for_nobody_but_its_owner),
	  CSG_TEST(a_segment_is_divided_at_the_timestamp_itself),
	  CSG_TEST(a_full_buffer_pauses_and_loses_nothing), CSG_TEST(nobodys_code_is_a_gap),
	  CSG_TEST(q_elements_are_kept_from_opencsd));
