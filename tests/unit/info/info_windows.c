/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "info/info_windows.h"

static struct csg_recording_info r;
static struct csg_info info = {.recording = &r};
static char text[CSG_INFO_WINDOWS_MAX];

static void is(const char *windows)
{
	CU_ASSERT_STRING_EQUAL(csg_info_windows(&info, text), windows);
}

static void the_whole_has_no_windows(void)
{
	r = (struct csg_recording_info){.trace_event = "cs_etm/timestamp/"};
	CU_ASSERT_PTR_NULL(csg_info_windows(&info, text));
	CU_ASSERT_FALSE(csg_info_is_strobed(&r));
	/* The name alone is none: the event may be called so. */
	r.trace_event = "autofdo";
	CU_ASSERT_FALSE(csg_info_is_strobed(&r));
}

static void a_preset_says_how_long_windows_are(void)
{
	r = (struct csg_recording_info){.trace_event = "cs_etm/autofdo,preset=3,timestamp/GH",
					.trace_config = 0x1234,
					.trace_preset = 3};
	is("strobed: 5000 of every 40000 cycles (autofdo, preset 3)");
	CU_ASSERT(csg_info_is_strobed(&r));
	r.trace_preset = 9;
	is("strobed: 5000 of every 20480000 cycles (autofdo, preset 9)");
	r.trace_preset = 0;
	is("strobed (autofdo, as configfs had it)");
	r.trace_preset = 15;
	is("strobed (autofdo, as configfs had it)");
}

static void another_configuration_is_not_taken_for_strobing(void)
{
	r = (struct csg_recording_info){.trace_event = "cs_etm/mine/", .trace_config = 0x1234};
	is("as configuration 0x1234, preset 0, has them");
	CU_ASSERT_FALSE(csg_info_is_strobed(&r));
	r.trace_event = NULL;
	CU_ASSERT_FALSE(csg_info_is_strobed(&r));
}

static void windows_of_other_kinds_are_named(void)
{
	r = (struct csg_recording_info){.aux_pause = true};
	is("paused and resumed by events (aux-action)");
	r = (struct csg_recording_info){.aux_resume = true};
	is("paused and resumed by events (aux-action)");
	r.snapshot_mode = true;
	is("paused and resumed by events (aux-action); snapshots");
	r = (struct csg_recording_info){.aux_samples = true};
	is("samples of events (--aux-sample)");
}

static void what_no_event_explains_is_said(void)
{
	r = (struct csg_recording_info){.trace_event = "cs_etm/timestamp/"};
	info.off = (struct csg_trace_off){.times = 2, .bytes = 65000};
	is("no event says so, but in 64 KB of trace that were looked at tracing was off 2 times");
	CU_ASSERT(csg_info_is_unexplained(&info));
	r.aux_pause = true;
	is("paused and resumed by events (aux-action)");
	r.aux_pause = false;
	r.exclude_user = true;
	CU_ASSERT_PTR_NULL(csg_info_windows(&info, text));
	r.exclude_user = false;
	info.hypervisor = CSG_HV_KVM_NVHE;
	CU_ASSERT_PTR_NULL(csg_info_windows(&info, text));
	info.hypervisor = CSG_HV_KVM_VHE;
	/* Once may have been anything. */
	info.off.times = 1;
	CU_ASSERT_PTR_NULL(csg_info_windows(&info, text));
	info.off = (struct csg_trace_off){.times = 3, .bytes = 132000};
	CU_ASSERT_PTR_NULL(csg_info_windows(&info, text));
	info.off.times = 0;
}

CSG_SUITE(info, info_windows, CSG_TEST(the_whole_has_no_windows),
	  CSG_TEST(a_preset_says_how_long_windows_are),
	  CSG_TEST(another_configuration_is_not_taken_for_strobing),
	  CSG_TEST(windows_of_other_kinds_are_named), CSG_TEST(what_no_event_explains_is_said));
