/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/job.h"

#include <stdlib.h>
#include <string.h>

#include "image/space.h"
#include "util/array.h"
#include "util/bisect.h"
#include "csguest/error.h"

/* Appends *item to a list. */
#define ADD(list, item)                                                                            \
	(csg_array_grow((void **)&(list)->at, (list)->n, &(list)->capacity, sizeof(*(list)->at))   \
		 ? -CSG_E_NO_MEMORY                                                                \
		 : ((list)->at[(list)->n++] = *(item), 0))

void csg_job_clear(struct csg_job *job)
{
	struct csg_job empty = {0};

	empty.bytes.at = job->bytes.at;
	empty.bytes.capacity = job->bytes.capacity;
	empty.steps.at = job->steps.at;
	empty.steps.capacity = job->steps.capacity;
	empty.segments.at = job->segments.at;
	empty.segments.capacity = job->segments.capacity;
	empty.times.at = job->times.at;
	empty.times.capacity = job->times.capacity;
	empty.asyncs.at = job->asyncs.at;
	empty.asyncs.capacity = job->asyncs.capacity;
	empty.dates.at = job->dates.at;
	empty.dates.capacity = job->dates.capacity;
	empty.guess.bytes.at = job->guess.bytes.at;
	empty.guess.bytes.capacity = job->guess.bytes.capacity;
	empty.guess.steps.at = job->guess.steps.at;
	empty.guess.steps.capacity = job->guess.steps.capacity;
	empty.guess.segments.at = job->guess.segments.at;
	empty.guess.segments.capacity = job->guess.segments.capacity;
	empty.entries.at = job->entries.at;
	empty.entries.capacity = job->entries.capacity;
	empty.misses.at = job->misses.at;
	empty.misses.capacity = job->misses.capacity;
	*job = empty;
}

void csg_job_fini(struct csg_job *job)
{
	free(job->bytes.at);
	free(job->steps.at);
	free(job->segments.at);
	free(job->times.at);
	free(job->asyncs.at);
	free(job->dates.at);
	free(job->guess.bytes.at);
	free(job->guess.steps.at);
	free(job->guess.segments.at);
	free(job->entries.at);
	free(job->misses.at);
	memset(job, 0, sizeof(*job));
}

void csg_job_forget_walk(struct csg_job *job)
{
	job->entries.n = job->misses.n = 0;
	job->eret = 0;
}

static int make_room(struct csg_job *job, size_t n)
{
	return csg_array_reserve((void **)&job->bytes.at, &job->bytes.capacity, job->bytes.n + n,
				 1);
}

/* Bytes that go on where the last run ends belong to it. */
static bool lengthen(struct csg_job *job, const struct csg_run *next)
{
	struct csg_job_step *last = job->steps.n ? &job->steps.at[job->steps.n - 1] : NULL;
	struct csg_run run;

	if (!last || last->kind != CSG_JOB_RUN)
		return false;
	run = csg_job_run(last, job->bytes.at);
	if (!csg_run_goes_on(&run, next))
		return false;
	last->n += (uint32_t)next->n;
	return true;
}

int csg_job_add_run(struct csg_job *job, const struct csg_run *run)
{
	const struct csg_job_step step = {.kind = CSG_JOB_RUN,
					  .index = run->index,
					  .at = (uint32_t)job->bytes.n,
					  .n = (uint32_t)run->n,
					  .frame = run->frame};
	int err = make_room(job, run->n);

	if (!err && !lengthen(job, run))
		err = csg_job_add_step(job, &step);
	if (err)
		return err;
	memcpy(job->bytes.at + job->bytes.n, run->bytes, run->n);
	job->bytes.n += run->n;
	return 0;
}

int csg_job_add_step(struct csg_job *job, const struct csg_job_step *step)
{
	return ADD(&job->steps, step);
}

int csg_job_add_segment(struct csg_job *job, const struct csg_job_segment *segment)
{
	return ADD(&job->segments, segment);
}

int csg_job_add_time(struct csg_job *job, const struct csg_job_time *time)
{
	return ADD(&job->times, time);
}

int csg_job_add_async(struct csg_job *job, uint64_t index)
{
	return ADD(&job->asyncs, &index);
}

int csg_job_add_date(struct csg_job *job, const struct csg_job_date *date)
{
	return ADD(&job->dates, date);
}

/* Kernel and guests are entered by few ERETs, again and again. */
int csg_job_add_entry(struct csg_job *job, const struct csg_job_entry *entry)
{
	for (size_t i = job->entries.n; i--;) {
		struct csg_job_entry *known = &job->entries.at[i];

		if (known->eret != entry->eret || known->el != entry->el ||
		    known->owner != entry->owner)
			continue;
		known->n += entry->n;
		return 0;
	}
	return ADD(&job->entries, entry);
}

int csg_job_add_miss(struct csg_job *job, const struct csg_job_miss *miss)
{
	return ADD(&job->misses, miss);
}

/* How many timestamps there are up to index. */
static size_t times_until(const struct csg_job *job, uint64_t index)
{
	size_t low = 0, high = job->times.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (job->times.at[middle].index <= index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct csg_job_time *csg_job_time_at(const struct csg_job *job, uint64_t index)
{
	size_t n = times_until(job, index);

	return n ? &job->times.at[n - 1] : NULL;
}

const struct csg_job_time *csg_job_time_after(const struct csg_job *job, uint64_t index)
{
	size_t n = times_until(job, index);

	return n < job->times.n ? &job->times.at[n] : NULL;
}

uint64_t csg_job_ran_by(const struct csg_job *job, uint64_t index)
{
	const struct csg_job_time *next = csg_job_time_after(job, index);

	if (next && next->latest)
		return next->latest;
	return job->chunk->time ? job->chunk->time : UINT64_MAX;
}

uint64_t csg_job_date_of(const struct csg_job *job, uint64_t index)
{
	const struct csg_job_date *dates = job->dates.at;
	size_t i;

	CSG_BISECT(i, job->dates.n, dates[i].index < index);
	return i < job->dates.n && dates[i].index == index ? dates[i].time : 0;
}

uint64_t csg_job_async_at(const struct csg_job *job, uint64_t index)
{
	for (size_t i = 0; i < job->asyncs.n; i++)
		if (job->asyncs.at[i] >= index)
			return job->asyncs.at[i];
	return UINT64_MAX;
}

void csg_job_tell_misses(const struct csg_job *job)
{
	const uint8_t *bytes;
	size_t len;

	for (size_t i = 0; i < job->misses.n; i++)
		csg_space_code(job->misses.at[i].space, job->misses.at[i].address,
			       job->misses.at[i].time, &bytes, &len, NULL);
}

/* The part of a run that lies at index or after it. */
static int overlap_run(struct csg_job *job, const struct csg_run *run, uint64_t index)
{
	size_t skip = run->index < index ? csg_run_before(run, index) : 0;
	struct csg_run part = csg_run_part(run, skip, run->n - skip);
	struct csg_job_step step = {.kind = CSG_JOB_RUN,
				    .index = part.index,
				    .at = (uint32_t)job->guess.bytes.n,
				    .n = (uint32_t)part.n,
				    .frame = part.frame};

	for (size_t i = 0; i < part.n; i++)
		if (ADD(&job->guess.bytes, &part.bytes[i]))
			return -CSG_E_NO_MEMORY;
	return ADD(&job->guess.steps, &step);
}

int csg_job_overlap(struct csg_job *job, const struct csg_job *before, uint64_t index)
{
	const struct csg_job_time *time = csg_job_time_at(before, index);
	int err = 0;

	job->guess.index = index;
	job->guess.time = time ? *time : (struct csg_job_time){0};
	for (size_t i = 0; !err && i < before->steps.n; i++) {
		const struct csg_job_step *step = &before->steps.at[i];

		const struct csg_run run = csg_job_run(step, before->bytes.at);

		if (step->kind == CSG_JOB_RUN && csg_run_index(&run, run.n) > index)
			err = overlap_run(job, &run, index);
	}
	for (size_t i = 0; !err && i < before->segments.n; i++)
		if (before->segments.at[i].index >= index)
			err = ADD(&job->guess.segments, &before->segments.at[i]);
	job->guess.possible = !err;
	return err;
}
