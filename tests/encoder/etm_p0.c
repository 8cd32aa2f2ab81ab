/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/etm_p0.h"

#include <string.h>

#include "csguest/error.h"

/* The context as this model traces it. */
static struct csg_enc_traced traced(const struct csg_enc_etm *etm)
{
	const struct csg_enc_context *c = &etm->context;
	const struct csg_enc_model *m = &etm->model;
	struct csg_enc_traced t = {
		.el = c->el,
		.sf = !c->aarch32,
		.ns = c->security == CSG_ENC_NONSECURE || c->security == CSG_ENC_REALM,
		.nse = c->security == CSG_ENC_REALM || c->security == CSG_ENC_ROOT,
		.has_virt = m->virt != CSG_ENC_VIRTUAL_ABSENT && m->virt != CSG_ENC_VIRTUAL_SILENT,
		.has_id = m->context_id,
		.id = c->contextidr_el1,
	};

	if (m->virt == CSG_ENC_VIRTUAL_VMID)
		t.virt = c->vmid & (UINT32_MAX >> (32 - 8 * m->vmid_bytes));
	else if (m->virt == CSG_ENC_VIRTUAL_CONTEXTIDR2)
		t.virt = c->contextidr_el2;
	return t;
}

static bool same_context(const struct csg_enc_traced *a, const struct csg_enc_traced *b)
{
	return a->el == b->el && a->sf == b->sf && a->ns == b->ns && a->nse == b->nse &&
	       (!a->has_virt || a->virt == b->virt) && (!a->has_id || a->id == b->id);
}

void csg_enc_p0_count(struct csg_enc_etm *etm, uint32_t count)
{
	etm->depth += count;
	if (etm->depth > etm->model.max_spec)
		etm->depth = etm->model.max_spec;
	if (etm->wrong)
		etm->wrong_count += count;
}

void csg_enc_p0_flush(struct csg_enc_etm *etm)
{
	do {
		while (etm->withheld && etm->atom_count < 64) {
			etm->withheld--;
			etm->atom_count++; /* an N */
		}
		csg_enc_packet_atoms(&etm->packets, etm->atoms, etm->atom_count,
				     etm->model.single_atoms);
		etm->atoms = 0;
		etm->atom_count = 0;
	} while (etm->withheld);
}

void csg_enc_p0_exception_return(struct csg_enc_etm *etm)
{
	csg_enc_p0_flush(etm);
	csg_enc_packet_exception_return(&etm->packets);
	etm->owed.exception_return = false;
}

void csg_enc_p0_unpop(struct csg_enc_etm *etm)
{
	if (!etm->popped)
		return;
	etm->stack = etm->stack_before;
	etm->popped = false;
	etm->owed.address = true;
}

static void synchronise(struct csg_enc_etm *etm)
{
	csg_enc_p0_flush(etm);
	if (etm->owed.exception_return)
		csg_enc_p0_exception_return(etm);
	csg_enc_packet_async(&etm->packets);
	csg_enc_packet_trace_info(&etm->packets, &etm->model, etm->depth, etm->in_transaction);
	csg_enc_stack_flush(&etm->stack);
	etm->last_sync = etm->out.size;
	etm->synced = true;
	etm->owed.sync = false;
	etm->owed.address = true;
}

void csg_enc_p0_begin(struct csg_enc_etm *etm)
{
	if (!etm->synced)
		synchronise(etm);
}

/* The address that is owed, alone or with a context. */
static void put_target(struct csg_enc_etm *etm, bool context, bool all)
{
	struct csg_enc_traced t = traced(etm);

	csg_enc_p0_flush(etm);
	if (etm->owed.exception_return && !etm->model.address_before_eret)
		csg_enc_p0_exception_return(etm);
	if (etm->owed.address && context)
		csg_enc_packet_address_context(&etm->packets, etm->pc, &t, all);
	else if (etm->owed.address)
		csg_enc_packet_address(&etm->packets, etm->pc, false);
	else if (context)
		csg_enc_packet_context(&etm->packets, &t, all);
	if (etm->wrong) {
		etm->wrong_address |= etm->owed.address;
		etm->wrong_context |= context;
	}
	etm->owed.address = false;
	if (etm->owed.exception_return)
		csg_enc_p0_exception_return(etm);
}

void csg_enc_p0_settle(struct csg_enc_etm *etm)
{
	const struct csg_enc_model *m = &etm->model;
	struct csg_enc_traced now = traced(etm);
	bool on = etm->owed.trace_on;
	bool all = m->repeat_ids;
	bool synced = false;
	bool due;

	if (m->sync_period && etm->out.size - etm->last_sync >= m->sync_period)
		etm->owed.sync = true;
	if (etm->owed.sync && !etm->wrong) {
		synchronise(etm);
		synced = true;
	}
	if (on) {
		csg_enc_p0_flush(etm);
		csg_enc_packet_trace_on(&etm->packets);
		csg_enc_stack_flush(&etm->stack);
		etm->owed.trace_on = false;
		etm->owed.address = true;
	}
	etm->in_handler = etm->in_handler && !etm->owed.exception_return;
	due = !etm->packets.context_valid || (!same_context(&now, &etm->packets.context) &&
					      !(m->no_exception_context && etm->in_handler));
	if (on && m->after_on == CSG_ENC_AFTER_ON_FULL)
		all = due = true;
	else if (on && !due && m->after_on == CSG_ENC_AFTER_ON_SHORT)
		due = true;
	if (etm->owed.address || etm->owed.exception_return || due)
		put_target(etm, due, all);
	if (on && !due && m->after_on == CSG_ENC_AFTER_ON_SAME)
		csg_enc_packet_same_context(&etm->packets);
	if (synced && m->clock != CSG_ENC_CLOCK_NONE && !m->no_time_at_sync) {
		uint32_t cycles = 0;

		csg_enc_packet_timestamp(&etm->packets, etm->now, m->cycle_counts ? &cycles : NULL);
	}
}

/* Where does the path say it is?  The first event may start anywhere. */
static int join(struct csg_enc_etm *etm, uint64_t start, bool t32)
{
	if (!etm->pc_known) {
		etm->pc = (struct csg_enc_address){start, t32};
		etm->pc_known = true;
		return 0;
	}
	if (etm->pc.value == start && etm->pc.t32 == t32)
		return 0;
	etm->error = "the run does not start where execution went to";
	return -CSG_E_USAGE;
}

static void put_atom(struct csg_enc_etm *etm, bool taken)
{
	if (etm->withheld || etm->atom_count == 64)
		csg_enc_p0_flush(etm);
	if (taken)
		etm->atoms |= UINT64_C(1) << etm->atom_count;
	etm->atom_count++;
	csg_enc_p0_count(etm, 1);
}

/*
 * The branch as a source address?  What was not taken before it needs no atoms then.
 * Where the return stack gave the address an atom has to say so first: decoders look
 * at it when they see one.
 */
static bool by_source(struct csg_enc_etm *etm, const struct csg_enc_branch *b, bool popped)
{
	unsigned size = b->t32 ? 2 : 4;

	if (!etm->model.ete || etm->model.source == CSG_ENC_SOURCE_NEVER || popped)
		return false;
	if (etm->model.source == CSG_ENC_SOURCE_MIXED && etm->taken % 3)
		return false;
	etm->withheld = 0;
	csg_enc_p0_flush(etm);
	csg_enc_packet_address(&etm->packets, (struct csg_enc_address){b->end - size, b->t32},
			       true);
	csg_enc_p0_count(etm, 1);
	return true;
}

/* Where a taken branch goes: is its address owed? */
static void follow(struct csg_enc_etm *etm, const struct csg_enc_branch *b)
{
	struct csg_enc_address next = {b->end, b->t32};
	struct csg_enc_address target = {b->target, b->target_t32};

	switch (b->p0) {
	case CSG_ENC_DIRECT_CALL:
		csg_enc_stack_push(&etm->stack, next);
		/* fall through */
	case CSG_ENC_DIRECT:
		etm->owed.address = etm->model.branch_broadcast;
		break;
	case CSG_ENC_INDIRECT_CALL:
		csg_enc_stack_push(&etm->stack, next);
		etm->owed.address = true;
		break;
	case CSG_ENC_INDIRECT:
	case CSG_ENC_RET:
		etm->popped =
			!etm->model.branch_broadcast && csg_enc_stack_pop(&etm->stack, target);
		etm->owed.address = !etm->popped;
		break;
	case CSG_ENC_ERET:
		etm->owed.address = true;
		etm->owed.exception_return = !etm->model.ete;
		break;
	default:
		break;
	}
}

/* A wrong path is traced only as far as the unit can take it back, with its branch. */
static bool too_deep(struct csg_enc_etm *etm)
{
	uint32_t limit = etm->model.max_spec - (etm->wrong_direction ? 1u : 0u);

	if (etm->wrong && etm->wrong_count >= limit)
		etm->skip = true;
	return etm->skip;
}

int csg_enc_p0_branch(struct csg_enc_etm *etm, const struct csg_enc_branch *b)
{
	int ret = join(etm, b->start, b->t32);
	bool popped;

	if (ret < 0)
		return ret;
	if (too_deep(etm))
		return 0;
	csg_enc_p0_settle(etm);
	etm->stack_before = etm->stack;
	popped = etm->popped;
	etm->popped = false;
	etm->indirect = b->taken && b->p0 >= CSG_ENC_INDIRECT && b->p0 <= CSG_ENC_ERET;
	if (!b->taken) {
		if (etm->model.ete && etm->model.source == CSG_ENC_SOURCE_ALWAYS &&
		    !etm->model.max_spec && !popped)
			etm->withheld++;
		else
			put_atom(etm, false);
		etm->pc = (struct csg_enc_address){b->end, b->t32};
		return 0;
	}
	etm->taken++;
	if (!by_source(etm, b, popped))
		put_atom(etm, true);
	follow(etm, b);
	etm->pc = (struct csg_enc_address){b->target, b->target_t32};
	return 0;
}

int csg_enc_p0_exception(struct csg_enc_etm *etm, const struct csg_enc_exception *x)
{
	struct csg_enc_address ret_address = {x->ret, x->t32};
	bool same;
	int ret = join(etm, x->start, x->t32);

	if (ret < 0)
		return ret;
	if (too_deep(etm))
		return 0;
	same = x->start == x->ret && etm->owed.address && !etm->owed.trace_on && !etm->owed.sync &&
	       !etm->model.no_shared_address;
	if (!same)
		csg_enc_p0_settle(etm);
	csg_enc_p0_flush(etm);
	if (etm->owed.exception_return)
		csg_enc_p0_exception_return(etm);
	if (etm->model.ete && x->number == CSG_ENC_EXC_RESET) {
		csg_enc_packet_bare_exception(&etm->packets, 0);
	} else {
		csg_enc_packet_exception(&etm->packets, x->number, same,
					 etm->model.long_exceptions);
		etm->owed.address = true;
		etm->pc = ret_address;
		if (same) {
			struct csg_enc_traced t = traced(etm);

			put_target(etm,
				   !etm->packets.context_valid ||
					   !same_context(&t, &etm->packets.context),
				   etm->model.repeat_ids);
		} else {
			put_target(etm, false, false);
		}
	}
	csg_enc_p0_count(etm, 1);
	if (etm->model.flush_stack_at_exception)
		csg_enc_stack_flush(&etm->stack);
	etm->stack_before = etm->stack;
	etm->popped = false;
	etm->indirect = etm->in_handler = true;
	etm->owed.address = true;
	etm->pc = (struct csg_enc_address){x->target, x->target_t32};
	return 0;
}

int csg_enc_p0_q(struct csg_enc_etm *etm, const struct csg_enc_q *q)
{
	int ret = join(etm, q->start, q->t32);

	if (ret < 0)
		return ret;
	if (too_deep(etm))
		return 0;
	csg_enc_p0_unpop(etm);
	csg_enc_p0_settle(etm);
	csg_enc_p0_flush(etm);
	etm->pc = (struct csg_enc_address){q->target, q->t32};
	if (csg_enc_packet_q(&etm->packets, q->counted ? &q->count : NULL, etm->pc))
		csg_enc_packet_address(&etm->packets, etm->pc, false);
	csg_enc_p0_count(etm, 1);
	etm->popped = etm->indirect = false;
	return 0;
}
