/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text on its way to a file descriptor.  Listings are millions of short lines, and what
 * stdio's formatting costs for each is more than decoding does: so numbers are written by
 * hand into one large buffer, which goes out by write() when it is full.
 *
 * Errors stick: after the first failing write() everything is dropped and csg_text_flush()
 * tells the error, so that writers need not look at every call.  A reader who has gone
 * (EPIPE) is an error like others; only the caller knows that it is none to complain about.
 */
#ifndef DECODER_VIEW_TEXT_H
#define DECODER_VIEW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_text {
	char *buf;
	size_t len, size;
	int fd;
	int error; /* errno of the write() that failed, or 0 */
};

/* Begins to write to fd, which stays the caller's.  -CSG_E_NO_MEMORY without a buffer. */
int csg_text_init(struct csg_text *text, int fd);
/* Frees the buffer and what is in it; flush before. */
void csg_text_fini(struct csg_text *text);

/* Writes out what is in the buffer: 0, or -CSG_E_IO as soon as any write() has failed. */
int csg_text_flush(struct csg_text *text);

void csg_text_char(struct csg_text *text, char c);
/* n times c */
void csg_text_fill(struct csg_text *text, char c, size_t n);
void csg_text_bytes(struct csg_text *text, const char *bytes, size_t n);
void csg_text_string(struct csg_text *text, const char *string);

/* printf's "%*s" and "%-*s" */
void csg_text_string_right(struct csg_text *text, const char *string, size_t width);
void csg_text_string_left(struct csg_text *text, const char *string, size_t width);

/* printf's "%*" PRId64; "%-*" PRId64; "%0*" PRIu64; "%*" PRIx64 */
void csg_text_decimal(struct csg_text *text, int64_t number, size_t width);
void csg_text_decimal_left(struct csg_text *text, int64_t number, size_t width);
void csg_text_unsigned(struct csg_text *text, uint64_t number, size_t width);
void csg_text_zeros(struct csg_text *text, uint64_t number, size_t width);
void csg_text_hex(struct csg_text *text, uint64_t number, size_t width);

#endif
