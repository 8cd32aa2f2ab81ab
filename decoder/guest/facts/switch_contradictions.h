/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of a machine's sideband that contradict each other (guest/facts/residency.h), as
 * contradictions that the user sees (base/contradictions.h).
 */
#ifndef DECODER_GUEST_FACTS_SWITCH_CONTRADICTIONS_H
#define DECODER_GUEST_FACTS_SWITCH_CONTRADICTIONS_H

#include "base/contradictions.h"
#include "guest/facts/residency.h"

/* Adds those of residency, which is of the machine vm.  0 or -CSG_E_NO_MEMORY. */
int csg_switch_contradictions(struct csg_contradictions *contradictions, int32_t vm,
			      const struct csg_residency *residency);

#endif
