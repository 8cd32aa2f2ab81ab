/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/process_numbers.h"

#include <stdlib.h>

#include "csguest/error.h"

#define MOST (INT32_MAX / CSG_VM_AGAIN)

/* --- which there were --- */

/* Whether a state of a main thread begins another process than the state before it. */
static bool begins_another(const struct csg_thread_state *before,
			   const struct csg_thread_state *state, int32_t pid)
{
	return state->begins || before->pid != pid || before->ended;
}

/* Until when a process certainly lived, by the last state of its main thread. */
static uint64_t end_before(const struct csg_thread_state *last, const struct csg_thread_state *next)
{
	if (next->begins && next->time)
		return next->time - 1;
	return last->ended ? last->ended : last->last;
}

/* When a thread of a process with this PID first ran a vCPU after a time; UINT64_MAX: never. */
static uint64_t runs_vcpu_after(const struct csg_facts *facts, const struct csg_facts_machine *host,
				int32_t pid, uint64_t time)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < facts->lives.naming_count; i++) {
		const struct csg_vcpu_naming *n = &facts->lives.namings[i];

		if (n->pid == pid && n->time > time && n->time < first)
			first = n->time;
	}
	for (size_t i = 0; i < facts->kvm_visits.event_count; i++) {
		const struct csg_attribution_kvm_event *e = &facts->kvm_visits.events[i];
		const struct csg_thread_state *state =
			csg_thread_at(&host->threads, e->tid, e->time);

		if (state && state->pid == pid && e->time > time && e->time < first)
			first = e->time;
	}
	return first;
}

/* No record names the main thread after its EXIT, but others do that run vCPUs: it is another
 * process. */
static int add_unnamed(struct csg_facts *facts, const struct csg_facts_machine *host,
		       const struct csg_thread *main, int32_t pid)
{
	const struct csg_thread_state *last = &main->states[main->count - 1];
	uint64_t again;

	if (last->pid != pid || !last->ended)
		return 0;
	again = runs_vcpu_after(facts, host, pid, last->ended);
	if (again == UINT64_MAX)
		return 0;
	facts->lives.lives[facts->lives.count - 1].until = last->ended;
	return csg_process_lives_add(&facts->lives, pid, again);
}

/* Of a PID that one process had, none. */
static int find_lives(struct csg_facts *facts, const struct csg_facts_machine *host,
		      const struct csg_thread *main, int32_t pid)
{
	struct csg_process_lives *l = &facts->lives;
	const size_t first = l->count;
	int err = 0;

	for (size_t i = 0; !err && i < main->count && l->count - first < MOST - 1; i++) {
		const struct csg_thread_state *state = &main->states[i];

		if (l->count > first && i && main->states[i - 1].pid == pid &&
		    (state->pid != pid || begins_another(state - 1, state, pid)))
			l->lives[l->count - 1].until = end_before(state - 1, state);
		if (state->pid == pid &&
		    (l->count == first || begins_another(state - 1, state, pid)))
			err = csg_process_lives_add(l, pid, i || state->begins ? state->time : 0);
	}
	if (!err && l->count > first)
		err = add_unnamed(facts, host, main, pid);
	if (l->count - first < 2)
		l->count = first;
	return err;
}

static int by_number(const void *pa, const void *pb)
{
	const int32_t a = *(const int32_t *)pa, b = *(const int32_t *)pb;

	return a < b ? -1 : a > b;
}

static int find_all_lives(struct csg_facts *facts, const struct csg_facts_machine *host)
{
	const struct csg_vcpus *vcpus = &facts->vcpus;
	int32_t *pids = calloc(vcpus->count + facts->count, sizeof(*pids));
	size_t n = 0;
	int err = pids ? 0 : -CSG_E_NO_MEMORY;

	for (size_t i = 0; !err && i < vcpus->count; i++)
		pids[n++] = vcpus->entries[i].vm;
	for (size_t i = 0; !err && i < facts->count; i++)
		pids[n++] = facts->machines[i].vm;
	if (n)
		qsort(pids, n, sizeof(*pids), by_number);
	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_thread *main = csg_thread_find(&host->threads, pids[i]);

		if (main && !main->disputed && pids[i] > 0 && pids[i] < CSG_VM_AGAIN &&
		    (!i || pids[i] != pids[i - 1]))
			err = find_lives(facts, host, main, pids[i]);
	}
	free(pids);
	return err;
}

/* --- which ran a VM --- */

/* The process of this PID in which a thread has a state; NULL: none, or several. */
static struct csg_process_life *only_life_of(const struct csg_process_lives *l,
					     const struct csg_thread *thread, int32_t pid)
{
	struct csg_process_life *only = NULL;

	for (size_t i = 0; thread && i < thread->count; i++) {
		const struct csg_thread_state *state = &thread->states[i];
		struct csg_process_life *life = csg_process_life_at(l, pid, state->time);

		if (state->pid != pid)
			continue;
		if (!life || (only && only != life) ||
		    csg_process_life_at(l, pid, state->last) != life)
			return NULL;
		only = life;
	}
	return only;
}

/* The process in which a thread reported the i-th of KVM's events; NULL: of a PID that one process
 * had. */
static struct csg_process_life *life_of_event(const struct csg_facts *facts,
					      const struct csg_facts_machine *host, size_t i)
{
	const struct csg_attribution_kvm_event *e = &facts->kvm_visits.events[i];
	const struct csg_thread_state *state = csg_thread_at(&host->threads, e->tid, e->time);

	return state ? csg_process_life_at(&facts->lives, csg_vm_pid(state->pid), e->time) : NULL;
}

static void note_events(const struct csg_facts *facts, const struct csg_facts_machine *host)
{
	for (size_t i = 0; i < facts->kvm_visits.event_count; i++) {
		struct csg_process_life *life = life_of_event(facts, host, i);

		if (life)
			life->runs_vm = true;
	}
}

static void find_vms(const struct csg_facts *facts, const struct csg_facts_machine *host)
{
	const struct csg_process_lives *l = &facts->lives;

	for (size_t i = 0; i < l->naming_count; i++) {
		const struct csg_vcpu_naming *n = &l->namings[i];
		struct csg_process_life *life = csg_process_life_at(l, n->pid, n->time);

		if (life)
			life->runs_vm = true;
	}
	note_events(facts, host);
	for (size_t i = 0; i < facts->vcpus.count; i++) {
		const struct csg_vcpu_entry *entry = &facts->vcpus.entries[i];
		const struct csg_thread *thread = csg_thread_find(&host->threads, entry->tid);
		struct csg_process_life *life = only_life_of(l, thread, entry->vm);

		if (life && entry->source != CSG_VCPU_BY_NAME)
			life->runs_vm = true;
	}
}

/* The only one that ran a VM keeps the PID; of several each has its number, first those that
 * did. */
static void give_numbers(struct csg_process_life *lives, size_t n)
{
	int32_t vms = 0, next = 1;

	for (size_t i = 0; i < n; i++)
		vms += lives[i].runs_vm;
	for (int others = 0; others < 2; others++)
		for (size_t i = 0; i < n; i++)
			if (lives[i].runs_vm == !others && (vms != 1 || others))
				lives[i].number = lives[i].pid + next++ * CSG_VM_AGAIN;
}

/* --- numbers in the place of PIDs --- */

static int32_t number_or_several(const struct csg_process_lives *l, int32_t pid, uint64_t time)
{
	const int32_t number = csg_process_number(l, pid, time);

	return number < 0 ? CSG_PID_SEVERAL : number;
}

/*
 * A state of a PID that lasted over the end of a process: between its first and its last record it
 * was one process's, and then the other's.
 */
static int number_state(const struct csg_process_lives *l, struct csg_thread *thread, size_t i)
{
	struct csg_thread_state *state = &thread->states[i];
	struct csg_thread_state later = *state;

	if (state->pid < 0)
		return 0;
	state->pid = number_or_several(l, later.pid, later.time);
	later.pid = number_or_several(l, later.pid, later.last);
	if (later.pid == state->pid)
		return 0;
	later.time = later.last;
	later.begins = false;
	later.ended = 0;
	/* Until its EXIT it was there. */
	state->last = state->ended ? state->ended : state->time;
	return csg_thread_insert(thread, i + 1, &later);
}

static int number_threads(const struct csg_process_lives *l, struct csg_facts_machine *host)
{
	int err = 0;

	for (size_t k = 0; !err && k < host->threads.count; k++) {
		struct csg_thread *thread = &host->threads.threads[k];

		for (size_t i = 0; !err && i < thread->count; i++)
			if (thread->states[i].pid < CSG_VM_AGAIN)
				err = number_state(l, thread, i);
	}
	return err;
}

static void number_records(struct csg_facts *facts, struct csg_facts_machine *host)
{
	const struct csg_process_lives *l = &facts->lives;

	for (size_t i = 0; i < host->switches.count; i++) {
		struct csg_switch_record *r = &host->switches.records[i];

		r->pid = csg_process_number(l, r->pid, r->time);
		r->other_pid = csg_process_number(l, r->other_pid, r->time);
		csg_switches_pass(&host->switches, i);
	}
	for (size_t i = 0; i < facts->seen_count; i++)
		facts->seen[i].pid = csg_process_number(l, facts->seen[i].pid, facts->seen[i].time);
}

/* The VM of an entry without a time; CSG_VM_UNKNOWN: it may be of any of several. */
static int32_t vm_of_entry(const struct csg_facts *facts, const struct csg_facts_machine *host,
			   const struct csg_vcpu_entry *entry)
{
	const struct csg_thread *thread = csg_thread_find(&host->threads, entry->tid);
	const struct csg_process_life *only = only_life_of(&facts->lives, thread, entry->vm);
	struct csg_process_life *lives;
	size_t n = csg_process_lives_of(&facts->lives, entry->vm, &lives);

	for (size_t i = 0; !only && i < n; i++)
		if (lives[i].number == entry->vm)
			return entry->vm;
	return only ? only->number : CSG_VM_UNKNOWN;
}

static int number_events(struct csg_facts *facts, const struct csg_facts_machine *host)
{
	int err = 0;

	for (size_t i = 0; !err && i < facts->kvm_visits.event_count; i++) {
		const struct csg_process_life *life = life_of_event(facts, host, i);
		const struct csg_vcpu_entry entry = {.tid = facts->kvm_visits.events[i].tid,
						     .vm = life ? life->number : CSG_VM_UNKNOWN,
						     .vcpu = CSG_VCPU_UNKNOWN,
						     .source = CSG_VCPU_BY_EVENT};

		err = life ? csg_vcpus_add(&facts->vcpus, &entry) : 0;
	}
	return err;
}

/* The vCPU table anew: what was named or reported at a time is of the VM of that time. */
static int number_vcpus(struct csg_facts *facts, const struct csg_facts_machine *host)
{
	struct csg_process_lives *l = &facts->lives;
	struct csg_vcpus old = facts->vcpus;
	struct csg_process_life *lives;
	int err = 0;

	facts->vcpus = (struct csg_vcpus){.was = old.was, .arg = old.arg};
	for (size_t i = 0; !err && i < old.count; i++) {
		struct csg_vcpu_entry entry = old.entries[i];

		if (csg_process_lives_of(l, entry.vm, &lives))
			entry.vm = entry.source == CSG_VCPU_BY_NAME
					   ? CSG_VM_UNKNOWN
					   : vm_of_entry(facts, host, &entry);
		if (entry.vm > 0 || entry.vm == old.entries[i].vm)
			err = csg_vcpus_add(&facts->vcpus, &entry);
	}
	for (size_t i = 0; !err && i < l->naming_count; i++) {
		const struct csg_vcpu_naming *n = &l->namings[i];
		const int32_t number = csg_process_number(l, n->pid, n->time);

		if (number > 0 && csg_process_lives_of(l, n->pid, &lives))
			err = csg_vcpus_add(&facts->vcpus,
					    &(struct csg_vcpu_entry){.tid = n->tid,
								     .vm = number,
								     .vcpu = n->vcpu,
								     .source = CSG_VCPU_BY_NAME});
	}
	csg_vcpus_fini(&old);
	return err ? err : number_events(facts, host);
}

int csg_process_numbers_give(struct csg_facts *facts)
{
	struct csg_facts_machine *host = csg_facts_machine(facts, CSG_VM_HOST);
	struct csg_process_lives *l = &facts->lives;
	struct csg_process_life *lives;
	int err = host ? 0 : -CSG_E_NO_MEMORY;

	/* Who knows all threads himself knows their processes by their PIDs. */
	if (err || facts->options.process_of)
		return err;
	err = find_all_lives(facts, host);
	if (err || !l->count)
		return err;
	find_vms(facts, host);
	for (size_t i = 0, n; i < l->count; i += n) {
		n = csg_process_lives_of(l, l->lives[i].pid, &lives);
		give_numbers(lives, n);
	}
	err = number_vcpus(facts, host);
	if (!err)
		err = number_threads(l, host);
	number_records(facts, host);
	return err;
}

bool csg_process_runs_none(const struct csg_facts *facts, int32_t tid, uint64_t from,
			   uint64_t until)
{
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);
	const struct csg_thread *thread = host ? csg_thread_find(&host->threads, tid) : NULL;
	bool known = thread && !thread->disputed && !csg_spans_meet(&host->lost_spans, from, until);

	for (size_t i = 0; known && i < thread->count && thread->states[i].time <= until; i++) {
		const struct csg_thread_state *state = &thread->states[i];

		if (i + 1 < thread->count && thread->states[i + 1].time <= from)
			continue;
		known = (state->begins || !i || thread->states[i - 1].pid == state->pid) &&
			csg_vcpus_vm_of(&facts->vcpus, state->pid, tid) == CSG_VM_HOST;
	}
	return known;
}
