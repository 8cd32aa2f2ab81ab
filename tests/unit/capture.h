/* SPDX-License-Identifier: BSD-3-Clause */
/* A csg_out that writes to an anonymous file, and what it wrote as a string. */
#ifndef TESTS_UNIT_VIEW_CAPTURE_H
#define TESTS_UNIT_VIEW_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "text/out.h"

static char captured[4 * CSG_OUT_SIZE];

static struct csg_out *capture_begin(void)
{
	struct csg_out *out = malloc(sizeof(*out));
	FILE *f = tmpfile();

	csg_out_init(out, dup(fileno(f)));
	fclose(f);
	return out;
}

/* Leaves the text in captured and returns its length. */
static size_t capture_end(struct csg_out *out)
{
	ssize_t n;

	CU_ASSERT_EQUAL(csg_out_flush(out), 0);
	n = pread(out->fd, captured, sizeof(captured) - 1, 0);
	captured[n < 0 ? 0 : n] = 0;
	close(out->fd);
	free(out);
	return (size_t)n;
}

#endif
