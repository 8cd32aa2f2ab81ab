/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": the name of a list that is most like a word which is none of them. */
#ifndef COMMAND_TEXT_NEAREST_H
#define COMMAND_TEXT_NEAREST_H

#include <stddef.h>

/*
 * The name that is most like the first length bytes of word: the shortest that begins so; else that
 * with the fewest letters to change, at most a third of them, where two that changed places count
 * as one.  names ends with NULL.  NULL: none is alike.
 */
const char *csg_nearest(const char *word, size_t length, const char *const *names);

/* "; did you mean 'PREFIXNAME'?" in buf, of size bytes; "" where name is NULL.  Returns buf. */
const char *csg_did_you_mean(char *buf, size_t size, const char *prefix, const char *name);

#endif
