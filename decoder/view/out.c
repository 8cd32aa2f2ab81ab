/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"

#define NUMBER_MAX 24 /* longest number in decimal or hexadecimal, with sign */

void csg_out_init(struct csg_out *out, int fd)
{
	out->fd = fd;
	out->error = 0;
	out->used = 0;
	out->flushes = 0;
	out->line = 0;
}

static void write_all(struct csg_out *out, const char *bytes, size_t n)
{
	while (n && !out->error) {
		ssize_t done = write(out->fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			out->error = errno;
			return;
		}
		bytes += done;
		n -= (size_t)done;
	}
}

int csg_out_flush(struct csg_out *out)
{
	write_all(out, out->buf, out->used);
	out->used = 0;
	out->flushes++;
	return out->error ? -CSG_E_IO : 0;
}

static void append(struct csg_out *out, const char *bytes, size_t n)
{
	if (n > sizeof(out->buf) - out->used)
		csg_out_flush(out);
	if (n > sizeof(out->buf)) {
		write_all(out, bytes, n);
		return;
	}
	memcpy(out->buf + out->used, bytes, n);
	out->used += n;
}

void csg_out_bytes(struct csg_out *out, const char *bytes, size_t n)
{
	const char *newline = memrchr(bytes, '\n', n);

	out->line = newline ? (size_t)(bytes + n - newline - 1) : out->line + n;
	append(out, bytes, n);
}

void csg_out_part(struct csg_out *out, const char *bytes, size_t n)
{
	out->line += n;
	append(out, bytes, n);
}

void csg_out_str(struct csg_out *out, const char *s)
{
	csg_out_bytes(out, s, strlen(s));
}

void csg_out_u64(struct csg_out *out, uint64_t n)
{
	char text[NUMBER_MAX], *p = text + sizeof(text);

	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	csg_out_part(out, p, (size_t)(text + sizeof(text) - p));
}

void csg_out_i64(struct csg_out *out, int64_t n)
{
	if (n < 0)
		csg_out_char(out, '-');
	csg_out_u64(out, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

void csg_out_hex(struct csg_out *out, uint64_t n, int digits)
{
	char text[NUMBER_MAX], *end = text + sizeof(text), *p = end;

	do {
		*--p = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n);
	while (end - p < digits && end - p < 16)
		*--p = '0';
	csg_out_part(out, p, (size_t)(end - p));
}

void csg_out_pad(struct csg_out *out, size_t column)
{
	static const char blanks[] = "                                ";

	while (out->line < column) {
		size_t n = column - out->line;

		csg_out_part(out, blanks, n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1);
	}
}

void csg_out_printf(struct csg_out *out, const char *format, ...)
{
	char text[1024];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (n > 0)
		csg_out_bytes(out, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

/* Length of the UTF-8 character at s (RFC 3629: no surrogates, no overlong forms), 0: it is none.
 */
static size_t utf8_length(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (s[0] == 0xe0)
		low = 0xa0;
	if (s[0] == 0xed)
		high = 0x9f;
	if (s[0] == 0xf0)
		low = 0x90;
	if (s[0] == 0xf4)
		high = 0x8f;
	if (s[1] < low || s[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Length of the control character at s (C0, DEL, or C1 in UTF-8), 0: it is none. */
static size_t control_length(const unsigned char *s)
{
	if (s[0] < 0x20 || s[0] == 0x7f)
		return 1;
	return s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0 ? 2 : 0;
}

/* Whether all eight bytes at s are printable ASCII. */
static bool is_plain(const unsigned char *s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t w;

	memcpy(&w, s, sizeof(w));
	/* Above 0x7f; 0x7f; below 0x20.  What carries or borrows is none of these and seen by itself. */
	return !((w | (w + ones) | (w - 0x20 * ones)) & 0x80 * ones);
}

void csg_out_text(struct csg_out *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *from = p, *end = p + strlen(s);
	size_t n;

	for (;;) {
		while (end - p >= 8 && is_plain(p))
			p += 8;
		while (*p >= 0x20 && *p < 0x7f)
			p++;
		if (!*p)
			break;
		n = control_length(p);
		if (!n) {
			p++;
			continue;
		}
		csg_out_part(out, (const char *)from, (size_t)(p - from));
		csg_out_char(out, '?');
		p += n;
		from = p;
	}
	csg_out_part(out, (const char *)from, (size_t)(p - from));
}

size_t csg_out_width(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t columns = 0, control;

	while (*p) {
		control = control_length(p);
		columns += control || (*p & 0xc0) != 0x80;
		p += control ? control : 1;
	}
	return columns;
}

static void put_json(struct csg_out *out, const char *s, bool html)
{
	const unsigned char *p = (const unsigned char *)s;

	if (!s) {
		csg_out_str(out, "null");
		return;
	}
	csg_out_char(out, '"');
	while (*p) {
		size_t n = utf8_length(p);

		if (!n) {
			csg_out_str(out, "\\ufffd");
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			csg_out_char(out, '\\');
			csg_out_char(out, (char)*p);
		} else if (*p < 0x20 || *p == 0x7f || (html && *p == '<')) {
			csg_out_str(out, "\\u");
			csg_out_hex(out, *p, 4);
		} else {
			csg_out_bytes(out, (const char *)p, n);
		}
		p += n;
	}
	csg_out_char(out, '"');
}

void csg_out_json(struct csg_out *out, const char *s)
{
	put_json(out, s, false);
}

void csg_out_json_html(struct csg_out *out, const char *s)
{
	put_json(out, s, true);
}

void csg_out_csv(struct csg_out *out, const char *s)
{
	if (!s)
		return;
	if (!s[strcspn(s, ",\"\r\n")]) {
		csg_out_str(out, s);
		return;
	}
	csg_out_char(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			csg_out_char(out, '"');
		csg_out_char(out, *s);
	}
	csg_out_char(out, '"');
}
