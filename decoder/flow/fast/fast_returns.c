/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_returns.h"

void csg_fast_push_return(struct csg_fast *f, uint64_t address, uint8_t isa,
			  struct csg_block *caller)
{
	if (!f->unit.has_return_stack || f->wait_address)
		return;
	f->returns.top = (f->returns.top + 1) % CSG_FAST_RETURNS;
	f->returns.stack[f->returns.top] = (struct csg_fast_return){address, caller, isa};
	if (f->returns.count < CSG_FAST_RETURNS)
		f->returns.count++;
	f->pop_pending = false;
}

bool csg_fast_pop_return(struct csg_fast *f, uint64_t index)
{
	const struct csg_fast_return *r = &f->returns.stack[f->returns.top];
	struct csg_block *caller = r->caller;

	f->pop_pending = false;
	if (f->returns.unknown && f->returns.count <= 0) {
		csg_fast_put(f, CSG_ELEMENT_GAP, index)->gap = CSG_GAP_RETURN;
		f->at.anywhere = true;
		return true;
	}
	if (f->returns.count-- <= 0)
		return false;
	f->returns.top = (f->returns.top - 1) % CSG_FAST_RETURNS;
	csg_fast_go_to(f, r->address, r->isa);
	f->at.need_address = false;
	if (caller && f->code.space && caller->space == f->code.space &&
	    caller->it_after == f->at.it) {
		f->at.block = csg_blocks_next(&f->blocks, caller, 0);
		f->at.before = caller;
		f->at.atom = 0;
	}
	return true;
}
