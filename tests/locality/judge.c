/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csguest/contradiction.h"
#include "locality/locality.h"
#include "lookup/arrays.h"
#include "session/session.h"
#include "session/session_guests.h"

#define SWITCH 64 /* kernel instructions around a switch, as in score/score.h */

static bool differs(int32_t truth, int32_t seen)
{
	return truth != -1 && seen != -1 && truth != seen;
}

static bool same_thread(const struct csg_owner *truth, const struct csg_owner *seen)
{
	return truth->privilege == seen->privilege && truth->world == seen->world &&
	       !differs(truth->vm, seen->vm) && truth->tid == seen->tid &&
	       !differs(truth->pid, seen->pid);
}

/* A kernel's thread across a switch nearby. */
static bool is_switching(const struct run *r, const struct stream *s, size_t at,
			 const struct csg_owner *seen)
{
	uint64_t n = 0;

	if (seen->privilege != CSG_KERNEL)
		return false;
	for (size_t i = at; i < s->n && n <= SWITCH; n += s->entries[i++].n)
		if (same_thread(csg_truth_owner(r->truth, s->entries[i].truth), seen))
			return true;
	n = 0;
	for (size_t i = at; i-- > 0 && n <= SWITCH; n += s->entries[i].n)
		if (same_thread(csg_truth_owner(r->truth, s->entries[i].truth), seen))
			return true;
	return false;
}

static bool is_wrong(const struct run *r, const struct stream *s, size_t at,
		     const struct csg_owner *seen)
{
	const struct csg_owner *truth = csg_truth_owner(r->truth, s->entries[at].truth);
	const bool guest = truth->world == CSG_WORLD_GUEST;

	if (seen->el != CSG_EL_UNKNOWN && seen->el != truth->el)
		return true;
	if (seen->world != CSG_WORLD_UNKNOWN &&
	    (seen->world != truth->world ||
	     (seen->privilege != CSG_PRIVILEGE_UNKNOWN && seen->privilege != truth->privilege)))
		return true;
	if (differs(truth->vm, seen->vm))
		return true;
	if (guest && (differs(truth->vcpu, seen->vcpu) ||
		      (seen->world == CSG_WORLD_GUEST && differs(truth->host_tid, seen->host_tid))))
		return true;
	return (differs(truth->pid, seen->pid) || differs(truth->tid, seen->tid)) &&
	       !is_switching(r, s, at, seen);
}

static bool same_owner(const struct csg_owner *a, const struct csg_owner *b)
{
	return a->world == b->world && a->privilege == b->privilege && a->el == b->el &&
	       a->vm == b->vm && a->vcpu == b->vcpu && a->pid == b->pid && a->tid == b->tid &&
	       a->host_tid == b->host_tid;
}

static bool is_less(const struct csg_owner *was, const struct csg_owner *is)
{
	return (is->world == CSG_WORLD_UNKNOWN && was->world != CSG_WORLD_UNKNOWN) ||
	       (is->vm == -1 && was->vm != -1) || (is->pid == -1 && was->pid != -1) ||
	       (is->tid == -1 && was->tid != -1);
}

static void note(struct run *r, const struct seen *seen)
{
	struct seen *last = r->seen_n ? &r->seen[r->seen_n - 1] : NULL;

	if (last && last->stream == seen->stream && last->index == seen->index &&
	    last->inside == seen->inside && last->wrong == seen->wrong &&
	    last->time == seen->time && last->until == seen->until && last->vm == seen->vm) {
		last->n += seen->n;
		return;
	}
	r->seen = locality_grow(r->seen, r->seen_n, sizeof(*r->seen));
	r->seen[r->seen_n++] = *seen;
}

static void show(struct run *r, const struct stream *s, const struct entry *entry,
		 const struct csg_element *e, uint64_t index, const struct csg_owner *seen)
{
	const struct csg_owner *t = entry ? csg_truth_owner(r->truth, entry->truth) : NULL;

	if (r->shown++ >= r->show)
		return;
	fprintf(stderr, "CPU %d index %" PRIu64 " (was %" PRIu64 ") at 0x%" PRIx64 ": ", s->cpu,
		e->index, index, e->start);
	if (t)
		fprintf(stderr, "%s el %u vm %d pid %d tid %d host tid %d, ",
			csg_world_name(t->world), t->el, t->vm, t->pid, t->tid, t->host_tid);
	else
		fprintf(stderr, "nothing, ");
	fprintf(stderr,
		"not %s el %u vm %d vcpu %d pid %d tid %d host tid %d evidence 0x%x reason %s\n",
		csg_world_name(seen->world), seen->el, seen->vm, seen->vcpu, seen->pid, seen->tid,
		seen->host_tid, seen->evidence, csg_reason_text((enum csg_reason)seen->reason));
}

/* Where a stream of the intact decode is compared. */
struct cursor {
	size_t at;
	uint64_t used;
};

static void seek(const struct stream *s, struct cursor *c, uint64_t index)
{
	size_t low = 0, high = s->n;

	if (c->at < s->n && s->entries[c->at].index == index)
		return;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->entries[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	*c = (struct cursor){low, 0};
}

/* When it ran: as csguest has it, or, where that does not know, as the truth has what is at a
 * place. */
static void when(const struct stream *s, const struct cursor *c, uint64_t time, struct seen *seen)
{
	const struct entry *entry = &s->entries[c->at < s->n ? c->at : s->n - 1];

	seen->time = seen->until = time;
	if (time || !s->n)
		return;
	seen->time = entry->from + c->used;
	seen->until = entry->until + c->used;
}

static void judge(struct run *r, uint32_t number, const struct stream *s, struct cursor *c,
		  const struct place *place, const struct csg_element *e, uint64_t time)
{
	const struct csg_owner *owner = csg_session_owner(r->d->session, e->owner);
	uint64_t index = locality_index(place, s->queue, e->index), at = e->start,
		 left = e->instructions;
	struct seen seen = {.stream = number,
			    .inside = locality_is_inside(place, s->queue, index),
			    .vm = owner->vm,
			    .index = e->index};

	seek(s, c, index);
	while (left) {
		const struct entry *entry = &s->entries[c->at];

		when(s, c, time, &seen);
		if (c->at == s->n || entry->index != index || entry->address + 4 * c->used != at) {
			/* What the intact recording has there was not decoded. */
			seen.wrong = c->at == s->n || !s->entries[c->at].after_gap;
			seen.n = left;
			note(r, &seen);
			if (!seen.inside && seen.wrong)
				show(r, s, NULL, e, index, owner);
			return;
		}
		seen.n = entry->n - c->used < left ? entry->n - c->used : left;
		seen.wrong =
			!same_owner(owner, &r->owners[entry->seen]) && is_wrong(r, s, c->at, owner);
		if (!seen.inside) {
			r->matched += seen.n;
			r->unknown += is_less(&r->owners[entry->seen], owner) ? seen.n : 0;
			if (seen.wrong)
				show(r, s, entry, e, index, owner);
		}
		note(r, &seen);
		c->used += seen.n;
		at += 4 * seen.n;
		left -= seen.n;
		if (c->used == entry->n)
			*c = (struct cursor){c->at + 1, 0};
	}
}

/* Whether csguest reports that sources contradict each other there. */
static bool is_reported(const struct run *r, const struct seen *seen)
{
	struct csg_session *session = r->d->session;
	size_t n = csg_contradiction_count(session), streams;
	const struct csg_source *source = csg_array_streams(session, &streams)[seen->stream].source;

	for (size_t i = 0; i < n; i++) {
		const struct csg_contradiction *c = csg_contradiction_at(session, i);
		uint64_t from = c->begin_time, to = c->end_time;

		if (c->cpu >= 0 && c->cpu != source->cpu)
			continue;
		if (c->begin != CSG_NO_INDEX) {
			if (seen->index >= c->begin && seen->index < c->end)
				return true;
			continue;
		}
		if (c->vm > 0 && seen->vm != c->vm && seen->vm != CSG_VM_UNKNOWN)
			continue;
		if (c->vm > 0) {
			from = csg_session_guest_time(session, c->vm, from);
			to = csg_session_guest_time(session, c->vm, to);
		}
		if (seen->time && from && seen->until >= from && seen->time <= to)
			return true;
	}
	return false;
}

static void show_contradictions(const struct run *r)
{
	for (size_t i = 0; i < csg_contradiction_count(r->d->session) && (int64_t)i < r->show;
	     i++) {
		const struct csg_contradiction *c = csg_contradiction_at(r->d->session, i);

		fprintf(stderr,
			"%s, VM %d, CPU %d, bytes %" PRId64 " to %" PRId64 ", times %" PRIu64
			" to %" PRIu64 ": %s\n",
			csg_contradiction_name((enum csg_contradiction_kind)c->kind), c->vm, c->cpu,
			(int64_t)c->begin, (int64_t)c->end, c->begin_time, c->end_time, c->text);
	}
}

static void result(const struct run *r, const char *line, const struct place *p)
{
	uint64_t beyond = 0, wrong = 0, unreported = 0, reported = 0, inside = 0;

	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < r->streams[i].n; k++)
			beyond += locality_is_inside(p, r->streams[i].queue,
						     r->streams[i].entries[k].index)
					  ? 0
					  : r->streams[i].entries[k].n;
	for (size_t i = 0; i < r->seen_n; i++) {
		const struct seen *s = &r->seen[i];
		bool is = !s->inside && is_reported(r, s);

		reported += is ? s->n : 0;
		inside += s->inside && s->wrong ? s->n : 0;
		wrong += !s->inside && s->wrong ? s->n : 0;
		unreported += !s->inside && s->wrong && !is ? s->n : 0;
	}
	printf("%s\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
	       "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
	       line, p->damage.queue, p->damage.at, beyond, beyond - r->matched, r->unknown, wrong,
	       unreported, reported, inside, csg_contradiction_total(r->d->session));
	fflush(stdout);
}

void locality_compare(struct run *r, const char *line, struct place *place)
{
	struct cursor cursors[STREAMS] = {{0}};
	struct csg_batch batch;
	size_t n;
	const struct csg_stream_info *streams;

	r->d = locality_decode(r, r->damaged);
	r->seen_n = 0;
	r->unknown = r->matched = 0;
	r->shown = 0;
	streams = csg_array_streams(r->d->session, &n);
	locality_extend(r, place);
	while (csg_decode_next(r->d, false, &batch) > 0) {
		const struct stream *s = locality_stream(r, streams[batch.stream].source);

		for (size_t i = 0; s && i < batch.n; i++)
			if (batch.elements[i].kind == CSG_ELEMENT_RANGE)
				judge(r, batch.stream, s, &cursors[s - r->streams], place,
				      &batch.elements[i], batch.time);
	}
	show_contradictions(r);
	result(r, line, place);
	locality_finish(r->d);
}
