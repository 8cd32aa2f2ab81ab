/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "csguest/error.h"
#include "text/out.h"

static void numbers_of_every_size_are_written(void)
{
	struct csg_out *out = capture_begin();

	csg_out_u64(out, 0);
	csg_out_char(out, ' ');
	csg_out_u64(out, UINT64_MAX);
	csg_out_char(out, ' ');
	csg_out_i64(out, INT64_MIN);
	csg_out_char(out, ' ');
	csg_out_i64(out, 7);
	csg_out_char(out, ' ');
	csg_out_hex(out, 0, 0);
	csg_out_char(out, ' ');
	csg_out_hex(out, 0xabc, 8);
	csg_out_char(out, ' ');
	csg_out_hex(out, UINT64_MAX, 4);
	csg_out_char(out, ' ');
	csg_out_hex(out, 1, 99);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "0 18446744073709551615 -9223372036854775808 7 0 00000abc "
					 "ffffffffffffffff 0000000000000001");
}

static void padding_counts_from_the_last_newline(void)
{
	struct csg_out *out = capture_begin();

	csg_out_str(out, "ab\nc");
	csg_out_pad(out, 4);
	csg_out_str(out, "|");
	csg_out_pad(out, 3);
	csg_out_str(out, "|\n");
	csg_out_pad(out, 40);
	csg_out_str(out, "|");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "ab\nc   ||\n                                        |");
}

static void more_than_a_block_arrives_in_order(void)
{
	struct csg_out *out = capture_begin();
	static char big[CSG_OUT_SIZE + 10];

	memset(big, 'x', sizeof(big) - 1);
	csg_out_str(out, "begin");
	csg_out_str(out, big);
	for (int i = 0; i < CSG_OUT_SIZE; i++)
		csg_out_char(out, "01"[i & 1]);
	csg_out_str(out, "end");
	CU_ASSERT_EQUAL(capture_end(out), 5 + sizeof(big) - 1 + CSG_OUT_SIZE + 3);
	CU_ASSERT_NSTRING_EQUAL(captured, "beginxxx", 8);
	CU_ASSERT_NSTRING_EQUAL(captured + 5 + sizeof(big) - 1, "0101", 4);
	CU_ASSERT_STRING_EQUAL(captured + 5 + sizeof(big) - 1 + CSG_OUT_SIZE, "end");
}

static void the_first_error_latches(void)
{
	struct csg_out *out = malloc(sizeof(*out));

	csg_out_init(out, open("/dev/full", O_WRONLY));
	csg_out_str(out, "x");
	CU_ASSERT_EQUAL(csg_out_flush(out), -CSG_E_IO);
	CU_ASSERT_EQUAL(out->error, ENOSPC);
	CU_ASSERT_EQUAL(csg_out_flush(out), -CSG_E_IO);
	close(out->fd);
	free(out);
}

CSG_SUITE(text, out, CSG_TEST(numbers_of_every_size_are_written),
	  CSG_TEST(padding_counts_from_the_last_newline),
	  CSG_TEST(more_than_a_block_arrives_in_order), CSG_TEST(the_first_error_latches));
