/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/compressed.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "csguest/error.h"
#include "util/bytes.h"
#include "files/perf_format.h"
#include "recording/perf/simpleperf.h"

#define BUFFER_BYTES (1u << 18) /* more than a record's 65535 bytes */
#define WINDOW_LOG_MAX 27	/* as much as perf record -z 22 asks for */
#define FREE_BYTES (64u << 20)	/* that any recording may have */
#define TIMES 128		/* as large may the others be; perf's records get a tenth */

void csg_decompressor_fini(struct csg_decompressor *decompressor)
{
	ZSTD_freeDStream(decompressor->stream);
	free(decompressor->bytes);
	memset(decompressor, 0, sizeof(*decompressor));
}

static int prepare(struct csg_decompressor *decompressor)
{
	if (decompressor->stream)
		return 0;
	decompressor->bytes = malloc(BUFFER_BYTES);
	decompressor->stream = ZSTD_createDStream();
	if (!decompressor->bytes || !decompressor->stream)
		return -CSG_E_NO_MEMORY;
	ZSTD_initDStream(decompressor->stream);
	ZSTD_DCtx_setParameter(decompressor->stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return 0;
}

/* Hands out the whole records and keeps the rest for the next time. */
static int give(struct csg_decompressor *decompressor, csg_decompressed_fn fn, void *arg)
{
	size_t at = 0;

	while (decompressor->have - at >= CSG_PERF_RECORD_HEADER) {
		const uint8_t *record = decompressor->bytes + at;
		size_t size = csg_perf_record_size(record);
		int ret;

		if (size < CSG_PERF_RECORD_HEADER || size > BUFFER_BYTES / 2)
			return -CSG_E_CORRUPT;
		if (size > decompressor->have - at)
			break;
		ret = fn(arg, record, size);
		if (ret)
			return ret;
		at += size;
	}
	memmove(decompressor->bytes, decompressor->bytes + at, decompressor->have - at);
	decompressor->have -= at;
	return 0;
}

/* Finds the compressed bytes: COMPRESSED2 says how many of them are no padding. */
static int payload(const uint8_t *record, size_t len, ZSTD_inBuffer *in)
{
	size_t at = CSG_PERF_RECORD_HEADER, size = len - at;

	if (csg_le32(record) == CSG_PERF_RECORD_COMPRESSED2) {
		if (size < 8 || csg_le64(record + at) > size - 8)
			return -CSG_E_CORRUPT;
		size = (size_t)csg_le64(record + at);
		at += 8;
	}
	*in = (ZSTD_inBuffer){record + at, size, 0};
	return 0;
}

int csg_decompressor_feed(struct csg_decompressor *decompressor, const uint8_t *record, size_t len,
			  csg_decompressed_fn fn, void *arg)
{
	ZSTD_inBuffer in;
	ZSTD_outBuffer out;
	int ret = payload(record, len, &in);

	if (!ret)
		ret = prepare(decompressor);
	while (!ret) {
		size_t left;

		out = (ZSTD_outBuffer){decompressor->bytes, BUFFER_BYTES, decompressor->have};
		left = ZSTD_decompressStream(decompressor->stream, &out, &in);
		if (ZSTD_isError(left))
			return -CSG_E_CORRUPT;
		decompressor->out += out.pos - decompressor->have;
		if (decompressor->out > FREE_BYTES + TIMES * (decompressor->in + in.size))
			return -CSG_E_LIMIT;
		decompressor->have = out.pos;
		ret = give(decompressor, fn, arg);
		if (in.pos == in.size && out.pos < out.size)
			break;
	}
	decompressor->in += ret ? 0 : in.size;
	return ret;
}
