/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_sections.h"

#include "suite.h"
#include "writing.h"

static void what_was_written_is_read(void)
{
	struct csg_recording *rec;
	struct writing w;

	writing_begin(&w, false);
	writing_fill(&w);
	rec = writing_read(&w);
	CU_ASSERT_EQUAL(rec->kept->attrs[0].size, 112);
	csg_recording_close(rec);
	writing_end(&w);
}

/* What an attr has beyond the oldest size stays: perf 6.12's sig_data, config3. */
static void attrs_are_as_long_as_they_need_to_be(void)
{
	struct csg_perf_output_attr attr = {.size = 136};
	const struct csg_perf_output_sections sections = {.attrs = &attr, .n_attrs = 1};
	uint8_t bytes[136] = {0};

	attr.bytes = bytes;
	CU_ASSERT_EQUAL(csg_perf_output_attr_size(&sections), 112);
	bytes[112] = 1;
	CU_ASSERT_EQUAL(csg_perf_output_attr_size(&sections), 120);
	bytes[130] = 1;
	CU_ASSERT_EQUAL(csg_perf_output_attr_size(&sections), 136);
}

CSG_SUITE(inject, perf_sections, CSG_TEST(what_was_written_is_read),
	  CSG_TEST(attrs_are_as_long_as_they_need_to_be));
