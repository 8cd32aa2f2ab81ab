/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A growing buffer of bytes, little-endian as everything the encoder writes: trace
 * packets, perf.data records, dumps.
 *
 * The encoder is a tool for tests: where memory runs out it ends the process, so that
 * no caller has to carry an error that never happens.
 */
#ifndef TESTS_ENCODER_BYTES_H
#define TESTS_ENCODER_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct csg_enc_bytes {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

/* Frees the memory and leaves an empty buffer. */
void csg_enc_bytes_fini(struct csg_enc_bytes *b);

/* Appends. */
void csg_enc_bytes_put(struct csg_enc_bytes *b, const void *data, size_t size);
void csg_enc_bytes_u8(struct csg_enc_bytes *b, uint8_t v);
void csg_enc_bytes_u16(struct csg_enc_bytes *b, uint16_t v);
void csg_enc_bytes_u32(struct csg_enc_bytes *b, uint32_t v);
void csg_enc_bytes_u64(struct csg_enc_bytes *b, uint64_t v);
void csg_enc_bytes_zero(struct csg_enc_bytes *b, size_t count);

/* Appends zeros until the size is a multiple of align (a power of two). */
void csg_enc_bytes_align(struct csg_enc_bytes *b, size_t align);

/* Overwrites what is already there, at offset. */
void csg_enc_bytes_set_u16(struct csg_enc_bytes *b, size_t offset, uint16_t v);
void csg_enc_bytes_set_u64(struct csg_enc_bytes *b, size_t offset, uint64_t v);

/* Writes the buffer to a new file.  0, or -CSG_E_IO. */
int csg_enc_bytes_save(const struct csg_enc_bytes *b, const char *path);

/* Appends the contents of a file.  0, -CSG_E_NOT_FOUND or -CSG_E_IO. */
int csg_enc_bytes_load(struct csg_enc_bytes *b, const char *path);

/* realloc() that ends the process where it fails. */
void *csg_enc_grow(void *p, size_t size);

#endif
