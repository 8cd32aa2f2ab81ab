/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/tasks.h"

#include <stdlib.h>

#include "util/array.h"

struct runner_key {
	int32_t vm, place, guest_tid;
};

void csg_tasks_init(struct csg_tasks *tasks)
{
	*tasks = (struct csg_tasks){0};
	csg_keyset_init(&tasks->tasks.keys, sizeof(struct csg_task_key));
	csg_keyset_init(&tasks->runners.keys, sizeof(struct runner_key));
}

static void fini_table(struct csg_task_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->entries[i]);
	free(table->entries);
	csg_keyset_fini(&table->keys);
}

void csg_tasks_fini(struct csg_tasks *tasks)
{
	for (size_t i = 0; i < tasks->tasks.count; i++) {
		struct csg_task_slot *slot = tasks->tasks.entries[i];

		if (!slot)
			continue;
		csg_frames_fini(&slot->kernel);
		csg_frames_fini(&slot->user);
	}
	fini_table(&tasks->tasks);
	fini_table(&tasks->runners);
}

/* The place of key's entry, which is NULL if it has to be made; NULL: out of memory. */
static void **place_of(struct csg_task_table *table, const void *key)
{
	const int64_t number = csg_keyset_add(&table->keys, key);

	if (number < 0 || csg_array_reach((void **)&table->entries, &table->count, (size_t)number,
					  sizeof(*table->entries)))
		return NULL;
	return &table->entries[number];
}

int32_t csg_owner_place(const struct csg_owner *owner, uint32_t stream)
{
	if (owner->world == CSG_WORLD_GUEST && owner->host_tid >= 0)
		return owner->host_tid;
	return -2 - (int32_t)stream;
}

int32_t csg_owner_guest_tid(const struct csg_owner *owner)
{
	return owner->level == CSG_LEVEL_NESTED ? owner->guest_tid : 0;
}

struct csg_task_key csg_task_key(const struct csg_owner *owner, uint32_t stream, bool nameless)
{
	bool thread = owner->tid > 0 && !nameless;
	/* The hypervisor and firmware have one stack for each CPU, whoever called them. */
	bool has_threads = owner->world == CSG_WORLD_HOST || owner->world == CSG_WORLD_GUEST;

	return (struct csg_task_key){
		.world = owner->world,
		.vm = owner->vm,
		.tid = !has_threads || nameless || owner->tid < 0 ? -1 : owner->tid,
		.place = thread && has_threads ? 0 : csg_owner_place(owner, stream),
		.guest_tid = csg_owner_guest_tid(owner),
	};
}

/* A task without frames. */
static struct csg_task_slot *new_task(const struct csg_task_key *key)
{
	struct csg_task_slot *slot = calloc(1, sizeof(*slot));

	if (!slot)
		return NULL;
	csg_frames_init(&slot->kernel, &slot->task);
	csg_frames_init(&slot->user, &slot->task);
	slot->task = (struct csg_task){
		.size = sizeof(slot->task),
		.key = *key,
		.kernel = &slot->kernel.stack,
		.user = &slot->user.stack,
	};
	return slot;
}

struct csg_task *csg_tasks_find(struct csg_tasks *tasks, const struct csg_task_key *key)
{
	void **place = place_of(&tasks->tasks, key);

	if (place && !*place)
		*place = new_task(key);
	return place ? *place : NULL; /* the task is first in its slot */
}

struct csg_runner *csg_tasks_runner(struct csg_tasks *tasks, int32_t vm, int32_t place,
				    int32_t guest_tid)
{
	const struct runner_key key = {vm, place, guest_tid};
	void **runner = place_of(&tasks->runners, &key);

	if (runner && !*runner)
		*runner = calloc(1, sizeof(struct csg_runner));
	return runner ? *runner : NULL;
}
