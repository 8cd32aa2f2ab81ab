/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf_output.h"

#include <errno.h>
#include <fcntl.h>

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
	CU_ASSERT_EQUAL_FATAL(csg_perf_output_open(&w->output, w->path), 0);
}

static void end(struct writing *w)
{
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

static void what_was_written_is_read(void)
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
	CU_ASSERT_EQUAL_FATAL(csg_recording_open(&rec, w.path, &options, NULL), 0);
	CU_ASSERT_EQUAL(rec->kept->n_records, 20000);
	CU_ASSERT_EQUAL_FATAL(rec->kept->n_attrs, 2);
	CU_ASSERT_EQUAL(rec->kept->attrs[0].size, 112);
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

/* What an attr has beyond the oldest size stays: perf 6.12's sig_data, config3. */
static void attrs_are_as_long_as_they_need_to_be(void)
{
	struct csg_perf_output_attr attr = {.size = 136};
	const struct csg_perf_output_sections sections = {.attrs = &attr, .n_attrs = 1};
	uint8_t bytes[136] = {0};

	attr.bytes = bytes;
	CU_ASSERT_EQUAL(csg_perf_output_attr_size(&sections), 112);
	bytes[112] = 1;
	CU_ASSERT_EQUAL(csg_perf_output_attr_size(&sections), 120);
	bytes[130] = 1;
	CU_ASSERT_EQUAL(csg_perf_output_attr_size(&sections), 136);
}

static void a_file_that_is_there_is_left_alone(void)
{
	struct csg_perf_output output;
	struct writing w;

	begin(&w);
	CU_ASSERT_EQUAL(csg_perf_output_open(&output, w.path), -CSG_E_IO);
	CU_ASSERT_EQUAL(output.error, EEXIST);
	csg_perf_output_close(&output);
	CU_ASSERT_EQUAL(access(w.path, F_OK), 0);
	end(&w);
}

static void a_file_that_was_not_finished_goes_away(void)
{
	struct writing w;

	begin(&w);
	csg_perf_output_close(&w.output);
	CU_ASSERT_EQUAL(access(w.path, F_OK), -1);
	end(&w);
}

static void a_full_disk_is_told(void)
{
	struct writing w;

	begin(&w);
	CU_ASSERT(dup2(open("/dev/full", O_WRONLY), w.output.fd) >= 0);
	CU_ASSERT_EQUAL(finish(&w, NULL, 0), -CSG_E_IO);
	CU_ASSERT_EQUAL(w.output.error, ENOSPC);
	end(&w);
}

CSG_SUITE(recording, perf_output, CSG_TEST(what_was_written_is_read),
	  CSG_TEST(attrs_are_as_long_as_they_need_to_be),
	  CSG_TEST(a_file_that_is_there_is_left_alone),
	  CSG_TEST(a_file_that_was_not_finished_goes_away), CSG_TEST(a_full_disk_is_told));
