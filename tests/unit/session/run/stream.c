/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded_walk.h"
#include "session/run/stream.h"
#include "suite.h"

static struct recorded_walk w;

struct counts {
	size_t elements, spans, ends, gaps[CSG_GAP_COUNT], contexts, guests, unowned;
};

static void count(struct counts *c, const struct csg_registry *registry,
		  const struct csg_batch *batch)
{
	c->spans++;
	for (size_t i = 0; i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];
		const struct csg_owner *owner = csg_owner_table_get(&registry->owners, e->owner);

		c->elements++;
		c->ends += e->kind == CSG_ELEMENT_END;
		c->contexts += e->kind == CSG_ELEMENT_CONTEXT;
		if (e->kind == CSG_ELEMENT_GAP)
			c->gaps[e->gap]++;
		if (e->kind != CSG_ELEMENT_CONTEXT)
			continue;
		/* The owner that takes over with a context is in force with its element. */
		c->guests += owner->world == CSG_WORLD_GUEST;
		c->unowned += e->el == CSG_EL1 && owner->world == CSG_WORLD_HOST;
	}
}

static struct counts decode(enum csg_hypervisor kind)
{
	const struct csg_image_options options = {0};
	struct csg_stream_setup setup = {0};
	struct csg_image *image;
	struct csg_registry registry;
	struct csg_stream *stream;
	struct counts c = {0};
	struct csg_batch batch;
	size_t n;
	int ret;

	CU_ASSERT_EQUAL_FATAL(csg_image_create(&image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&registry, image, false, false), 0);
	csg_attribution_set_policy(registry.attribution, kind, false, false);
	setup.rec = w.rec;
	setup.registry = &registry;
	setup.source = csg_recording_sources(w.rec, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL_FATAL(csg_stream_create(&stream, &setup), 0);
	while ((ret = csg_stream_fill(stream)) > 0)
		for (; csg_stream_peek(stream, &batch); csg_stream_take(stream))
			count(&c, &registry, &batch);
	CU_ASSERT_EQUAL(ret, 0);
	csg_stream_destroy(stream);
	csg_registry_fini(&registry);
	csg_image_destroy(image);
	return c;
}

static struct counts record_and_decode(uint64_t seed, bool gaps, unsigned int pieces,
				       uint64_t aux_flags, enum csg_hypervisor kind)
{
	struct counts c;

	memset(&w, 0, sizeof(w));
	CU_ASSERT_FATAL(walk_init(&w.walk, seed, false, gaps, 800));
	w.pieces = pieces;
	w.aux_flags = aux_flags;
	recorded_walk_open(&w);
	c = decode(kind);
	recorded_walk_close(&w);
	return c;
}

static void a_stream_ends_once(void)
{
	struct counts c = record_and_decode(4, false, 1, 0, CSG_HV_KVM_VHE);

	CU_ASSERT_EQUAL(c.ends, 1);
	CU_ASSERT(c.contexts > 20);
	CU_ASSERT_EQUAL(c.gaps[CSG_GAP_BUFFER], 0);
}

static void el1_is_a_guests_from_its_context_element_on(void)
{
	struct counts c = record_and_decode(4, true, 1, 0, CSG_HV_KVM_VHE);

	CU_ASSERT(c.guests > 5);
	CU_ASSERT_EQUAL(c.unowned, 0);
}

static void each_aux_record_is_a_piece_of_its_own(void)
{
	struct counts c = record_and_decode(4, false, 3, 0, CSG_HV_KVM_VHE);

	/* The second and the third begin in the middle: nothing before an A-Sync is believed. */
	CU_ASSERT_EQUAL(c.gaps[CSG_GAP_NO_SYNC], 2);
}

static void what_the_kernel_lost_is_a_gap(void)
{
	struct counts c =
		record_and_decode(4, false, 1, 1 /* PERF_AUX_FLAG_TRUNCATED */, CSG_HV_KVM_VHE);

	CU_ASSERT_EQUAL(c.gaps[CSG_GAP_TRUNCATED], 1);
	c = record_and_decode(4, false, 1, 8 /* PERF_AUX_FLAG_COLLISION */, CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(c.gaps[CSG_GAP_COLLISION], 1);
	c = record_and_decode(4, false, 1, 4 /* PERF_AUX_FLAG_PARTIAL */, CSG_HV_KVM_VHE);
	CU_ASSERT_EQUAL(c.gaps[CSG_GAP_PARTIAL], 1);
}

static void nobodys_code_is_asked_for_while_the_owner_is_unknown(void)
{
	struct counts c = record_and_decode(4, false, 1, 0, CSG_HV_UNKNOWN);

	CU_ASSERT(c.gaps[CSG_GAP_NO_OWNER] > 10);
}

CSG_SUITE(session_run, stream, CSG_TEST(a_stream_ends_once),
	  CSG_TEST(el1_is_a_guests_from_its_context_element_on),
	  CSG_TEST(each_aux_record_is_a_piece_of_its_own), CSG_TEST(what_the_kernel_lost_is_a_gap),
	  CSG_TEST(nobodys_code_is_asked_for_while_the_owner_is_unknown));
