/* SPDX-License-Identifier: BSD-3-Clause */
/* A host of two processes, one of which runs a VM, reported to the attribution core event by
 * event. */
#ifndef TESTS_UNIT_ATTRIBUTION_STORY_H
#define TESTS_UNIT_ATTRIBUTION_STORY_H

#include "csguest/attribution.h"
#include "suite.h"
#include "switch_pair.h"

#define OFFSET 5000000 /* CNTVOFF: the guest's counter is so much after the host's */

struct story {
	struct csg_attribution *a;
	struct csg_attribution_stream *s;
	uint64_t index;
};

static inline void tell_clock(struct csg_attribution *a, int32_t vm)
{
	const struct csg_attribution_clock clock = {
		.size = sizeof(clock),
		.vm = vm,
		.conv = {.valid = true, .mult = 1},
		.first_time = 1,
		.last_time = 100000000,
	};

	CU_ASSERT_EQUAL(csg_attribution_clock(a, &clock), 0);
}

static inline void tell_switch(struct csg_attribution *a, int32_t vm, uint64_t time, int32_t from,
			       int32_t to)
{
	struct switch_pair pair = switch_pair(0, time, 0, from, to);

	pair.out.vm = pair.in.vm = vm;
	CU_ASSERT_EQUAL(csg_attribution_switch(a, &pair.out), 0);
	CU_ASSERT_EQUAL(csg_attribution_switch(a, &pair.in), 0);
}

static inline void begin(struct story *story)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};

	*story = (struct story){0};
	CU_ASSERT_EQUAL_FATAL(csg_attribution_create(&story->a, &options), 0);
	tell_clock(story->a, CSG_VM_HOST);
	CU_ASSERT_EQUAL(
		csg_attribution_thread(story->a, CSG_VM_HOST, 4100, 4103, "CPU 0/KVM", false, 0),
		0);
	CU_ASSERT_EQUAL(csg_attribution_thread(story->a, CSG_VM_HOST, 7, 7, "sh", false, 0), 0);
}

static inline void open_stream(struct story *story)
{
	const struct csg_trace_unit unit = {
		.size = sizeof(unit),
		.protocol = CSG_PROTOCOL_ETMV4,
		.trcconfigr = 1u << 7 | 1u << 11 | 1u << 15,
		.ts_source = CSG_TS_SOURCE_VIRTUAL,
	};
	const struct csg_attribution_piece piece = {
		.size = sizeof(piece), .begin_time = 1, .end_time = 90000000, .pid = -1, .tid = -1};

	CU_ASSERT_EQUAL_FATAL(csg_attribution_stream_create(&story->s, story->a, &unit), 0);
	CU_ASSERT_EQUAL(csg_attribution_piece(story->s, 0, &piece), 0);
}

static inline void end(struct story *story)
{
	csg_attribution_stream_destroy(story->s);
	csg_attribution_destroy(story->a);
}

static inline void at(struct story *story, enum csg_el el, uint32_t tid)
{
	const struct csg_track_event event = {
		.kind = CSG_TRACK_CONTEXT,
		.index = story->index += 10,
		.context = {.el = (uint8_t)el, .aarch64 = true, .has_vctx = true, .vctx = tid}};

	csg_attribution_event(story->s, &event);
}

static inline void stamp(struct story *story, uint64_t value)
{
	const struct csg_track_event event = {
		.kind = CSG_TRACK_TIMESTAMP, .index = story->index += 10, .value = value};

	csg_attribution_event(story->s, &event);
}

static inline struct csg_segment next(struct story *story)
{
	struct csg_segment segment = {.index = UINT64_MAX};

	CU_ASSERT(csg_attribution_next(story->s, &segment) >= 0);
	return segment;
}

#endif
