/* SPDX-License-Identifier: BSD-3-Clause */
/* A directory of its own for a test, and files in it. */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <CUnit/CUnit.h>

#include "csguest/diag.h"
#include "remove_tree.h"

#define SCRATCH_PATH 1024

struct scratch {
	char dir[512];
};

static inline const char *scratch_begin(struct scratch *s)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(s->dir, sizeof(s->dir), "%s/csg-unit-XXXXXX", tmp ? tmp : "/tmp");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(s->dir));
	return s->dir;
}

static inline void scratch_end(const struct scratch *s)
{
	CU_ASSERT_EQUAL(remove_tree(s->dir), 0);
}

/* The path of a file in the directory, whose own directories are made. */
static inline char *scratch_path(const struct scratch *s, char path[SCRATCH_PATH], const char *name)
{
	char part[SCRATCH_PATH];

	snprintf(path, SCRATCH_PATH, "%s/%s", s->dir, name);
	for (char *at = path + strlen(s->dir) + 1; (at = strchr(at, '/')); at++) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0755);
	}
	return path;
}

/* Whether it is the path of this file of the directory. */
static inline bool scratch_is_at(const struct scratch *s, const char *path, const char *name)
{
	char expected[SCRATCH_PATH];

	return path && !strcmp(path, scratch_path(s, expected, name));
}

static inline void scratch_write(const struct scratch *s, const char *name, const void *bytes,
				 size_t size)
{
	char path[SCRATCH_PATH];
	FILE *f = fopen(scratch_path(s, path, name), "wb");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, size, f), size);
	CU_ASSERT_EQUAL(fclose(f), 0);
}

static inline void scratch_text(const struct scratch *s, const char *name, const char *text)
{
	scratch_write(s, name, text, strlen(text));
}

/* What a sink heard. */
struct said {
	int count, error;
	char file[SCRATCH_PATH], text[512];
};

static inline void said_hear(void *arg, const struct csg_diag *diag)
{
	struct said *said = arg;

	said->count++;
	said->error = diag->error;
	snprintf(said->file, sizeof(said->file), "%s", diag->file ? diag->file : "");
	snprintf(said->text, sizeof(said->text), "%s", diag->text);
}

#endif
