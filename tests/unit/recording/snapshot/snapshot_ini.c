/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot_ini.h"

#include <stdio.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

/* All lines as "[section]key=value@offset ". */
static int note(void *arg, const char *section, const char *key, const char *value, uint64_t offset)
{
	char *text = arg;

	sprintf(text + strlen(text), "[%.40s]%.40s=%.40s@%d ", section, key, value ? value : "NULL",
		(int)offset);
	return strcmp(key, "stop") ? 0 : 55;
}

static const char *read_text(const char *ini)
{
	static char text[4096];

	text[0] = 0;
	CU_ASSERT_EQUAL(csg_snapshot_ini_read(ini, strlen(ini), note, text), 0);
	return text;
}

static void sections_hold_keys_and_values(void)
{
	CU_ASSERT_STRING_EQUAL(read_text("x=1\n[a]\nb = c d \n[ e ]\nf=\"g\"\n"),
			       "[]x=1@0 [a]b=c d@8 [e]f=g@23 ");
}

static void comments_blanks_and_cr_are_no_text(void)
{
	CU_ASSERT_STRING_EQUAL(read_text("; DS-5\r\n\r\n\t[a] # b\r\nc=d;e\r\n  \t\nf=1=2"),
			       "[a]c=d@20 [a]f=1=2@31 ");
}

static void a_line_without_a_value_is_reported(void)
{
	CU_ASSERT_STRING_EQUAL(read_text("[a]\nb\n[open\n=c\n"),
			       "[a]b=NULL@4 [a][open=NULL@6 [a]=c@12 ");
}

static void the_reader_may_stop(void)
{
	char text[4096] = "";

	CU_ASSERT_EQUAL(csg_snapshot_ini_read("a=1\nstop=1\nb=1", 14, note, text), 55);
	CU_ASSERT_STRING_EQUAL(text, "[]a=1@0 []stop=1@4 ");
}

static void long_lines_are_cut(void)
{
	static char ini[5000];
	char text[4096] = "";

	memset(ini, 'x', sizeof(ini));
	ini[0] = '[';
	ini[1100] = ']';
	ini[4000] = '\n';
	ini[4001] = '=';
	ini[4003] = '\n';
	CU_ASSERT_EQUAL(csg_snapshot_ini_read(ini, sizeof(ini), note, text), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "[]=x@4001 "));
	CU_ASSERT_EQUAL(csg_snapshot_ini_read("\0\n\0=\0", 5, note, text), 0);
}

static void registers_are_known_without_their_decoration(void)
{
	CU_ASSERT(csg_snapshot_ini_is_register("TRCIDR1", "TRCIDR1"));
	CU_ASSERT(csg_snapshot_ini_is_register("TRCIDR1(0x079)", "TRCIDR1"));
	CU_ASSERT(csg_snapshot_ini_is_register("trcidr1 (id:0x79,size:32)", "TRCIDR1"));
	CU_ASSERT(!csg_snapshot_ini_is_register("TRCIDR10(0x062)", "TRCIDR1"));
	CU_ASSERT(!csg_snapshot_ini_is_register("TRCIDR", "TRCIDR1"));
	CU_ASSERT(!csg_snapshot_ini_is_register("(TRCIDR1)", "TRCIDR1"));
}

static void numbers_have_any_base(void)
{
	uint64_t v;

	CU_ASSERT_EQUAL(csg_snapshot_ini_number("0xFFFFFFC000081000", &v), 0);
	CU_ASSERT_EQUAL(v, UINT64_C(0xffffffc000081000));
	CU_ASSERT_EQUAL(csg_snapshot_ini_number("17", &v), 0);
	CU_ASSERT_EQUAL(v, 17);
	CU_ASSERT_EQUAL(csg_snapshot_ini_number("017", &v), 0);
	CU_ASSERT_EQUAL(v, 15);
	CU_ASSERT_EQUAL(csg_snapshot_ini_number("", &v), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_snapshot_ini_number("12x", &v), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_snapshot_ini_number("-1", &v), -CSG_E_CORRUPT);
	CU_ASSERT_EQUAL(csg_snapshot_ini_number("0x10000000000000000", &v), -CSG_E_CORRUPT);
}

CSG_SUITE(recording_snapshot, snapshot_ini, CSG_TEST(sections_hold_keys_and_values),
	  CSG_TEST(comments_blanks_and_cr_are_no_text),
	  CSG_TEST(a_line_without_a_value_is_reported), CSG_TEST(the_reader_may_stop),
	  CSG_TEST(long_lines_are_cut), CSG_TEST(registers_are_known_without_their_decoration),
	  CSG_TEST(numbers_have_any_base));
