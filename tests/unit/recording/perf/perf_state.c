/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/recording.h"
#include "suite.h"

static void a_text_ends_with_its_record_at_the_latest(void)
{
	struct csg_perf_state state = {.rec = calloc(1, sizeof(*state.rec))};
	const uint8_t bytes[] = "12345678name\0tail";
	struct csg_perf_raw record = {.bytes = bytes, .body = sizeof(bytes) - 1};

	CU_ASSERT_STRING_EQUAL(csg_perf_text(&state, &record, 8), "name");
	CU_ASSERT_STRING_EQUAL(csg_perf_text(&state, &record, 13), "tail");
	record.body = 10;
	CU_ASSERT_STRING_EQUAL(csg_perf_text(&state, &record, 8), "na");
	CU_ASSERT_STRING_EQUAL(csg_perf_text(&state, &record, 10), "");
	csg_recording_close(state.rec);
	state.rec = NULL;
	csg_perf_state_fini(&state);
	CU_ASSERT_EQUAL(state.n_index, 0);
}

static void trace_that_is_kept_comes_one_after_the_other(void)
{
	struct csg_perf_state state = {.rec = calloc(1, sizeof(*state.rec)), .path = "f"};
	uint8_t bytes[4];
	uint64_t at;
	int file;

	CU_ASSERT_EQUAL(csg_store_add_file(state.rec, open("/dev/null", O_RDONLY), "f", 0), 0);
	file = csg_perf_spill(&state, (const uint8_t *)"abcd", 4, &at);
	CU_ASSERT_EQUAL(file, 1);
	CU_ASSERT_EQUAL(at, 0);
	CU_ASSERT_EQUAL(csg_perf_spill(&state, (const uint8_t *)"efgh", 4, &at), 1);
	CU_ASSERT_EQUAL(at, 4);
	CU_ASSERT_EQUAL(pread(state.rec->files[1].fd, bytes, 4, 4), 4);
	CU_ASSERT(!memcmp(bytes, "efgh", 4));
	CU_ASSERT_EQUAL(state.rec->files[1].size, 8);
	csg_recording_close(state.rec);
	csg_perf_state_fini(&state);
}

CSG_SUITE(recording_perf, perf_state, CSG_TEST(trace_that_is_kept_comes_one_after_the_other),
	  CSG_TEST(a_text_ends_with_its_record_at_the_latest));
