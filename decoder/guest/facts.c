/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/facts.h"

#include <stdlib.h>

#include "base/arena.h"

void csg_facts_fini(struct csg_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		csg_thread_table_fini(&facts->machines[i].threads);
		csg_switches_fini(&facts->machines[i].switches);
	}
	free(facts->machines);
	csg_vcpus_fini(&facts->vcpus);
	*facts = (struct csg_facts){0};
}

const struct csg_facts_machine *csg_facts_find(const struct csg_facts *facts, int32_t vm)
{
	for (size_t i = 0; i < facts->count; i++)
		if (facts->machines[i].vm == vm)
			return &facts->machines[i];
	return NULL;
}

struct csg_facts_machine *csg_facts_machine(struct csg_facts *facts, int32_t vm)
{
	const struct csg_facts_machine *known = csg_facts_find(facts, vm);

	if (known)
		return &facts->machines[known - facts->machines];
	if (csg_array_grow((void **)&facts->machines, facts->count, &facts->room,
			   sizeof(*facts->machines)))
		return NULL;
	facts->machines[facts->count] = (struct csg_facts_machine){.vm = vm};
	return &facts->machines[facts->count++];
}

int csg_facts_seal(struct csg_facts *facts)
{
	int err = 0;

	if (facts->sealed)
		return 0;
	for (size_t i = 0; !err && i < facts->count; i++) {
		struct csg_facts_machine *m = &facts->machines[i];

		facts->has_guests |= m->vm != CSG_VM_HOST && m->switches.count;
		err = csg_switches_seal(&m->switches, m->clock.first_time, m->clock.last_time);
	}
	facts->sealed = !err;
	return err;
}

int32_t csg_facts_process(const struct csg_facts *facts, int32_t vm, int32_t tid, uint64_t time)
{
	const struct csg_facts_machine *machine;
	const struct csg_thread_state *state;

	if (facts->options.process_of)
		return facts->options.process_of(facts->options.arg, vm, tid, time);
	machine = csg_facts_find(facts, vm);
	state = machine ? csg_thread_at(&machine->threads, tid, time) : NULL;
	return state ? state->pid : CSG_PID_UNKNOWN;
}

const struct csg_attribution_clock *csg_facts_clock(const struct csg_facts *facts, int32_t vm)
{
	static const struct csg_attribution_clock none;
	const struct csg_facts_machine *machine = csg_facts_find(facts, vm);

	return machine ? &machine->clock : &none;
}
