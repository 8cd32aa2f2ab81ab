/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_walk.h"
#include "session/run/prescan.h"
#include "suite.h"

static struct recorded_walk w;

static bool learns(enum csg_hypervisor kind)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = kind};
	struct csg_attribution_stream *owners;
	struct csg_attribution *a;
	struct csg_trace_unit unit;
	const struct csg_source *source;
	bool learned;
	size_t n;

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, 7, false, false, 2000));
	recorded_walk_open(&w);
	source = csg_recording_sources(w.rec, &n);
	unit = csg_source_unit(source);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&a, &options), 0);
	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&owners, a, &unit), 0);
	CU_ASSERT_EQUAL(
		csg_prescan_exits(a, owners, w.rec, source, csg_recording_chunks(w.rec, &n)), 0);
	learned = csg_attribution_has_learned(owners);
	csg_attribution_stream_destroy(owners);
	csg_attribution_destroy(a);
	recorded_walk_close(&w);
	return learned;
}

static void exits_in_the_beginning_of_a_chunk_are_found(void)
{
	CU_ASSERT(learns(CSG_HV_KVM_VHE));
}

static void without_vhe_there_are_none(void)
{
	CU_ASSERT_FALSE(learns(CSG_HV_NONE));
}

CSG_SUITE(session_run, prescan, CSG_TEST(exits_in_the_beginning_of_a_chunk_are_found),
	  CSG_TEST(without_vhe_there_are_none));
