/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strings and bytes of which equal ones are kept once: a recording of a busy machine has hundreds
 * of thousands of PERF_RECORD_MMAP2 records that name a few hundred files.  What is kept stays
 * where it is until all of it is freed.
 */
#ifndef DECODER_UTIL_STRINGS_H
#define DECODER_UTIL_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/hash.h"

/* Zero-filled it is empty and ready for use. */
struct csg_strings {
	struct csg_arena memory;
	const char **kept;
	size_t count, capacity;
	struct csg_hash numbers;
};

void csg_strings_fini(struct csg_strings *strings);

/*
 * The one copy of the len bytes at text, with a 0 after them; NULL out of memory.
 * Bytes are compared with their length, so text may hold zeros.
 */
const char *csg_strings_intern(struct csg_strings *strings, const void *text, size_t len);

/* The same for a text that ends at its first 0. */
const char *csg_strings_keep(struct csg_strings *strings, const char *text);

/* The same for a text that ends at its first 0, but has at most max bytes. */
const char *csg_strings_intern_text(struct csg_strings *strings, const void *text, size_t max);

/* The copy of these bytes that is already there, or NULL. */
const char *csg_strings_find(const struct csg_strings *strings, const void *text, size_t len);

#endif
