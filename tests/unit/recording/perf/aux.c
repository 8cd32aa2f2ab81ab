/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/aux.h"

#include <fcntl.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct csg_aux aux;
	struct pb_seen seen;
};

/* A file whose first 12 bytes are an A-Sync, and further on nothing. */
static void begin(struct made *made)
{
	uint8_t bytes[4096] = {[11] = 0x80, [256] = 0x21};
	int fd;

	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
	fd = open(pb_write(&made->dir, "f", bytes, sizeof(bytes)), O_RDONLY);
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	CU_ASSERT_EQUAL(csg_store_add_file(made->rec, fd, "f", sizeof(bytes)), 0);
}

static void end(struct made *made)
{
	csg_aux_fini(&made->aux);
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static void area(struct made *made, uint32_t queue, int32_t cpu, uint64_t offset, uint64_t size,
		 uint64_t at)
{
	struct csg_aux_area new = {.queue = queue,
				   .cpu = cpu,
				   .tid = cpu == -1 ? 7 : -1,
				   .offset = offset,
				   .size = size,
				   .at = at};

	CU_ASSERT_EQUAL(csg_aux_add_area(&made->aux, &new), 0);
}

static void record(struct made *made, int32_t cpu, uint64_t offset, uint64_t size, uint64_t flags,
		   uint64_t time)
{
	struct csg_aux_record new = {.cpu = cpu,
				     .pid = 6,
				     .tid = 7,
				     .offset = offset,
				     .size = size,
				     .flags = flags,
				     .time = time};

	CU_ASSERT_EQUAL(csg_aux_add_record(&made->aux, &new), 0);
}

static const struct csg_chunk *make(struct made *made, size_t n)
{
	CU_ASSERT_EQUAL(csg_aux_make_chunks(&made->aux, made->rec, "f"), 0);
	CU_ASSERT_EQUAL_FATAL(made->rec->n_chunks, n);
	return made->rec->chunks;
}

static void the_first_chunk_of_a_cpu_began_when_its_tracing_did(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 64, 0x100);
	area(&made, 1, 1, 0, 64, 0x200);
	record(&made, 0, 0, 32, 0, 30);
	record(&made, 0, 32, 32, 0, 40);
	record(&made, 1, 0, 64, 0, 50);
	csg_aux_add_start(&made.aux, 0, 20);
	csg_aux_add_start(&made.aux, 0, 25); /* another event of that CPU */
	chunks = make(&made, 3);
	CU_ASSERT_EQUAL(chunks[0].begin_time, 20);
	CU_ASSERT_EQUAL(chunks[1].begin_time, 30);
	CU_ASSERT_EQUAL(chunks[2].begin_time, 0);
	end(&made);
}

/* Of which the record was lost; what is recorded after it is not older than what came before. */
static void a_chunk_without_a_record_hides_no_time_before_it(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 96, 0x100);
	record(&made, 0, 0, 32, 0, 30);
	record(&made, 0, 64, 32, 0, 50);
	chunks = make(&made, 3);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_UNBOUND);
	CU_ASSERT_EQUAL(chunks[1].begin_time, 30);
	CU_ASSERT_EQUAL(chunks[1].time, 0);
	CU_ASSERT_EQUAL(chunks[2].begin_time, 30);
	CU_ASSERT_EQUAL(chunks[2].time, 50);
	end(&made);
}

static void chunks_come_by_queue_and_then_in_order(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 2, 2, 0, 64, 0x100);
	area(&made, 0, 0, 0, 32, 0x200);
	area(&made, 0, 0, 32, 32, 0x300);
	record(&made, 2, 0, 64, CSG_AUX_FORMAT_RAW, 50);
	record(&made, 0, 32, 32, 0, 40);
	record(&made, 0, 0, 32, 0, 30);
	chunks = make(&made, 3);
	CU_ASSERT_EQUAL(chunks[0].queue, 0);
	CU_ASSERT_EQUAL(chunks[0].time, 30);
	CU_ASSERT_EQUAL(chunks[0].begin_time, 0);
	CU_ASSERT_EQUAL(chunks[0].flags, 0);
	CU_ASSERT_EQUAL(made.rec->extents[chunks[0].id].offset, 0x200);
	CU_ASSERT_EQUAL(chunks[1].position, 32);
	CU_ASSERT_EQUAL(chunks[1].begin_time, 30);
	CU_ASSERT_EQUAL(chunks[1].flags, 0);
	CU_ASSERT_EQUAL(chunks[1].framing, CSG_FRAMES);
	CU_ASSERT_EQUAL(made.rec->extents[chunks[1].id].offset, 0x300);
	CU_ASSERT_EQUAL(chunks[2].queue, 2);
	CU_ASSERT_EQUAL(chunks[2].framing, CSG_RAW);
	CU_ASSERT_EQUAL(chunks[2].cpu, 2);
	CU_ASSERT_EQUAL(chunks[2].tid, -1);
	end(&made);
}

static void flags_and_breaks_are_reported(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 32, 0x100);
	area(&made, 0, 0, 64, 64, 0x120);
	record(&made, 0, 0, 32, CSG_AUX_TRUNCATED, 30);
	record(&made, 0, 64, 64, CSG_AUX_COLLISION | CSG_AUX_PARTIAL, 40);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].flags, CSG_CHUNK_TRUNCATED);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_GAP | CSG_CHUNK_COLLISION | CSG_CHUNK_PARTIAL);
	end(&made);
}

static void a_record_across_areas_is_two_chunks_without_a_break(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 32, 0x100);
	area(&made, 0, 0, 32, 32, 0x200);
	record(&made, 0, 0, 64, 0, 30);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].flags, 0);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_CONTINUES);
	CU_ASSERT_EQUAL(chunks[1].begin_time, chunks[0].begin_time);
	CU_ASSERT_EQUAL(chunks[1].time, 30);
	CU_ASSERT_EQUAL(made.rec->extents[chunks[1].id].offset, 0x200);
	end(&made);
}

static void only_what_follows_goes_on(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 32, 0x100);
	area(&made, 1, 0, 32, 32, 0x200); /* another queue */
	record(&made, 0, 0, 64, 0, 30);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[1].queue, 1);
	CU_ASSERT_EQUAL(chunks[1].flags, 0);
	end(&made);
	begin(&made);
	area(&made, 0, 0, 0, 32, 0x100);
	area(&made, 0, 0, 32, 32, 0x200);
	record(&made, 0, 0, 32, 0, 30);
	record(&made, 0, 16, 48, 0, 30); /* its first part is taken */
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[1].position, 32);
	CU_ASSERT_EQUAL(chunks[1].flags, 0);
	end(&made);
}

static void threads_buffers_name_their_thread(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 3, -1, 0, 64, 0x100);
	record(&made, 5, 0, 64, CSG_AUX_FORMAT_RAW, 30);
	chunks = make(&made, 1);
	CU_ASSERT_EQUAL(chunks[0].cpu, 5);
	CU_ASSERT_EQUAL(chunks[0].pid, 6);
	CU_ASSERT_EQUAL(chunks[0].tid, 7);
	end(&made);
}

static void bytes_without_an_aux_record_are_unbound(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 100, 0x100);
	area(&made, 0, 0, 100, 32, 0x200);
	record(&made, 0, 32, 32, CSG_AUX_FORMAT_RAW, 30);
	chunks = make(&made, 4);
	CU_ASSERT_EQUAL(chunks[0].flags, CSG_CHUNK_UNBOUND);
	CU_ASSERT_EQUAL(chunks[0].bytes, 32);
	CU_ASSERT_EQUAL(chunks[1].flags, 0);
	CU_ASSERT_EQUAL(chunks[2].position, 64);
	CU_ASSERT_EQUAL(chunks[2].bytes, 36);
	CU_ASSERT_EQUAL(chunks[2].flags, CSG_CHUNK_UNBOUND);
	CU_ASSERT_EQUAL(chunks[2].framing, CSG_RAW);
	CU_ASSERT_EQUAL(chunks[2].cpu, 0);
	CU_ASSERT_EQUAL(chunks[3].position, 100);
	end(&made);
}

static void bytes_that_begin_with_an_a_sync_are_raw(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 64, 0);
	area(&made, 1, 1, 0, 64, 0x100);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].framing, CSG_RAW);
	CU_ASSERT_EQUAL(chunks[1].framing, CSG_FRAMES);
	end(&made);
}

static void padding_is_not_left_over(void)
{
	struct made made;

	begin(&made);
	area(&made, 0, 0, 0, 56, 0x100);
	record(&made, 0, 0, 50, CSG_AUX_FORMAT_RAW, 30);
	make(&made, 1);
	end(&made);
}

static void leftovers_of_snapshots_are_not_trace(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 1024, 0x100);
	record(&made, 0, 1024, 512, CSG_AUX_OVERWRITE, 30);
	chunks = make(&made, 1);
	CU_ASSERT_EQUAL(chunks[0].flags, CSG_CHUNK_OVERWRITE);
	CU_ASSERT_EQUAL(chunks[0].position, 512);
	end(&made);
}

/* The second snapshot holds the last half of the first one's bytes again, and its AUX record says
 * so. */
static void snapshots_that_overlap_are_one_trace(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 1024, 0x100);
	area(&made, 0, 0, 512, 1024, 0x500);
	record(&made, 0, 1024, 1024, CSG_AUX_OVERWRITE, 30);
	record(&made, 0, 1536, 1024, CSG_AUX_OVERWRITE, 40);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[0].position, 0);
	CU_ASSERT_EQUAL(chunks[0].bytes, 1024);
	CU_ASSERT_EQUAL(chunks[1].position, 1024);
	CU_ASSERT_EQUAL(chunks[1].bytes, 512);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_OVERWRITE | CSG_CHUNK_CONTINUES);
	end(&made);
}

/* What was overwritten before it could be read is missing. */
static void snapshots_that_do_not_reach_each_other_are_two(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 1024, 0x100);
	area(&made, 0, 0, 2048, 1024, 0x500);
	record(&made, 0, 1024, 1024, CSG_AUX_OVERWRITE, 30);
	record(&made, 0, 3072, 1024, CSG_AUX_OVERWRITE, 40);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[1].position, 2048);
	CU_ASSERT_EQUAL(chunks[1].flags, CSG_CHUNK_OVERWRITE | CSG_CHUNK_GAP);
	end(&made);
}

static void bytes_are_given_out_once(void)
{
	struct made made;
	const struct csg_chunk *chunks;

	begin(&made);
	area(&made, 0, 0, 0, 64, 0x100);
	record(&made, 0, 0, 48, 0, 30);
	record(&made, 0, 0, 48, 0, 31);
	record(&made, 0, 32, 32, 0, 32);
	chunks = make(&made, 2);
	CU_ASSERT_EQUAL(chunks[1].position, 48);
	CU_ASSERT_EQUAL(chunks[1].bytes, 16);
	CU_ASSERT_EQUAL(made.rec->extents[chunks[1].id].offset, 0x130);
	end(&made);
}

static void missing_trace_is_reported_once(void)
{
	struct made made;

	begin(&made);
	area(&made, 0, 0, 0, 64, 0x100);
	record(&made, 0, 0, 64, 0, 30);
	record(&made, 0, 1000, 5, 0, 31);
	record(&made, 0, 2000, 6, 0, 32);
	make(&made, 1);
	CU_ASSERT_EQUAL(made.seen.n, 1);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(made.seen.text, "2 AUX records (11 bytes)"));
	end(&made);
}

CSG_SUITE(recording_perf, aux, CSG_TEST(a_chunk_without_a_record_hides_no_time_before_it),
	  CSG_TEST(chunks_come_by_queue_and_then_in_order),
	  CSG_TEST(the_first_chunk_of_a_cpu_began_when_its_tracing_did),
	  CSG_TEST(flags_and_breaks_are_reported),
	  CSG_TEST(a_record_across_areas_is_two_chunks_without_a_break),
	  CSG_TEST(only_what_follows_goes_on), CSG_TEST(threads_buffers_name_their_thread),
	  CSG_TEST(bytes_without_an_aux_record_are_unbound),
	  CSG_TEST(bytes_that_begin_with_an_a_sync_are_raw), CSG_TEST(padding_is_not_left_over),
	  CSG_TEST(leftovers_of_snapshots_are_not_trace),
	  CSG_TEST(snapshots_that_overlap_are_one_trace),
	  CSG_TEST(snapshots_that_do_not_reach_each_other_are_two),
	  CSG_TEST(bytes_are_given_out_once), CSG_TEST(missing_trace_is_reported_once));
