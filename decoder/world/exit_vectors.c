/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/exit_vectors.h"

#define VECTOR_SIZE 0x80
#define FROM_LOWER_EL 0x400 /* bit of the vectors for exceptions from a lower exception level */

bool csg_is_exit_vector(uint64_t target)
{
	return (target & FROM_LOWER_EL) && !(target & (VECTOR_SIZE - 1));
}

static bool is_established(const struct csg_exit_base *base)
{
	return base->exits >= CSG_EXITS_ESTABLISHED;
}

static void confirm(struct csg_exit_vectors *v, uint64_t base, bool named)
{
	if (v->guest.base != base || !v->guest.exits)
		v->guest = (struct csg_exit_base){.base = base};
	v->guest.exits += !is_established(&v->guest);
	v->rival.exits = 0;
	v->named = named;
	v->disputed = false;
}

/* No symbol says whose base is, and guests exited to another before. */
static void contest(struct csg_exit_vectors *v, uint64_t base)
{
	if (v->named) {
		v->disputed = true;
		return;
	}
	if (v->rival.base != base || !v->rival.exits)
		v->rival = (struct csg_exit_base){.base = base};
	v->rival.exits += !is_established(&v->rival);
	if (!is_established(&v->rival))
		return;
	v->guest = v->rival;
	v->rival.exits = 0;
}

bool csg_exit_vectors_learn(struct csg_exit_vectors *v, struct csg_landmarks *landmarks,
			    uint64_t base)
{
	switch (csg_landmarks_world(landmarks, CSG_EXIT_VECTORS, base)) {
	case CSG_WORLD_GUEST:
		confirm(v, base, true);
		return true;
	case CSG_WORLD_HOST:
		v->disputed = true;
		return false;
	default:
		break;
	}
	if (!v->guest.exits || v->guest.base == base) {
		confirm(v, base, false);
		return true;
	}
	contest(v, base);
	return false;
}

bool csg_exit_vectors_disputed(const struct csg_exit_vectors *v, struct csg_landmarks *landmarks,
			       uint64_t base)
{
	if (v->disputed)
		return true;
	if (!v->rival.exits || is_established(&v->guest) ||
	    csg_landmarks_world(landmarks, CSG_EXIT_VECTORS, base) != CSG_WORLD_UNKNOWN)
		return false;
	return base == v->guest.base || base == v->rival.base;
}

enum csg_world csg_exit_vectors_world(const struct csg_exit_vectors *v,
				      struct csg_landmarks *landmarks, uint64_t base)
{
	enum csg_world named;

	if (csg_exit_vectors_disputed(v, landmarks, base))
		return CSG_WORLD_UNKNOWN;
	named = csg_landmarks_world(landmarks, CSG_EXIT_VECTORS, base);
	if (named != CSG_WORLD_UNKNOWN || !v->guest.exits)
		return named;
	/* Guests exit to one base on each CPU: another is the host's. */
	return base == v->guest.base ? CSG_WORLD_GUEST : CSG_WORLD_HOST;
}

void csg_exit_vectors_seen(struct csg_exit_vectors *v, struct csg_landmarks *landmarks,
			   uint64_t base)
{
	if (v->disputed &&
	    csg_landmarks_world(landmarks, CSG_EXIT_VECTORS, base) != CSG_WORLD_UNKNOWN)
		v->disputed = false;
}

void csg_exit_vectors_learn_from(struct csg_exit_vectors *v, const struct csg_exit_vectors *other)
{
	if (v->guest.exits)
		return;
	v->guest = other->guest;
	v->rival = other->rival;
	v->named = other->named;
}

bool csg_exit_vectors_known(const struct csg_exit_vectors *v)
{
	return v->guest.exits > 0;
}
