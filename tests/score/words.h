/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words of a line of the truth (docs/truth.md).  One blank stands between two words; the last
 * one ends with the line.  A number must be the whole word: without a sign that it may not have,
 * and not larger than its type.
 */
#ifndef TESTS_SCORE_WORDS_H
#define TESTS_SCORE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/owner.h"

/* Takes a number of base 10 or 16 (lower case) and the blank after it from *s.  False: it is
 * none. */
bool csg_take_u64(char **s, int base, uint64_t *n);

/* The same in base 10, from -INT32_MAX to INT32_MAX. */
bool csg_take_i32(char **s, int32_t *n);

/* Takes a word, "" at the end of the line; the blank after it becomes its terminating 0. */
char *csg_take_word(char **s);

/* Whether the line begins with kind; *rest: what follows. */
bool csg_is_line(const char *line, const char *kind, char **rest);

/* The world of that name.  False: there is none, or it is unknown. */
bool csg_set_world(struct csg_owner *owner, const char *name);

#endif
