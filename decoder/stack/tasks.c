/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/tasks.h"

#include <stdlib.h>
#include <string.h>

static unsigned int bucket(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca6bu ^ c * 0xc2b2ae35u;

	return (h ^ h >> 15) % CSG_TASK_BUCKETS;
}

void csg_tasks_fini(struct csg_tasks *tasks)
{
	for (size_t i = 0; i < CSG_TASK_BUCKETS; i++) {
		while (tasks->tasks[i]) {
			struct csg_task_slot *slot = tasks->tasks[i];

			tasks->tasks[i] = slot->next;
			csg_frames_fini(&slot->kernel);
			csg_frames_fini(&slot->user);
			free(slot);
		}
		while (tasks->runners[i]) {
			struct csg_runner *runner = tasks->runners[i];

			tasks->runners[i] = runner->next;
			free(runner);
		}
	}
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
	bool people = owner->world == CSG_WORLD_HOST || owner->world == CSG_WORLD_GUEST;

	return (struct csg_task_key){
		.world = owner->world,
		.vm = owner->vm,
		.tid = !people || nameless || owner->tid < 0 ? -1 : owner->tid,
		.place = thread && people ? 0 : csg_owner_place(owner, stream),
		.guest_tid = csg_owner_guest_tid(owner),
	};
}

struct csg_task *csg_tasks_find(struct csg_tasks *tasks, const struct csg_task_key *key)
{
	unsigned int at = bucket((uint32_t)key->vm * 8 + (uint32_t)key->world, (uint32_t)key->tid,
				 (uint32_t)key->place);
	struct csg_task_slot *slot;

	for (slot = tasks->tasks[at]; slot; slot = slot->next)
		if (!memcmp(&slot->task.key, key, sizeof(*key)))
			return &slot->task;
	slot = calloc(1, sizeof(*slot));
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
	slot->next = tasks->tasks[at];
	tasks->tasks[at] = slot;
	return &slot->task;
}

struct csg_runner *csg_tasks_runner(struct csg_tasks *tasks, int32_t vm, int32_t place,
				    int32_t guest_tid)
{
	unsigned int at = bucket((uint32_t)vm, (uint32_t)place, 0);
	struct csg_runner *runner;

	for (runner = tasks->runners[at]; runner; runner = runner->next)
		if (runner->vm == vm && runner->place == place && runner->guest_tid == guest_tid)
			return runner;
	runner = calloc(1, sizeof(*runner));
	if (!runner)
		return NULL;
	runner->vm = vm;
	runner->place = place;
	runner->guest_tid = guest_tid;
	runner->next = tasks->runners[at];
	tasks->runners[at] = runner;
	return runner;
}
