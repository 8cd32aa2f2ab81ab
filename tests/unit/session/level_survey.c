/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/level_watch.h"
#include "recorded_walk.h"
#include "session/level_survey.h"
#include "suite.h"

static struct recorded_walk w;
static struct csg_image *image;
static struct csg_registry registry;

static void open_all(enum csg_hypervisor kind)
{
	const struct csg_image_options options = {0};

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, 3, false, false, 500));
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, false), 0);
	csg_attribution_set_policy(registry.attribution, kind, false, true);
}

static void close_all(void)
{
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	recorded_walk_close(&w);
}

/* What comes of levels is seen in tests/scenarios. */
static void a_host_without_kvms_symbols_is_not_surveyed(void)
{
	struct csg_level_survey survey = {.registry = &registry};

	open_all(CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(csg_level_survey_init(&survey), 0);
	CU_ASSERT_PTR_NULL(survey.anchors);
	close_all();
}

static void code_without_calls_of_nested_guests_does_not_nest(void)
{
	uint64_t anchors[CSG_LEVEL_ANCHOR_COUNT] = {0};
	struct csg_level_survey survey = {.registry = &registry, .anchors = anchors};
	struct csg_switch_survey found = {0};
	size_t n;

	for (size_t i = 0; i < CSG_LEVEL_ANCHOR_COUNT; i++)
		anchors[i] = 16 * (i + 1);
	open_all(CSG_HV_KVM_VHE);
	survey.rec = w.rec;
	CU_ASSERT_EQUAL(csg_level_survey_source(&survey, csg_recording_sources(w.rec, &n), &found),
			0);
	CU_ASSERT_FALSE(survey.nests);
	for (size_t i = 0; i < found.level_count; i++)
		CU_ASSERT_EQUAL(found.levels[i].level, CSG_LEVEL_UNKNOWN);
	csg_switch_survey_fini(&found);
	close_all();
}

CSG_SUITE(session, level_survey, CSG_TEST(a_host_without_kvms_symbols_is_not_surveyed),
	  CSG_TEST(code_without_calls_of_nested_guests_does_not_nest));
