/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "csguest/context.h"
#include "flow/translate.h"
#include "scan/ocsd.h"

#define ELEMENTS 512 /* 32 KB: stays in the first-level cache */
#define SLACK 64     /* OpenCSD may still hand out some after a WAIT was asked for */

enum segment_kind {
	AT_CONTEXT, /* an owner takes over with the context element at index */
	AT_BYTE,    /* with the byte at index */
	GAP,	    /* a gap of the caller's */
	RESET,	    /* a gap behind which decoding begins anew */
};

struct segment {
	uint64_t index;
	uint32_t owner; /* GAP, RESET: bytes lost */
	uint8_t kind;
	uint8_t gap;
};

/* Code found last, by the 4 KB page of its address: one answer serves many questions. */
#define CODE_SLOTS 64
#define PAGE_SHIFT 12
struct code_slot {
	uint64_t begin, end; /* addresses; empty: 0, 0 */
	const uint8_t *bytes;
};

struct csg_flow {
	struct csg_ocsd *tree;
	struct csg_flow_code code;

	struct segment *segments; /* not reached yet, in a ring */
	size_t first, count, room;
	uint32_t owner;
	uint8_t el;
	uint64_t eret; /* address of the ERET at EL2 that was decoded last; 0: something else was */
	bool border;   /* a byte border was passed; OpenCSD has not shown that it followed */
	uint64_t border_index;
	bool speculates;

	struct csg_element *elements;
	size_t element_count;
	bool paused, ending;
	bool dead;	  /* OpenCSD gave up: bytes are skipped to an A-Sync that the scan knows */
	uint64_t skipped; /* since then */
	uint64_t all_skipped;

	uint8_t refusal; /* why code was refused last: enum csg_gap */
	uint64_t nobody_accesses;
	uint64_t timestamp_index; /* of the last TIMESTAMP element */
	bool timed; /* a TIMESTAMP is in the buffer */
	struct code_slot slots[CODE_SLOTS];
};

static struct segment *segment_at(const struct csg_flow *flow, size_t i)
{
	return &flow->segments[(flow->first + i) & (flow->room - 1)];
}

static void forget_slots(struct csg_flow *flow)
{
	memset(flow->slots, 0, sizeof(flow->slots));
}

/* Decoding is to go on at index: what was skipped before is told. */
static void revive(struct csg_flow *flow, uint64_t index)
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

/* The first segment of the queue begins now. */
static void enter(struct csg_flow *flow)
{
	struct segment s = *segment_at(flow, 0);
	const struct csg_element gap = {.index = s.index,
					.kind = CSG_ELEMENT_GAP,
					.gap = s.gap,
					.info = s.owner,
					.el = CSG_EL_UNKNOWN};

	flow->first = (flow->first + 1) & (flow->room - 1);
	flow->count--;
	if (s.kind == RESET) {
		revive(flow, s.index);
		csg_flow_restart(flow, s.index);
	}
	if (s.kind == RESET || s.kind == GAP) {
		csg_flow_add(flow, &gap);
		return;
	}
	if (s.owner != flow->owner)
		forget_slots(flow);
	flow->owner = s.owner;
}

/* A context element with this index: every segment up to it has begun. */
static void reach_context(struct csg_flow *flow, uint64_t index)
{
	while (flow->count && segment_at(flow, 0)->index <= index &&
	       segment_at(flow, 0)->kind <= AT_BYTE)
		enter(flow);
	flow->border = false;
}

static uint32_t read_code(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			  uint8_t *out)
{
	struct csg_flow *flow = arg;
	struct code_slot *slot = &flow->slots[(address >> PAGE_SHIFT) & (CODE_SLOTS - 1)];
	const uint8_t *bytes;
	size_t len;
	int err;

	(void)space;
	if (address < slot->begin || address >= slot->end) {
		err = flow->border
			      ? -CSG_E_DECODE
			      : flow->code.read(flow->code.arg, flow->owner, address, &bytes, &len);
		if (err) {
			flow->refusal = err == -CSG_E_DECODE ? CSG_GAP_NO_OWNER : CSG_GAP_NO_CODE;
			flow->nobody_accesses += err == -CSG_E_DECODE;
			return 0;
		}
		*slot = (struct code_slot){address, address + len, bytes};
		if (slot->end < address)
			slot->end = UINT64_MAX;
	}
	len = slot->end - address;
	len = len < want ? len : want;
	memcpy(out, slot->bytes + (address - slot->begin), len);
	return (uint32_t)len;
}

/* A context: the ERET before it led here. */
static void follow_context(struct csg_flow *flow, uint64_t index,
			   const ocsd_generic_trace_elem *element)
{
	flow->el = element->context.el_valid ? (uint8_t)element->context.exception_level
					     : CSG_EL_UNKNOWN;
	reach_context(flow, index);
	if (flow->eret && flow->code.entered)
		flow->code.entered(flow->code.arg, flow->eret, (enum csg_el)flow->el, flow->owner);
	flow->eret = 0;
}

static void follow(struct csg_flow *flow, uint64_t index, const ocsd_generic_trace_elem *element)
{
	switch (element->elem_type) {
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		follow_context(flow, index, element);
		break;
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		flow->el = CSG_EL_UNKNOWN;
		flow->eret = 0;
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		flow->timestamp_index = index;
		flow->timed = true;
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
	case OCSD_GEN_TRC_ELEM_EVENT:
	case OCSD_GEN_TRC_ELEM_SYNC_MARKER:
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		if (index >= flow->border_index)
			flow->border = false;
		flow->eret = 0;
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

	follow(flow, index, element);
	if (csg_translate(element, index, out)) {
		out->owner = flow->owner;
		out->el = flow->el;
		if (out->kind == CSG_ELEMENT_GAP && out->gap == CSG_GAP_NO_CODE)
			out->gap = flow->refusal;
		flow->element_count++;
	}
	return flow->element_count < ELEMENTS;
}

static uint64_t eret_at_el2(const struct csg_flow *flow, const struct csg_element *range)
{
	if (range->branch != CSG_BRANCH_ERET || !range->taken || range->el != CSG_EL2 ||
	    flow->speculates)
		return 0;
	return range->end - range->last_size;
}

static bool on_element(void *arg, uint64_t index, const ocsd_generic_trace_elem *element)
{
	struct csg_flow *flow = arg;
	struct csg_element *out = &flow->elements[flow->element_count];

	if (flow->element_count == ELEMENTS + SLACK)
		return false;
	if (element->elem_type != OCSD_GEN_TRC_ELEM_INSTR_RANGE)
		return on_other(flow, index, element);
	csg_translate_range(element, index, out);
	out->owner = flow->owner;
	out->el = flow->el;
	flow->eret = eret_at_el2(flow, out);
	return ++flow->element_count < ELEMENTS;
}

int csg_flow_create(struct csg_flow **result, const struct csg_source *source,
		    const struct csg_flow_code *code, const struct csg_diag_sink *sink)
{
	struct csg_flow *flow = calloc(1, sizeof(*flow));
	const struct csg_ocsd_client client = {
		.arg = flow, .element = on_element, .memory = read_code};
	int err = -CSG_E_NO_MEMORY;

	*result = NULL;
	if (!flow)
		return err;
	flow->code = *code;
	flow->el = CSG_EL_UNKNOWN;
	flow->refusal = CSG_GAP_NO_CODE;
	flow->speculates = (uint32_t)source->trcidr8 != 0;
	flow->elements = malloc((ELEMENTS + SLACK) * sizeof(*flow->elements));
	if (flow->elements)
		err = csg_ocsd_create(&flow->tree, source, CSG_OCSD_FULL, &client, sink);
	if (err) {
		csg_flow_destroy(flow);
		return err;
	}
	*result = flow;
	return 0;
}

void csg_flow_destroy(struct csg_flow *flow)
{
	if (!flow)
		return;
	csg_ocsd_destroy(flow->tree);
	free(flow->segments);
	free(flow->elements);
	free(flow);
}

static int grow_segments(struct csg_flow *flow)
{
	size_t room = flow->room ? flow->room * 2 : 256;
	struct segment *segments = malloc(room * sizeof(*segments));

	if (!segments)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < flow->count; i++)
		segments[i] = *segment_at(flow, i);
	free(flow->segments);
	flow->segments = segments;
	flow->first = 0;
	flow->room = room;
	return 0;
}

static int add_segment(struct csg_flow *flow, struct segment segment)
{
	if (flow->count == flow->room) {
		int err = grow_segments(flow);

		if (err)
			return err;
	}
	*segment_at(flow, flow->count++) = segment;
	return 0;
}

int csg_flow_segment(struct csg_flow *flow, uint64_t index, bool at_context, uint32_t owner)
{
	return add_segment(flow, (struct segment){.index = index,
						  .owner = owner,
						  .kind = at_context ? AT_CONTEXT : AT_BYTE});
}

int csg_flow_gap(struct csg_flow *flow, uint64_t index, enum csg_gap gap, uint64_t lost, bool reset)
{
	return add_segment(
		flow, (struct segment){.index = index,
				       .owner = lost < UINT32_MAX ? (uint32_t)lost : UINT32_MAX,
				       .kind = reset ? RESET : GAP,
				       .gap = (uint8_t)gap});
}

/* The first byte border in [index, index + n], or UINT64_MAX. */
static uint64_t next_border(const struct csg_flow *flow, uint64_t index, size_t n)
{
	for (size_t i = 0; i < flow->count; i++) {
		const struct segment *s = segment_at(flow, i);

		if (s->index >= index + n)
			break;
		if (s->kind != AT_CONTEXT)
			return s->index > index ? s->index : index;
	}
	return UINT64_MAX;
}

/* Everything before the border is decoded: its owner takes over now. */
static void pass_border(struct csg_flow *flow, uint64_t index)
{
	uint32_t before = flow->owner;

	flow->eret = 0;
	while (flow->count && segment_at(flow, 0)->index <= index) {
		const struct segment *s = segment_at(flow, 0);

		/* Its context element is still to come. */
		if (s->kind == AT_CONTEXT && s->index == index)
			break;
		enter(flow);
	}
	if (flow->owner == before)
		return;
	csg_ocsd_forget_code(flow->tree);
	flow->border = flow->speculates;
	flow->border_index = index;
}

static void recover(struct csg_flow *flow, uint64_t index)
{
	const struct csg_element gap = {.index = index,
					.kind = CSG_ELEMENT_GAP,
					.gap = CSG_GAP_DECODER,
					.owner = flow->owner,
					.el = CSG_EL_UNKNOWN};

	csg_ocsd_reset(flow->tree, index);
	flow->el = CSG_EL_UNKNOWN;
	flow->dead = flow->code.async != NULL;
	csg_flow_add(flow, &gap);
}

/* Skips up to n bytes at index to where decoding may begin anew; returns how many. */
static size_t skip(struct csg_flow *flow, uint64_t index, size_t n)
{
	uint64_t async = flow->code.async(flow->code.arg, index);

	if (async == index) {
		revive(flow, index);
		csg_ocsd_reset(flow->tree, index);
		return 0;
	}
	n = async - index < n ? async - index : n;
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

bool csg_flow_full(const struct csg_flow *flow)
{
	return flow->element_count >= ELEMENTS || (flow->paused && flow->element_count);
}

static bool has_room(const struct csg_flow *flow)
{
	return flow->element_count < ELEMENTS;
}

static size_t feed_part(struct csg_flow *flow, uint64_t index, const uint8_t *bytes, size_t n)
{
	uint32_t used, part = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
	enum csg_ocsd_state state = csg_ocsd_data(flow->tree, index, bytes, part, &used);

	if (state == CSG_OCSD_DEAD) {
		used = used ? used : 1; /* always make progress */
		recover(flow, index + used);
	}
	flow->paused = state == CSG_OCSD_PAUSED;
	return used;
}

size_t csg_flow_feed(struct csg_flow *flow, uint64_t index, const uint8_t *bytes, size_t n)
{
	size_t done = 0;

	while (done < n && has_room(flow) && drained(flow, index + done)) {
		uint64_t at = index + done;
		uint64_t border = next_border(flow, at, n - done);
		size_t part = n - done;

		if (border == at) {
			pass_border(flow, at);
			border = next_border(flow, at, n - done);
		}
		if (border != UINT64_MAX && border > at)
			part = border - at;
		done += flow->dead ? skip(flow, at, part) : feed_part(flow, at, bytes + done, part);
	}
	return done;
}

bool csg_flow_end(struct csg_flow *flow, uint64_t index)
{
	if (!drained(flow, index) || !has_room(flow))
		return false;
	if (!flow->ending) {
		enum csg_ocsd_state state;

		revive(flow, index);
		state = csg_ocsd_end(flow->tree);
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
	csg_ocsd_reset(flow->tree, index);
	forget_slots(flow);
	csg_ocsd_forget_code(flow->tree);
	flow->paused = flow->ending = flow->border = flow->dead = false;
	flow->skipped = 0;
	flow->owner = 0;
	flow->el = CSG_EL_UNKNOWN;
	flow->timestamp_index = 0;
	flow->eret = 0;
}

void csg_flow_drop_segments(struct csg_flow *flow)
{
	flow->count = 0;
}

bool csg_flow_add(struct csg_flow *flow, const struct csg_element *element)
{
	if (flow->element_count >= ELEMENTS + SLACK)
		return false;
	flow->elements[flow->element_count++] = *element;
	return true;
}

void csg_flow_forget_code(struct csg_flow *flow)
{
	forget_slots(flow);
	csg_ocsd_forget_code(flow->tree);
}

const struct csg_element *csg_flow_elements(const struct csg_flow *flow, size_t *n)
{
	*n = flow->element_count;
	return flow->elements;
}

void csg_flow_date(struct csg_flow *flow, uint64_t (*time)(void *arg, uint64_t index), void *arg)
{
	for (size_t i = 0; i < flow->element_count; i++)
		if (flow->elements[i].kind == CSG_ELEMENT_TIMESTAMP)
			flow->elements[i].start = time(arg, flow->elements[i].index);
}

void csg_flow_take(struct csg_flow *flow)
{
	flow->element_count = 0;
	flow->timed = false;
}

uint64_t csg_flow_timestamp_index(const struct csg_flow *flow)
{
	return flow->timestamp_index;
}

bool csg_flow_timed(const struct csg_flow *flow)
{
	return flow->timed;
}

uint64_t csg_flow_skipped(const struct csg_flow *flow)
{
	return flow->all_skipped;
}

uint64_t csg_flow_nobody_accesses(const struct csg_flow *flow)
{
	return flow->nobody_accesses;
}
