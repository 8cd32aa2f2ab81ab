/* SPDX-License-Identifier: BSD-3-Clause */
/* The splitter of a recorded walk (recorded_walk.h): what makes jobs, and who ran, by KVM
 * with VHE unless set. */
#ifndef TESTS_UNIT_RECORDED_SPLITTER_H
#define TESTS_UNIT_RECORDED_SPLITTER_H

#include "recorded_walk.h"
#include "session/run/splitter.h"

struct recorded_splitter {
	struct recorded_walk w;
	enum csg_hypervisor kind; /* unless AUTO */
	struct csg_image *image;
	struct csg_registry registry;
	const struct csg_source *source;
	struct csg_attribution_stream *owners;
	struct csg_splitter splitter;
	unsigned int opened; /* how often */
};

static inline int recorded_splitter_count(void *arg)
{
	((struct recorded_splitter *)arg)->opened++;
	return 0;
}

/* w.pieces and the like, and kind, may be set before. */
static inline void recorded_splitter_open(struct recorded_splitter *r, uint64_t seed,
					  unsigned int steps)
{
	const struct csg_image_options options = {0};
	struct csg_trace_unit unit;
	size_t n;

	CU_ASSERT_FATAL(walk_init(&r->w.walk, seed, false, false, steps));
	recorded_walk_open(&r->w);
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&r->image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&r->registry, r->image, false, false), 0);
	csg_attribution_set_policy(r->registry.attribution, r->kind ? r->kind : CSG_HV_KVM_VHE,
				   false, false);
	r->source = csg_recording_sources(r->w.rec, &n);
	unit = csg_source_unit(r->source);
	CU_ASSERT_EQUAL_FATAL(
		csg_attribution_stream_create(&r->owners, r->registry.attribution, &unit), 0);
	csg_attribution_awaits_entries(r->owners);
	csg_splitter_init(&r->splitter,
			  &(struct csg_splitter_setup){.rec = r->w.rec,
						       .source = r->source,
						       .registry = &r->registry,
						       .owners = r->owners,
						       .open = recorded_splitter_count,
						       .arg = r});
}

/* The next job; nobody tells by which ERET a segment that is held back was entered. */
static inline int recorded_splitter_job(struct recorded_splitter *r, struct csg_job *job)
{
	if (r->splitter.holds)
		CU_ASSERT_EQUAL(csg_splitter_release(&r->splitter, 0), 0);
	return csg_splitter_make(&r->splitter, job);
}

static inline void recorded_splitter_close(struct recorded_splitter *r)
{
	csg_splitter_fini(&r->splitter);
	csg_attribution_stream_destroy(r->owners);
	csg_registry_fini(&r->registry);
	csg_image_destroy(r->image);
	recorded_walk_close(&r->w);
}

#endif
