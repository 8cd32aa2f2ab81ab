/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

void *csg_enc_grow(void *p, size_t size)
{
	void *q = realloc(p, size);

	if (!q) {
		fprintf(stderr, "encoder: out of memory\n");
		abort();
	}
	return q;
}

void csg_enc_bytes_fini(struct csg_enc_bytes *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}

static void reserve(struct csg_enc_bytes *b, size_t more)
{
	size_t capacity = b->capacity ? b->capacity : 256;

	while (capacity < b->size + more)
		capacity *= 2;
	if (capacity != b->capacity) {
		b->data = csg_enc_grow(b->data, capacity);
		b->capacity = capacity;
	}
}

void csg_enc_bytes_put(struct csg_enc_bytes *b, const void *data, size_t size)
{
	reserve(b, size);
	if (size)
		memcpy(b->data + b->size, data, size);
	b->size += size;
}

static void put_le(struct csg_enc_bytes *b, uint64_t v, size_t size)
{
	reserve(b, size);
	for (size_t i = 0; i < size; i++)
		b->data[b->size++] = (uint8_t)(v >> (8 * i));
}

void csg_enc_bytes_u8(struct csg_enc_bytes *b, uint8_t v)
{
	put_le(b, v, 1);
}

void csg_enc_bytes_u16(struct csg_enc_bytes *b, uint16_t v)
{
	put_le(b, v, 2);
}

void csg_enc_bytes_u32(struct csg_enc_bytes *b, uint32_t v)
{
	put_le(b, v, 4);
}

void csg_enc_bytes_u64(struct csg_enc_bytes *b, uint64_t v)
{
	put_le(b, v, 8);
}

void csg_enc_bytes_zero(struct csg_enc_bytes *b, size_t count)
{
	reserve(b, count);
	if (count)
		memset(b->data + b->size, 0, count);
	b->size += count;
}

void csg_enc_bytes_align(struct csg_enc_bytes *b, size_t align)
{
	csg_enc_bytes_zero(b, (align - b->size % align) % align);
}

void csg_enc_bytes_set_u16(struct csg_enc_bytes *b, size_t offset, uint16_t v)
{
	for (size_t i = 0; i < 2; i++)
		b->data[offset + i] = (uint8_t)(v >> (8 * i));
}

void csg_enc_bytes_set_u64(struct csg_enc_bytes *b, size_t offset, uint64_t v)
{
	for (size_t i = 0; i < 8; i++)
		b->data[offset + i] = (uint8_t)(v >> (8 * i));
}

int csg_enc_bytes_save(const struct csg_enc_bytes *b, const char *path)
{
	FILE *f = fopen(path, "wb");
	int ret = 0;

	if (!f)
		return -CSG_E_IO;
	if (b->size && fwrite(b->data, 1, b->size, f) != b->size)
		ret = -CSG_E_IO;
	if (fclose(f))
		ret = -CSG_E_IO;
	return ret;
}

int csg_enc_bytes_load(struct csg_enc_bytes *b, const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t piece[4096];
	size_t n;
	int ret;

	if (!f)
		return -CSG_E_NOT_FOUND;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		csg_enc_bytes_put(b, piece, n);
	ret = ferror(f) ? -CSG_E_IO : 0;
	fclose(f);
	return ret;
}
