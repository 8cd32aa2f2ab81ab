/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A progress bar on standard error: bytes of trace done, rate, time remaining.  It is
 * drawn only where standard error is a terminal, at most ten times a second, and never
 * before the work has taken half a second, so that short commands stay silent.
 */
#ifndef COMMAND_CLI_PROGRESS_H
#define COMMAND_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csg_progress {
	bool active;	  /* standard error is a terminal and the user wants it */
	bool drawn;	  /* a bar stands on the line */
	const char *what; /* "reading", "decoding" */
	uint64_t begin_ns, next_ns;
	uint64_t done, total; /* as of the last update */
};

/* wanted is what the user says; without a terminal nothing is ever drawn. */
void csg_progress_init(struct csg_progress *p, bool wanted);

/* A new phase of the work begins, with its own 0..total. */
void csg_progress_begin(struct csg_progress *p, const char *what);

/* csg_session_options.progress; arg is the struct csg_progress. */
void csg_progress_update(void *arg, uint64_t done, uint64_t total);

/* Takes the bar away; it may come back with the next update.  Before any other message. */
void csg_progress_clear(struct csg_progress *p);

/* The bar's text for width columns into buf (without line ends); elapsed since the phase began. */
int csg_progress_text(char *buf, size_t size, int width, const char *what, uint64_t done,
		      uint64_t total, uint64_t elapsed_ns);

/* n bytes as people read them: "1.4 GB". */
void csg_progress_bytes(char *buf, size_t size, double n);

#endif
