/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of exits: what one exit of a guest of a guest costs.
 *
 * A guest hypervisor handles exits of its guests, but each of them, and each thing of the hardware
 * that it touches meanwhile, goes through the host: the guest of the guest (level 2) exits to the
 * host, which enters the guest (level 1); that exits some times itself, and its ERET, which traps
 * as well, enters level 2 again. A chain is all of that, of one vCPU: exits by which level 2 is
 * left, and all up to the entry to level 2. Where the host handles the exit alone it is one exit.
 * A chain in which an exit or a level is not known counts for nothing, but its cost is added to the
 * rest: all that a vCPU did at levels 0 and 1 since it left level 2 first is in a chain that counts
 * or in the rest.
 */
#ifndef COMMAND_CALLS_EXIT_CHAINS_H
#define COMMAND_CALLS_EXIT_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/out.h"
#include "util/keyset.h"

/* Chains whose first exits differ in none of these are one row. */
struct csg_exit_chain_key {
	uint32_t exception; /* TYPE of the packet */
	uint32_t handler;   /* label of the host's handler; 0: none */
};

/* Exits of a chain that are alike: their reason, and the levels that were left and entered. */
struct csg_exit_part_key {
	struct csg_exit_chain_key reason;
	uint32_t from, to; /* CSG_LEVEL_* */
};

/* Of exits: what the host did until the entry, and level 1 before the exit. */
struct csg_exit_cost {
	uint64_t exits;
	uint64_t host, guest;				/* time */
	uint64_t host_instructions, guest_instructions; /* that were decoded */
};

/* Costs of parts, by number in csg_exit_chains.part_keys. */
struct csg_exit_parts {
	struct csg_exit_cost *costs;
	size_t capacity;
};

struct csg_exit_chain_row {
	uint64_t chains;
	uint64_t most; /* exits of one chain */
	struct csg_exit_cost cost;
	struct csg_exit_parts parts; /* of which it is the sum */
};

/* One vCPU's chain that is under way. */
struct csg_exit_chain {
	struct csg_exit_chain_key key;
	struct csg_exit_cost cost;
	struct csg_exit_parts parts;
	uint64_t end; /* time of the last entry */
	bool active;
	bool began;    /* some chain of this vCPU did */
	uint8_t level; /* that was entered last, or unknown */
};

/* All zero is none. */
struct csg_exit_chains {
	struct csg_keyset keys;	     /* of struct csg_exit_chain_key */
	struct csg_keyset part_keys; /* of struct csg_exit_part_key */
	struct csg_exit_chain_row *rows;
	size_t capacity;
	uint64_t dropped;	   /* chains with an exit or a level that is not known */
	uint64_t never_entered;	   /* ERETs to level 2 that KVM emulated and that led to level 1 */
	struct csg_exit_cost rest; /* since level 2 was left first, of no chain that counts */
	bool any;		   /* an exit with a known level was seen */
};

/* An exit that is over. */
struct csg_exit_hop {
	struct csg_exit_chain_key key;
	uint64_t begin, end;	     /* time */
	uint64_t guest_instructions; /* since the entry before */
	uint64_t host_instructions;
	uint8_t from, to; /* CSG_LEVEL_* that were left and entered */
	bool eret;	  /* the handler was that of an ERET at vEL2 */
};

void csg_exit_chains_init(struct csg_exit_chains *chains);
void csg_exit_chains_fini(struct csg_exit_chains *chains);

/* The guest was left and entered again.  0 or -CSG_E_NO_MEMORY. */
int csg_exit_chains_hop(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
			const struct csg_exit_hop *hop);

/*
 * The vCPU's next exit, or the entry after its last one, is not known, and nor is what follows.
 * Instructions: of the host since the exit, or of the guest since the entry.
 */
void csg_exit_chains_cut(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
			 uint64_t host_instructions, uint64_t guest_instructions);

void csg_exit_chain_fini(struct csg_exit_chain *chain);

/* How rows are written. */
struct csg_exit_chains_print {
	const char *unit;
	const char *(*handler)(void *arg, uint32_t label); /* NULL: it has no name */
	void *arg;
};

void csg_exit_chains_text(const struct csg_exit_chains *chains,
			  const struct csg_exit_chains_print *print, struct csg_out *out);

/* A member, ",\"chains\":...". */
void csg_exit_chains_json(const struct csg_exit_chains *chains,
			  const struct csg_exit_chains_print *print, struct csg_out *out);

#endif
