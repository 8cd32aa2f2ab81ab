/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User code of the host that is nobody's: it runs where no process ever had anything.
 *
 * perf records all that is mapped to be executed, so this shows that trace is missing before it,
 * though nothing marks the loss: an address packet holds the low bytes that have changed, and the
 * decoder takes the upper ones from before (ETMv4 architecture, "Address packets").  A timestamp's
 * upper bits may be those from before the loss as well (guest/losses.h), and the loss is somewhere
 * after the first timestamp with the same ones.
 */
#ifndef DECODER_SESSION_OPEN_NOBODYS_CODE_H
#define DECODER_SESSION_OPEN_NOBODYS_CODE_H

#include "csguest/element.h"
#include "csguest/owner.h"
#include "guest/path_watch.h"

struct csg_machine;

struct csg_nobodys_code {
	struct csg_machine *host;
	struct csg_loss_list losses; /* found so far */
	uint64_t block, previous;    /* timestamps: index of the first with its upper bits; last */
	uint64_t page;		     /* that was seen last, and is somebody's; 0: none */
};

/* The losses are the caller's, to be freed. */
void csg_nobodys_code_init(struct csg_nobodys_code *code, struct csg_machine *host);

/* Trace begins at index, after a break. */
void csg_nobodys_code_begin(struct csg_nobodys_code *code, uint64_t index);

/* The next element, and its owner.  0 or -CSG_E_NO_MEMORY. */
int csg_nobodys_code_see(struct csg_nobodys_code *code, const struct csg_element *element,
			 const struct csg_owner *owner);

#endif
