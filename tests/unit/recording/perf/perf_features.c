/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_features.h"

#include <fcntl.h>

#include "csguest/error.h"
#include "recording/perf_bytes.h"
#include "suite.h"

struct made {
	struct csg_recording *rec;
	struct csg_perf_state state;
	struct pb_seen seen;
};

static void begin(struct made *made)
{
	memset(made, 0, sizeof(*made));
	made->rec = calloc(1, sizeof(*made->rec));
	made->rec->sink = (struct csg_diag_sink){pb_see, &made->seen};
	made->state.rec = made->rec;
	made->state.path = "f";
}

static void end(struct made *made)
{
	csg_perf_state_fini(&made->state);
	csg_recording_close(made->rec);
}

static int feature(struct made *made, unsigned int number, struct pb *pb)
{
	int ret = csg_perf_feature_read(&made->state, number, pb->bytes, pb->n, 0);

	pb_free(pb);
	return ret;
}

static void texts_and_numbers_are_taken(void)
{
	struct made made;
	struct pb pb = {0};
	const struct csg_recording_info *info;

	begin(&made);
	info = &made.rec->info;
	pb_feature_text(&pb, "host");
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_HOSTNAME, &pb), 0);
	pb_feature_text(&pb, "6.12");
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_OSRELEASE, &pb), 0);
	pb_feature_text(&pb, "6.12.1");
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_VERSION, &pb), 0);
	pb_feature_text(&pb, "aarch64");
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_ARCH, &pb), 0);
	pb_feature_text(&pb, "0x00000000414fd0c1");
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_CPUID, &pb), 0);
	pb_u32(&pb, 8);
	pb_u32(&pb, 6);
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_NRCPUS, &pb), 0);
	pb_u32(&pb, 3);
	pb_feature_text(&pb, "perf");
	pb_feature_text(&pb, "record");
	pb_feature_text(&pb, "");
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_CMDLINE, &pb), 0);
	CU_ASSERT_STRING_EQUAL(info->hostname, "host");
	CU_ASSERT_STRING_EQUAL(info->os_release, "6.12");
	CU_ASSERT_STRING_EQUAL(info->perf_version, "6.12.1");
	CU_ASSERT_STRING_EQUAL(info->arch, "aarch64");
	CU_ASSERT_STRING_EQUAL(info->cpuid, "0x00000000414fd0c1");
	CU_ASSERT_EQUAL(info->cpus_available, 8);
	CU_ASSERT_EQUAL(info->cpus_online, 6);
	CU_ASSERT_STRING_EQUAL(info->cmdline, "perf record ");
	end(&made);
}

static void lengths_and_counts_that_lie_are_corrupt(void)
{
	static const unsigned int all[] = {CSG_PERF_HOSTNAME,	CSG_PERF_CMDLINE,
					   CSG_PERF_EVENT_DESC, CSG_PERF_NRCPUS,
					   CSG_PERF_AUXTRACE,	CSG_PERF_BUILD_ID};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (size_t n = 0; n < 200; n++) {
			struct made made;
			uint8_t *bytes = malloc(n + !n);

			begin(&made);
			memset(bytes, 0xff, n);
			csg_perf_feature_read(&made.state, all[i], bytes, n, 0);
			if (all[i] != CSG_PERF_AUXTRACE && n >= 12 && all[i] != CSG_PERF_NRCPUS)
				CU_ASSERT_EQUAL(
					csg_perf_feature_read(&made.state, all[i], bytes, n, 0),
					-CSG_E_CORRUPT);
			free(bytes);
			end(&made);
		}
	}
}

static void events_get_their_names_by_id(void)
{
	struct made made;
	struct pb pb = {0};

	begin(&made);
	pb_attrs(&made.state.attrs);
	pb_u32(&pb, 2);
	pb_u32(&pb, 64);
	pb_attr(&pb, 1, 64, 0, 0);
	pb_u32(&pb, 2);
	pb_feature_text(&pb, "dummy:u");
	pb_u64(&pb, PB_DUMMY_ID(0));
	pb_u64(&pb, PB_DUMMY_ID(1));
	pb_attr(&pb, 1, 64, 0, 0);
	pb_u32(&pb, 1);
	pb_feature_text(&pb, "cs_etm//");
	pb_u64(&pb, PB_ETM_ID(0));
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_EVENT_DESC, &pb), 0);
	CU_ASSERT_STRING_EQUAL(made.state.attrs.attrs[0].name, "cs_etm//");
	CU_ASSERT_STRING_EQUAL(made.state.attrs.attrs[1].name, "dummy:u");
	end(&made);
}

static void the_index_is_read_with_and_without_count(void)
{
	struct made made;
	struct pb pb = {0};

	begin(&made);
	pb_u64(&pb, 2);
	for (uint64_t i = 0; i < 4; i++)
		pb_u64(&pb, i);
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_AUXTRACE, &pb), 0);
	CU_ASSERT_EQUAL(made.state.n_index, 2);
	CU_ASSERT_EQUAL(made.state.index[1].offset, 2);
	CU_ASSERT(!made.rec->info.simpleperf);
	pb_u64(&pb, 0x26a8);
	pb_u64(&pb, 48);
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_AUXTRACE, &pb), 0);
	CU_ASSERT_EQUAL(made.state.n_index, 3);
	CU_ASSERT_EQUAL(made.state.index[2].offset, 0x26a8);
	CU_ASSERT(made.rec->info.simpleperf);
	end(&made);
}

static void marks_are_remembered(void)
{
	struct made made;
	struct pb pb = {0};

	begin(&made);
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_DIR_FORMAT, &pb), 0);
	CU_ASSERT_EQUAL(feature(&made, CSG_PERF_COMPRESSED, &pb), 0);
	CU_ASSERT_EQUAL(feature(&made, CSG_SIMPLEPERF_META_INFO, &pb), 0);
	CU_ASSERT_EQUAL(feature(&made, 77, &pb), 0);
	CU_ASSERT(made.rec->info.directory && made.rec->info.compressed &&
		  made.rec->info.simpleperf);
	end(&made);
}

/* Reads attrs and features of the file in bytes. */
static int read_file(struct made *made, const struct pb *bytes)
{
	struct csg_input input;
	struct pb_dir dir;
	int fd, ret;

	pb_dir_make(&dir);
	fd = open(pb_write(&dir, "f", bytes->bytes, bytes->n), O_RDONLY);
	CU_ASSERT_EQUAL(csg_input_init(&input, fd), 0);
	ret = csg_perf_file_read(&made->state.file, &input, "f", NULL);
	if (!ret)
		ret = csg_perf_attrs_section(&made->state, &input);
	if (!ret)
		ret = csg_perf_features_read(&made->state, &input);
	csg_input_fini(&input);
	close(fd);
	pb_dir_remove(&dir);
	return ret;
}

static void a_file_gives_attrs_ids_and_features(void)
{
	struct pb_file file = {0};
	struct made made;
	struct pb bytes;

	begin(&made);
	pb_small(&file);
	pb_feature_text(pb_feature(&file, CSG_PERF_HOSTNAME), "host");
	pb_feature_text(pb_feature(&file, CSG_PERF_ARCH), "aarch64");
	bytes = pb_file_bytes(&file);
	CU_ASSERT_EQUAL(read_file(&made, &bytes), 0);
	CU_ASSERT_EQUAL(made.state.attrs.n, 2);
	CU_ASSERT_EQUAL(made.state.attrs.n_ids, 2 * PB_CPUS);
	CU_ASSERT_EQUAL(csg_perf_attrs_find_id(&made.state.attrs, PB_DUMMY_ID(3))->attr, 1);
	CU_ASSERT_STRING_EQUAL(made.rec->info.hostname, "host");
	CU_ASSERT_STRING_EQUAL(made.rec->info.arch, "aarch64");
	CU_ASSERT_EQUAL(made.seen.n, 0);
	pb_free(&bytes);
	pb_file_free(&file);
	end(&made);
}

static void features_cut_off_are_reported_and_left_out(void)
{
	struct pb_file file = {0};
	struct pb bytes;
	size_t n;

	pb_small(&file);
	pb_feature_text(pb_feature(&file, CSG_PERF_HOSTNAME), "host");
	pb_feature_text(pb_feature(&file, CSG_PERF_ARCH), "aarch64");
	bytes = pb_file_bytes(&file);
	n = bytes.n;
	for (bytes.n = file.header + file.data.n; bytes.n < n; bytes.n++) {
		struct made made;

		begin(&made);
		CU_ASSERT_EQUAL(read_file(&made, &bytes), 0);
		CU_ASSERT(made.seen.warnings >= 1);
		CU_ASSERT_EQUAL(made.state.attrs.n, 2);
		CU_ASSERT_PTR_NULL(made.rec->info.arch);
		end(&made);
	}
	pb_free(&bytes);
	pb_file_free(&file);
}

static void ids_that_lie_over_one_another_are_refused(void)
{
	struct pb_file file = {0};
	struct made made;
	struct pb bytes;
	uint64_t ids[2];

	begin(&made);
	pb_small(&file);
	bytes = pb_file_bytes(&file);
	ids[0] = 0;
	ids[1] = bytes.n & ~7ull;
	for (size_t attr = 0; attr < 2; attr++)
		memcpy(bytes.bytes + PB_HEADER_BYTES + 16 * PB_CPUS + PB_ATTR_BYTES +
			       attr * (PB_ATTR_BYTES + 16),
		       ids, sizeof(ids));
	CU_ASSERT_EQUAL(read_file(&made, &bytes), 0);
	CU_ASSERT_EQUAL(made.seen.warnings, 1);
	CU_ASSERT(made.state.attrs.n_ids <= bytes.n / 8);
	pb_free(&bytes);
	pb_file_free(&file);
	end(&made);
}

CSG_SUITE(recording_perf, perf_features, CSG_TEST(texts_and_numbers_are_taken),
	  CSG_TEST(lengths_and_counts_that_lie_are_corrupt), CSG_TEST(events_get_their_names_by_id),
	  CSG_TEST(the_index_is_read_with_and_without_count), CSG_TEST(marks_are_remembered),
	  CSG_TEST(a_file_gives_attrs_ids_and_features),
	  CSG_TEST(features_cut_off_are_reported_and_left_out),
	  CSG_TEST(ids_that_lie_over_one_another_are_refused));
