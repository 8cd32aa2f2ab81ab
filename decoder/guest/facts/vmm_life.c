/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/vmm_life.h"

/* When a thread's state ended for certain: UINT64_MAX where nothing says so. */
static uint64_t end_of(const struct csg_thread *thread, size_t i)
{
	const struct csg_thread_state *state = &thread->states[i];

	if (state->ended)
		return state->ended;
	return i + 1 < thread->count ? thread->states[i + 1].time : UINT64_MAX;
}

static void add_thread(const struct csg_thread *thread, int32_t pid, struct csg_vmm_life *life,
		       bool *begins)
{
	for (size_t i = 0; i < thread->count; i++) {
		const struct csg_thread_state *state = &thread->states[i];
		uint64_t end = end_of(thread, i);

		if (state->pid != pid && !thread->disputed)
			continue;
		if (state->time < life->from) {
			life->from = state->time;
			*begins = state->begins && thread->tid == csg_vm_pid(pid) &&
				  !thread->disputed;
		}
		if (end > life->until || thread->disputed)
			life->until = thread->disputed ? UINT64_MAX : end;
	}
}

struct csg_vmm_life csg_vmm_life(const struct csg_facts_machine *host, int32_t pid)
{
	struct csg_vmm_life life = {.from = UINT64_MAX};
	bool begins = false;

	for (size_t i = 0; i < host->threads.count; i++)
		add_thread(&host->threads.threads[i], pid, &life, &begins);
	if (!begins || csg_spans_meet(&host->lost_spans, 0, life.from))
		return (struct csg_vmm_life){0, UINT64_MAX};
	if (csg_spans_meet(&host->lost_spans, life.from, UINT64_MAX))
		life.until = UINT64_MAX;
	return life;
}
