/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which architecture a trace unit has, ETMv4 (TRCIDR1.TRCARCHMAJ and
 * TRCARCHMIN) or ETE (TRCDEVARCH), and whether its core is of profile M.
 */
#ifndef DECODER_SCAN_ARCH_H
#define DECODER_SCAN_ARCH_H

#include <stdbool.h>

#include "recording/recording.h"

/* Major and minor version of its architecture, in a nibble each; an ETE's major
 * one is 5. */
unsigned int csg_arch_version(const struct csg_source *source);

/* Is it a core of profile M? */
bool csg_arch_is_m(const struct csg_source *source);

/* Is it a core of profile M with ARMv8? */
bool csg_arch_is_v8m(const struct csg_source *source);

#endif
