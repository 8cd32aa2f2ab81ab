/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"

/* What fn writes, as a string. */
static const char *written(void (*fn)(struct csg_text *))
{
	static char got[4096];
	char name[] = "/tmp/csg-text-XXXXXX";
	int fd = mkstemp(name);
	struct csg_text text;
	ssize_t n;

	unlink(name);
	CU_ASSERT_EQUAL_FATAL(csg_text_init(&text, fd), 0);
	fn(&text);
	CU_ASSERT_EQUAL(csg_text_flush(&text), 0);
	csg_text_fini(&text);
	n = pread(fd, got, sizeof(got) - 1, 0);
	got[n < 0 ? 0 : n] = 0;
	close(fd);
	return got;
}

static const int64_t numbers[] = {0,	 1,	9,	    10,		42,	   99,
				  100,	 12345, -1,	    -10,	INT64_MAX, INT64_MIN,
				  65536, 4095,	1000000000, 0xffff0000, -99999};

static void all_numbers(struct csg_text *text)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		csg_text_decimal(text, numbers[i], 7);
		csg_text_char(text, '|');
		csg_text_decimal_left(text, numbers[i], 7);
		csg_text_char(text, '|');
		csg_text_unsigned(text, (uint64_t)numbers[i], 10);
		csg_text_char(text, '|');
		csg_text_zeros(text, (uint64_t)numbers[i], 6);
		csg_text_char(text, '|');
		csg_text_hex(text, (uint64_t)numbers[i], 16);
		csg_text_char(text, '\n');
	}
}

static void numbers_look_like_those_of_printf(void)
{
	char want[4096];
	int at = 0;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		at += snprintf(want + at, sizeof(want) - (size_t)at,
			       "%7" PRId64 "|%-7" PRId64 "|%10" PRIu64 "|%06" PRIu64 "|%16" PRIx64
			       "\n",
			       numbers[i], numbers[i], (uint64_t)numbers[i], (uint64_t)numbers[i],
			       (uint64_t)numbers[i]);
	CU_ASSERT_STRING_EQUAL(written(all_numbers), want);
}

static void padded(struct csg_text *text)
{
	csg_text_string_right(text, "ab", 5);
	csg_text_string_left(text, "cd", 4);
	csg_text_string_right(text, "longer", 3);
	csg_text_string_left(text, "", 0);
}

static void strings_are_padded_but_never_cut(void)
{
	CU_ASSERT_STRING_EQUAL(written(padded), "   abcd  longer");
}

static void more_than_a_buffer_arrives_whole_and_in_order(void)
{
	char name[] = "/tmp/csg-text-XXXXXX";
	int fd = mkstemp(name);
	struct csg_text text;
	size_t total = 0, n = 0;
	char *huge, *got;

	unlink(name);
	CU_ASSERT_EQUAL_FATAL(csg_text_init(&text, fd), 0);
	huge = malloc(text.size * 2);
	memset(huge, 'h', text.size * 2);
	csg_text_string(&text, "first");
	csg_text_bytes(&text, huge, text.size * 2);
	for (int i = 0; i < 100000; i++)
		csg_text_decimal(&text, i, 9);
	total = 5 + text.size * 2 + 900000;
	CU_ASSERT_EQUAL(csg_text_flush(&text), 0);
	got = malloc(total + 1);
	for (ssize_t r; (r = pread(fd, got + n, total + 1 - n, (off_t)n)) > 0;)
		n += (size_t)r;
	CU_ASSERT_EQUAL(n, total);
	CU_ASSERT_EQUAL(memcmp(got, "firsthhh", 8), 0);
	CU_ASSERT_EQUAL(memcmp(got + total - 18, "    99998    99999", 18), 0);
	csg_text_fini(&text);
	close(fd);
	free(huge);
	free(got);
}

static void a_full_disk_is_told_and_ends_the_writing(void)
{
	int fd = open("/dev/full", O_WRONLY);
	struct csg_text text;

	CU_ASSERT_EQUAL_FATAL(csg_text_init(&text, fd), 0);
	csg_text_fill(&text, 'x', text.size + 1);
	CU_ASSERT_EQUAL(text.error, ENOSPC);
	CU_ASSERT_EQUAL(csg_text_flush(&text), -CSG_E_IO);
	csg_text_string(&text, "and more");
	CU_ASSERT_EQUAL(csg_text_flush(&text), -CSG_E_IO);
	csg_text_fini(&text);
	close(fd);
}

static void a_reader_who_has_gone_is_an_error(void)
{
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	struct csg_text text;
	int fds[2];

	CU_ASSERT_EQUAL_FATAL(pipe(fds), 0);
	close(fds[0]);
	CU_ASSERT_EQUAL_FATAL(csg_text_init(&text, fds[1]), 0);
	csg_text_string(&text, "x");
	CU_ASSERT_EQUAL(csg_text_flush(&text), -CSG_E_IO);
	CU_ASSERT_EQUAL(text.error, EPIPE);
	csg_text_fini(&text);
	close(fds[1]);
	signal(SIGPIPE, old);
}

CSG_SUITE(view, text, CSG_TEST(numbers_look_like_those_of_printf),
	  CSG_TEST(strings_are_padded_but_never_cut),
	  CSG_TEST(more_than_a_buffer_arrives_whole_and_in_order),
	  CSG_TEST(a_full_disk_is_told_and_ends_the_writing),
	  CSG_TEST(a_reader_who_has_gone_is_an_error));
