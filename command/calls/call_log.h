/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of all streams, in the order in which they happened, dated.  A trace has a timestamp now
 * and then; an event between two of them gets the time that its place among the instructions
 * between them tells.  An event is handed on when it and all before it are dated.
 *
 * Where the trace tells no time, instructions are the time: one is one ns.
 *
 * Memory is bounded: beyond CSG_CALL_LOG_MAX events that wait, time goes on with the instructions.
 */
#ifndef COMMAND_CALLS_CALL_LOG_H
#define COMMAND_CALLS_CALL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "util/ring.h"

#define CSG_CALL_LOG_MAX ((size_t)1 << 20)
/* Instructions of a piece of code that is not there, as a guess: they are that many in the mean of
 * the recordings of traces/. */
#define CSG_CALL_LOG_MISSING 16

struct csg_call_event {
	uint64_t time; /* set by the log */
	uint64_t address;
	void *subject; /* the rest is its user's */
	uint64_t value;
	uint32_t stream;
	uint32_t owner;
	uint32_t label;
	uint8_t kind, detail;
	uint8_t reserved[2];
};

struct csg_call_log_stream {
	uint64_t ran;	   /* instructions so far */
	uint64_t time;	   /* of the last timestamp; 0: there was none */
	uint64_t time_ran; /* instructions then */
	uint64_t waiting;  /* number of its first event that waits; UINT64_MAX: none */
	uint64_t last;	   /* and of its last */
	uint64_t latest;   /* time of its last event that was dated */
};

struct csg_call_log {
	struct csg_call_log_entry {
		struct csg_call_event event;
		uint64_t ran;  /* instructions of its stream before it */
		uint64_t next; /* number of the next of its stream that waits */
		bool dated;
	} * entries;
	struct csg_ring queue;
	uint64_t first; /* number of the oldest */
	struct csg_call_log_stream *streams;
	size_t stream_n;
	bool timeless; /* instructions are the time */
};

/* -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_call_log_init(struct csg_call_log *log, size_t streams, bool timeless);
void csg_call_log_fini(struct csg_call_log *log);

/* The stream has executed n instructions more. */
static inline void csg_call_log_ran(struct csg_call_log *log, uint32_t stream, uint64_t n)
{
	log->streams[stream].ran += n;
}

/* A TIMESTAMP, CYCLES or GAP element of the stream: code that is not there took time, too. */
static inline void csg_call_log_mark(struct csg_call_log *log, const struct csg_element *e,
				     uint32_t stream)
{
	if (e->kind == CSG_ELEMENT_GAP && (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER))
		csg_call_log_ran(log, stream, CSG_CALL_LOG_MISSING);
}

/* Something happens now on event->stream. */
int csg_call_log_add(struct csg_call_log *log, const struct csg_call_event *event);

/* The time (ns) of the stream is this now. */
void csg_call_log_stamp(struct csg_call_log *log, uint32_t stream, uint64_t time);

/* Nobody knows how long from here to what comes next: what waits happened soon after the last
 * timestamp, and instructions from here on belong to the next. */
void csg_call_log_cut(struct csg_call_log *log, uint32_t stream);

/* No more will come: everything is dated. */
void csg_call_log_end(struct csg_call_log *log);

/* Takes the next event; false: it is not dated yet, or there is none. */
bool csg_call_log_next(struct csg_call_log *log, struct csg_call_event *event);

#endif
