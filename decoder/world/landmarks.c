/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/landmarks.h"

#include <string.h>

#define SLOT 0x800 /* bytes of a vector table */

static const struct {
	const char *name;
	uint8_t kind, world;
	bool slots; /* several tables in a row */
} names[] = {
	{"__kvm_hyp_vector", CSG_EXIT_VECTORS, CSG_WORLD_GUEST, false},
	{"__bp_harden_hyp_vecs", CSG_EXIT_VECTORS, CSG_WORLD_GUEST, true},
	{"__bp_harden_hyp_vecs_start", CSG_EXIT_VECTORS, CSG_WORLD_GUEST, true}, /* before 5.10 */
	{"vectors", CSG_EXIT_VECTORS, CSG_WORLD_HOST, false},
	{"__bp_harden_el1_vectors", CSG_EXIT_VECTORS, CSG_WORLD_HOST, true},
	{"tramp_vectors", CSG_EXIT_VECTORS, CSG_WORLD_HOST, true},
	{"__entry_tramp_text_start", CSG_EXIT_VECTORS, CSG_WORLD_HOST, true}, /* the same place */
	{"__guest_enter", CSG_ENTRY_ERET, CSG_WORLD_GUEST, true},
	{"wa_epilogue", CSG_ENTRY_ERET, CSG_WORLD_GUEST, true},
	{"ret_to_user", CSG_ENTRY_ERET, CSG_WORLD_HOST, true},
	{"finish_ret_to_user", CSG_ENTRY_ERET, CSG_WORLD_HOST, true}, /* before 5.12, as the next */
	{"ret_fast_syscall", CSG_ENTRY_ERET, CSG_WORLD_HOST, true},
	{"tramp_exit", CSG_ENTRY_ERET, CSG_WORLD_HOST, true},
	{"tramp_exit_native", CSG_ENTRY_ERET, CSG_WORLD_HOST, true}, /* before 6.2, as the next */
	{"tramp_exit_compat", CSG_ENTRY_ERET, CSG_WORLD_HOST, true},
	{"kvm_arm_vcpu_enter_exit", CSG_VCPU_RUN, CSG_WORLD_GUEST, true}, /* since 5.12 */
};

enum csg_world csg_landmark_named(enum csg_landmark_kind kind, const char *name, uint64_t offset)
{
	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].kind != kind || strcmp(names[i].name, name) != 0)
			continue;
		if (kind == CSG_EXIT_VECTORS && (names[i].slots ? offset % SLOT : offset))
			return CSG_WORLD_UNKNOWN;
		return names[i].world;
	}
	return CSG_WORLD_UNKNOWN;
}

static struct csg_landmark *find(struct csg_landmarks *l, enum csg_landmark_kind kind,
				 uint64_t address)
{
	for (unsigned int i = 0; i < l->count[kind]; i++)
		if (l->known[kind][i].address == address)
			return &l->known[kind][i];
	return NULL;
}

static void add(struct csg_landmarks *l, enum csg_landmark_kind kind, uint64_t address,
		enum csg_world named, enum csg_world learned)
{
	if (l->count[kind] == CSG_LANDMARKS)
		return;
	l->known[kind][l->count[kind]++] = (struct csg_landmark){
		.address = address, .named = (uint8_t)named, .learned = (uint8_t)learned};
}

static enum csg_world by_name(struct csg_landmarks *l, enum csg_landmark_kind kind,
			      uint64_t address)
{
	enum csg_world world;

	if (!l->names)
		return CSG_WORLD_UNKNOWN;
	world = l->names->of(l->names->arg, kind, address);
	add(l, kind, address, world, CSG_WORLD_UNKNOWN);
	return world;
}

/* The trace alone says whose it is: what contradicts itself serves both. */
static void learn(struct csg_landmark *known, enum csg_world world)
{
	if (known->learned == CSG_WORLD_UNKNOWN)
		known->learned = (uint8_t)world;
	else if (known->learned != world)
		known->both = true;
}

bool csg_landmarks_learn(struct csg_landmarks *l, enum csg_landmark_kind kind, uint64_t address,
			 enum csg_world world)
{
	struct csg_landmark *known = find(l, kind, address);
	enum csg_world named = known ? known->named : by_name(l, kind, address);

	if (!known)
		known = find(l, kind, address);
	if (!known && named == CSG_WORLD_UNKNOWN)
		add(l, kind, address, CSG_WORLD_UNKNOWN, world);
	if (known && named == CSG_WORLD_UNKNOWN)
		learn(known, world);
	if (known && named != CSG_WORLD_UNKNOWN)
		known->disputed = named != world;
	return named == CSG_WORLD_UNKNOWN || named == world;
}

int csg_landmarks_compare(struct csg_landmarks *l, enum csg_landmark_kind kind, uint64_t address,
			  enum csg_world world)
{
	const struct csg_landmark *known = find(l, kind, address);
	enum csg_world before = known ? known->named : by_name(l, kind, address);

	if (before == CSG_WORLD_UNKNOWN && known)
		before = known->learned;
	if (before == CSG_WORLD_UNKNOWN)
		return 0;
	return before == world ? 1 : -1;
}

void csg_landmarks_learn_from(struct csg_landmarks *l, const struct csg_landmarks *other)
{
	for (unsigned int kind = 0; kind < CSG_LANDMARK_KINDS; kind++)
		for (unsigned int i = 0; i < other->count[kind]; i++) {
			const struct csg_landmark *known = &other->known[kind][i];

			if (known->learned != CSG_WORLD_UNKNOWN && !known->both)
				csg_landmarks_learn(l, kind, known->address, known->learned);
		}
}

enum csg_world csg_landmarks_world(struct csg_landmarks *l, enum csg_landmark_kind kind,
				   uint64_t address)
{
	const struct csg_landmark *known = find(l, kind, address);

	if (!known)
		return by_name(l, kind, address);
	if (known->disputed || known->both)
		return CSG_WORLD_UNKNOWN;
	return known->named != CSG_WORLD_UNKNOWN ? known->named : known->learned;
}

enum csg_world csg_landmarks_by_symbol(struct csg_landmarks *l, enum csg_landmark_kind kind,
				       uint64_t address)
{
	const struct csg_landmark *known = find(l, kind, address);

	if (!known)
		return by_name(l, kind, address);
	return known->disputed ? CSG_WORLD_UNKNOWN : (enum csg_world)known->named;
}

bool csg_landmarks_disputed(struct csg_landmarks *l, enum csg_landmark_kind kind, uint64_t address)
{
	const struct csg_landmark *known = find(l, kind, address);

	return known && known->disputed;
}
