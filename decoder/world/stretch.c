/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/stretch.h"

#include <stdlib.h>

#include "util/array.h"

/* How one place where execution stood compares with another. */
enum comparison {
	OTHER,
	SAME,
	CONTRADICTORY, /* the address of one, the thread of another */
};

static enum comparison compare(const struct csg_stand *a, const struct csg_stand *b)
{
	if (a->address != b->address || a->el != b->el)
		return OTHER;
	if (a->has_thread && b->has_thread && a->thread != b->thread)
		return CONTRADICTORY;
	return SAME;
}

void csg_stretches_fini(struct csg_stretches *s)
{
	free(s->open);
	*s = (struct csg_stretches){0};
}

void csg_stretches_settled(struct csg_stretches *s)
{
	s->count = 0;
	s->now.segments = 0;
}

void csg_stretches_break(struct csg_stretches *s)
{
	s->count = 0;
	s->host.known = false;
	s->now = s->before = (struct csg_stretch){.target = CSG_EL_UNKNOWN};
}

static void keep_open(struct csg_stretches *s, const struct csg_stretch *stretch)
{
	if (csg_array_grow((void **)&s->open, s->count, &s->capacity, sizeof(*s->open)))
		s->failed = true;
	else
		s->open[s->count++] = *stretch;
}

void csg_stretch_begin(struct csg_stretches *s)
{
	/* Nothing ran in the current one: it is this one. */
	if (!s->now.begin.known && s->now.follows)
		return;
	if ((s->now.world == CSG_WORLD_UNKNOWN || s->count) &&
	    (s->now.begin.known || s->now.segments))
		keep_open(s, &s->now);
	s->before = s->now;
	s->now = (struct csg_stretch){.follows = true, .target = CSG_EL_UNKNOWN};
}

/* An HVC of the host that may have led to a guest; an SMC for PSCI's CPU_SUSPEND does not. */
static bool may_enter(const struct csg_stretch *stretch)
{
	if (stretch->number != CSG_EXCEPTION_CALL || stretch->end.el != CSG_EL1)
		return false;
	if (stretch->target != CSG_EL_UNKNOWN)
		return stretch->target == CSG_EL2;
	return stretch->end.has_thread && stretch->end.thread;
}

static enum csg_world after_host(struct csg_stretches *s)
{
	const struct csg_stretch *host = &s->before;

	switch (compare(&s->now.begin, &host->end)) {
	case SAME:
		return host->end.el == CSG_EL1 ? CSG_WORLD_HOST : CSG_WORLD_UNKNOWN;
	case OTHER:
		if (!may_enter(host))
			break;
		if (host->runs_no_vcpu) {
			s->now.is_astray = true;
			break;
		}
		s->host = host->end;
		return CSG_WORLD_GUEST;
	default:
		break;
	}
	return CSG_WORLD_UNKNOWN;
}

static enum csg_world after_guest(const struct csg_stretches *s)
{
	enum comparison same = compare(&s->now.begin, &s->before.end);
	enum comparison host = s->host.known ? compare(&s->now.begin, &s->host) : OTHER;

	if (host == CONTRADICTORY || same == CONTRADICTORY || (host == SAME && same == SAME))
		return CSG_WORLD_UNKNOWN;
	if (host == SAME)
		return CSG_WORLD_HOST;
	return same == SAME || s->host.known ? CSG_WORLD_GUEST : CSG_WORLD_UNKNOWN;
}

void csg_stretch_stopped(struct csg_stretches *s, bool returned)
{
	s->windows |= s->now.begin.known && !s->now.left && !returned;
}

static bool linked(const struct csg_stretches *s, const struct csg_stretch *before,
		   const struct csg_stretch *now)
{
	return !s->windows && now->follows && now->begin.known && before->left && before->end.known;
}

bool csg_stretch_stand(struct csg_stretches *s, struct csg_stand stand)
{
	enum csg_world world = CSG_WORLD_UNKNOWN;

	if (s->now.begin.known)
		return false;
	s->now.begin = stand;
	if (linked(s, &s->before, &s->now)) {
		s->now.is_back = s->before.number == CSG_EXCEPTION_CALL &&
				 s->before.end.el == CSG_EL1 &&
				 compare(&s->now.begin, &s->before.end) == SAME;
		if (s->before.world == CSG_WORLD_HOST)
			world = after_host(s);
		else if (s->before.world == CSG_WORLD_GUEST)
			world = after_guest(s);
	}
	if (world != CSG_WORLD_GUEST)
		s->host.known = false;
	s->now.world = (uint8_t)world;
	s->now.evidence = world == CSG_WORLD_UNKNOWN ? 0 : CSG_EVIDENCE_HVC_RETURN;
	s->now.by_return = world != CSG_WORLD_UNKNOWN;
	return world != CSG_WORLD_UNKNOWN && !s->count;
}

void csg_stretch_exception(struct csg_stretches *s, uint16_t number, struct csg_stand stand)
{
	s->now.left = true;
	s->now.runs_no_vcpu = false;
	s->now.target = CSG_EL_UNKNOWN;
	s->now.number = number;
	s->now.end = stand;
}

int csg_stretch_hvc(struct csg_stretches *s, bool runs_vcpu)
{
	s->now.runs_no_vcpu = !runs_vcpu;
	return runs_vcpu ? csg_stretch_prove(s, CSG_WORLD_HOST, CSG_EVIDENCE_HVC_RETURN) : 0;
}

void csg_stretch_goes_on(struct csg_stretches *s)
{
	s->now.left = s->now.runs_no_vcpu = false;
}

bool csg_stretch_leads_to(struct csg_stretches *s, uint8_t el)
{
	bool interrupt = s->now.number == CSG_EXCEPTION_IRQ || s->now.number == CSG_EXCEPTION_FIQ;

	if (!s->now.left)
		return false;
	s->now.target = el;
	if (!interrupt || el != CSG_EL2 || s->now.end.el != CSG_EL1 || s->now.contradicted ||
	    s->now.is_split || s->now.world)
		return false;
	s->now.world = CSG_WORLD_GUEST;
	s->now.evidence = CSG_EVIDENCE_EXCEPTION_LEVEL;
	return !s->count;
}

/* Who ran before a stretch of the host; a switch off by an SMC would come back elsewhere, too. */
static enum csg_world before_host(const struct csg_stretch *before, const struct csg_stretch *host)
{
	switch (compare(&host->begin, &before->end)) {
	case SAME:
		return before->number == CSG_EXCEPTION_CALL && before->end.el == CSG_EL1
			       ? CSG_WORLD_HOST
			       : CSG_WORLD_UNKNOWN;
	case OTHER:
		if (host->begin.el != CSG_EL1 || before->number < CSG_EXCEPTION_CALL ||
		    (before->number == CSG_EXCEPTION_CALL && !may_enter(before)))
			return CSG_WORLD_UNKNOWN;
		return CSG_WORLD_GUEST;
	default:
		return CSG_WORLD_UNKNOWN;
	}
}

/* Who ran before a stretch of a guest, after which the host came back to resumed. */
static enum csg_world before_guest(const struct csg_stretch *before,
				   const struct csg_stretch *guest, const struct csg_stand *resumed)
{
	switch (compare(&guest->begin, &before->end)) {
	case SAME:
		return CSG_WORLD_GUEST;
	case OTHER:
		return may_enter(before) && resumed->known && compare(resumed, &before->end) == SAME
			       ? CSG_WORLD_HOST
			       : CSG_WORLD_UNKNOWN;
	default:
		return CSG_WORLD_UNKNOWN;
	}
}

/* The current stretch is known: what follows from it for those before it? */
static void look_back(struct csg_stretches *s)
{
	const struct csg_stretch *next = &s->now;
	struct csg_stand resumed = {.known = false};

	for (size_t i = s->count; i-- > 0;) {
		struct csg_stretch *before = &s->open[i];
		enum csg_world world;

		if (next->world == CSG_WORLD_HOST)
			resumed = next->begin;
		if (!linked(s, before, next))
			return;
		world = next->world == CSG_WORLD_HOST ? before_host(before, next)
						      : before_guest(before, next, &resumed);
		/* Its proofs, if any, were of the host; whatever else it ended with followed a
		 * loss. */
		if (before->is_split && (before->contradicted || world != CSG_WORLD_HOST))
			return;
		if (before->world == CSG_WORLD_UNKNOWN) {
			before->world = (uint8_t)world;
			before->evidence = CSG_EVIDENCE_HVC_RETURN;
		}
		if (world == CSG_WORLD_UNKNOWN || before->world != world)
			return;
		next = before;
	}
}

int csg_stretch_prove(struct csg_stretches *s, enum csg_world world, uint32_t evidence)
{
	if (!s->now.begin.known || s->now.contradicted)
		return 0;
	if (s->now.world == world) {
		s->now.evidence |= evidence;
		return 0;
	}
	if (s->now.world != CSG_WORLD_UNKNOWN) {
		s->now.world = CSG_WORLD_UNKNOWN;
		s->now.contradicted = true;
		s->host.known = false;
		return -1;
	}
	s->now.world = (uint8_t)world;
	s->now.evidence = evidence;
	look_back(s);
	return 1;
}

void csg_stretch_split(struct csg_stretches *s, bool open)
{
	struct csg_stretch now = {.begin = s->now.begin,
				  .left = s->now.left,
				  .number = s->now.number,
				  .end = s->now.end,
				  .target = s->now.target,
				  .contradicted = open,
				  .stamped = true,
				  .timed = true,
				  .is_split = true};

	csg_stretches_break(s);
	s->now = now;
}
