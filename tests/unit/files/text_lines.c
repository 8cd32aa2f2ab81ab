/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/text_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "csguest/error.h"
#include "suite.h"

static char path[64];

static void save(const char *text, bool zstd)
{
	size_t n = strlen(text), capacity = ZSTD_compressBound(n);
	char *out = malloc(capacity);
	int fd;

	strcpy(path, "/tmp/csguest-lines-XXXXXX");
	fd = mkstemp(path);
	if (zstd) {
		/* Two frames, and the first ends inside of a line. */
		size_t a = ZSTD_compress(out, capacity, text, n / 2, 1);

		CU_ASSERT_EQUAL(write(fd, out, a), (ssize_t)a);
		n -= n / 2;
		n = ZSTD_compress(out, capacity, text + strlen(text) - n, n, 1);
	}
	CU_ASSERT_EQUAL(write(fd, zstd ? out : text, n), (ssize_t)n);
	close(fd);
	free(out);
}

static void each_form(bool zstd)
{
	struct csg_text_lines f;
	char *line;
	uint64_t offset, number;

	save("first\n\nthird line\nfourth\n", zstd);
	CU_ASSERT_EQUAL_FATAL(csg_text_lines_open(&f, path), 0);
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 1);
	CU_ASSERT_STRING_EQUAL(line, "first");
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 1);
	CU_ASSERT_STRING_EQUAL(line, "");
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 1);
	CU_ASSERT_STRING_EQUAL(line, "third line");
	offset = f.offset;
	number = f.line;
	CU_ASSERT_EQUAL(number, 3);
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 1);
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 0);
	CU_ASSERT_EQUAL(csg_text_lines_seek(&f, offset, number), 0);
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 1);
	CU_ASSERT_STRING_EQUAL(line, "third line");
	CU_ASSERT_EQUAL(f.line, 3);
	csg_text_lines_close(&f);
	unlink(path);
}

static void plain_and_compressed_text_read_the_same(void)
{
	each_form(false);
	each_form(true);
}

static void a_line_without_an_end_is_cut_short(void)
{
	struct csg_text_lines f;
	char *line;

	for (int zstd = 0; zstd < 2; zstd++) {
		save("whole\ncut", zstd);
		CU_ASSERT_EQUAL_FATAL(csg_text_lines_open(&f, path), 0);
		CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), 1);
		CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), -CSG_E_TRUNCATED);
		csg_text_lines_close(&f);
		unlink(path);
	}
}

static void bytes_that_are_no_text_are_refused(void)
{
	struct csg_text_lines f;
	char *line;
	FILE *out;

	save("x", false);
	out = fopen(path, "w");
	fwrite("a\0b\n", 1, 4, out);
	fclose(out);
	CU_ASSERT_EQUAL_FATAL(csg_text_lines_open(&f, path), 0);
	CU_ASSERT_EQUAL(csg_text_lines_next(&f, &line), -CSG_E_CORRUPT);
	csg_text_lines_close(&f);
	out = fopen(path, "w");
	fwrite("\x28\xb5\x2f\xfdgarbage of all kinds", 1, 24, out);
	fclose(out);
	CU_ASSERT_EQUAL_FATAL(csg_text_lines_open(&f, path), 0);
	CU_ASSERT(csg_text_lines_next(&f, &line) < 0);
	csg_text_lines_close(&f);
	unlink(path);
}

CSG_SUITE(files, text_lines, CSG_TEST(plain_and_compressed_text_read_the_same),
	  CSG_TEST(a_line_without_an_end_is_cut_short),
	  CSG_TEST(bytes_that_are_no_text_are_refused));
