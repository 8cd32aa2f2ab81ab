/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a vCPU's thread did during an exit, by the host's switch records (waits/waits.h): it handled
 * the exit, was preempted, or was blocked.  Which threads run vCPUs is known when the trace has
 * been decoded: exits are noted until then.  A fast exit never leaves the loop that enters the
 * guest, so that all of it is handling, and none is noted.
 */
#ifndef COMMAND_CALLS_EXIT_WAITS_H
#define COMMAND_CALLS_EXIT_WAITS_H

#include "waits/waits.h"

struct csg_exit_note {
	uint64_t begin, end; /* ns */
	int32_t vm, tid;     /* of the host's thread; -1: not known */
	uint32_t row;
};

struct csg_exit_notes {
	struct csg_exit_note *notes;
	size_t count, capacity;
};

/* All zero is an empty list.  -CSG_E_NO_MEMORY. */
int csg_exit_notes_add(struct csg_exit_notes *notes, const struct csg_exit_note *note);
void csg_exit_notes_fini(struct csg_exit_notes *notes);

/*
 * Adds what the thread did in each note, in all end - begin, to the sums of its row; what waits
 * does not tell is unknown.  Those of row 0 are at sums, of each other step bytes further.
 */
void csg_exit_notes_split(const struct csg_exit_notes *notes, const struct csg_waits *waits,
			  struct csg_wait_sums *sums, size_t step);

#endif
