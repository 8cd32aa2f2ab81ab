/* SPDX-License-Identifier: BSD-3-Clause */
/* A perf.data whose records a tool changes in place: each stays where it is, and as long as it
 * is. */
#ifndef TESTS_TOOLS_PERF_IN_PLACE_H
#define TESTS_TOOLS_PERF_IN_PLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/perf/perf_records.h"
#include "util/bytes.h"

#define HEADER 8 /* struct perf_event_header */
/* Of no use to anybody here. */
#define RECORD_THROTTLE 5

/* struct perf_file_header: where its data are. */
#define DATA_OFFSET 40
#define DATA_SIZE 48

struct perf_in_place {
	uint8_t *bytes;
	size_t n;
	uint8_t *begin, *end; /* its data section */
};

static inline void put(uint8_t *at, uint64_t value, size_t n)
{
	value = htole64(value);
	memcpy(at, &value, n);
}

/* Reads all of f, to be freed.  False: that is no perf.data. */
static inline bool load(struct perf_in_place *file, FILE *f)
{
	uint64_t offset, size;
	long n;

	if (fseek(f, 0, SEEK_END) || (n = ftell(f)) < DATA_SIZE + 8)
		return false;
	rewind(f);
	file->n = (size_t)n;
	file->bytes = malloc(file->n);
	if (!file->bytes || fread(file->bytes, 1, file->n, f) != file->n)
		return false;
	offset = csg_le64(file->bytes + DATA_OFFSET);
	size = csg_le64(file->bytes + DATA_SIZE);
	if (memcmp(file->bytes, "PERFILE2", 8) || offset > file->n || size > file->n - offset)
		return false;
	file->begin = file->bytes + offset;
	file->end = file->begin + size;
	return true;
}

/* Writes it back, closes f and frees the bytes. */
static inline bool save(struct perf_in_place *file, FILE *f)
{
	bool written;

	rewind(f);
	written = fwrite(file->bytes, 1, file->n, f) == file->n;
	free(file->bytes);
	return !fclose(f) && written;
}

static inline uint16_t size_of(const uint8_t *record)
{
	return csg_le16(record + 6);
}

static inline uint32_t type_of(const uint8_t *record)
{
	return csg_le32(record);
}

/* The record after this one; the end, too, where a size is wrong. */
static inline uint8_t *next(const struct perf_in_place *file, uint8_t *record)
{
	uint64_t left = (uint64_t)(file->end - record), size = size_of(record);

	if (type_of(record) == CSG_PERF_RECORD_AUXTRACE && size >= HEADER + 8 && size <= left)
		size += csg_le64(record + HEADER);
	if (size < HEADER || size > left || left - size < HEADER)
		return file->end;
	return record + size;
}

#endif
