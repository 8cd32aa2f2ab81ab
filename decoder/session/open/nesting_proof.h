/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nesting proof: what a recording says of its machine that lets guests run guests (FEAT_NV2), or rules
 * it out.
 *
 * Both levels run on one vCPU, so where nothing states levels (session/open/level_survey.h) a guest is
 * known to be at level 1 only on a machine that cannot run others.  A recording that does not name the
 * release of its kernel says nothing; then it is a default that the host was not started with
 * kvm-arm.mode=nested, which has to be asked for.
 */
#ifndef DECODER_SESSION_OPEN_NESTING_PROOF_H
#define DECODER_SESSION_OPEN_NESTING_PROOF_H

#include <stdbool.h>

#include "csguest/recording.h"

/*
 * Whether the host of this recording may run guests of guests: its kernel is Linux 6.16 or newer, or
 * its release does not show that it is older, and its CPU is not older than Armv8.3.
 */
bool csg_host_may_nest(const struct csg_recording_info *host);

#endif
