/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a perf.data holds beside its trace.
 *
 *   events              who was mapped, named, switched in when, in time order; of every recording
 *   attrs, features,    the same as bytes, to be written again; of the recording of a session that
 *   records             was opened with CSG_SESSION_KEEP_SIDEBAND
 *
 * Kept records are those of the kernel and of perf record, decompressed.  Not kept are those about
 * the trace (AUX, AUXTRACE, ITRACE_START, AUX_OUTPUT_HW_ID), those that became attrs and features,
 * those that divide the file (FINISHED_ROUND, COMPRESSED), and those that perf would refuse, as
 * their event ID is of no event.  Each ends with its event ID, or begins with it if it is a sample,
 * and the attrs say so (PERF_SAMPLE_IDENTIFIER, sample_id_all).
 *
 * One thread at a time may read records; the rest may be read by several.  All belongs to the
 * recording.  Functions that fill a struct, of which the caller knows size bytes, return 0, or
 * -CSG_E_USAGE: a NULL, an index that is too large, a size of no version.
 */
#ifndef CSGUEST_SIDEBAND_H
#define CSGUEST_SIDEBAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/recording.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A perf_event_attr and the IDs of its events. */
struct csg_sideband_attr {
	size_t size;
	const uint8_t *bytes; /* as many as its own size field says, 64 or more */
	size_t byte_count;
	const uint64_t *ids;
	size_t id_count;
	bool trace; /* the event that recorded the trace */
};

/* A feature of the header (HEADER_* of perf's header.h), but those of trace, events and file
 * format. */
struct csg_sideband_feature {
	size_t size;
	uint32_t number;
	int fd; /* where its bytes are: to be read with pread(), and not to be closed */
	uint64_t offset, byte_count; /* in fd */
};

/* A record, its struct perf_event_header included. */
struct csg_sideband_record {
	size_t size;
	uint64_t time;	      /* perf time, ns; 0: it has none */
	uint64_t file_offset; /* in the recording's file; CSG_NO_OFFSET: it was compressed there */
	const uint8_t *bytes; /* until the next csg_sideband_record() for this recording */
	size_t byte_count;
};

enum csg_sideband_kind {
	CSG_SIDEBAND_OTHER, /* of a kind that a later version may describe */
	CSG_SIDEBAND_MAP,   /* start to path */
	CSG_SIDEBAND_COMM,  /* comm, exec */
	CSG_SIDEBAND_FORK,  /* pid and tid are the child, other_pid and other_tid the parent */
	CSG_SIDEBAND_EXIT,  /* the same */
	/* out and leave; other_pid and other_tid: the next or previous thread */
	CSG_SIDEBAND_SWITCH,
	CSG_SIDEBAND_LOST,   /* records were lost on cpu since the one before; CSG_NO_CPU: on any */
	/*
	 * Of sched:sched_waking and sched:sched_wakeup: tid, which slept, can run from now on;
	 * other_pid and other_tid woke it.  cpu: whose run queue it stands on, of sched_wakeup.
	 */
	CSG_SIDEBAND_WAKE,
};

/* Why a thread was switched out. */
enum csg_sideband_leave {
	CSG_LEAVE_UNKNOWN,   /* not stated, or it was not switched out */
	CSG_LEAVE_PREEMPTED, /* it could have run on: PERF_RECORD_MISC_SWITCH_OUT_PREEMPT */
	CSG_LEAVE_BLOCKED,   /* it could not: it waited for something, or had ended */
};

/* An event: what a record says. */
struct csg_sideband_event {
	size_t size;
	enum csg_sideband_kind kind;
	int32_t cpu;		      /* CSG_NO_CPU: not stated */
	int32_t pid, tid;	      /* -1: not stated */
	int32_t other_pid, other_tid; /* -1: not stated */
	uint64_t time;		      /* perf time, ns; 0: it was so before the recording */
	bool out;		      /* the thread was switched out */
	bool exec;		      /* the name is that of a program that was executed */
	bool kernel, executable;      /* the mapping */
	uint8_t build_id_size;	      /* 0: not stated */
	uint8_t build_id[20];	      /* of the file that was mapped */
	uint64_t start, length,
		file_offset; /* virtual address, bytes, page offset times page size */
	const char *path;    /* of the mapping; else NULL */
	const char *comm;    /* of the thread; else NULL */
	/*
	 * Linux before 4.17 never sets the bit.  Without it the thread was blocked only if another
	 * record of the same recording has it, and nothing is known otherwise.
	 */
	enum csg_sideband_leave leave;
	/* Of the guest in this VM, where perf inject put its records; 0: of the recording's own
	 * machine. */
	int32_t vm;
};

/* Attrs that were kept, in the order of the file: how many, and one. */
size_t csg_sideband_attr_count(const struct csg_recording *recording);
int csg_sideband_attr(const struct csg_recording *recording, size_t index,
		      struct csg_sideband_attr *attr, size_t size);

/* Features that were kept, in any order, each once: how many, and one. */
size_t csg_sideband_feature_count(const struct csg_recording *recording);
int csg_sideband_feature(const struct csg_recording *recording, size_t index,
			 struct csg_sideband_feature *feature, size_t size);

/*
 * Records that were kept, in time order, those without a time first: how many, and one.  Besides,
 * -CSG_E_IO where the temporary file that holds them cannot be read.
 */
size_t csg_sideband_record_count(const struct csg_recording *recording);
int csg_sideband_record(struct csg_recording *recording, size_t index,
			struct csg_sideband_record *record, size_t size);

/* Events in time order, those without a time first: how many, and one. */
size_t csg_sideband_event_count(const struct csg_recording *recording);
int csg_sideband_event(const struct csg_recording *recording, size_t index,
		       struct csg_sideband_event *event, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
