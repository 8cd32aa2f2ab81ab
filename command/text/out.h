/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Output of the views: text gathered in one block and written when it is full, because
 * a listing has millions of lines and stdio costs more than decoding.  Numbers are
 * formatted by hand for the same reason.
 *
 * The first error latches: whatever comes after is dropped, and csg_out_flush() tells it.
 * A reader that went away (EPIPE) is an error of its own, which callers end on without a message.
 */
#ifndef COMMAND_TEXT_OUT_H
#define COMMAND_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/anonym.h"

#define CSG_OUT_SIZE 65536

struct csg_out {
	int fd;
	int error;		   /* 0, or errno of the first write that failed */
	size_t used;		   /* bytes in buf */
	uint64_t flushes;	   /* how often buf was written */
	size_t line;		   /* column: bytes since the last newline, see csg_out_pad() */
	struct csg_anonym *anonym; /* addresses and messages as tokens; NULL: as they are */
	bool colours;		   /* text/colour.h */
	size_t columns;		   /* of the terminal that shows it; 0: whatever there is */
	bool scrolls;		   /* a pager scrolls to the rest of a line that is longer */
	char buf[CSG_OUT_SIZE];
};

/* Not anonymous, no terminal. */
void csg_out_init(struct csg_out *out, int fd);

/* Writes what is gathered.  0, or -CSG_E_IO when this or an earlier write failed. */
int csg_out_flush(struct csg_out *out);

void csg_out_bytes(struct csg_out *out, const char *bytes, size_t n);
/* The same where none of them ends a line. */
void csg_out_part(struct csg_out *out, const char *bytes, size_t n);
/*
 * Room for n bytes, at most CSG_OUT_SIZE, to be filled by hand; csg_out_advance() tells how many
 * were, none of which ends a line.
 */
static inline char *csg_out_reserve(struct csg_out *out, size_t n)
{
	if (n > sizeof(out->buf) - out->used)
		csg_out_flush(out);
	return out->buf + out->used;
}

static inline void csg_out_advance(struct csg_out *out, size_t n)
{
	out->used += n;
	out->line += n;
}

static inline void csg_out_char(struct csg_out *out, char c)
{
	*csg_out_reserve(out, 1) = c;
	out->used++;
	out->line = c == '\n' ? 0 : out->line + 1;
}

void csg_out_str(struct csg_out *out, const char *s);
/* The number of a VM as people read it, csg_vm_text(). */
void csg_out_vm(struct csg_out *out, int32_t vm);
void csg_out_u64(struct csg_out *out, uint64_t n);
void csg_out_i64(struct csg_out *out, int64_t n);
/* Lower case, without 0x, at least digits long (filled with 0, at most 16). */
void csg_out_hex(struct csg_out *out, uint64_t n, int digits);
/* An address of the recording, in hexadecimal as csg_out_hex(): its token where the output is
 * anonymous. */
void csg_out_address(struct csg_out *out, uint64_t address, int digits);
/* Blanks up to this column (bytes, from 0) of the line; none when it is there already. */
void csg_out_pad(struct csg_out *out, size_t column);
void csg_out_printf(struct csg_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
