/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "util/bytes.h"
#include "files/perf_format.h"
#include "util/spill.h"
#include "util/array.h"

#define BUFFER_BYTES (128u << 10)
#define RECORD_BYTES_MAX 65528u
#define OFFSET_BYTES 8u /* before each record: where it was in the recording */

#define ATTR_SIZE_VER0 64u
#define ATTR_SAMPLE_TYPE 24
#define ATTR_FLAGS 40

int csg_kept_create(struct csg_kept **result, const char *tmpdir)
{
	struct csg_kept *kept = calloc(1, sizeof(*kept));
	int err;

	*result = NULL;
	if (!kept)
		return -CSG_E_NO_MEMORY;
	kept->fd = csg_spill_open(tmpdir);
	kept->buffer = malloc(BUFFER_BYTES);
	err = kept->buffer ? -CSG_E_IO : -CSG_E_NO_MEMORY;
	if (kept->fd >= 0 && kept->buffer) {
		*result = kept;
		return 0;
	}
	csg_kept_destroy(kept);
	return err;
}

void csg_kept_destroy(struct csg_kept *kept)
{
	if (!kept)
		return;
	if (kept->fd >= 0)
		close(kept->fd);
	for (size_t i = 0; i < kept->n_attrs; i++) {
		free(kept->attrs[i].bytes);
		free(kept->attrs[i].ids);
	}
	free(kept->attrs);
	free(kept->features);
	free(kept->records);
	free(kept->buffer);
	free(kept);
}

static int write_all(struct csg_kept *kept, const uint8_t *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(kept->fd, bytes, len);

		if (n <= 0) {
			kept->error = n ? errno : EIO;
			return -CSG_E_IO;
		}
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

static int flush(struct csg_kept *kept)
{
	int ret = write_all(kept, kept->buffer, kept->buffered);

	kept->buffered = 0;
	return ret;
}

static int append(struct csg_kept *kept, const uint8_t *bytes, size_t len)
{
	int ret = len > BUFFER_BYTES - kept->buffered ? flush(kept) : 0;

	kept->end += len;
	if (ret || len > BUFFER_BYTES)
		return ret ? ret : write_all(kept, bytes, len);
	memcpy(kept->buffer + kept->buffered, bytes, len);
	kept->buffered += len;
	return 0;
}

/* --- attrs --- */

int csg_kept_add_attr(struct csg_kept *kept, const uint8_t *bytes, size_t len)
{
	size_t size = csg_le32(bytes + 4);
	struct csg_kept_attr *attr;

	size = size < ATTR_SIZE_VER0 ? ATTR_SIZE_VER0 : size;
	size = size > len ? len : size;
	attr = csg_array_add(&kept->attrs, &kept->n_attrs, &kept->cap_attrs, sizeof(*attr));
	if (!attr)
		return -CSG_E_NO_MEMORY;
	attr->bytes = malloc(size);
	if (!attr->bytes)
		return -CSG_E_NO_MEMORY;
	memcpy(attr->bytes, bytes, size);
	attr->size = size;
	return 0;
}

int csg_kept_add_id(struct csg_kept *kept, uint32_t number, uint64_t id)
{
	struct csg_kept_attr *attr = &kept->attrs[number];
	uint64_t *new = csg_array_add(&attr->ids, &attr->n_ids, &attr->cap_ids, sizeof(*new));

	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = id;
	return 0;
}

/* --- features --- */

static bool is_feature_kept(unsigned int number)
{
	switch (number) {
	case CSG_PERF_AUXTRACE:	  /* of the trace */
	case CSG_PERF_EVENT_DESC: /* made anew, as there are more events */
	case CSG_PERF_SAMPLE_TIME:
	case CSG_PERF_DIR_FORMAT: /* of the old file's form */
	case CSG_PERF_COMPRESSED:
		return false;
	default:
		return number && number < CSG_SIMPLEPERF_FILE;
	}
}

static int add_feature(struct csg_kept *kept, unsigned int number, uint64_t len)
{
	struct csg_kept_feature *feature = NULL;

	for (size_t i = 0; i < kept->n_features; i++)
		if (kept->features[i].number == number)
			feature = &kept->features[i];
	if (!feature)
		feature = csg_array_add(&kept->features, &kept->n_features, &kept->cap_features,
					sizeof(*feature));
	if (!feature)
		return -CSG_E_NO_MEMORY;
	*feature = (struct csg_kept_feature){number, kept->end, len};
	return 0;
}

int csg_kept_add_feature(struct csg_kept *kept, unsigned int number, const uint8_t *bytes,
			 size_t len)
{
	int ret;

	if (!is_feature_kept(number))
		return 0;
	ret = add_feature(kept, number, len);
	return ret ? ret : append(kept, bytes, len);
}

int csg_kept_begin_feature(struct csg_kept *kept, unsigned int number, uint64_t len)
{
	int ret = add_feature(kept, number, len);

	if (!ret)
		ret = flush(kept);
	return ret ? ret : kept->fd;
}

void csg_kept_end_feature(struct csg_kept *kept, unsigned int number, uint64_t written)
{
	kept->end += written;
	for (size_t i = 0; i < kept->n_features; i++)
		if (kept->features[i].number == number && kept->features[i].size != written)
			kept->features[i] = kept->features[--kept->n_features];
}

const struct csg_kept_feature *csg_kept_feature(const struct csg_kept *kept, unsigned int number)
{
	for (size_t i = 0; i < kept->n_features; i++)
		if (kept->features[i].number == number)
			return &kept->features[i];
	return NULL;
}

/* --- records --- */

static bool is_record_kept(uint32_t type)
{
	switch (type) {
	case CSG_PERF_RECORD_AUX:
	case CSG_PERF_RECORD_ITRACE_START:
	case CSG_PERF_RECORD_AUX_OUTPUT_HW_ID:
	case CSG_PERF_RECORD_AUXTRACE_INFO:
	case CSG_PERF_RECORD_AUXTRACE:
	case CSG_PERF_RECORD_HEADER_ATTR:
	case CSG_PERF_RECORD_TRACING_DATA:
	case CSG_PERF_RECORD_HEADER_FEATURE:
	case CSG_PERF_RECORD_FINISHED_ROUND:
	case CSG_PERF_RECORD_COMPRESSED:
	case CSG_PERF_RECORD_COMPRESSED2:
		return false;
	default:
		return csg_perf_record_is_known(type);
	}
}

static void put16(uint8_t *at, uint16_t v)
{
	v = htole16(v);
	memcpy(at, &v, sizeof(v));
}

/* Adds len bytes and, of a record whose attr has its ID elsewhere, the ID before or after. */
static int append_record(struct csg_kept *kept, const uint8_t *record, size_t len, uint64_t id,
			 size_t more)
{
	bool is_sample = csg_le32(record) == CSG_PERF_RECORD_SAMPLE;
	uint64_t extra[8] = {0};
	uint8_t header[CSG_PERF_RECORD_HEADER];
	int ret;

	if (len + 8 * more > RECORD_BYTES_MAX) {
		kept->dropped++;
		return 0;
	}
	memcpy(header, record, sizeof(header));
	put16(header + 6, (uint16_t)(len + 8 * more));
	extra[more ? more - 1 : 0] = htole64(id);
	ret = append(kept, header, sizeof(header));
	if (!ret && is_sample)
		ret = append(kept, (uint8_t *)extra, 8 * more);
	if (!ret)
		ret = append(kept, record + sizeof(header), len - sizeof(header));
	if (!ret && !is_sample)
		ret = append(kept, (uint8_t *)extra, 8 * more);
	return ret;
}

int csg_kept_add_record(struct csg_kept *kept, const uint8_t *record, size_t len, uint64_t offset,
			const struct csg_perf_sample *sample, int lacks)
{
	struct csg_kept_record *new;
	uint64_t at;
	bool kernels = csg_le32(record) < CSG_PERF_RECORD_HEADER_ATTR;
	int ret;

	if (!is_record_kept(csg_le32(record)))
		return 0;
	if (lacks < 0) {
		kept->dropped++;
		return 0;
	}
	if (sample->aux)
		len = (size_t)(sample->aux - 8 - record);
	ret = append(kept, (const uint8_t *)&offset, OFFSET_BYTES);
	at = kept->end;
	if (!ret)
		ret = kernels ? append_record(kept, record, len, sample->id, (size_t)lacks)
			      : append(kept, record, len);
	if (ret || kept->end == at)
		return ret;
	new = csg_array_add(&kept->records, &kept->n_records, &kept->cap_records, sizeof(*new));
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = (struct csg_kept_record){kernels ? sample->time : 0, at << 16 | (kept->end - at)};
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct csg_kept_record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* What append_record() made of the records, the attrs say. */
static void set_identifier(struct csg_kept_attr *attr)
{
	uint64_t type = csg_le64(attr->bytes + ATTR_SAMPLE_TYPE) | CSG_SAMPLE_IDENTIFIER;
	uint64_t flags = csg_le64(attr->bytes + ATTR_FLAGS) | CSG_ATTR_SAMPLE_ID_ALL;

	type = htole64(type & ~CSG_SAMPLE_AUX);
	flags = htole64(flags);
	memcpy(attr->bytes + ATTR_SAMPLE_TYPE, &type, 8);
	memcpy(attr->bytes + ATTR_FLAGS, &flags, 8);
}

int csg_kept_finish(struct csg_kept *kept)
{
	if (kept->n_records)
		qsort(kept->records, kept->n_records, sizeof(*kept->records), by_time);
	for (size_t i = 0; i < kept->n_attrs; i++)
		set_identifier(&kept->attrs[i]);
	return flush(kept);
}

int csg_kept_read(struct csg_kept *kept, size_t i, const uint8_t **record, size_t *len)
{
	uint64_t at = kept->records[i].place >> 16;

	*len = kept->records[i].place & 0xffff;
	if (at < kept->window + OFFSET_BYTES || at + *len > kept->window + kept->window_bytes) {
		ssize_t n = pread(kept->fd, kept->buffer, BUFFER_BYTES, (off_t)(at - OFFSET_BYTES));

		kept->window = at - OFFSET_BYTES;
		kept->window_bytes = n > 0 ? (size_t)n : 0;
		if (kept->window_bytes < OFFSET_BYTES + *len)
			return -CSG_E_IO;
	}
	*record = kept->buffer + (at - kept->window);
	return 0;
}

uint64_t csg_kept_offset(const uint8_t *record)
{
	uint64_t offset;

	memcpy(&offset, record - OFFSET_BYTES, sizeof(offset));
	return offset;
}
