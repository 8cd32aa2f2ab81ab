/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary/group_waits.h"

#include <stdlib.h>

#include "csguest/error.h"

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
		   struct csg_group *group)
{
	struct csg_wait_ran *rows;
	size_t n;
	int err = csg_waits_ran_instead(from->waits, group->vm, from->begin, from->end, &rows, &n);

	if (err || !n) {
		free(rows);
		return err;
	}
	group->ran = calloc(n, sizeof(*group->ran));
	for (size_t i = 0; group->ran && i < n; i++)
		group->ran[i] = ran_of(g, &rows[i]);
	free(rows);
	if (!group->ran)
		return -CSG_E_NO_MEMORY;
	n = group->ran_count = merge(group->ran, n);
	qsort(group->ran, n, sizeof(*group->ran), by_time);
	for (size_t i = 0; i < n; i++)
		if (group->ran[i].vm == CSG_VM_HOST && group->ran[i].tid > 0)
			group->ran[i].name = from->comm(from->arg, group->ran[i].tid);
	return 0;
}

int csg_groups_add_waits(struct csg_groups *g, const struct csg_group_waits *from)
{
	const struct csg_groups_vcpus *vcpus = from->vcpus;
	int err = 0;

	for (size_t i = 0; i < vcpus->n; i++) {
		const int32_t vm = vcpus->entries[i].vm;
		struct csg_group *group = vm > 0 ? csg_groups_vm(g, vm) : NULL;

		if (!group || from->end <= from->begin ||
		    (from->wanted && !from->wanted(from->arg, &vcpus->entries[i])))
			continue;
		group->has_waits = true;
		csg_waits_between(from->waits, vm, vcpus->entries[i].tid, from->begin, from->end,
				  &group->waits);
	}
	for (size_t i = 0; !err && i < g->n; i++)
		if (g->groups[i].has_waits)
			err = add_ran(g, from, &g->groups[i]);
	return err;
}
