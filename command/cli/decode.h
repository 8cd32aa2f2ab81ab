/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What all commands that decode have in common: where the recording and its images
 * are, the session with its messages and progress bar, the output, and how it all ends.
 *
 *	struct csg_decode d;
 *
 *	csg_decode_init(&d, "report");
 *	groups[] = {{"Report", mine}, CSG_DECODE_GROUPS(&d)};
 *	first = csg_options_parse(&usage, argc, argv);
 *	if (first <= 0)
 *		return csg_decode_drop(&d, first);
 *	err = csg_decode_open(&d, first, argc, argv);
 *	while (!err && (err = csg_decode_next(&d, in_time_order, &batch)) > 0)
 *		err = ... print to &d.out ...
 *	return csg_decode_finish(&d, err);
 *
 * An error in the middle ends the loop; csg_decode_finish() still writes out everything that was
 * printed, then the outcome, and makes the exit status of the error.
 */
#ifndef COMMAND_CLI_DECODE_H
#define COMMAND_CLI_DECODE_H

#include "cli/decode_state.h"

/* Sets defaults and fills the option tables, which point into *d: it must not move afterwards. */
void csg_decode_init(struct csg_decode *d, const char *command);

/*
 * Opens the session on the recording that the options or the one operand argv[first] name (default:
 * perf.data).  first is csg_options_parse()'s result, above 0.  0 or a negative error that was
 * reported; csg_decode_finish() is called in either case.
 */
int csg_decode_open(struct csg_decode *d, int first, int argc, char **argv);

/* What it does before it opens anything: d->input and d->options are as the options have them. */
int csg_decode_prepare(struct csg_decode *d, int first, int argc, char **argv);

/* How the command learns names of the session, by tokens where it is anonymous; *d has to outlive
 * it. */
struct csg_lookup csg_decode_lookup(struct csg_decode *d);

/* Whether the user has ended decoding.  The functions below ask it; who pulls batches by itself
 * does. */
bool csg_decode_stops(struct csg_decode *d);

/* csg_session_next(), counted for the outcome.  0 also where standard output is gone,
 * and where the user has ended decoding. */
int csg_decode_next(struct csg_decode *d, bool in_time_order, struct csg_batch *batch);

/* csg_session_next_of(), counted for the outcome; decode is a struct csg_decode. */
int csg_decode_next_of(void *decode, uint32_t stream, struct csg_batch *batch);

/*
 * Ends the command: flushes the output, clears the progress bar, prints the outcome (cli/outcome.h)
 * to standard error unless quiet, closes the session.  err is 0 (or positive) or the error that
 * ended decoding.  Returns the exit status: of err, else of what is wrong with the recording
 * (csg_recording_damage()), its trace, its images, in this order.
 * When the reader of standard output went away (EPIPE) it says nothing and dies of SIGPIPE as any
 * other program would, after cleaning up.
 */
int csg_decode_finish(struct csg_decode *d, int err);

/*
 * Instead of that, where nothing was opened: the command line was refused, and a message has said
 * why, or asks for help.  Frees what its options hold, and returns the exit status.
 */
int csg_decode_drop(struct csg_decode *d, int err);

/* err, or -CSG_E_NO_MEMORY where the session has files that it could not load for want of
 * memory. */
int csg_decode_error(struct csg_decode *d, int err);

#endif
