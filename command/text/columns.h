/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Columns of a listing: printf's padded conversions on struct csg_out, without its format
 * parsing.  Nothing is ever cut: what is wider than its column moves the rest, as printf does.
 */
#ifndef COMMAND_TEXT_COLUMNS_H
#define COMMAND_TEXT_COLUMNS_H

#include "text/out.h"

/* "%*s" and "%-*s", with csg_out_text() */
void csg_column_right(struct csg_out *out, const char *string, size_t width);
void csg_column_left(struct csg_out *out, const char *string, size_t width);

/* "%*" PRId64, "%-*" PRId64, "%*" PRIu64, "%0*" PRIu64, "%*" PRIx64 */
void csg_column_i64(struct csg_out *out, int64_t number, size_t width);
/* A mark right before the number: ":12". */
void csg_column_marked(struct csg_out *out, char mark, int64_t number, size_t width);
void csg_column_i64_left(struct csg_out *out, int64_t number, size_t width);
void csg_column_u64(struct csg_out *out, uint64_t number, size_t width);
void csg_column_zeros(struct csg_out *out, uint64_t number, size_t width);
void csg_column_hex(struct csg_out *out, uint64_t number, size_t width);
/* The same of csg_out_address(). */
void csg_column_address(struct csg_out *out, uint64_t address, size_t width);

#endif
