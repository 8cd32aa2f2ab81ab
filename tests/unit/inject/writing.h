/* SPDX-License-Identifier: BSD-3-Clause */
/* A perf.data that is written, to a file or through a pipe, with two attrs, and read again. */
#ifndef TESTS_UNIT_INJECT_WRITING_H
#define TESTS_UNIT_INJECT_WRITING_H

#include <fcntl.h>
#include <unistd.h>

#include "injecting.h"
#include "inject/perf_output.h"
#include "inject/perf_pipe.h"
#include "inject/perf_sections.h"
#include "suite.h"
#include "recording/recording.h"

#define WRITING_RECORDS 20000

struct writing {
	struct pb_dir dir;
	char path[128];
	bool piped;
	int fd;
	struct csg_perf_output output;
	struct pb attr;
	uint64_t ids[3];
};

static inline int writing_open(struct writing *w)
{
	w->fd = open(w->path, O_CREAT | O_WRONLY, 0600);
	return w->piped ? csg_perf_output_open_pipe(&w->output, w->fd)
			: csg_perf_output_open(&w->output, w->fd);
}

static inline void writing_begin(struct writing *w, bool piped)
{
	memset(w, 0, sizeof(*w));
	w->piped = piped;
	pb_dir_make(&w->dir);
	snprintf(w->path, sizeof(w->path), "%s/out", w->dir.path);
	pb_attr(&w->attr, 1, 136, PB_SAMPLE_TYPE, CSG_ATTR_SAMPLE_ID_ALL);
	for (uint32_t i = 0; i < 3; i++)
		w->ids[i] = PB_DUMMY_ID(i);
	CU_ASSERT_EQUAL_FATAL(writing_open(w), 0);
}

static inline void writing_end(struct writing *w)
{
	csg_perf_output_close(&w->output);
	close(w->fd);
	pb_free(&w->attr);
	pb_dir_remove(&w->dir);
}

static inline int writing_finish(struct writing *w, const struct csg_perf_output_feature *features,
				 size_t n)
{
	const struct csg_perf_output_attr attrs[] = {
		{w->attr.bytes, w->attr.n, w->ids, 2},
		{w->attr.bytes, w->attr.n, w->ids + 2, 1},
	};
	const struct csg_perf_output_sections sections = {attrs, 2, features, n};

	return csg_perf_output_finish(&w->output, &sections);
}

/* Records, and a feature of memory and one of a file. */
static inline void writing_fill(struct writing *w)
{
	struct csg_perf_output_feature features[2] = {{.number = CSG_PERF_OSRELEASE},
						      {.number = CSG_PERF_HOSTNAME}};
	struct pb comm = {0}, release = {0}, name = {0};

	pb_feature_text(&release, "6.12");
	pb_feature_text(&name, "host");
	features[0].bytes = release.bytes;
	features[0].size = release.n;
	features[1].fd = open(pb_write(&w->dir, "name", name.bytes, name.n), O_RDONLY);
	features[1].size = name.n;
	for (uint64_t i = 0; i < WRITING_RECORDS; i++) {
		pb_free(&comm);
		pb_comm(&comm, 7, "name", 1 + i);
		csg_perf_output_record(&w->output, comm.bytes, comm.n);
	}
	CU_ASSERT_EQUAL_FATAL(writing_finish(w, features, 2), 0);
	close(features[1].fd);
	pb_free(&comm);
	pb_free(&release);
	pb_free(&name);
}

/* What writing_fill() wrote, as it is read: to be closed. */
static inline struct csg_recording *writing_read(struct writing *w)
{
	const struct csg_recording_setup options = {.sideband_only = true, .keep = true};
	struct csg_recording *rec;

	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&rec, w->path, &options, NULL), 0);
	CU_ASSERT_EQUAL(rec->info.pipe, w->piped);
	CU_ASSERT_EQUAL(rec->kept->n_records, WRITING_RECORDS);
	CU_ASSERT_EQUAL_FATAL(rec->kept->n_attrs, 2);
	CU_ASSERT_EQUAL(rec->kept->attrs[0].n_ids, 2);
	CU_ASSERT_EQUAL_FATAL(rec->kept->attrs[1].n_ids, 1);
	CU_ASSERT_EQUAL(rec->kept->attrs[1].ids[0], PB_DUMMY_ID(2));
	CU_ASSERT_STRING_EQUAL(rec->info.hostname, "host");
	CU_ASSERT_STRING_EQUAL(rec->info.os_release, "6.12");
	CU_ASSERT_EQUAL(csg_recording_damage(rec), 0);
	return rec;
}

#endif
