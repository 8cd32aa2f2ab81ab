/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "csguest/context.h"
#include "csguest/error.h"

void csg_timeline_init(struct csg_timeline *t, enum csg_timeline_level level,
		       const struct csg_lookup *lookup)
{
	memset(t, 0, sizeof(*t));
	t->lookup = lookup;
	t->level = level;
	csg_keyset_init(&t->whos, sizeof(struct csg_timeline_who));
}

void csg_timeline_fini(struct csg_timeline *t)
{
	csg_keyset_fini(&t->whos);
	free(t->totals);
	t->totals = NULL;
	t->total_capacity = 0;
}

/* Name of the thread, or of the process where threads are not distinguished. */
static void name(const struct csg_timeline *t, struct csg_timeline_who *who, uint32_t owner,
		 uint64_t time)
{
	const struct csg_lookup *l = t->lookup;
	const char *comm = NULL;

	if (!t->dated)
		time = UINT64_MAX;
	if (t->level >= CSG_TIMELINE_THREAD)
		comm = l->comm(l->arg, owner, time);
	else if (t->level == CSG_TIMELINE_PROCESS)
		comm = l->process(l->arg, owner, time);
	if (comm)
		memcpy(who->comm, comm, strnlen(comm, sizeof(who->comm) - 1));
}

/* Takes away from an owner what the level does not tell apart. */
static void blur(enum csg_timeline_level level, struct csg_owner *o)
{
	if (level >= CSG_TIMELINE_OWNER)
		return;
	o->el = CSG_EL_UNKNOWN;
	o->privilege = CSG_PRIVILEGE_UNKNOWN;
	o->evidence = 0;
	/* Why a thread is unknown depends on the privilege. */
	if (o->world != CSG_WORLD_UNKNOWN)
		o->reason = CSG_REASON_NONE;
	if (level < CSG_TIMELINE_THREAD)
		o->tid = CSG_PID_UNKNOWN;
	if (level < CSG_TIMELINE_PROCESS)
		o->pid = o->host_process = CSG_PID_UNKNOWN;
	if (level < CSG_TIMELINE_VCPU)
		o->vcpu = o->guest_tid = CSG_VCPU_UNKNOWN;
	if (level < CSG_TIMELINE_VM) {
		o->vm = o->vm > 0 ? CSG_VM_UNKNOWN : o->vm;
		o->level = CSG_LEVEL_UNKNOWN;
		o->nested = CSG_VM_UNKNOWN;
	}
	/* Of the host's threads tid tells; of a vCPU that has no number its thread does. */
	if (level < CSG_TIMELINE_VCPU ||
	    (o->world != CSG_WORLD_GUEST && o->world != CSG_WORLD_UNKNOWN))
		o->host_tid = CSG_PID_UNKNOWN;
}

static void set_who(const struct csg_timeline *t, struct csg_timeline_who *who,
		    const struct csg_slice *slice)
{
	const struct csg_owner unknown = CSG_OWNER_UNKNOWN;

	memset(who, 0, sizeof(*who));
	who->lost = slice->gap != CSG_GAP_NONE || slice->owner == CSG_SLICE_LOST;
	who->gap = slice->gap;
	who->owner = unknown;
	if (slice->owner == CSG_SLICE_LOST)
		return;
	who->named = who->lost;
	who->owner = *t->lookup->owner(t->lookup->arg, slice->owner);
	name(t, who, slice->owner, slice->begin);
	blur(t->level, &who->owner);
	/* Somebody ran; how the trace shows that it is not traced does not matter. */
	if (who->gap == CSG_GAP_GUEST && t->level < CSG_TIMELINE_OWNER)
		who->gap = CSG_GAP_TRACE_ON;
	if (t->lookup->guest && who->owner.vm > 0)
		who->guest = t->lookup->guest(t->lookup->arg, who->owner.vm);
}

int csg_timeline_join(struct csg_timeline *t, const struct csg_timeline_who *who,
		      const struct csg_timeline_total *part)
{
	int64_t number = csg_keyset_add(&t->whos, who);
	struct csg_timeline_total *total;

	if (number < 0)
		return (int)number;
	if (csg_array_reach((void **)&t->totals, &t->total_capacity, (size_t)number,
			    sizeof(*t->totals)))
		return -CSG_E_NO_MEMORY;
	total = &t->totals[number];
	total->time += part->time;
	total->rows += part->rows;
	total->instructions += part->instructions;
	total->missing += part->missing;
	if (part->longest > total->longest)
		total->longest = part->longest;
	return 0;
}

static int count(struct csg_timeline *t, const struct csg_timeline_row *row)
{
	const struct csg_timeline_total one = {
		.time = row->end - row->begin,
		.rows = 1,
		.instructions = row->instructions,
		.missing = row->missing,
		.longest = row->end - row->begin,
	};

	return csg_timeline_join(t, &row->who, &one);
}

int csg_timeline_finish(struct csg_timeline *t)
{
	int err = 0;

	if (t->is_open) {
		err = count(t, &t->open);
		if (t->row)
			t->row(t->arg, &t->open);
	}
	t->is_open = false;
	return err;
}

int csg_timeline_add(struct csg_timeline *t, const struct csg_slice *slice)
{
	struct csg_timeline_row *row = &t->open;
	struct csg_timeline_who who;
	int err = 0;

	set_who(t, &who, slice);
	if (!t->is_open || row->stream != slice->stream || row->end != slice->begin ||
	    memcmp(&row->who, &who, sizeof(who)) != 0) {
		err = csg_timeline_finish(t);
		t->is_open = true;
		*row = (struct csg_timeline_row){
			.begin = slice->begin, .index = slice->index, .stream = slice->stream};
		memcpy(&row->who, &who, sizeof(who));
	}
	row->end = slice->end;
	row->instructions += slice->instructions;
	row->missing += slice->missing;
	row->instrumented += slice->instrumented;
	row->slices++;
	row->left = slice->left;
	return err;
}
