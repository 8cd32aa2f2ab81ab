/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording to inject into, and the file that comes of it, read again. */
#ifndef TESTS_UNIT_INJECT_INJECTING_H
#define TESTS_UNIT_INJECT_INJECTING_H

#include <fcntl.h>
#include <unistd.h>

#include "recording/perf_bytes.h"
#include "recording/perf/kept.h"
#include "recording/recording.h"
#include "inject/injection.h"

struct injecting {
	struct pb_dir dir;
	struct pb_file file;
	struct pb_seen seen;
	struct csg_recording *rec;
	char out[128];
	struct csg_injection_setup setup;
	struct csg_injection *injection;
	struct csg_recording *made; /* the result */
};

static inline struct csg_recording *injecting_read(struct injecting *i, const char *path,
						   bool sideband_only)
{
	const struct csg_recording_setup options = {.sideband_only = sideband_only, .keep = true};
	struct csg_diag_sink sink = {pb_see, &i->seen};
	struct csg_recording *rec;

	CU_ASSERT_EQUAL_FATAL(csg_recording_load(&rec, path, &options, &sink), 0);
	return rec;
}

/* Begins with what i->file holds; pb_small() unless the test put something else into it. */
static inline void injecting_begin(struct injecting *i)
{
	struct csg_diag_sink sink = {pb_see, &i->seen};
	struct pb bytes;

	pb_dir_make(&i->dir);
	if (!i->file.data.n)
		pb_small(&i->file);
	bytes = pb_file_bytes(&i->file);
	i->rec = injecting_read(i, pb_write(&i->dir, "perf.data", bytes.bytes, bytes.n), false);
	pb_free(&bytes);
	snprintf(i->out, sizeof(i->out), "%s/out", i->dir.path);
	if (!i->setup.path)
		i->setup = (struct csg_injection_setup){
			.path = i->out,
			.branches = true,
			.instructions = true,
			.branches_name = "branches:H",
			.instructions_name = "instructions:H",
			.period = 100,
			.in_order = true,
		};
	i->setup.fd = open(i->out, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	CU_ASSERT_EQUAL_FATAL(csg_injection_open(&i->injection, i->rec, &i->setup, &sink), 0);
}

static inline void injecting_finish(struct injecting *i)
{
	CU_ASSERT_EQUAL_FATAL(csg_injection_finish(i->injection), 0);
	csg_injection_close(i->injection);
	i->injection = NULL;
	i->made = injecting_read(i, i->out, true);
	CU_ASSERT_EQUAL(i->seen.n, 0);
}

static inline void injecting_end(struct injecting *i)
{
	csg_injection_close(i->injection);
	close(i->setup.fd);
	csg_recording_close(i->made);
	csg_recording_close(i->rec);
	pb_file_free(&i->file);
	pb_dir_remove(&i->dir);
}

/* The number-th record of a type in what was read with keep, or NULL; valid until the next call. */
static inline const uint8_t *injecting_record(struct csg_recording *rec, uint32_t type,
					      unsigned int number)
{
	for (size_t i = 0; i < rec->kept->n_records; i++) {
		const uint8_t *bytes;
		size_t len;

		CU_ASSERT_EQUAL_FATAL(csg_kept_read(rec->kept, i, &bytes, &len), 0);
		if (*(const uint32_t *)(const void *)bytes == type && !number--)
			return bytes;
	}
	return NULL;
}

#endif
