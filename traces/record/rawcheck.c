// SPDX-License-Identifier: BSD-3-Clause
/*
 * rawcheck RAW.ZST: does the recording follow architecturally, and who executed how much of it?
 *
 * Every block must follow from the one before it on its CPU: by the last instruction, by an
 * exception to a vector whose ELR is the place where the CPU was, or by an exception return. A
 * counter that is read must be the count of executed instructions plus the jumps of idle times, so
 * it may not go backwards against it. Exit status 1 when one of these is violated, 2 when the file
 * cannot be read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "a64.h"
#include "raw.h"

struct owner {
	unsigned cpu;
	enum raw_world world;
	unsigned vmid, vcpu;
	bool el2; /* the guest's virtual EL2, or the EL0 of that */
	uint32_t context1, context2;
	uint64_t n;
};

static struct owner *owners;
static size_t n_owners;

static int by_owner(const struct owner *a, const struct owner *b)
{
	return memcmp(a, b, offsetof(struct owner, n));
}

static void count(unsigned cpu, const uint64_t *reg, uint64_t n)
{
	struct owner o;
	enum raw_world world = raw_world(reg);
	bool guest = world == RAW_GUEST_KERNEL || world == RAW_GUEST_USER;

	memset(&o, 0, sizeof(o));
	o.cpu = cpu;
	o.world = world;
	o.vmid = guest ? (unsigned)(reg[RAW_VTTBR] >> 48) : 0;
	o.vcpu = guest ? (unsigned)(reg[RAW_VMPIDR] & 0xff) : 0;
	o.el2 = guest && raw_virtual_el2(reg);
	/* Stale at a VHE host, which uses CONTEXTIDR_EL2. */
	o.context1 = guest || !raw_vhe(reg) ? (uint32_t)reg[RAW_CONTEXTIDR_EL1] : 0;
	o.context2 = (uint32_t)reg[RAW_CONTEXTIDR_EL2];
	for (size_t i = 0; i < n_owners; i++)
		if (!by_owner(&owners[i], &o)) {
			owners[i].n += n;
			return;
		}
	owners = realloc(owners, (n_owners + 1) * sizeof(*owners));
	if (!owners)
		exit(2);
	o.n = n;
	owners[n_owners++] = o;
}

static int by_use(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->n < y->n ? 1 : -(x->n > y->n);
}

/* Virtual time is an instruction a nanosecond; a tick of the counter is 16 of them. */
static struct {
	uint64_t reads, jumps, back;
	int64_t offset; /* counter in ns - instructions */
	bool any;
} clock;

static void check_count(const struct raw_event *e)
{
	unsigned el = e->reg[RAW_EL] & 3;
	bool vhe = e->reg[RAW_HCR] >> 34 & 1, tge = e->reg[RAW_HCR] >> 27 & 1;
	bool virtual_offset =
		e->count.which == RAW_CNTVCT && !(vhe && (el == 2 || (el == 0 && tge)));
	uint64_t ticks = e->count.value + (virtual_offset ? e->reg[RAW_CNTVOFF] : 0);
	int64_t offset = (int64_t)(ticks * 16 - e->time);

	clock.reads++;
	if (clock.any && offset > clock.offset + 64)
		clock.jumps++;
	if (clock.any && offset < clock.offset - 64)
		clock.back++;
	if (!clock.any || offset > clock.offset)
		clock.offset = offset;
	clock.any = true;
}

int main(int argc, char **argv)
{
	static const char *const names[RAW_WORLDS] = {"host kernel", "host user", "hypervisor",
						      "guest kernel", "guest user"};
	uint64_t violations = 0, total = 0, blocks = 0, exceptions[4] = {0}, trapped = 0,
		 entries = 0, stacks = 0;
	const struct raw_event *e;
	struct raw *r;

	if (argc != 2) {
		fprintf(stderr, "usage: rawcheck RAW.ZST\n");
		return 2;
	}
	r = raw_open(argv[1]);
	if (!r)
		return 2;
	do {
		e = raw_next(r);
		if (!e) {
			raw_close(r);
			free(owners);
			return 2;
		}
		switch (e->kind) {
		case RAW_EV_BLOCK:
			blocks++;
			total += e->block.n;
			trapped += e->block.begun - e->block.n;
			count(e->cpu, e->reg, e->block.n);
			if (e->block.n && a64_read(e->block.op[e->block.n - 1]).kind == A64_ERET &&
			    raw_world(e->reg) != RAW_GUEST_KERNEL && (e->reg[RAW_HCR] & 1))
				entries++;
			break;
		case RAW_EV_EXCEPTION:
			exceptions[e->exception.kind]++;
			break;
		case RAW_EV_COUNT:
			check_count(e);
			break;
		case RAW_EV_STACK:
			stacks++;
			break;
		case RAW_EV_VIOLATION:
			if (violations++ < 20)
				printf("violation: cpu %u, instruction %" PRIu64 ": %s\n", e->cpu,
				       e->time, e->why);
			break;
		default:
			break;
		}
	} while (e->kind != RAW_EV_END);

	printf("%" PRIu64 " instructions completed in %" PRIu64 " blocks, %" PRIu64
	       " begun and not completed\n",
	       total, blocks, trapped);
	printf("exceptions: %" PRIu64 " synchronous, %" PRIu64 " IRQ, %" PRIu64 " FIQ, %" PRIu64
	       " SError; %" PRIu64 " returns into guests; %" PRIu64 " stack samples\n",
	       exceptions[0], exceptions[1], exceptions[2], exceptions[3], entries, stacks);
	printf("counter read %" PRIu64 " times, %" PRIu64 " idle jumps, %" PRIu64 " steps back\n",
	       clock.reads, clock.jumps, clock.back);
	qsort(owners, n_owners, sizeof(*owners), by_use);
	printf("%-4s %-13s %3s %5s %5s %10s %10s %12s\n", "cpu", "world", "EL2", "vmid", "vcpu",
	       "context1", "context2", "instructions");
	for (size_t i = 0; i < n_owners; i++)
		printf("%-4u %-13s %3s %5u %5u %10u %10u %12" PRIu64 "\n", owners[i].cpu,
		       names[owners[i].world], owners[i].el2 ? "yes" : "", owners[i].vmid,
		       owners[i].vcpu, owners[i].context1, owners[i].context2, owners[i].n);
	printf("%" PRIu64 " violations\n", violations);
	raw_close(r);
	free(owners);
	return violations || clock.back;
}
