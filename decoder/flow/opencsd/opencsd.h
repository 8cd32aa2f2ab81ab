/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenCSD's full decoder as an engine (flow/core/engine.h): the reference.
 */
#ifndef DECODER_FLOW_OPENCSD_OPENCSD_H
#define DECODER_FLOW_OPENCSD_OPENCSD_H

#include "csguest/diag.h"
#include "flow/core/core.h"
#include "recording/recording.h"

/* Sets ops and decoder of the flow.  0, -CSG_E_UNSUPPORTED or -CSG_E_NO_MEMORY. */
int csg_opencsd_create(struct csg_flow *flow, const struct csg_source *source,
		       const struct csg_diag_sink *sink);

#endif
