/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Failed allocations of C++ code, that is of OpenCSD.
 *
 * OpenCSD reports few of them: a stack element that it cannot allocate is dropped, code that it has
 * no memory to keep counts as missing, and the text of a packet is cut.  But operator new calls the
 * new-handler of the process (std::set_new_handler()) at each failure, whatever its caller makes of
 * it.  The handler here counts.  It then puts back the handler that was there before, for which
 * operator new looks next, so that all else is as without it.
 *
 * The handler is one for the process: a failure of other C++ code in a process that decodes counts,
 * too.
 */
#ifndef DECODER_SCAN_NEW_FAILURES_H
#define DECODER_SCAN_NEW_FAILURES_H

/*
 * Counts from here to csg_new_failures_unwatch(), of which each call needs one.  Returns how many
 * there were before.  Any thread may call it.
 */
unsigned int csg_new_failures_watch(void);
void csg_new_failures_unwatch(void);

/* How many there were in this process while somebody watched. */
unsigned int csg_new_failures(void);

#endif
