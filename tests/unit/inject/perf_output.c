/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/perf_output.h"

#include <errno.h>
#include <fcntl.h>

#include "csguest/error.h"
#include "suite.h"
#include "writing.h"

static void the_file_stays_open(void)
{
	struct writing w;

	writing_begin(&w, false);
	writing_fill(&w);
	csg_perf_output_close(&w.output);
	CU_ASSERT(fcntl(w.fd, F_GETFD) >= 0);
	writing_end(&w);
}

static void a_full_disk_is_reported(void)
{
	struct writing w;

	writing_begin(&w, false);
	CU_ASSERT(dup2(open("/dev/full", O_WRONLY), w.output.fd) >= 0);
	CU_ASSERT_EQUAL(writing_finish(&w, NULL, 0), -CSG_E_IO);
	CU_ASSERT_EQUAL(w.output.error, ENOSPC);
	writing_end(&w);
}

CSG_SUITE(inject, perf_output, CSG_TEST(the_file_stays_open), CSG_TEST(a_full_disk_is_reported));
