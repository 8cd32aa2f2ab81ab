/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/guest_contradictions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/array.h"
#include "util/report.h"
#include "guest/attribution_state.h"

#define NAME_MAX_TEXT 120
#define BOUNDS_MAX_TEXT 200

/* What a message needs beside the contradiction itself. */
struct reporter {
	const struct csg_facts *facts;
	csg_guest_name_fn name;
	const void *arg;
	const struct csg_diag_sink *sink;
};

void csg_guest_contradictions_fini(struct csg_guest_contradictions *contradictions)
{
	free(contradictions->reported);
	*contradictions = (struct csg_guest_contradictions){0};
}

/* What was reported of vm; NULL: out of memory. */
static struct csg_guest_contradiction *
contradiction_of(struct csg_guest_contradictions *contradictions, int32_t vm)
{
	for (size_t i = 0; i < contradictions->count; i++)
		if (contradictions->reported[i].vm == vm)
			return &contradictions->reported[i];
	if (csg_array_grow((void **)&contradictions->reported, contradictions->count,
			   &contradictions->capacity, sizeof(*contradictions->reported)))
		return NULL;
	contradictions->reported[contradictions->count] =
		(struct csg_guest_contradiction){.vm = vm};
	return &contradictions->reported[contradictions->count++];
}

/* "guest 'one'", "VM 500" */
static const char *name_of(const struct reporter *t, int32_t vm, char text[NAME_MAX_TEXT])
{
	const char *name = t->name(t->arg, vm);

	if (name)
		snprintf(text, NAME_MAX_TEXT, "guest '%s'", name);
	else
		snprintf(text, NAME_MAX_TEXT, "VM %" PRId32, vm);
	return text;
}

/* --- the offset --- */

static const char *bounds_text(const struct csg_offset_period *seen, char text[BOUNDS_MAX_TEXT])
{
	const struct csg_offset *o = &seen->offset;

	if (o->low > o->high)
		snprintf(text, BOUNDS_MAX_TEXT, "contradict each other");
	else if (csg_offset_is_bounded(o))
		snprintf(text, BOUNDS_MAX_TEXT, "have it between %" PRId64 " and %" PRId64, o->low,
			 o->high);
	else
		snprintf(text, BOUNDS_MAX_TEXT, "have it at %s %" PRId64,
			 o->low == CSG_OFFSET_MIN ? "most" : "least",
			 o->low == CSG_OFFSET_MIN ? o->high : o->low);
	return text;
}

static void report_offset(const struct reporter *t, const struct csg_offset_vm *vm)
{
	char name[NAME_MAX_TEXT], bounds[BOUNDS_MAX_TEXT];
	uint64_t time = csg_time_conv_to_ns(&t->facts->clocks.conv, vm->evidence.from);

	csg_report(t->sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
		   "leave offset= away: csguest offsets shows what the trace has",
		   "CNTVOFF_EL2 of %s is not %" PRId64 ", as was said, and that is not used: the "
		   "trace's timestamps from %" PRIu64 ".%09" PRIu64 " on %s",
		   name_of(t, vm->vm, name), vm->said, time / 1000000000, time % 1000000000,
		   bounds_text(&vm->evidence, bounds));
}

static int report_offsets(struct csg_guest_contradictions *contradictions, const struct reporter *t)
{
	const struct csg_offsets *offsets = &t->facts->clocks.offsets;

	for (size_t i = 0; i < offsets->count; i++) {
		struct csg_guest_contradiction *contradiction =
			contradiction_of(contradictions, offsets->vms[i].vm);

		if (!contradiction)
			return -CSG_E_NO_MEMORY;
		if (!offsets->vms[i].refuted || contradiction->offset)
			continue;
		contradiction->offset = true;
		report_offset(t, &offsets->vms[i]);
	}
	return 0;
}

/* --- CPUs --- */

static void report_cpu(const struct reporter *t, int32_t vm, const struct csg_guest_cpu *cpu)
{
	char name[NAME_MAX_TEXT], what[BOUNDS_MAX_TEXT];

	if (cpu->tid != CSG_PID_UNKNOWN)
		snprintf(what, sizeof(what),
			 "it fits thread %" PRId32 " alone and is taken for its", cpu->tid);
	else
		snprintf(what, sizeof(what), "its switches there do not count");
	if (cpu->disputed)
		csg_report(t->sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
			   "say which thread runs it: --vcpu TID=VM:N",
			   "more than one thread is said to run vCPU %" PRId32
			   " of %s; what that recorded on its CPU %" PRId32 ": %s",
			   cpu->cpu, name_of(t, vm, name), cpu->cpu, what);
	else
		csg_report(t->sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
			   "record CONTEXTIDR_EL1 (contextid1), which names a guest's threads",
			   "what %s recorded on its CPU %" PRId32 " happened while vCPU %" PRId32
			   ", thread %" PRId32 ", did not run: %s",
			   name_of(t, vm, name), cpu->cpu, cpu->cpu, cpu->namesake, what);
}

static int report_cpus(struct csg_guest_contradictions *contradictions, const struct reporter *t)
{
	for (size_t i = 0; i < t->facts->count; i++) {
		const struct csg_facts_machine *m = &t->facts->machines[i];
		struct csg_guest_contradiction *contradiction =
			contradiction_of(contradictions, m->vm);
		bool reported = contradiction && contradiction->cpus;

		if (!contradiction)
			return -CSG_E_NO_MEMORY;
		for (size_t k = 0; !reported && k < m->cpus.count; k++) {
			const struct csg_guest_cpu *cpu = &m->cpus.cpus[k];

			if (!cpu->contradicted && !cpu->disputed)
				continue;
			contradiction->cpus = true;
			report_cpu(t, m->vm, cpu);
		}
	}
	return 0;
}

/* --- VMIDs --- */

static void report_vmid(struct csg_guest_contradictions *contradictions, const struct reporter *t)
{
	const struct csg_vmid *vmid = &t->facts->disputed_vmid;
	char name[NAME_MAX_TEXT], other[NAME_MAX_TEXT];

	if (!vmid->disputed || contradictions->vmid)
		return;
	contradictions->vmid = true;
	if (vmid->vm == vmid->former) {
		csg_report(t->sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
			   "trace EL2 without losses",
			   "VMID %" PRIu32 " was of %s at level %d, then of level %d, then of the "
			   "former again, by what KVM called before it entered: from there on it "
			   "identifies no level",
			   vmid->vmid, name_of(t, vmid->vm, name), vmid->former_level, vmid->level);
		return;
	}
	csg_report(t->sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
		   "record CONTEXTIDR_EL2 (contextid2), which names the vCPU's thread",
		   "VMID %" PRIu32
		   " was of %s, then of %s, then of the former again, as the host's records "
		   "have it: from there on it identifies no VM",
		   vmid->vmid, name_of(t, vmid->former, name), name_of(t, vmid->vm, other));
}

static void report_unlisted(struct csg_guest_contradictions *contradictions,
			    const struct reporter *t)
{
	uint32_t vmid = t->facts->domains.unlisted;

	if (!vmid || contradictions->unlisted)
		return;
	contradictions->unlisted = true;
	csg_report(t->sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
		   "make the list when the trace is recorded: csguest collect in dom0",
		   "guests ran with VMID %" PRIu32
		   ", which no domain in Xen's list has: their domain is not known",
		   vmid);
}

int csg_guest_contradictions_report(struct csg_guest_contradictions *contradictions,
				    const struct csg_attribution *attribution,
				    csg_guest_name_fn name, const void *arg,
				    const struct csg_diag_sink *sink)
{
	const struct reporter t = {
		.facts = &attribution->facts, .name = name, .arg = arg, .sink = sink};
	int err = report_offsets(contradictions, &t);

	report_vmid(contradictions, &t);
	report_unlisted(contradictions, &t);
	return err ? err : report_cpus(contradictions, &t);
}
