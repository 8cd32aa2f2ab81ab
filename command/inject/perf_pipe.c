/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_pipe.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/bytes.h"
#include "inject/perf_encode.h"
#include "files/perf_format.h"

#define PIPE_HEADER 16

struct pipe_out {
	struct csg_perf_output *to;
	struct csg_perf_encode record;
};

/* False: it did not fit into a record. */
static bool put(struct pipe_out *p)
{
	bool fits = csg_perf_encode_end(&p->record);

	if (fits)
		csg_perf_output_record(p->to, p->record.bytes, p->record.len);
	return fits;
}

static void put_header(struct pipe_out *p)
{
	uint64_t size = htole64(PIPE_HEADER);

	csg_perf_output_record(p->to, (const uint8_t *)"PERFILE2", 8);
	csg_perf_output_record(p->to, (const uint8_t *)&size, sizeof(size));
}

static bool put_attr(struct pipe_out *p, const struct csg_perf_output_attr *attr)
{
	csg_perf_encode_begin(&p->record, CSG_PERF_RECORD_HEADER_ATTR, 0);
	csg_perf_encode_bytes(&p->record, attr->bytes, attr->size);
	for (size_t i = 0; i < attr->n_ids; i++)
		csg_perf_encode_u64(&p->record, attr->ids[i]);
	return put(p);
}

/* The bytes of a feature, to be freed; NULL: out of memory, or they cannot be read. */
static uint8_t *bytes_of(struct pipe_out *p, const struct csg_perf_output_feature *feature)
{
	uint8_t *bytes = malloc(feature->size + 1);
	uint64_t done = 0;

	if (bytes && feature->bytes)
		memcpy(bytes, feature->bytes, feature->size);
	while (bytes && !feature->bytes && done < feature->size) {
		ssize_t n = pread(feature->fd, bytes + done, feature->size - done,
				  (off_t)(feature->at + done));

		if (n <= 0) {
			p->to->error = n ? errno : EIO;
			free(bytes);
			return NULL;
		}
		done += (uint64_t)n;
	}
	return bytes;
}

/* One record for each of the records that the section is made of. */
static void put_build_ids(struct pipe_out *p, const uint8_t *bytes, uint64_t size)
{
	uint64_t len;

	for (; size >= CSG_PERF_RECORD_HEADER; bytes += len, size -= len) {
		len = csg_le16(bytes + 6);
		if (len < CSG_PERF_RECORD_HEADER || len > size)
			return;
		csg_perf_encode_begin(&p->record, CSG_PERF_RECORD_BUILD_ID, csg_le16(bytes + 4));
		csg_perf_encode_bytes(&p->record, bytes + CSG_PERF_RECORD_HEADER,
				      len - CSG_PERF_RECORD_HEADER);
		put(p);
	}
}

static void put_tracing_data(struct pipe_out *p, const uint8_t *bytes, uint64_t size)
{
	static const uint8_t zeros[8];

	csg_perf_encode_begin(&p->record, CSG_PERF_RECORD_TRACING_DATA, 0);
	csg_perf_encode_u32(&p->record, (uint32_t)(size + (-size & 7)));
	put(p);
	csg_perf_output_record(p->to, bytes, size);
	csg_perf_output_record(p->to, zeros, -size & 7);
}

/* False: it is too long for a record. */
static bool put_feature(struct pipe_out *p, unsigned int number, const uint8_t *bytes,
			uint64_t size)
{
	if (number == CSG_PERF_BUILD_ID) {
		put_build_ids(p, bytes, size);
		return true;
	}
	if (number == CSG_PERF_TRACING_DATA) {
		put_tracing_data(p, bytes, size);
		return true;
	}
	csg_perf_encode_begin(&p->record, CSG_PERF_RECORD_HEADER_FEATURE, 0);
	csg_perf_encode_u64(&p->record, number);
	csg_perf_encode_bytes(&p->record, bytes, size);
	/* Perf goes by the size to know what a feature does not hold yet. */
	if (!csg_perf_encode_end_exact(&p->record))
		return false;
	csg_perf_output_record(p->to, p->record.bytes, p->record.len);
	return true;
}

static int put_sections(struct pipe_out *p, const struct csg_perf_output_sections *sections,
			size_t *left)
{
	for (size_t i = 0; i < sections->n_attrs; i++)
		if (!put_attr(p, &sections->attrs[i]))
			return -CSG_E_LIMIT;
	for (size_t i = 0; i < sections->n_features; i++) {
		const struct csg_perf_output_feature *feature = &sections->features[i];
		uint8_t *bytes = bytes_of(p, feature);

		if (!bytes)
			return p->to->error ? -CSG_E_IO : -CSG_E_NO_MEMORY;
		*left += !put_feature(p, feature->number, bytes, feature->size);
		free(bytes);
	}
	return 0;
}

int csg_perf_pipe_write(struct csg_perf_output *to, const struct csg_perf_output_sections *sections,
			int from, uint64_t at, uint64_t size, size_t *left)
{
	struct pipe_out *p = malloc(sizeof(*p));
	int ret;

	*left = 0;
	if (!p)
		return -CSG_E_NO_MEMORY;
	p->to = to;
	put_header(p);
	ret = put_sections(p, sections, left);
	free(p);
	if (ret)
		return ret;
	csg_perf_output_copy(to, from, at, size);
	csg_perf_output_flush(to);
	return to->error ? -CSG_E_IO : 0;
}
