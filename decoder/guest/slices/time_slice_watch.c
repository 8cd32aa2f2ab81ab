/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_watch.h"

#include "guest/slices/time_slice_breaks.h"

#define BREAK 8	     /* times as far apart as timestamps usually are */
#define BLOCK_BITS 7 /* of a timestamp, that are in each of its packets */

void csg_time_slice_watch_begin(struct csg_time_slice_watch *w, uint64_t index)
{
	w->begin = w->index = index;
	w->shown = CSG_TIME_SLICE_APART;
	w->any = w->in_el2 = w->below = w->leaves = false;
	w->stamp.any = w->block.any = w->conflict = w->left = false;
}

/* The current time slice is over at index; what is known of the next by then. */
static int end_slice(struct csg_time_slice_watch *w, uint64_t index, uint8_t next)
{
	int err = w->any ? csg_time_slices_add(w->slices, w->begin, index, w->shown) : 0;

	csg_user_code_end(&w->slices->code);

	w->shown = w->any ? next : w->shown | next;
	w->begin = index;
	w->any = false;
	return err;
}

static bool hides_switch(const struct csg_element *e)
{
	bool code = e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER ||
		    e->gap == CSG_GAP_BAD_CODE;

	if (e->kind == CSG_ELEMENT_RANGE_NOPATH)
		return e->el >= CSG_EL2;
	return e->kind == CSG_ELEMENT_GAP && !(code && e->el < CSG_EL2);
}

static uint8_t shows(const struct csg_owner *owner)
{
	if (owner->world == CSG_WORLD_GUEST)
		return CSG_TIME_SLICE_GUEST;
	return owner->world == CSG_WORLD_HOST && owner->privilege == CSG_USER &&
			       !(owner->evidence & CSG_EVIDENCE_POLICY_DEFAULT)
		       ? CSG_TIME_SLICE_USER
		       : 0;
}

/* Where execution goes on below EL2; a gap may tell no address. */
static struct csg_border_sight entry_at(const struct csg_element *e)
{
	bool known = e->kind == CSG_ELEMENT_RANGE ||
		     (e->kind == CSG_ELEMENT_GAP &&
		      (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER));

	return (struct csg_border_sight){
		.address = known ? e->start : 0, .entry = true, .known = known};
}

static int see_entry(struct csg_time_slice_watch *w, const struct csg_element *e)
{
	struct csg_border_sight entry = entry_at(e);
	bool entered = w->in_el2;

	w->in_el2 = false;
	w->below = true;
	return entered ? csg_time_slices_sight(w->slices, &entry) : 0;
}

static void see_exception(struct csg_time_slice_watch *w, const struct csg_element *e)
{
	if (e->el >= CSG_EL2)
		return;
	w->leaves = true;
	w->exit = (struct csg_border_sight){
		.address = e->end, .number = (uint8_t)e->info, .known = e->has_return};
}

/* EL2 executes: what lay below it was left by the exception that was taken last. */
static int see_exit(struct csg_time_slice_watch *w)
{
	struct csg_border_sight entry = w->exit;
	int err = 0;

	if (!w->leaves)
		w->exit = (struct csg_border_sight){.known = false};
	/* Entered, and left before anything was executed. */
	entry.entry = true;
	if (w->in_el2 && w->leaves)
		err = csg_time_slices_sight(w->slices, &entry);
	if (!err && (w->below || w->leaves))
		err = csg_time_slices_sight(w->slices, &w->exit);
	w->in_el2 = true;
	w->below = false;
	return err;
}

/* Passing the border between EL2 and what is below it. */
static int see_border(struct csg_time_slice_watch *w, const struct csg_element *e, bool executed)
{
	int err;

	if (e->kind == CSG_ELEMENT_EXCEPTION)
		see_exception(w, e);
	if (!executed)
		return 0;
	err = e->el >= CSG_EL2 ? see_exit(w) : see_entry(w, e);
	w->leaves = false;
	return err;
}

/* --- breaks --- */

/* Whether the trace has a break before a timestamp. */
static bool breaks(struct csg_time_slice_watch *w, uint64_t value)
{
	uint64_t apart = value - w->stamp.value;

	if (!w->stamp.any || apart == 0)
		return false;
	if (value < w->stamp.value || (w->usual && apart / BREAK > w->usual))
		return true;
	if (!w->usual || apart < w->usual / 2)
		w->usual = apart;
	w->usual = (15 * w->usual + apart) / 16;
	return false;
}

/* What of the current time slice comes before the timestamp at which a break begins, and what
 * since. */
static int divide_slice(struct csg_time_slice_watch *w, uint64_t index)
{
	struct csg_time_slices *t = w->slices;
	uint8_t shown = w->shown;
	int err = csg_time_slices_break(t, w->stamp.index, index);

	csg_user_code_end(&t->code);
	/* Nothing but KVM's events tells of time slices in which a switch is missing. */
	if (err || !w->sights)
		return err;
	if (t->count > w->stamp.slice) {
		err = csg_time_slice_breaks_cut(t, w->stamp.slice, w->stamp.index, w->stamp.shown,
						w->stamp.sights);
		for (size_t i = w->stamp.slice + 2; i < t->count; i++)
			t->shown[i] |= CSG_TIME_SLICE_BREAK;
	} else if (w->any) {
		err = csg_time_slices_add(t, w->begin, w->stamp.index, w->stamp.shown);
		if (!err)
			t->seen[t->count - 1] = w->stamp.sights;
		w->begin = w->stamp.index;
		shown = (uint8_t)((shown & ~CSG_TIME_SLICE_APART) | CSG_TIME_SLICE_GOES_ON);
	}
	if (err || !w->any)
		return err;
	err = csg_time_slices_add(t, w->begin, index, shown | CSG_TIME_SLICE_BREAK);
	w->begin = index;
	w->shown = CSG_TIME_SLICE_GOES_ON;
	return err;
}

/*
 * compares: the counter is the one of the timestamp before.  After a loss the upper bits of
 * timestamps may be those from before it (guest/time_blocks.h), up to the jump that is seen: trace
 * is missing after the first timestamp with these upper bits, or later.
 */
static int see_timestamp(struct csg_time_slice_watch *w, const struct csg_element *e, bool compares)
{
	bool jumps = compares && breaks(w, e->timestamp), conflict = w->conflict && w->stamp.any;
	int err;

	if (jumps)
		w->stamp = w->block;
	err = jumps || conflict ? divide_slice(w, e->index) : 0;
	w->conflict = false;
	w->stamp = (struct csg_time_slice_stamp){.value = e->timestamp,
						 .index = e->index,
						 .shown = w->shown,
						 .slice = w->slices->count,
						 .sights = w->slices->sight_count,
						 .any = true};
	if (jumps || conflict || !w->block.any ||
	    w->block.value >> BLOCK_BITS != e->timestamp >> BLOCK_BITS)
		w->block = w->stamp;
	return err;
}

int csg_time_slice_watch_see(struct csg_time_slice_watch *w, const struct csg_element *e,
			     const struct csg_owner *owner)
{
	bool executed = e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH ||
			e->kind == CSG_ELEMENT_GAP;
	int err = 0;

	w->index = e->index;
	if (hides_switch(e)) {
		w->in_el2 = w->below = w->leaves = w->stamp.any = w->block.any = false;
		return end_slice(w, e->index, CSG_TIME_SLICE_APART);
	}
	if (e->kind == CSG_ELEMENT_TIMESTAMP) {
		bool others = !w->steady && owner->world != CSG_WORLD_GUEST, left = w->left;

		w->left = others;
		return see_timestamp(w, e, !others && !left);
	}
	if (w->sights)
		err = see_border(w, e, executed);
	if (err || !executed)
		return err;
	w->any = true;
	w->conflict |= owner->reason == CSG_REASON_CONFLICT;
	w->left |= !w->steady && owner->world != CSG_WORLD_GUEST;
	w->shown |= shows(owner);
	if (shows(owner) == CSG_TIME_SLICE_USER && entry_at(e).known)
		err = csg_user_code_see(&w->slices->code, e->start, e->index);
	if (err)
		return err;
	if (e->kind == CSG_ELEMENT_RANGE && e->el == CSG_EL2 && e->start == w->switch_to)
		return end_slice(w, e->index, 0);
	return 0;
}

int csg_time_slice_watch_end(struct csg_time_slice_watch *w)
{
	return end_slice(w, w->index + 1, CSG_TIME_SLICE_APART);
}
