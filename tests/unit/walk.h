/* SPDX-License-Identifier: BSD-3-Clause */
/* A random walk and its trace, from a seed: what scan and flow are tested on. */
#ifndef TESTS_UNIT_WALK_H
#define TESTS_UNIT_WALK_H

#include <stdio.h>
#include <string.h>

#include "any_model.h"
#include "encoder/etm.h"
#include "encoder/wander.h"
#include "model_source.h"
#include "recording/recording.h"

struct walk {
	struct csg_enc_random random;
	struct csg_enc_model model;
	struct csg_enc_wander machine;
	struct csg_enc_path path;
	struct csg_enc_etm etm;
	struct csg_source source;
};

static inline void walk_model(struct csg_enc_model *m, struct csg_enc_random *r, bool ete)
{
	csg_enc_model_init(m, ete);
	m->return_stack = csg_enc_random_chance(r, 50);
	m->no_shared_address = m->return_stack || csg_enc_random_chance(r, 50);
	m->cycle_counts = csg_enc_random_chance(r, 30);
	m->context_id = csg_enc_random_chance(r, 50);
	m->virt = csg_enc_random_below(r, 4);
	m->clock = csg_enc_random_below(r, 5);
	m->clock_mult = 3;
	m->clock_div = 7;
	m->sync_period = csg_enc_random_chance(r, 70) ? 64u << csg_enc_random_below(r, 5) : 0;
	m->after_on = csg_enc_random_below(r, 4);
	m->address_before_eret = csg_enc_random_chance(r, 50);
	m->no_excluded_target = csg_enc_random_chance(r, 50);
	m->repeat_ids = csg_enc_random_chance(r, 30);
}

/* A walk of about steps P0 elements, with gaps where wanted. */
static inline bool walk_init(struct walk *walk, uint64_t seed, bool ete, bool gaps, unsigned steps)
{
	struct csg_enc_wander_options options = {
		.steps = steps, .gaps = gaps, .time_backwards = seed & 1};

	memset(walk, 0, sizeof(*walk));
	walk->random.state = seed;
	walk_model(&walk->model, &walk->random, ete);
	csg_enc_wander_init(&walk->machine, &walk->random, false);
	csg_enc_wander_walk(&walk->machine, &walk->random, &options, &walk->path);
	csg_enc_etm_init(&walk->etm, &walk->model);
	walk->source = model_source(&walk->model);
	return csg_enc_etm_path(&walk->etm, &walk->path) >= 0;
}

/* A walk of up to 20 + steps P0 elements under any model, see any_model.h. */
static inline bool walk_init_any(struct walk *walk, uint64_t seed, unsigned steps, bool speculation,
				 bool ite)
{
	struct csg_enc_random *r = &walk->random;
	struct csg_enc_model *m = &walk->model;
	struct csg_enc_wander_options o = {0};

	memset(walk, 0, sizeof(*walk));
	r->state = seed;
	any_model(m, r, speculation, ite);
	o.steps = 20 + csg_enc_random_below(r, steps);
	o.speculation = m->max_spec && any_dice(r);
	o.gaps = !(m->max_spec && m->lazy_commit) && any_dice(r);
	o.transactions =
		m->ete && !m->exclude_el && !m->exclude_host && !m->exclude_guest && any_dice(r);
	o.markers = any_dice(r);
	o.time_backwards = any_dice(r);
	o.wfx = m->wfx_p0;
	o.q = m->q_elements && !m->max_spec;
	csg_enc_wander_init(&walk->machine, r, o.transactions);
	csg_enc_wander_walk(&walk->machine, r, &o, &walk->path);
	csg_enc_etm_init(&walk->etm, m);
	walk->source = model_source(&walk->model);
	return csg_enc_etm_path(&walk->etm, &walk->path) >= 0;
}

static inline void walk_fini(struct walk *walk)
{
	csg_enc_path_fini(&walk->path);
	csg_enc_etm_fini(&walk->etm);
}

#endif
