/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/call_log.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"

#define NONE UINT64_MAX

int csg_call_log_init(struct csg_call_log *log, size_t streams, bool timeless)
{
	memset(log, 0, sizeof(*log));
	log->timeless = timeless;
	log->stream_n = streams;
	log->streams = calloc(streams + 1, sizeof(*log->streams));
	if (!log->streams)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < streams; i++)
		log->streams[i].waiting = NONE;
	return 0;
}

void csg_call_log_fini(struct csg_call_log *log)
{
	free(log->streams);
	free(log->entries);
	memset(log, 0, sizeof(*log));
}

static struct csg_call_log_entry *entry(const struct csg_call_log *log, uint64_t number)
{
	return &log->entries[csg_ring_at(&log->queue, number - log->first)];
}

static void date(struct csg_call_log_stream *s, struct csg_call_log_entry *e, uint64_t time)
{
	if (time < s->latest)
		time = s->latest;
	s->latest = time;
	e->event.time = time;
	e->dated = true;
}

/* Dates what waits, as though time went on with the instructions. */
static void give_up(struct csg_call_log *log, struct csg_call_log_stream *s)
{
	for (uint64_t i = s->waiting; i != NONE; i = entry(log, i)->next) {
		struct csg_call_log_entry *e = entry(log, i);

		date(s, e, s->time + (e->ran - s->time_ran));
	}
	s->waiting = NONE;
}

int csg_call_log_add(struct csg_call_log *log, const struct csg_call_event *event)
{
	struct csg_call_log_stream *s = &log->streams[event->stream];
	uint64_t number = log->first + log->queue.count;
	struct csg_call_log_entry *e;
	int err;

	if (log->queue.count == CSG_CALL_LOG_MAX)
		give_up(log, &log->streams[entry(log, log->first)->event.stream]);
	err = csg_ring_grow(&log->queue, (void **)&log->entries, sizeof(*log->entries));
	if (err)
		return err;
	e = &log->entries[csg_ring_push(&log->queue)];
	*e = (struct csg_call_log_entry){.event = *event, .ran = s->ran, .next = NONE};
	if (log->timeless) {
		date(s, e, s->ran);
		return 0;
	}
	if (s->waiting == NONE)
		s->waiting = number;
	else
		entry(log, s->last)->next = number;
	s->last = number;
	return 0;
}

void csg_call_log_stamp(struct csg_call_log *log, uint32_t stream, uint64_t time)
{
	struct csg_call_log_stream *s = &log->streams[stream];
	uint64_t all = s->ran - s->time_ran;

	if (log->timeless || time < s->time)
		return;
	for (uint64_t i = s->waiting; i != NONE; i = entry(log, i)->next) {
		struct csg_call_log_entry *e = entry(log, i);
		/* Before the first timestamp instructions tell how long before it. */
		uint64_t distance = s->ran - e->ran;

		if (!s->time)
			date(s, e, time > distance ? time - distance : 0);
		else
			date(s, e,
			     time - (uint64_t)((double)(time - s->time) * (double)distance /
					       (double)(all ? all : 1)));
	}
	s->waiting = NONE;
	s->time = time;
	s->time_ran = s->ran;
}

void csg_call_log_cut(struct csg_call_log *log, uint32_t stream)
{
	struct csg_call_log_stream *s = &log->streams[stream];

	if (log->timeless || !s->time)
		return;
	give_up(log, s);
	s->time = 0;
}

void csg_call_log_end(struct csg_call_log *log)
{
	for (size_t i = 0; i < log->stream_n; i++)
		give_up(log, &log->streams[i]);
}

bool csg_call_log_next(struct csg_call_log *log, struct csg_call_event *event)
{
	if (!log->queue.count || !entry(log, log->first)->dated)
		return false;
	*event = entry(log, log->first)->event;
	log->first++;
	csg_ring_pop(&log->queue);
	return true;
}
