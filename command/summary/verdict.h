/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A verdict on a vCPU: what it did most of the time that its thread lived, of
 *
 *	running		the guest ran
 *	in the host	its thread ran the host's code: exits are handled in the kernel and in the
 *			VMM
 *	halted		the guest waited for an interrupt (waits/halts.h)
 *	starved		its thread could run and had no CPU: preempted or runnable
 *	asleep		its thread slept, and nothing shows that the guest had halted
 *	blocked		the same or starved after it, as no record says when it was woken
 *	unknown		nothing says which of these
 *
 * It spins where the guest ran most of the time, and CSG_SPIN_PERCENT of the vCPU's instructions
 * that were decoded lie within CSG_SPIN_BYTES of code, one in CSG_SPIN_HINTS of them in a range
 * with an instruction that says that it waits: WFE, WFET, YIELD.  A loop without one may be work:
 * that it is hot is evidence, no verdict.
 */
#ifndef COMMAND_SUMMARY_VERDICT_H
#define COMMAND_SUMMARY_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "waits/waits.h"

#define CSG_SPIN_PERCENT 90
#define CSG_SPIN_BYTES 256
#define CSG_SPIN_HINTS 10

enum csg_verdict {
	CSG_VERDICT_RUNNING,
	CSG_VERDICT_HOST,
	CSG_VERDICT_HALTED,
	CSG_VERDICT_STARVED,
	CSG_VERDICT_ASLEEP,
	CSG_VERDICT_BLOCKED,
	CSG_VERDICT_UNKNOWN,
	CSG_VERDICT_PARTS,
	CSG_VERDICT_SPINNING = CSG_VERDICT_PARTS, /* no part of the time: RUNNING is */
	CSG_VERDICTS
};

/* The time of a vCPU, by the first of these; the sum is that for which its thread lived. */
struct csg_verdict_times {
	uint64_t part[CSG_VERDICT_PARTS];
};

/* "running", "in the host", ... */
const char *csg_verdict_name(enum csg_verdict verdict);

/*
 * Divides the time of a vCPU: its guest and the host's code of its thread had a CPU for so long by
 * the trace.  waits: its thread's states, whose sum it is then; NULL: they are not known, and of
 * the rest of span nothing is.
 */
struct csg_verdict_times csg_verdict_times(uint64_t guest, uint64_t host,
					   const struct csg_wait_sums *waits, uint64_t span);

uint64_t csg_verdict_span(const struct csg_verdict_times *times);

/* spins: as above, for where the guest ran. */
enum csg_verdict csg_verdict_of(const struct csg_verdict_times *times, bool spins);

#endif
