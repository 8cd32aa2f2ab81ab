/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who has call stacks: tasks, and what runs tasks.
 *
 * A task is a thread of a machine with its two stacks, one of its kernel and one of its user
 * code.  A thread that nothing names is known by what it runs on: a vCPU's thread of the host,
 * or a CPU.  So is thread 0, the idle thread, of which each CPU has one of its own.
 *
 * A vCPU is what a guest's tasks run on: by the thread of the host that runs it.
 */
#ifndef DECODER_STACK_TASKS_H
#define DECODER_STACK_TASKS_H

#include "csguest/owner.h"
#include "stack/frames.h"
#include "util/keyset.h"

/* A task with its stacks; the task is first. */
struct csg_task_slot {
	struct csg_task task;
	struct csg_frames kernel, user;
};

/* Where a machine's tasks are switched: a host's CPU, or a guest's vCPU. */
struct csg_runner {
	struct csg_task *task; /* that its kernel runs; NULL: not known */
	bool unnamed; /* a switch was seen, but not to whom: task is the vCPU's nameless one */
};

/* Structs by their keys; pointers to them stay valid. */
struct csg_task_table {
	struct csg_keyset keys;
	void **entries; /* by number of the key; NULL: there was no memory for it */
	size_t count;
};

struct csg_tasks {
	struct csg_task_table tasks, runners;
};

void csg_tasks_init(struct csg_tasks *tasks);
void csg_tasks_fini(struct csg_tasks *tasks);

/* What a guest's tasks run on: the host's thread, else the vCPU, else the CPU (stream). */
int32_t csg_owner_place(const struct csg_owner *owner, uint32_t stream);

/* Of a guest of a guest the guest's thread that runs it; else 0. */
int32_t csg_owner_guest_tid(const struct csg_owner *owner);

/* The key of owner's task; nameless: as though its thread were not known. */
struct csg_task_key csg_task_key(const struct csg_owner *owner, uint32_t stream, bool nameless);

/* The task or vCPU, made when new; NULL: out of memory. */
struct csg_task *csg_tasks_find(struct csg_tasks *tasks, const struct csg_task_key *key);
struct csg_runner *csg_tasks_runner(struct csg_tasks *tasks, int32_t vm, int32_t place,
				    int32_t guest_tid);

#endif
