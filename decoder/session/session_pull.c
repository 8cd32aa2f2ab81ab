/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_pull.h"

#include <pthread.h>
#include <stdatomic.h>

#include "csguest/error.h"
#include "session/run/batch_filter.h"
#include "session/run/merge.h"
#include "session/run/stream.h"
#include "session/session.h"
#include "session/session_guests.h"
#include "session/session_policy.h"
#include "session/session_state.h"

#define TRIM_FILLS 256 /* of streams, between which pages of the temporary file may stay */

static void count_losses(struct csg_session *session, const struct csg_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		if (batch->elements[i].kind == CSG_ELEMENT_GAP)
			session->losses.gaps[batch->elements[i].gap]++;
}

/* Of stream i, which was filled: the others' are as they were, and there may be thousands of
 * them. */
static void update_figures(struct csg_session *session, size_t i)
{
	struct csg_stream_figures *last = &session->figures[i], figures;
	uint64_t done;

	csg_stream_figures(session->streams[i], &figures);
	session->infos[i].trace_bytes = figures.trace_bytes;
	session->infos[i].declined = figures.declined;
	session->losses.bytes_lost += figures.bytes_lost - last->bytes_lost;
	session->losses.nobody_accesses += figures.nobody_accesses - last->nobody_accesses;
	done = session->done_bytes + figures.read_bytes - last->read_bytes;
	*last = figures;
	if (done != session->done_bytes && session->options.progress) {
		pthread_mutex_lock(&session->telling);
		session->options.progress(session->options.progress_arg, done,
					  session->total_bytes);
		pthread_mutex_unlock(&session->telling);
	}
	session->done_bytes = done;
}

/* What was read of sideband in the temporary file does not stay resident. */
static void trim_memory(struct csg_session *session)
{
	if (++session->fills % TRIM_FILLS == 0)
		csg_disk_memory_trim(csg_recording_memory(session->rec));
}

/* The next batch of stream i: 1, 0 at its end, or an error. */
static int head(struct csg_session *session, size_t i, struct csg_batch *batch)
{
	int ret;

	if (atomic_load_explicit(&session->cancelled, memory_order_relaxed))
		return -CSG_E_CANCELLED;
	if (csg_stream_peek(session->streams[i], batch))
		return 1;
	ret = csg_stream_fill(session->streams[i]);
	update_figures(session, i);
	trim_memory(session);
	if (ret >= 0 && csg_image_error(session->image))
		ret = -CSG_E_NO_MEMORY;
	if (!ret)
		return csg_session_report_guest_contradictions(session);
	if (ret < 0)
		return ret;
	csg_session_reconsider_policy(session, i);
	return csg_stream_peek(session->streams[i], batch) ? 1 : -CSG_E_INTERNAL;
}

static int next_in_order(struct csg_session *session, struct csg_batch *batch)
{
	for (; session->current < session->end; session->current++) {
		int ret = head(session, session->current, batch);

		if (ret) {
			session->from = session->current;
			return ret;
		}
	}
	return 0;
}

static uint64_t order_of(const struct csg_session *session, size_t i)
{
	uint64_t since = csg_stream_since(session->streams[i]);

	return since ? since : session->heads[i].batch.chunk->begin_time;
}

/* Heads are kept, so that only the stream that was taken from is looked at again. */
static int refresh_head(struct csg_session *session, size_t i)
{
	struct csg_stream_head *h = &session->heads[i];
	int ret = head(session, i, &h->batch);

	if (ret < 0)
		return ret;
	h->state = ret ? CSG_HEAD_READY : CSG_HEAD_NONE;
	if (ret)
		csg_merge_add(&session->merge, i, order_of(session, i));
	return 0;
}

static int refresh_heads(struct csg_session *session)
{
	int err = 0;

	if (session->merging)
		return session->heads[session->from].state == CSG_HEAD_STALE
			       ? refresh_head(session, session->from)
			       : 0;
	for (size_t i = 0; !err && i < session->stream_count; i++)
		err = refresh_head(session, i);
	session->merging = !err;
	return err;
}

static int next_in_time(struct csg_session *session, struct csg_batch *batch)
{
	int err = refresh_heads(session);

	if (err)
		return err;
	if (!csg_merge_take(&session->merge, &session->from))
		return 0;
	*batch = session->heads[session->from].batch;
	return 1;
}

static void hand_out(struct csg_session *session, size_t stream, struct csg_batch *batch)
{
	batch->stream = (uint32_t)stream;
	count_losses(session, batch);
}

/* The next batch, whatever the filter says of it. */
static int pull(struct csg_session *session, bool in_time_order, struct csg_batch *batch)
{
	int ret;

	if (session->handed_out) {
		csg_stream_take(session->streams[session->from]);
		session->heads[session->from].state = CSG_HEAD_STALE;
	}
	session->handed_out = false;
	ret = in_time_order ? next_in_time(session, batch) : next_in_order(session, batch);
	if (ret <= 0)
		return ret;
	session->handed_out = true;
	hand_out(session, session->from, batch);
	return 1;
}

static int pull_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch)
{
	struct csg_stream_head *h = &session->heads[stream];
	int ret;

	if (h->state == CSG_HEAD_READY)
		csg_stream_take(session->streams[stream]);
	h->state = CSG_HEAD_STALE;
	ret = head(session, stream, batch);
	if (ret <= 0)
		return ret;
	h->state = CSG_HEAD_READY;
	hand_out(session, stream, batch);
	return 1;
}

static const struct csg_owner *owner_of(const void *session, uint32_t owner)
{
	return csg_session_owner(session, owner);
}

/* A filter of streams alone has chosen them when the session was opened. */
static bool filters(const struct csg_session *session)
{
	const struct csg_filter *filter = session->options.filter;

	return filter && csg_filter_is_partial(filter);
}

/* What the filter lets through of the batch that was pulled last. */
static bool pass(struct csg_session *session, struct csg_batch *rest, struct csg_batch *batch)
{
	return csg_filter_next(session->options.filter, owner_of, session, rest, batch);
}

int csg_session_pull(struct csg_session *session, bool in_time_order, struct csg_batch *batch)
{
	int ret;

	if (!filters(session))
		return pull(session, in_time_order, batch);
	while (!pass(session, &session->rest, batch)) {
		ret = pull(session, in_time_order, &session->rest);
		if (ret <= 0)
			return ret;
	}
	return 1;
}

int csg_session_pull_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch)
{
	struct csg_batch *rest = &session->heads[stream].rest;
	int ret;

	if (!filters(session))
		return pull_of(session, stream, batch);
	while (!pass(session, rest, batch)) {
		ret = pull_of(session, stream, rest);
		if (ret <= 0)
			return ret;
	}
	return 1;
}

/* Figures are kept as if it was decoded. */
int csg_session_scan(struct csg_session *session, size_t stream)
{
	int ret;

	if (atomic_load_explicit(&session->cancelled, memory_order_relaxed))
		return -CSG_E_CANCELLED;
	ret = csg_stream_scan(session->streams[stream]);
	update_figures(session, stream);
	if (ret > 0)
		csg_session_reconsider_policy(session, stream);
	return ret;
}

bool csg_session_settle_on(struct csg_session *session, enum csg_pull how)
{
	if (session->how == CSG_PULL_ANY)
		session->how = how;
	return session->how == how;
}

bool csg_session_settle_stopped(struct csg_session *session)
{
	return session->how == CSG_PULL_ANY && csg_session_settle_on(session, CSG_PULL_STOPPED);
}

bool csg_session_is_whole(const struct csg_session *session)
{
	const struct csg_session_setup *o = &session->options;

	return !o->counts && !o->no_code && !filters(session);
}
