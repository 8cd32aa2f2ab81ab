/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the truth of a recording: docs/truth.md. */
#ifndef RECORD_TRUTH_H
#define RECORD_TRUTH_H
#include "stream.h"

/* 0, or -1 after a line on stderr. */
int truth_write(const char *path, const struct composer *c, unsigned cpus);

#endif
