/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/array.h"

#define BUFFER_BYTES (1u << 20)

int csg_input_init(struct csg_input *input, int fd)
{
	struct stat st;

	memset(input, 0, sizeof(*input));
	if (fstat(fd, &st))
		return -CSG_E_IO;
	input->fd = fd;
	input->seekable = S_ISREG(st.st_mode);
	input->size = input->seekable ? (uint64_t)st.st_size : CSG_INPUT_ENDLESS;
	input->cap = BUFFER_BYTES;
	input->buffer = malloc(input->cap);
	return input->buffer ? 0 : -CSG_E_NO_MEMORY;
}

void csg_input_fini(struct csg_input *input)
{
	free(input->buffer);
	memset(input, 0, sizeof(*input));
}

/* Reads more after what the buffer has; 0 at the end. */
static ssize_t read_more(struct csg_input *input)
{
	uint8_t *to = input->buffer + input->have;
	size_t capacity = input->cap - input->have;
	ssize_t got;

	do {
		if (input->seekable)
			got = pread(input->fd, to, capacity,
				    (off_t)(input->pos + (input->have - input->at)));
		else
			got = read(input->fd, to, capacity);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		input->have += (size_t)got;
	return got;
}

int csg_input_reserve(struct csg_input *input, size_t len)
{
	return csg_array_reserve((void **)&input->buffer, &input->cap, len, 1);
}

int csg_input_peek(struct csg_input *input, size_t len, const uint8_t **bytes)
{
	if (len > input->cap)
		return -CSG_E_LIMIT;
	if (input->seekable && (input->pos > input->size || len > input->size - input->pos))
		return -CSG_E_TRUNCATED;
	if (input->have - input->at < len && input->cap - input->at < len) {
		memmove(input->buffer, input->buffer + input->at, input->have - input->at);
		input->have -= input->at;
		input->at = 0;
	}
	while (input->have - input->at < len) {
		ssize_t got = read_more(input);

		if (got < 0)
			return -CSG_E_IO;
		if (!got)
			return -CSG_E_TRUNCATED;
	}
	*bytes = input->buffer + input->at;
	return 0;
}

void csg_input_seek(struct csg_input *input, uint64_t pos)
{
	if (pos >= input->pos && pos - input->pos <= input->have - input->at) {
		input->at += (size_t)(pos - input->pos);
	} else {
		input->at = 0;
		input->have = 0;
	}
	input->pos = pos;
}

int csg_input_skip(struct csg_input *input, uint64_t len)
{
	if (input->seekable) {
		if (len > UINT64_MAX - input->pos)
			return -CSG_E_CORRUPT;
		csg_input_seek(input, input->pos + len);
		return 0;
	}
	return csg_input_copy(input, len, -1, NULL);
}

static int write_all(int fd, const uint8_t *bytes, size_t len)
{
	while (len) {
		ssize_t put = write(fd, bytes, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -CSG_E_IO;
		bytes += put;
		len -= (size_t)put;
	}
	return 0;
}

int csg_input_copy(struct csg_input *input, uint64_t len, int fd, uint64_t *done)
{
	if (done)
		*done = 0;
	while (len) {
		size_t piece = input->have - input->at;

		if (!piece) {
			ssize_t got;

			input->at = input->have = 0;
			got = read_more(input);
			if (got <= 0)
				return got ? -CSG_E_IO : -CSG_E_TRUNCATED;
			continue;
		}
		if (piece > len)
			piece = (size_t)len;
		if (fd >= 0 && write_all(fd, input->buffer + input->at, piece))
			return -CSG_E_IO;
		input->at += piece;
		input->pos += piece;
		len -= piece;
		if (done)
			*done += piece;
	}
	return 0;
}
