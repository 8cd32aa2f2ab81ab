/* SPDX-License-Identifier: BSD-3-Clause */
/* A truth made of a text, in a file of its own; compressed with zstd where asked for. */
#ifndef TESTS_UNIT_VIEW_TRUTH_TEXT_H
#define TESTS_UNIT_VIEW_TRUTH_TEXT_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "score/truth.h"

static char truth_path[] = "/tmp/csguest-truth-XXXXXX";

static void truth_save(const void *bytes, size_t n)
{
	int fd;

	strcpy(truth_path, "/tmp/csguest-truth-XXXXXX");
	fd = mkstemp(truth_path);
	CU_ASSERT_EQUAL_FATAL(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

static inline void truth_save_zstd(const char *text, size_t leave_out)
{
	size_t capacity = ZSTD_compressBound(strlen(text));
	void *out = malloc(capacity);

	truth_save(out, ZSTD_compress(out, capacity, text, strlen(text), 3) - leave_out);
	free(out);
}

/* 0 or the error of opening; the file is gone either way. */
static int truth_open_saved(struct csg_truth **truth)
{
	int err = csg_truth_open(truth, truth_path, NULL);

	unlink(truth_path);
	return err;
}

static int truth_open_text(struct csg_truth **truth, const char *text)
{
	truth_save(text, strlen(text));
	return truth_open_saved(truth);
}

#endif
