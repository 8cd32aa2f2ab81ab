/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why an owner is who it is: each of its sources of evidence in words, with what it stands on at
 * this place; then what is unknown, why, and what would settle it.  The words for every evidence
 * and reason are here.
 */
#ifndef COMMAND_EXPLAIN_EXPLAIN_WHY_H
#define COMMAND_EXPLAIN_EXPLAIN_WHY_H

#include "explain/question.h"

/* Three lists: "world", "who" and "unknown". */
void csg_explain_why(const struct csg_explain *explain);

#endif
