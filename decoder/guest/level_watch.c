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
	w->whole = w->flushed = w->slow = w->in_el2 = w->in_flush = w->known_vcpu = false;
	w->level = w->towards = w->claim = CSG_LEVEL_UNKNOWN;
	w->vcpu = CSG_LEVEL_VCPU_UNKNOWN;
	w->visit = w->count;
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
	if (!w->anchors[CSG_LEVEL_ERET_AT] || !w->anchors[CSG_LEVEL_EXCEPTION_AT])
		return CSG_LEVEL_UNKNOWN;
	if (w->towards != CSG_LEVEL_UNKNOWN)
		return w->towards;
	return w->whole && w->known_vcpu && w->anchors[CSG_LEVEL_SWITCH_AT] ? w->level
									    : CSG_LEVEL_UNKNOWN;
}

/*
 * Whether the flush alone is enough: it may be missing before an entry of a guest's guest, but it
 * is called before none of others.
 */
static bool is_enough(const struct csg_level_watch *w)
{
	return !w->disputed && (w->claim == CSG_LEVEL_NESTED || w->vcpu == CSG_LEVEL_VCPU_PLAIN);
}

static uint8_t level_of_slow_entry(struct csg_level_watch *w)
{
	uint8_t other = w->vcpu == CSG_LEVEL_VCPU_PLAIN ? CSG_LEVEL_GUEST : expected(w);

	w->claim = w->nested ? CSG_LEVEL_NESTED : CSG_LEVEL_GUEST;
	if (other == w->claim || (other == CSG_LEVEL_UNKNOWN && is_enough(w)))
		return w->claim;
	if (other != CSG_LEVEL_UNKNOWN) {
		dispute(w, w->host_index);
		w->claim = CSG_LEVEL_UNKNOWN;
		w->visit = w->count + 1;
	}
	return CSG_LEVEL_UNKNOWN;
}

static uint8_t level_of_entry(struct csg_level_watch *w)
{
	if (w->slow || !w->whole) {
		w->visit = w->count;
		w->claim = CSG_LEVEL_UNKNOWN;
	}
	if (w->slow)
		return level_of_slow_entry(w);
	return w->whole ? w->level : CSG_LEVEL_UNKNOWN;
}

/* A guest runs from the host's last element on, or where the trace begins. */
static int open_level(struct csg_level_watch *w, bool mixed)
{
	int err = csg_array_grow((void **)&w->levels, w->count, &w->capacity, sizeof(*w->levels));

	if (err)
		return -CSG_E_NO_MEMORY;
	w->levels[w->count++] = (struct csg_attribution_level){
		.begin = w->host_index,
		.end = UINT64_MAX,
		.guest_tid = w->level == CSG_LEVEL_NESTED ? w->guest_tid : CSG_PID_UNKNOWN,
		.level = w->level,
		.mixed = mixed,
	};
	w->open = true;
	return 0;
}

static int enter(struct csg_level_watch *w, int32_t vm)
{
	w->level = level_of_entry(w);
	w->nests |= w->level == CSG_LEVEL_NESTED || w->vcpu == CSG_LEVEL_VCPU_HAS_EL2;
	if (w->nested || w->towards != CSG_LEVEL_UNKNOWN)
		w->vcpu = CSG_LEVEL_VCPU_HAS_EL2;
	w->vm_left = vm;
	if (w->vm)
		w->vm(w->arg, vm, w->vcpu);
	w->in_el2 = false;
	w->known_vcpu = true;
	return open_level(w, !w->whole || w->towards != CSG_LEVEL_UNKNOWN);
}

/* A guest runs that no entry was seen of. */
static int find_running(struct csg_level_watch *w, int32_t vm)
{
	if (w->open)
		return 0;
	w->vm_left = vm;
	if (w->vm)
		w->vm(w->arg, vm, CSG_LEVEL_VCPU_UNKNOWN);
	return open_level(w, true);
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
	err = w->in_el2 ? enter(w, owner->vm) : find_running(w, owner->vm);
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
	w->flushed = w->nested = w->slow = w->entered = w->in_flush = false;
	w->towards = CSG_LEVEL_UNKNOWN;
	w->vcpu = CSG_LEVEL_VCPU_UNKNOWN;
}

/* All that ran since the slow entry was of this level, and named as little as before. */
static void set_visit(struct csg_level_watch *w, uint8_t level)
{
	for (size_t i = w->visit; i < w->count; i++)
		w->levels[i].level = level;
	w->level = level;
}

/*
 * What KVM does after an exit says the level of the guest that was left, which it may have entered
 * again several times since the slow entry.  After another entry by which nothing was executed it
 * is of that.
 */
static void see_exit(struct csg_level_watch *w, uint8_t level)
{
	w->nests |= level == CSG_LEVEL_NESTED;
	if (w->vm && level == CSG_LEVEL_NESTED && w->whole)
		w->vm(w->arg, w->vm_left, CSG_LEVEL_VCPU_HAS_EL2);
	if (!w->whole || w->entered || w->visit >= w->count || w->level == level)
		return;
	if (w->level == CSG_LEVEL_UNKNOWN && (w->claim == level || w->claim == CSG_LEVEL_UNKNOWN)) {
		set_visit(w, level);
		if (level == CSG_LEVEL_GUEST)
			w->guest_tid = w->contextidr;
		return;
	}
	set_visit(w, CSG_LEVEL_UNKNOWN);
	dispute(w, w->levels[w->visit].begin);
	w->visit = w->count;
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
		w->flushed = w->in_flush = true;
		w->nested = w->slow = false;
		w->vcpu = CSG_LEVEL_VCPU_UNKNOWN;
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
		w->visit = w->count;
		break;
	case CSG_LEVEL_TIMER_AT:
		see_exit(w, CSG_LEVEL_GUEST);
		break;
	case CSG_LEVEL_SYNC_AT:
		see_exit(w, CSG_LEVEL_NESTED);
		break;
	default:
		break;
	}
}

/*
 * kvm_nested_flush_hwstate() itself: it returns at once for a vCPU without vEL2, and calls others
 * for one that has it.  A way out that is neither says nothing.
 */
static void see_flush(struct csg_level_watch *w, const struct csg_element *e)
{
	if (e->start < w->anchors[CSG_LEVEL_FLUSH_AT] || e->start >= w->flush_end)
		w->in_flush = false;
	else if (e->branch == CSG_BRANCH_CALL && e->taken)
		w->vcpu = CSG_LEVEL_VCPU_HAS_EL2;
	else if (e->branch == CSG_BRANCH_RETURN && w->vcpu == CSG_LEVEL_VCPU_UNKNOWN)
		w->vcpu = CSG_LEVEL_VCPU_PLAIN;
	w->in_flush &= w->vcpu == CSG_LEVEL_VCPU_UNKNOWN;
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
	if (w->in_flush)
		see_flush(w, e);
}

static int see_other(struct csg_level_watch *w, const struct csg_element *e,
		     const struct csg_owner *owner)
{
	/* A guest whose first instruction traps was entered, too. */
	bool runs = e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH ||
		    e->kind == CSG_ELEMENT_GAP ||
		    (e->kind == CSG_ELEMENT_EXCEPTION && owner->world == CSG_WORLD_GUEST);

	if (hides(e)) {
		lose(w, e->index);
		return 0;
	}
	if (e->kind == CSG_ELEMENT_CONTEXT)
		see_context(w, e);
	if (!runs)
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
