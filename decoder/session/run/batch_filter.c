/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/batch_filter.h"

/* An empty list lets everything through. */
static bool is_in(const int32_t *list, size_t n, int32_t value)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == value)
			return true;
	return !n;
}

bool csg_filter_has_source(const struct csg_filter *filter, const struct csg_source *source)
{
	return is_in(filter->cpus, filter->cpu_count, source->cpu) &&
	       (!filter->has_trace_id || filter->trace_id == source->trace_id);
}

bool csg_filter_is_partial(const struct csg_filter *filter)
{
	return filter->begin_time || filter->end_time || filter->worlds || filter->vm_count ||
	       filter->vcpu_count || filter->pid_count || filter->tid_count;
}

bool csg_filter_has_time(const struct csg_filter *filter, uint64_t time)
{
	const bool bound = filter->begin_time || filter->end_time;

	return !bound || (time && time >= filter->begin_time &&
			  (!filter->end_time || time <= filter->end_time));
}

static bool has_owner(const struct csg_filter *filter, const struct csg_owner *owner)
{
	return (!filter->worlds || filter->worlds & 1u << owner->world) &&
	       is_in(filter->vms, filter->vm_count, owner->vm) &&
	       is_in(filter->vcpus, filter->vcpu_count, owner->vcpu) &&
	       is_in(filter->pids, filter->pid_count, owner->pid) &&
	       is_in(filter->tids, filter->tid_count, owner->tid);
}

static void skip(struct csg_batch *batch, size_t n)
{
	batch->elements += n;
	batch->n -= n;
}

/* How many elements from the first on have its owner. */
static size_t of_one_owner(const struct csg_batch *batch)
{
	size_t n = 1;

	while (n < batch->n && batch->elements[n].owner == batch->elements[0].owner)
		n++;
	return n;
}

bool csg_filter_next(const struct csg_filter *filter,
		     const struct csg_owner *(*owner)(const void *arg, uint32_t number),
		     const void *arg, struct csg_batch *rest, struct csg_batch *run)
{
	if (!csg_filter_has_time(filter, rest->time))
		skip(rest, rest->n);
	while (rest->n) {
		const uint32_t number = rest->elements[0].owner;
		const size_t n = of_one_owner(rest);

		if (has_owner(filter, owner(arg, number))) {
			*run = *rest;
			run->n = n;
			skip(rest, n);
			return true;
		}
		skip(rest, n);
	}
	return false;
}
