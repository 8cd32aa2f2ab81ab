/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/offsets.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

void csg_offsets_fini(struct csg_offsets *offsets)
{
	for (size_t i = 0; i < offsets->count; i++) {
		if (offsets->vms[i].shown)
			free(offsets->vms[i].shown->periods);
		free(offsets->vms[i].shown);
		free(offsets->vms[i].periods);
	}
	free(offsets->vms);
	*offsets = (struct csg_offsets){0};
}

static struct csg_offset_vm *vm_of(const struct csg_offsets *offsets, int32_t vm)
{
	for (size_t i = 0; i < offsets->count; i++)
		if (offsets->vms[i].vm == vm)
			return &offsets->vms[i];
	return NULL;
}

const struct csg_offset_vm *csg_offsets_of(const struct csg_offsets *offsets, int32_t vm)
{
	return vm_of(offsets, vm);
}

static struct csg_offset_vm *make_vm(struct csg_offsets *offsets, int32_t vm)
{
	struct csg_offset_vm *found = vm_of(offsets, vm);

	if (found)
		return found;
	found = csg_array_add(&offsets->vms, &offsets->count, &offsets->capacity, sizeof(*found));
	if (found)
		found->vm = vm;
	return found;
}

static bool fits(const struct csg_offset_period *period, const struct csg_offset_period *seen)
{
	return !period->contradicted && period->offset.low <= seen->offset.high &&
	       seen->offset.low <= period->offset.high;
}

/* Both hold.  Their bounds meet; how long they last is the caller's. */
static void join(struct csg_offset_period *period, const struct csg_offset_period *seen)
{
	if (seen->offset.low > period->offset.low)
		period->offset.low = seen->offset.low;
	if (seen->offset.high < period->offset.high)
		period->offset.high = seen->offset.high;
	period->loads += seen->loads;
	period->puts += seen->puts;
	period->events += seen->events;
	period->sources |= seen->sources;
}

static void extend(struct csg_offset_period *period, const struct csg_offset_period *seen)
{
	if (!csg_offset_is_bounded(&seen->offset))
		return;
	if (seen->from < period->from)
		period->from = seen->from;
	if (seen->until > period->until)
		period->until = seen->until;
}

static int insert(struct csg_offset_vm *vm, size_t at, const struct csg_offset_period *seen)
{
	if (csg_array_grow((void **)&vm->periods, vm->count, &vm->capacity, sizeof(*vm->periods)))
		return -CSG_E_NO_MEMORY;
	memmove(&vm->periods[at + 1], &vm->periods[at], (vm->count - at) * sizeof(*vm->periods));
	vm->periods[at] = *seen;
	vm->periods[at].contradicted = false;
	vm->count++;
	return 0;
}

/*
 * Periods first to first + n - 1 overlap what was seen: they are one, or nothing of them is
 * believed.
 */
static void merge(struct csg_offset_vm *vm, size_t first, size_t n,
		  const struct csg_offset_period *seen)
{
	struct csg_offset_period *period = &vm->periods[first];
	bool agree = fits(period, seen);

	for (size_t i = 1; i < n; i++) {
		agree = agree && fits(&period[i], seen) && fits(period, &period[i]);
		join(period, &period[i]);
		extend(period, &period[i]);
		period->until = period[i].until;
		period->contradicted |= period[i].contradicted;
	}
	join(period, seen);
	extend(period, seen);
	vm->agreements += agree;
	if (!agree) {
		period->contradicted = true;
		vm->contradictions++;
	}
	memmove(&period[1], &period[n], (vm->count - first - n) * sizeof(*period));
	vm->count -= n - 1;
}

/* What was seen lies between two periods, or at an end of the row. */
static int place(struct csg_offset_vm *vm, size_t at, const struct csg_offset_period *seen)
{
	struct csg_offset_period *left = at ? &vm->periods[at - 1] : NULL;
	struct csg_offset_period *right = at < vm->count ? &vm->periods[at] : NULL;
	bool fits_left = left && fits(left, seen), fits_right = right && fits(right, seen);
	struct csg_offset_period *period = fits_left ? left : right;

	if (fits_left && fits_right)
		return 0; /* it is before the change, or after it */
	if (!fits_left && !fits_right)
		return insert(vm, at, seen);
	join(period, seen);
	extend(period, seen);
	vm->agreements++;
	return 0;
}

static int observe(struct csg_offset_vm *v, const struct csg_offset_period *seen)
{
	size_t first = 0, n = 0;

	if (seen->offset.low > seen->offset.high) {
		v->contradictions++;
		return 0;
	}
	while (first < v->count && v->periods[first].until < seen->from)
		first++;
	while (first + n < v->count && v->periods[first + n].from <= seen->until)
		n++;
	if (!n)
		return place(v, first, seen);
	merge(v, first, n, seen);
	return 0;
}

/* --- what the user said --- */

/* It does not count any more: what was seen without it takes its place. */
static void refute(struct csg_offset_vm *v, const struct csg_offset_period *seen)
{
	struct csg_offset_vm *shown = v->shown;

	v->refuted = true;
	v->evidence = *seen;
	free(v->periods);
	v->periods = shown->periods;
	v->count = shown->count;
	v->capacity = shown->capacity;
	v->contradictions += shown->contradictions;
	v->agreements += shown->agreements;
	v->shown = NULL;
	free(shown);
}

static int observe_beside(struct csg_offset_vm *v, const struct csg_offset_period *seen)
{
	bool agrees = seen->offset.low <= seen->offset.high && fits(&v->periods[0], seen);

	if (agrees) {
		join(&v->periods[0], seen);
	} else {
		refute(v, seen);
		v->contradictions++;
	}
	return observe(agrees ? v->shown : v, seen);
}

/* The user's word stands in front of what was seen already, unless that contradicts it. */
static int say(struct csg_offset_vm *v, const struct csg_offset_period *said)
{
	struct csg_offset_vm *shown = v->shown;
	struct csg_offset_period *period;

	v->said = said->offset.low;
	if (shown) {
		v->periods[0] = *said;
	} else {
		shown = malloc(sizeof(*shown));
		period = malloc(sizeof(*period));
		if (!shown || !period) {
			free(shown);
			free(period);
			return -CSG_E_NO_MEMORY;
		}
		*shown = *v;
		*period = *said;
		*v = (struct csg_offset_vm){.vm = v->vm,
					    .periods = period,
					    .count = 1,
					    .capacity = 1,
					    .said = v->said,
					    .shown = shown};
	}
	for (size_t i = 0; v->shown && i < shown->count; i++) {
		const struct csg_offset_period seen = shown->periods[i];

		if (seen.contradicted || fits(&v->periods[0], &seen))
			continue;
		refute(v, &seen);
		v->contradictions++;
	}
	return 0;
}

int csg_offsets_observe(struct csg_offsets *offsets, int32_t vm,
			const struct csg_offset_period *seen)
{
	struct csg_offset_vm *v = make_vm(offsets, vm);

	if (!v)
		return -CSG_E_NO_MEMORY;
	if (seen->sources & CSG_OFFSET_BY_USER)
		return say(v, seen);
	return v->shown ? observe_beside(v, seen) : observe(v, seen);
}

/* Also of the timeline beside what the user said. */
static uint64_t agreements_of(const struct csg_offset_vm *v)
{
	return v->agreements + (v->shown ? v->shown->agreements : 0);
}

static uint64_t contradictions_of(const struct csg_offset_vm *v)
{
	return v->contradictions + (v->shown ? v->shown->contradictions : 0);
}

int csg_offsets_compare(struct csg_offsets *offsets, int32_t vm,
			const struct csg_offset_period *seen, int *agrees)
{
	struct csg_offset_vm *v = make_vm(offsets, vm);
	uint64_t agreed, contradicted;
	int err;

	*agrees = 0;
	if (!v)
		return -CSG_E_NO_MEMORY;
	agreed = agreements_of(v);
	contradicted = contradictions_of(v);
	err = csg_offsets_observe(offsets, vm, seen);
	if (contradictions_of(v) > contradicted)
		*agrees = -1;
	else if (agreements_of(v) > agreed && v->compared && csg_offset_is_bounded(&seen->offset))
		*agrees = 1;
	v->compared += csg_offset_is_bounded(&seen->offset);
	return err;
}

static bool find(const struct csg_offset_vm *v, uint64_t time, struct csg_offset *offset)
{
	size_t i = 0;

	if (!v || !v->count)
		return false;
	while (i < v->count && v->periods[i].until < time)
		i++;
	if (i == v->count)
		i--; /* after the last */
	else if (i && v->periods[i].from > time)
		return false; /* between two */
	*offset = v->periods[i].offset;
	return !v->periods[i].contradicted;
}

bool csg_offsets_find(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
		      struct csg_offset *offset)
{
	return find(vm_of(offsets, vm), time, offset);
}

bool csg_offsets_find_shown(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
			    struct csg_offset *offset)
{
	const struct csg_offset_vm *v = vm_of(offsets, vm);

	return find(v && v->shown ? v->shown : v, time, offset);
}

void csg_offset_times(const struct csg_offset *offset, const struct csg_time_conv *host,
		      uint64_t counter, uint64_t *low, uint64_t *high)
{
	*low = csg_time_conv_to_ns(host, counter + (uint64_t)offset->low);
	*high = csg_time_conv_to_ns(host, counter + (uint64_t)offset->high);
}
