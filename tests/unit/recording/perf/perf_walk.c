/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_walk.h"

#include <fcntl.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct pb_dir dir;
	struct csg_recording *rec;
	struct csg_perf_state state;
	struct csg_input input;
	struct csg_perf_walk walk;
	struct pb_seen seen;
};

/* Walks the n bytes: of a file, or of a pipe. */
static int walk(struct made *made, const uint8_t *bytes, size_t n, bool pipe_mode)
{
	int fds[2], file;

	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	made->state.rec = made->rec;
	made->state.path = "f";
	made->state.file.pipe = pipe_mode;
	pb_attrs(&made->state.attrs);
	fds[0] = open(pb_write(&made->dir, "f", bytes, n), O_RDONLY);
	if (pipe_mode) {
		close(fds[0]);
		CU_ASSERT_EQUAL_FATAL(pipe(fds), 0);
		CU_ASSERT_EQUAL(write(fds[1], bytes, n), (ssize_t)n);
		close(fds[1]);
	}
	CU_ASSERT_EQUAL(csg_input_init(&made->input, fds[0]), 0);
	file = csg_store_add_file(made->rec, fds[0], "f", made->input.size);
	made->walk = (struct csg_perf_walk){
		.state = &made->state,
		.input = &made->input,
		.file = (uint32_t)file,
		.end = pipe_mode ? CSG_INPUT_ENDLESS : n,
	};
	return csg_perf_walk(&made->walk);
}

static void done(struct made *made)
{
	csg_input_fini(&made->input);
	csg_perf_state_fini(&made->state);
	csg_recording_close(made->rec);
	pb_dir_remove(&made->dir);
}

static void a_file_is_walked_past_its_trace(void)
{
	struct pb_file file = {0};
	struct made made;

	pb_small(&file);
	pb_comm(&file.data, 9, "last", 9000);
	CU_ASSERT_EQUAL(walk(&made, file.data.bytes, file.data.n, false), 0);
	CU_ASSERT_EQUAL(made.rec->events.n, 4);
	CU_ASSERT_EQUAL(made.state.aux.n_records, 2);
	CU_ASSERT_EQUAL_FATAL(made.state.aux.n_areas, 1);
	CU_ASSERT_EQUAL(made.state.aux.areas[0].cpu, 1);
	CU_ASSERT_EQUAL(file.data.bytes[made.state.aux.areas[0].at + 5], 5);
	CU_ASSERT_EQUAL(made.rec->n_files, 1);
	CU_ASSERT_EQUAL(made.seen.n, 0);
	done(&made);
	pb_file_free(&file);
}

static void a_pipes_trace_is_kept_elsewhere(void)
{
	struct pb_file file = {0};
	struct made made;
	uint8_t bytes[96];

	pb_small(&file);
	pb_auxtrace(&file.data, 64, 32, 1, (uint32_t)-1, 1);
	pb_comm(&file.data, 9, "last", 9000);
	CU_ASSERT_EQUAL(walk(&made, file.data.bytes, file.data.n, true), 0);
	CU_ASSERT_EQUAL(made.rec->events.n, 4);
	CU_ASSERT_EQUAL_FATAL(made.state.aux.n_areas, 2);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_files, 2);
	CU_ASSERT_EQUAL(made.state.aux.areas[1].file, 1);
	CU_ASSERT_EQUAL(made.state.aux.areas[1].at, 64);
	CU_ASSERT_EQUAL(pread(made.rec->files[1].fd, bytes, 96, 0), 96);
	for (int i = 0; i < 96; i++)
		CU_ASSERT_EQUAL(bytes[i], i);
	done(&made);
	pb_file_free(&file);
}

static void a_pipes_tracing_data_is_passed_over(void)
{
	struct pb pb = {0};
	struct made made;
	size_t at = pb_begin(&pb, CSG_PERF_RECORD_TRACING_DATA, 0);

	pb_u32(&pb, 13);
	pb_end(&pb, at);
	pb_zeros(&pb, 16);
	pb_comm(&pb, 9, "last", 9000);
	CU_ASSERT_EQUAL(walk(&made, pb.bytes, pb.n, true), 0);
	CU_ASSERT_EQUAL(made.rec->events.n, 1);
	done(&made);
	pb_free(&pb);
}

static void simpleperfs_large_records_are_passed_over(void)
{
	struct pb pb = {0};
	struct made made;

	pb_u32(&pb, 32769);
	pb_u16(&pb, 0x20);
	pb_u16(&pb, 8);
	pb_zeros(&pb, 0x200000);
	pb_comm(&pb, 9, "last", 9000);
	CU_ASSERT_EQUAL(walk(&made, pb.bytes, pb.n, false), 0);
	CU_ASSERT_EQUAL(made.rec->events.n, 1);
	done(&made);
	pb_free(&pb);
}

static void a_cut_at_any_byte_leaves_what_is_before(void)
{
	struct pb_file file = {0};
	size_t borders[16], n_borders = 0, whole = 0;

	pb_small(&file);
	for (size_t at = 0; at < file.data.n;) {
		uint16_t size;

		borders[n_borders++] = at;
		memcpy(&size, file.data.bytes + at + 6, 2);
		at += size + (file.data.bytes[at] == CSG_PERF_RECORD_AUXTRACE ? 64 : 0);
	}
	for (size_t n = 0; n <= file.data.n; n++) {
		for (int pipe_mode = 0; pipe_mode < 2; pipe_mode++) {
			struct made made;
			bool clean = n == file.data.n;

			for (whole = 0; whole < n_borders && borders[whole] <= n; whole++)
				clean |= borders[whole] == n;
			CU_ASSERT_EQUAL(walk(&made, file.data.bytes, n, pipe_mode),
					clean ? 0 : -CSG_E_TRUNCATED);
			CU_ASSERT_EQUAL(made.seen.warnings, clean ? 0 : 1);
			if (!clean)
				CU_ASSERT_EQUAL(made.seen.offset, borders[whole - 1]);
			if (n >= borders[5])
				CU_ASSERT_EQUAL(made.state.aux.n_records, n >= borders[6] ? 2 : 1);
			CU_ASSERT_EQUAL(made.state.aux.n_areas, n >= borders[6] + 48);
			done(&made);
		}
	}
	pb_file_free(&file);
}

static void a_record_without_a_size_ends_it(void)
{
	struct pb pb = {0};
	struct made made;
	size_t at;

	pb_comm(&pb, 9, "first", 9000);
	at = pb.n;
	pb_comm(&pb, 9, "bad", 9000);
	for (uint8_t size = 0; size < 8; size++) {
		pb.bytes[at + 6] = size;
		CU_ASSERT_EQUAL(walk(&made, pb.bytes, pb.n, false), -CSG_E_CORRUPT);
		CU_ASSERT_EQUAL(made.rec->events.n, 1);
		CU_ASSERT_EQUAL(made.seen.offset, at);
		done(&made);
	}
	pb_free(&pb);
}

static void an_area_larger_than_the_file_is_kept_and_ends_it(void)
{
	struct pb pb = {0};
	struct made made;
	uint64_t size = UINT64_MAX / 2;

	pb_auxtrace(&pb, 0, 64, 0, 0, 0);
	memcpy(pb.bytes + 8, &size, 8);
	CU_ASSERT_EQUAL(walk(&made, pb.bytes, pb.n, false), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(made.state.aux.n_areas, 1);
	done(&made);
	size = UINT64_MAX;
	memcpy(pb.bytes + 8, &size, 8);
	memcpy(pb.bytes + 16, &size, 8);
	CU_ASSERT_EQUAL(walk(&made, pb.bytes, pb.n, false), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(made.state.aux.n_areas, 0);
	done(&made);
	pb_free(&pb);
}

CSG_SUITE(recording_perf, perf_walk, CSG_TEST(a_file_is_walked_past_its_trace),
	  CSG_TEST(a_pipes_trace_is_kept_elsewhere), CSG_TEST(a_pipes_tracing_data_is_passed_over),
	  CSG_TEST(simpleperfs_large_records_are_passed_over),
	  CSG_TEST(a_cut_at_any_byte_leaves_what_is_before),
	  CSG_TEST(a_record_without_a_size_ends_it),
	  CSG_TEST(an_area_larger_than_the_file_is_kept_and_ends_it));
