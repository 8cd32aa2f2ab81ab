/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_walk.h"
#include "session/open/switch_survey.h"
#include "suite.h"

static struct recorded_walk w;

/* What becomes of a recording without the host's kernel is seen here, the rest in
 * tests/scenarios. */
static void a_host_without_symbols_is_not_surveyed(void)
{
	const struct csg_image_options options = {0};
	struct csg_switch_survey survey = {0};
	struct csg_image *image;
	struct csg_registry registry;
	size_t n;

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, 3, false, false, 500));
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, false), 0);
	csg_attribution_set_policy(registry.attribution, CSG_HV_KVM_VHE, false, false);
	CU_ASSERT_EQUAL(
		csg_survey_switches(&survey, w.rec, csg_recording_sources(w.rec, &n), &registry),
		0);
	CU_ASSERT_EQUAL(survey.count, 0);
	csg_switch_survey_fini(&survey);
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	recorded_walk_close(&w);
}

CSG_SUITE(session_open, switch_survey, CSG_TEST(a_host_without_symbols_is_not_surveyed));
