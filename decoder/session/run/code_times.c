/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/code_times.h"

#include "csguest/error.h"
#include "csguest/recording.h"
#include "image/space.h"
#include "session/run/job.h"

#define STAMP_SLACK 1000 /* ns, that a timestamp may be early: counters tick slowly */

uint64_t csg_code_end(const struct csg_chunk *chunk)
{
	return chunk->time ? chunk->time : UINT64_MAX;
}

uint64_t csg_code_first_stamp(const struct csg_job *job)
{
	size_t i = 0;

	while (i < job->times.n && job->times.at[i].time <= job->chunk->begin_time)
		i++;
	if (i == job->times.n || job->times.at[i].latest + STAMP_SLACK >= csg_code_end(job->chunk))
		return 0;
	return job->times.at[i].latest ? job->times.at[i].latest + STAMP_SLACK : 0;
}

/* Whether the time is a timestamp's of this chunk. */
static bool is_stamped(const struct csg_code_clock *c)
{
	return c->times.from > c->chunk->begin_time && c->times.from < csg_code_end(c->chunk);
}

/* Before when code ran that no timestamp of this chunk dates. */
static uint64_t latest(const struct csg_code_clock *c)
{
	return c->first_stamp && c->first_stamp < c->times.to ? c->first_stamp : c->times.to;
}

uint64_t csg_code_lookup_time(const struct csg_code_clock *c)
{
	return is_stamped(c) ? c->times.from : latest(c);
}

bool csg_code_is_dated(const struct csg_code_clock *c, const struct csg_space *space)
{
	return is_stamped(c) && !csg_space_slack(space);
}

struct csg_code_times csg_code_times_in(const struct csg_code_clock *c,
					const struct csg_space *space)
{
	const struct csg_chunk *chunk = c->chunk;
	const uint64_t slack = csg_space_slack(space);
	const uint64_t end = is_stamped(c) ? csg_code_end(chunk) : latest(c);

	if (csg_code_is_dated(c, space))
		return c->times;
	return (struct csg_code_times){
		.from = chunk->begin_time > slack ? chunk->begin_time - slack : 1,
		.to = end < UINT64_MAX - slack ? end + slack : UINT64_MAX,
	};
}

#define COMPARED_MAX 4096 /* bytes; whoever reads wants no more at once */

/* How many of the n bytes at a are those at b. */
static size_t same_bytes(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t same = 0;

	if (a == b)
		return n;
	for (n = n < COMPARED_MAX ? n : COMPARED_MAX; same < n && a[same] == b[same];)
		same++;
	return same & ~(size_t)3;
}

int csg_code_steady(struct csg_space *space, uint64_t address, const struct csg_code_times *times,
		    const uint8_t *bytes, size_t *len)
{
	uint64_t time = times->from, until;
	const uint8_t *other;
	size_t n;

	while (time < times->to) {
		until = UINT64_MAX;
		if (!csg_space_peek(space, address, time, &other, &n, &until))
			*len = same_bytes(other, bytes, n < *len ? n : *len);
		else if (csg_space_is_lossy(space))
			*len = 0;
		if (!*len || until <= time)
			break;
		time = until;
	}
	return *len ? 0 : -CSG_E_NO_IMAGE;
}
