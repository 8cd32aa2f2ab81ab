/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_cpus.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/facts/guest_fit.h"

/* --- which CPUs, and who has their numbers --- */

static struct csg_guest_cpu made(const struct csg_facts *facts, int32_t vm, int32_t number)
{
	struct csg_guest_cpu cpu = {
		.cpu = number, .namesake = CSG_PID_UNKNOWN, .tid = CSG_PID_UNKNOWN};

	for (size_t i = 0; i < facts->vcpus.count; i++) {
		const struct csg_vcpu_entry *entry = &facts->vcpus.entries[i];

		if (entry->vm != vm || entry->vcpu != number)
			continue;
		cpu.disputed = cpu.namesake != CSG_PID_UNKNOWN;
		cpu.namesake = entry->tid;
	}
	return cpu;
}

/* Sealed records are in order of their CPUs. */
static int list(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	const struct csg_switch_record *r = guest->switches.records;
	struct csg_guest_cpus *cpus = &guest->cpus;
	size_t n = 0;

	for (size_t i = 0; i < guest->switches.count; i++)
		n += !i || r[i].cpu != r[i - 1].cpu;
	free(cpus->cpus);
	cpus->count = 0;
	cpus->cpus = calloc(n ? n : 1, sizeof(*cpus->cpus));
	if (!cpus->cpus)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < guest->switches.count; i++)
		if (!i || r[i].cpu != r[i - 1].cpu)
			cpus->cpus[cpus->count++] = made(facts, guest->vm, r[i].cpu);
	return 0;
}

static int compare_with_namesakes(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	struct csg_guest_cpus *cpus = &guest->cpus;
	int err = 0;

	cpus->contradicted = false;
	for (size_t i = 0; !err && i < cpus->count; i++) {
		struct csg_guest_cpu *cpu = &cpus->cpus[i];
		enum csg_guest_fits fits;

		if (cpu->namesake == CSG_PID_UNKNOWN || cpu->disputed)
			continue;
		err = csg_guest_fit_cpus(facts, guest, cpu->namesake, &cpu->cpu, 1, &fits);
		cpu->contradicted = !err && fits == CSG_GUEST_FITS_NOT;
		cpus->contradicted |= cpu->contradicted;
	}
	return err;
}

/* --- which thread each CPU can be --- */

/* How each CPU fits each thread: a row for each thread, the last one is of those nobody listed. */
struct table {
	const struct csg_vcpu_entry **threads;
	size_t count;
	int32_t *numbers; /* of the CPUs */
	size_t cpus;
	enum csg_guest_fits *fits;
};

static enum csg_guest_fits *fits_of(const struct table *t, size_t cpu, size_t thread)
{
	return &t->fits[thread * t->cpus + cpu];
}

static int fill(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		struct table *t)
{
	int err = 0;

	for (size_t i = 0; i < t->cpus; i++)
		t->numbers[i] = guest->cpus.cpus[i].cpu;
	for (size_t k = 0; !err && k <= t->count; k++)
		err = csg_guest_fit_cpus(facts, guest,
					 k < t->count ? t->threads[k]->tid : CSG_PID_UNKNOWN,
					 t->numbers, t->cpus, fits_of(t, 0, k));
	return err;
}

/* The only thread that CPU i can be, or t->count + 1. */
static size_t only_thread(const struct table *t, size_t i)
{
	size_t only = t->count + 1;

	for (size_t k = 0; k <= t->count; k++) {
		if (*fits_of(t, i, k) == CSG_GUEST_FITS_NOT)
			continue;
		if (only <= t->count)
			return t->count + 1;
		only = k;
	}
	return only;
}

/* What is one CPU is no other.  True: something was struck out. */
static bool strike_out(const struct table *t, size_t i, size_t thread)
{
	bool any = false;

	for (size_t other = 0; other < t->cpus; other++)
		if (other != i && *fits_of(t, other, thread) != CSG_GUEST_FITS_NOT) {
			*fits_of(t, other, thread) = CSG_GUEST_FITS_NOT;
			any = true;
		}
	return any;
}

static void eliminate(const struct table *t)
{
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < t->cpus; i++) {
			size_t thread = only_thread(t, i);

			if (thread < t->count)
				again |= strike_out(t, i, thread);
		}
	}
}

/* A CPU that can be no thread at all: the records are not of this guest. */
static bool any_impossible(const struct table *t)
{
	for (size_t i = 0; i < t->cpus; i++) {
		size_t k = 0;

		while (k <= t->count && *fits_of(t, i, k) == CSG_GUEST_FITS_NOT)
			k++;
		if (k > t->count)
			return true;
	}
	return false;
}

static void assign(const struct table *t, struct csg_guest_cpus *cpus)
{
	eliminate(t);
	for (size_t i = 0; i < t->cpus && !any_impossible(t); i++) {
		size_t thread = only_thread(t, i);

		if (thread < t->count && *fits_of(t, i, thread) == CSG_GUEST_FITS)
			cpus->cpus[i].tid = t->threads[thread]->tid;
	}
}

static int try_all(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	struct table t = {.cpus = guest->cpus.count};
	int err = -CSG_E_NO_MEMORY;

	t.threads = malloc((facts->vcpus.count + 1) * sizeof(*t.threads));
	for (size_t i = 0; t.threads && i < facts->vcpus.count; i++)
		if (facts->vcpus.entries[i].vm == guest->vm)
			t.threads[t.count++] = &facts->vcpus.entries[i];
	t.numbers = malloc((t.cpus + 1) * sizeof(*t.numbers));
	t.fits = malloc((t.cpus * (t.count + 1) + 1) * sizeof(*t.fits));
	if (t.threads && t.numbers && t.fits)
		err = fill(facts, guest, &t);
	if (!err)
		assign(&t, &guest->cpus);
	free(t.threads);
	free(t.numbers);
	free(t.fits);
	return err;
}

/* A vCPU whose number is not known, or not its alone, can only be found by what fits it. */
static bool any_unnumbered(const struct csg_facts *facts, const struct csg_guest_cpus *cpus,
			   int32_t vm)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (cpus->cpus[i].disputed)
			return true;
	for (size_t i = 0; i < facts->vcpus.count; i++)
		if (facts->vcpus.entries[i].vm == vm &&
		    facts->vcpus.entries[i].vcpu == CSG_VCPU_UNKNOWN)
			return true;
	return false;
}

/* --- the only one --- */

/* Takes a thread that may run a vCPU; false: there is another. */
static bool take_only(int32_t *only, int32_t tid)
{
	if (*only && *only != tid)
		return false;
	*only = tid;
	return true;
}

static bool only_among_intervals(const struct csg_facts *facts, int32_t vm, int32_t *only)
{
	const struct csg_thread_intervals *by_thread = csg_facts_by_thread(facts);

	for (size_t i = 0; by_thread && i < by_thread->threads.count; i++) {
		const struct csg_on_cpu_place *places;
		size_t n;
		const struct csg_on_cpu_thread *thread =
			csg_thread_intervals_of(by_thread, i, &places, &n);

		if (csg_vcpus_may_run(&facts->vcpus, thread->pid, thread->tid, vm) &&
		    !take_only(only, thread->tid))
			return false;
	}
	return by_thread;
}

static bool only_among_threads(const struct csg_facts *facts, int32_t vm, int32_t *only)
{
	const struct csg_facts_machine *host = csg_facts_find(facts, CSG_VM_HOST);

	for (size_t i = 0; host && i < host->threads.count; i++) {
		const struct csg_thread *thread = &host->threads.threads[i];

		for (size_t k = 0; k < thread->count; k++)
			if (csg_vcpus_may_run(&facts->vcpus, thread->states[k].pid, thread->tid,
					      vm) &&
			    !take_only(only, thread->tid))
				return false;
	}
	return true;
}

/* The only thread of the host that may run a vCPU of vm, or 0: its records must tell of all
 * threads. */
static int32_t only_vcpu(const struct csg_facts *facts, int32_t vm)
{
	int32_t only = 0;

	if (!csg_facts_clock(facts, CSG_VM_HOST)->switches)
		return 0;
	for (size_t i = 0; i < facts->vcpus.count; i++) {
		const struct csg_vcpu_entry *entry = &facts->vcpus.entries[i];

		if ((entry->vm == vm || entry->vm == CSG_VM_UNKNOWN) &&
		    !take_only(&only, entry->tid))
			return 0;
	}
	return only_among_intervals(facts, vm, &only) && only_among_threads(facts, vm, &only) ? only
											      : 0;
}

/* --- looking --- */

/* Whether the offset is known much better than it was. */
static bool is_narrower(const struct csg_offset *was, const struct csg_offset *is)
{
	uint64_t before = (uint64_t)was->high - (uint64_t)was->low;
	uint64_t now = (uint64_t)is->high - (uint64_t)is->low;

	return now < before / 4 || is->low > was->high || is->high < was->low;
}

static size_t count_vcpus(const struct csg_facts *facts, int32_t vm)
{
	size_t n = 0;

	for (size_t i = 0; i < facts->vcpus.count; i++)
		n += facts->vcpus.entries[i].vm == vm ||
		     facts->vcpus.entries[i].vm == CSG_VM_UNKNOWN;
	return n;
}

/* vCPUs only become more while streams are fed. */
static bool has_new_vcpus(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	size_t before = guest->cpus.vcpus;

	if (guest->cpus.all_vcpus == facts->vcpus.count)
		return false;
	guest->cpus.all_vcpus = facts->vcpus.count;
	guest->cpus.vcpus = count_vcpus(facts, guest->vm);
	return guest->cpus.vcpus != before;
}

static bool has_news(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	bool more = has_new_vcpus(facts, guest);
	struct csg_offset offset;

	if (!guest->cpus.looked || more)
		return true;
	return !guest->clock.host_time && csg_facts_any_offset(facts, guest->vm, &offset) &&
	       is_narrower(&guest->cpus.offset, &offset);
}

int csg_guest_cpus_look(const struct csg_facts *facts, struct csg_facts_machine *guest)
{
	struct csg_guest_cpus *cpus = &guest->cpus;
	int err;

	if (!guest->switches.count || !has_news(facts, guest))
		return 0;
	cpus->looked = true;
	if (!csg_facts_any_offset(facts, guest->vm, &cpus->offset))
		cpus->offset = (struct csg_offset){CSG_OFFSET_MIN, CSG_OFFSET_MAX};
	cpus->only = guest->clock.cpus == 1 ? only_vcpu(facts, guest->vm) : 0;
	cpus->only_cpu = csg_switches_only_cpu(&guest->switches);
	err = list(facts, guest);
	if (!err)
		err = compare_with_namesakes(facts, guest);
	if (!err && (cpus->contradicted || any_unnumbered(facts, cpus, guest->vm)))
		err = try_all(facts, guest);
	return err;
}
