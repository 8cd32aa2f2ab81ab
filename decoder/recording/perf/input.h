/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes of a file or a pipe, read front to back through one buffer.  In a file,
 * skipping costs nothing and positions may be set; of a pipe, everything is read.
 */
#ifndef DECODER_RECORDING_PERF_INPUT_H
#define DECODER_RECORDING_PERF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of an input of which nobody knows where it ends. */
#define CSG_INPUT_ENDLESS UINT64_MAX

struct csg_input {
	int fd; /* not owned */
	bool seekable;
	uint64_t size; /* bytes, or CSG_INPUT_ENDLESS */
	uint64_t pos;  /* of the next byte */
	uint8_t *buffer;
	size_t have, cap; /* bytes in buffer; the first one is the byte at pos */
	size_t at;	  /* where in buffer */
};

/* A regular file is seekable, everything else a pipe.  0 or a negative error. */
int csg_input_init(struct csg_input *input, int fd);
void csg_input_fini(struct csg_input *input);

/* Makes room for peeking at len bytes, where that is more than 1 MB. */
int csg_input_reserve(struct csg_input *input, size_t len);

/*
 * The next len bytes (at most 1 MB or what was reserved), which stay the next ones; *bytes is
 * valid until the next call.  -CSG_E_TRUNCATED where fewer are left, -CSG_E_IO where reading
 * fails.
 */
int csg_input_peek(struct csg_input *input, size_t len, const uint8_t **bytes);

/* Goes len bytes on; of a pipe it reads them.  Beyond the end of a file is no error. */
int csg_input_skip(struct csg_input *input, uint64_t len);

/* Sets the position; seekable inputs only. */
void csg_input_seek(struct csg_input *input, uint64_t pos);

/* Writes the next len bytes to fd and goes after them; *done gets how many there were. */
int csg_input_copy(struct csg_input *input, uint64_t len, int fd, uint64_t *done);

#endif
