/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"

#define TEXT_SIZE (256 * 1024)
#define DIGITS_MAX 20 /* of UINT64_MAX */

int csg_text_init(struct csg_text *text, int fd)
{
	*text = (struct csg_text){.fd = fd, .size = TEXT_SIZE, .buf = malloc(TEXT_SIZE)};
	return text->buf ? 0 : -CSG_E_NO_MEMORY;
}

void csg_text_fini(struct csg_text *text)
{
	free(text->buf);
	*text = (struct csg_text){.fd = -1};
}

static void write_out(struct csg_text *text, const char *bytes, size_t n)
{
	while (n && !text->error) {
		ssize_t done = write(text->fd, bytes, n);

		if (done < 0) {
			if (errno != EINTR)
				text->error = errno;
			continue;
		}
		bytes += done;
		n -= (size_t)done;
	}
}

int csg_text_flush(struct csg_text *text)
{
	write_out(text, text->buf, text->len);
	text->len = 0;
	return text->error ? -CSG_E_IO : 0;
}

/* Room for n bytes (at most DIGITS_MAX or so) at the end of the buffer. */
static inline char *room(struct csg_text *text, size_t n)
{
	if (text->size - text->len < n)
		csg_text_flush(text);
	return text->buf + text->len;
}

void csg_text_char(struct csg_text *text, char c)
{
	*room(text, 1) = c;
	text->len++;
}

void csg_text_fill(struct csg_text *text, char c, size_t n)
{
	while (n) {
		size_t part = n < 256 ? n : 256;

		memset(room(text, part), c, part);
		text->len += part;
		n -= part;
	}
}

void csg_text_bytes(struct csg_text *text, const char *bytes, size_t n)
{
	if (n > text->size - text->len) {
		csg_text_flush(text);
		if (n > text->size) {
			write_out(text, bytes, n);
			return;
		}
	}
	memcpy(text->buf + text->len, bytes, n);
	text->len += n;
}

void csg_text_string(struct csg_text *text, const char *string)
{
	csg_text_bytes(text, string, strlen(string));
}

void csg_text_string_right(struct csg_text *text, const char *string, size_t width)
{
	size_t n = strlen(string);

	if (n < width)
		csg_text_fill(text, ' ', width - n);
	csg_text_bytes(text, string, n);
}

void csg_text_string_left(struct csg_text *text, const char *string, size_t width)
{
	size_t n = strlen(string);

	csg_text_bytes(text, string, n);
	if (n < width)
		csg_text_fill(text, ' ', width - n);
}

/* The digits of number, ending at end; returns where they begin. */
static char *decimal_digits(char *end, uint64_t number)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";

	while (number >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (number % 100), 2);
		number /= 100;
	}
	if (number >= 10) {
		end -= 2;
		memcpy(end, pairs + 2 * number, 2);
	} else {
		*--end = (char)('0' + number);
	}
	return end;
}

static void put_number(struct csg_text *text, const char *digits, size_t n, size_t width, char pad)
{
	if (n < width)
		csg_text_fill(text, pad, width - n);
	csg_text_bytes(text, digits, n);
}

/* The digits of a signed number with its sign, ending at end. */
static char *signed_digits(char *end, int64_t number)
{
	uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	char *digits = decimal_digits(end, magnitude);

	if (number < 0)
		*--digits = '-';
	return digits;
}

void csg_text_decimal(struct csg_text *text, int64_t number, size_t width)
{
	char buf[DIGITS_MAX + 1], *end = buf + sizeof(buf);
	char *digits = signed_digits(end, number);

	put_number(text, digits, (size_t)(end - digits), width, ' ');
}

void csg_text_decimal_left(struct csg_text *text, int64_t number, size_t width)
{
	char buf[DIGITS_MAX + 1], *end = buf + sizeof(buf);
	char *digits = signed_digits(end, number);
	size_t n = (size_t)(end - digits);

	csg_text_bytes(text, digits, n);
	if (n < width)
		csg_text_fill(text, ' ', width - n);
}

void csg_text_unsigned(struct csg_text *text, uint64_t number, size_t width)
{
	char buf[DIGITS_MAX], *end = buf + sizeof(buf);
	char *digits = decimal_digits(end, number);

	put_number(text, digits, (size_t)(end - digits), width, ' ');
}

void csg_text_zeros(struct csg_text *text, uint64_t number, size_t width)
{
	char buf[DIGITS_MAX], *end = buf + sizeof(buf);
	char *digits = decimal_digits(end, number);

	put_number(text, digits, (size_t)(end - digits), width, '0');
}

void csg_text_hex(struct csg_text *text, uint64_t number, size_t width)
{
	char buf[DIGITS_MAX], *end = buf + sizeof(buf), *digits = end;

	do {
		*--digits = "0123456789abcdef"[number & 15];
		number >>= 4;
	} while (number);
	put_number(text, digits, (size_t)(end - digits), width, ' ');
}
