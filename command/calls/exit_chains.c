/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_chains.h"

#include <inttypes.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "csguest/owner.h"
#include "text/escape.h"
#include "text/exception_name.h"
#include "util/array.h"

void csg_exit_chains_init(struct csg_exit_chains *chains)
{
	*chains = (struct csg_exit_chains){0};
	csg_keyset_init(&chains->keys, sizeof(struct csg_exit_chain_key));
}

void csg_exit_chains_fini(struct csg_exit_chains *chains)
{
	csg_keyset_fini(&chains->keys);
	free(chains->rows);
	chains->rows = NULL;
}

static void drop(struct csg_exit_chains *chains, struct csg_exit_chain *chain)
{
	chains->dropped += chain->active;
	chain->active = false;
}

void csg_exit_chains_left(struct csg_exit_chains *chains, struct csg_exit_chain *chain)
{
	if (chain->out)
		drop(chains, chain);
	chain->out = true;
}

static struct csg_exit_chain_row *row_of(struct csg_exit_chains *chains,
					 const struct csg_exit_chain_key *key)
{
	const int64_t number = csg_keyset_add(&chains->keys, key);

	if (number < 0 || csg_array_reach((void **)&chains->rows, &chains->capacity, (size_t)number,
					  sizeof(*chains->rows)))
		return NULL;
	return &chains->rows[number];
}

static int complete(struct csg_exit_chains *chains, struct csg_exit_chain *chain)
{
	struct csg_exit_chain_row *row = row_of(chains, &chain->key);

	chain->active = false;
	if (!row)
		return -CSG_E_NO_MEMORY;
	row->chains++;
	row->exits += chain->exits;
	row->host += chain->host;
	row->guest += chain->guest;
	if (chain->exits > row->most)
		row->most = chain->exits;
	return 0;
}

/* The exit goes on where the chain is; false: there is none. */
static bool extend(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
		   const struct csg_exit_hop *hop)
{
	if (hop->from == CSG_LEVEL_NESTED) {
		drop(chains, chain);
		*chain =
			(struct csg_exit_chain){.key = hop->key, .active = true, .end = hop->begin};
	} else if (hop->from != CSG_LEVEL_GUEST || hop->begin < chain->end) {
		drop(chains, chain);
	}
	if (!chain->active)
		return false;
	chain->guest += hop->begin - chain->end;
	chain->host += hop->end > hop->begin ? hop->end - hop->begin : 0;
	chain->end = hop->end > hop->begin ? hop->end : hop->begin;
	chain->exits++;
	return true;
}

static bool is_known(uint8_t level)
{
	return level != CSG_LEVEL_UNKNOWN && level != CSG_LEVEL_HOST;
}

int csg_exit_chains_hop(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
			const struct csg_exit_hop *hop)
{
	bool goes_on;

	chain->out = false;
	chains->any |= is_known(hop->from) || is_known(hop->to);
	chains->never_entered +=
		hop->eret && hop->from == CSG_LEVEL_GUEST && hop->to == CSG_LEVEL_GUEST;
	goes_on = extend(chains, chain, hop);
	if (goes_on && hop->to == CSG_LEVEL_NESTED)
		return complete(chains, chain);
	if (goes_on && hop->to != CSG_LEVEL_GUEST)
		drop(chains, chain);
	return 0;
}

/* --- printing --- */

static const char *handler_of(const struct csg_exit_chains_print *print,
			      const struct csg_exit_chain_key *key)
{
	return key->handler ? print->handler(print->arg, key->handler) : NULL;
}

void csg_exit_chains_text(const struct csg_exit_chains *chains,
			  const struct csg_exit_chains_print *print, struct csg_out *out)
{
	if (!chains->any)
		return;
	csg_out_printf(out,
		       "\n# chains: exits of guests of guests (level 2), until level 2 runs "
		       "again; times in %s\n# not counted: %" PRIu64 " chains with an exit or a "
		       "level that is not known\n# ERETs of level 1 that KVM emulated and that led "
		       "to level 1: "
		       "%" PRIu64 "\n#\n# Chains      Exits   Mean   Most       Host  "
		       "  Level 1  Exception   Handler\n#\n",
		       print->unit, chains->dropped, chains->never_entered);
	for (size_t i = 0; i < chains->keys.count; i++) {
		const struct csg_exit_chain_key *key = csg_keyset_get(&chains->keys, i);
		const struct csg_exit_chain_row *row = &chains->rows[i];
		const char *handler = handler_of(print, key);

		csg_out_printf(out,
			       "%8" PRIu64 " %10" PRIu64 " %6.1f %6" PRIu64 " %10" PRIu64
			       " %10" PRIu64 "  %-10s  ",
			       row->chains, row->exits, (double)row->exits / (double)row->chains,
			       row->most, row->host, row->guest,
			       csg_exception_name(key->exception));
		csg_out_text(out, handler ? handler : "-");
		csg_out_char(out, '\n');
	}
}

void csg_exit_chains_json(const struct csg_exit_chains *chains,
			  const struct csg_exit_chains_print *print, struct csg_out *out)
{
	if (!chains->any)
		return;
	csg_out_printf(out,
		       ",\n\"chains\":{\"dropped\":%" PRIu64 ",\"never_entered\":%" PRIu64
		       ",\"rows\":[",
		       chains->dropped, chains->never_entered);
	for (size_t i = 0; i < chains->keys.count; i++) {
		const struct csg_exit_chain_key *key = csg_keyset_get(&chains->keys, i);
		const struct csg_exit_chain_row *row = &chains->rows[i];

		csg_out_printf(out, "%s{\"exception\":\"%s\",\"handler\":", i ? ",\n" : "\n",
			       csg_exception_name(key->exception));
		csg_out_json(out, handler_of(print, key));
		csg_out_printf(out,
			       ",\"chains\":%" PRIu64 ",\"exits\":%" PRIu64 ",\"most\":%" PRIu64
			       ",\"host\":%" PRIu64 ",\"level1\":%" PRIu64 "}",
			       row->chains, row->exits, row->most, row->host, row->guest);
	}
	csg_out_str(out, "]}");
}
