/* SPDX-License-Identifier: BSD-3-Clause */
/* Any trace unit with any programming that the encoder knows, drawn at random. */
#ifndef TESTS_UNIT_ANY_MODEL_H
#define TESTS_UNIT_ANY_MODEL_H

#include "encoder/model.h"
#include "encoder/random.h"

static inline bool any_dice(struct csg_enc_random *r)
{
	return csg_enc_random_chance(r, 50);
}

static inline void any_unit(struct csg_enc_model *m, struct csg_enc_random *r, bool speculation,
			    bool ite)
{
	m->minor = (uint8_t)(m->ete ? csg_enc_random_below(r, ite ? 4 : 3)
				    : 2 + csg_enc_random_below(r, 5));
	if (speculation && any_dice(r))
		m->max_spec = (uint16_t)(1 + csg_enc_random_below(r, 60));
	m->commit_mode1 = m->max_spec ? any_dice(r) : true;
	m->lazy_commit = csg_enc_random_chance(r, 30);
	m->marker = m->ete && m->minor >= 1 && any_dice(r);
	m->transaction_p0 = any_dice(r);
	m->wfx_p0 = m->minor >= 3 && !m->ete && any_dice(r);
	m->stack_depth = (uint8_t)(1 + csg_enc_random_below(r, 15));
}

/* With or without units that speculate or send ITE packets. */
static inline void any_model(struct csg_enc_model *m, struct csg_enc_random *r, bool speculation,
			     bool ite)
{
	csg_enc_model_init(m, any_dice(r));
	any_unit(m, r, speculation, ite);
	m->trace_id = (uint8_t)(1 + csg_enc_random_below(r, 0x6e));
	m->return_stack = any_dice(r);
	m->branch_broadcast = csg_enc_random_chance(r, 20);
	m->cycle_counts = any_dice(r);
	m->context_id = any_dice(r);
	m->q_elements = csg_enc_random_chance(r, 30);
	m->virt = csg_enc_random_below(r, 4);
	if (m->virt == CSG_ENC_VIRTUAL_VMID)
		m->vmid_bytes = (uint8_t)(1u << csg_enc_random_below(r, 3));
	m->time_bits = any_dice(r) ? 48 : 64;
	m->clock = csg_enc_random_below(r, 5);
	m->clock_mult = 3;
	m->clock_div = 7;
	m->clock_offset = csg_enc_random_next(r);
	m->cc_threshold = csg_enc_random_below(r, 0x100);
	m->sync_period = any_dice(r) ? 64u << csg_enc_random_below(r, 6) : 0;
	if (csg_enc_random_chance(r, 40)) {
		m->exclude_el = (uint8_t)csg_enc_random_below(r, 16);
		m->exclude_host = csg_enc_random_chance(r, 20);
		m->exclude_guest = csg_enc_random_chance(r, 20);
	}
	m->after_on = csg_enc_random_below(r, 4);
	m->address_before_eret = any_dice(r);
	m->no_excluded_target = any_dice(r);
	m->no_time_at_sync = any_dice(r);
	m->flush_stack_at_exception = any_dice(r);
	m->no_shared_address = m->return_stack || any_dice(r);
	m->repeat_ids = csg_enc_random_chance(r, 30);
	m->full_addresses = csg_enc_random_chance(r, 20);
	m->no_exact_match = csg_enc_random_chance(r, 30);
	m->single_atoms = csg_enc_random_chance(r, 20);
	m->long_exceptions = csg_enc_random_chance(r, 20);
	if (m->ete && !m->max_spec)
		m->source = csg_enc_random_below(r, 3);
}

#endif
