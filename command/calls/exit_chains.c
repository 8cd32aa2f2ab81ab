/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/exit_chains.h"

#include <inttypes.h>
#include <stdio.h>
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
	csg_keyset_init(&chains->part_keys, sizeof(struct csg_exit_part_key));
}

void csg_exit_chains_fini(struct csg_exit_chains *chains)
{
	for (size_t i = 0; i < chains->capacity; i++)
		free(chains->rows[i].parts.costs);
	csg_keyset_fini(&chains->keys);
	csg_keyset_fini(&chains->part_keys);
	free(chains->rows);
	chains->rows = NULL;
	chains->capacity = 0;
}

static void add_cost(struct csg_exit_cost *sum, const struct csg_exit_cost *cost)
{
	sum->exits += cost->exits;
	sum->host += cost->host;
	sum->guest += cost->guest;
	sum->host_instructions += cost->host_instructions;
	sum->guest_instructions += cost->guest_instructions;
}

static int add_part(struct csg_exit_parts *parts, size_t part, const struct csg_exit_cost *cost)
{
	if (csg_array_reach((void **)&parts->costs, &parts->capacity, part, sizeof(*parts->costs)))
		return -CSG_E_NO_MEMORY;
	add_cost(&parts->costs[part], cost);
	return 0;
}

/* It is over, and none follows yet. */
static void clear(struct csg_exit_chain *chain)
{
	for (size_t i = 0; i < chain->parts.capacity; i++)
		chain->parts.costs[i] = (struct csg_exit_cost){0};
	chain->cost = (struct csg_exit_cost){0};
	chain->active = false;
}

static void drop(struct csg_exit_chains *chains, struct csg_exit_chain *chain)
{
	chains->dropped += chain->active;
	add_cost(&chains->rest, &chain->cost);
	clear(chain);
}

void csg_exit_chains_cut(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
			 uint64_t host_instructions, uint64_t guest_instructions)
{
	const struct csg_exit_cost cost = {
		.host_instructions = host_instructions,
		.guest_instructions = chain->level == CSG_LEVEL_GUEST ? guest_instructions : 0,
	};

	drop(chains, chain);
	if (chain->began)
		add_cost(&chains->rest, &cost);
	chain->level = CSG_LEVEL_UNKNOWN;
}

void csg_exit_chain_fini(struct csg_exit_chain *chain)
{
	free(chain->parts.costs);
	*chain = (struct csg_exit_chain){0};
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
	int err = row ? 0 : -CSG_E_NO_MEMORY;

	for (size_t i = 0; !err && i < chain->parts.capacity; i++)
		if (chain->parts.costs[i].exits)
			err = add_part(&row->parts, i, &chain->parts.costs[i]);
	if (err)
		return err;
	row->chains++;
	add_cost(&row->cost, &chain->cost);
	if (chain->cost.exits > row->most)
		row->most = chain->cost.exits;
	clear(chain);
	return 0;
}

/* The exit belongs to the chain that is active then; else to none. */
static void extend(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
		   const struct csg_exit_hop *hop)
{
	if (hop->from == CSG_LEVEL_NESTED) {
		drop(chains, chain);
		chain->key = hop->key;
		chain->active = chain->began = true;
	} else if (hop->from != CSG_LEVEL_GUEST || hop->begin < chain->end) {
		drop(chains, chain);
	}
}

/* What the guest did counts at level 1 alone, its time where the entry is known. */
static struct csg_exit_cost cost_of(const struct csg_exit_chain *chain,
				    const struct csg_exit_hop *hop)
{
	struct csg_exit_cost cost = {
		.exits = 1,
		.host = hop->end > hop->begin ? hop->end - hop->begin : 0,
		.host_instructions = hop->host_instructions,
	};

	if (hop->from == CSG_LEVEL_GUEST) {
		if (chain->level == CSG_LEVEL_GUEST && hop->begin > chain->end)
			cost.guest = hop->begin - chain->end;
		cost.guest_instructions = hop->guest_instructions;
	}
	return cost;
}

static int add_exit(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
		    const struct csg_exit_hop *hop, const struct csg_exit_cost *cost)
{
	const struct csg_exit_part_key key = {hop->key, hop->from, hop->to};
	const int64_t part = csg_keyset_add(&chains->part_keys, &key);

	if (part < 0)
		return (int)part;
	add_cost(&chain->cost, cost);
	return add_part(&chain->parts, (size_t)part, cost);
}

static bool is_known(uint8_t level)
{
	return level != CSG_LEVEL_UNKNOWN && level != CSG_LEVEL_HOST;
}

int csg_exit_chains_hop(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
			const struct csg_exit_hop *hop)
{
	struct csg_exit_cost cost;
	int err;

	chains->any |= is_known(hop->from) || is_known(hop->to);
	chains->never_entered +=
		hop->eret && hop->from == CSG_LEVEL_GUEST && hop->to == CSG_LEVEL_GUEST;
	extend(chains, chain, hop);
	cost = cost_of(chain, hop);
	chain->end = hop->end > hop->begin ? hop->end : hop->begin;
	chain->level = hop->to;
	if (!chain->active) {
		if (chain->began)
			add_cost(&chains->rest, &cost);
		return 0;
	}
	err = add_exit(chains, chain, hop, &cost);
	if (err)
		return err;
	if (hop->to == CSG_LEVEL_NESTED)
		return complete(chains, chain);
	if (hop->to != CSG_LEVEL_GUEST)
		drop(chains, chain);
	return 0;
}

/* --- printing --- */

static const char *handler_of(const struct csg_exit_chains_print *print,
			      const struct csg_exit_chain_key *key)
{
	return key->handler ? print->handler(print->arg, key->handler) : NULL;
}

/* From the column of exits on; levels: those of a part, else empty. */
static void text_row(const struct csg_exit_chains_print *print, const struct csg_exit_cost *cost,
		     uint64_t chains, const char *levels, const struct csg_exit_chain_key *reason,
		     struct csg_out *out)
{
	const char *handler = handler_of(print, reason);

	csg_out_printf(out,
		       "%10" PRIu64 " %6.1f  %-6s %10" PRIu64 " %10" PRIu64 " %10" PRIu64
		       " %10" PRIu64 "  %-10s  ",
		       cost->exits, (double)cost->exits / (double)chains, levels, cost->host,
		       cost->host_instructions, cost->guest, cost->guest_instructions,
		       csg_exception_name(reason->exception));
	csg_out_text(out, handler ? handler : "-");
	csg_out_char(out, '\n');
}

/* Levels are known of all exits of chains that count. */
static void text_parts(const struct csg_exit_chains *chains, const struct csg_exit_chain_row *row,
		       const struct csg_exit_chains_print *print, struct csg_out *out)
{
	for (size_t i = 0; i < row->parts.capacity; i++) {
		const struct csg_exit_part_key *key;
		char levels[24];

		if (!row->parts.costs[i].exits)
			continue;
		key = csg_keyset_get(&chains->part_keys, i);
		snprintf(levels, sizeof(levels), "%" PRIu32 ">%" PRIu32, key->from, key->to);
		csg_out_printf(out, "%15s ", "");
		text_row(print, &row->parts.costs[i], row->chains, levels, &key->reason, out);
	}
}

void csg_exit_chains_text(const struct csg_exit_chains *chains,
			  const struct csg_exit_chains_print *print, struct csg_out *out)
{
	const struct csg_exit_cost *rest = &chains->rest;

	if (!chains->any)
		return;
	csg_out_printf(out,
		       "\n# chains: exits of guests of guests (level 2), until level 2 runs "
		       "again, and which exits these are; times in %s\n"
		       "# not counted: %" PRIu64
		       " chains with an exit or a level that is not known\n"
		       "# of no chain that counts, since level 2 was left first: %" PRIu64
		       " exits, host %" PRIu64 ", level 1 %" PRIu64 "\n"
		       "# ERETs of level 1 that KVM emulated and that led to level 1: %" PRIu64
		       "\n#\n# Chains   Most      Exits   Mean  Levels       Host     Instr."
		       "    Level 1     Instr.  Exception   Handler\n#\n",
		       print->unit, chains->dropped, rest->exits, rest->host, rest->guest,
		       chains->never_entered);
	for (size_t i = 0; i < chains->keys.count; i++) {
		const struct csg_exit_chain_row *row = &chains->rows[i];

		csg_out_printf(out, "%8" PRIu64 " %6" PRIu64 " ", row->chains, row->most);
		text_row(print, &row->cost, row->chains, "", csg_keyset_get(&chains->keys, i), out);
		text_parts(chains, row, print, out);
	}
}

static void json_cost(const struct csg_exit_cost *cost, struct csg_out *out)
{
	csg_out_printf(out,
		       "\"exits\":%" PRIu64 ",\"host\":%" PRIu64 ",\"host_instructions\":%" PRIu64
		       ",\"level1\":%" PRIu64 ",\"level1_instructions\":%" PRIu64,
		       cost->exits, cost->host, cost->host_instructions, cost->guest,
		       cost->guest_instructions);
}

/* The members of a row, without its end. */
static void json_row(const struct csg_exit_chains_print *print, const struct csg_exit_cost *cost,
		     const struct csg_exit_chain_key *reason, struct csg_out *out)
{
	csg_out_printf(out,
		       "{\"exception\":\"%s\",\"handler\":", csg_exception_name(reason->exception));
	csg_out_json(out, handler_of(print, reason));
	csg_out_char(out, ',');
	json_cost(cost, out);
}

static void json_parts(const struct csg_exit_chains *chains, const struct csg_exit_chain_row *row,
		       const struct csg_exit_chains_print *print, struct csg_out *out)
{
	const char *separator = "\n ";

	for (size_t i = 0; i < row->parts.capacity; i++) {
		const struct csg_exit_part_key *key;

		if (!row->parts.costs[i].exits)
			continue;
		key = csg_keyset_get(&chains->part_keys, i);
		csg_out_str(out, separator);
		separator = ",\n ";
		json_row(print, &row->parts.costs[i], &key->reason, out);
		csg_out_printf(out, ",\"level\":%" PRIu32 ",\"level_entered\":%" PRIu32 "}",
			       key->from, key->to);
	}
}

void csg_exit_chains_json(const struct csg_exit_chains *chains,
			  const struct csg_exit_chains_print *print, struct csg_out *out)
{
	if (!chains->any)
		return;
	csg_out_printf(out,
		       ",\n\"chains\":{\"dropped\":%" PRIu64 ",\"never_entered\":%" PRIu64
		       ",\"rest\":{",
		       chains->dropped, chains->never_entered);
	json_cost(&chains->rest, out);
	csg_out_str(out, "},\"rows\":[");
	for (size_t i = 0; i < chains->keys.count; i++) {
		const struct csg_exit_chain_row *row = &chains->rows[i];

		csg_out_str(out, i ? ",\n" : "\n");
		json_row(print, &row->cost, csg_keyset_get(&chains->keys, i), out);
		csg_out_printf(out, ",\"chains\":%" PRIu64 ",\"most\":%" PRIu64 ",\"parts\":[",
			       row->chains, row->most);
		json_parts(chains, row, print, out);
		csg_out_str(out, "]}");
	}
	csg_out_str(out, "]}");
}
