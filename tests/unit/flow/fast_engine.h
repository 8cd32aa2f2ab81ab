/* SPDX-License-Identifier: BSD-3-Clause */
/* A fast engine that stands at an address of some A64 code at 0x1000, to be driven by hand. */
#ifndef TESTS_UNIT_FLOW_FAST_ENGINE_H
#define TESTS_UNIT_FLOW_FAST_ENGINE_H

#include "csguest/context.h"
#include "csguest/error.h"
#include "flow/core/flow_read.h"
#include "flow/fast/fast_atoms.h"
#include "flow/fast/fast_commit.h"
#include "flow/fast/fast_deliver.h"
#include "flow/fast/fast_queue.h"
#include "flow/fast/fast_returns.h"
#include "flow/fast/fast_walk.h"
#include "flow/flow.h"
#include "suite.h"

#define FAST_CODE 0x1000

struct fast_engine {
	uint32_t words[16];
	size_t reads;
	struct csg_flow *flow;
	struct csg_fast *fast;
};

static inline int fast_engine_read(void *arg, uint32_t owner, uint64_t address,
				   const uint8_t **bytes, size_t *len)
{
	struct fast_engine *e = arg;
	uint64_t at = address - FAST_CODE;

	(void)owner;
	e->reads++;
	if (at >= sizeof(e->words))
		return -CSG_E_NO_IMAGE;
	*bytes = (const uint8_t *)e->words + at;
	*len = sizeof(e->words) - at;
	return 0;
}

/* With a return stack; execution is at the code's first instruction, owner 1 in force. */
static inline void fast_engine_init(struct fast_engine *e, const uint32_t *words, size_t n)
{
	const struct csg_source source = {
		.protocol = CSG_PROTOCOL_ETMV4, .trcconfigr = 1 | 1u << 12, .trcidr1 = 0x4100f433};
	const struct csg_flow_code code = {.arg = e, .read = fast_engine_read};

	*e = (struct fast_engine){0};
	for (size_t i = 0; i < 16; i++)
		e->words[i] = i < n ? words[i] : 0xd503201f; /* nop */
	CU_ASSERT_EQUAL_FATAL(csg_flow_create(&e->flow, CSG_ENGINE_FAST, &source, &code, NULL), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(e->flow->decoder);
	CU_ASSERT_FATAL(csg_flow_reserve(e->flow, CSG_FLOW_ELEMENTS));
	e->fast = e->flow->decoder;
	e->fast->at.need_context = e->fast->at.need_address = false;
	e->fast->at.is_64bit = true;
	e->flow->a64 = true;
	e->flow->owner = 1;
	csg_fast_go_to(e->fast, FAST_CODE, CSG_ISA_A64);
	csg_fast_check_owner(e->fast);
}

static inline void fast_engine_fini(struct fast_engine *e)
{
	csg_flow_destroy(e->flow);
}

#endif
