/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_data.h"
#include "recording/recording.h"

#include <fcntl.h>
#include <zstd.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct pb_dir dir;
	struct pb_file file;
	struct csg_recording *rec;
	struct pb_seen seen;
	struct csg_recording_setup options;
};

static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	pb_dir_make(&made->dir);
}

static void end(struct made *made)
{
	csg_recording_close(made->rec);
	pb_file_free(&made->file);
	pb_dir_remove(&made->dir);
}

static int open_path(struct made *made, const char *path)
{
	struct csg_diag_sink sink = {pb_see, &made->seen};

	csg_recording_close(made->rec);
	memset(&made->seen, 0, sizeof(made->seen));
	return csg_recording_load(&made->rec, path, &made->options, &sink);
}

static int open_bytes(struct made *made, const struct pb *bytes)
{
	return open_path(made, pb_write(&made->dir, "perf.data", bytes->bytes, bytes->n));
}

static int open_file(struct made *made)
{
	struct pb bytes = pb_file_bytes(&made->file);
	int ret = open_bytes(made, &bytes);

	pb_free(&bytes);
	return ret;
}

/* Do the chunks hold the bytes that pb_small() has, and the four sources it means? */
static void check_small(const struct made *made)
{
	struct csg_window *window;
	const uint8_t *bytes;
	size_t n, len = 100;
	const struct csg_chunk *chunks = csg_recording_chunks(made->rec, &n);

	CU_ASSERT_EQUAL_FATAL(n, 2);
	CU_ASSERT_EQUAL(chunks[1].position, 32);
	CU_ASSERT_EQUAL(chunks[1].flags, 0);
	CU_ASSERT_EQUAL_FATAL(csg_window_create(&window, made->rec), 0);
	CU_ASSERT_EQUAL(csg_window_read(window, &chunks[1], 3, &bytes, &len), 0);
	CU_ASSERT_EQUAL(len, 29);
	CU_ASSERT_EQUAL(bytes[0], 35);
	csg_window_destroy(window);
	csg_recording_sources(made->rec, &n);
	CU_ASSERT_EQUAL(n, PB_CPUS);
}

static int count(void *arg, const struct csg_event *event)
{
	(void)event;
	++*(int *)arg;
	return 0;
}

static int events(const struct made *made)
{
	int n = 0;

	CU_ASSERT_EQUAL(csg_recording_events(made->rec, UINT32_MAX, count, &n), 0);
	return n;
}

static void a_file_is_read(void)
{
	struct made made;
	const struct csg_recording_info *info;

	begin(&made);
	pb_small(&made.file);
	pb_feature_text(pb_feature(&made.file, CSG_PERF_ARCH), "aarch64");
	CU_ASSERT_EQUAL_FATAL(open_file(&made), 0);
	check_small(&made);
	info = csg_recording_info(made.rec);
	CU_ASSERT_EQUAL(made.seen.n, 0);
	CU_ASSERT_EQUAL(events(&made), 3);
	CU_ASSERT_EQUAL(info->kind, CSG_RECORDING_PERF);
	CU_ASSERT(info->linux_host && info->exclude_guest && !info->exclude_host);
	CU_ASSERT(info->has_mmap2 && !info->pipe && !info->per_thread);
	CU_ASSERT_EQUAL(info->first_time, 2000);
	CU_ASSERT_EQUAL(csg_recording_damage(made.rec), 0);
	end(&made);
}

/* The same recording as perf record -o - writes it. */
static struct pb piped(void)
{
	struct pb_file file = {0};
	struct pb pb = {0};

	pb_put(&pb, "PERFILE2", 8);
	pb_u64(&pb, 16);
	for (uint32_t attr = 0; attr < 2; attr++) {
		size_t at = pb_begin(&pb, CSG_PERF_RECORD_HEADER_ATTR, 0);

		pb_attr(&pb, attr ? 1 : PB_PMU, 136, PB_SAMPLE_TYPE, CSG_ATTR_SAMPLE_ID_ALL);
		for (uint32_t cpu = 0; cpu < PB_CPUS; cpu++)
			pb_u64(&pb, attr ? PB_DUMMY_ID(cpu) : PB_ETM_ID(cpu));
		pb_end(&pb, at);
	}
	pb_small(&file);
	pb_put(&pb, file.data.bytes, file.data.n);
	pb_file_free(&file);
	return pb;
}

static void a_pipe_in_a_file_is_read(void)
{
	struct made made;
	struct pb pb = piped();

	begin(&made);
	CU_ASSERT_EQUAL_FATAL(open_bytes(&made, &pb), 0);
	check_small(&made);
	CU_ASSERT_EQUAL(events(&made), 3);
	CU_ASSERT(csg_recording_info(made.rec)->pipe);
	CU_ASSERT_EQUAL(made.rec->n_files, 1);
	pb_free(&pb);
	end(&made);
}

static void standard_input_is_read(void)
{
	struct made made;
	struct pb pb = piped();
	int fds[2], was = dup(STDIN_FILENO);

	begin(&made);
	made.options.tmpdir = made.dir.path;
	CU_ASSERT_EQUAL_FATAL(pipe(fds), 0);
	CU_ASSERT_EQUAL(write(fds[1], pb.bytes, pb.n), (ssize_t)pb.n);
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	CU_ASSERT_EQUAL_FATAL(open_path(&made, "-"), 0);
	check_small(&made);
	CU_ASSERT_EQUAL(events(&made), 3);
	dup2(was, STDIN_FILENO);
	close(was);
	pb_free(&pb);
	end(&made);
}

static void compressed_records_count_as_the_others(void)
{
	struct pb_file inner = {0};
	struct made made;
	uint8_t packed[4096];
	size_t n, at;

	begin(&made);
	pb_info(&made.file.data, PB_CPUS);
	pb_comm(&inner.data, 7, "early", 0);
	pb_aux(&inner.data, 0, 32, 0, 2500, 7, 1);
	pb_aux(&inner.data, 32, 32, 0, 3500, 7, 1);
	pb_comm(&inner.data, 7, "late", 4000);
	n = ZSTD_compress(packed, sizeof(packed), inner.data.bytes, inner.data.n, 1);
	CU_ASSERT(!ZSTD_isError(n));
	at = pb_begin(&made.file.data, CSG_PERF_RECORD_COMPRESSED, 0);
	pb_put(&made.file.data, packed, n / 2);
	pb_end(&made.file.data, at);
	at = pb_begin(&made.file.data, CSG_PERF_RECORD_COMPRESSED, 0);
	pb_put(&made.file.data, packed + n / 2, n - n / 2);
	pb_end(&made.file.data, at);
	pb_auxtrace(&made.file.data, 0, 64, 1, (uint32_t)-1, 1);
	CU_ASSERT_EQUAL_FATAL(open_file(&made), 0);
	check_small(&made);
	CU_ASSERT_EQUAL(events(&made), 2);
	CU_ASSERT(csg_recording_info(made.rec)->compressed);
	pb_file_free(&inner);
	end(&made);
}

static void a_directory_is_read_with_its_parts(void)
{
	struct made made;
	struct pb part = {0}, bytes;
	char path[256];

	begin(&made);
	pb_info(&made.file.data, PB_CPUS);
	pb_feature(&made.file, CSG_PERF_DIR_FORMAT);
	bytes = pb_file_bytes(&made.file);
	pb_write(&made.dir, "data", bytes.bytes, bytes.n);
	pb_comm(&part, 7, "early", 100);
	pb_aux(&part, 0, 32, 0, 2500, 7, 1);
	pb_write(&made.dir, "data.0", part.bytes, part.n);
	pb_free(&part);
	pb_aux(&part, 32, 32, 0, 3500, 7, 1);
	pb_auxtrace(&part, 0, 64, 1, (uint32_t)-1, 1);
	pb_write(&made.dir, "data.11", part.bytes, part.n);
	CU_ASSERT_EQUAL_FATAL(open_path(&made, made.dir.path), 0);
	check_small(&made);
	CU_ASSERT_EQUAL(events(&made), 1);
	CU_ASSERT(csg_recording_info(made.rec)->directory);
	CU_ASSERT_STRING_EQUAL(csg_recording_info(made.rec)->directory_path, made.dir.path);
	snprintf(path, sizeof(path), "%s/data", made.dir.path);
	CU_ASSERT_EQUAL_FATAL(open_path(&made, path), 0);
	check_small(&made);
	CU_ASSERT_STRING_EQUAL(csg_recording_info(made.rec)->directory_path, made.dir.path);
	pb_free(&part);
	pb_free(&bytes);
	end(&made);
}

static void an_index_that_lies_is_reported_and_does_no_harm(void)
{
	struct made made;
	struct pb *index;

	begin(&made);
	pb_small(&made.file);
	index = pb_feature(&made.file, CSG_PERF_AUXTRACE);
	pb_u64(index, 1);
	pb_u64(index, 12345);
	pb_u64(index, 48);
	CU_ASSERT_EQUAL_FATAL(open_file(&made), 0);
	check_small(&made);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	CU_ASSERT_EQUAL(made.seen.offset, 12345);
	end(&made);
}

static void an_index_that_is_right_is_silent(void)
{
	struct made made;
	struct pb *index;
	uint64_t at;

	begin(&made);
	pb_small(&made.file);
	at = PB_HEADER_BYTES + 16 * PB_CPUS + 2 * (PB_ATTR_BYTES + 16) + made.file.data.n - 48 - 64;
	index = pb_feature(&made.file, CSG_PERF_AUXTRACE);
	pb_u64(index, 1);
	pb_u64(index, at);
	pb_u64(index, 48);
	CU_ASSERT_EQUAL_FATAL(open_file(&made), 0);
	CU_ASSERT_EQUAL(made.seen.n, 0);
	end(&made);
}

static void another_architecture_is_refused(void)
{
	static const char *const archs[] = {"x86_64", "armv7l", "riscv64", ""};
	struct made made;

	for (size_t i = 0; i < 4; i++) {
		begin(&made);
		pb_small(&made.file);
		pb_feature_text(pb_feature(&made.file, CSG_PERF_ARCH), archs[i]);
		CU_ASSERT_EQUAL(open_file(&made), -CSG_E_FOREIGN_ARCH);
		CU_ASSERT_PTR_NULL(made.rec);
		CU_ASSERT_EQUAL(made.seen.errors, 1);
		end(&made);
	}
}

static void other_trace_is_named_and_refused(void)
{
	static const struct {
		uint32_t type;
		int error;
	} all[] = {{1, CSG_E_FOREIGN_ARCH}, {4, CSG_E_NO_TRACE}, {6, CSG_E_NO_TRACE}};
	struct made made;

	for (size_t i = 0; i < 3; i++) {
		begin(&made);
		pb_info(&made.file.data, 1);
		made.file.data.bytes[8] = (uint8_t)all[i].type;
		pb_auxtrace(&made.file.data, 0, 64, 1, (uint32_t)-1, 1);
		CU_ASSERT_EQUAL(open_file(&made), -all[i].error);
		CU_ASSERT_EQUAL(made.seen.errors, 1);
		end(&made);
	}
}

static void without_trace_only_sideband_is_left(void)
{
	struct made made;

	begin(&made);
	pb_comm(&made.file.data, 7, "early", 100);
	CU_ASSERT_EQUAL(open_file(&made), -CSG_E_NO_TRACE);
	CU_ASSERT_EQUAL(made.seen.errors, 1);
	made.options.sideband_only = true;
	CU_ASSERT_EQUAL_FATAL(open_file(&made), 0);
	CU_ASSERT_EQUAL(events(&made), 1);
	end(&made);
}

static void a_file_cut_anywhere_gives_what_is_before_the_cut(void)
{
	struct made made;
	struct pb bytes;
	size_t n, trace;

	begin(&made);
	pb_small(&made.file);
	pb_feature_text(pb_feature(&made.file, CSG_PERF_ARCH), "aarch64");
	bytes = pb_file_bytes(&made.file);
	n = bytes.n;
	trace = made.file.header + made.file.data.n - 64;
	for (bytes.n = 0; bytes.n < n; bytes.n++) {
		int ret = open_bytes(&made, &bytes);

		CU_ASSERT_EQUAL(ret == 0, bytes.n >= trace);
		CU_ASSERT(made.seen.n > 0);
		CU_ASSERT(made.seen.text[0] && made.seen.file[0]);
		if (!ret && bytes.n < trace + 64) {
			size_t chunks;

			CU_ASSERT_EQUAL(csg_recording_damage(made.rec), -CSG_E_TRUNCATED);
			CU_ASSERT_EQUAL(events(&made), 3);
			csg_recording_chunks(made.rec, &chunks);
			CU_ASSERT_EQUAL(chunks, 2);
		}
	}
	pb_free(&bytes);
	end(&made);
}

/* The last record says it is longer than the data section, where features follow. */
static void a_record_ends_with_the_data_section(void)
{
	struct made made;
	struct pb bytes;
	size_t at;

	begin(&made);
	pb_small(&made.file);
	at = made.file.data.n;
	pb_comm(&made.file.data, 9, "last", 9000);
	pb_feature_text(pb_feature(&made.file, CSG_PERF_ARCH), "aarch64");
	bytes = pb_file_bytes(&made.file);
	bytes.bytes[made.file.header + at + 6] += 8;
	CU_ASSERT_EQUAL_FATAL(open_bytes(&made, &bytes), 0);
	CU_ASSERT_EQUAL(csg_recording_damage(made.rec), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(made.seen.offset, made.file.header + at);
	CU_ASSERT_EQUAL(events(&made), 3);
	pb_free(&bytes);
	end(&made);
}

/* A recording of 20 GB, most of which the file system does not even have. */
static void a_large_recording_is_not_read_whole(void)
{
	static const uint64_t large = 20ull << 30;
	struct pb tail = {0}, head, *feature;
	struct made made;
	struct csg_window *window;
	const struct csg_chunk *chunks;
	const uint8_t *got;
	const char *path;
	uint64_t at;
	size_t n, len = 100;
	int fd;

	begin(&made);
	pb_info(&made.file.data, PB_CPUS);
	pb_aux(&made.file.data, 0, large, 0, 2500, 7, 1);
	pb_auxtrace(&made.file.data, 0, 0, 1, (uint32_t)-1, 1);
	memcpy(made.file.data.bytes + made.file.data.n - 40, &large, 8);
	feature = pb_feature(&made.file, CSG_PERF_ARCH);
	pb_feature_text(feature, "aarch64");
	head = pb_file_bytes(&made.file);
	at = made.file.header + made.file.data.n;
	pb_comm(&tail, 9, "last", 9000);
	n = tail.n;
	pb_u64(&tail, at + large + n + 16);
	pb_u64(&tail, feature->n);
	pb_put(&tail, feature->bytes, feature->n);
	n += made.file.data.n;
	memcpy(head.bytes + 48, &(uint64_t){large + n}, 8);
	path = pb_write(&made.dir, "large", head.bytes, at);
	fd = open(path, O_WRONLY);
	if (pwrite(fd, tail.bytes, tail.n, (off_t)(at + large)) == (ssize_t)tail.n) {
		CU_ASSERT_EQUAL_FATAL(open_path(&made, path), 0);
		CU_ASSERT_EQUAL(events(&made), 1);
		CU_ASSERT_EQUAL(made.seen.n, 0);
		chunks = csg_recording_chunks(made.rec, &n);
		CU_ASSERT_EQUAL_FATAL(n, 1);
		CU_ASSERT_EQUAL(chunks->bytes, large);
		CU_ASSERT_EQUAL_FATAL(csg_window_create(&window, made.rec), 0);
		CU_ASSERT_EQUAL(csg_window_read(window, chunks, large - 7, &got, &len), 0);
		CU_ASSERT_EQUAL(len, 7);
		csg_window_destroy(window);
	}
	close(fd);
	pb_free(&head);
	pb_free(&tail);
	end(&made);
}

static void a_file_that_was_never_finished_is_read(void)
{
	struct made made;
	struct pb bytes;

	begin(&made);
	pb_small(&made.file);
	bytes = pb_file_bytes(&made.file);
	memset(bytes.bytes + 48, 0, 8);
	CU_ASSERT_EQUAL_FATAL(open_bytes(&made, &bytes), 0);
	check_small(&made);
	CU_ASSERT_EQUAL(csg_recording_damage(made.rec), -CSG_E_TRUNCATED);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	pb_free(&bytes);
	end(&made);
}

static void threads_buffers_are_known(void)
{
	struct made made;

	begin(&made);
	pb_info(&made.file.data, PB_CPUS);
	pb_aux(&made.file.data, 0, 32, CSG_AUX_FORMAT_RAW, 2500, 7, 1);
	pb_aux(&made.file.data, 32, 32, CSG_AUX_FORMAT_RAW, 3500, 7, 3);
	pb_auxtrace(&made.file.data, 0, 64, 0, 7, (uint32_t)-1);
	CU_ASSERT_EQUAL_FATAL(open_file(&made), 0);
	CU_ASSERT(csg_recording_info(made.rec)->per_thread);
	CU_ASSERT_EQUAL_FATAL(made.rec->n_sources, 2);
	CU_ASSERT_EQUAL(made.rec->sources[0].cpu, 1);
	CU_ASSERT_EQUAL(made.rec->sources[1].cpu, 3);
	CU_ASSERT_EQUAL(made.rec->chunks[1].tid, 7);
	end(&made);
}

static void a_missing_file_is_named(void)
{
	struct made made;

	begin(&made);
	CU_ASSERT_EQUAL(open_path(&made, "/nowhere/perf.data"), -CSG_E_NOT_FOUND);
	CU_ASSERT_STRING_EQUAL(made.seen.file, "/nowhere/perf.data");
	CU_ASSERT_EQUAL(made.seen.errors, 1);
	end(&made);
}

CSG_SUITE(recording_perf, perf_data, CSG_TEST(a_file_is_read), CSG_TEST(a_pipe_in_a_file_is_read),
	  CSG_TEST(standard_input_is_read), CSG_TEST(compressed_records_count_as_the_others),
	  CSG_TEST(a_directory_is_read_with_its_parts),
	  CSG_TEST(an_index_that_lies_is_reported_and_does_no_harm),
	  CSG_TEST(an_index_that_is_right_is_silent), CSG_TEST(another_architecture_is_refused),
	  CSG_TEST(other_trace_is_named_and_refused), CSG_TEST(without_trace_only_sideband_is_left),
	  CSG_TEST(a_file_cut_anywhere_gives_what_is_before_the_cut),
	  CSG_TEST(a_record_ends_with_the_data_section),
	  CSG_TEST(a_large_recording_is_not_read_whole),
	  CSG_TEST(a_file_that_was_never_finished_is_read), CSG_TEST(threads_buffers_are_known),
	  CSG_TEST(a_missing_file_is_named));
