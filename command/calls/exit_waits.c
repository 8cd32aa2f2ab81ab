/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_waits.h"

#include <stdlib.h>

#include "util/array.h"

#define TRIM_NOTES 4096 /* that use memory before it is let go of */

int csg_exit_notes_add(struct csg_exit_notes *n, const struct csg_exit_note *note)
{
	int err = csg_array_grow((void **)&n->notes, n->count, &n->capacity, sizeof(*n->notes));

	if (!err)
		n->notes[n->count++] = *note;
	return err;
}

void csg_exit_notes_fini(struct csg_exit_notes *n)
{
	free(n->notes);
	*n = (struct csg_exit_notes){0};
}

static void split(const struct csg_exit_note *note, const struct csg_waits *waits,
		  struct csg_wait_sums *sums)
{
	struct csg_wait_sums part = {{0}};
	uint64_t rest = note->end - note->begin;

	csg_waits_between(waits, note->vm, note->tid, note->begin, note->end, &part);
	for (int state = 0; state < CSG_WAIT_STATES; state++) {
		sums->time[state] += part.time[state];
		rest -= part.time[state];
	}
	sums->time[CSG_WAIT_UNKNOWN] += rest;
}

void csg_exit_notes_split(const struct csg_exit_notes *n, const struct csg_waits *waits,
			  struct csg_wait_sums *sums, size_t step)
{
	for (size_t i = 0; i < n->count; i++) {
		const struct csg_exit_note *note = &n->notes[i];

		if (i % TRIM_NOTES == 0)
			csg_waits_trim(waits);
		split(note, waits, (void *)((char *)sums + note->row * step));
	}
}
