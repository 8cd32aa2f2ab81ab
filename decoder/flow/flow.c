/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

#include "util/report.h"
#include "csguest/context.h"
#include "flow/fast.h"
#include "flow/internal.h"
#include "flow/translate.h"
#include "scan/ocsd.h"

#define PAGE_SHIFT 12

void csg_flow_forget_slots(struct csg_flow *flow)
{
	memset(flow->slots, 0, sizeof(flow->slots));
}

#define UDF_MASK 0xffff0000u /* UDF #imm16: all other bits are zero */

/* How many of len bytes of A64 code at address, up to the end of its page, come before a UDF. */
static size_t before_undefined(uint64_t address, const uint8_t *bytes, size_t len)
{
	const size_t page = (size_t)((UINT64_C(1) << PAGE_SHIFT) -
				     (address & ((UINT64_C(1) << PAGE_SHIFT) - 1)));
	const size_t n = len < page ? len : page;
	uint32_t word;

	for (size_t at = 0; at + sizeof(word) <= n; at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		if (!(word & UDF_MASK))
			return at;
	}
	return n;
}

bool csg_flow_is_missing(const struct csg_flow *flow, uint64_t address)
{
	return flow->missing.gap && flow->missing.address == address &&
	       flow->missing.owner == flow->owner &&
	       flow->missing.elements == flow->taken + flow->element_count;
}

size_t csg_flow_read(struct csg_flow *flow, uint64_t address, const uint8_t **bytes)
{
	struct csg_code_slot *slot = &flow->slots[(address >> PAGE_SHIFT) & (CSG_CODE_SLOTS - 1)];
	size_t len;
	int err;

	if (csg_flow_is_missing(flow, address)) {
		flow->refusal = flow->missing.gap;
		flow->nobody_accesses += flow->refusal == CSG_GAP_NO_OWNER;
		return 0;
	}
	if (flow->border || address < slot->begin || address >= slot->end) {
		err = flow->border
			      ? -CSG_E_DECODE
			      : flow->code.read(flow->code.arg, flow->owner, address, bytes, &len);
		if (err) {
			flow->refusal = err == -CSG_E_DECODE ? CSG_GAP_NO_OWNER : CSG_GAP_NO_CODE;
			flow->nobody_accesses += err == -CSG_E_DECODE;
			return 0;
		}
		if (flow->a64 && !(address & 3))
			len = before_undefined(address, *bytes, len);
		if (!len) {
			flow->refusal = CSG_GAP_UNDEFINED;
			return 0;
		}
		*slot = (struct csg_code_slot){address, address + len, *bytes};
		if (slot->end < address)
			slot->end = UINT64_MAX;
	}
	*bytes = slot->bytes + (address - slot->begin);
	return slot->end - address;
}

void csg_flow_revive(struct csg_flow *flow, uint64_t index)
{
	const struct csg_element gap = {.index = index,
					.kind = CSG_ELEMENT_GAP,
					.gap = CSG_GAP_NO_SYNC,
					.info = flow->skipped < UINT32_MAX ? (uint32_t)flow->skipped
									   : UINT32_MAX,
					.el = CSG_EL_UNKNOWN};

	if (flow->skipped)
		csg_flow_add(flow, &gap);
	flow->dead = false;
	flow->skipped = 0;
}

static uint32_t read_code(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			  uint8_t *out)
{
	const uint8_t *bytes;
	size_t len = csg_flow_read(arg, address, &bytes);

	(void)space;
	len = len < want ? len : want;
	if (len)
		memcpy(out, bytes, len);
	return (uint32_t)len;
}

void csg_flow_follow_context(struct csg_flow *flow, uint64_t index, uint8_t el, bool a64)
{
	const bool other_state = flow->a64 != a64;
	uint32_t before = flow->owner;

	flow->el = el;
	flow->a64 = a64;
	if (other_state)
		csg_flow_forget_slots(flow);
	csg_flow_reach_context(flow, index);
	/* OpenCSD does this itself, but for a context between an exception and its address. */
	if (flow->tree && (flow->owner != before || other_state))
		csg_ocsd_forget_code(flow->tree);
	/* The ERET before it led here. */
	if (flow->eret && flow->code.entered)
		flow->code.entered(flow->code.arg, index, flow->eret, (enum csg_el)flow->el,
				   flow->owner);
	flow->eret = 0;
}

void csg_flow_follow_trace_on(struct csg_flow *flow, uint64_t index)
{
	if (index >= flow->border_index)
		flow->border = false;
	flow->eret = 0;
	if (flow->code.resumed)
		flow->code.resumed(flow->code.arg, index);
}

void csg_flow_follow_timestamp(struct csg_flow *flow, uint64_t index)
{
	flow->timed = true;
	csg_flow_divide(flow, index);
	if (flow->code.time)
		flow->code.time(flow->code.arg, index);
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

/* Whatever is no range: out of the way of those, so that they need no more than their own registers. */
static __attribute__((noinline)) bool on_other(struct csg_flow *flow, uint64_t index,
					       const ocsd_generic_trace_elem *element)
{
	struct csg_element *out = &flow->elements[flow->element_count];
	bool told;

	if (element->elem_type == OCSD_GEN_TRC_ELEM_EO_TRACE)
		index = flow->end_index;
	told = csg_translate(element, index, out);
	if (flow->speculates && told && element->elem_type != OCSD_GEN_TRC_ELEM_PE_CONTEXT)
		csg_flow_reach(flow, index);
	follow(flow, index, element);
	if (!told)
		return true;
	out->owner = flow->owner;
	out->el = flow->el;
	if (out->kind == CSG_ELEMENT_GAP)
		csg_flow_name_gap(flow, out);
	if (flow->element_count && csg_flow_join_line(out - 1, out)) {
		out[-1] = *out;
		return true;
	}
	flow->element_count++;
	return true;
}

uint64_t csg_flow_eret_of(const struct csg_flow *flow, const struct csg_element *range)
{
	if (range->branch != CSG_BRANCH_ERET || !range->taken || range->el != CSG_EL2 ||
	    flow->speculates)
		return 0;
	return range->end - range->last_size;
}

static bool on_element(void *arg, uint64_t index, const ocsd_generic_trace_elem *element)
{
	struct csg_flow *flow = arg;
	struct csg_element *out;

	if (flow->element_count == flow->element_room && !csg_flow_reserve(flow, 1))
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

static int create_engine(struct csg_flow *flow, const struct csg_source *source,
			 const struct csg_diag_sink *sink)
{
	const struct csg_ocsd_client client = {
		.arg = flow, .element = on_element, .memory = read_code};
	int err = -CSG_E_UNSUPPORTED;

	if (flow->engine == CSG_ENGINE_FAST)
		err = csg_fast_create(&flow->fast, flow, source);
	if (err != -CSG_E_UNSUPPORTED)
		return err;
	flow->engine = CSG_ENGINE_OPENCSD;
	return csg_ocsd_create(&flow->tree, source, CSG_OCSD_FULL, &client, sink);
}

enum csg_engine csg_engine_for(enum csg_engine asked, const struct csg_source *source)
{
	return source->trcconfigr & (CSG_FLOW_RETURNS | CSG_FLOW_Q) ? CSG_ENGINE_FAST : asked;
}

int csg_flow_create(struct csg_flow **result, enum csg_engine engine,
		    const struct csg_source *source, const struct csg_flow_code *code,
		    const struct csg_diag_sink *sink)
{
	struct csg_flow *flow = calloc(1, sizeof(*flow));
	int err = -CSG_E_NO_MEMORY;

	*result = NULL;
	if (!flow)
		return err;
	flow->code = *code;
	flow->limit = CSG_FLOW_ELEMENTS;
	flow->engine = engine;
	flow->el = CSG_EL_UNKNOWN;
	flow->refusal = CSG_GAP_NO_CODE;
	flow->divides_at = flow->guest_at = UINT64_MAX;
	flow->speculates = (uint32_t)source->trcidr8 != 0;
	if (csg_flow_reserve(flow, 1))
		err = create_engine(flow, source, sink);
	if (err) {
		csg_flow_destroy(flow);
		return err;
	}
	*result = flow;
	return 0;
}

enum csg_engine csg_flow_engine(const struct csg_flow *flow)
{
	return flow->engine;
}

void csg_flow_destroy(struct csg_flow *flow)
{
	if (!flow)
		return;
	csg_ocsd_destroy(flow->tree);
	csg_fast_destroy(flow->fast);
	free(flow->segments);
	free(flow->elements);
	free(flow->executions);
	free(flow);
}

/* --- the engine --- */

/* OpenCSD takes bytes that lie next to each other: those of the first frame. */
static enum csg_ocsd_state engine_data(struct csg_flow *flow, const struct csg_run *piece,
				       uint32_t *used)
{
	size_t n = piece->frame && piece->frame < piece->n ? piece->frame : piece->n;

	if (flow->fast)
		return csg_fast_data(flow->fast, piece, used);
	return csg_ocsd_data(flow->tree, piece->index, piece->bytes, (uint32_t)n, used);
}

static enum csg_ocsd_state engine_end(struct csg_flow *flow)
{
	return flow->fast ? csg_fast_end(flow->fast) : csg_ocsd_end(flow->tree);
}

static void engine_reset(struct csg_flow *flow, uint64_t index)
{
	if (flow->fast)
		csg_fast_reset(flow->fast);
	else
		csg_ocsd_reset(flow->tree, index);
}

static void recover(struct csg_flow *flow, uint64_t index)
{
	const struct csg_element gap = {.index = index,
					.kind = CSG_ELEMENT_GAP,
					.gap = CSG_GAP_DECODER,
					.owner = flow->owner,
					.el = CSG_EL_UNKNOWN};

	engine_reset(flow, index);
	flow->el = CSG_EL_UNKNOWN;
	flow->eret = 0;
	flow->dead = flow->code.async != NULL;
	csg_flow_add(flow, &gap);
}

/* Skips bytes up to where decoding may begin anew; returns how many. */
static size_t skip(struct csg_flow *flow, const struct csg_run *piece)
{
	uint64_t async = flow->code.async(flow->code.arg, piece->index);
	size_t n = csg_run_before(piece, async);

	if (async == piece->index) {
		csg_flow_revive(flow, piece->index);
		engine_reset(flow, piece->index);
		return 0;
	}
	flow->skipped += n;
	flow->all_skipped += n;
	return n;
}

static bool drained(struct csg_flow *flow, uint64_t index)
{
	enum csg_ocsd_state state;

	if (!flow->paused)
		return true;
	if (flow->element_count)
		return false; /* take them first */
	state = csg_ocsd_resume(flow->tree);
	if (state == CSG_OCSD_DEAD)
		recover(flow, index);
	flow->paused = state == CSG_OCSD_PAUSED;
	return !flow->paused;
}

bool csg_flow_drain(struct csg_flow *flow, uint64_t index)
{
	return drained(flow, index);
}

uint64_t csg_flow_eret(const struct csg_flow *flow)
{
	return flow->eret;
}

static size_t feed_piece(struct csg_flow *flow, const struct csg_run *piece)
{
	uint32_t used;
	enum csg_ocsd_state state = engine_data(flow, piece, &used);

	if (state == CSG_OCSD_DEAD) {
		used = used ? used : 1; /* always make progress */
		recover(flow, csg_run_index(piece, used));
	}
	flow->paused = state == CSG_OCSD_PAUSED;
	return used;
}

/* Pieces end where the engine is to be asked whether its buffer is full, and at borders. */
size_t csg_flow_feed(struct csg_flow *flow, const struct csg_run *run)
{
	const uint64_t end = csg_run_index(run, run->n);
	uint64_t border = csg_flow_next_border(flow, run->index, end);
	size_t done = 0;

	while (done < run->n && csg_flow_has_room(flow)) {
		size_t left = run->n - done, n = CSG_FLOW_PIECE - done % CSG_FLOW_PIECE;
		struct csg_run piece = csg_run_part(run, done, left < n ? left : n);

		if (!drained(flow, piece.index))
			break;
		if (border <= piece.index) {
			csg_flow_pass_border(flow, piece.index);
			border = csg_flow_next_border(flow, piece.index, end);
		}
		if (border > piece.index)
			piece.n = csg_run_before(&piece, border);
		done += flow->dead ? skip(flow, &piece) : feed_piece(flow, &piece);
	}
	return done;
}

bool csg_flow_end(struct csg_flow *flow, uint64_t index)
{
	if (!drained(flow, index) || !csg_flow_has_room(flow))
		return false;
	if (!flow->ending) {
		enum csg_ocsd_state state;

		csg_flow_revive(flow, index);
		flow->end_index = index;
		state = engine_end(flow);
		flow->ending = true;
		flow->paused = state == CSG_OCSD_PAUSED;
		if (flow->paused)
			return false;
	}
	flow->ending = false;
	return true;
}

void csg_flow_restart(struct csg_flow *flow, uint64_t index)
{
	engine_reset(flow, index);
	csg_flow_forget_slots(flow);
	if (flow->tree)
		csg_ocsd_forget_code(flow->tree); /* of another owner than the one that comes */
	flow->paused = flow->ending = flow->border = flow->dead = false;
	flow->skipped = 0;
	flow->owner = 0;
	flow->el = CSG_EL_UNKNOWN;
	flow->a64 = false;
	flow->eret = 0;
}

void csg_flow_forget_code(struct csg_flow *flow)
{
	csg_flow_forget_slots(flow);
	if (flow->fast)
		csg_fast_forget_code(flow->fast);
	else
		csg_ocsd_forget_code(flow->tree);
}

uint64_t csg_flow_skipped(const struct csg_flow *flow)
{
	return flow->all_skipped;
}

uint64_t csg_flow_nobody_accesses(const struct csg_flow *flow)
{
	return flow->nobody_accesses;
}
