/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exits of guests: why each guest was left, and how long the host took until it was entered again.
 *
 * An exit begins with the exception that leaves the guest and ends with the next ERET into the same
 * vCPU, on whatever CPU.  What may have run where nothing is traced ends it without an entry
 * (calls/exit_cuts.h).  Its reason is
 *   the exception   what the trace says (IRQ, trap, data fault ...)
 *   the handler     the first of KVM's handlers that was called: of arm_exit_handlers
 *                   (handle_exit.c: kvm_handle_*, handle_*), or of the fast path (hyp/switch.h:
 *                   kvm_hyp_handle_*); Xen's are those that do_trap_guest_sync() calls
 *                   (arch/arm/traps.c), or itself
 *   fast            it never left the loop that enters the guest (__kvm_vcpu_run), so that no
 *                   tracepoint shows it
 *
 * Without VHE that loop is in the hypervisor, whose level is not traced: an exit begins with the
 * exception that leads there, and what is traced next tells whether it was a fast one.
 */
#ifndef COMMAND_CALLS_EXITS_H
#define COMMAND_CALLS_EXITS_H

#include "util/keyset.h"
#include "csguest/stack.h"
#include "calls/call_filter.h"
#include "calls/call_log.h"
#include "calls/exit_chains.h"
#include "calls/exit_code.h"
#include "calls/exit_cuts.h"
#include "calls/exit_handlers.h"
#include "calls/exit_key.h"
#include "calls/exit_waits.h"
#include "lookup/lookup.h"
#include "text/histogram.h"

struct csg_exit_row {
	struct csg_histogram host;  /* time from exit to entry */
	struct csg_wait_sums waits; /* the same time, by csg_exits_split(); running: handling */
};

struct csg_exit_vcpu; /* what is under way, private */

/* Called for what happens, in the order of time; each function may be NULL. */
struct csg_exits_watcher {
	void *arg;
	/* From time on owner has the stream, or trace is lost (gap). */
	void (*slice)(void *arg, uint32_t stream, uint64_t time, uint32_t owner, enum csg_gap gap);
	/* An exit is over.  note: csg_frame.note of the guest's innermost frame then; 0: it has
	 * none. */
	void (*exit)(void *arg, const struct csg_exit_key *key, uint32_t note, uint64_t begin,
		     uint64_t end);
	/* What was given to csg_exits_log(), dated. */
	void (*logged)(void *arg, const struct csg_call_event *event);
};

struct csg_exits {
	struct csg_lookup lookup;
	struct csg_follower *follower;
	void *arg;
	int (*next)(void *arg, uint32_t stream, struct csg_batch *batch);
	uint64_t (*time)(void *arg, const struct csg_element *timestamp);
	bool timeless;		       /* time is instructions */
	bool by_vcpu, by_vm;	       /* what rows tell apart besides reasons */
	enum csg_exit_code_by by_code; /* and what of the guest */
	bool splits;		       /* csg_exits_split() will be called */
	bool hyp_untraced;	       /* of all levels the hypervisor's alone is not traced */
	/*
	 * Which exits are counted: by the guest as it was when it was left, by the code that it ran
	 * then, and what of their time; in each window an exit is one.
	 */
	struct csg_call_filter filter;
	struct csg_exits_watcher watcher;
	/* Another client of the follower, which leaves csg_stack.data alone; all but next, leaving,
	 * used. */
	struct csg_follower_options also;
	/* Filled. */
	struct csg_keyset keys; /* of struct csg_exit_key */
	struct csg_exit_row *rows;
	size_t capacity;
	struct csg_call_log log;
	struct csg_exit_cuts cuts;
	struct csg_exit_vcpu *vcpus;
	struct csg_exit_vcpu **running;	 /* by stream, in its guest or its thread; NULL: none */
	struct csg_exit_classes classes; /* of functions */
	struct csg_exit_code code;
	struct csg_exit_notes notes;
	struct csg_exit_chains chains; /* where guests have guests */
	bool has_waits;		       /* of rows */
	uint64_t open;		       /* exits of which no entry is traced */
	int error;
};

/* arg, next, time, timeless, by_vcpu, by_vm and hyp_untraced are set; csg_exits_close() is safe
 * after an error. */
int csg_exits_open(struct csg_exits *exits, const struct csg_lookup *lookup, size_t streams);
void csg_exits_close(struct csg_exits *exits);

/* Follows some more.  1, 0 at the end, or a negative error. */
int csg_exits_next(struct csg_exits *exits);

/* Of finished exits that are split: where the time of each row went. */
void csg_exits_split(struct csg_exits *exits, const struct csg_waits *waits);

/* Whether exits with this key are those in which the guest waited for an interrupt (WFI, WFE). */
bool csg_exits_is_idle(const struct csg_exits *exits, const struct csg_exit_key *key);

/* Something happens now on event->stream that the watcher gets in order; its kind is its own. */
void csg_exits_log(struct csg_exits *exits, const struct csg_call_event *event);

/* All exits are over; what was seen up to an error counts. */
int csg_exits_finish(struct csg_exits *exits);

#endif
