/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/escape.h"

#include <string.h>

#include "suite.h"

#include "capture.h"

static void json_strings_are_escaped(void)
{
	struct csg_out *out = capture_begin();

	csg_out_json(out, "a\"b\\c\n\x01\x7f");
	csg_out_json(out, "\xc3\xa9 \xf0\x9f\x98\x80");
	csg_out_json(out, NULL);
	csg_out_json(out, "\xc2\x9b</script>");
	csg_out_json_html(out, "</script>\xff");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "\"a\\\"b\\\\c\\u000a\\u0001\\u007f\""
					 "\"\xc3\xa9 \xf0\x9f\x98\x80\"null"
					 "\"\\u009b</script>\"\"\\u003c/script>\\ufffd\"");
}

static void bytes_that_are_no_utf8_do_not_reach_json(void)
{
	struct csg_out *out = capture_begin();

	csg_out_json(out, "\xff");	       /* no lead byte */
	csg_out_json(out, "\xc0\xaf");	       /* overlong */
	csg_out_json(out, "\xed\xa0\x80");     /* surrogate */
	csg_out_json(out, "\xf4\x90\x80\x80"); /* after U+10FFFF */
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
	csg_out_csv(out, "two\nlines\x9b\xc2\x9b");
	csg_out_char(out, ',');
	csg_out_csv(out, NULL);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(
		captured,
		"plain text,\"std::map<int, int>\",\"say \"\"x\"\"\",two?lines\xef\xbf\xbd?,");
}

static void a_csv_field_is_no_formula(void)
{
	static const char *const fields[] = {"=1+1", "+1", "@SUM(A1)", "-1+1",
					     "-1",   "-",  "-=,",      "a=b"};
	struct csg_out *out = capture_begin();

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		csg_out_csv(out, fields[i]);
		csg_out_char(out, '|');
	}
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "'=1+1|'+1|'@SUM(A1)|'-1+1|-1|-|\"'-=,\"|a=b|");
}

static void xml_holds_what_xml_may_hold(void)
{
	struct csg_out *out = capture_begin();

	csg_out_xml(out, "<&>\"' \x1b\xc2\x9b \xc3\xa9\xc3 \xef\xbf\xbe\xef\xbf\xbd");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "&lt;&amp;&gt;&quot;&#39; ?? \xc3\xa9\xef\xbf\xbd "
					 "\xef\xbf\xbd\xef\xbf\xbd");
}

static void a_folded_name_divides_nothing(void)
{
	struct csg_out *out = capture_begin();

	csg_out_folded(out, "a;b\n\xc2\x85\xff\xc3\xa9 c");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "a:b???\xc3\xa9 c");
}

static void a_name_is_fit_for_a_file(void)
{
	char name[] = "../a\"b\n\xc2\x85\xff\xc3\xa9 c";

	csg_escape_name(name);
	CU_ASSERT_STRING_EQUAL(name, ".._a_b____\xc3\xa9 c");
}

static void text_is_cut_between_characters(void)
{
	CU_ASSERT_EQUAL(csg_escape_cut("abc", 5), 3);
	CU_ASSERT_EQUAL(csg_escape_cut("abc", 3), 3);
	CU_ASSERT_EQUAL(csg_escape_cut("abc", 2), 2);
	CU_ASSERT_EQUAL(csg_escape_cut("a\xc3\xa9z", 2), 1);
	CU_ASSERT_EQUAL(csg_escape_cut("a\xc3\xa9z", 3), 3);
	CU_ASSERT_EQUAL(csg_escape_cut("\xf0\x9f\x98\x80z", 3), 0);
	CU_ASSERT_EQUAL(csg_escape_cut("\x80\x80\x80\x80\x80\x80", 5), 5);
}

static void text_for_a_terminal_holds_no_control_characters(void)
{
	struct csg_out *out = capture_begin();

	csg_out_text(out, "a\x1b[31mb\r\n\x7f \xc2\x9b \xc3\xa9\xff");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "a?[31mb??? ? \xc3\xa9?");
	CU_ASSERT_EQUAL(csg_out_width("a\x1b\xc2\x9b\xc3\xa9"), 4);
	CU_ASSERT_EQUAL(csg_out_width(""), 0);
}

static void cut_once(const char *s, size_t room, const char *want)
{
	struct csg_out *out = capture_begin();

	csg_out_cut(out, s, room);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, want);
}

static void what_is_too_wide_ends_in_dots(void)
{
	cut_once("abcdef", 6, "abcdef");
	cut_once("abcdefg", 6, "abc...");
	cut_once("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9...");
	cut_once("abcd", 3, "...");
	cut_once("\x1b]bcdefg", 5, "?]...");
}

static void rest_once(size_t columns, bool scrolls, const char *want)
{
	struct csg_out *out = capture_begin();

	out->columns = columns;
	out->scrolls = scrolls;
	csg_out_rest(out, "abcdefghij", 10, 5);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, want);
}

static void a_line_ends_where_the_terminal_does(void)
{
	rest_once(0, false, "abcdefghij\n");
	rest_once(20, false, "abcdefghij\n");
	rest_once(19, false, "abcdef...\n");
	rest_once(12, false, "ab...\n");
	rest_once(19, true, "abcdefghij\n");
}

static void wrapped_once(const char *text, size_t columns, const char *want)
{
	struct csg_out *out = capture_begin();

	csg_out_str(out, "> ");
	csg_out_wrapped(out, text, columns, 4);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, want);
}

static void a_line_is_wrapped_at_its_blanks(void)
{
	wrapped_once("ab cd ef gh", 0, "> ab cd ef gh");
	wrapped_once("ab cd ef gh", 8, "> ab cd\n    ef\n    gh");
	wrapped_once("ab cd ef gh", 7, "> ab cd\n    ef\n    gh");
	wrapped_once("abcdefgh i", 4, "> abcdefgh\n    i");
	wrapped_once("  a  b", 20, ">   a  b");
	wrapped_once("\x1b[ a", 20, "> ?[ a");
}

static void a_database_holds_utf8_without_control_characters(void)
{
	char to[64];

	csg_escape_database("a\x1b\x7f\xc2\x9b\xc3\xa9\xff\xc3", to);
	CU_ASSERT_STRING_EQUAL(to, "a???\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
	CU_ASSERT(csg_escape_is_clean(to + 4));
	CU_ASSERT(csg_escape_is_clean("") && csg_escape_is_clean("abcdefgh\xc3\xa9"));
	CU_ASSERT_FALSE(csg_escape_is_clean("abcdefgh\n"));
	CU_ASSERT_FALSE(csg_escape_is_clean("abcdefgh\xc3"));
	CU_ASSERT_FALSE(csg_escape_is_clean("\xc2\x80"));
}

/* Text is looked at eight bytes at a time: every byte at every place, alone and beside what
 * carries. */
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
				for (char *c = want; *c; c++)
					if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
						*c = '?';
				csg_out_text(out, text);
				capture_end(out);
				/* A lead byte and what follows may be a character. */
				wrong +=
					(byte < 0xc2 || byte > 0xf4) && strcmp(captured, want) != 0;
			}
		}
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

CSG_SUITE(text, escape, CSG_TEST(json_strings_are_escaped),
	  CSG_TEST(bytes_that_are_no_utf8_do_not_reach_json),
	  CSG_TEST(csv_fields_are_quoted_where_needed), CSG_TEST(a_csv_field_is_no_formula),
	  CSG_TEST(xml_holds_what_xml_may_hold), CSG_TEST(a_folded_name_divides_nothing),
	  CSG_TEST(a_name_is_fit_for_a_file), CSG_TEST(text_is_cut_between_characters),
	  CSG_TEST(what_is_too_wide_ends_in_dots), CSG_TEST(a_line_ends_where_the_terminal_does),
	  CSG_TEST(a_line_is_wrapped_at_its_blanks),
	  CSG_TEST(text_for_a_terminal_holds_no_control_characters),
	  CSG_TEST(a_database_holds_utf8_without_control_characters),
	  CSG_TEST(no_byte_of_a_text_is_overlooked));
