/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace unit's return stack (TRCCONFIGR.RS): a return that goes to the newest call has no
 * address in the trace.
 */
#ifndef DECODER_FLOW_FAST_FAST_RETURNS_H
#define DECODER_FLOW_FAST_FAST_RETURNS_H

#include "flow/fast/fast_state.h"

/* The return stack is empty, as the trace unit's is. */
static inline void csg_fast_flush_returns(struct csg_fast *f)
{
	f->returns.count = 0;
	f->pop_pending = f->returns.unknown = false;
}

/* Calls and returns may have run that were not seen. */
static inline void csg_fast_lose_returns(struct csg_fast *f)
{
	if (!f->unit.exact_returns)
		return;
	f->returns.count = 0;
	f->returns.unknown = true;
}

/*
 * Execution goes on where the newest call returns to; index: of what has to know where that led.
 * False: the stack is empty.
 */
bool csg_fast_pop_return(struct csg_fast *f, uint64_t index);

/* A call was executed, by caller if that block is remembered. */
void csg_fast_push_return(struct csg_fast *f, uint64_t address, uint8_t isa,
			  struct csg_block *caller);

#endif
