/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of many files, each kept once: whoever has one may forget the file. */
#ifndef COMMAND_SHARD_TEXTS_H
#define COMMAND_SHARD_TEXTS_H

#include <stdint.h>

#include "util/arena.h"

/* All zero is none. */
struct csg_texts {
	struct csg_arena memory;
	const char **slots; /* a hash table; NULL is free */
	size_t count;
	unsigned int bits;
};

void csg_texts_fini(struct csg_texts *texts);

/* The text that is kept of those that read the same; NULL: out of memory. */
const char *csg_texts_keep(struct csg_texts *texts, const char *text);

#endif
