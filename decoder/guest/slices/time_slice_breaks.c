/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/slices/time_slice_breaks.h"

#define MARKS (CSG_TIME_SLICE_GOES_ON | CSG_TIME_SLICE_BREAK)

void csg_time_slice_breaks_fini(struct csg_time_slice_breaks *b)
{
	csg_time_slices_fini(&b->added);
	csg_time_slices_fini(&b->joined);
}

/* Time slice i of another list, at the end of this one. */
static int append(struct csg_time_slices *t, const struct csg_time_slices *from, size_t i)
{
	int err = csg_time_slices_add(t, 0, 0, from->shown[i]);

	if (err)
		return err;
	t->slices[t->count - 1] = from->slices[i];
	t->times[t->count - 1] = from->times[i];
	t->seen[t->count - 1] = from->seen[i];
	return 0;
}

static int copy(struct csg_time_slices *to, const struct csg_time_slices *from, size_t first)
{
	int err = 0;

	for (size_t i = first; !err && i < from->count; i++)
		err = append(to, from, i);
	return err;
}

static void join(struct csg_time_slices *t, const struct csg_time_slices *from, size_t i)
{
	size_t last = t->count - 1;

	t->slices[last].end = from->slices[i].end;
	t->shown[last] |= (uint8_t)(from->shown[i] & ~MARKS);
	t->seen[last] = from->seen[i];
}

int csg_time_slice_breaks_cut(struct csg_time_slices *t, size_t slice, uint64_t index,
			      uint8_t shown, size_t seen)
{
	int err = append(t, t, t->count - 1);

	if (err)
		return err;
	for (size_t i = t->count - 1; i > slice; i--) {
		t->slices[i] = t->slices[i - 1];
		t->shown[i] = t->shown[i - 1];
		t->times[i] = t->times[i - 1];
		t->seen[i] = t->seen[i - 1];
	}
	t->slices[slice].end = t->slices[slice + 1].begin = index;
	t->shown[slice] = shown;
	t->seen[slice] = seen;
	t->shown[slice + 1] &= (uint8_t)~CSG_TIME_SLICE_APART;
	t->shown[slice + 1] |= MARKS;
	return 0;
}

int csg_time_slice_breaks_join(struct csg_time_slice_breaks *b, struct csg_time_slices *t,
			       size_t first)
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
		if (b->added.shown[i] & CSG_TIME_SLICE_GOES_ON) {
			join(t, &b->added, i);
			continue;
		}
		err = append(t, &b->added, i);
		t->shown[t->count - 1] &= (uint8_t)~MARKS;
	}
	return err;
}

/* As it was added, unless it was joined to what does not contradict the events. */
static int divide(struct csg_time_slices *t, const struct csg_time_slices *added, size_t i,
		  bool contradicted)
{
	int err = 0;

	if (!contradicted && added->shown[i] & CSG_TIME_SLICE_GOES_ON)
		join(t, added, i);
	else
		err = append(t, added, i);
	if (!contradicted)
		t->shown[t->count - 1] &= (uint8_t)~MARKS;
	return err;
}

bool csg_time_slice_breaks_divide(struct csg_time_slice_breaks *b, struct csg_time_slices *t,
				  size_t first, int *error)
{
	bool any = false;
	size_t at = 0;
	int err = copy(&b->joined, t, first);

	t->count = first;
	for (size_t i = 0; !err && i < b->added.count; i++) {
		bool contradicted;

		at += i && !(b->added.shown[i] & CSG_TIME_SLICE_GOES_ON);
		contradicted = b->joined.slices[at].events == CSG_TIME_SLICE_EVENTS_CONTRADICT;
		any |= contradicted && b->added.shown[i] & CSG_TIME_SLICE_BREAK;
		err = divide(t, &b->added, i, contradicted);
	}
	if (!err && !any)
		err = csg_time_slice_breaks_undo(b, t, first);
	*error = err;
	return any && !err;
}

int csg_time_slice_breaks_undo(struct csg_time_slice_breaks *b, struct csg_time_slices *t,
			       size_t first)
{
	t->count = first;
	return copy(t, &b->joined, 0);
}
