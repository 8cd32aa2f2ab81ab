/* SPDX-License-Identifier: BSD-3-Clause */
/* An address space: the code, symbols and lines at an address and a time (see image.h). */
#ifndef DECODER_IMAGE_SPACE_H
#define DECODER_IMAGE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/symbol.h"

struct csg_space;

/* By how many ns times of a space's machine may be off from those it is asked with. */
uint64_t csg_space_slack(const struct csg_space *space);

/* Whether records of its machine were lost, so that something may have been mapped that is not
 * known. */
bool csg_space_is_lossy(const struct csg_space *space);

/*
 * Code at addr at time (ns; UINT64_MAX: latest): *bytes points to *len contiguous valid
 * bytes (at least 1), which stay until the image is destroyed.  A process's space holds no
 * kernel text: ask the kernel's space for that.  The time of code is known only to the last
 * timestamp before it: where nothing is mapped yet, what is mapped there next counts.  *until,
 * unless NULL, gets the time from which on the answer may differ (UINT64_MAX: never).
 * -CSG_E_NO_IMAGE where nothing is mapped or the file is missing; counted per file.
 */
int csg_space_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		   size_t *len, uint64_t *until);

/* The same, but what is missing is not counted. */
int csg_space_peek(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		   size_t *len, uint64_t *until);

/*
 * Whether the space may have had something at addr at any time.  True of a kernel's, and of a
 * process of which no mapping is known.
 */
bool csg_space_may_have(const struct csg_space *space, uint64_t addr);

/* Fills *symbol; 0 also where nothing is known (then name and dso are NULL). */
int csg_space_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		     struct csg_symbol *symbol);

/* File and line through libdw; 0 and *file NULL where unknown. */
int csg_space_line(struct csg_space *space, uint64_t addr, uint64_t time, const char **file,
		   int *line);

#endif
