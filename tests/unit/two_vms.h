/* SPDX-License-Identifier: BSD-3-Clause */
/* A host of one CPU with two VMs, and what one of them recorded of itself. */
#ifndef TESTS_UNIT_TWO_VMS_H
#define TESTS_UNIT_TWO_VMS_H

#include "guest/facts/facts_seal.h"
#include "suite.h"
#include "switch_pair.h"

#define OFFSET 5000000 /* of VM 10's counter */
#define INTERVALS 40

/* vCPUs of VMs 10 and 20 take turns on CPU 0, for times without a pattern; a tick is 1 ns. */
struct host {
	struct csg_facts facts;
	struct csg_switches guest; /* what VM 10 recorded: a switch in each of its intervals */
};

static const struct csg_attribution_clock host_clock = {.conv = {.valid = true, .mult = 1}};

static inline void change(struct csg_switches *s, uint64_t time, int32_t from, int32_t to)
{
	const struct switch_pair pair = switch_pair(0, time, 1, from, to);

	csg_switches_add(s, &pair.out);
	csg_switches_add(s, &pair.in);
}

/* What VM 10 recorded is after the host's time by that; thread 11 is of process pid. */
static inline void begin_with(struct host *h, uint64_t lag, int32_t pid)
{
	const struct csg_vcpu_entry vcpus[] = {{.tid = 11, .vm = 10}, {.tid = 21, .vm = 20}};
	struct csg_facts_machine *machine;
	uint64_t time = 20000000, random = 1;

	*h = (struct host){0};
	csg_vcpus_add(&h->facts.vcpus, &vcpus[0]);
	csg_vcpus_add(&h->facts.vcpus, &vcpus[1]);
	machine = csg_facts_machine(&h->facts, CSG_VM_HOST);
	machine->clock = host_clock;
	for (int i = 0; i < INTERVALS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		change(&machine->switches, time, i % 2 ? 11 : 21, i % 2 ? 21 : 11);
		if (!(i % 2))
			change(&h->guest, time + 2000 - lag, 1, 2);
		time += 4000 + (random >> 33) % 50000;
	}
	for (size_t i = 0; i < machine->switches.count; i++)
		if (machine->switches.records[i].tid == 11)
			machine->switches.records[i].pid = pid;
	CU_ASSERT_EQUAL_FATAL(csg_facts_seal(&h->facts), 0);
}

static inline void begin_lagging(struct host *h, uint64_t lag)
{
	begin_with(h, lag, 11);
}

/* Thread 11 is of the process that is VM 10. */
static inline void begin_in_one_process(struct host *h)
{
	begin_with(h, OFFSET, 10);
}

static inline void begin(struct host *h)
{
	begin_lagging(h, OFFSET);
}

static inline void end(struct host *h)
{
	csg_facts_fini(&h->facts);
	csg_switches_fini(&h->guest);
}

/* The trace has shown that vm's offset is within 2 us of offset. */
static inline void observe(struct host *h, int32_t vm, int64_t offset)
{
	const struct csg_offset_period seen = {.from = 20000000,
					       .until = 21000000,
					       .offset = {offset - 1000, offset + 1000},
					       .loads = 1,
					       .sources = CSG_OFFSET_BY_TRACE};

	CU_ASSERT_EQUAL(csg_offsets_observe(&h->facts.clocks.offsets, vm, &seen), 0);
}

#endif
