/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast_returns.h"

void csg_fast_push_return(struct csg_fast *f, uint64_t address, uint8_t isa,
			  struct csg_block *caller)
{
	if (!f->has_return_stack || f->wait_address)
		return;
	f->top = (f->top + 1) % CSG_FAST_RETURNS;
	f->returns[f->top] = (struct csg_fast_return){address, caller, isa};
	if (f->return_count < CSG_FAST_RETURNS)
		f->return_count++;
	f->pop_pending = false;
}

bool csg_fast_pop_return(struct csg_fast *f, uint64_t index)
{
	const struct csg_fast_return *r = &f->returns[f->top];
	struct csg_block *caller = r->caller;

	f->pop_pending = false;
	if (f->returns_unknown && f->return_count <= 0) {
		csg_fast_put(f, CSG_ELEMENT_GAP, index)->gap = CSG_GAP_RETURN;
		return true;
	}
	if (f->return_count-- <= 0)
		return false;
	f->top = (f->top - 1) % CSG_FAST_RETURNS;
	csg_fast_go_to(f, r->address, r->isa);
	f->need_address = false;
	if (caller && f->space && caller->space == f->space && caller->it_after == f->it) {
		f->block = csg_blocks_next(&f->blocks, caller, 0);
		f->before = caller;
		f->atom = 0;
	}
	return true;
}

