/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/error.h"
#include "info/info.h"
#include "info/info_advice.h"
#include "lookup/arrays.h"

/* Counts what came with an owner. */
static int count(struct csg_outcome *s, uint32_t owner, uint64_t instructions, uint64_t unread)
{
	if (csg_array_reach((void **)&s->by_owner, &s->n, owner, sizeof(*s->by_owner)))
		return -CSG_E_NO_MEMORY;
	s->by_owner[owner].instructions += instructions;
	s->by_owner[owner].unread += unread;
	return 0;
}

static bool is_unread(const struct csg_element *e)
{
	return e->kind == CSG_ELEMENT_GAP &&
	       (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER);
}

_Static_assert(CSG_ELEMENT_RANGE < CSG_ELEMENT_RANGE_NOPATH && CSG_ELEMENT_RANGE_NOPATH == 1,
	       "what was executed comes first");

/* Owners change seldom: until then the sums stay in registers. */
int csg_outcome_add(struct csg_outcome *s, const struct csg_batch *batch)
{
	const struct csg_element *e = batch->elements, *end = e + batch->n;

	if (batch->time && (!s->first || batch->time < s->first))
		s->first = batch->time;
	if (batch->time > s->last)
		s->last = batch->time;
	while (e < end) {
		uint64_t instructions = 0, others = 0, unread = 0;
		const struct csg_element *begin = e;
		uint32_t owner = e->owner;

		for (; e < end && e->owner == owner; e++) {
			if (e->kind <= CSG_ELEMENT_RANGE_NOPATH) {
				instructions += e->instructions;
				continue;
			}
			others++;
			if (e->kind == CSG_ELEMENT_RANGES) {
				instructions += e->timestamp;
				s->ranges += e->instructions;
			} else if (e->kind == CSG_ELEMENT_TIMESTAMP) {
				s->timestamps++;
				s->zero_timestamps += !e->timestamp;
			}
			unread += is_unread(e);
		}
		s->ranges += (uint64_t)(e - begin) - others;
		if (count(s, owner, instructions, unread))
			return -CSG_E_NO_MEMORY;
	}
	return 0;
}

int csg_outcome_add_time(struct csg_outcome *s, const struct csg_batch *batch, bool in_time)
{
	s->is_timely = true;
	for (size_t i = 0; in_time && i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];

		if (e->kind > CSG_ELEMENT_RANGE_NOPATH && e->kind != CSG_ELEMENT_RANGES &&
		    !is_unread(e))
			continue;
		if (csg_array_reach((void **)&s->timely, &s->timely_n, e->owner,
				    sizeof(*s->timely)))
			return -CSG_E_NO_MEMORY;
		s->timely[e->owner] = true;
	}
	return 0;
}

void csg_outcome_fini(struct csg_outcome *s)
{
	free(s->timely);
	free(s->by_owner);
	memset(s, 0, sizeof(*s));
}

uint64_t csg_outcome_instructions(const struct csg_outcome *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->by_owner[i].instructions;
	return sum;
}

void csg_outcome_reasons(const struct csg_outcome *s, struct csg_session *session, bool world,
			 struct csg_outcome_owner sums[CSG_REASON_COUNT])
{
	memset(sums, 0, CSG_REASON_COUNT * sizeof(*sums));
	for (size_t i = 0; i < s->n; i++) {
		const struct csg_outcome_owner *of = &s->by_owner[i];
		const struct csg_owner *o;

		if (!of->instructions && !of->unread)
			continue;
		o = csg_session_owner(session, (uint32_t)i);
		if (o->reason >= CSG_REASON_COUNT || (o->world == CSG_WORLD_UNKNOWN) != world)
			continue;
		sums[o->reason].instructions += of->instructions;
		sums[o->reason].unread += of->unread;
	}
}

/* Whether csg_outcome_sum_untimed() counts a CPU. */
static bool has_no_order(struct csg_session *session)
{
	size_t n, traced = 0, untimed = 0;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	for (size_t i = 0; i < n; i++) {
		traced += streams[i].trace_bytes != 0;
		untimed += streams[i].trace_bytes && !csg_outcome_is_ordered(session, &streams[i]);
	}
	return traced > 1 && untimed;
}

static uint32_t open_of(const struct csg_owner *o)
{
	bool thread = o->reason != CSG_REASON_NONE;
	uint32_t open = 0;

	if (o->world == CSG_WORLD_UNKNOWN)
		return CSG_OPEN_WORLD;
	if (o->world == CSG_WORLD_HOST && thread)
		open |= CSG_OPEN_HOST_THREAD;
	if (o->world == CSG_WORLD_GUEST && thread)
		open |= CSG_OPEN_GUEST_THREAD;
	if (o->world == CSG_WORLD_GUEST && o->vm == CSG_VM_UNKNOWN)
		open |= CSG_OPEN_VM;
	return open;
}

/* What is not known or not there, in all. */
static uint32_t open_in(const struct csg_outcome *s, struct csg_session *session)
{
	const uint64_t *gaps = csg_session_losses(session)->gaps;
	uint32_t open = has_no_order(session) ? CSG_OPEN_ORDER : 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->by_owner[i].instructions || s->by_owner[i].unread)
			open |= open_of(csg_session_owner(session, (uint32_t)i));
	if (gaps[CSG_GAP_TRUNCATED] || gaps[CSG_GAP_COLLISION])
		open |= CSG_OPEN_TRACE;
	return open;
}

static void fill_info(struct csg_info *info, struct csg_session *session)
{
	csg_info_fill(info, csg_session_recording(session));
	info->hypervisor = csg_session_hypervisor(session, &info->why);
	info->guests_given = csg_guest_recording_count(session);
}

size_t csg_outcome_advise(const struct csg_outcome *s, struct csg_session *session,
			  struct csg_advice advice[CSG_ADVICE_MAX])
{
	struct csg_info info;

	fill_info(&info, session);
	info.zero_timestamps = s->timestamps && s->zero_timestamps == s->timestamps;
	return csg_info_advise(&info, open_in(s, session), advice);
}

/* --- the sum --- */

static int copy_missing(struct csg_outcome_sum *sum, struct csg_session *session)
{
	const size_t n = csg_session_missing_count(session);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = csg_outcome_sum_miss(sum, csg_session_missing(session, i));
	return err;
}

static int copy_contradictions(struct csg_outcome_sum *sum, struct csg_session *session)
{
	const size_t n = csg_contradiction_count(session);

	sum->contradictions = calloc(n ? n : 1, sizeof(*sum->contradictions));
	if (!sum->contradictions)
		return -CSG_E_NO_MEMORY;
	if (n)
		memcpy(sum->contradictions, csg_contradiction_at(session, 0),
		       n * sizeof(*sum->contradictions));
	sum->contradiction_count = n;
	sum->contradiction_total = csg_contradiction_total(session);
	return 0;
}

/* All advice, and what of that is not known or not there each would mend. */
static void copy_advice(struct csg_outcome_sum *sum, struct csg_info *info, bool zero)
{
	struct csg_outcome_advices *to = &sum->advice[zero];
	struct csg_advice some[CSG_ADVICE_MAX];

	info->zero_timestamps = zero;
	to->n = csg_info_advise(info, CSG_OPEN_ALL, to->at);
	for (uint32_t bit = 1; bit & CSG_OPEN_ALL; bit <<= 1) {
		const size_t n = csg_info_advise(info, bit, some);

		for (size_t i = 0; i < to->n; i++)
			for (size_t j = 0; j < n; j++)
				if (!strcmp(to->at[i].lack, some[j].lack))
					to->mends[i] |= bit;
	}
}

int csg_outcome_sum_make(struct csg_outcome_sum *sum, const struct csg_outcome *s,
			 struct csg_session *session)
{
	const struct csg_losses *losses = csg_session_losses(session);
	struct csg_info info;
	int err;

	*sum = (struct csg_outcome_sum){.ranges = s->ranges,
					.timestamps = s->timestamps,
					.zero_timestamps = s->zero_timestamps};
	sum->instructions = csg_outcome_instructions(s);
	memcpy(sum->gaps, losses->gaps, sizeof(sum->gaps));
	sum->bytes_lost = losses->bytes_lost;
	csg_outcome_reasons(s, session, false, sum->unknown[0]);
	csg_outcome_reasons(s, session, true, sum->unknown[1]);
	sum->open = open_in(s, session) & ~(uint32_t)CSG_OPEN_ORDER;
	fill_info(&info, session);
	copy_advice(sum, &info, false);
	copy_advice(sum, &info, true);
	err = csg_outcome_sum_streams(sum, session);
	if (!err)
		err = copy_contradictions(sum, session);
	return err ? err : copy_missing(sum, session);
}

int csg_outcome_print(const struct csg_outcome *s, struct csg_session *session, struct csg_out *out)
{
	struct csg_outcome_sum sum;
	int err = csg_outcome_sum_make(&sum, s, session);

	if (!err)
		csg_outcome_sum_print(&sum, out);
	csg_outcome_sum_fini(&sum);
	return err;
}

int csg_outcome_error(const struct csg_outcome *s, struct csg_session *session, bool strict)
{
	const size_t n = csg_session_missing_count(session);
	bool other_build = false;

	for (size_t i = 0; i < n; i++)
		other_build |= csg_session_missing(session, i)->error == -CSG_E_BUILD_ID;
	return csg_outcome_error_of(csg_session_losses(session)->gaps, other_build,
				    strict || !csg_outcome_instructions(s), has_no_order(session));
}
