/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/group_waits.h"

#include <stdlib.h>

#include "util/array.h"

/* All threads of a VM's VMM work for it. */
static struct csg_group_ran ran_of(const struct csg_groups *g, const struct csg_wait_ran *row)
{
	const struct csg_group *vm = row->pid > 0 ? csg_groups_vm(g, row->pid) : NULL;

	if (vm)
		return (struct csg_group_ran){vm->vm, -1, vm->name, row->time};
	return (struct csg_group_ran){CSG_VM_HOST, row->tid, NULL, row->time};
}

static int by_who(const void *pa, const void *pb)
{
	const struct csg_group_ran *a = pa, *b = pb;

	if (a->vm != b->vm)
		return a->vm < b->vm ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

static int by_time(const void *pa, const void *pb)
{
	const struct csg_group_ran *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return by_who(pa, pb);
}

/* Rows of one VM, and of the idle threads of all CPUs, become one. */
static size_t merge(struct csg_group_ran *ran, size_t n)
{
	size_t to = 0;

	qsort(ran, n, sizeof(*ran), by_who);
	for (size_t i = 0; i < n; i++) {
		if (to && !by_who(&ran[to - 1], &ran[i]))
			ran[to - 1].time += ran[i].time;
		else
			ran[to++] = ran[i];
	}
	return to;
}

static int add_ran(const struct csg_groups *g, const struct csg_group_waits *from,
		   const struct csg_slice_window *w, struct csg_group *group)
{
	struct csg_wait_ran *rows;
	size_t n;
	int err = csg_waits_ran_instead(from->waits, group->vm, w->begin, w->end, &rows, &n);

	if (err || !n) {
		free(rows);
		return err;
	}
	err = csg_array_reserve((void **)&group->ran, &group->ran_capacity, group->ran_count + n,
				sizeof(*group->ran));
	for (size_t i = 0; !err && i < n; i++)
		group->ran[group->ran_count++] = ran_of(g, &rows[i]);
	free(rows);
	return err;
}

static void sort_ran(const struct csg_group_waits *from, struct csg_group *group)
{
	const size_t n = merge(group->ran, group->ran_count);

	group->ran_count = n;
	qsort(group->ran, n, sizeof(*group->ran), by_time);
	for (size_t i = 0; i < n; i++)
		if (group->ran[i].vm == CSG_VM_HOST && group->ran[i].tid > 0)
			group->ran[i].name = from->comm(from->arg, group->ran[i].tid);
}

int csg_groups_add_waits(struct csg_groups *g, const struct csg_group_waits *from)
{
	const struct csg_groups_vcpus *vcpus = from->vcpus;
	const struct csg_slice_windows *windows = from->windows;
	int err = 0;

	for (size_t i = 0; i < vcpus->n; i++) {
		const int32_t vm = vcpus->entries[i].vm;
		struct csg_group *group = vm > 0 ? csg_groups_vm(g, vm) : NULL;

		if (!group || !windows->n ||
		    (from->wanted && !from->wanted(from->arg, &vcpus->entries[i])))
			continue;
		csg_waits_trim(from->waits);
		group->has_waits = true;
		for (size_t k = 0; k < windows->n; k++)
			csg_waits_between(from->waits, vm, vcpus->entries[i].tid,
					  windows->at[k].begin, windows->at[k].end, &group->waits);
	}
	for (size_t i = 0; i < g->n; i++) {
		for (size_t k = 0; !err && g->groups[i].has_waits && k < windows->n; k++)
			err = add_ran(g, from, &windows->at[k], &g->groups[i]);
		if (g->groups[i].ran_count)
			sort_ran(from, &g->groups[i]);
	}
	return err;
}
