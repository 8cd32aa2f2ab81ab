/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/stamped.h"

#include "recorded_walk.h"
#include "suite.h"

#define TRCCONFIGR_TS (1u << 11)

static struct recorded_walk w;
static bool windows; /* it was said last that it is of windows */

/* What is said of a walk's trace, whose unit is set as it was, or otherwise. */
static bool ask(bool ts, bool is_virtual)
{
	struct csg_source source;
	struct csg_stamped is;
	size_t n;

	source = csg_recording_sources(w.rec, &n)[0];
	if (!ts)
		source.trcconfigr &= ~TRCCONFIGR_TS;
	source.ts_source = is_virtual ? CSG_TS_SOURCE_VIRTUAL : CSG_TS_SOURCE_UNKNOWN;
	CU_ASSERT_EQUAL(csg_is_stamped(w.rec, &source, &is), 0);
	windows = is.windows;
	return is.stamped;
}

static void it_takes_timestamps_that_guests_know(void)
{
	unsigned int stamped = 0;

	for (uint64_t seed = 1; seed < 30; seed++) {
		bool has_ts;
		size_t n;

		memset(&w, 0, sizeof(w));
		CU_ASSERT_FATAL(walk_init(&w.walk, seed, seed & 1, false, 500));
		recorded_walk_open(&w);
		has_ts = csg_recording_sources(w.rec, &n)[0].trcconfigr & TRCCONFIGR_TS;
		CU_ASSERT_FALSE(ask(false, true));
		CU_ASSERT_FALSE(ask(true, false));
		CU_ASSERT_FALSE(!has_ts && ask(true, true));
		stamped += has_ts && ask(true, true);
		recorded_walk_close(&w);
	}
	CU_ASSERT(stamped > 5);
}

/* A walk that is not stamped, in parts with a Trace On each, of about steps P0 elements. */
static void open_parts(unsigned int parts, unsigned int steps)
{
	const struct csg_enc_wander_options options = {.steps = steps};

	memset(&w, 0, sizeof(w));
	w.walk.random.state = 1;
	walk_model(&w.walk.model, &w.walk.random, false);
	w.walk.model.clock = CSG_ENC_CLOCK_ZERO;
	csg_enc_etm_init(&w.walk.etm, &w.walk.model);
	csg_enc_wander_init(&w.walk.machine, &w.walk.random, false);
	for (unsigned int i = 0; i < parts; i++) {
		if (i)
			csg_enc_path_mark(&w.walk.path, CSG_ENC_OFF, 0, 0);
		csg_enc_wander_walk(&w.walk.machine, &w.walk.random, &options, &w.walk.path);
	}
	CU_ASSERT_FATAL(csg_enc_etm_path(&w.walk.etm, &w.walk.path) >= 0);
	recorded_walk_open(&w);
	CU_ASSERT_FALSE(ask(true, true));
}

static void a_counter_that_does_not_run_stamps_nothing(void)
{
	size_t n;

	open_parts(1, 500);
	CU_ASSERT(csg_recording_sources(w.rec, &n)[0].trcconfigr & TRCCONFIGR_TS);
	recorded_walk_close(&w);
	/* Nor a trace that is too short for one. */
	open_parts(1, 5);
	CU_ASSERT(w.walk.etm.out.size < CSG_STAMPED_BYTES);
	recorded_walk_close(&w);
}

static void windows_have_many_trace_ons(void)
{
	open_parts(1, 500);
	CU_ASSERT_FALSE(windows);
	recorded_walk_close(&w);
	open_parts(3, 500);
	CU_ASSERT_TRUE(windows);
	CU_ASSERT_FALSE(ask(false, true));
	CU_ASSERT_FALSE(windows);
	recorded_walk_close(&w);
	/* Seldom: of a trace that was interrupted. */
	open_parts(2, 60000);
	CU_ASSERT(w.walk.etm.out.size > 3 * CSG_WINDOW_BYTES);
	CU_ASSERT_FALSE(windows);
	recorded_walk_close(&w);
}

CSG_SUITE(session_open, stamped, CSG_TEST(it_takes_timestamps_that_guests_know),
	  CSG_TEST(a_counter_that_does_not_run_stamps_nothing),
	  CSG_TEST(windows_have_many_trace_ons));
