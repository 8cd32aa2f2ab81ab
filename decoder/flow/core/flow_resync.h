/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where decoding begins anew: at a piece of trace, after a gap, and where the engine has given up.
 */
#ifndef DECODER_FLOW_CORE_FLOW_RESYNC_H
#define DECODER_FLOW_CORE_FLOW_RESYNC_H

#include <stddef.h>
#include <stdint.h>

#include "scan/run.h"

struct csg_flow;

/*
 * A new piece begins at index: decoding state and owner are forgotten, but not code; segments given
 * already stay, as they may lie after index.
 */
void csg_flow_restart(struct csg_flow *flow, uint64_t index);

/* Decoding is to go on at index: what was skipped before is reported. */
void csg_flow_revive(struct csg_flow *flow, uint64_t index);

/* The engine gave up: that is a gap, and all up to the next A-Sync that the scan knows is
 * skipped. */
void csg_flow_recover(struct csg_flow *flow, uint64_t index);

/* Skips bytes of the piece up to where decoding may begin anew; returns how many. */
size_t csg_flow_skip(struct csg_flow *flow, const struct csg_run *piece);

#endif
