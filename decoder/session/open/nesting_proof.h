/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nesting proof: what a recording says of its machine that rules out guests of guests (FEAT_NV2).
 *
 * Both levels run on one vCPU, so where nothing states levels (session/open/level_survey.h) a guest is
 * known to be at level 1 only on a machine that cannot run others.
 */
#ifndef DECODER_SESSION_OPEN_NESTING_PROOF_H
#define DECODER_SESSION_OPEN_NESTING_PROOF_H

#include <stdbool.h>

#include "csguest/recording.h"

/*
 * Whether the host of this recording can run no guests of guests: its kernel is older than Linux 6.16, or
 * a CPU of it older than Armv8.3.
 */
bool csg_nesting_is_ruled_out(const struct csg_recording_info *host);

#endif
