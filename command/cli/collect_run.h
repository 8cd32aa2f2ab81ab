/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that csguest collect runs: perf, which may be told to end, and what asks Xen, which gets
 * so much time and no more.
 */
#ifndef COMMAND_CLI_COLLECT_RUN_H
#define COMMAND_CLI_COLLECT_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "collect/collect.h"

enum csg_collect_ran {
	CSG_COLLECT_RAN_WELL,
	CSG_COLLECT_RAN_BADLY, /* which was reported */
	CSG_COLLECT_RAN_LATE,  /* it had not ended in time; reported, too */
	CSG_COLLECT_RAN_ENDED, /* who asks Xen was told to end: nothing more is wanted */
};

/* SIGINT, SIGTERM and SIGUSR2 for csguest are for whoever runs; what they were before. */
struct csg_collect_signals {
	struct sigaction interrupt, end, snapshot;
};
void csg_collect_take_signals(struct csg_collect_signals *before);
void csg_collect_give_signals(const struct csg_collect_signals *before);

/* Whether SIGINT or SIGTERM has come since they were taken last. */
bool csg_collect_asked_to_end(void);

/* What perf is to do now. */
enum csg_collect_due {
	CSG_COLLECT_GO_ON,
	CSG_COLLECT_TAKE, /* takes its snapshot and ends */
	CSG_COLLECT_DROP, /* ends at once: nobody wants what it has recorded */
};

/* Who watches perf while it records, and has it keep its snapshot and end. */
struct csg_collect_watcher {
	int control, ack; /* FIFOs of perf record --control: perf records once it has answered */
	/* Asked again and again, and may wait some ms; signalled: SIGUSR2 has come. */
	enum csg_collect_due (*due)(void *arg, bool signalled);
	void *arg;
	bool ready, taken, dropped; /* perf records; what due() has returned */
	bool ended;		    /* SIGINT or SIGTERM has ended it */
};

/* Runs a step of the kind CSG_COLLECT_RUN, to its end; watcher: of a step that is watched. */
enum csg_collect_ran csg_collect_run(const struct csg_collect_step *step,
				     struct csg_collect_watcher *watcher);

/*
 * A file of the collection, for its owner alone: it has names and addresses of the machine.
 * append: at its end.  NULL: errno says why.
 */
FILE *csg_collect_create(const char *path, bool append);

/* "csguest: error: WHAT: ..." by errno; -CSG_E_IO. */
int csg_collect_failed(const char *what);

#endif
