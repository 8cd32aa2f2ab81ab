/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/chrome_write.h"

#include <inttypes.h>

#include "csguest/error.h"
#include "text/escape.h"
#include "util/array.h"

static void begin_event(struct csg_chrome_writer *c)
{
	csg_out_str(c->out, c->events++ ? ",\n{" : "\n{");
}

/* A time in microseconds. */
static void micros(struct csg_out *out, uint64_t ns)
{
	csg_out_printf(out, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}

void csg_chrome_write_name(struct csg_chrome_writer *c, const char *what,
			   const struct csg_chrome_track *track, const char *name)
{
	begin_event(c);
	csg_out_printf(c->out, "\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRId64 ",", what,
		       track->pid);
	if (track->tid >= 0)
		csg_out_printf(c->out, "\"tid\":%" PRId64 ",", track->tid);
	csg_out_str(c->out, "\"args\":{\"name\":");
	csg_out_json(c->out, name);
	csg_out_str(c->out, "}}");
}

void csg_chrome_name_track(struct csg_chrome_writer *c, const struct csg_chrome_track *track,
			   const char *process, const char *thread)
{
	const struct csg_chrome_track whole = {track->pid, -1};
	size_t before = c->tracks.count;

	if (csg_keyset_add(&c->tracks, &whole) < 0)
		c->error = -CSG_E_NO_MEMORY;
	else if (c->tracks.count > before)
		csg_chrome_write_name(c, "process_name", &whole, process);
	before = c->tracks.count;
	if (csg_keyset_add(&c->tracks, track) < 0)
		c->error = -CSG_E_NO_MEMORY;
	else if (c->tracks.count > before)
		csg_chrome_write_name(c, "thread_name", track, thread);
}

int64_t csg_chrome_track_number(struct csg_chrome_writer *c, const struct csg_chrome_track *track)
{
	int64_t number = csg_keyset_add(&c->tracks, track);

	if (number >= 0 &&
	    csg_array_reach((void **)&c->latest, &c->latest_n, (size_t)number, sizeof(*c->latest)))
		number = -CSG_E_NO_MEMORY;
	if (number < 0)
		c->error = (int)number;
	return number;
}

/* Slices of a track follow each other: where their times say otherwise, as of a vCPU that moved
 * between CPUs, the later one begins where the earlier one ends. */
static void keep_apart(struct csg_chrome_writer *c, const struct csg_chrome_track *track,
		       uint64_t *begin, uint64_t *end)
{
	const int64_t number = csg_chrome_track_number(c, track);

	if (number < 0)
		return;
	if (*begin < c->latest[number])
		*begin = c->latest[number];
	if (*end < *begin)
		*end = *begin;
	c->latest[number] = *end;
}

void csg_chrome_write_event(struct csg_chrome_writer *c, char phase,
			    const struct csg_chrome_track *track, uint64_t time)
{
	begin_event(c);
	csg_out_printf(c->out,
		       "\"ph\":\"%c\",\"pid\":%" PRId64 ",\"tid\":%" PRId64 ",\"ts\":", phase,
		       track->pid, track->tid);
	micros(c->out, time);
}

/* Speedscope takes an end for that of a beginning with the same name and args. */
static void write_half(struct csg_chrome_writer *c, char phase, uint64_t time,
		       const struct csg_chrome_slice_text *text)
{
	csg_chrome_write_event(c, phase, text->track, time);
	csg_out_str(c->out, ",\"name\":");
	csg_out_json(c->out, text->name);
	csg_out_printf(c->out, ",\"cat\":\"%s\",\"args\":{", text->category);
	if (text->args)
		text->args(c->out, text->arg);
	csg_out_str(c->out, "}}");
}

void csg_chrome_write_slice(struct csg_chrome_writer *c, const struct csg_chrome_slice_text *text,
			    uint64_t begin, uint64_t end)
{
	keep_apart(c, text->track, &begin, &end);
	write_half(c, 'B', begin, text);
	write_half(c, 'E', end, text);
}
