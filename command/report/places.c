/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/places.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/context.h"
#include "csguest/error.h"

#define NAME_KEYS (1u << CSG_REPORT_PROCESS | 1u << CSG_REPORT_COMM)
#define VM_KEYS (1u << CSG_REPORT_VM | 1u << CSG_REPORT_GUEST | 1u << CSG_REPORT_VCPU)

/* Compared byte by byte. */
struct place {
	struct csg_space *space;
	uint32_t label;
	uint32_t reserved;
};

void csg_places_init(struct csg_places *p, uint32_t keys, const struct csg_lookup *lookup)
{
	memset(p, 0, sizeof(*p));
	p->keys = keys;
	p->lookup = lookup;
	csg_keyset_init(&p->labels, sizeof(struct csg_report_label));
	csg_keyset_init(&p->places, sizeof(struct place));
}

void csg_places_fini(struct csg_places *p)
{
	free(p->now.of);
	csg_keyset_fini(&p->labels);
	csg_keyset_fini(&p->places);
	p->now = (struct csg_places_now){0};
}

static bool has(const struct csg_places *p, enum csg_report_key key)
{
	return p->keys & 1u << key;
}

static void copy_name(char to[16], const char *name)
{
	if (name)
		memcpy(to, name, strnlen(name, 15));
}

static void name_guest(const struct csg_lookup *l, struct csg_report_label *label, int32_t vm)
{
	const char *name = csg_lookup_guest(l, vm);

	if (name)
		memcpy(label->guest, name, strnlen(name, sizeof(label->guest) - 1));
	else if (vm > 0)
		csg_vm_text(vm, stpcpy(label->guest, "VM "), CSG_VM_TEXT_SIZE);
}

static void set_label(const struct csg_places *p, struct csg_report_label *label,
		      const struct csg_owner *o, int32_t cpu)
{
	memset(label, 0, sizeof(*label));
	if (has(p, CSG_REPORT_WORLD))
		label->world = o->world;
	if (has(p, CSG_REPORT_EL))
		label->el = o->el;
	if (has(p, CSG_REPORT_VM))
		label->vm = o->vm;
	if (has(p, CSG_REPORT_VCPU))
		label->vcpu = o->vcpu;
	if (has(p, CSG_REPORT_LEVEL))
		label->level = o->level;
	if (has(p, CSG_REPORT_NESTED))
		label->nested = o->nested;
	if (has(p, CSG_REPORT_GUEST_TID))
		label->guest_tid = o->world == CSG_WORLD_HOST || o->level < 2
					   ? CSG_REPORT_NO_GUEST_TID
					   : o->guest_tid;
	if (has(p, CSG_REPORT_PID))
		label->pid = o->pid;
	if (has(p, CSG_REPORT_TID))
		label->tid = o->tid;
	if (has(p, CSG_REPORT_CPU))
		label->cpu = cpu;
	if (has(p, CSG_REPORT_EVIDENCE))
		label->evidence = o->evidence;
}

/* Whether the owner's reason explains a key: rows that show no such key do not differ by it. */
static bool lacks(const struct csg_places *p, const struct csg_report_label *label,
		  const struct csg_owner *o)
{
	const bool process = has(p, CSG_REPORT_PROCESS), comm = has(p, CSG_REPORT_COMM);

	return (has(p, CSG_REPORT_WORLD) && o->world == CSG_WORLD_UNKNOWN) ||
	       (has(p, CSG_REPORT_EL) && o->el >= CSG_EL_UNKNOWN) ||
	       (p->keys & VM_KEYS && o->vm == CSG_VM_UNKNOWN) ||
	       ((has(p, CSG_REPORT_LEVEL) || has(p, CSG_REPORT_NESTED)) &&
		o->reason == CSG_REASON_NO_LEVEL) ||
	       ((has(p, CSG_REPORT_PID) || process) && o->pid < 0) ||
	       ((has(p, CSG_REPORT_TID) || comm) && o->tid < 0) ||
	       (process && !label->process[0]) || (comm && !label->comm[0]);
}

static int64_t look_up(struct csg_places *p, const struct csg_places_now *s, uint32_t owner)
{
	const struct csg_lookup *l = p->lookup;
	const struct csg_owner *o = l->owner(l->arg, owner);
	struct csg_report_label label;
	struct place place = {0};
	int64_t number;

	set_label(p, &label, o, s->cpu);
	if (has(p, CSG_REPORT_GUEST))
		name_guest(l, &label, o->vm);
	if (has(p, CSG_REPORT_COMM))
		copy_name(label.comm, l->comm(l->arg, owner, s->time));
	if (has(p, CSG_REPORT_PROCESS))
		copy_name(label.process, l->process(l->arg, owner, s->time));
	if (p->keys & CSG_REPORT_OWNER)
		label.owner = owner;
	if (has(p, CSG_REPORT_REASON) || lacks(p, &label, o))
		label.reason = o->reason;
	number = csg_keyset_add(&p->labels, &label);
	if (number < 0)
		return number;
	place.label = (uint32_t)number;
	if (p->keys & CSG_REPORT_CODE_KEYS)
		place.space = l->space(l->arg, owner);
	return csg_keyset_add(&p->places, &place);
}

/* What was looked up there holds at the stream's time, too. */
static bool holds(const struct csg_place_of *of, const struct csg_places_now *s)
{
	return of->generation == s->generation && s->time >= of->first && s->time <= of->last;
}

/* Until when (inclusive) that place is the owner's: of all keys only names of threads depend on the
 * time. */
static uint64_t last_of(const struct csg_places *p, const struct csg_places_now *s, uint32_t owner)
{
	uint64_t until = p->lookup->named_until(p->lookup->arg, owner, s->time);

	return until == UINT64_MAX ? until : until - 1;
}

int64_t csg_places_find(struct csg_places *p, uint32_t owner)
{
	struct csg_places_now *now = &p->now;
	int64_t number;

	if (csg_array_reach((void **)&now->of, &now->n, owner, sizeof(*now->of)))
		return -CSG_E_NO_MEMORY;
	if (!holds(&now->of[owner], now)) {
		number = look_up(p, now, owner);
		if (number < 0)
			return number;
		now->of[owner] = (struct csg_place_of){
			.generation = now->generation,
			.place = (uint32_t)number,
			.first = p->keys & NAME_KEYS ? now->time : 0,
			.last = p->keys & NAME_KEYS ? last_of(p, now, owner) : UINT64_MAX,
		};
	}
	return now->of[owner].place;
}

void csg_places_set(struct csg_places *p, uint64_t time, int32_t cpu)
{
	struct csg_places_now *now = &p->now;

	if (!now->generation || (now->cpu != cpu && has(p, CSG_REPORT_CPU))) {
		if (!++now->generation) {
			memset(now->of, 0, now->n * sizeof(*now->of));
			now->generation = 1;
		}
	}
	now->time = time ? time : UINT64_MAX;
	now->cpu = cpu;
}

uint32_t csg_places_label_number(const struct csg_places *p, uint32_t number)
{
	const struct place *place = csg_keyset_get(&p->places, number);

	return place->label;
}

const struct csg_report_label *csg_places_label(const struct csg_places *p, uint32_t label)
{
	return csg_keyset_get(&p->labels, label);
}

struct csg_space *csg_places_space(const struct csg_places *p, uint32_t number)
{
	const struct place *place = csg_keyset_get(&p->places, number);

	return place->space;
}
