/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracks as stories, for the tests of world/. */
#ifndef TESTS_UNIT_WORLD_STORY_H
#define TESTS_UNIT_WORLD_STORY_H

#include "csguest/element.h"
#include "suite.h"
#include "world/world.h"

/* Writes tracks as a story: each step is one event, ten bytes after the last. */
struct story {
	struct csg_world_segments world;
	struct csg_context context;
	uint64_t index;
};

static inline struct story begin_story(enum csg_hypervisor kind)
{
	struct story s = {.context = {.el = CSG_EL_UNKNOWN}};

	csg_world_init(&s.world, kind, CSG_VCTX_CONTEXTIDR_EL2);
	return s;
}

static inline void say(struct story *s, struct csg_track_event event)
{
	s->index += 10;
	event.index = s->index;
	event.context = s->context;
	csg_world_event(&s->world, &event);
}

static inline void at_el(struct story *s, enum csg_el el, uint32_t tid)
{
	s->context = (struct csg_context){
		.el = (uint8_t)el, .aarch64 = true, .has_vctx = tid != 0, .vctx = tid};
	say(s, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT});
}

static inline void address(struct story *s)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = 0x400000});
}

static inline void trace_on(struct story *s)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON});
}

static inline void overflow(struct story *s)
{
	s->context = CSG_CONTEXT_UNKNOWN;
	say(s, (struct csg_track_event){.kind = CSG_TRACK_GAP, .gap = CSG_GAP_OVERFLOW});
}

static inline struct csg_segment next(struct story *s)
{
	struct csg_segment segment = {.index = UINT64_MAX};

	csg_world_next(&s->world, &segment);
	return segment;
}

static inline void expect(struct story *s, uint64_t index, enum csg_world world, uint32_t evidence)
{
	struct csg_segment segment = next(s);

	CU_ASSERT_EQUAL(segment.index, index);
	CU_ASSERT_EQUAL(segment.owner.world, world);
	CU_ASSERT_EQUAL(segment.owner.evidence & ~(uint32_t)CSG_EVIDENCE_CONTEXTIDR_EL2, evidence);
}

static inline void end_story(struct story *s)
{
	CU_ASSERT_EQUAL(next(s).index, UINT64_MAX);
	csg_world_fini(&s->world);
}

/* An exception to target at el: packet, context, then the address. */
static inline void exception_to(struct story *s, enum csg_el el, uint64_t target)
{
	say(s, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION});
	at_el(s, el, 7);
	say(s, (struct csg_track_event){.kind = CSG_TRACK_ADDRESS, .address = target});
}

#define HYP_VECTORS UINT64_C(0xffff800080011000)
#define HOST_VECTORS UINT64_C(0xffff800080010800)

/* A guest's kernel exits, which shows the guest vectors of this CPU. */
static inline struct story begin_with_known_vectors(void)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	at_el(&s, CSG_EL1, 7);
	exception_to(&s, CSG_EL2, HYP_VECTORS + 0x400);
	next(&s);
	next(&s);
	return s;
}

/* --- what contradicts itself --- */

static inline enum csg_world symbols(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	(void)arg;
	if (kind == CSG_ENTRY_ERET)
		return address == HYP_VECTORS ? CSG_WORLD_GUEST : CSG_WORLD_UNKNOWN;
	return address == HYP_VECTORS	 ? CSG_WORLD_GUEST
	       : address == HOST_VECTORS ? CSG_WORLD_HOST
					 : CSG_WORLD_UNKNOWN;
}

static const struct csg_landmark_names symbol_names = {.of = symbols};

struct reported {
	unsigned int times;
	struct csg_contradiction last;
};

static inline void note(void *arg, const struct csg_contradiction *one)
{
	struct reported *reported = arg;

	reported->times++;
	reported->last = *one;
}

static inline struct story begin_with_symbols(struct reported *reported)
{
	struct story s = begin_story(CSG_HV_KVM_VHE);

	*reported = (struct reported){0};
	s.world.landmarks.names = &symbol_names;
	s.world.contradiction = note;
	s.world.contradiction_arg = reported;
	return s;
}

/* EL0 that leaves to these vectors: world, evidence and reason. */
static inline void expect_el0(struct story *s, uint64_t target, enum csg_world world,
			      uint32_t evidence)
{
	struct csg_segment segment;

	at_el(s, CSG_EL0, 7);
	exception_to(s, CSG_EL2, target);
	segment = next(s);
	CU_ASSERT_EQUAL(segment.owner.el, CSG_EL0);
	CU_ASSERT_EQUAL(segment.open, evidence == CSG_EVIDENCE_POLICY_DEFAULT);
	CU_ASSERT_EQUAL(segment.owner.world, world);
	CU_ASSERT_EQUAL(segment.owner.evidence & ~(uint32_t)CSG_EVIDENCE_CONTEXTIDR_EL2, evidence);
	CU_ASSERT_EQUAL(segment.owner.reason == CSG_REASON_CONFLICT, world == CSG_WORLD_UNKNOWN);
	next(s);
}

#endif
