/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where user code of time slices ran (guest/slices/time_slices.h), and which process cannot have
 * run it.
 *
 * perf records all that a process maps to be executed.  A time slice in which user code ran where
 * its process never had anything is not all of that process: a switch is missing in it, or before
 * it in the same row, as trace was lost there silently.
 *
 * Mappings consist of pages, so of each page that a time slice shows one address is kept.
 */
#ifndef DECODER_GUEST_SLICES_USER_CODE_H
#define DECODER_GUEST_SLICES_USER_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"

/* Whether a process may have had something at an address at any time. */
typedef bool (*csg_may_have_fn)(void *arg, int32_t pid, uint64_t address);

/* An address in a page, and where the trace shows that page first in its time slice. */
struct csg_user_code_page {
	uint64_t address, index;
};

/* All zero is one that keeps nothing: nobody knows what processes had. */
struct csg_user_code {
	csg_may_have_fn may_have;
	void *arg;
	struct csg_user_code_page *pages; /* in the order of the trace */
	size_t count, capacity;
	size_t slice;	       /* the first page of the current time slice */
	uint64_t last;	       /* the page that was seen last: mostly it is the same again */
	struct csg_hash known; /* the pages of the current time slice, by their number */
};

void csg_user_code_fini(struct csg_user_code *code);

/* User code ran at address in the current time slice.  0 or -CSG_E_NO_MEMORY. */
int csg_user_code_see(struct csg_user_code *code, uint64_t address, uint64_t index);

/* The current time slice is over, or a part of it that is matched by itself. */
void csg_user_code_end(struct csg_user_code *code);

/* All time slices are over, and matched. */
void csg_user_code_forget(struct csg_user_code *code);

/*
 * The first page after index begin and before end where the process never had anything; NULL: none
 * is known.
 */
const struct csg_user_code_page *csg_user_code_disproof(const struct csg_user_code *code,
							uint64_t begin, uint64_t end, int32_t pid);

#endif
