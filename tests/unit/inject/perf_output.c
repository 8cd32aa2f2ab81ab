/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_output.h"

#include <errno.h>
#include <fcntl.h>

#include "csguest/error.h"
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

static void the_file_stays_open(void)
{
	struct writing w;

	writing_begin(&w, false);
	writing_fill(&w);
	csg_perf_output_close(&w.output);
	CU_ASSERT(fcntl(w.fd, F_GETFD) >= 0);
	writing_end(&w);
}

static void a_full_disk_is_told(void)
{
	struct writing w;

	writing_begin(&w, false);
	CU_ASSERT(dup2(open("/dev/full", O_WRONLY), w.output.fd) >= 0);
	CU_ASSERT_EQUAL(writing_finish(&w, NULL, 0), -CSG_E_IO);
	CU_ASSERT_EQUAL(w.output.error, ENOSPC);
	writing_end(&w);
}

CSG_SUITE(inject, perf_output, CSG_TEST(what_was_written_is_read),
	  CSG_TEST(attrs_are_as_long_as_they_need_to_be), CSG_TEST(the_file_stays_open),
	  CSG_TEST(a_full_disk_is_told));
