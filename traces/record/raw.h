/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading a raw recording (rawformat.h) as what it means: for every CPU, the instructions that it
 * completed, and what happened between them.
 *
 * Events of one CPU come in its own order. Those of different CPUs come nearly in the order of
 * execution: a block is given out when the next thing of its CPU is known, because only that tells
 * how much of it was completed. Use raw_block.time, the count of instructions that all CPUs had
 * completed before it, to order across CPUs.
 */
#ifndef RECORD_RAW_H
#define RECORD_RAW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rawformat.h"

/* Completed instructions in a row, n of them (it can be 0: the first one trapped). */
struct raw_block {
	uint64_t at;
	uint64_t time;
	const uint32_t *op;
	unsigned n;
	unsigned begun; /* n, or n + 1 when an exception kept the last one from completing */
	/* the last completed instruction is an indirect branch or an exception return ... */
	bool has_target;
	uint64_t target; /* ... that goes there */
};

/* One exception. Two without an instruction between them are two events. */
struct raw_exception {
	unsigned from_el; /* by SPSR */
	unsigned to_el;
	uint64_t vector;   /* address of the vector taken */
	unsigned kind;	   /* vector table column: 0 synchronous, 1 IRQ, 2 FIQ, 3 SError */
	uint64_t back;	   /* preferred return address */
	uint64_t syndrome; /* ESR; of synchronous ones only */
};

enum raw_event_kind {
	RAW_EV_BLOCK,
	RAW_EV_EXCEPTION,
	RAW_EV_STATE,	  /* registers changed, .changed says which; before the next block */
	RAW_EV_COUNT,	  /* the last instruction of the block before read a counter */
	RAW_EV_STACK,	  /* before the next block */
	RAW_EV_MARK,	  /* in the next block of this CPU */
	/* a block follows that cannot follow from the one before; .why says how */
	RAW_EV_VIOLATION,
	RAW_EV_END
};

struct raw_event {
	enum raw_event_kind kind;
	unsigned cpu;
	uint64_t time; /* instructions completed by all CPUs before this event */
	const uint64_t
		*reg; /* the CPU's registers, enum raw_reg; for a block: while it was executed */
	union {
		struct raw_block block;
		struct raw_exception exception;
		unsigned changed;
		struct {
			enum raw_counter which;
			uint64_t value;
		} count;
		struct {
			uint64_t pc, sp, fp, lr;
			unsigned n;
			uint64_t frame[RAW_MAX_FRAMES][2];
		} stack;
		unsigned mark;
		char why[160];
	};
};

struct raw;

/* Open a recording. NULL and a line on stderr when it cannot be read. */
struct raw *raw_open(const char *path);

/* The next event, valid until the next call; the last one is RAW_EV_END. NULL after a line on
   stderr: the file is damaged or cut short. */
const struct raw_event *raw_next(struct raw *raw);

unsigned raw_cpus(const struct raw *raw);

void raw_close(struct raw *raw);

/* ---- who ran, by the registers alone ---- */

enum raw_world {
	RAW_HOST_KERNEL,
	RAW_HOST_USER,
	RAW_HYPERVISOR,
	RAW_GUEST_KERNEL,
	RAW_GUEST_USER,
	RAW_WORLDS
};

/*
 * Is the host's kernel at EL2 (VHE)? Then the EL2 vectors lie where kernels lie, in the upper half
 * of the addresses; those of a hypervisor that is not the host's kernel (nVHE, pKVM, Xen) lie in
 * the lower half. HCR_EL2.E2H says nothing: pKVM sets it on VHE cores, too.
 */
static inline bool raw_vhe(const uint64_t reg[RAW_REGS])
{
	return reg[RAW_VBAR_EL2] >> 63;
}

/*
 * Of EL1 and EL0 of a guest: do they emulate the guest's own EL2 and its EL0 (HCR_EL2.NV), that
 * is, does the guest run that is a hypervisor, and not one of its guests?
 */
static inline bool raw_virtual_el2(const uint64_t reg[RAW_REGS])
{
	return reg[RAW_HCR] >> 42 & 1;
}

/*
 * EL1 and EL0 are a guest's while stage 2 is on (HCR_EL2.VM) and TGE is off; VTTBR_EL2 says nothing
 * by itself, it stays loaded after the exit. A protected host (pKVM) has a stage 2 of its own, with
 * VMID 0, that no guest ever gets.
 */
enum raw_world raw_world(const uint64_t reg[RAW_REGS]);

#endif
