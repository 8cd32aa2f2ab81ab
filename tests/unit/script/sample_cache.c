/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_cache.h"

#include "suite.h"

static struct csg_out out;
static struct csg_part part;

/* Prints text after what the block holds already, and keeps it. */
static void keep(size_t used, const char *text, size_t n)
{
	struct csg_part_begin begin;

	csg_out_init(&out, -1);
	out.used = used;
	begin = csg_part_begin(&out);
	csg_out_part(&out, text, n);
	csg_part_keep(&part, &out, begin, 1, 2, 3);
}

static void what_is_kept_is_printed_again(void)
{
	keep(10, "ffff800080120d60 psi_group_change", 33);
	CU_ASSERT(csg_part_is(&part, 1, 2, 3));
	CU_ASSERT_FALSE(csg_part_is(&part, 1, 2, 4));
	CU_ASSERT_FALSE(csg_part_is(&part, 1, 0, 3));
	CU_ASSERT(csg_part_holds(&part, 0));
	csg_part_put(&part, &out);
	CU_ASSERT_EQUAL(out.used, 10 + 2 * 33);
	CU_ASSERT_EQUAL(out.line, 2 * 33);
	CU_ASSERT(!memcmp(out.buf + 10 + 33, "ffff800080120d60 psi_group_change", 33));
}

static void nothing_is_kept_of_what_is_too_long(void)
{
	static const char text[CSG_PART_MAX + 1];

	keep(0, text, CSG_PART_MAX);
	CU_ASSERT_EQUAL(part.size, CSG_PART_MAX);
	keep(0, text, CSG_PART_MAX + 1);
	CU_ASSERT_EQUAL(part.size, 0);
	CU_ASSERT_FALSE(csg_part_is(&part, 1, 2, 3));
}

/* What is left in the block would pass for the whole. */
static void nothing_is_kept_of_what_was_written_in_between(void)
{
	static const char text[CSG_OUT_SIZE];
	struct csg_part_begin begin;

	keep(CSG_OUT_SIZE - CSG_PART_MAX - 1, text, CSG_OUT_SIZE);
	CU_ASSERT_EQUAL(part.size, 0);
	csg_out_init(&out, -1);
	begin = csg_part_begin(&out);
	csg_out_part(&out, text, CSG_OUT_SIZE);
	csg_out_part(&out, "rest", 4);
	CU_ASSERT_EQUAL(out.used, 4);
	csg_part_keep(&part, &out, begin, 1, 2, 3);
	CU_ASSERT_EQUAL(part.size, 0);
}

CSG_SUITE(script, sample_cache, CSG_TEST(what_is_kept_is_printed_again),
	  CSG_TEST(nothing_is_kept_of_what_is_too_long),
	  CSG_TEST(nothing_is_kept_of_what_was_written_in_between));
