/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/turn_breaks.h"

#define MARKS (CSG_TURN_GOES_ON | CSG_TURN_BREAK)

void csg_turn_breaks_fini(struct csg_turn_breaks *b)
{
	csg_turns_fini(&b->added);
	csg_turns_fini(&b->joined);
}

/* Turn i of another list, at the end of this one. */
static int append(struct csg_turns *t, const struct csg_turns *from, size_t i)
{
	int err = csg_turns_add(t, 0, 0, from->shown[i]);

	if (err)
		return err;
	t->turns[t->count - 1] = from->turns[i];
	t->times[t->count - 1] = from->times[i];
	t->seen[t->count - 1] = from->seen[i];
	return 0;
}

static int copy(struct csg_turns *to, const struct csg_turns *from, size_t first)
{
	int err = 0;

	for (size_t i = first; !err && i < from->count; i++)
		err = append(to, from, i);
	return err;
}

static void join(struct csg_turns *t, const struct csg_turns *from, size_t i)
{
	size_t last = t->count - 1;

	t->turns[last].end = from->turns[i].end;
	t->shown[last] |= (uint8_t)(from->shown[i] & ~MARKS);
	t->seen[last] = from->seen[i];
}

int csg_turn_breaks_cut(struct csg_turns *t, size_t turn, uint64_t index, uint8_t shown,
			size_t seen)
{
	int err = append(t, t, t->count - 1);

	if (err)
		return err;
	for (size_t i = t->count - 1; i > turn; i--) {
		t->turns[i] = t->turns[i - 1];
		t->shown[i] = t->shown[i - 1];
		t->times[i] = t->times[i - 1];
		t->seen[i] = t->seen[i - 1];
	}
	t->turns[turn].end = t->turns[turn + 1].begin = index;
	t->shown[turn] = shown;
	t->seen[turn] = seen;
	t->shown[turn + 1] &= (uint8_t)~CSG_TURN_APART;
	t->shown[turn + 1] |= MARKS;
	return 0;
}

int csg_turn_breaks_join(struct csg_turn_breaks *b, struct csg_turns *t, size_t first)
{
	size_t end = t->count;
	bool any = false;
	int err;

	for (size_t i = first; i < end; i++)
		any |= t->shown[i] & MARKS;
	if (!any)
		return 0;
	err = copy(&b->added, t, first);
	t->count = first;
	for (size_t i = 0; !err && i < b->added.count; i++) {
		if (b->added.shown[i] & CSG_TURN_GOES_ON) {
			join(t, &b->added, i);
			continue;
		}
		err = append(t, &b->added, i);
		t->shown[t->count - 1] &= (uint8_t)~MARKS;
	}
	return err;
}

/* As it was added, unless it was joined to what does not contradict the events. */
static int divide(struct csg_turns *t, const struct csg_turns *added, size_t i, bool contradicted)
{
	int err = 0;

	if (!contradicted && added->shown[i] & CSG_TURN_GOES_ON)
		join(t, added, i);
	else
		err = append(t, added, i);
	if (!contradicted)
		t->shown[t->count - 1] &= (uint8_t)~MARKS;
	return err;
}

bool csg_turn_breaks_divide(struct csg_turn_breaks *b, struct csg_turns *t, size_t first,
			    int *error)
{
	bool any = false;
	size_t at = 0;
	int err = copy(&b->joined, t, first);

	t->count = first;
	for (size_t i = 0; !err && i < b->added.count; i++) {
		bool contradicted;

		at += i && !(b->added.shown[i] & CSG_TURN_GOES_ON);
		contradicted = b->joined.turns[at].events == CSG_TURN_EVENTS_CONTRADICT;
		any |= contradicted && b->added.shown[i] & CSG_TURN_BREAK;
		err = divide(t, &b->added, i, contradicted);
	}
	if (!err && !any)
		err = csg_turn_breaks_undo(b, t, first);
	*error = err;
	return any && !err;
}

int csg_turn_breaks_undo(struct csg_turn_breaks *b, struct csg_turns *t, size_t first)
{
	t->count = first;
	return copy(t, &b->joined, 0);
}
