/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/groups.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "lookup/lookup_anonym.h"
#include "util/array.h"

void csg_groups_fini(struct csg_groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->groups[i].ran);
	free(g->groups);
	*g = (struct csg_groups){0};
}

/* --- time --- */

static struct csg_group *find(const struct csg_groups *g, uint8_t kind, int32_t vm, uint8_t gap)
{
	for (size_t i = 0; i < g->n; i++) {
		struct csg_group *group = &g->groups[i];

		if (group->kind == kind && group->vm == vm && group->gap == gap)
			return group;
	}
	return NULL;
}

static struct csg_group *make(struct csg_groups *g, uint8_t kind, int32_t vm, uint8_t gap)
{
	struct csg_group *group = find(g, kind, vm, gap);

	if (group)
		return group;
	if (csg_array_grow((void **)&g->groups, g->n, &g->capacity, sizeof(*g->groups)))
		return NULL;
	group = &g->groups[g->n++];
	memset(group, 0, sizeof(*group));
	group->kind = kind;
	group->vm = vm;
	group->gap = gap;
	return group;
}

struct csg_group *csg_groups_vm(const struct csg_groups *g, int32_t vm)
{
	return find(g, CSG_GROUP_VM, vm, 0);
}

struct csg_group *csg_groups_of(const struct csg_groups *g, enum csg_group_kind kind)
{
	return find(g, (uint8_t)kind, 0, 0);
}

/* A VM has its row even if it never ran; what nothing but the trace shows is none yet. */
static int make_vms(struct csg_groups *g, const struct csg_cpu_time *time,
		    const struct csg_groups_vcpus *vcpus, const struct csg_lookup *l)
{
	for (size_t i = 0; i < vcpus->n; i++) {
		struct csg_group *group;

		if (vcpus->entries[i].vm <= 0 || vcpus->entries[i].source == CSG_VCPU_BY_TRACE)
			continue;
		group = make(g, CSG_GROUP_VM, vcpus->entries[i].vm, 0);
		if (!group)
			return -CSG_E_NO_MEMORY;
		group->vcpus++;
	}
	for (size_t i = 0; i < time->n; i++) {
		const struct csg_cpu_time_sum *sum = &time->by_owner[i];
		const struct csg_owner *o =
			sum->slices || sum->left_out ? l->owner(l->arg, (uint32_t)i) : NULL;

		if (o && o->world == CSG_WORLD_GUEST && !make(g, CSG_GROUP_VM, o->vm, 0))
			return -CSG_E_NO_MEMORY;
	}
	return 0;
}

static struct csg_group *group_of_host(struct csg_groups *g, const struct csg_lookup *l,
				       uint32_t owner)
{
	const int32_t vm = l->vm_of(l->arg, owner);

	/* Its functions are shown there, whatever it works for. */
	if (!make(g, CSG_GROUP_HOST, 0, 0))
		return NULL;
	if (vm == CSG_VM_UNKNOWN)
		return make(g, CSG_GROUP_HOST_OPEN, 0, 0);
	if (vm != CSG_VM_HOST)
		return make(g, CSG_GROUP_VM, vm, 0);
	return make(g, l->owner(l->arg, owner)->tid == 0 ? CSG_GROUP_IDLE : CSG_GROUP_HOST, 0, 0);
}

static struct csg_group *group_of(struct csg_groups *g, const struct csg_lookup *l, uint32_t owner)
{
	const struct csg_owner *o = l->owner(l->arg, owner);

	switch (o->world) {
	case CSG_WORLD_GUEST:
		return csg_groups_vm(g, o->vm);
	case CSG_WORLD_HOST:
		return group_of_host(g, l, owner);
	case CSG_WORLD_HYPERVISOR:
		return make(g, CSG_GROUP_HYPERVISOR, 0, 0);
	case CSG_WORLD_FIRMWARE:
		return make(g, CSG_GROUP_FIRMWARE, 0, 0);
	case CSG_WORLD_UNKNOWN:
		/* A vCPU's thread, which ran the guest or the host: the VM's time in any case. */
		if (o->vm > 0 && csg_groups_vm(g, o->vm))
			return csg_groups_vm(g, o->vm);
		return make(g, CSG_GROUP_UNKNOWN, 0, 0);
	default:
		return make(g, CSG_GROUP_UNKNOWN, 0, 0);
	}
}

static void add_owner(struct csg_group *group, const struct csg_owner *o,
		      const struct csg_cpu_time_sum *sum)
{
	int part = o->world == CSG_WORLD_GUEST ? CSG_GROUP_GUEST_KERNEL : CSG_GROUP_HOST_KERNEL;

	csg_cpu_time_sum_add(&group->all, sum);
	if (o->world != CSG_WORLD_GUEST && o->world != CSG_WORLD_HOST)
		return;
	if (o->privilege != CSG_PRIVILEGE_UNKNOWN)
		csg_cpu_time_sum_add(&group->part[part + (o->privilege == CSG_USER)], sum);
}

static int by_kind_and_time(const void *pa, const void *pb)
{
	const struct csg_group *a = pa, *b = pb;
	bool vm = a->kind == CSG_GROUP_VM;

	if (vm != (b->kind == CSG_GROUP_VM))
		return vm ? -1 : 1;
	if (a->all.time != b->all.time)
		return a->all.time < b->all.time ? 1 : -1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->vm != b->vm)
		return a->vm < b->vm ? -1 : 1;
	return a->gap < b->gap ? -1 : a->gap > b->gap;
}

int csg_groups_make(struct csg_groups *g, const struct csg_cpu_time *time,
		    const struct csg_groups_vcpus *vcpus, const struct csg_lookup *l)
{
	struct csg_group *group;
	int err;

	*g = (struct csg_groups){0};
	err = make_vms(g, time, vcpus, l);
	if (err)
		return err;
	for (size_t i = 0; i < time->n; i++) {
		const struct csg_owner *o;

		if (!time->by_owner[i].slices)
			continue;
		o = l->owner(l->arg, (uint32_t)i);
		group = group_of(g, l, (uint32_t)i);
		if (!group)
			return -CSG_E_NO_MEMORY;
		add_owner(group, o, &time->by_owner[i]);
	}
	for (int gap = 0; gap < CSG_GAP_COUNT; gap++) {
		if (!time->lost[gap].slices)
			continue;
		group = make(g, CSG_GROUP_LOST, 0, (uint8_t)gap);
		if (!group)
			return -CSG_E_NO_MEMORY;
		group->all = time->lost[gap];
	}
	for (size_t i = 0; i < g->n; i++)
		if (g->groups[i].vm > 0 && l->guest)
			g->groups[i].name = l->guest(l->arg, g->groups[i].vm);
	if (g->n)
		qsort(g->groups, g->n, sizeof(*g->groups), by_kind_and_time);
	return 0;
}

static int32_t machine_of(const struct csg_group *group)
{
	if (group->kind == CSG_GROUP_VM)
		return group->vm;
	return group->kind == CSG_GROUP_UNKNOWN || group->kind == CSG_GROUP_LOST ||
			       group->kind == CSG_GROUP_HOST_OPEN
		       ? CSG_VM_UNKNOWN
		       : CSG_VM_HOST;
}

void csg_groups_leave_out(struct csg_groups *g, bool (*is_shown)(void *arg, int32_t vm), void *arg)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (is_shown(arg, machine_of(&g->groups[i])))
			g->groups[n++] = g->groups[i];
		else
			free(g->groups[i].ran);
	g->n = n;
}

/* --- exits --- */

static struct csg_group_reason reason_of(const struct csg_exits *x, size_t row)
{
	const struct csg_exit_key *key = csg_keyset_get(&x->keys, row);

	return (struct csg_group_reason){
		.vm = key->vm,
		.exception = key->exception,
		.handler = key->handler,
		.handler_name =
			key->handler
				? csg_lookup_function(&x->lookup, x->follower, key->handler).name
				: NULL,
		.fast = key->fast,
		.idle = csg_exits_is_idle(x, key),
		.count = x->rows[row].host.count,
		.time = x->rows[row].host.sum,
	};
}

static int by_reason(const void *pa, const void *pb)
{
	const struct csg_group_reason *a = pa, *b = pb;

	if (a->vm != b->vm)
		return a->vm < b->vm ? -1 : 1;
	if (a->handler != b->handler)
		return a->handler < b->handler ? -1 : 1;
	/* A handler is the reason, whichever exception led to it. */
	if (!a->handler && a->exception != b->exception)
		return a->exception < b->exception ? -1 : 1;
	return a->fast - b->fast;
}

/* Rows of csguest exits also differ by where the guest was left from. */
static size_t merge(struct csg_group_reason *reasons, size_t n)
{
	size_t to = 0;

	qsort(reasons, n, sizeof(*reasons), by_reason);
	for (size_t i = 0; i < n; i++) {
		if (to && !by_reason(&reasons[to - 1], &reasons[i])) {
			reasons[to - 1].count += reasons[i].count;
			reasons[to - 1].time += reasons[i].time;
		} else {
			reasons[to++] = reasons[i];
		}
	}
	return to;
}

static bool costs_more(const struct csg_group_reason *a, const struct csg_group_reason *b)
{
	return a->time > b->time || (a->time == b->time && a->count > b->count);
}

static void add_reason(struct csg_group *group, const struct csg_group_reason *reason)
{
	struct csg_group_reason next = *reason;

	group->exits += reason->count;
	group->exit_time += reason->time;
	if (reason->idle) {
		next.count += group->idle.count;
		next.time += group->idle.time;
		group->idle = next;
		return;
	}
	for (size_t i = 0; i < CSG_GROUP_TOP; i++) {
		struct csg_group_reason less = group->top[i];

		if (!costs_more(&next, &less))
			continue;
		group->top[i] = next;
		next = less;
	}
}

int csg_groups_add_exits(struct csg_groups *g, const struct csg_exits *x)
{
	size_t n = x->keys.count;
	struct csg_group_reason *reasons = calloc(n ? n : 1, sizeof(*reasons));

	if (!reasons)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		reasons[i] = reason_of(x, i);
	n = n ? merge(reasons, n) : 0;
	for (size_t i = 0; i < n; i++) {
		struct csg_group *group = csg_groups_vm(g, reasons[i].vm);

		if (group)
			add_reason(group, &reasons[i]);
	}
	free(reasons);
	return 0;
}

void csg_groups_scale(struct csg_groups *g, double traced)
{
	for (size_t i = 0; i < g->n; i++) {
		struct csg_group *group = &g->groups[i];

		if (group->kind == CSG_GROUP_LOST)
			continue;
		csg_cpu_time_sum_scale(&group->all, traced);
		for (int part = 0; part < CSG_GROUP_PARTS; part++)
			csg_cpu_time_sum_scale(&group->part[part], traced);
	}
}

/* --- functions --- */

static struct csg_group *of_row(const struct csg_groups *g, const struct csg_report_label *label)
{
	switch (label->world) {
	case CSG_WORLD_GUEST:
		return csg_groups_vm(g, label->vm);
	case CSG_WORLD_HOST:
		return csg_groups_of(g, CSG_GROUP_HOST);
	case CSG_WORLD_HYPERVISOR:
		return csg_groups_of(g, CSG_GROUP_HYPERVISOR);
	default:
		return NULL;
	}
}

void csg_groups_add_functions(struct csg_groups *g, const struct csg_report_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct csg_group *group = of_row(g, &rows[i].label);

		if (group && group->function_count < CSG_GROUP_TOP)
			group->functions[group->function_count++] = (struct csg_group_function){
				.symbol = rows[i].symbol,
				.dso = rows[i].dso,
				.no_path = rows[i].no_path,
				.level = rows[i].label.level,
				.nested = rows[i].label.nested,
				.instructions = rows[i].instructions,
			};
	}
}
