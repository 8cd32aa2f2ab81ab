/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sideband of a recording, the host's or a guest's, brought to those who need it: the images of its
 * machine (mappings, kernel text) and the attribution (threads, context switches, clock, vCPUs).
 */
#ifndef DECODER_SESSION_OPEN_SIDEBAND_H
#define DECODER_SESSION_OPEN_SIDEBAND_H

#include "recording/recording.h"
#include "session/run/registry.h"

/* Brings all sideband of rec, which is of the machine vm.  0 or a negative error. */
int csg_sideband_load(struct csg_registry *registry, struct csg_recording *rec, int32_t vm);

#endif
