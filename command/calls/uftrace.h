/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls and returns as a data directory of uftrace (https://github.com/namhyung/uftrace), as
 * version 4 of its format has it: what Debian's uftrace 0.13 replays, reports, graphs and dumps.
 *
 *	info		the header, and text on what was recorded
 *	task.txt	the tasks: one for each stack, that is a thread (or vCPU) and privilege,
 *			numbered from 1; each is a session whose exename says who it is
 *	sid-N.map	where the objects are, for each session the same
 *	OBJECT.sym	functions of an object
 *	N.dat		calls and returns of task N, 16 bytes each
 *
 * Addresses of host, guests and processes collide, and uftrace keeps 48 bits of them, so each
 * object gets a range of its own: number << 32, functions one after the other.
 *
 * Frames that were there when a stack was first seen, or begun anew, are entered then; a function
 * that another jumped to is entered when that is left.
 */
#ifndef COMMAND_CALLS_UFTRACE_H
#define COMMAND_CALLS_UFTRACE_H

#include "util/keyset.h"
#include "csguest/diag.h"
#include "csguest/stack.h"
#include "calls/call_filter.h"
#include "calls/call_log.h"
#include "lookup/lookup.h"
#include "output/output_dir.h"

struct csg_uftrace_task; /* private */

struct csg_uftrace {
	const struct csg_output_dir *dir; /* open; the caller commits it */
	const char *recording;
	void *arg;
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	uint64_t (*time)(void *arg, const struct csg_element *timestamp);
	bool timeless;
	/* Of whom tasks are written, and of which functions calls; times are cut at its windows. */
	struct csg_call_filter filter;
	/* Filled. */
	struct csg_lookup lookup;
	struct csg_follower *follower;
	struct csg_call_log log;
	struct csg_uftrace_task *tasks; /* the newest first */
	uint32_t task_count;
	uint64_t *addresses; /* of functions, by label; 0: none yet */
	size_t address_n;
	struct csg_keyset objects; /* their names */
	uint32_t *functions_of;	   /* how many, by object */
	size_t object_n;
	int error;
};

/*
 * dir, recording, arg, next, time and timeless are set.  What cannot be written is -CSG_E_IO, here
 * and below, reported; so is a signal that dir holds, which is not.  _close() is safe even then.
 */
int csg_uftrace_open(struct csg_uftrace *uftrace, const struct csg_lookup *lookup, size_t streams);
void csg_uftrace_close(struct csg_uftrace *uftrace);

/* Follows some more.  1, 0 at the end, or a negative error. */
int csg_uftrace_next(struct csg_uftrace *uftrace);

/* Writes what is left: the directory is complete. */
int csg_uftrace_finish(struct csg_uftrace *uftrace);

#endif
