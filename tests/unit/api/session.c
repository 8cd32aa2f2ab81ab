/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/session.h"

#include <string.h>

#include "csguest/error.h"
#include "fixture.h"

#define RECORDING FIXTURE_DIR "perf.data"

struct sums {
	uint64_t instructions, elements, hash;
};

/* Everything that a filter could change, in order. */
static void add(struct sums *sums, const struct csg_batch *batch, const struct csg_element *e)
{
	const uint64_t words[] = {batch->stream, batch->time, e->index, e->start,
				  e->end,	 e->owner,    e->kind,	e->instructions};

	sums->elements++;
	if (e->kind == CSG_ELEMENT_RANGE)
		sums->instructions += e->instructions;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sums->hash = (sums->hash ^ words[i]) * UINT64_C(0x100000001b3);
}

static int drain(struct csg_session *session, enum csg_order order, struct sums *sums)
{
	struct csg_batch batch;
	int ret;

	*sums = (struct sums){0};
	while ((ret = csg_session_next(session, order, &batch, sizeof(batch))) > 0) {
		CU_ASSERT_EQUAL(batch.element_size, sizeof(struct csg_element));
		for (size_t i = 0; i < batch.n; i++)
			add(sums, &batch, &batch.elements[i]);
	}
	return ret;
}

static void a_recording_opens_with_no_options_at_all(void)
{
	struct csg_session *session;
	struct sums sums;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, RECORDING, NULL), 0);
	n = csg_session_stream_count(session);
	CU_ASSERT_FATAL(n >= 2);
	CU_ASSERT_EQUAL(csg_session_stream(session, 1)->stream, 1);
	CU_ASSERT_EQUAL(csg_session_stream(session, 1)->size, sizeof(struct csg_stream_info));
	CU_ASSERT_PTR_NULL(csg_session_stream(session, (uint32_t)n));
	CU_ASSERT_EQUAL(drain(session, CSG_ORDER_STREAM, &sums), 0);
	CU_ASSERT(sums.elements > 1000);
	csg_session_close(session);
}

static int see_file(void *arg, const char *path)
{
	unsigned int *seen = arg;

	*seen |= !strcmp(path, FIXTURE_DIR "host/vmlinux") ? 1 : 0;
	*seen |= !strcmp(path, FIXTURE_DIR "guest/vmlinux") ? 2 : 0;
	return *seen == 3 ? 9 : 0;
}

static void files_that_were_read_are_listed(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	unsigned int seen = 0;

	fixture_drain(session);
	CU_ASSERT_EQUAL(csg_session_each_file(session, see_file, &seen), 9);
	CU_ASSERT_EQUAL(seen, 3);
	CU_ASSERT_EQUAL(csg_session_each_file(session, NULL, &seen), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_each_file(NULL, see_file, &seen), -CSG_E_USAGE);
	csg_session_close(session);
}

static void options_of_no_version_are_refused(void)
{
	struct {
		struct csg_session_options options;
		uint64_t later;
	} newer = {.options = {.size = sizeof(newer)}};
	struct csg_session_options options = {.size = 8};
	struct csg_session *session = (void *)&options;

	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(session);
	options = (struct csg_session_options){.size = sizeof(options), .engine = 7};
	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_USAGE);
	options = (struct csg_session_options){.size = sizeof(options), .hypervisor = 99};
	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_USAGE);
	options = (struct csg_session_options){.size = sizeof(options), .flags = 1u << 31};
	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_USAGE);
	options = (struct csg_session_options){.size = sizeof(options), .threads = 65};
	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_open(&session, NULL, NULL), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_open(NULL, RECORDING, NULL), -CSG_E_USAGE);
	newer.later = 1;
	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &newer.options), -CSG_E_USAGE);
	newer.later = 0;
	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, RECORDING, &newer.options), 0);
	csg_session_close(session);
}

static void remember(void *arg, const struct csg_diag *diag)
{
	int *error = arg;

	*error = diag->error;
}

static void what_fails_is_reported_to_the_sink(void)
{
	int error = 0;
	const struct csg_diag_sink sink = {.report = remember, .arg = &error};
	struct csg_session_options options = {.size = sizeof(options), .sink = &sink};
	struct csg_session *session;

	CU_ASSERT_EQUAL(csg_session_open(&session, "/nowhere", &options), -CSG_E_NOT_FOUND);
	CU_ASSERT_EQUAL(error, CSG_E_NOT_FOUND);
	options.flags = 1u << 31;
	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(error, CSG_E_USAGE);
}

static void calls_that_make_no_sense_are_refused(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_batch batch;

	CU_ASSERT_EQUAL(csg_session_next(NULL, CSG_ORDER_TIME, &batch, sizeof(batch)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_TIME, NULL, sizeof(batch)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_TIME, &batch, 8), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next(session, 2, &batch, sizeof(batch)), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next_of(session, 99, &batch, sizeof(batch)), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(csg_session_owner(session, 1u << 30));
	CU_ASSERT_PTR_NULL(csg_session_space(session, 1u << 30));
	CU_ASSERT_PTR_NULL(csg_session_missing(session, 0));
	CU_ASSERT_EQUAL(csg_session_stream_count(NULL), 0);
	CU_ASSERT_PTR_NULL(csg_session_losses(NULL));
	CU_ASSERT_PTR_NULL(csg_session_recording(NULL));
	csg_session_cancel(NULL);
	csg_session_stop(NULL);
	csg_session_close(NULL);
	csg_session_close(session);
}

static void the_order_may_not_change(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_batch batch;

	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_TIME, &batch, sizeof(batch)), 1);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next_of(session, 0, &batch, sizeof(batch)), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_TIME, &batch, sizeof(batch)), 1);
	csg_session_close(session);
}

static void a_cancelled_session_ends(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_batch batch;

	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)), 1);
	csg_session_cancel(session);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)),
			-CSG_E_CANCELLED);
	csg_session_close(session);
}

static void a_stopped_session_is_not_pulled(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct csg_batch batch;

	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)), 1);
	csg_session_stop(session);
	csg_session_stop(session);
	CU_ASSERT_EQUAL(csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)),
			-CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_session_next_of(session, 0, &batch, sizeof(batch)), -CSG_E_USAGE);
	CU_ASSERT(csg_session_owner_count(session) > 0);
	csg_session_close(session);
}

/* What `filter` leaves of the whole session, by the definition of csguest/filter.h. */
static struct sums filtered_afterwards(const struct csg_filter *filter)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct sums sums = {0};
	struct csg_batch batch;

	while (csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0) {
		const struct csg_source *source = csg_session_stream(session, batch.stream)->source;

		if (filter->cpu_count && source->cpu != filter->cpus[0])
			continue;
		if (filter->begin_time && (!batch.time || batch.time < filter->begin_time))
			continue;
		if (filter->end_time && (!batch.time || batch.time > filter->end_time))
			continue;
		for (size_t i = 0; i < batch.n; i++) {
			const struct csg_owner *o =
				csg_session_owner(session, batch.elements[i].owner);

			if (filter->worlds && !(filter->worlds & 1u << o->world))
				continue;
			if (filter->tid_count && o->tid != filter->tids[0])
				continue;
			add(&sums, &batch, &batch.elements[i]);
		}
	}
	csg_session_close(session);
	return sums;
}

/* Streams are numbered among those that are decoded: with all of them the same numbers. */
static void check_filter(const struct csg_filter *filter)
{
	struct csg_session *session = fixture_open(filter, 0);
	const struct sums expected = filtered_afterwards(filter);
	struct sums seen;

	CU_ASSERT_EQUAL(drain(session, CSG_ORDER_STREAM, &seen), 0);
	CU_ASSERT(seen.elements > 0);
	CU_ASSERT_EQUAL(seen.elements, expected.elements);
	CU_ASSERT_EQUAL(seen.instructions, expected.instructions);
	CU_ASSERT_EQUAL(seen.hash, expected.hash);
	csg_session_close(session);
}

/* A thread of the host that ran, and the time in the middle of the trace. */
static void look(int32_t *tid, uint64_t *time)
{
	struct csg_session *session = fixture_open(NULL, 0);
	uint64_t first = 0, last = 0;
	struct csg_batch batch;

	while (csg_session_next(session, CSG_ORDER_TIME, &batch, sizeof(batch)) > 0) {
		const struct csg_owner *o = csg_session_owner(session, batch.elements[0].owner);

		if (o->world == CSG_WORLD_HOST && o->tid > 0)
			*tid = o->tid;
		first = first ? first : batch.time;
		last = batch.time ? batch.time : last;
	}
	csg_session_close(session);
	*time = first + (last - first) / 2;
}

static void filtered_is_the_whole_filtered_afterwards(void)
{
	int32_t tid = 0, cpu = 0;
	struct csg_filter filter = {.size = sizeof(filter)};
	uint64_t middle;

	look(&tid, &middle);
	CU_ASSERT_FATAL(tid > 0 && middle > 0);
	filter.worlds = 1u << CSG_WORLD_GUEST;
	check_filter(&filter);
	filter = (struct csg_filter){.size = sizeof(filter), .tids = &tid, .tid_count = 1};
	check_filter(&filter);
	filter = (struct csg_filter){.size = sizeof(filter), .begin_time = middle};
	check_filter(&filter);
	filter = (struct csg_filter){.size = sizeof(filter), .end_time = middle};
	check_filter(&filter);
	filter = (struct csg_filter){.size = sizeof(filter), .cpus = &cpu, .cpu_count = 1};
	check_filter(&filter);
}

static void a_filter_that_leaves_no_stream_says_so(void)
{
	const int32_t cpu = 77;
	const struct csg_filter filter = {.size = sizeof(filter), .cpus = &cpu, .cpu_count = 1};
	const struct csg_session_options options = {.size = sizeof(options), .filter = &filter};
	struct csg_session *session;

	CU_ASSERT_EQUAL(csg_session_open(&session, RECORDING, &options), -CSG_E_NO_TRACE);
}

static void streams_pulled_one_by_one_are_the_same(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct sums whole, parts = {0};
	struct csg_batch batch;

	CU_ASSERT_EQUAL(drain(session, CSG_ORDER_STREAM, &whole), 0);
	csg_session_close(session);
	session = fixture_open(NULL, 0);
	for (uint32_t stream = 0; stream < csg_session_stream_count(session); stream++)
		while (csg_session_next_of(session, stream, &batch, sizeof(batch)) > 0)
			for (size_t i = 0; i < batch.n; i++)
				add(&parts, &batch, &batch.elements[i]);
	CU_ASSERT_EQUAL(parts.elements, whole.elements);
	CU_ASSERT_EQUAL(parts.instructions, whole.instructions);
	csg_session_close(session);
}

static void counted_ranges_add_up_to_the_ranges(void)
{
	struct csg_session *session = fixture_open(NULL, 0);
	struct sums sums;
	uint64_t counted = 0, reported = 0;
	struct csg_batch batch;

	CU_ASSERT_EQUAL(drain(session, CSG_ORDER_STREAM, &sums), 0);
	csg_session_close(session);
	session = fixture_open(NULL, CSG_SESSION_COUNTS);
	while (csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch)) > 0) {
		for (size_t i = 0; i < batch.n; i++) {
			const struct csg_element *e = &batch.elements[i];

			if (e->kind == CSG_ELEMENT_RANGE)
				counted += e->instructions;
			if (e->kind != CSG_ELEMENT_RANGES)
				continue;
			reported += e->timestamp;
			for (uint32_t j = 0; j < e->instructions; j++)
				counted += csg_execution_code(batch.executions[e->start + j])
						   ->instructions;
		}
	}
	CU_ASSERT(reported > 0);
	CU_ASSERT_EQUAL(counted, sums.instructions);
	csg_session_close(session);
}

static void missing_files_are_listed(void)
{
	const struct csg_session_options options = {.size = sizeof(options),
						    .flags = CSG_SESSION_NO_LOCAL_FILES};
	struct csg_session *session;
	size_t n;

	CU_ASSERT_EQUAL_FATAL(csg_session_open(&session, RECORDING, &options), 0);
	fixture_drain(session);
	n = csg_session_missing_count(session);
	CU_ASSERT_FATAL(n > 0);
	CU_ASSERT_EQUAL(csg_session_missing(session, 0)->size, sizeof(struct csg_missing));
	CU_ASSERT(csg_session_missing(session, 0)->count >=
		  csg_session_missing(session, n - 1)->count);
	CU_ASSERT_PTR_NULL(csg_session_missing(session, n));
	CU_ASSERT(csg_session_losses(session)->gaps[CSG_GAP_NO_CODE] > 0);
	csg_session_close(session);
}

CSG_SUITE(api, session, CSG_TEST(a_recording_opens_with_no_options_at_all),
	  CSG_TEST(files_that_were_read_are_listed), CSG_TEST(options_of_no_version_are_refused),
	  CSG_TEST(what_fails_is_reported_to_the_sink),
	  CSG_TEST(calls_that_make_no_sense_are_refused), CSG_TEST(the_order_may_not_change),
	  CSG_TEST(a_cancelled_session_ends), CSG_TEST(a_stopped_session_is_not_pulled),
	  CSG_TEST(filtered_is_the_whole_filtered_afterwards),
	  CSG_TEST(a_filter_that_leaves_no_stream_says_so),
	  CSG_TEST(streams_pulled_one_by_one_are_the_same),
	  CSG_TEST(counted_ranges_add_up_to_the_ranges), CSG_TEST(missing_files_are_listed));
