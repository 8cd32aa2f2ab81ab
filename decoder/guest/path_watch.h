/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the path of the code shows of trace in windows, while it is walked
 * (csg_flow_code.checks_path): losses that nothing marks (guest/losses.h), and stretches of trace,
 * from one break to the next, that show none.
 */
#ifndef DECODER_GUEST_PATH_WATCH_H
#define DECODER_GUEST_PATH_WATCH_H

#include "csguest/attribution.h"
#include "csguest/element.h"

/* In order. */
struct csg_loss_list {
	struct csg_attribution_loss *losses;
	size_t count, capacity;
};

/* All zero but windows is a watch. */
struct csg_path_watch {
	bool windows; /* the path is checked: else nothing is kept */
	struct csg_loss_list losses;
	uint64_t followed;    /* stretches without a loss */
	uint64_t followed_to; /* the end of the first */
	bool follows;	      /* code was walked in the current one */
};

/* The code does not lead to what the trace says, that cannot have run, or the engine gives up. */
bool csg_path_contradicts(const struct csg_element *element);

/* The next element is of code that was walked. */
static inline void csg_path_watch_goes_on(struct csg_path_watch *watch)
{
	watch->follows = watch->windows;
}

/* The stretch ends at index; nothing in it has contradicted the path. */
void csg_path_watch_ends(struct csg_path_watch *watch, uint64_t index);

/* The path shows at loss->end that trace was lost.  0 or -CSG_E_NO_MEMORY. */
int csg_path_watch_lose(struct csg_path_watch *watch, const struct csg_attribution_loss *loss);

#endif
