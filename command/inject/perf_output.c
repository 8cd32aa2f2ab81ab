/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/spill.h"

#define BUFFER_BYTES (256u << 10)
#define HEADER_BYTES 104

static int begin(struct csg_perf_output *output)
{
	*output = (struct csg_perf_output){.fd = -1, .pipe = -1};
	output->buffer = malloc(BUFFER_BYTES);
	return output->buffer ? 0 : -CSG_E_NO_MEMORY;
}

int csg_perf_output_open_raw(struct csg_perf_output *output, int fd)
{
	int err = begin(output);

	output->fd = fd;
	return err;
}

int csg_perf_output_open_pipe(struct csg_perf_output *output, int pipe)
{
	int err = begin(output);

	if (err)
		return err;
	output->pipe = pipe;
	output->own = true;
	output->fd = csg_spill_open(NULL);
	if (output->fd < 0) {
		output->error = errno;
		return -CSG_E_IO;
	}
	return 0;
}

int csg_perf_output_open(struct csg_perf_output *output, int fd)
{
	static const uint8_t header[HEADER_BYTES];
	int err = csg_perf_output_open_raw(output, fd);

	if (err)
		return err;
	csg_perf_output_record(output, header, sizeof(header));
	return 0;
}

static void write_all(struct csg_perf_output *output, const uint8_t *bytes, size_t len)
{
	while (len && !output->error) {
		ssize_t n = write(output->fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			output->error = n ? errno : EIO;
			return;
		}
		bytes += n;
		len -= (size_t)n;
	}
}

void csg_perf_output_flush(struct csg_perf_output *output)
{
	write_all(output, output->buffer, output->used);
	output->used = 0;
}

void csg_perf_output_put(struct csg_perf_output *output, const void *bytes, size_t len)
{
	output->position += len;
	if (len > BUFFER_BYTES - output->used)
		csg_perf_output_flush(output);
	if (len > BUFFER_BYTES) {
		write_all(output, bytes, len);
		return;
	}
	if (len)
		memcpy(output->buffer + output->used, bytes, len);
	output->used += len;
}

void csg_perf_output_record(struct csg_perf_output *output, const uint8_t *record, size_t len)
{
	csg_perf_output_put(output, record, len);
}

void csg_perf_output_copy(struct csg_perf_output *output, int fd, uint64_t at, uint64_t size)
{
	uint8_t bytes[8192];

	while (size && !output->error) {
		size_t wanted = size < sizeof(bytes) ? (size_t)size : sizeof(bytes);
		ssize_t n = pread(fd, bytes, wanted, (off_t)at);

		if (n <= 0) {
			output->error = n ? errno : EIO;
			return;
		}
		csg_perf_output_put(output, bytes, (size_t)n);
		at += (uint64_t)n;
		size -= (uint64_t)n;
	}
}

void csg_perf_output_close(struct csg_perf_output *output)
{
	if (output->fd >= 0 && output->own)
		close(output->fd);
	free(output->buffer);
	*output = (struct csg_perf_output){.fd = -1, .pipe = -1};
}
