/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/aux_samples.h"

#include <fcntl.h>

#include "csguest/error.h"
#include "recording/perf/aux.h"
#include "recording/perf_bytes.h"
#include "recording/recording.h"
#include "suite.h"

#define BYTES 4096

struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct csg_aux aux;
	struct pb_seen seen;
	uint8_t bytes[BYTES];
};

/* A file of raw trace: an A-Sync at 1000 and 2000, no long zeros elsewhere. */
static void fill(struct made *made)
{
	uint32_t state = 3;

	for (size_t i = 0; i < BYTES; i++) {
		state = state * 1103515245 + 12345;
		made->bytes[i] = (uint8_t)(state >> 16) | 1;
	}
	for (size_t at = 1000; at <= 2000; at += 1000) {
		memset(made->bytes + at, 0, 11);
		made->bytes[at + 11] = 0x80;
	}
}

static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	fill(made);
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	pb_dir_make(&made->dir);
}

/* The file has the bytes as they are now. */
static void write_file(struct made *made)
{
	int fd = open(pb_write(&made->dir, "f", made->bytes, BYTES), O_RDONLY);

	CU_ASSERT_EQUAL(csg_store_add_file(made->rec, fd, "f", BYTES), 0);
}

static void end(struct made *made)
{
	csg_aux_fini(&made->aux);
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static void sample_of(struct made *made, int32_t cpu, int32_t tid, uint64_t time, uint64_t at,
		      uint32_t size)
{
	struct csg_aux_sample new = {
		.cpu = cpu, .pid = 6, .tid = tid, .time = time, .at = at, .size = size};

	CU_ASSERT_EQUAL(csg_aux_samples_add(&made->aux, &new), 0);
}

static void sample(struct made *made, int32_t cpu, uint64_t time, uint64_t at, uint32_t size)
{
	sample_of(made, cpu, 7, time, at, size);
}

static const struct csg_chunk *make(struct made *made, size_t n)
{
	const struct csg_trace_id_set known = {{1u << 0x10, 0}};

	CU_ASSERT_EQUAL(csg_aux_samples_place(&made->aux, made->rec, &known, "f"), 0);
	CU_ASSERT_EQUAL(csg_aux_make_chunks(&made->aux, made->rec, "f"), 0);
	CU_ASSERT_EQUAL_FATAL(made->rec->n_chunks, n);
	return made->rec->chunks;
}

static uint64_t begins_at(const struct made *made, const struct csg_chunk *chunk)
{
	return made->rec->extents[chunk->id].offset;
}

static void each_sample_is_a_chunk_of_its_cpu_with_its_time(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	write_file(&made);
	sample(&made, 1, 50, 0, 200);
	sample(&made, 0, 40, 600, 200);
	sample(&made, 0, 30, 300, 200);
	csg_aux_add_start(&made.aux, 0, 20);
	chunks = make(&made, 3);
	CU_ASSERT_EQUAL(chunks[0].queue, 0);
	CU_ASSERT_EQUAL(chunks[0].cpu, 0);
	CU_ASSERT_EQUAL(chunks[0].time, 30);
	CU_ASSERT_EQUAL(chunks[0].flags, CSG_CHUNK_SAMPLE);
	CU_ASSERT_EQUAL(chunks[0].framing, CSG_RAW);
	CU_ASSERT_EQUAL(begins_at(&made, &chunks[0]), 300);
	CU_ASSERT_EQUAL(chunks[1].time, 40);
	CU_ASSERT_EQUAL(chunks[1].begin_time,
			20); /* not 30: nothing proves that it is all younger */
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_SAMPLE | CSG_CHUNK_GAP);
	CU_ASSERT_EQUAL(chunks[2].queue, 1);
	CU_ASSERT_EQUAL(chunks[2].begin_time, 0);
	CU_ASSERT_EQUAL(made.seen.n, 0);
	end(&made);
}

static void samples_that_overlap_are_divided_at_an_a_sync(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	write_file(&made);
	sample(&made, 0, 30, 500, 2000);
	sample(&made, 0, 40, 900, 2000);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].bytes, 1500);
	CU_ASSERT_EQUAL(begins_at(&made, &chunks[1]), 2000);
	CU_ASSERT_EQUAL(chunks[1].bytes, 900);
	CU_ASSERT_EQUAL(chunks[1].position, chunks[0].position + 1500);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_SAMPLE);
	end(&made);
}

static void without_an_a_sync_the_second_one_begins_where_the_first_one_ends(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	write_file(&made);
	sample(&made, 0, 30, 2100, 200);
	sample(&made, 0, 40, 2200, 300);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].bytes, 200);
	CU_ASSERT_EQUAL(begins_at(&made, &chunks[1]), 2300);
	CU_ASSERT_EQUAL(chunks[1].bytes, 200);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_SAMPLE);
	end(&made);
}

static void an_a_sync_from_before_the_first_one_divides_nothing(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	write_file(&made);
	sample(&made, 0, 30, 1100, 200);
	sample(&made, 0, 40, 900, 600);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].bytes, 200);
	CU_ASSERT_EQUAL(begins_at(&made, &chunks[1]), 1300);
	CU_ASSERT_EQUAL(chunks[1].bytes, 200);
	end(&made);
}

/* Its last 3 bytes are no trace. */
static void padding_at_the_end_of_the_first_one_is_cut_off(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	memcpy(made.bytes + 3000, made.bytes + 2100, 400);
	memset(made.bytes + 2297, 0, 3);
	write_file(&made);
	sample(&made, 0, 30, 2100, 200);
	sample(&made, 0, 40, 3100, 300);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].bytes, 197);
	CU_ASSERT_EQUAL(begins_at(&made, &chunks[1]), 3197);
	CU_ASSERT_EQUAL(chunks[1].position, chunks[0].position + 197);
	end(&made);
}

/* Frames name no ID but that of a unit, none, or a reserved one: every even byte is even, but for
 * that. */
static void write_frames(struct made *made)
{
	for (size_t i = 1000; i < 1200; i += 2)
		made->bytes[i] &= 0xfe;
	made->bytes[1016] = 0x21;
	made->bytes[1032] = 0x01;
	made->bytes[1048] = 0xff;
	write_file(made);
}

static void frames_are_recognised_wherever_they_are_cut(void)
{
	for (uint32_t cut = 0; cut < 16; cut++) {
		struct made made;
		const struct csg_chunk *chunks;

		begin(&made);
		write_frames(&made);
		sample(&made, 0, 30, 1008 - cut, 160 + cut);
		chunks = make(&made, 1);
		CU_ASSERT_EQUAL(chunks[0].framing, CSG_FRAMES);
		CU_ASSERT_EQUAL(begins_at(&made, &chunks[0]), 1008);
		CU_ASSERT_EQUAL(chunks[0].bytes, 160);
		end(&made);
	}
}

static void few_bytes_or_few_samples_prove_no_frames(void)
{
	struct made made;

	begin(&made);
	write_frames(&made);
	sample(&made, 0, 30, 1008, 48);
	CU_ASSERT_EQUAL(make(&made, 1)->framing, CSG_RAW);
	end(&made);
	begin(&made);
	write_frames(&made);
	sample(&made, 0, 30, 1008, 160);
	sample(&made, 0, 40, 2100, 160);
	sample(&made, 0, 50, 3100, 160);
	CU_ASSERT_EQUAL(make(&made, 3)->framing, CSG_RAW);
	end(&made);
}

static void aux_records_say_how_it_is_framed_and_are_no_trace(void)
{
	const struct csg_aux_record record = {.cpu = 0, .offset = 4096, .size = 64};
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	write_file(&made);
	sample(&made, 0, 30, 0, 128);
	CU_ASSERT_EQUAL(csg_aux_add_record(&made.aux, &record), 0);
	chunks = make(&made, 1);
	CU_ASSERT_EQUAL(chunks[0].framing, CSG_FRAMES);
	CU_ASSERT_EQUAL(made.seen.n, 0);
	end(&made);
}

static void a_threads_samples_are_its_own(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	write_file(&made);
	sample_of(&made, -1, 7, 30, 0, 128);
	sample_of(&made, -1, 8, 40, 364, 128); /* the same bytes, of another buffer */
	sample_of(&made, -1, 7, 50, 300, 128);
	chunks = make(&made, 3);
	CU_ASSERT_EQUAL(chunks[0].tid, 7);
	CU_ASSERT_EQUAL(chunks[0].cpu, -1);
	CU_ASSERT_EQUAL(chunks[1].tid, 7);
	CU_ASSERT_EQUAL(chunks[1].time, 50);
	CU_ASSERT_EQUAL(chunks[2].tid, 8);
	CU_ASSERT_EQUAL(chunks[2].bytes, 128);
	end(&made);
}

static void a_recording_with_areas_keeps_them(void)
{
	const struct csg_aux_area area = {.size = 64};
	const struct csg_trace_id_set known = {{0}};
	struct made made;

	begin(&made);
	write_file(&made);
	CU_ASSERT_EQUAL(csg_aux_add_area(&made.aux, &area), 0);
	sample(&made, 0, 30, 0, 128);
	CU_ASSERT_EQUAL(csg_aux_samples_place(&made.aux, made.rec, &known, "f"), 0);
	CU_ASSERT_EQUAL(made.aux.n_areas, 1);
	end(&made);
}

static void what_cannot_be_read_is_an_error(void)
{
	const struct csg_trace_id_set known = {{0}};
	struct made made;

	begin(&made);
	write_file(&made);
	sample(&made, 0, 30, BYTES - 10, 128);
	CU_ASSERT_EQUAL(csg_aux_samples_place(&made.aux, made.rec, &known, "f"), -CSG_E_IO);
	CU_ASSERT_EQUAL(made.seen.n, 1);
	end(&made);
}

CSG_SUITE(recording_perf, aux_samples, CSG_TEST(each_sample_is_a_chunk_of_its_cpu_with_its_time),
	  CSG_TEST(samples_that_overlap_are_divided_at_an_a_sync),
	  CSG_TEST(without_an_a_sync_the_second_one_begins_where_the_first_one_ends),
	  CSG_TEST(an_a_sync_from_before_the_first_one_divides_nothing),
	  CSG_TEST(padding_at_the_end_of_the_first_one_is_cut_off),
	  CSG_TEST(frames_are_recognised_wherever_they_are_cut),
	  CSG_TEST(few_bytes_or_few_samples_prove_no_frames),
	  CSG_TEST(aux_records_say_how_it_is_framed_and_are_no_trace),
	  CSG_TEST(a_threads_samples_are_its_own), CSG_TEST(a_recording_with_areas_keeps_them),
	  CSG_TEST(what_cannot_be_read_is_an_error));
