/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/traced.h"

#include <inttypes.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "text/escape.h"
#include "util/array.h"

void csg_traced_fini(struct csg_traced *t)
{
	free(t->parts);
	*t = (struct csg_traced){0};
}

static struct csg_traced_part *part_of(struct csg_traced *t, uint8_t world, int32_t vm)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->parts[i].world == world && t->parts[i].vm == vm)
			return &t->parts[i];
	if (csg_array_grow((void **)&t->parts, t->count, &t->capacity, sizeof(*t->parts)))
		return NULL;
	t->parts[t->count] = (struct csg_traced_part){.vm = vm, .world = world};
	return &t->parts[t->count++];
}

int csg_traced_add(struct csg_traced *t, const struct csg_slice *slice,
		   const struct csg_owner *owner)
{
	const uint64_t time = slice->end - slice->begin;
	struct csg_traced_part *part;

	t->all += time;
	if (!slice->gap) {
		t->traced += time;
		return 0;
	}
	part = part_of(t, owner ? owner->world : CSG_WORLD_UNKNOWN,
		       owner && owner->vm > 0 ? owner->vm : CSG_VM_UNKNOWN);
	if (!part)
		return -CSG_E_NO_MEMORY;
	part->time += time;
	return 0;
}

int csg_traced_join(struct csg_traced *t, const struct csg_traced *other)
{
	t->all += other->all;
	t->traced += other->traced;
	for (size_t i = 0; i < other->count; i++) {
		struct csg_traced_part *part =
			part_of(t, other->parts[i].world, other->parts[i].vm);

		if (!part)
			return -CSG_E_NO_MEMORY;
		part->time += other->parts[i].time;
	}
	return 0;
}

static int by_time(const void *pa, const void *pb)
{
	const struct csg_traced_part *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	return a->vm < b->vm ? -1 : a->vm > b->vm;
}

void csg_traced_finish(struct csg_traced *t)
{
	if (t->count)
		qsort(t->parts, t->count, sizeof(*t->parts), by_time);
}

bool csg_traced_has_holes(const struct csg_traced *t)
{
	return t->all && (double)(t->all - t->traced) >= 0.0005 * (double)t->all;
}

static void text_who(const struct csg_traced_part *part, const struct csg_lookup *l,
		     struct csg_out *out)
{
	const char *name = part->vm > 0 ? csg_lookup_guest(l, part->vm) : NULL;

	if (part->world != CSG_WORLD_UNKNOWN)
		csg_out_str(out, part->world == CSG_WORLD_HYPERVISOR
					 ? "hypervisor (EL2)"
					 : csg_world_name((enum csg_world)part->world));
	else if (part->vm < 0)
		csg_out_str(out, "not known who");
	if (part->vm < 0)
		return;
	if (part->world != CSG_WORLD_UNKNOWN)
		csg_out_char(out, ' ');
	if (name) {
		csg_out_text(out, name);
		csg_out_str(out, " (VM ");
		csg_out_vm(out, part->vm);
		csg_out_char(out, ')');
	} else {
		csg_out_str(out, "VM ");
		csg_out_vm(out, part->vm);
	}
	if (part->world == CSG_WORLD_UNKNOWN)
		csg_out_str(out, "'s vCPUs, guest or host not known");
}

/* By what the times of the parts are multiplied; 0: they are not known. */
static double part_scale(const struct csg_traced *t)
{
	if (!t->estimated)
		return 1;
	return t->share > 0 && t->traced < t->all
		       ? (1 - t->share) * (double)t->all / (double)(t->all - t->traced)
		       : 0;
}

void csg_traced_text(const struct csg_traced *t, const struct csg_lookup *l, struct csg_out *out)
{
	const double scale = part_scale(t);

	if (!csg_traced_has_holes(t))
		return;
	if (!t->estimated)
		csg_out_printf(out, "# traced: %.2f%% of %.3f ms of CPU time\n",
			       100.0 * (double)t->traced / (double)t->all, (double)t->all / 1e6);
	else if (t->share > 0)
		csg_out_printf(out,
			       "# traced: about %.2f%% of %.3f ms of CPU time, as the windows have "
			       "few timestamps\n",
			       100 * t->share, (double)t->all / 1e6);
	else
		csg_out_printf(out,
			       "# traced: not known of %.3f ms of CPU time, as windows have fewer "
			       "than two timestamps\n",
			       (double)t->all / 1e6);
	for (size_t i = 0; i < t->count; i++) {
		if (!t->parts[i].time || scale <= 0)
			continue;
		csg_out_printf(out, "# not traced: %s%.3f us, ", t->estimated ? "about " : "",
			       (double)t->parts[i].time * scale / 1e3);
		text_who(&t->parts[i], l, out);
		csg_out_char(out, '\n');
	}
}

void csg_traced_json(const struct csg_traced *t, struct csg_out *out)
{
	const double scale = part_scale(t);

	csg_out_printf(out, "{\"time\":%" PRIu64 ",\"traced\":", t->all);
	if (!t->estimated)
		csg_out_printf(out, "%" PRIu64, t->traced);
	else if (t->share > 0)
		csg_out_printf(out, "%" PRIu64, (uint64_t)(t->share * (double)t->all));
	else
		csg_out_str(out, "null");
	csg_out_str(out, ",\"untraced\":[");
	for (size_t i = 0; i < t->count; i++) {
		const struct csg_traced_part *part = &t->parts[i];

		csg_out_printf(out, "%s{\"world\":\"%s\",\"vm\":", i ? "," : "",
			       csg_world_name((enum csg_world)part->world));
		if (part->vm > 0)
			csg_out_i64(out, part->vm);
		else
			csg_out_str(out, "null");
		if (scale > 0)
			csg_out_printf(out, ",\"time\":%" PRIu64 "}",
				       (uint64_t)((double)part->time * scale));
		else
			csg_out_str(out, ",\"time\":null}");
	}
	csg_out_str(out, "]}");
}
