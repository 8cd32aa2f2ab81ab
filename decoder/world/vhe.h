/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the context track to segments where the exception level says who runs, but for EL0, which is
 * the host's or a guest's under VHE.
 */
#ifndef DECODER_WORLD_VHE_H
#define DECODER_WORLD_VHE_H

#include "world/segments.h"

extern const struct csg_world_steps csg_vhe_steps;

#endif
