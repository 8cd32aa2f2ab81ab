/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of exits: what one exit of a guest of a guest costs.
 *
 * A guest hypervisor handles exits of its guests, but each of them, and each thing of the hardware
 * that it touches meanwhile, goes through the host: the guest of the guest (level 2) exits to the
 * host, which enters the guest (level 1); that exits some times itself, and its ERET, which traps as
 * well, enters level 2 again.
 * A chain is all of that, of one vCPU: exits by which level 2 is left, and all up to the entry to level 2.
 * Where the host handles the exit alone it is one exit.  A chain in which an exit or a level is not known
 * counts for nothing.
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

struct csg_exit_chain_row {
	uint64_t chains, exits;
	uint64_t host, guest; /* time in the host, and in level 1 */
	uint64_t most;	      /* exits of one chain */
};

/* One vCPU's chain that is under way. */
struct csg_exit_chain {
	struct csg_exit_chain_key key;
	uint64_t exits, host, guest, end;
	bool active, out; /* out: left, and not entered again yet */
};

/* All zero is none. */
struct csg_exit_chains {
	struct csg_keyset keys; /* of struct csg_exit_chain_key */
	struct csg_exit_chain_row *rows;
	size_t capacity;
	uint64_t dropped;	/* chains with an exit or a level that is not known */
	uint64_t never_entered; /* ERETs to level 2 that KVM emulated and that led to level 1 */
	bool any;		/* an exit with a known level was seen */
};

/* An exit that is over: times; levels that were left, and entered. */
struct csg_exit_hop {
	struct csg_exit_chain_key key;
	uint64_t begin, end;
	uint8_t from, to; /* CSG_LEVEL_* */
	bool eret;	  /* the handler was that of an ERET at vEL2 */
};

void csg_exit_chains_init(struct csg_exit_chains *chains);
void csg_exit_chains_fini(struct csg_exit_chains *chains);

/* The guest is left. */
void csg_exit_chains_left(struct csg_exit_chains *chains, struct csg_exit_chain *chain);

/* It was entered again.  0 or -CSG_E_NO_MEMORY. */
int csg_exit_chains_hop(struct csg_exit_chains *chains, struct csg_exit_chain *chain,
			const struct csg_exit_hop *hop);

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
