/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/sampled.h"

#include <stdio.h>

/* The next that is of the stream. */
static void skip(struct csg_sampled *s)
{
	while (s->next < s->end && s->cpu != CSG_NO_CPU && s->samples[s->next].cpu != CSG_NO_CPU &&
	       s->samples[s->next].cpu != s->cpu)
		s->next++;
}

void csg_sampled_init(struct csg_sampled *s, const struct csg_traced_sample *samples, size_t n,
		      const struct csg_source *source, struct csg_owner_table *owners)
{
	*s = (struct csg_sampled){.samples = samples, .owners = owners, .cpu = source->cpu};
	while (s->next < n && samples[s->next].queue != source->queue)
		s->next++;
	for (s->end = s->next; s->end < n && samples[s->end].queue == source->queue;)
		s->end++;
	skip(s);
}

/* --- where execution is --- */

/* Code that was executed up to there, or is wanted and missing. */
static void run(struct csg_sampled *s, const struct csg_element *e)
{
	const bool leads = e->kind == CSG_ELEMENT_RANGE && e->taken &&
			   e->branch != CSG_BRANCH_NONE && e->branch != CSG_BRANCH_BARRIER &&
			   e->branch != CSG_BRANCH_WAIT;

	s->at = (struct csg_sampled_place){
		.address = e->kind == CSG_ELEMENT_RANGE && !leads ? e->end : 0,
		.owner = e->owner,
		.known = true,
	};
	s->handles &= e->branch != CSG_BRANCH_ERET || !leads;
}

static void see(struct csg_sampled *s, const struct csg_element *e)
{
	switch (e->kind) {
	case CSG_ELEMENT_RANGE:
	case CSG_ELEMENT_RANGE_NOPATH:
		run(s, e);
		break;
	case CSG_ELEMENT_EXCEPTION:
		s->left = s->at;
		s->left.address = e->has_return ? e->end : 0;
		s->handles = true;
		s->at.known = false;
		break;
	case CSG_ELEMENT_EXCEPTION_RET:
		s->handles = false;
		break;
	case CSG_ELEMENT_GAP:
		s->at.known = false;
		if (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER)
			run(s, e);
		else
			s->handles = false;
		break;
	default:
		break;
	}
}

void csg_sampled_see(struct csg_sampled *s, const struct csg_element *elements, size_t n)
{
	for (size_t i = 0; s->next < s->end && i < n; i++)
		see(s, &elements[i]);
}

/* --- whose code that was --- */

static const struct csg_owner *owner_of(const struct csg_sampled *s,
					const struct csg_sampled_place *place)
{
	return csg_owner_table_get(s->owners, place->known ? place->owner : 0);
}

static bool is(const struct csg_owner *owner, enum csg_world world, enum csg_privilege privilege)
{
	return owner->world == world && owner->privilege == privilege;
}

/* Whether the record says that such code was interrupted. */
static bool is_sampled(const struct csg_owner *owner, uint8_t cpumode)
{
	switch (cpumode) {
	case CSG_CPUMODE_KERNEL:
		return is(owner, CSG_WORLD_HOST, CSG_KERNEL);
	case CSG_CPUMODE_USER:
		return is(owner, CSG_WORLD_HOST, CSG_USER);
	case CSG_CPUMODE_GUEST_KERNEL:
		return is(owner, CSG_WORLD_GUEST, CSG_KERNEL);
	case CSG_CPUMODE_GUEST_USER:
		return is(owner, CSG_WORLD_GUEST, CSG_USER);
	default:
		return false;
	}
}

/*
 * Where the sample's ip is; NULL: it is not known.  Where the last branch led is not known, and the
 * host's kernel goes on in the code of an event such as a tracepoint: then cpumode says enough.
 */
static const struct csg_sampled_place *find(const struct csg_sampled *s,
					    const struct csg_traced_sample *sample)
{
	if (s->at.known && s->at.address && s->at.address == sample->ip)
		return &s->at;
	if (s->handles && s->left.known && s->left.address && s->left.address == sample->ip)
		return &s->left;
	return s->at.known && (!s->at.address || sample->cpumode == CSG_CPUMODE_KERNEL) &&
			       is_sampled(owner_of(s, &s->at), sample->cpumode)
		       ? &s->at
		       : NULL;
}

/* Whether the code that the trace ends with, or that an exception left, cannot be what was
 * sampled. */
static bool is_elsewhere(const struct csg_sampled *s, const struct csg_traced_sample *sample,
			 const struct csg_sampled_place *found)
{
	const struct csg_owner *owner = owner_of(s, found ? found : s->handles ? &s->left : &s->at);

	if (owner->world == CSG_WORLD_UNKNOWN || owner->privilege == CSG_PRIVILEGE_UNKNOWN)
		return false;
	switch (sample->cpumode) {
	case CSG_CPUMODE_USER:
		/* The handler's exception is the last one. */
		return !is_sampled(owner, sample->cpumode) ||
		       (!found && s->handles && s->left.address);
	case CSG_CPUMODE_KERNEL:
		return !s->handles && !is_sampled(owner, sample->cpumode);
	case CSG_CPUMODE_GUEST_KERNEL:
	case CSG_CPUMODE_GUEST_USER:
		return !s->handles && owner->world == CSG_WORLD_HOST &&
		       owner->privilege == CSG_USER;
	default:
		return false;
	}
}

static bool is_another_thread(const struct csg_sampled *s, const struct csg_traced_sample *sample,
			      const struct csg_sampled_place *found)
{
	const struct csg_owner *owner = owner_of(s, found ? found : &s->at);

	return sample->tid >= 0 && owner->host_tid >= 0 && owner->host_tid != sample->tid;
}

static void conflict(struct csg_sampled *s, const struct csg_traced_sample *sample, bool thread)
{
	s->conflict = (struct csg_contradiction){
		.kind = CSG_CONTRADICTION_SAMPLE,
		.cpu = sample->cpu,
		.begin = sample->end,
		.end = sample->end,
		.begin_time = sample->time,
		.end_time = sample->time,
	};
	if (thread)
		snprintf(s->conflict.text, sizeof(s->conflict.text),
			 "a sample is of thread %d, and its trace ends in another", sample->tid);
	else
		snprintf(s->conflict.text, sizeof(s->conflict.text),
			 "the cpumode and ip of a sample are not where its trace ends");
}

static int64_t owner_number(struct csg_sampled *s, const struct csg_traced_sample *sample)
{
	const struct csg_sampled_place *found = find(s, sample);
	const bool thread = is_another_thread(s, sample, found);
	struct csg_owner unknown = CSG_OWNER_UNKNOWN;

	s->conflict.text[0] = 0;
	if (thread || is_elsewhere(s, sample, found)) {
		conflict(s, sample, thread);
		unknown.reason = CSG_REASON_CONFLICT;
		return csg_owner_table_number(s->owners, &unknown);
	}
	/* A guest's cpumode and ip are the vCPU's: the host's kernel may be what was
	 * interrupted. */
	return found && is_sampled(owner_of(s, found), sample->cpumode) ? found->owner : 0;
}

const struct csg_element *csg_sampled_element(struct csg_sampled *s)
{
	const struct csg_traced_sample *sample = &s->samples[s->next];
	int64_t owner;

	if (s->made)
		return &s->element;
	owner = owner_number(s, sample);
	s->made = true;
	s->error = owner < 0 ? (int)owner : s->error;
	s->element = (struct csg_element){
		.index = sample->end,
		.start = sample->ip,
		.timestamp = sample->time,
		.owner = owner < 0 ? 0 : (uint32_t)owner,
		.info = (uint32_t)s->next,
		.kind = CSG_ELEMENT_SAMPLE,
		.el = csg_owner_table_get(s->owners, owner < 0 ? 0 : (uint32_t)owner)->el,
	};
	return &s->element;
}

void csg_sampled_take(struct csg_sampled *s)
{
	s->made = false;
	s->next++;
	skip(s);
}
