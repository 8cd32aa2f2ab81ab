/* SPDX-License-Identifier: BSD-3-Clause */
/* Events and tracks of Chrome's JSON (calls/chrome.h), in which slices of a track follow each
 * other. */
#ifndef COMMAND_CALLS_CHROME_WRITE_H
#define COMMAND_CALLS_CHROME_WRITE_H

#include "text/out.h"
#include "util/keyset.h"

/* All zero but for out and tracks. */
struct csg_chrome_writer {
	struct csg_out *out;
	struct csg_keyset tracks; /* of struct csg_chrome_track, whose names were written */
	uint64_t *latest;	  /* by track: end of its last slice, ns */
	size_t latest_n;
	uint64_t events;
	int error; /* -CSG_E_NO_MEMORY */
};

struct csg_chrome_track {
	int64_t pid, tid; /* tid -1: the process itself */
};

/* What a slice says. */
struct csg_chrome_slice_text {
	const struct csg_chrome_track *track;
	const char *name, *category;
	void (*args)(struct csg_out *out, const void *arg); /* members of "args"; NULL: none */
	const void *arg;
};

/* The name of a process or thread; what: "process_name" or "thread_name". */
void csg_chrome_write_name(struct csg_chrome_writer *writer, const char *what,
			   const struct csg_chrome_track *track, const char *name);

/* Names a track, and its process, when it is met first. */
void csg_chrome_name_track(struct csg_chrome_writer *writer, const struct csg_chrome_track *track,
			   const char *process, const char *thread);

/* The number of a track, or a negative error. */
int64_t csg_chrome_track_number(struct csg_chrome_writer *writer,
				const struct csg_chrome_track *track);

/* Begins an event; phase is "ph".  The caller ends it with "}". */
void csg_chrome_write_event(struct csg_chrome_writer *writer, char phase,
			    const struct csg_chrome_track *track, uint64_t time);

/* A slice of a track, which begins where the one before it ends at the earliest. */
void csg_chrome_write_slice(struct csg_chrome_writer *writer,
			    const struct csg_chrome_slice_text *text, uint64_t begin, uint64_t end);

#endif
