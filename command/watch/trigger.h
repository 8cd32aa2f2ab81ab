/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a flight recorder is to keep what it has: an exit of a guest that lasts longer than is
 * allowed, from kvm:kvm_exit to the next kvm:kvm_entry of the same thread, or an event.
 *
 * A halted vCPU waits by itself: exits for WFI and WFE (EC 0x01) are not counted.
 *
 * What came before perf recorded anew is still to be read.  A mark that is written when perf
 * records (tracefs' trace_marker) shows where that ends: nothing before it is a cause, nor begins
 * an exit.
 */
#ifndef COMMAND_WATCH_TRIGGER_H
#define COMMAND_WATCH_TRIGGER_H

#include "watch/trace_line.h"

#include <stddef.h>

enum csg_cause_kind {
	CSG_CAUSE_NONE,
	CSG_CAUSE_EXIT,	  /* an exit that lasts too long */
	CSG_CAUSE_EVENT,  /* an event */
	CSG_CAUSE_SIGNAL, /* SIGUSR2 */
	CSG_CAUSE_END,	  /* the command has ended */
};

#define CSG_CAUSE_TEXT 128
#define CSG_TRIGGER_MARK 64

struct csg_cause {
	enum csg_cause_kind kind;
	/* Of an exit and an event: whose, where, and when it began, in host time (ns). */
	int32_t tid, cpu;
	uint64_t from;
	uint64_t until; /* of an exit: it lasted till then or longer; of an event: from */
	char event[CSG_TRACE_EVENT_NAME];
	char text[CSG_CAUSE_TEXT]; /* of the kvm_exit, or of the event */
};

/* An exit whose entry did not come yet. */
struct csg_trigger_exit {
	struct csg_cause cause;
	uint64_t read; /* when it was read, CLOCK_MONOTONIC (ns) */
};

struct csg_trigger {
	uint64_t longest;  /* ns that an exit may last; 0: any time */
	const char *event; /* "sched_switch"; NULL: none */
	struct csg_trigger_exit *exits;
	size_t exit_n, exit_capacity;
	char mark[CSG_TRIGGER_MARK]; /* for which it waits; "": for none */
	uint64_t since;		     /* when it was written, in host time (ns, whole us) */
	bool again; /* events were lost, the mark perhaps among them: it is to be written again */
};

/* perf records anew: forgets what has begun, and waits for that mark. */
void csg_trigger_begin(struct csg_trigger *trigger, const char *mark);

/*
 * A line was read at now (CLOCK_MONOTONIC).  1: it is a cause, in *cause; 0; or -CSG_E_NO_MEMORY.
 * Where events are lost, entries may be among them: exits that have begun are forgotten.
 */
int csg_trigger_line(struct csg_trigger *trigger, const char *line, uint64_t now,
		     struct csg_cause *cause);

/* Time has gone on, while nothing was read: whether an exit lasts too long by now. */
bool csg_trigger_wait(const struct csg_trigger *trigger, uint64_t now, struct csg_cause *cause);

void csg_trigger_fini(struct csg_trigger *trigger);

#endif
