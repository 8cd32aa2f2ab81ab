/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "collect/trace_event.h"

static const struct csg_probe all = {
	.release = "6.16.1", .autofdo = true, .has_contextid = true, .has_contextid1_and_2 = true};
static char event[CSG_TRACE_EVENT_MAX];

static const char *event_of(enum csg_collect_windows windows, int64_t preset)
{
	csg_trace_event(event, &all, windows, preset);
	return event;
}

static void the_event_has_what_the_kernel_has_of_context_ids(void)
{
	struct csg_probe p = all;

	CU_ASSERT_STRING_EQUAL(event_of(CSG_COLLECT_WHOLE, 5),
			       "cs_etm/timestamp,contextid1,contextid2/GH");
	p.has_contextid1_and_2 = false;
	csg_trace_event(event, &p, CSG_COLLECT_WHOLE, 0);
	CU_ASSERT_STRING_EQUAL(event, "cs_etm/timestamp,contextid/GH");
	p.has_contextid = false;
	csg_trace_event(event, &p, CSG_COLLECT_WHOLE, 0);
	CU_ASSERT_STRING_EQUAL(event, "cs_etm/timestamp/GH");
}

static void each_kind_of_window_has_its_terms(void)
{
	CU_ASSERT_STRING_EQUAL(event_of(CSG_COLLECT_STROBE, 5),
			       "cs_etm/autofdo,preset=5,timestamp,contextid1,contextid2/GH");
	CU_ASSERT_STRING_EQUAL(event_of(CSG_COLLECT_STROBE, 0),
			       "cs_etm/autofdo,timestamp,contextid1,contextid2/GH");
	CU_ASSERT_STRING_EQUAL(event_of(CSG_COLLECT_PAUSE, 5),
			       "cs_etm/aux-action=start-paused,timestamp,contextid1,contextid2/GH");
	CU_ASSERT_STRING_EQUAL(event_of(CSG_COLLECT_SNAPSHOT, 5),
			       "cs_etm/timestamp,contextid1,contextid2/GH");
	CU_ASSERT_STRING_EQUAL(
		event_of(CSG_COLLECT_SAMPLE, 5),
		"{cs_etm/timestamp,contextid1,contextid2/GH,cycles/period=10000000/GH}");
}

static bool has_option(enum csg_collect_windows windows, const char *text)
{
	const char *const *word = csg_trace_event_options(windows);

	for (; *word; word++)
		if (!strncmp(*word, text, strlen(text)))
			return true;
	return false;
}

static void events_pause_and_resume(void)
{
	CU_ASSERT(has_option(CSG_COLLECT_PAUSE, "cycles/aux-action=resume,period="));
	CU_ASSERT(has_option(CSG_COLLECT_PAUSE, "cycles/aux-action=pause,period="));
	CU_ASSERT(has_option(CSG_COLLECT_SNAPSHOT, "--snapshot=e"));
	CU_ASSERT(has_option(CSG_COLLECT_SAMPLE, "--aux-sample="));
	CU_ASSERT_FALSE(has_option(CSG_COLLECT_WHOLE, ""));
	CU_ASSERT_FALSE(has_option(CSG_COLLECT_STROBE, ""));
}

static void lacks(const char *release, bool autofdo, enum csg_collect_windows windows, bool it_does)
{
	struct csg_probe p = {.autofdo = autofdo};
	const char *remedy = NULL;

	strcpy(p.release, release);
	CU_ASSERT_EQUAL(csg_trace_event_lack(&p, windows, &remedy) != NULL, it_does);
	CU_ASSERT_EQUAL(remedy != NULL, it_does);
}

static void what_the_kernel_does_not_have_is_said(void)
{
	lacks("6.12.95", true, CSG_COLLECT_STROBE, false);
	lacks("6.12.95", false, CSG_COLLECT_STROBE, true);
	lacks("6.12.95", true, CSG_COLLECT_PAUSE, true);
	lacks("5.20.1", true, CSG_COLLECT_PAUSE, true);
	lacks("6.16.0-rc1", true, CSG_COLLECT_PAUSE, false);
	lacks("7.3.0", true, CSG_COLLECT_PAUSE, false);
	lacks("", true, CSG_COLLECT_PAUSE, false);
	lacks("7.3.0", true, CSG_COLLECT_SAMPLE, true);
	lacks("5.4.0", false, CSG_COLLECT_SNAPSHOT, false);
	lacks("5.4.0", false, CSG_COLLECT_WHOLE, false);
}

CSG_SUITE(collect, trace_event, CSG_TEST(the_event_has_what_the_kernel_has_of_context_ids),
	  CSG_TEST(each_kind_of_window_has_its_terms), CSG_TEST(events_pause_and_resume),
	  CSG_TEST(what_the_kernel_does_not_have_is_said));
