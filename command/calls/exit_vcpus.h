/* SPDX-License-Identifier: BSD-3-Clause */
/* The vCPUs whose exits are followed, and what is under way of each (calls/exits.h). */
#ifndef COMMAND_CALLS_EXIT_VCPUS_H
#define COMMAND_CALLS_EXIT_VCPUS_H

#include <stdbool.h>

#include "calls/exit_chains.h"
#include "calls/exit_key.h"
#include "csguest/stack.h"

/* A vCPU, by the thread of the host that runs it. */
struct csg_exit_vcpu {
	int32_t vm, place;
	bool out;		      /* it was left, and not entered yet */
	const struct csg_stack *host; /* the stack that left it */
	uint32_t depth;		      /* of the frame that entered the guest */
	struct csg_exit_key key;
	uint32_t note; /* of the guest's innermost frame */
	struct csg_exit_chain chain;
	uint64_t exited;     /* time */
	uint64_t ran;	     /* instructions since it was left or entered, or that is not known */
	bool in_guest;	     /* they are the guest's */
	uint64_t exited_ran; /* since the entry before the exit at that time */
	uint32_t stream;     /* where its thread of the host runs, or ran last */
	bool off;	     /* another thread runs there */
	uint64_t off_from;
	struct csg_exit_vcpu *next;
};

/* What a guest runs on: the thread of the host, else the stream. */
int32_t csg_exit_place_of(const struct csg_owner *guest, uint32_t stream);

/* The guest's vCPU in a list, added where it is new; NULL: out of memory. */
struct csg_exit_vcpu *csg_exit_vcpu_of(struct csg_exit_vcpu **list, const struct csg_owner *guest,
				       uint32_t stream);
void csg_exit_vcpus_fini(struct csg_exit_vcpu **list);

#endif
