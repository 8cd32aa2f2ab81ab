/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/opencsd/opencsd.h"

#include <string.h>

#include "csguest/context.h"
#include "flow/core/flow_buffer.h"
#include "flow/core/flow_follow.h"
#include "flow/core/flow_read.h"
#include "flow/core/flow_segments.h"
#include "flow/opencsd/translate.h"
#include "scan/ocsd.h"

static uint32_t read_code(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			  uint8_t *out)
{
	struct csg_flow *flow = arg;
	const uint8_t *bytes;
	size_t len;

	(void)space;
	flow->sent = flow->taken + flow->element_count;
	len = csg_flow_read(flow, address, &bytes);
	flow->missing.passed |= len > 0;
	len = len < want ? len : want;
	if (len)
		memcpy(out, bytes, len);
	return (uint32_t)len;
}

static void follow(struct csg_flow *flow, uint64_t index, const ocsd_generic_trace_elem *element)
{
	switch (element->elem_type) {
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		csg_flow_follow_context(flow, index,
					element->context.el_valid
						? (uint8_t)element->context.exception_level
						: CSG_EL_UNKNOWN,
					element->context.bits64);
		break;
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		flow->el = CSG_EL_UNKNOWN;
		flow->eret = 0;
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		csg_flow_follow_timestamp(flow, index);
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
	case OCSD_GEN_TRC_ELEM_EVENT:
	case OCSD_GEN_TRC_ELEM_SYNC_MARKER:
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		csg_flow_follow_trace_on(flow, index);
		break;
	default:
		flow->eret = 0;
		break;
	}
}

/* Whatever is no range: out of the way of those, so that they need no more than their own
 * registers. */
static __attribute__((noinline)) bool on_other(struct csg_flow *flow, uint64_t index,
					       const ocsd_generic_trace_elem *element)
{
	struct csg_element *out = &flow->elements[flow->element_count];
	bool translated;

	if (element->elem_type == OCSD_GEN_TRC_ELEM_EO_TRACE)
		index = flow->end_index;
	translated = csg_translate(element, index, out);
	if (flow->speculates && translated && element->elem_type != OCSD_GEN_TRC_ELEM_PE_CONTEXT)
		csg_flow_reach(flow, index);
	follow(flow, index, element);
	if (!translated)
		return true;
	out->owner = flow->owner;
	out->el = flow->el;
	if (out->kind == CSG_ELEMENT_GAP)
		csg_flow_name_gap(flow, out);
	if (flow->element_count && csg_flow_join_line(flow, out - 1, out)) {
		out[-1] = *out;
		return true;
	}
	flow->element_count++;
	return true;
}

static bool on_element(void *arg, uint64_t index, const ocsd_generic_trace_elem *element)
{
	struct csg_flow *flow = arg;
	struct csg_element *out;

	if (flow->element_count == flow->element_capacity && !csg_flow_reserve(flow, 1))
		return false;
	out = &flow->elements[flow->element_count];
	if (element->elem_type != OCSD_GEN_TRC_ELEM_INSTR_RANGE)
		return on_other(flow, index, element);
	csg_translate_range(element, index, out);
	if (index > flow->divides_at)
		csg_flow_divide(flow, index);
	out->owner = flow->owner;
	out->el = flow->el;
	flow->eret = csg_flow_eret_of(flow, out);
	flow->element_count++;
	return true;
}

/* OpenCSD takes bytes that lie next to each other: those of the first frame. */
static enum csg_ocsd_state data(void *tree, const struct csg_run *piece, uint32_t *used)
{
	size_t n = piece->frame && piece->frame < piece->n ? piece->frame : piece->n;

	return csg_ocsd_data(tree, piece->index, piece->bytes, (uint32_t)n, used);
}

static enum csg_ocsd_state resume(void *tree)
{
	return csg_ocsd_resume(tree);
}

static enum csg_ocsd_state end(void *tree)
{
	return csg_ocsd_end(tree);
}

static void reset(void *tree, uint64_t index)
{
	csg_ocsd_reset(tree, index);
}

static void forget_code(void *tree)
{
	csg_ocsd_forget_code(tree);
}

static bool failed(const void *tree)
{
	return csg_ocsd_failed(tree);
}

static void destroy(void *tree)
{
	csg_ocsd_destroy(tree);
}

static const struct csg_engine_ops ops = {
	.data = data,
	.resume = resume,
	.end = end,
	.reset = reset,
	.change_owner = forget_code,
	.forget_code = forget_code,
	.failed = failed,
	.destroy = destroy,
};

int csg_opencsd_create(struct csg_flow *flow, const struct csg_source *source,
		       const struct csg_diag_sink *sink)
{
	const struct csg_ocsd_client client = {
		.arg = flow, .element = on_element, .memory = read_code};
	struct csg_ocsd *tree;
	int err = csg_ocsd_create(&tree, source, CSG_OCSD_FULL, &client, sink);

	if (err)
		return err;
	flow->ops = &ops;
	flow->decoder = tree;
	return 0;
}
