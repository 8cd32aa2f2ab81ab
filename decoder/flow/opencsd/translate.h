/* SPDX-License-Identifier: BSD-3-Clause */
/* From OpenCSD's generic elements to ours. */
#ifndef DECODER_FLOW_OPENCSD_TRANSLATE_H
#define DECODER_FLOW_OPENCSD_TRANSLATE_H

#include <opencsd/c_api/opencsd_c_api.h>

#include "csguest/element.h"

/*
 * Fills *out, all but owner and el, from an element at index.  False: the element
 * says nothing to us (NO_SYNC at the beginning of trace, ADDR_UNKNOWN, custom ones).
 */
bool csg_translate(const ocsd_generic_trace_elem *in, uint64_t index, struct csg_element *out);

/*
 * The same for an INSTR_RANGE alone, of which there are a hundred to one of all others.  One that
 * nothing can have executed is a gap.
 */
void csg_translate_range(const ocsd_generic_trace_elem *in, uint64_t index,
			 struct csg_element *out);

#endif
