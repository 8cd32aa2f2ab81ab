/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/level_watch.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "util/array.h"

static const struct {
	const char *name;
	bool needed;
} anchors[] = {
#define ANCHOR(name, function, needed) {function, needed},
	CSG_LEVEL_ANCHORS(ANCHOR)
#undef ANCHOR
};

const char *csg_level_anchor_name(enum csg_level_anchor anchor)
{
	return anchors[anchor].name;
}

bool csg_level_anchor_is_needed(enum csg_level_anchor anchor)
{
	return anchors[anchor].needed;
}

void csg_level_watch_fini(struct csg_level_watch *w)
{
	free(w->levels);
	w->levels = NULL;
	w->count = w->capacity = 0;
}

/* --- guests --- */

static void end_guest(struct csg_level_watch *w, uint64_t index)
{
	if (w->open)
		w->levels[w->count - 1].end = index;
	w->open = false;
}

/* One of 64 bits for each address of code. */
static uint64_t filter_bit(uint64_t address)
{
	return (uint64_t)1 << (address >> 2 & 63);
}

/* Nothing is known of what ran there. */
static void lose(struct csg_level_watch *w, uint64_t index)
{
	end_guest(w, index);
	w->whole = w->flushed = w->slow = w->in_el2 = w->known_vcpu = false;
	w->level = w->towards = CSG_LEVEL_UNKNOWN;
	w->guest_tid = w->contextidr = CSG_PID_UNKNOWN;
	w->host_index = index;
}

static void dispute(struct csg_level_watch *w, uint64_t index)
{
	w->disputed = true;
	if (w->conflict)
		w->conflict(w->arg, index);
}

/* What the sources that follow a vCPU say of the entry; unknown: nothing. */
static uint8_t expected(const struct csg_level_watch *w)
{
	if (!w->anchors[CSG_LEVEL_ERET_AT] || !w->anchors[CSG_LEVEL_EXCEPTION_AT] || !w->whole)
		return CSG_LEVEL_UNKNOWN;
	if (w->towards != CSG_LEVEL_UNKNOWN)
		return w->towards;
	return w->known_vcpu && w->anchors[CSG_LEVEL_SWITCH_AT] ? w->level : CSG_LEVEL_UNKNOWN;
}

static uint8_t level_of_entry(struct csg_level_watch *w)
{
	uint8_t level, other;

	if (!w->slow)
		return w->whole ? w->level : CSG_LEVEL_UNKNOWN;
	level = w->nested ? CSG_LEVEL_NESTED : CSG_LEVEL_GUEST;
	other = expected(w);
	if (other == level || (other == CSG_LEVEL_UNKNOWN && !w->disputed))
		return level;
	if (other != CSG_LEVEL_UNKNOWN)
		dispute(w, w->host_index);
	return CSG_LEVEL_UNKNOWN;
}

static int enter(struct csg_level_watch *w)
{
	int err = csg_array_grow((void **)&w->levels, w->count, &w->capacity, sizeof(*w->levels));

	if (err)
		return -CSG_E_NO_MEMORY;
	w->level = level_of_entry(w);
	w->nests |= w->level == CSG_LEVEL_NESTED;
	w->levels[w->count++] = (struct csg_attribution_level){
		.begin = w->host_index,
		.end = UINT64_MAX,
		.guest_tid = w->level == CSG_LEVEL_NESTED ? w->guest_tid : CSG_PID_UNKNOWN,
		.level = w->level,
		.mixed = !w->whole || w->towards != CSG_LEVEL_UNKNOWN,
	};
	w->open = true;
	w->in_el2 = false;
	w->known_vcpu = true;
	return 0;
}

/* The host's user space is part of what it does between an exit and the next entry. */
static int see_below(struct csg_level_watch *w, uint64_t index, const struct csg_owner *owner)
{
	int err;

	if (owner->world == CSG_WORLD_HOST)
		return 0;
	if (owner->world != CSG_WORLD_GUEST) {
		lose(w, index);
		return 0;
	}
	err = w->in_el2 ? enter(w) : 0;
	if (w->level == CSG_LEVEL_GUEST && w->open)
		w->guest_tid = w->contextidr;
	return err;
}

/* --- the host --- */

static void leave_guest(struct csg_level_watch *w, uint64_t index)
{
	w->whole = w->open;
	end_guest(w, index);
	w->in_el2 = true;
	w->flushed = w->nested = w->slow = w->entered = false;
	w->towards = CSG_LEVEL_UNKNOWN;
}

/*
 * The piece that was left was of a guest with vEL2; a level that says otherwise is not believed.
 * After an entry by which nothing was executed it is of that.
 */
static void see_timer(struct csg_level_watch *w)
{
	if (w->whole && !w->entered && w->level == CSG_LEVEL_NESTED && w->count) {
		w->levels[w->count - 1].level = w->level = CSG_LEVEL_UNKNOWN;
		dispute(w, w->levels[w->count - 1].begin);
	}
}

static void see_call(struct csg_level_watch *w, uint64_t address)
{
	size_t i = 0;

	if (!(w->filter & filter_bit(address)))
		return;
	while (i < CSG_LEVEL_ANCHOR_COUNT && w->anchors[i] != address)
		i++;
	switch (i) {
	case CSG_LEVEL_FLUSH_AT:
		w->flushed = true;
		w->nested = w->slow = false;
		break;
	case CSG_LEVEL_FLUSH_NESTED_AT:
		w->nested = w->nests = true;
		break;
	case CSG_LEVEL_RUN_AT:
		w->slow = w->flushed;
		w->entered = true;
		break;
	case CSG_LEVEL_ERET_AT:
		w->nests = true;
		w->towards = CSG_LEVEL_NESTED;
		break;
	case CSG_LEVEL_EXCEPTION_AT:
		w->nests = true;
		w->towards = CSG_LEVEL_GUEST;
		break;
	case CSG_LEVEL_SWITCH_AT:
		w->known_vcpu = false;
		w->level = w->towards = CSG_LEVEL_UNKNOWN;
		w->guest_tid = CSG_PID_UNKNOWN;
		break;
	case CSG_LEVEL_TIMER_AT:
		see_timer(w);
		break;
	default:
		break;
	}
}

/* --- elements --- */

void csg_level_watch_begin(struct csg_level_watch *w, uint64_t index)
{
	w->filter = 0;
	for (size_t i = 0; i < CSG_LEVEL_ANCHOR_COUNT; i++)
		w->filter |= filter_bit(w->anchors[i]);
	lose(w, index);
}

/* Whether an element may hide a call: code of guests is not asked for. */
static bool hides(const struct csg_element *e)
{
	bool code = e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER ||
		    e->gap == CSG_GAP_BAD_CODE || e->gap == CSG_GAP_UNDEFINED ||
		    e->gap == CSG_GAP_RETURN;

	if (e->kind == CSG_ELEMENT_RANGE_NOPATH)
		return e->el >= CSG_EL2;
	return e->kind == CSG_ELEMENT_GAP && !(code && e->el < CSG_EL2);
}

static void see_context(struct csg_level_watch *w, const struct csg_element *e)
{
	if (e->el >= CSG_EL2)
		return;
	w->contextidr =
		e->info & CSG_CONTEXT_HAS_CONTEXTIDR && e->start > 0 && e->start <= INT32_MAX
			? (int32_t)e->start
			: CSG_PID_UNKNOWN;
}

/* Nearly all elements are ranges of the host's kernel. */
static void see_range(struct csg_level_watch *w, const struct csg_element *e)
{
	if (!w->in_el2)
		leave_guest(w, e->index);
	w->host_index = e->index;
	see_call(w, e->start);
}

static int see_other(struct csg_level_watch *w, const struct csg_element *e,
		     const struct csg_owner *owner)
{
	bool executed = e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH ||
			e->kind == CSG_ELEMENT_GAP;

	if (hides(e)) {
		lose(w, e->index);
		return 0;
	}
	if (e->kind == CSG_ELEMENT_CONTEXT)
		see_context(w, e);
	if (!executed)
		return 0;
	if (e->el < CSG_EL2)
		return see_below(w, e->index, owner);
	if (!w->in_el2)
		leave_guest(w, e->index);
	w->host_index = e->index;
	return 0;
}

int csg_level_watch_see(struct csg_level_watch *w, const struct csg_element *e,
			const struct csg_owner *owner)
{
	if (e->kind != CSG_ELEMENT_RANGE || e->el != CSG_EL2)
		return see_other(w, e, owner);
	see_range(w, e);
	return 0;
}

void csg_level_watch_end(struct csg_level_watch *w)
{
	end_guest(w, UINT64_MAX);
	w->in_el2 = false;
}
