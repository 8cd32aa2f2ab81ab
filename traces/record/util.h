/* SPDX-License-Identifier: BSD-3-Clause */
/* Small helpers of the composer. A tool that makes fixtures: out of memory, it stops. */
#ifndef RECORD_UTIL_H
#define RECORD_UTIL_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline uint16_t get16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Room for one more after n elements; rooms are powers of two. */
static inline void *grow(void *list, size_t n, size_t size)
{
	if (n & (n - 1))
		return list;
	list = realloc(list, (n ? 2 * n : 1) * size);
	if (!list) {
		fprintf(stderr, "too little memory\n");
		exit(2);
	}
	return list;
}

/* A whole file, with a page of zeros after it; NULL after a line on stderr. */
static inline uint8_t *load(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long end;

	if (f && !fseek(f, 0, SEEK_END) && (end = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET)) {
		bytes = calloc(1, (size_t)end + 4096);
		if (bytes && fread(bytes, 1, (size_t)end, f) == (size_t)end) {
			*size = (size_t)end;
		} else {
			free(bytes);
			bytes = NULL;
		}
	}
	if (!bytes)
		perror(path);
	if (f)
		fclose(f);
	return bytes;
}

#endif
