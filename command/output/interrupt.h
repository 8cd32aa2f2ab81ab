/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SIGINT, SIGTERM and SIGHUP while something exists that must be removed first: between
 * csg_interrupt_hold() and csg_interrupt_release() they are only noted.  Whoever holds them polls
 * csg_interrupt_seen() and ends early; the release then delivers the signal as if it had come that
 * moment.  A signal that was ignored stays ignored.  Holds may nest.
 *
 * What makes it impossible to go on ends the same way: csg_interrupt_end().
 */
#ifndef COMMAND_OUTPUT_INTERRUPT_H
#define COMMAND_OUTPUT_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

#define CSG_INTERRUPT_SIGNALS 3

struct csg_interrupt {
	struct sigaction before[CSG_INTERRUPT_SIGNALS];
	bool held;
	bool removes; /* something has to be removed */
};

void csg_interrupt_hold(struct csg_interrupt *interrupt);

/* The same for whoever ends early for another reason: csg_interrupt_end() does not wait for
 * them. */
void csg_interrupt_note(struct csg_interrupt *interrupt);

/* Whether one came since the first hold, or the end is near. */
bool csg_interrupt_seen(void);

/*
 * The process is to end with this status, which is not 0: at the last release.  False where nothing
 * is held, and the caller ends it.  A signal handler may call it, in any thread.
 */
bool csg_interrupt_end(int status);

/* Another signal from now on ends the process at once; one that was seen waits for the release. */
void csg_interrupt_listen(struct csg_interrupt *interrupt);

/* Not held: does nothing. */
void csg_interrupt_release(struct csg_interrupt *interrupt);

#endif
