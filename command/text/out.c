/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "csguest/owner.h"

#define NUMBER_MAX 24 /* longest number in decimal or hexadecimal, with sign */

void csg_out_init(struct csg_out *out, int fd)
{
	out->fd = fd;
	out->error = 0;
	out->used = 0;
	out->flushes = 0;
	out->line = 0;
	out->anonym = NULL;
	out->colours = false;
	out->columns = 0;
	out->scrolls = false;
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

void csg_out_vm(struct csg_out *out, int32_t vm)
{
	char number[CSG_VM_TEXT_SIZE];

	csg_vm_text(vm, number, sizeof(number));
	csg_out_str(out, number);
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

void csg_out_address(struct csg_out *out, uint64_t address, int digits)
{
	csg_out_hex(out, csg_anonym_address(out->anonym, address), digits);
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
