/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_time_slice_watch.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "clock/stamp.h"
#include "csguest/error.h"
#include "guest/attribution_state.h"

void csg_guest_time_slice_watch_knows(struct csg_guest_time_slice_watch *w,
				      const struct csg_attribution *attribution)
{
	w->facts = &attribution->facts;
}

bool csg_guest_time_slice_watch_tells(const struct csg_guest_time_slice_watch *w)
{
	bool tells = false;

	for (size_t i = 0; i < w->facts->count; i++)
		tells |= csg_guest_time_slices_tell(w->facts, w->facts->machines[i].vm);
	return tells;
}

void csg_guest_time_slice_watch_fini(struct csg_guest_time_slice_watch *w)
{
	for (size_t i = 0; i < w->count; i++) {
		csg_time_slices_fini(&w->vcpus[i].slices);
		csg_slice_stamps_fini(&w->vcpus[i].stamps);
	}
	free(w->vcpus);
	free(w->saved);
	w->vcpus = w->saved = NULL;
	w->count = w->capacity = w->saved_count = w->saved_capacity = 0;
}

void csg_guest_time_slice_watch_begin(struct csg_guest_time_slice_watch *w, uint64_t index,
				      uint64_t from, uint64_t until,
				      const struct csg_attribution_time_slice *slices,
				      const struct csg_time_slice_time *times, size_t n)
{
	csg_guest_time_slice_watch_fini(w);
	w->begin = w->index = w->block = index;
	w->stamp = 0;
	w->lost = w->stale = false;
	w->from = from;
	w->until = until;
	w->slices = slices;
	w->times = times;
	w->slice_count = n;
}

void csg_guest_time_slice_watch_breaks(struct csg_guest_time_slice_watch *w,
				       const struct csg_time_slice_break *breaks, size_t n,
				       bool virtual)
{
	w->breaks = breaks;
	w->virtual = virtual;
	w->break_count = n;
	w->break_at = 0;
	w->in_break = false;
}

/* --- losses --- */

/*
 * Where no IDs name the host's threads their timestamps are asked for.  The path may show a loss
 * late, and what has the same upper bits as the last timestamp before it may have them from before.
 */
static uint64_t doubted_from(const struct csg_guest_time_slice_watch *w)
{
	return w->block < w->begin ? w->block : w->begin;
}

/* Trace was lost before index, in the current time slice: nobody's, up to there. */
static int lose(struct csg_guest_time_slice_watch *w, uint64_t index)
{
	struct csg_attribution_loss loss = {w->named ? index : doubted_from(w), index};

	w->lost = true;
	w->block = index;
	for (size_t i = 0; i < w->count; i++) {
		struct csg_watched_vcpu *v = &w->vcpus[i];

		if (!v->any)
			continue;
		v->shown |= CSG_TIME_SLICE_DOUBTFUL;
		v->stamps.open = (struct csg_slice_stamp){0};
		loss.begin = v->begin < loss.begin ? v->begin : loss.begin;
	}
	return csg_path_watch_lose(&w->path, &loss);
}

/* --- time slices --- */

/*
 * The current time slice is over at index, by a switch or as the next is set apart from it.  A
 * switch happens in the interval where it was seen.
 */
static int end_slice(struct csg_watched_vcpu *v, uint64_t index, uint8_t next)
{
	int err = csg_slice_stamps_end(&v->stamps, v->any);

	if (!err && v->any)
		err = csg_time_slices_add(&v->slices, v->begin, index, v->shown);
	if (v->any && !err) {
		struct csg_time_slice_time *time = &v->slices.times[v->slices.count - 1];

		time->begun_by = v->time.begun_by;
		time->lasts_to = v->time.lasts_to;
	}
	v->shown = v->any ? next : v->shown | next;
	v->begin = index;
	v->any = false;
	v->time.begun_by = next & CSG_TIME_SLICE_APART ? UINT64_MAX : v->interval_until;
	v->time.lasts_to = 0;
	return err;
}

static int set_all_apart(struct csg_guest_time_slice_watch *w, uint64_t index)
{
	int err = 0;

	/* Of vCPUs that were not seen yet as well. */
	w->begin = index;
	for (size_t i = 0; !err && i < w->count; i++)
		err = end_slice(&w->vcpus[i], index, CSG_TIME_SLICE_APART);
	return err;
}

/* --- vCPUs --- */

static struct csg_watched_vcpu *add_vcpu(struct csg_guest_time_slice_watch *w, int32_t vm,
					 int32_t tid)
{
	if (csg_array_grow((void **)&w->vcpus, w->count, &w->capacity, sizeof(*w->vcpus)))
		return NULL;
	w->vcpus[w->count] = (struct csg_watched_vcpu){
		.vm = vm,
		.tid = tid,
		.switch_to = w->named || csg_guest_time_slices_tell(w->facts, vm)
				     ? w->switch_to(w->arg, vm)
				     : 0,
		.from = UINT64_MAX,
		.begin = w->begin,
		.shown = CSG_TIME_SLICE_APART,
		.time = {.begun_by = UINT64_MAX},
	};
	return &w->vcpus[w->count++];
}

static struct csg_watched_vcpu *find_vcpu(struct csg_guest_time_slice_watch *w,
					  const struct csg_owner *owner)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->vcpus[i].tid == owner->host_tid && w->vcpus[i].vm == owner->vm)
			return &w->vcpus[i];
	return NULL;
}

static bool is_known(const struct csg_owner *owner)
{
	return owner->world == CSG_WORLD_GUEST && owner->vm > 0 && owner->host_tid > 0 &&
	       owner->reason != CSG_REASON_CONFLICT;
}

static bool is_another(void *arg, const struct csg_on_cpu *interval)
{
	const int32_t *tid = arg;

	return interval->tid != *tid;
}

/* Whether the thread was on no other CPU between two times. */
static bool stayed_here(const struct csg_guest_time_slice_watch *w, int32_t tid, uint64_t from,
			uint64_t until)
{
	const struct csg_residency *residency = &w->facts->residency;

	for (size_t cpu = 0; cpu < residency->count; cpu++)
		if ((int32_t)cpu != w->cpu &&
		    !csg_residency_among(residency, (int32_t)cpu, from, until, is_another, &tid))
			return false;
	return true;
}

/* The vCPU is seen in a time slice of the host's: when that was. */
static int arrive(struct csg_guest_time_slice_watch *w, struct csg_watched_vcpu *v,
		  const struct csg_attribution_time_slice *slice, uint64_t index)
{
	const struct csg_time_slice_time *time = &w->times[slice - w->slices];
	uint64_t from = time->from > w->from ? time->from : w->from;
	uint64_t until = time->until < w->until ? time->until : w->until;
	int err = 0;

	if (v->interval != slice) {
		if (v->interval && !stayed_here(w, v->tid, v->interval_from, until))
			err = end_slice(v, index, CSG_TIME_SLICE_APART);
		v->interval = slice;
		v->interval_from = from;
		v->interval_until = until;
		v->from = from < v->from ? from : v->from;
		v->until = until > v->until ? until : v->until;
	}
	if (v->time.begun_by == UINT64_MAX)
		v->time.begun_by = until;
	v->time.lasts_to = from > v->time.lasts_to ? from : v->time.lasts_to;
	return err;
}

/* --- elements --- */

static bool is_lost(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP && e->gap != CSG_GAP_NO_CODE &&
	       e->gap != CSG_GAP_NO_OWNER && e->gap != CSG_GAP_BAD_CODE;
}

/* Code that was executed at EL1 and is not known hides a switch. */
static bool hides_switch(const struct csg_element *e)
{
	return e->el == CSG_EL1 &&
	       (e->kind == CSG_ELEMENT_GAP || e->kind == CSG_ELEMENT_RANGE_NOPATH);
}

/* In which time slice of the host's the vCPU is seen; false: nobody knows, nor where it was
 * before. */
static bool is_placed(struct csg_guest_time_slice_watch *w, struct csg_watched_vcpu *v,
		      uint64_t index, int *err)
{
	const struct csg_attribution_time_slice *slice =
		csg_time_slices_find(w->slices, w->slice_count, index, index);

	if (w->named)
		return true;
	if (!slice || w->times[slice - w->slices].from > w->times[slice - w->slices].until ||
	    slice->tid != v->tid)
		return false;
	*err = arrive(w, v, slice, index);
	return true;
}

static int see_guest(struct csg_guest_time_slice_watch *w, struct csg_watched_vcpu *v,
		     const struct csg_element *e, const struct csg_owner *owner, uint64_t stamp)
{
	int err = 0;

	if (!is_placed(w, v, e->index, &err) || hides_switch(e))
		return err ? err : end_slice(v, e->index, CSG_TIME_SLICE_APART);
	if (err)
		return err;
	v->any = true;
	if (stamp)
		csg_slice_stamps_see(&v->stamps, stamp, w->names);
	if (owner->privilege == CSG_USER && !(owner->evidence & CSG_EVIDENCE_POLICY_DEFAULT))
		v->shown |= CSG_TIME_SLICE_USER;
	if (e->kind == CSG_ELEMENT_RANGE && e->el == CSG_EL1 && e->start == v->switch_to)
		return end_slice(v, e->index, 0);
	return 0;
}

/* --- breaks --- */

static int save(struct csg_guest_time_slice_watch *w)
{
	int err = csg_array_reserve((void **)&w->saved, &w->saved_capacity, w->count,
				    sizeof(*w->saved));

	w->saved_count = err ? 0 : w->count;
	if (w->saved_count)
		memcpy(w->saved, w->vcpus, w->count * sizeof(*w->saved));
	return err;
}

/* Forgets what was seen since the break began. */
static void restore(struct csg_guest_time_slice_watch *w)
{
	for (size_t i = 0; i < w->count; i++) {
		struct csg_watched_vcpu *v = &w->vcpus[i], now = *v;
		bool was_there = i < w->saved_count;

		if (was_there)
			*v = w->saved[i];
		v->any &= was_there;
		now.slices.count = was_there ? v->slices.count : 0;
		now.stamps.count = was_there ? v->stamps.count : 0;
		v->slices = now.slices;
		v->stamps.slices = now.stamps.slices;
		v->stamps.capacity = now.stamps.capacity;
		v->stamps.count = now.stamps.count;
	}
}

/* Trace may be lost in it: what is in the break is nobody's, and sets time slices apart. */
static int leave_break(struct csg_guest_time_slice_watch *w, const struct csg_time_slice_break *at)
{
	int err;

	/* The time contradicts the slices up to here: the loss may be earlier than the break
	 * shows. */
	for (size_t i = 0; w->virtual && i < w->count; i++)
		w->vcpus[i].shown |= CSG_TIME_SLICE_DOUBTFUL;
	err = set_all_apart(w, at->from);
	w->begin = at->until;
	for (size_t i = 0; i < w->count; i++)
		w->vcpus[i].begin = at->until;
	return err;
}

/*
 * The timestamp after a break, in a guest.  True: the host's time slice covers it.  Then the
 * guest's was there.
 */
static bool fits_time(struct csg_guest_time_slice_watch *w, const struct csg_element *e,
		      const struct csg_owner *owner)
{
	struct csg_watched_vcpu *v = is_known(owner) ? find_vcpu(w, owner) : NULL;
	uint64_t low, high;

	if (!v || !v->interval ||
	    !csg_guest_time_slices_when(w->facts, v->vm, e->timestamp, &low, &high) ||
	    high < v->interval_from || low > v->interval_until)
		return false;
	if (high < v->time.begun_by)
		v->time.begun_by = high;
	if (low > v->time.lasts_to)
		v->time.lasts_to = low;
	return true;
}

/* Passes the breaks before the element; w->in_break: it lies in one. */
static int see_break(struct csg_guest_time_slice_watch *w, const struct csg_element *e,
		     const struct csg_owner *owner)
{
	int err = 0;

	while (!err && w->break_at < w->break_count && e->index >= w->breaks[w->break_at].from) {
		const struct csg_time_slice_break *at = &w->breaks[w->break_at];
		bool began = w->in_break;

		w->in_break = e->index < at->until;
		if (!began && w->virtual)
			err = save(w);
		if (w->in_break || err)
			return err;
		w->break_at++;
		if (w->virtual && e->kind == CSG_ELEMENT_TIMESTAMP && e->index == at->until &&
		    fits_time(w, e, owner))
			continue;
		if (w->virtual)
			restore(w);
		err = leave_break(w, at);
	}
	return err;
}

/* Another thread of the host's runs: the others may go to other CPUs meanwhile. */
static int set_others_apart(struct csg_guest_time_slice_watch *w, const struct csg_element *e,
			    const struct csg_owner *owner)
{
	int err = 0;

	for (size_t i = 0; w->named && !err && i < w->count; i++)
		if (w->vcpus[i].tid != owner->host_tid)
			err = end_slice(&w->vcpus[i], e->index, CSG_TIME_SLICE_APART);
	return err;
}

/*
 * A timestamp is right whatever was lost before it if the packet has changed its upper bits
 * (guest/time_blocks.h).  Windows, which context IDs name, have few others: there it is right
 * unless the path shows a loss before it.
 */
static void take_stamp(struct csg_guest_time_slice_watch *w, uint64_t value)
{
	const bool restated = !csg_stamps_share_block(value, w->previous);

	w->lost &= !restated;
	w->block = restated ? w->index : w->block;
	w->names = (w->named && !w->lost) || restated;
	w->stamp = w->previous = value;
}

int csg_guest_time_slice_watch_see(struct csg_guest_time_slice_watch *w,
				   const struct csg_element *e, const struct csg_owner *owner)
{
	const uint64_t stamp = w->stamp;
	struct csg_watched_vcpu *v;
	int err;

	w->index = e->index;
	err = see_break(w, e, owner);
	if (e->kind == CSG_ELEMENT_TIMESTAMP)
		take_stamp(w, e->timestamp);
	w->stale = e->kind != CSG_ELEMENT_CONTEXT && (w->stale || csg_path_contradicts(e));
	if (err || (w->in_break && !w->virtual))
		return err;
	if (e->kind != CSG_ELEMENT_RANGE && e->kind != CSG_ELEMENT_RANGE_NOPATH &&
	    e->kind != CSG_ELEMENT_GAP)
		return 0;
	w->stamp = 0;
	if (csg_path_contradicts(e))
		err = lose(w, e->index);
	if (err)
		return err;
	/* Up to a context the level is that from before the loss. */
	if (w->stale || is_lost(e)) {
		csg_path_watch_ends(&w->path, e->index);
		return set_all_apart(w, e->index);
	}
	if (e->kind == CSG_ELEMENT_RANGE)
		csg_path_watch_goes_on(&w->path);
	err = set_others_apart(w, e, owner);
	if (err)
		return err;
	if (!is_known(owner)) {
		/* Whoever's kernel it is, it may be any vCPU's; what is contradicted may be
		 * anything. */
		return e->el == CSG_EL1 || owner->reason == CSG_REASON_CONFLICT
			       ? set_all_apart(w, e->index)
			       : 0;
	}
	v = find_vcpu(w, owner);
	if (!v)
		v = add_vcpu(w, owner->vm, owner->host_tid);
	if (!v)
		return -CSG_E_NO_MEMORY;
	return v->switch_to ? see_guest(w, v, e, owner, stamp) : 0;
}

/* --- the end --- */

static int by_thread(const void *a, const void *b)
{
	const struct csg_watched_vcpu *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

static void doubt(struct csg_attribution_guest_time_slice *slice)
{
	slice->pid = slice->tid = CSG_PID_UNKNOWN;
	slice->reason = CSG_REASON_CONFLICT;
}

static int add_slices(struct csg_guest_time_slice_list *list,
		      const struct csg_guest_time_slice_watch *w, const struct csg_watched_vcpu *v,
		      enum csg_reason reason)
{
	const size_t first = list->count;
	int err;

	for (size_t i = 0; i < v->slices.count; i++) {
		const struct csg_attribution_time_slice *slice = &v->slices.slices[i];

		if (csg_array_grow((void **)&list->slices, list->count, &list->capacity,
				   sizeof(*list->slices)))
			return -CSG_E_NO_MEMORY;
		list->slices[list->count++] = (struct csg_attribution_guest_time_slice){
			.begin = slice->begin,
			.end = slice->end,
			.host_tid = v->tid,
			.pid = slice->pid,
			.tid = slice->tid,
			.reason = (uint8_t)csg_guest_time_slice_reason(&v->slices, i, reason),
			.switches = i + 1 < v->slices.count &&
				    !(v->slices.shown[i + 1] & CSG_TIME_SLICE_APART),
		};
	}
	err = csg_slice_stamps_name(&v->stamps, w->facts, v->vm, list->slices + first,
				    list->count - first);
	for (size_t i = 0; i < v->slices.count; i++)
		if (v->slices.shown[i] & CSG_TIME_SLICE_DOUBTFUL)
			doubt(&list->slices[first + i]);
	return err;
}

int csg_guest_time_slice_watch_end(struct csg_guest_time_slice_watch *w,
				   struct csg_guest_time_slice_list *list)
{
	int err = set_all_apart(w, UINT64_MAX);

	csg_path_watch_ends(&w->path, w->index);
	if (w->count)
		qsort(w->vcpus, w->count, sizeof(*w->vcpus), by_thread);
	for (size_t i = 0; !err && i < w->count; i++) {
		struct csg_watched_vcpu *v = &w->vcpus[i];
		enum csg_reason reason;

		err = csg_guest_time_slices_match(&v->slices, w->facts, v->vm, v->tid, v->from,
						  v->until, &reason);
		if (!err)
			err = add_slices(list, w, v, reason);
	}
	csg_guest_time_slice_watch_fini(w);
	return err;
}
