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
#include "view/out.h"

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

static void json_strings_are_escaped(void)
{
	struct csg_out *out = capture_begin();

	csg_out_json(out, "a\"b\\c\n\x01\x7f");
	csg_out_json(out, "\xc3\xa9 \xf0\x9f\x98\x80");
	csg_out_json(out, NULL);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "\"a\\\"b\\\\c\\u000a\\u0001\\u007f\""
					 "\"\xc3\xa9 \xf0\x9f\x98\x80\"null");
}

static void bytes_that_are_no_utf8_do_not_reach_json(void)
{
	struct csg_out *out = capture_begin();

	csg_out_json(out, "\xff");	       /* no lead byte */
	csg_out_json(out, "\xc0\xaf");	       /* overlong */
	csg_out_json(out, "\xed\xa0\x80");     /* surrogate */
	csg_out_json(out, "\xf4\x90\x80\x80"); /* behind U+10FFFF */
	csg_out_json(out, "\xe2\x82");	       /* cut */
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "\"\\ufffd\"\"\\ufffd\\ufffd\"\"\\ufffd\\ufffd\\ufffd\""
					 "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\"\\ufffd\\ufffd\"");
}

static void csv_fields_are_quoted_where_needed(void)
{
	struct csg_out *out = capture_begin();

	csg_out_csv(out, "plain text");
	csg_out_char(out, ',');
	csg_out_csv(out, "std::map<int, int>");
	csg_out_char(out, ',');
	csg_out_csv(out, "say \"x\"");
	csg_out_char(out, ',');
	csg_out_csv(out, "two\nlines");
	csg_out_char(out, ',');
	csg_out_csv(out, NULL);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured, "plain text,\"std::map<int, int>\",\"say \"\"x\"\"\",\"two\nlines\",");
}

static void text_for_a_terminal_holds_no_control_characters(void)
{
	struct csg_out *out = capture_begin();

	csg_out_text(out, "a\x1b[31mb\r\n\x7f \xc2\x9b \xc3\xa9\xff");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "a?[31mb??? ? \xc3\xa9\xff");
	CU_ASSERT_EQUAL(csg_out_width("a\x1b\xc2\x9b\xc3\xa9"), 4);
	CU_ASSERT_EQUAL(csg_out_width(""), 0);
}

/* Text is looked at eight bytes at a time: every byte at every place, alone and beside what carries. */
static void no_byte_of_a_text_is_overlooked(void)
{
	static const char around[] = {'a', ' ', '~', '\x80', '\xff'};
	char text[20], want[20];
	size_t wrong = 0;

	for (size_t k = 0; k < sizeof(around); k++) {
		for (int byte = 1; byte < 256; byte++) {
			for (size_t at = 0; at < sizeof(text) - 1; at++) {
				struct csg_out *out = capture_begin();

				memset(text, around[k], sizeof(text) - 1);
				text[at] = (char)byte;
				text[sizeof(text) - 1] = 0;
				memcpy(want, text, sizeof(text));
				if (byte < 0x20 || byte == 0x7f)
					want[at] = '?';
				csg_out_text(out, text);
				capture_end(out);
				/* 0xc2 and what follows may be one control character. */
				wrong += byte != 0xc2 && strcmp(captured, want) != 0;
			}
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
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

CSG_SUITE(view, out, CSG_TEST(numbers_of_every_size_are_written),
	  CSG_TEST(padding_counts_from_the_last_newline),
	  CSG_TEST(more_than_a_block_arrives_in_order), CSG_TEST(json_strings_are_escaped),
	  CSG_TEST(bytes_that_are_no_utf8_do_not_reach_json),
	  CSG_TEST(csv_fields_are_quoted_where_needed),
	  CSG_TEST(text_for_a_terminal_holds_no_control_characters),
	  CSG_TEST(no_byte_of_a_text_is_overlooked), CSG_TEST(the_first_error_latches));
