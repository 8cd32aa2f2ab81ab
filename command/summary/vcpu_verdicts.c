/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/vcpu_verdicts.h"

#include <stdlib.h>

#include "csguest/error.h"

void csg_vcpu_verdicts_fini(struct csg_vcpu_verdicts *v)
{
	free(v->list);
	*v = (struct csg_vcpu_verdicts){0};
}

/* Where nothing names the host's thread, the number of the vCPU does. */
static bool is_guest_of(const struct csg_owner *o, const struct csg_vcpu_entry *vcpu)
{
	if (o->world != CSG_WORLD_GUEST || o->vm != vcpu->vm)
		return false;
	if (o->host_tid >= 0)
		return o->host_tid == vcpu->tid;
	return vcpu->vcpu >= 0 && o->vcpu == vcpu->vcpu;
}

struct sums {
	uint64_t guest, host, missing;
};

static struct sums sums_of(const struct csg_vcpu_evidence *from, const struct csg_vcpu_entry *vcpu)
{
	const struct csg_lookup *l = from->lookup;
	struct sums sums = {0};

	for (size_t i = 0; i < from->time->n; i++) {
		const struct csg_cpu_time_sum *sum = &from->time->by_owner[i];
		const struct csg_owner *o = sum->slices ? l->owner(l->arg, (uint32_t)i) : NULL;

		if (!o)
			continue;
		if (is_guest_of(o, vcpu)) {
			sums.guest += sum->time;
			sums.missing += sum->missing;
		} else if (o->world == CSG_WORLD_HOST && o->tid == vcpu->tid &&
			   l->vm_of(l->arg, (uint32_t)i) == vcpu->vm) {
			sums.host += sum->time;
		}
	}
	return sums;
}

static bool is_shown(const struct csg_vcpu_evidence *from, const struct csg_vcpu_entry *vcpu)
{
	return vcpu->vm > 0 && vcpu->source != CSG_VCPU_BY_TRACE &&
	       (!from->wanted || from->wanted(from->arg, vcpu));
}

/* Several threads of a VM whose numbers are not known are one to csg_hot_code_of(). */
static bool has_code(const struct csg_vcpu_evidence *from, const struct csg_vcpu_entry *vcpu)
{
	size_t n = 0;

	for (size_t i = 0; i < from->n; i++)
		n += from->vcpus[i].vm == vcpu->vm && from->vcpus[i].vcpu == vcpu->vcpu;
	return n == 1;
}

static struct csg_vcpu_verdict verdict_on(const struct csg_vcpu_evidence *from,
					  const struct csg_vcpu_entry *vcpu)
{
	const struct csg_lookup *l = from->lookup;
	const uint64_t begin = from->time->begin, end = from->time->end;
	const struct sums sums = sums_of(from, vcpu);
	struct csg_wait_sums waits = {{0}};
	struct csg_vcpu_verdict v = {
		.vm = vcpu->vm, .vcpu = vcpu->vcpu, .tid = vcpu->tid, .missing = sums.missing};

	if (from->waits && begin < end) {
		csg_waits_trim(from->waits);
		csg_waits_between(from->waits, vcpu->vm, vcpu->tid, begin, end, &waits);
	}
	v.times = csg_verdict_times(sums.guest, sums.host, from->waits ? &waits : NULL,
				    begin < end ? end - begin : 0);
	if (has_code(from, vcpu))
		v.hot = csg_hot_code_of(from->hot, vcpu->vm, vcpu->vcpu, l);
	v.verdict = (uint8_t)csg_verdict_of(&v.times, csg_hot_place_spins(&v.hot));
	v.name = csg_lookup_guest(l, vcpu->vm);
	return v;
}

static int by_vm_and_number(const void *pa, const void *pb)
{
	const struct csg_vcpu_verdict *a = pa, *b = pb;

	if (a->vm != b->vm)
		return a->vm < b->vm ? -1 : 1;
	if (a->vcpu != b->vcpu)
		return a->vcpu < b->vcpu ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

int csg_vcpu_verdicts_make(struct csg_vcpu_verdicts *v, const struct csg_vcpu_evidence *from)
{
	*v = (struct csg_vcpu_verdicts){.list = calloc(from->n ? from->n : 1, sizeof(*v->list))};
	if (!v->list)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < from->n; i++)
		if (is_shown(from, &from->vcpus[i]))
			v->list[v->n++] = verdict_on(from, &from->vcpus[i]);
	if (v->n)
		qsort(v->list, v->n, sizeof(*v->list), by_vm_and_number);
	return 0;
}
