/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_watch.h"

void csg_turn_watch_begin(struct csg_turn_watch *w, uint64_t index)
{
	w->begin = w->index = index;
	w->shown = CSG_TURN_APART;
	w->any = false;
}

/* The turn at hand is over at index; what is known of the next by then. */
static int end_turn(struct csg_turn_watch *w, uint64_t index, uint8_t next)
{
	int err = w->any ? csg_turns_add(w->turns, w->begin, index, w->shown) : 0;

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
		return CSG_TURN_GUEST;
	return owner->world == CSG_WORLD_HOST && owner->privilege == CSG_USER &&
			       !(owner->witness & CSG_WITNESS_POLICY_DEFAULT)
		       ? CSG_TURN_USER
		       : 0;
}

int csg_turn_watch_see(struct csg_turn_watch *w, const struct csg_element *e,
		       const struct csg_owner *owner)
{
	bool executed = e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_RANGE_NOPATH ||
			e->kind == CSG_ELEMENT_GAP;

	w->index = e->index;
	if (hides_switch(e))
		return end_turn(w, e->index, CSG_TURN_APART);
	if (!executed)
		return 0;
	w->any = true;
	w->shown |= shows(owner);
	if (e->kind == CSG_ELEMENT_RANGE && e->el == CSG_EL2 && e->start == w->switch_to)
		return end_turn(w, e->index, 0);
	return 0;
}

int csg_turn_watch_end(struct csg_turn_watch *w)
{
	return end_turn(w, w->index + 1, CSG_TURN_APART);
}
