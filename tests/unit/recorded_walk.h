/* SPDX-License-Identifier: BSD-3-Clause */
/* A random walk (walk.h) as a perf.data of one CPU, opened. */
#ifndef TESTS_UNIT_RECORDED_WALK_H
#define TESTS_UNIT_RECORDED_WALK_H

#include <stdlib.h>
#include <unistd.h>

#include "encoder/perf_writer.h"
#include "recording/recording.h"
#include "suite.h"
#include "walk.h"

struct recorded_walk {
	struct walk walk;
	char path[64];
	struct csg_recording *rec;
	/* Set before recorded_walk_open(). */
	uint64_t attr_flags;
	const char *comm;    /* of a thread, or NULL */
	unsigned int pieces; /* AUX records that the trace is cut into */
	uint64_t aux_flags;  /* of the last AUX record */
};

static inline void recorded_walk_write(struct recorded_walk *w)
{
	const struct csg_enc_perf_sample sample = {.pid = 10, .tid = 10, .cpu = 0, .time = 1000};
	const struct csg_enc_bytes *trace = &w->walk.etm.out;
	unsigned int pieces = w->pieces ? w->pieces : 1;
	struct csg_enc_bytes file = {0};
	struct csg_enc_perf p;
	size_t at = 0;

	csg_enc_perf_init(&p);
	p.options.cpus = 1;
	csg_enc_perf_add_etm(&p, &w->walk.model, w->attr_flags, CSG_ENC_PERF_ANY);
	csg_enc_perf_add_dummy(&p, CSG_ENC_ATTR_COMM | CSG_ENC_ATTR_SAMPLE_ID_ALL,
			       CSG_ENC_PERF_ANY);
	csg_enc_perf_time_conv(&p, 0, 1, 0);
	csg_enc_perf_auxtrace_info(&p, 1, &w->walk.model, 1, -1);
	if (w->comm)
		csg_enc_perf_comm(&p, 10, 10, w->comm, false, &sample);
	for (unsigned int i = 0; i < pieces; i++) {
		size_t n = i + 1 < pieces ? trace->size / pieces : trace->size - at;

		csg_enc_perf_aux(&p, at, n, 0x100 | (i + 1 == pieces ? w->aux_flags : 0), &sample);
		at += n;
	}
	csg_enc_perf_auxtrace(&p, 0, CSG_ENC_PERF_ANY, 0, 0, trace->data, trace->size);
	csg_enc_perf_finish(&p, &file);
	CU_ASSERT_EQUAL_FATAL(csg_enc_bytes_save(&file, w->path), 0);
	csg_enc_bytes_fini(&file);
	csg_enc_perf_fini(&p);
}

/* walk_init() comes before. */
static inline void recorded_walk_open(struct recorded_walk *w)
{
	int fd;

	strcpy(w->path, "/tmp/csguest-walk-XXXXXX");
	fd = mkstemp(w->path);
	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	unlink(w->path);
	recorded_walk_write(w);
	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&w->rec, w->path, NULL, NULL), 0);
}

static inline void recorded_walk_close(struct recorded_walk *w)
{
	csg_recording_close(w->rec);
	unlink(w->path);
	walk_fini(&w->walk);
}

#endif
