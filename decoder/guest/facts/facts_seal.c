/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/facts_seal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csguest/error.h"
#include "guest/facts/guest_cpus.h"
#include "guest/facts/guest_fit.h"
#include "guest/facts/lives.h"
#include "guest/facts/process_numbers.h"
#include "guest/facts/switch_contradictions.h"

/* From when on a record may stand after those that were lost. */
static uint64_t lost_since(const struct csg_seen *lost)
{
	return lost->time > CSG_LOST_SLACK_NS ? lost->time - CSG_LOST_SLACK_NS : 0;
}

/* When it counts. */
static uint64_t counts_from(const struct csg_seen *seen)
{
	return seen->lost ? lost_since(seen) : seen->time;
}

/* What was lost comes first. */
static int by_time(const void *a, const void *b)
{
	const struct csg_seen *x = a, *y = b;
	uint64_t from = counts_from(x), other = counts_from(y);

	if (from != other)
		return from < other ? -1 : 1;
	if (x->lost != y->lost)
		return x->lost ? -1 : 1;
	return x->cpu != y->cpu ? (x->cpu < y->cpu ? -1 : 1) : 0;
}

/* Residency that is made of a machine's switches, and what else was seen on its CPUs. */
struct making {
	struct csg_residency *residency;
	const struct csg_seen *seen; /* in order of time */
	size_t seen_count;
};

static int pass_seen(const struct making *m, const struct csg_seen *seen)
{
	if (!seen->lost)
		return csg_residency_seen(m->residency, seen->cpu, seen->time, seen->pid,
					  seen->tid);
	csg_residency_lost(m->residency, seen->cpu);
	return 0;
}

static int pass_switch(const struct making *m, const struct csg_switch_record *r)
{
	if (r->out)
		return csg_residency_out(m->residency, r->cpu, r->time, r->pid, r->tid,
					 r->other_tid);
	return csg_residency_in(m->residency, r->cpu, r->time, r->pid, r->tid, r->other_tid);
}

/* Whether what was seen is passed before a switch at this time. */
static bool comes_first(const struct csg_seen *seen, uint64_t time)
{
	return seen->lost ? lost_since(seen) <= time : seen->time < time;
}

/*
 * The switches of one CPU, first to end, and between them what else was seen there.  Records were
 * lost before any that may be the one that stands after the loss.
 */
static int pass_cpu(const struct making *m, int32_t cpu, const struct csg_switch_record *first,
		    const struct csg_switch_record *end)
{
	uint64_t lost = 0; /* before this time */
	size_t i = 0;
	int err = 0;

	while (!err && (first < end || i < m->seen_count)) {
		const struct csg_seen *seen = i < m->seen_count ? &m->seen[i] : NULL;
		uint64_t time;

		if (seen && seen->cpu != cpu && !(seen->lost && seen->cpu < 0)) {
			i++;
			continue;
		}
		if (seen && (first == end || comes_first(seen, first->time))) {
			time = seen->time;
			lost = seen->lost && time > lost ? time : lost;
			err = pass_seen(m, &m->seen[i++]);
		} else {
			time = first->time;
			err = pass_switch(m, first++);
		}
		if (!err && time < lost)
			csg_residency_lost(m->residency, cpu);
	}
	csg_residency_settle(m->residency, cpu);
	csg_disk_memory_trim(m->residency->memory);
	return err;
}

/* The highest CPU that a record speaks of, or -1. */
static int32_t last_cpu(const struct making *m, const struct csg_switch_record *records, size_t n)
{
	int32_t cpu = n ? records[n - 1].cpu : -1;

	for (size_t i = 0; i < m->seen_count; i++)
		if (m->seen[i].cpu > cpu)
			cpu = m->seen[i].cpu;
	return cpu < CSG_RESIDENCY_CPUS ? cpu : CSG_RESIDENCY_CPUS - 1;
}

static void sort_seen(struct csg_seen *seen, size_t n)
{
	if (n)
		qsort(seen, n, sizeof(*seen), by_time);
}

/*
 * What was seen of a CPU without a switch tells that nobody else was there in between only where
 * switches are recorded at all: some are, of whatever CPU.
 */
static int make_residency(struct csg_facts *facts)
{
	const struct making m = {&facts->residency, facts->seen, facts->seen_count};
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);
	const struct csg_switch_record *r = host ? host->switches.records : NULL;
	const struct csg_switch_record *end = r ? r + host->switches.count : NULL;
	int32_t last = last_cpu(&m, r, (size_t)(end - r));
	int err = 0;

	sort_seen(facts->seen, facts->seen_count);
	if (host)
		err = csg_lives_seal(csg_facts_machine(facts, CSG_VM_HOST), facts->seen,
				     facts->seen_count);
	if (host && !err)
		err = csg_process_numbers_give(facts);
	for (int32_t cpu = 0; !err && host && cpu <= last; cpu++) {
		const struct csg_switch_record *first = r;

		while (r < end && r->cpu == cpu)
			r++;
		if (r > first || (host->clock.switches && host->switches.count))
			err = pass_cpu(&m, cpu, first, r);
	}
	/* The host's switches are in the intervals now. */
	if (host)
		csg_switches_fini(&csg_facts_machine(facts, CSG_VM_HOST)->switches);
	free(facts->seen);
	facts->seen = NULL;
	facts->seen_count = facts->seen_capacity = 0;
	if (!err && !facts->by_thread)
		facts->by_thread = calloc(1, sizeof(*facts->by_thread));
	if (!facts->by_thread)
		return -CSG_E_NO_MEMORY;
	csg_thread_intervals_fini(facts->by_thread);
	err = csg_holes_make(&facts->holes, &facts->residency);
	return err ? err
		   : csg_switch_contradictions(&facts->contradictions, CSG_VM_HOST,
					       &facts->residency);
}

/* Nobody is known to have run where records contradict each other. */
static void lose_tainted(struct csg_facts_machine *guest)
{
	size_t n;
	const struct csg_residency_taint *taints = csg_residency_taints(&guest->intervals, &n);

	for (size_t i = 0; i < n; i++)
		csg_switches_lose(&guest->switches, taints[i].cpu, taints[i].from + 1,
				  taints[i].until);
}

/* The same of a guest's threads.  perf has read what each CPU recorded up to the end of the
 * recording. */
static int make_intervals(struct csg_contradictions *contradictions,
			  struct csg_facts_machine *guest)
{
	const struct making m = {&guest->intervals, guest->lost, guest->lost_count};
	const struct csg_switch_record *r = guest->switches.records;
	const struct csg_switch_record *end = r ? r + guest->switches.count : NULL;
	int err;

	csg_residency_fini(&guest->intervals);
	sort_seen(guest->lost, guest->lost_count);
	err = csg_lives_seal(guest, guest->lost, guest->lost_count);
	while (!err && r < end) {
		const struct csg_switch_record *first = r;

		while (r < end && r->cpu == first->cpu)
			r++;
		err = pass_cpu(&m, first->cpu, first, r);
		if (!err)
			err = csg_residency_seen(&guest->intervals, first->cpu,
						 guest->switches.last_time, -1, -1);
	}
	lose_tainted(guest);
	return err ? err : csg_switch_contradictions(contradictions, guest->vm, &guest->intervals);
}

/*
 * A recording says from when to when it lasted.  What was injected into the host's is known to
 * have lasted from its first record to its last.
 */
static int seal_switches(struct csg_facts_machine *m)
{
	uint64_t first = m->clock.first_time, last = m->clock.last_time;
	int err;

	if (m->vm == CSG_VM_HOST) {
		csg_switches_sort(&m->switches);
		return 0;
	}
	if (m->clock.host_time) {
		first = UINT64_MAX;
		last = 0;
		for (size_t i = 0; i < m->switches.count; i++) {
			uint64_t time = m->switches.records[i].time;

			first = time < first ? time : first;
			last = time > last ? time : last;
		}
	}
	err = csg_switches_seal(&m->switches, first, last);
	for (size_t i = 0; !err && i < m->lost_count; i++)
		csg_switches_lose(&m->switches, m->lost[i].cpu, lost_since(&m->lost[i]),
				  m->lost[i].time);
	return err;
}

/*
 * perf inject --guest-data is given how far a guest's time lags the host's, and may have been given
 * a wrong one: what was injected is believed if all of it happened while the guest's vCPUs ran.
 */
static int check_injected(const struct csg_facts *facts, struct csg_facts_machine *m)
{
	enum csg_guest_fits fits;
	int err;

	if (!m->clock.host_time || !m->switches.count)
		return 0;
	err = csg_guest_fit(facts, m->vm, &m->clock, &m->switches, &fits);
	m->switches_lie |= fits != CSG_GUEST_FITS;
	return err;
}

/* Threads that sources name different vCPUs of. */
static int list_vcpus(struct csg_facts *facts)
{
	int err = 0;

	for (size_t i = 0; !err && i < facts->vcpus.count; i++) {
		const struct csg_vcpu_entry *entry = &facts->vcpus.entries[i];
		struct csg_contradiction one = {
			.kind = CSG_CONTRADICTION_VCPU,
			.cpu = -1,
			.vm = entry->vm > 0 ? entry->vm : CSG_VM_HOST,
			.begin = CSG_NO_INDEX,
			.end = CSG_NO_INDEX,
		};

		if (!entry->contradicted)
			continue;
		snprintf(one.text, sizeof(one.text),
			 "thread %" PRId32 " is said to run vCPUs of %s", entry->tid,
			 entry->vm > 0 ? "several numbers" : "several VMs");
		err = csg_contradictions_add(&facts->contradictions, &one);
	}
	return err;
}

int csg_facts_seal(struct csg_facts *facts)
{
	int err = 0;

	if (facts->sealed)
		return 0;
	for (size_t i = 0; !err && i < facts->count; i++) {
		struct csg_facts_machine *m = &facts->machines[i];

		facts->has_guests |= m->vm != CSG_VM_HOST && m->switches.count;
		m->cpus.looked = m->sought_offset = m->has_known_offset = false;
		err = seal_switches(m);
		if (!err && m->vm != CSG_VM_HOST)
			err = make_intervals(&facts->contradictions, m);
	}
	if (!err)
		err = facts->has_residency ? 0 : make_residency(facts);
	if (!err)
		err = csg_kvm_visits_seal(&facts->kvm_visits);
	facts->has_residency = !err;
	csg_facts_settle_vcpus(facts);
	facts->clocks.conv = csg_facts_clock(facts, CSG_VM_HOST)->conv;
	facts->clocks.residency = &facts->residency;
	facts->clocks.vcpus = &facts->vcpus;
	for (size_t i = 0; !err && i < facts->count; i++) {
		struct csg_facts_machine *m = &facts->machines[i];

		err = check_injected(facts, m);
		if (!err && m->vm != CSG_VM_HOST)
			err = csg_guest_cpus_look(facts, m);
	}
	if (!err)
		err = list_vcpus(facts);
	facts->sealed = !err;
	return err;
}
