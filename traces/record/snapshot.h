/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording of Xen: it traps the trace registers, so no domain can trace, and what there is comes
 * from outside, as a debug probe leaves it.
 *
 *   OUT/snapshot   both CPUs' trace in one buffer, the units' registers, and a dump of Xen's code
 *                  as it was executed, for EL2 alone: what was not executed is zero
 *
 * The domains' kernels, files and sideband stand beside it, as images.c has them.
 */
#ifndef RECORD_SNAPSHOT_H
#define RECORD_SNAPSHOT_H
#include "stream.h"

/* 0, or -1 after a line on stderr. */
int snapshot_write(const char *out, const struct composer *c, unsigned cpus);

#endif
