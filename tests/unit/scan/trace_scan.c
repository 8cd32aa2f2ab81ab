/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/trace_scan.h"

#include <stdlib.h>

#include "csguest/element.h"
#include "csguest/error.h"
#include "scan/scan.h"
#include "suite.h"
#include "walk.h"

struct seen {
	size_t count, gaps;
	uint64_t hash;
};

static void see(void *arg, const struct csg_track_event *event)
{
	struct seen *seen = arg;

	seen->count++;
	seen->gaps += event->kind == CSG_TRACK_GAP && event->gap == CSG_GAP_BUFFER;
	seen->hash = (seen->hash ^ event->kind ^ event->address ^ event->value) * 31;
}

static void raw_bytes_give_the_same_track_as_the_scan(void)
{
	struct seen public = {0}, internal = {0};
	struct csg_trace_scan *scan;
	struct csg_trace_unit unit;
	struct csg_scan *inner;
	struct walk walk;

	CU_ASSERT_FATAL(walk_init(&walk, 5, false, false, 500));
	unit = csg_source_unit(&walk.source);
	CU_ASSERT_EQUAL_FATAL(csg_scan_create(&inner, &walk.source, see, &internal), 0);
	csg_scan_feed(inner, CSG_RUN(0, walk.etm.out.data, walk.etm.out.size));
	csg_scan_end(inner, walk.etm.out.size);
	csg_scan_destroy(inner);
	CU_ASSERT_EQUAL_FATAL(csg_trace_scan_create(&scan, &unit, see, &public), 0);
	csg_trace_scan_begin(scan, CSG_RAW);
	csg_trace_scan_feed(scan, 0, walk.etm.out.data, walk.etm.out.size);
	csg_trace_scan_end(scan, walk.etm.out.size);
	CU_ASSERT_EQUAL(csg_trace_scan_async(scan, 0), 0);
	CU_ASSERT_EQUAL(csg_trace_scan_async(scan, walk.etm.out.size), UINT64_MAX);
	csg_trace_scan_destroy(scan);
	CU_ASSERT(public.count > 100);
	CU_ASSERT_EQUAL(public.count, internal.count);
	CU_ASSERT_EQUAL(public.hash, internal.hash);
	walk_fini(&walk);
}

static void a_barrier_between_frames_is_a_gap(void)
{
	static const uint8_t barrier[16] = {0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f,
					    0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f};
	const struct csg_trace_unit unit = {.size = sizeof(unit), .trace_id = 0x10};
	struct csg_trace_scan *scan;
	struct seen seen = {0};

	CU_ASSERT_EQUAL_FATAL(csg_trace_scan_create(&scan, &unit, see, &seen), 0);
	csg_trace_scan_begin(scan, CSG_FRAMES);
	csg_trace_scan_feed(scan, 0, barrier, sizeof(barrier));
	CU_ASSERT_EQUAL(seen.gaps, 1);
	csg_trace_scan_destroy(scan);
	csg_trace_scan_destroy(NULL);
}

static void a_unit_that_cannot_be_read_is_refused(void)
{
	struct csg_trace_unit unit = {.size = sizeof(unit), .protocol = CSG_PROTOCOL_OTHER};
	struct csg_trace_scan *scan;

	CU_ASSERT_EQUAL(csg_trace_scan_create(&scan, &unit, see, NULL), -CSG_E_USAGE);
	unit = (struct csg_trace_unit){.size = 8};
	CU_ASSERT_EQUAL(csg_trace_scan_create(&scan, &unit, see, NULL), -CSG_E_USAGE);
	CU_ASSERT_PTR_NULL(scan);
}

/* What is not a timestamp, or an atom after one. */
struct rest {
	unsigned long timestamps;
	struct seen seen;
};

static void see_rest(void *arg, const struct csg_track_event *event)
{
	struct rest *rest = arg;

	if (event->kind == CSG_TRACK_TIMESTAMP || event->kind == CSG_TRACK_ATOM) {
		rest->timestamps++;
		return;
	}
	see(&rest->seen, event);
	rest->seen.hash = (rest->seen.hash ^ event->index ^ event->context.vctx ^
			   event->context.contextidr_el1 ^ (uint64_t)event->context.el << 32) *
			  31;
}

static struct rest scan_rest(const struct walk *walk, bool skip, size_t piece)
{
	const struct csg_trace_unit unit = csg_source_unit(&walk->source);
	const struct csg_enc_bytes *out = &walk->etm.out;
	struct csg_trace_scan *scan;
	struct rest rest = {0};

	CU_ASSERT_EQUAL_FATAL(csg_trace_scan_create(&scan, &unit, see_rest, &rest), 0);
	if (skip)
		csg_trace_scan_skip_timestamps(scan);
	csg_trace_scan_begin(scan, CSG_RAW);
	for (size_t at = 0; at < out->size; at += piece)
		csg_trace_scan_feed(scan, at, out->data + at,
				    out->size - at < piece ? out->size - at : piece);
	csg_trace_scan_end(scan, out->size);
	csg_trace_scan_destroy(scan);
	return rest;
}

static void without_timestamps_all_else_is_the_same(void)
{
	static const size_t pieces[] = {SIZE_MAX / 2, 1, 15, 2, 7};
	unsigned long left_out = 0;
	static struct walk walk;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct rest all, some;

		CU_ASSERT_FATAL(walk_init_any(&walk, seed, 300, true, false));
		all = scan_rest(&walk, false, SIZE_MAX / 2);
		some = scan_rest(&walk, true, pieces[seed % 5]);
		CU_ASSERT_EQUAL(some.seen.count, all.seen.count);
		CU_ASSERT_EQUAL(some.seen.hash, all.seen.hash);
		CU_ASSERT_EQUAL(some.timestamps, walk.model.max_spec ? all.timestamps : 0);
		left_out += all.timestamps - some.timestamps;
		walk_fini(&walk);
	}
	CU_ASSERT(left_out > 1000);
}

CSG_SUITE(scan, trace_scan, CSG_TEST(raw_bytes_give_the_same_track_as_the_scan),
	  CSG_TEST(a_barrier_between_frames_is_a_gap),
	  CSG_TEST(without_timestamps_all_else_is_the_same),
	  CSG_TEST(a_unit_that_cannot_be_read_is_refused));
