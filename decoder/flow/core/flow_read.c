/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/flow_read.h"

#include <string.h>

#include "csguest/error.h"

#define PAGE_SHIFT 12

void csg_flow_forget_slots(struct csg_flow *flow)
{
	memset(flow->slots, 0, sizeof(flow->slots));
}

#define UDF_MASK 0xffff0000u /* UDF #imm16: all other bits are zero */
#define UDF_WORDS 16	     /* are looked at without a branch */

/* Whether one of UDF_WORDS words is a UDF. */
static bool has_undefined(const uint8_t *bytes)
{
	uint32_t words[UDF_WORDS], any = 0;

	memcpy(words, bytes, sizeof(words));
	for (unsigned int i = 0; i < UDF_WORDS; i++)
		any |= !(words[i] & UDF_MASK);
	return any;
}

/* How many of len bytes of A64 code at address, up to the end of its page, come before a UDF. */
static size_t before_undefined(uint64_t address, const uint8_t *bytes, size_t len)
{
	const size_t page = (size_t)((UINT64_C(1) << PAGE_SHIFT) -
				     (address & ((UINT64_C(1) << PAGE_SHIFT) - 1)));
	const size_t n = len < page ? len : page;
	size_t at = 0;
	uint32_t word;

	while (at + UDF_WORDS * sizeof(word) <= n && !has_undefined(bytes + at))
		at += UDF_WORDS * sizeof(word);
	for (; at + sizeof(word) <= n; at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		if (!(word & UDF_MASK))
			return at;
	}
	return n;
}

bool csg_flow_is_missing(const struct csg_flow *flow, uint64_t address)
{
	return flow->missing.gap && !flow->missing.passed && flow->missing.address == address &&
	       flow->missing.elements == flow->sent;
}

/* Whether an element says nothing of where execution is. */
static bool is_aside(const struct csg_element *e)
{
	switch (e->kind) {
	case CSG_ELEMENT_TIMESTAMP:
	case CSG_ELEMENT_CYCLES:
	case CSG_ELEMENT_EVENT:
	case CSG_ELEMENT_MARKER:
	case CSG_ELEMENT_INSTRUMENTATION:
	case CSG_ELEMENT_TRANSACTION:
		return true;
	default:
		return false;
	}
}

void csg_flow_pass_over(struct csg_flow *flow, uint64_t end)
{
	uint64_t *at = &flow->missing.elements;

	if (end > flow->taken + flow->element_count)
		end = flow->taken + flow->element_count;
	while (*at >= flow->taken && *at < end && is_aside(&flow->elements[*at - flow->taken]))
		++*at;
}

bool csg_flow_lost_at(struct csg_flow *flow, uint64_t address)
{
	if (flow->missing.address != address)
		return false;
	csg_flow_pass_over(flow, flow->sent);
	return csg_flow_is_missing(flow, address);
}

/* Fills the slot with the owner's code from address on; false: there is none, flow->refusal says
 * why. */
static bool fill_slot(struct csg_flow *flow, uint64_t address, struct csg_code_slot *slot)
{
	const uint8_t *bytes;
	size_t len;
	int err = -CSG_E_DECODE;

	if (!flow->border)
		err = flow->code.read(flow->code.arg, flow->owner, address, &bytes, &len);
	if (err) {
		flow->refusal = err == -CSG_E_DECODE ? CSG_GAP_NO_OWNER : CSG_GAP_NO_CODE;
		flow->nobody_accesses += err == -CSG_E_DECODE;
		return false;
	}
	if (flow->a64)
		len = before_undefined(address, bytes, len);
	if (!len) {
		flow->refusal = CSG_GAP_UNDEFINED;
		return false;
	}
	*slot = (struct csg_code_slot){address, address + len, bytes};
	if (slot->end < address)
		slot->end = UINT64_MAX;
	return true;
}

size_t csg_flow_read(struct csg_flow *flow, uint64_t address, const uint8_t **bytes)
{
	struct csg_code_slot *slot = &flow->slots[(address >> PAGE_SHIFT) & (CSG_CODE_SLOTS - 1)];
	/* Where the words lie that may be undefined, also for an address that no A64 code has. */
	const uint64_t word = flow->a64 ? address & ~UINT64_C(3) : address;

	if (csg_flow_lost_at(flow, address)) {
		flow->refusal = flow->missing.gap;
		flow->nobody_accesses += flow->refusal == CSG_GAP_NO_OWNER;
		return 0;
	}
	if ((flow->border || address < slot->begin || address >= slot->end) &&
	    !fill_slot(flow, word, slot))
		return 0;
	if (slot->end - address < sizeof(uint32_t)) /* too little for who reads an instruction */
		flow->refusal = flow->a64 && word != address ? CSG_GAP_UNDEFINED : CSG_GAP_NO_CODE;
	*bytes = slot->bytes + (address - slot->begin);
	return slot->end - address;
}
