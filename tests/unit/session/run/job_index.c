/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/job_index.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

#define CHUNKS 9
#define OWNERS 5

static struct csg_chunk at_1000 = {.position = 1000},
			on_2000 = {.position = 2000, .flags = CSG_CHUNK_CONTINUES};

/* --- jobs that are written --- */

static void add_segment(struct csg_job *job, uint64_t index, uint32_t owner, enum csg_gap gap)
{
	const struct csg_job_segment segment = {.index = index,
						.owner = owner,
						.gap = (uint8_t)gap,
						.lost = gap ? 12345 : 0,
						.at_context = owner == 1,
						.at_time = owner == 2,
						.guest_ran = owner == 3,
						.reset = gap != CSG_GAP_NONE};

	CU_ASSERT_EQUAL_FATAL(csg_job_add_segment(job, &segment), 0);
}

static void add_time(struct csg_job *job, uint64_t index, uint64_t time, uint64_t latest)
{
	CU_ASSERT_EQUAL_FATAL(csg_job_add_time(job, &(struct csg_job_time){index, time, latest}),
			      0);
}

static struct csg_job first_job(void)
{
	struct csg_job job = {.chunk = &at_1000,
			      .first = true,
			      .fresh = true,
			      .hold = true,
			      .end = 1500,
			      .bytes_lost = 3,
			      .start = {.possible = true}};

	add_segment(&job, 1000, 1, CSG_GAP_NONE);
	add_segment(&job, 990, 2, CSG_GAP_NONE);
	add_segment(&job, 1400, 3, CSG_GAP_BAD_PACKET);
	add_time(&job, 1010, 5000, 0);
	add_time(&job, 1020, 4000, 6000);
	CU_ASSERT_EQUAL_FATAL(csg_job_add_async(&job, 1100), 0);
	return job;
}

static struct csg_job second_job(void)
{
	return (struct csg_job){.chunk = &at_1000,
				.last = true,
				.end = UINT64_MAX,
				.bytes_lost = 3,
				.unsynced = 77};
}

static struct csg_job third_job(void)
{
	struct csg_job job = {.chunk = &on_2000,
			      .first = true,
			      .last = true,
			      .end = 3000,
			      .bytes_lost = 10,
			      .start = {.possible = true, .id = 0x12, .owner = 4}};

	CU_ASSERT_EQUAL_FATAL(csg_job_add_async(&job, 2500), 0);
	CU_ASSERT_EQUAL_FATAL(csg_job_add_async(&job, 2600), 0);
	return job;
}

static int append(void *pack, const void *bytes, size_t n)
{
	csg_pack_bytes(pack, bytes, n);
	return 0;
}

static void write_index(struct csg_pack *pack)
{
	struct csg_job_index_writer writer = {0};
	struct csg_pack_out out;
	struct csg_job jobs[] = {first_job(), second_job(), third_job()};

	*pack = (struct csg_pack){0};
	csg_job_index_add(&writer, &jobs[0], 2, 0);
	csg_job_index_date(&writer, 1010, 5001);
	csg_job_index_date(&writer, 1020, 0);
	csg_job_index_add(&writer, &jobs[1], 2, 5001);
	csg_job_index_date(&writer, 1600, 7000);
	csg_job_index_add(&writer, &jobs[2], 7, 7000);
	csg_job_index_end(&writer);
	csg_pack_out_init(&out, append, pack);
	csg_job_index_write(&writer, &out);
	CU_ASSERT(!writer.failed && !pack->failed);
	csg_job_index_writer_fini(&writer);
	for (int i = 0; i < 3; i++)
		csg_job_fini(&jobs[i]);
}

static int read_index(struct csg_job_index *index, const struct csg_pack *pack)
{
	struct csg_unpack unpack = {.at = pack->bytes, .end = pack->bytes + pack->n};
	int err = csg_job_index_read(index, &unpack, CHUNKS, OWNERS);

	return err ? err : csg_unpack_end(&unpack);
}

/* --- what is read --- */

static bool same_lists(const struct csg_job *a, const struct csg_job *b)
{
	bool same = a->segments.n == b->segments.n && a->times.n == b->times.n &&
		    a->asyncs.n == b->asyncs.n;

	for (size_t i = 0; same && i < a->segments.n; i++) {
		const struct csg_job_segment *x = &a->segments.at[i], *y = &b->segments.at[i];

		same = x->index == y->index && x->lost == y->lost && x->owner == y->owner &&
		       x->gap == y->gap && x->at_context == y->at_context &&
		       x->at_time == y->at_time && x->reset == y->reset &&
		       x->guest_ran == y->guest_ran;
	}
	for (size_t i = 0; same && i < a->times.n; i++)
		same = a->times.at[i].index == b->times.at[i].index &&
		       a->times.at[i].time == b->times.at[i].time &&
		       a->times.at[i].latest == b->times.at[i].latest;
	for (size_t i = 0; same && i < a->asyncs.n; i++)
		same = a->asyncs.at[i] == b->asyncs.at[i];
	return same;
}

static void jobs_are_read_as_they_were(void)
{
	struct csg_pack pack;
	struct csg_job_index index;
	struct csg_job was = first_job(), job = {.chunk = &at_1000, .first = true, .fresh = true};
	struct csg_job_cursor cursor = {.index = &index};

	write_index(&pack);
	CU_ASSERT_EQUAL_FATAL(read_index(&index, &pack), 0);
	CU_ASSERT_EQUAL(index.count, 2);
	CU_ASSERT_EQUAL_FATAL(csg_job_cursor_begin(&cursor, 2, &job), 0);
	CU_ASSERT(same_lists(&job, &was));
	CU_ASSERT(job.hold && !job.last);
	CU_ASSERT_EQUAL(job.end, 1500);
	CU_ASSERT_EQUAL(job.bytes_lost, 3);
	CU_ASSERT_EQUAL(csg_job_date_of(&job, 1010), 5001);
	CU_ASSERT_EQUAL(csg_job_date_of(&job, 1020), 0);
	csg_job_clear(&job);
	CU_ASSERT_EQUAL_FATAL(csg_job_cursor_next(&cursor, &job), 0);
	CU_ASSERT(job.last && !job.hold);
	CU_ASSERT_EQUAL(job.end, UINT64_MAX);
	CU_ASSERT_EQUAL(job.unsynced, 77);
	CU_ASSERT_EQUAL(csg_job_date_of(&job, 1600), 7000);
	CU_ASSERT_EQUAL(csg_job_cursor_next(&cursor, &job), -CSG_E_CORRUPT);
	csg_job_fini(&job);
	csg_job_fini(&was);
	csg_job_index_fini(&index);
	csg_pack_fini(&pack);
}

static void decoding_can_start_amid(void)
{
	struct csg_pack pack;
	struct csg_job_index index;
	struct csg_job job = {.chunk = &on_2000, .first = true, .fresh = true};
	struct csg_job_cursor cursor = {.index = &index};

	write_index(&pack);
	CU_ASSERT_EQUAL_FATAL(read_index(&index, &pack), 0);
	CU_ASSERT_PTR_NULL(csg_job_index_block(&index, 3));
	CU_ASSERT_EQUAL(csg_job_index_block(&index, 7)->asyncs, 2);
	CU_ASSERT_EQUAL(csg_job_index_block(&index, 7)->dates, 0);
	CU_ASSERT_EQUAL(csg_job_index_block(&index, 2)->dates, 2);
	CU_ASSERT_EQUAL_FATAL(csg_job_cursor_begin(&cursor, 7, &job), 0);
	CU_ASSERT_EQUAL_FATAL(job.segments.n, 1);
	CU_ASSERT_EQUAL(job.segments.at[0].index, 2000);
	CU_ASSERT_EQUAL(job.segments.at[0].owner, 4);
	CU_ASSERT_EQUAL(job.start.id, 0x12);
	CU_ASSERT_EQUAL(job.start.dated, 7000);
	CU_ASSERT_EQUAL(job.bytes_lost, 7);
	csg_job_fini(&job);
	/* Where the chunk before it was decoded, it goes on. */
	job = (struct csg_job){.chunk = &on_2000, .first = true};
	CU_ASSERT_EQUAL_FATAL(csg_job_cursor_begin(&cursor, 7, &job), 0);
	CU_ASSERT_EQUAL(job.segments.n, 0);
	CU_ASSERT_EQUAL(csg_job_cursor_begin(&cursor, 3, &job), -CSG_E_CORRUPT);
	csg_job_fini(&job);
	csg_job_index_fini(&index);
	csg_pack_fini(&pack);
}

/* Whatever a byte of it becomes, it is refused, or read without harm. */
static void read_all(const struct csg_job_index *index)
{
	static const struct csg_chunk *const chunks[CHUNKS] = {[2] = &at_1000, [7] = &on_2000};
	struct csg_job_cursor cursor = {.index = index};

	for (size_t i = 0; i < index->count; i++) {
		const uint64_t number = index->blocks[i].chunk;
		struct csg_job job = {.chunk = chunks[number], .first = true, .fresh = true};
		int err = job.chunk ? csg_job_cursor_begin(&cursor, number, &job) : -CSG_E_CORRUPT;

		for (; !err && !job.last; err = csg_job_cursor_next(&cursor, &job)) {
			for (size_t k = 0; k < job.segments.n; k++)
				CU_ASSERT_FATAL(job.segments.at[k].owner < OWNERS &&
						job.segments.at[k].gap < CSG_GAP_COUNT);
			csg_job_clear(&job);
		}
		csg_job_fini(&job);
	}
}

static void damage_is_found_or_does_no_harm(void)
{
	struct csg_pack pack;
	struct csg_job_index index;

	write_index(&pack);
	for (size_t i = 0; i < pack.n; i++)
		for (int bit = 0; bit < 8; bit++) {
			pack.bytes[i] ^= (uint8_t)(1 << bit);
			if (!read_index(&index, &pack))
				read_all(&index);
			csg_job_index_fini(&index);
			pack.bytes[i] ^= (uint8_t)(1 << bit);
		}
	for (size_t n = 0; n < pack.n; n++) {
		const struct csg_pack cut = {.bytes = pack.bytes, .n = n};

		CU_ASSERT_EQUAL(read_index(&index, &cut), -CSG_E_CORRUPT);
		csg_job_index_fini(&index);
	}
	csg_pack_fini(&pack);
}

static void owners_and_chunks_have_limits(void)
{
	struct csg_pack pack;
	struct csg_job_index index;
	struct csg_unpack unpack;

	write_index(&pack);
	unpack = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	CU_ASSERT_EQUAL(csg_job_index_read(&index, &unpack, 7, OWNERS), -CSG_E_CORRUPT);
	csg_job_index_fini(&index);
	unpack = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	CU_ASSERT_EQUAL(csg_job_index_read(&index, &unpack, CHUNKS, 4), -CSG_E_CORRUPT);
	csg_job_index_fini(&index);
	csg_pack_fini(&pack);
}

CSG_SUITE(session_run, job_index, CSG_TEST(jobs_are_read_as_they_were),
	  CSG_TEST(decoding_can_start_amid), CSG_TEST(damage_is_found_or_does_no_harm),
	  CSG_TEST(owners_and_chunks_have_limits));
