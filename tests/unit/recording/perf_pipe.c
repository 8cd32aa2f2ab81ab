/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "csguest/error.h"
#include "injecting.h"
#include "suite.h"

struct writing {
	struct pb_dir dir;
	char path[128];
	struct csg_perf_output output;
	struct pb attr;
	uint64_t ids[3];
};

static void begin(struct writing *w)
{
	memset(w, 0, sizeof(*w));
	pb_dir_make(&w->dir);
	snprintf(w->path, sizeof(w->path), "%s/out", w->dir.path);
	pb_attr(&w->attr, 1, 136, PB_SAMPLE_TYPE, CSG_ATTR_SAMPLE_ID_ALL);
	for (uint32_t i = 0; i < 3; i++)
		w->ids[i] = PB_DUMMY_ID(i);
	CU_ASSERT_EQUAL_FATAL(
		csg_perf_output_open_pipe(&w->output, open(w->path, O_CREAT | O_WRONLY, 0600)), 0);
}

static void end(struct writing *w)
{
	close(w->output.pipe);
	csg_perf_output_close(&w->output);
	pb_free(&w->attr);
	pb_dir_remove(&w->dir);
}

static int finish(struct writing *w, const struct csg_perf_output_feature *features, size_t n)
{
	const struct csg_perf_output_attr attrs[] = {
		{w->attr.bytes, w->attr.n, w->ids, 2},
		{w->attr.bytes, w->attr.n, w->ids + 2, 1},
	};
	const struct csg_perf_output_sections sections = {attrs, 2, features, n};

	return csg_perf_output_finish(&w->output, &sections);
}

static void attrs_features_and_records_go_through_a_pipe(void)
{
	const struct csg_recording_options options = {.sideband_only = true, .keep = true};
	struct csg_perf_output_feature features[2] = {{.number = CSG_PERF_OSRELEASE},
						      {.number = CSG_PERF_HOSTNAME}};
	struct pb comm = {0}, release = {0}, name = {0};
	struct csg_recording *rec;
	struct writing w;

	begin(&w);
	pb_feature_text(&release, "6.12");
	pb_feature_text(&name, "host");
	features[0].bytes = release.bytes;
	features[0].size = release.n;
	features[1].fd = open(pb_write(&w.dir, "name", name.bytes, name.n), O_RDONLY);
	features[1].size = name.n;
	for (uint64_t i = 0; i < 20000; i++) {
		pb_free(&comm);
		pb_comm(&comm, 7, "name", 1 + i);
		csg_perf_output_record(&w.output, comm.bytes, comm.n);
	}
	CU_ASSERT_EQUAL_FATAL(finish(&w, features, 2), 0);
	CU_ASSERT_EQUAL(w.output.left, 0);
	CU_ASSERT_EQUAL_FATAL(csg_recording_open(&rec, w.path, &options, NULL), 0);
	CU_ASSERT(rec->info.pipe);
	CU_ASSERT_EQUAL(rec->kept->n_records, 20000);
	CU_ASSERT_EQUAL_FATAL(rec->kept->n_attrs, 2);
	CU_ASSERT_EQUAL(rec->kept->attrs[0].n_ids, 2);
	CU_ASSERT_EQUAL_FATAL(rec->kept->attrs[1].n_ids, 1);
	CU_ASSERT_EQUAL(rec->kept->attrs[1].ids[0], PB_DUMMY_ID(2));
	CU_ASSERT_STRING_EQUAL(rec->info.hostname, "host");
	CU_ASSERT_STRING_EQUAL(rec->info.os_release, "6.12");
	CU_ASSERT_EQUAL(csg_recording_damage(rec), 0);
	csg_recording_close(rec);
	close(features[1].fd);
	pb_free(&comm);
	pb_free(&release);
	pb_free(&name);
	end(&w);
}

static void a_feature_that_no_record_can_hold_is_left_out(void)
{
	static const uint8_t long_one[70000];
	const struct csg_perf_output_feature features[] = {
		{.number = CSG_PERF_CMDLINE, .bytes = long_one, .size = sizeof(long_one)}};
	struct writing w;

	begin(&w);
	CU_ASSERT_EQUAL(finish(&w, features, 1), 0);
	CU_ASSERT_EQUAL(w.output.left, 1);
	end(&w);
}

static void an_error_of_the_pipe_is_told(void)
{
	struct writing w;

	begin(&w);
	close(w.output.pipe);
	w.output.pipe = open("/dev/full", O_WRONLY);
	CU_ASSERT_EQUAL(finish(&w, NULL, 0), -CSG_E_IO);
	CU_ASSERT_EQUAL(w.output.error, ENOSPC);
	end(&w);
}

CSG_SUITE(recording, perf_pipe, CSG_TEST(attrs_features_and_records_go_through_a_pipe),
	  CSG_TEST(a_feature_that_no_record_can_hold_is_left_out),
	  CSG_TEST(an_error_of_the_pipe_is_told));
