/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf_state.h"

#include <stdlib.h>

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

CSG_SUITE(recording, perf_state, CSG_TEST(a_text_ends_with_its_record_at_the_latest));
