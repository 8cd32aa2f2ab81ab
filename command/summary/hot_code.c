/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/hot_code.h"

#include <stdlib.h>
#include <string.h>

#include "summary/verdict.h"
#include "util/array.h"
#include "util/bisect.h"

void csg_hot_code_fini(struct csg_hot_code *h)
{
	free(h->ranges);
	*h = (struct csg_hot_code){0};
}

int csg_hot_code_add(struct csg_hot_code *h, const struct csg_report_label *label,
		     const struct csg_report_range *range)
{
	int err;

	if (label->world != CSG_WORLD_GUEST || range->end <= range->start)
		return 0;
	err = csg_array_grow((void **)&h->ranges, h->count, &h->capacity, sizeof(*h->ranges));
	if (err)
		return err;
	h->ranges[h->count++] = (struct csg_hot_range){label->vm, label->vcpu, *range};
	h->sorted = false;
	return 0;
}

static int compare_vcpu(const struct csg_hot_range *a, int32_t vm, int32_t vcpu)
{
	if (a->vm != vm)
		return a->vm < vm ? -1 : 1;
	return a->vcpu < vcpu ? -1 : a->vcpu > vcpu;
}

static int by_place(const void *pa, const void *pb)
{
	const struct csg_hot_range *a = pa, *b = pb;
	int c = compare_vcpu(a, b->vm, b->vcpu);

	if (c)
		return c;
	if (a->range.space != b->range.space)
		return (uintptr_t)a->range.space < (uintptr_t)b->range.space ? -1 : 1;
	return a->range.start < b->range.start ? -1 : a->range.start > b->range.start;
}

/* The hint that an instruction of A64 is, if it says that a loop waits. */
static const char *hint_of(uint32_t insn)
{
	if (insn == 0xd503205f)
		return "WFE";
	if ((insn & 0xffffffe0) == 0xd5031000)
		return "WFET";
	return insn == 0xd503203f ? "YIELD" : NULL;
}

static const char *hint_in(const struct csg_report_range *r, const struct csg_lookup *l)
{
	const uint8_t *bytes;
	const char *hint = NULL;
	uint64_t until;
	size_t len;

	if (r->isa != CSG_ISA_A64 || !r->space)
		return NULL;
	for (uint64_t at = r->start; !hint && at < r->end; at += 4) {
		uint32_t insn;

		l->code(l->arg, r->space, at, r->time, &bytes, &len, &until);
		if (len < sizeof(insn))
			return NULL;
		insn = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		       (uint32_t)bytes[3] << 24;
		hint = hint_of(insn);
	}
	return hint;
}

/* Ranges of one space within CSG_SPIN_BYTES. */
struct window {
	const struct csg_hot_range *first, *end;
	uint64_t instructions;
};

static uint64_t end_of(const struct csg_hot_range *first, const struct csg_hot_range *end)
{
	uint64_t last = 0;

	for (; first < end; first++)
		last = first->range.end > last ? first->range.end : last;
	return last;
}

static struct window hottest(const struct csg_hot_range *r, const struct csg_hot_range *end)
{
	struct window most = {r, r, 0};

	for (const struct csg_hot_range *first = r; first < end; first++) {
		struct window w = {first, first, 0};

		while (w.end < end && w.end->range.space == first->range.space &&
		       w.end->range.end - first->range.start <= CSG_SPIN_BYTES)
			w.instructions += w.end++->range.instructions;
		if (w.instructions > most.instructions)
			most = w;
	}
	return most;
}

struct csg_hot_place csg_hot_code_of(struct csg_hot_code *h, int32_t vm, int32_t vcpu,
				     const struct csg_lookup *l)
{
	struct csg_hot_place place = {0};
	const struct csg_hot_range *r, *most = NULL;
	struct csg_symbol symbol = {0};
	const char *waits = NULL;
	uint64_t waiting = 0;
	struct window w;
	size_t first, end;

	if (h->count && !h->sorted)
		qsort(h->ranges, h->count, sizeof(*h->ranges), by_place);
	h->sorted = true;
	CSG_BISECT(first, h->count, compare_vcpu(&h->ranges[first], vm, vcpu) < 0);
	CSG_BISECT(end, h->count, compare_vcpu(&h->ranges[end], vm, vcpu) <= 0);
	for (size_t i = first; i < end; i++)
		place.all += h->ranges[i].range.instructions;
	w = hottest(h->ranges + first, h->ranges + end);
	place.instructions = w.instructions;
	for (r = w.first; r < w.end; r++) {
		const char *hint = hint_in(&r->range, l);

		if (!most || r->range.instructions > most->range.instructions)
			most = r;
		waiting += hint ? r->range.instructions : 0;
		waits = hint ? hint : waits;
	}
	if (!most)
		return place;
	/* One that is executed now and then is that of a lock, which the loop takes. */
	if (waiting >= place.instructions / CSG_SPIN_HINTS)
		place.waits = waits;
	place.bytes = end_of(w.first, w.end) - w.first->range.start;
	l->symbol(l->arg, most->range.space, most->range.start, most->range.time, &symbol);
	place.symbol = symbol.name;
	place.dso = symbol.dso;
	return place;
}

bool csg_hot_place_is_hot(const struct csg_hot_place *p)
{
	return p->all && (double)p->instructions * 100 >= (double)p->all * CSG_SPIN_PERCENT;
}

bool csg_hot_place_spins(const struct csg_hot_place *p)
{
	return p->waits && csg_hot_place_is_hot(p);
}
