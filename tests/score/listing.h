/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listing of what was decoded, with the owners that are true: what another decoder lists of the
 * same recording is looked for in it (tests/long/perf-rfc.sh).
 */
#ifndef TESTS_SCORE_LISTING_H
#define TESTS_SCORE_LISTING_H

#include <stdint.h>
#include <stdio.h>

#include "csguest/owner.h"

/*
 * Lists n A64 instructions from address on, "[CPU] VM VCPU PID/TID ADDRESS" each, with - for VM and
 * vCPU of the host.  seen: who csguest says executed them, and whether that thread is one of the
 * truth's.  A kernel switches threads some instructions before or after the trace shows it, so what
 * csguest says counts then.
 */
void csg_listing_add(FILE *listing, int32_t cpu, const struct csg_owner *truth,
		     const struct csg_owner *seen, bool thread_is_known, uint64_t n,
		     uint64_t address);

#endif
