/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_file.h"

#include <fcntl.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

/* Reads the header in the n bytes. */
static int read_bytes(const void *bytes, size_t n, struct csg_perf_file *file, struct pb_seen *seen)
{
	struct csg_diag_sink sink = {pb_see, seen};
	struct csg_input input;
	struct pb_dir dir;
	int fd, ret;

	memset(seen, 0, sizeof(*seen));
	pb_dir_make(&dir);
	fd = open(pb_write(&dir, "f", bytes, n), O_RDONLY);
	CU_ASSERT_EQUAL(csg_input_init(&input, fd), 0);
	ret = csg_perf_file_read(file, &input, "f", &sink);
	csg_input_fini(&input);
	close(fd);
	pb_dir_remove(&dir);
	return ret;
}

static void sections_and_features_are_found(void)
{
	struct pb_file make = {0};
	struct csg_perf_file file;
	struct pb_seen seen;
	struct pb bytes;

	pb_small(&make);
	pb_feature_text(pb_feature(&make, CSG_PERF_ARCH), "aarch64");
	pb_feature(&make, CSG_SIMPLEPERF_META_INFO);
	bytes = pb_file_bytes(&make);
	CU_ASSERT_EQUAL(read_bytes(bytes.bytes, bytes.n, &file, &seen), 0);
	CU_ASSERT_EQUAL(file.attr_size, PB_ATTR_BYTES + 16);
	CU_ASSERT_EQUAL(file.data.offset, make.header);
	CU_ASSERT_EQUAL(file.data.size, make.data.n);
	CU_ASSERT(csg_perf_file_has(&file, CSG_PERF_ARCH));
	CU_ASSERT(csg_perf_file_has(&file, CSG_SIMPLEPERF_META_INFO));
	CU_ASSERT(!csg_perf_file_has(&file, CSG_PERF_AUXTRACE));
	CU_ASSERT(!csg_perf_file_has(&file, 100000));
	CU_ASSERT(!file.pipe && !file.unfinished);
	pb_free(&bytes);
	pb_file_free(&make);
}

static void a_data_section_beyond_the_end_is_what_is_there(void)
{
	struct pb_file make = {0};
	struct csg_perf_file file;
	struct pb_seen seen;
	struct pb bytes;

	pb_small(&make);
	bytes = pb_file_bytes(&make);
	CU_ASSERT_EQUAL(read_bytes(bytes.bytes, bytes.n - 10, &file, &seen), 0);
	CU_ASSERT_EQUAL(file.data.size, make.data.n - 10);
	CU_ASSERT_EQUAL(file.data_claimed, make.data.n);
	memset(bytes.bytes + 48, 0, 8);
	CU_ASSERT_EQUAL(read_bytes(bytes.bytes, bytes.n, &file, &seen), 0);
	CU_ASSERT(file.unfinished);
	CU_ASSERT_EQUAL(file.data.size, make.data.n);
	memset(bytes.bytes + 40, 0xff, 16);
	CU_ASSERT_EQUAL(read_bytes(bytes.bytes, bytes.n, &file, &seen), 0);
	CU_ASSERT_EQUAL(file.data.size, 0);
	pb_free(&bytes);
	pb_file_free(&make);
}

static void what_is_no_recording_is_refused_with_its_reason(void)
{
	static const struct {
		const char *magic;
		int error;
	} all[] = {
		{"2ELIFREP", CSG_E_FOREIGN_ENDIAN},
		{"PERFFILE", CSG_E_UNSUPPORTED},
		{"ELIFFREP", CSG_E_UNSUPPORTED},
		{"\177ELF\2\1\1", CSG_E_BAD_MAGIC},
	};
	uint8_t bytes[200] = {0};
	struct csg_perf_file file;
	struct pb_seen seen;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		memcpy(bytes, all[i].magic, 8);
		CU_ASSERT_EQUAL(read_bytes(bytes, sizeof(bytes), &file, &seen), -all[i].error);
		CU_ASSERT_EQUAL(seen.errors, 1);
		CU_ASSERT_EQUAL(seen.error, all[i].error);
		CU_ASSERT_STRING_EQUAL(seen.file, "f");
	}
	CU_ASSERT_EQUAL(read_bytes("PERF", 4, &file, &seen), -CSG_E_BAD_MAGIC);
	CU_ASSERT_EQUAL(seen.errors, 1);
}

static void a_cut_header_is_truncated(void)
{
	struct pb_file make = {0};
	struct csg_perf_file file;
	struct pb_seen seen;
	struct pb bytes;

	bytes = pb_file_bytes(&make);
	for (size_t n = 16; n < PB_HEADER_BYTES; n++) {
		CU_ASSERT_EQUAL(read_bytes(bytes.bytes, n, &file, &seen), -CSG_E_TRUNCATED);
		CU_ASSERT_EQUAL(seen.errors, 1);
	}
	CU_ASSERT_EQUAL(read_bytes(bytes.bytes, PB_HEADER_BYTES, &file, &seen), -CSG_E_TRUNCATED);
	pb_free(&bytes);
}

static void attrs_of_impossible_size_are_corrupt(void)
{
	struct pb_file make = {0};
	struct csg_perf_file file;
	struct pb_seen seen;
	struct pb bytes = pb_file_bytes(&make);

	for (uint64_t size = 0; size < 80; size++) {
		memcpy(bytes.bytes + 16, &size, 8);
		CU_ASSERT_EQUAL(read_bytes(bytes.bytes, bytes.n, &file, &seen), -CSG_E_CORRUPT);
	}
	memset(bytes.bytes + 16, 0xff, 8);
	CU_ASSERT_EQUAL(read_bytes(bytes.bytes, bytes.n, &file, &seen), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(seen.offset, 16);
	pb_free(&bytes);
}

static void a_short_header_is_a_pipes(void)
{
	struct csg_perf_file file;
	struct pb_seen seen;
	struct pb pb = {0};

	pb_put(&pb, "PERFILE2", 8);
	pb_u64(&pb, 16);
	CU_ASSERT_EQUAL(read_bytes(pb.bytes, pb.n, &file, &seen), 0);
	CU_ASSERT(file.pipe);
	pb.bytes[8] = 17;
	CU_ASSERT_EQUAL(read_bytes(pb.bytes, pb.n, &file, &seen), -CSG_E_UNSUPPORTED);
	pb_free(&pb);
}

CSG_SUITE(recording_perf, perf_file, CSG_TEST(sections_and_features_are_found),
	  CSG_TEST(a_data_section_beyond_the_end_is_what_is_there),
	  CSG_TEST(what_is_no_recording_is_refused_with_its_reason),
	  CSG_TEST(a_cut_header_is_truncated), CSG_TEST(attrs_of_impossible_size_are_corrupt),
	  CSG_TEST(a_short_header_is_a_pipes));
