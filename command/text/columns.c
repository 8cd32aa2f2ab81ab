/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/columns.h"

#include <string.h>

#include "text/escape.h"

#define WIDTH_MAX 64 /* of a number's column; wider ones are not padded further */

static void fill(struct csg_out *out, size_t n)
{
	static const char blanks[] = "                                ";

	while (n) {
		size_t part = n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1;

		csg_out_part(out, blanks, part);
		n -= part;
	}
}

void csg_column_right(struct csg_out *out, const char *string, size_t width)
{
	size_t n = strlen(string);

	if (n < width)
		fill(out, width - n);
	csg_out_text(out, string);
}

void csg_column_left(struct csg_out *out, const char *string, size_t width)
{
	size_t n = strlen(string);

	csg_out_text(out, string);
	if (n < width)
		fill(out, width - n);
}

/* Writes the digits of number so that they end at end; returns where they begin. */
static char *digits(char *end, uint64_t number, unsigned int base)
{
	do {
		*--end = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	return end;
}

static char *signed_digits(char *end, int64_t number)
{
	char *p = digits(end, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);

	if (number < 0)
		*--p = '-';
	return p;
}

/* Pads what begins at p and ends at end to width on its left side, in the buffer before it. */
static void put(struct csg_out *out, char *begin, char *p, char *end, size_t width, char pad)
{
	while ((size_t)(end - p) < width && p > begin)
		*--p = pad;
	csg_out_part(out, p, (size_t)(end - p));
}

void csg_column_i64(struct csg_out *out, int64_t number, size_t width)
{
	char buf[WIDTH_MAX], *end = buf + sizeof(buf);

	put(out, buf, signed_digits(end, number), end, width, ' ');
}

void csg_column_marked(struct csg_out *out, char mark, int64_t number, size_t width)
{
	char buf[WIDTH_MAX], *end = buf + sizeof(buf), *p = signed_digits(end, number);

	*--p = mark;
	put(out, buf, p, end, width, ' ');
}

void csg_column_i64_left(struct csg_out *out, int64_t number, size_t width)
{
	char buf[WIDTH_MAX], *end = buf + sizeof(buf), *p = signed_digits(end, number);
	size_t n = (size_t)(end - p);

	csg_out_part(out, p, n);
	if (n < width)
		fill(out, width - n);
}

void csg_column_u64(struct csg_out *out, uint64_t number, size_t width)
{
	char buf[WIDTH_MAX], *end = buf + sizeof(buf);

	put(out, buf, digits(end, number, 10), end, width, ' ');
}

void csg_column_zeros(struct csg_out *out, uint64_t number, size_t width)
{
	char buf[WIDTH_MAX], *end = buf + sizeof(buf);

	put(out, buf, digits(end, number, 10), end, width, '0');
}

void csg_column_hex(struct csg_out *out, uint64_t number, size_t width)
{
	char buf[WIDTH_MAX], *end = buf + sizeof(buf), *p = end;

	do {
		*--p = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number);
	put(out, buf, p, end, width, ' ');
}

void csg_column_address(struct csg_out *out, uint64_t address, size_t width)
{
	csg_column_hex(out, csg_anonym_address(out->anonym, address), width);
}
