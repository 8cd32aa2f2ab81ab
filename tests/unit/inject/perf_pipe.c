/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "csguest/error.h"
#include "suite.h"
#include "writing.h"

static void attrs_features_and_records_go_through_a_pipe(void)
{
	struct csg_recording *rec;
	struct writing w;

	writing_begin(&w, true);
	writing_fill(&w);
	CU_ASSERT_EQUAL(w.output.left, 0);
	rec = writing_read(&w);
	csg_recording_close(rec);
	writing_end(&w);
}

static void a_feature_that_no_record_can_hold_is_left_out(void)
{
	static const uint8_t long_one[70000];
	const struct csg_perf_output_feature features[] = {
		{.number = CSG_PERF_CMDLINE, .bytes = long_one, .size = sizeof(long_one)}};
	struct writing w;

	writing_begin(&w, true);
	CU_ASSERT_EQUAL(writing_finish(&w, features, 1), 0);
	CU_ASSERT_EQUAL(w.output.left, 1);
	writing_end(&w);
}

static void an_error_of_the_pipe_is_reported(void)
{
	struct writing w;

	writing_begin(&w, true);
	close(w.output.pipe);
	w.output.pipe = open("/dev/full", O_WRONLY);
	CU_ASSERT_EQUAL(writing_finish(&w, NULL, 0), -CSG_E_IO);
	CU_ASSERT_EQUAL(w.output.error, ENOSPC);
	writing_end(&w);
}

CSG_SUITE(inject, perf_pipe, CSG_TEST(attrs_features_and_records_go_through_a_pipe),
	  CSG_TEST(a_feature_that_no_record_can_hold_is_left_out),
	  CSG_TEST(an_error_of_the_pipe_is_reported));
