/* SPDX-License-Identifier: BSD-3-Clause */
/* The key that exits are counted by (calls/exits.h). */
#ifndef COMMAND_CALLS_EXIT_KEY_H
#define COMMAND_CALLS_EXIT_KEY_H

#include <stdint.h>

/* Rows that differ in none of these are one. */
struct csg_exit_key {
	int32_t vm, vcpu;
	uint32_t exception; /* TYPE of the packet */
	uint32_t handler;   /* label of a function; 0: none was called */
	uint32_t code;	    /* of the guest, that was interrupted: csg_exits.code */
	uint8_t vector;	    /* 0..3: sync, IRQ, FIQ, SError; 4: not known */
	uint8_t fast;
	uint8_t user;	     /* left from EL0 */
	uint8_t level, to;   /* CSG_LEVEL_*: that were left and entered; 0 where not asked for */
	uint8_t reserved[3]; /* 0 */
};

#endif
