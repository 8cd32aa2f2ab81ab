/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts/guest_cpu_table.h"

#include <stdlib.h>

#include "csguest/attribution.h"

void csg_guest_cpus_fini(struct csg_guest_cpus *cpus)
{
	free(cpus->cpus);
	*cpus = (struct csg_guest_cpus){0};
}

static bool is_disputed(const struct csg_guest_cpus *cpus, int32_t number)
{
	for (size_t i = 0; i < cpus->count; i++)
		if (cpus->cpus[i].cpu == number)
			return cpus->cpus[i].disputed;
	return false;
}

static const struct csg_guest_cpu *cpu_of_thread(const struct csg_guest_cpus *cpus, int32_t tid)
{
	for (size_t i = 0; tid != CSG_PID_UNKNOWN && i < cpus->count; i++)
		if (cpus->cpus[i].tid == tid)
			return &cpus->cpus[i];
	return NULL;
}

enum csg_guest_cpu_is csg_guest_cpu_of(const struct csg_guest_cpus *cpus, int32_t tid, int32_t vcpu,
				       int32_t *cpu)
{
	const struct csg_guest_cpu *fitting = cpu_of_thread(cpus, tid);

	*cpu = -1;
	if (fitting) {
		*cpu = fitting->cpu;
		return CSG_GUEST_CPU_FITS;
	}
	if (cpus->contradicted || is_disputed(cpus, vcpu))
		return CSG_GUEST_CPU_CONFLICT;
	if (vcpu != CSG_VCPU_UNKNOWN)
		*cpu = vcpu;
	else if (cpus->only && cpus->only == tid)
		*cpu = cpus->only_cpu;
	return *cpu < 0 ? CSG_GUEST_CPU_UNKNOWN : CSG_GUEST_CPU_NUMBERED;
}
