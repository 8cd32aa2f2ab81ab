/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of tests/tools/windows.c share: the truth, and what is cut out of a stream.
 */
#ifndef TESTS_WINDOWS_WINDOWS_H
#define TESTS_WINDOWS_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"
#include "encoder/etm.h"
#include "encoder/random.h"
#include "recording/recording.h"
#include "session/session.h"

#define CPUS 64

struct run {
	uint32_t owner;
	uint64_t count, time;
};

/* Instructions in sequence in a window. */
struct piece {
	uint32_t owner;
	uint64_t window, address, count, offset, lo, hi;
	size_t run;    /* of which they are a part */
	uint64_t done; /* instructions of the run before them */
};

/* A window that was flushed: its bytes end here, at that time. */
struct aux {
	uint64_t end, time;
	uint64_t sent;	/* bytes of the stream up to there */
	uint64_t ip;	/* a sample: what is executed next, and whose it is */
	uint32_t owner; /* of the truth */
	uint32_t bytes; /* that the sample holds */
};

struct options {
	uint64_t seed, window, period;
	uint32_t sync;
	uint64_t mistake;     /* each such sample says what the one before it says; 0: none */
	uint64_t ring, every; /* bytes of a ring that is read again and again; 0: none */
	uint64_t at;	      /* it is read once, at that host time; 0: again and again */
	bool samples;	      /* by samples of an event (PERF_SAMPLE_AUX) */
	bool handlers;	      /* which are taken in the handler of its interrupt */
	bool paused, time, no_ids, stack, whole, host, functions;
};

/* In struct csg_element.reserved[0]: it is a guest's. */
#define GUESTS_ELEMENT 1
/* In reserved[1]: a timestamp of the host's counter. */
#define HOSTS_TIMESTAMP 1

struct cut {
	const struct options *options;
	struct csg_enc_random random;
	struct csg_enc_etm etm;
	/* the truth, and where the decode is in it */
	struct run *runs;
	size_t run_n, run;
	uint64_t run_done;
	/* what was decoded */
	struct csg_element *elements;
	size_t element_n;
	/* windows */
	bool on;
	uint64_t left; /* instructions: of the window, or before the next */
	uint64_t windows, all;
	bool *stamped; /* by window, from 1 on: it carries a timestamp */
	size_t stamped_n;
	struct piece *pieces;
	size_t piece_n;
	struct aux *aux;
	size_t aux_n;
	struct sent {
		uint64_t end, time; /* bytes of the stream with it, ns of the host */
	} * sent;		    /* the timestamps */
	size_t sent_n;
	struct {
		uint64_t raw, time; /* the host's, ns; 0: not known */
	} stamp;		    /* the last one of the whole */
	const uint64_t *offsets;    /* CNTVOFF_EL2 of the guests */
	size_t offset_n;
	struct csg_enc_context context;
	/* an interrupt of the host's code, whose handler runs (--handlers) */
	struct {
		uint64_t ip;	 /* that it was taken before; 0: none runs */
		uint32_t owner;	 /* of that, of the truth */
		uint32_t ranges; /* of the handler, before the sample is taken */
	} handled;
	/* a run of instructions that did not end yet */
	uint64_t start, count;
	bool open;
	struct csg_enc_bytes trace;
	const struct csg_source *source;
	struct functions *functions; /* NULL: not asked for */
	const int *vms;		     /* by owner */
	struct csg_session *session;
	struct csg_space *space; /* of what is executed */
	bool framed;
	const char *error;
};

/* What a sample says of who runs: the host's thread, and PERF_RECORD_MISC_CPUMODE. */
struct thread {
	int pid, tid;
	uint16_t mode;
};

struct truth {
	char **head; /* lines before the streams */
	size_t head_n;
	struct truth_stream {
		int cpu;
		unsigned id;
		struct run *runs;
		size_t n;
	} streams[CPUS];
	size_t n;
	int *vms; /* by owner */
	size_t vm_n;
	struct thread *threads; /* by owner */
	uint64_t *offsets;	/* CNTVOFF_EL2 of the guests */
	size_t offset_n;
};

/* Appends to a list of n: room for one more. */
void *windows_grow(void *list, size_t n, size_t size);

/* Reads a truth.  False: it has no stream. */
bool windows_read_truth(struct truth *truth, const char *path);

/* Writes the truth of what lies in the windows, one cut for each stream, and PATH.pieces. */
bool windows_write_truth(const struct truth *truth, const struct cut *cuts, const char *path);

/* Writes PATH.rings, for a snapshot at one time (--at). */
bool windows_write_rings(const struct truth *truth, const struct cut *cuts, const char *path);

/* Encodes the elements of the cut that lie in windows, and notes which parts of runs these are. */
void windows_cut(struct cut *cut);

/* The bytes of the trace, in frames where the recording has them. */
void windows_frame(struct cut *cut);

/* Puts the trace of n streams into DIR/data, in place of what there is. */
bool windows_rewrite(const char *dir, const struct truth *truth, struct cut *cuts, size_t n);

/*
 * Appends the samples of a stream (--samples) with the trace before each: of the first event of
 * file, a perf.data, which has PERF_SAMPLE_AUX from now on.  False: that event's samples have other
 * fields than are known.
 */
bool windows_put_samples(struct csg_enc_bytes *out, const uint8_t *file, const struct truth *truth,
			 struct cut *cut);

/* Leaves of what was executed what samples hold; those that overlap are one window. */
void windows_keep_sampled(struct cut *cut);

/* That event's perf_event_attr, in a copy of the head of file. */
void windows_mark_samples(uint8_t *file);

#endif
