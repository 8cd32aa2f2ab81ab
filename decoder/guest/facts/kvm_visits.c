/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/kvm_visits.h"

#include <stdlib.h>

#include "util/array.h"
#include "base/deal.h"
#include "util/bisect.h"
#include "csguest/error.h"

/* arch/arm64/include/asm/kvm_asm.h */
enum { ARM_EXCEPTION_IRQ = 0, ARM_EXCEPTION_TRAP = 2 };

/* ESR_ELx.EC of HVC in AArch32 and AArch64. */
enum { EC_HVC32 = 0x12, EC_HVC64 = 0x16 };

/* TYPE of an exception packet (Arm IHI 0064). */
enum { PACKET_CALL = 0x2, PACKET_SERROR = 0x4, PACKET_IRQ = 0xe, PACKET_FIQ = 0xf };

void csg_kvm_visits_fini(struct csg_kvm_visits *v)
{
	free(v->events);
	free(v->visits);
	*v = (struct csg_kvm_visits){0};
}

int csg_kvm_visits_add(struct csg_kvm_visits *v, const struct csg_attribution_kvm_event *event)
{
	if (csg_array_grow((void **)&v->events, v->event_count, &v->event_capacity,
			   sizeof(*v->events)))
		return -CSG_E_NO_MEMORY;
	v->events[v->event_count++] = *event;
	return 0;
}

/* --- what was reported --- */

#define ORDER(x, y)                                                                                \
	do {                                                                                       \
		if ((x) != (y))                                                                    \
			return (x) < (y) ? -1 : 1;                                                 \
	} while (0)

static int32_t tid_of(const void *event)
{
	return ((const struct csg_attribution_kvm_event *)event)->tid;
}

static int by_thread_and_time(const void *a, const void *b)
{
	const struct csg_attribution_kvm_event *x = a, *y = b;

	ORDER(x->tid, y->tid);
	ORDER(x->time, y->time);
	ORDER(x->exit, y->exit);
	ORDER(x->cpu, y->cpu);
	ORDER(x->pc, y->pc);
	return 0;
}

static int32_t cpu_of(const void *visit)
{
	return ((const struct csg_kvm_visit *)visit)->cpu;
}

static int by_cpu_and_time(const void *a, const void *b)
{
	const struct csg_kvm_visit *x = a, *y = b;

	ORDER(x->cpu, y->cpu);
	ORDER(x->entered, y->entered);
	ORDER(x->left, y->left);
	ORDER(x->tid, y->tid);
	return 0;
}

/* Where KVM makes a vCPU take an exception: 128 bytes for each vector, or those of AArch32. */
static bool is_vector(uint64_t pc)
{
	uint64_t aarch32 = pc & 0x1f;

	return !(pc & 0x7f) ||
	       (pc <= UINT32_MAX && (aarch32 == 4 || aarch32 == 0xc || aarch32 == 0x10));
}

/* Whether a vCPU that was at pc may go on at next: there, after that instruction, or at a
 * vector. */
static bool goes_on(uint64_t pc, uint64_t next)
{
	return next == pc || next == pc + 2 || next == pc + 4 || is_vector(next);
}

static struct csg_kvm_visit visit_of(const struct csg_attribution_kvm_event *entry,
				     const struct csg_attribution_kvm_event *exit)
{
	bool trap = exit->ret == ARM_EXCEPTION_TRAP;
	bool moved = exit->ret == ARM_EXCEPTION_IRQ && !goes_on(entry->pc, exit->pc);

	return (struct csg_kvm_visit){
		.entered = entry->time,
		.left = exit->time,
		.entry = entry->pc,
		.exit = exit->pc,
		.cpu = exit->cpu,
		.tid = exit->tid,
		.esr_ec = exit->esr_ec,
		.trap = trap,
		.shows = trap || moved,
	};
}

static int add_visit(struct csg_kvm_visits *v, const struct csg_kvm_visit *visit)
{
	if (csg_array_grow((void **)&v->visits, v->count, &v->capacity, sizeof(*v->visits)))
		return -CSG_E_NO_MEMORY;
	v->visits[v->count++] = *visit;
	return 0;
}

/* Another event of perf's has the same. */
static bool is_repeated(const struct csg_attribution_kvm_event *a,
			const struct csg_attribution_kvm_event *b)
{
	return a->time == b->time && a->exit == b->exit && a->cpu == b->cpu && a->pc == b->pc &&
	       a->ret == b->ret && a->esr_ec == b->esr_ec;
}

/* The visits of one thread, of which events has n, in order of time. */
static int make_visits(struct csg_kvm_visits *v, struct csg_attribution_kvm_event *events, size_t n)
{
	struct csg_kvm_visit *last = NULL;
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		const struct csg_attribution_kvm_event *e = &events[i];
		struct csg_kvm_visit visit = visit_of(e, e);
		bool pair = !e->exit && i + 1 < n && events[i + 1].exit &&
			    events[i + 1].cpu == e->cpu && events[i + 1].time > e->time;

		if (pair)
			visit = visit_of(e, &events[++i]);
		visit.untrusted = !pair;
		if (last && pair && !last->untrusted &&
		    (visit.entered <= last->left || !goes_on(last->exit, visit.entry)))
			visit.untrusted = last->untrusted = true;
		err = add_visit(v, &visit);
		last = err ? NULL : &v->visits[v->count - 1];
	}
	return err;
}

int csg_kvm_visits_seal(struct csg_kvm_visits *v)
{
	struct csg_dealt events = {NULL, v->events, v->event_count, v->event_capacity,
				   sizeof(*v->events)};
	struct csg_dealt visits;
	size_t n = 0, begin = 0;
	int err = 0;

	csg_deal(&events, tid_of, by_thread_and_time);
	v->events = events.items;
	for (size_t i = 0; i < v->event_count; i++)
		if (!n || v->events[i].tid != v->events[n - 1].tid ||
		    !is_repeated(&v->events[i], &v->events[n - 1]))
			v->events[n++] = v->events[i];
	for (size_t i = 1; !err && i <= n; i++)
		if (i == n || v->events[i].tid != v->events[begin].tid) {
			err = make_visits(v, &v->events[begin], i - begin);
			begin = i;
		}
	visits = (struct csg_dealt){NULL, v->visits, v->count, v->capacity, sizeof(*v->visits)};
	csg_deal(&visits, cpu_of, by_cpu_and_time);
	v->visits = visits.items;
	v->capacity = visits.capacity;
	free(v->events);
	v->events = NULL;
	v->event_count = v->event_capacity = 0;
	return err;
}

/* The first visit on cpu or a higher one. */
static size_t first_on(const struct csg_kvm_visits *v, int64_t cpu)
{
	size_t i;

	CSG_BISECT(i, v->count, v->visits[i].cpu < cpu);
	return i;
}

const struct csg_kvm_visit *csg_kvm_visits_on(const struct csg_kvm_visits *v, int32_t cpu,
					      size_t *n)
{
	size_t first = first_on(v, cpu);

	*n = first_on(v, (int64_t)cpu + 1) - first;
	return *n ? &v->visits[first] : NULL;
}

/* --- what the trace shows --- */

/*
 * Whether this may be the exception that the visit was left by.  After a trap that the fast path
 * has handled an interrupt may keep the guest from being entered again: then its record has the PC
 * that the trap has left.
 */
static bool is_exit(const struct csg_border_sight *sight, const struct csg_kvm_visit *visit)
{
	bool interrupt = sight->number == PACKET_IRQ || sight->number == PACKET_FIQ;
	bool hvc = visit->esr_ec == EC_HVC32 || visit->esr_ec == EC_HVC64;

	if (sight->entry)
		return false;
	if (!sight->known)
		return true;
	if (!visit->trap)
		return sight->address == visit->exit ||
		       (!interrupt && goes_on(sight->address, visit->exit));
	return sight->address == visit->exit && !interrupt && sight->number != PACKET_SERROR &&
	       (!hvc || sight->number == PACKET_CALL);
}

static bool is_entry(const struct csg_border_sight *sight, const struct csg_kvm_visit *visit)
{
	return sight->entry && (!sight->known || goes_on(visit->entry, sight->address));
}

bool csg_kvm_visit_shows(const struct csg_kvm_visit *visit, bool entry,
			 const struct csg_border_sight *sights, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (entry ? is_entry(&sights[i], visit) : is_exit(&sights[i], visit))
			return true;
	return false;
}

static void prove(struct csg_kvm_proof *proof, uint64_t exit)
{
	proof->differ |= proof->any && proof->exit != exit;
	proof->any = true;
	proof->exit = exit;
}

bool csg_kvm_visits_show(const struct csg_kvm_visit *visits, size_t n,
			 const struct csg_border_sight *sights, size_t sight_count,
			 struct csg_kvm_proof *proof)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		bool entered = false;

		if (!visits[i].shows)
			continue;
		/* The earliest exit that will do leaves the most for the visits after it. */
		while (at < sight_count && !(entered && is_exit(&sights[at], &visits[i])))
			entered |= is_entry(&sights[at++], &visits[i]);
		if (at == sight_count)
			return false;
		if (sights[at++].known)
			prove(proof, visits[i].exit);
	}
	return true;
}
