/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "recorded_walk.h"
#include "session/open/each_batch.h"
#include "suite.h"

static struct recorded_walk w;

struct seen {
	size_t batches, ends;
	size_t last; /* batch that is seen */
};

static int see(void *arg, const struct csg_batch *batch)
{
	struct seen *seen = arg;

	CU_ASSERT(batch->n > 0);
	for (size_t i = 0; i < batch->n; i++)
		seen->ends += batch->elements[i].kind == CSG_ELEMENT_END;
	return ++seen->batches == seen->last ? -CSG_E_CANCELLED : 0;
}

/* What csg_each_batch() returns for a stream of which batches up to last are seen. */
static int see_stream(size_t last, struct seen *seen)
{
	const struct csg_image_options options = {0};
	struct csg_stream_setup setup = {.rec = w.rec};
	struct csg_registry registry;
	struct csg_stream *stream;
	struct csg_image *image;
	size_t n;
	int ret;

	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, false), 0);
	csg_attribution_set_policy(registry.attribution, CSG_HV_KVM_VHE, false, false);
	setup.registry = &registry;
	setup.source = csg_recording_sources(w.rec, &n);
	CU_ASSERT_EQUAL_FATAL(csg_stream_create(&stream, &setup), 0);
	*seen = (struct seen){.last = last};
	ret = csg_each_batch(stream, see, seen);
	csg_stream_destroy(stream);
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	return ret;
}

static void each_is_seen_until_an_error(void)
{
	struct seen all, some;

	CU_ASSERT_FATAL(walk_init(&w.walk, 4, false, false, 800));
	w.pieces = 1;
	recorded_walk_open(&w);
	CU_ASSERT_EQUAL(see_stream(0, &all), 0);
	CU_ASSERT(all.batches > 3);
	CU_ASSERT_EQUAL(all.ends, 1);
	CU_ASSERT_EQUAL(see_stream(3, &some), -CSG_E_CANCELLED);
	CU_ASSERT_EQUAL(some.batches, 3);
	recorded_walk_close(&w);
}

CSG_SUITE(session_open, each_batch, CSG_TEST(each_is_seen_until_an_error));
