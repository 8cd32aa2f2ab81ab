/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes of a file that one csguest writes and another reads: numbers of 64 bits, little-endian, and
 * texts.  A file begins with 8 bytes that say what it is, and a version; a checksum ends it.
 *
 * Reading checks everything: a file may be cut short, damaged or hostile.  After the first thing
 * that is wrong all that is read is 0, and csg_unpack.failed says so.
 */
#ifndef DECODER_UTIL_PACK_H
#define DECODER_UTIL_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written so far; all zero: nothing. */
struct csg_pack {
	uint8_t *bytes;
	size_t n, capacity;
	bool failed; /* no memory */
};

void csg_pack_fini(struct csg_pack *pack);

/* Begins a file: kind has 8 characters. */
void csg_pack_begin(struct csg_pack *pack, const char *kind, uint64_t version);
/* Ends it with the checksum. */
void csg_pack_end(struct csg_pack *pack);

void csg_pack_number(struct csg_pack *pack, uint64_t value);
/* The same in few bytes where it is small: 7 bits in each, the lowest first (LEB128). */
void csg_pack_short(struct csg_pack *pack, uint64_t value);
/* A difference, which may be negative and wraps, likewise. */
void csg_pack_difference(struct csg_pack *pack, uint64_t value, uint64_t before);
void csg_pack_bytes(struct csg_pack *pack, const void *bytes, size_t n);
/* NULL is allowed, and comes back as NULL. */
void csg_pack_text(struct csg_pack *pack, const char *text);

/* --- a file that is not in memory as a whole --- */

/* Where its bytes go, one after the other. */
struct csg_pack_out {
	int (*write)(void *arg, const void *bytes, size_t n); /* 0, or an error */
	void *arg;
	uint64_t sum; /* csg_checksum() so far */
	int error;    /* the first of write(), which is not called any more */
};

void csg_pack_out_init(struct csg_pack_out *out,
		       int (*write)(void *arg, const void *bytes, size_t n), void *arg);
void csg_pack_put(struct csg_pack_out *out, const void *bytes, size_t n);
void csg_pack_put_number(struct csg_pack_out *out, uint64_t value);
/* Ends it with the checksum.  0, or out->error. */
int csg_pack_out_end(struct csg_pack_out *out);

/* --- reading --- */

/* What is still to be read. */
struct csg_unpack {
	const uint8_t *at, *end;
	bool failed;
};

/*
 * Begins to read a file of this kind.  0, -CSG_E_BAD_MAGIC: it is none, -CSG_E_UNSUPPORTED: of
 * another version, -CSG_E_CORRUPT: cut short or damaged.
 */
int csg_unpack_begin(struct csg_unpack *unpack, const void *bytes, size_t n, const char *kind,
		     uint64_t version);
/* The same of a file that is mapped, and backs the mapping: what was summed is let go of. */
int csg_unpack_begin_mapped(struct csg_unpack *unpack, const void *bytes, size_t n,
			    const char *kind, uint64_t version);
/* All is read, and nothing was wrong: 0, or -CSG_E_CORRUPT. */
int csg_unpack_end(const struct csg_unpack *unpack);

uint64_t csg_unpack_number(struct csg_unpack *unpack);
/* As csg_pack_short() and csg_pack_difference() write them. */
uint64_t csg_unpack_short(struct csg_unpack *unpack);
uint64_t csg_unpack_difference(struct csg_unpack *unpack, uint64_t before);
/* One that is below limit. */
uint64_t csg_unpack_below(struct csg_unpack *unpack, uint64_t limit);
/* How many things follow, each of which takes size bytes at least: they fit in what is left. */
size_t csg_unpack_count(struct csg_unpack *unpack, size_t size);
/* The same, the number in csg_unpack_short()'s form. */
size_t csg_unpack_short_count(struct csg_unpack *unpack, size_t size);
/* n bytes of the file, or NULL. */
const void *csg_unpack_bytes(struct csg_unpack *unpack, size_t n);
/* A text of the file, which lives as long as that; NULL: there is none. */
const char *csg_unpack_text(struct csg_unpack *unpack);

/* A checksum, which is 0 of no bytes alone by chance (FNV-1a, 64 bits). */
uint64_t csg_checksum(const void *bytes, size_t n);
/* The same of these bytes after others, whose checksum is sum. */
uint64_t csg_checksum_on(uint64_t sum, const void *bytes, size_t n);

#endif
