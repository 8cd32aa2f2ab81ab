/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a session share (see session.h). */
#ifndef DECODER_SESSION_SESSION_STATE_H
#define DECODER_SESSION_SESSION_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "csguest/diag.h"
#include "files/xen_domains.h"
#include "image/elf/file.h"
#include "image/image.h"
#include "recording/recording.h"
#include "session/open/choose.h"
#include "session/run/pool.h"
#include "guest/guest_contradictions.h"
#include "session/open/guests.h"
#include "session/open/kernel_check.h"
#include "session/run/merge.h"
#include "session/run/registry.h"
#include "session/session_setup.h"
#include "session/run/stream.h"
#include "util/pack.h"

struct csg_job_index;
struct csg_settings;

/* What a stream would hand out next. */
struct csg_stream_head {
	enum { CSG_HEAD_STALE, CSG_HEAD_READY, CSG_HEAD_NONE } state;
	struct csg_batch batch;
	struct csg_batch rest; /* csg_session_pull_of(): what the filter has not looked at yet */
};

/* What a prescan of the streams has shown (session/session_prescan.h); all zero: there was none. */
struct csg_prescan_facts {
	uint64_t stated;       /* csg_session_facts_sum() before it */
	struct csg_pack shown; /* csg_crossing_facts_pack() after it */
};

/* An index of the trace (session/trace_index.h); all zero: there is none. */
struct csg_trace_index {
	struct csg_file file;
	/* Facts where the first stream begins and the last ends, and the index itself. */
	struct csg_unpack first, last, rest;
	uint64_t streams; /* that the facts are of */
	uint64_t stated;  /* a prescan: what it began with, and what it has shown */
	struct csg_unpack prescanned;
	struct csg_kernel_samples kernels; /* what their files are compared with */
	struct csg_job_index *jobs;	   /* of each stream; NULL: not taken yet */
};

struct csg_session {
	struct csg_session_setup options;
	const struct csg_diag_sink *sink; /* guarded below */
	struct csg_diag_sink guarded;
	const struct csg_diag_sink *caller;
	pthread_mutex_t telling; /* one thread at a time reports, or shows progress */
	struct csg_pool *pool;	 /* NULL: one thread */
	struct csg_recording *rec;
	uint64_t fills; /* of streams, so far */
	struct csg_image *image;
	struct csg_registry registry;
	struct csg_checked_kernels kernels;
	struct csg_guests guests;
	struct csg_xen_domains domains;			/* Xen's list; empty: none was given */
	struct csg_guest_contradictions contradictions; /* of them, that were reported */
	struct csg_choice choice;
	bool user_chose;

	struct csg_stream **streams;
	struct csg_stream_info *infos;
	struct csg_stream_figures *figures; /* as they are summed up in losses and done_bytes */
	struct csg_switch_survey *surveys;  /* of each source */
	struct csg_stream_head *heads;
	struct csg_merge merge; /* heads that are ready, for csg_session_pull() in time order */
	bool merging;
	size_t stream_count;
	size_t current;	   /* stream after stream: the current one */
	size_t first, end; /* which streams are decoded so, of a shard (session/shard.h) */
	bool sharded;
	uint8_t *
		*chosen; /* or chunks of a span of time (session/seek.h): of each stream CSG_CHUNK_*
			     by number of its queue's chunk; NULL: all are handed out */
	struct csg_trace_index index;
	struct csg_prescan_facts prescan;
	uint64_t opened_sum; /* csg_session_facts_sum() when guests were loaded */
	bool handed_out;     /* the current span was handed out: take it first */
	size_t from;	     /* stream it came from */

	struct csg_settings *settings; /* of csg_session_open(), or NULL */
	atomic_bool cancelled;
	enum csg_pull how;
	struct csg_batch rest; /* what the filter has not looked at yet */
	struct csg_losses losses;
	uint64_t total_bytes, done_bytes;
};

#endif
