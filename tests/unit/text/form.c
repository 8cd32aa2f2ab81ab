/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "capture.h"
#include "text/form.h"

static void write_form(bool json)
{
	struct csg_out *out = capture_begin();
	struct csg_form f;

	csg_form_begin(&f, out, json);
	csg_form_open(&f, "recording", "Recording");
	csg_form_string(&f, "path", "file", "a\"b");
	csg_form_string(&f, "host", "host name", NULL);
	csg_form_u64(&f, "bytes", "bytes", 12);
	csg_form_bool(&f, "pipe", "pipe mode", false);
	csg_form_time(&f, "begin", "begin", 1002003004);
	csg_form_null(&f, "end");
	csg_form_close(&f);
	csg_form_open_list(&f, "sources", "Sources");
	csg_form_open(&f, NULL, "first");
	csg_form_i64(&f, "cpu", "CPU", -1);
	csg_form_close(&f);
	csg_form_string(&f, NULL, NULL, "item");
	csg_form_line(&f, "for people");
	csg_form_close_list(&f);
	csg_form_open_list(&f, "nothing", NULL);
	csg_form_close_list(&f);
	csg_form_end(&f);
	capture_end(out);
}

static void text_is_labels_and_indented_values(void)
{
	write_form(false);
	CU_ASSERT_STRING_EQUAL(captured, "Recording\n"
					 "  file:              a\"b\n"
					 "  bytes:             12\n"
					 "  pipe mode:         no\n"
					 "  begin:             1.002003004 s\n"
					 "Sources\n"
					 "  first\n"
					 "    CPU:               -1\n"
					 "  item\n"
					 "  for people\n");
}

static void json_has_commas_where_they_belong(void)
{
	write_form(true);
	CU_ASSERT_STRING_EQUAL(captured, "{\n"
					 "  \"recording\": {\n"
					 "    \"path\": \"a\\\"b\",\n"
					 "    \"host\": null,\n"
					 "    \"bytes\": 12,\n"
					 "    \"pipe\": false,\n"
					 "    \"begin\": 1.002003004,\n"
					 "    \"end\": null\n"
					 "  },\n"
					 "  \"sources\": [\n"
					 "    {\n"
					 "      \"cpu\": -1\n"
					 "    },\n"
					 "    \"item\"\n"
					 "  ],\n"
					 "  \"nothing\": []\n"
					 "}\n");
}

static void lines_fit_the_terminal_but_rows_of_tables(void)
{
	struct csg_out *out = capture_begin();
	struct csg_form f;

	out->columns = 26;
	csg_form_begin(&f, out, false);
	csg_form_string(&f, "a", "label", "one two three");
	csg_form_line(&f, "a line of which there are two");
	csg_form_row(&f, "a row of a table is one line");
	csg_form_end(&f);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "label:             one two\n"
					 "                   three\n"
					 "a line of which there are\n"
					 "  two\n"
					 "a row of a table is one line\n");
}

CSG_SUITE(text, form, CSG_TEST(text_is_labels_and_indented_values),
	  CSG_TEST(json_has_commas_where_they_belong),
	  CSG_TEST(lines_fit_the_terminal_but_rows_of_tables));
