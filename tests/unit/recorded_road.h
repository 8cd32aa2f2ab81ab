/* SPDX-License-Identifier: BSD-3-Clause */
/* The road of a recorded walk (recorded_walk.h): what makes legs, and who ran, by KVM
 * with VHE unless told. */
#ifndef TESTS_UNIT_RECORDED_ROAD_H
#define TESTS_UNIT_RECORDED_ROAD_H

#include "recorded_walk.h"
#include "session/road.h"

struct recorded_road {
	struct recorded_walk w;
	enum csg_hypervisor kind; /* unless AUTO */
	struct csg_image *image;
	struct csg_people people;
	const struct csg_source *source;
	struct csg_attribution_stream *owners;
	struct csg_road road;
	unsigned int opened; /* how often */
};

static inline int recorded_road_count(void *arg)
{
	((struct recorded_road *)arg)->opened++;
	return 0;
}

/* w.pieces and the like, and kind, may be set before. */
static inline void recorded_road_open(struct recorded_road *r, uint64_t seed, unsigned int steps)
{
	const struct csg_image_options options = {0};
	struct csg_trace_unit unit;
	size_t n;

	CU_ASSERT_FATAL(walk_init(&r->w.walk, seed, false, false, steps));
	recorded_walk_open(&r->w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&r->image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_people_init(&r->people, r->image, false, false), 0);
	csg_attribution_set_policy(r->people.attribution, r->kind ? r->kind : CSG_HV_KVM_VHE, false,
				   false);
	r->source = csg_recording_sources(r->w.rec, &n);
	unit = csg_source_unit(r->source);
	CU_ASSERT_EQUAL_FATAL(
		csg_attribution_stream_create(&r->owners, r->people.attribution, &unit), 0);
	csg_attribution_awaits_entries(r->owners);
	csg_road_init(&r->road, &(struct csg_road_setup){.rec = r->w.rec,
							 .source = r->source,
							 .people = &r->people,
							 .owners = r->owners,
							 .open = recorded_road_count,
							 .arg = r});
}

/* The next leg; nobody tells by which ERET a segment that is held back was entered. */
static inline int recorded_road_leg(struct recorded_road *r, struct csg_leg *leg)
{
	if (r->road.holds)
		CU_ASSERT_EQUAL(csg_road_release(&r->road, 0), 0);
	return csg_road_make(&r->road, leg);
}

static inline void recorded_road_close(struct recorded_road *r)
{
	csg_road_fini(&r->road);
	csg_attribution_stream_destroy(r->owners);
	csg_people_fini(&r->people);
	csg_image_destroy(r->image);
	recorded_walk_close(&r->w);
}

#endif
