/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the processes of PIDs that came back (guest/facts/process_lives.h), and numbers what was
 * stated. */
#ifndef DECODER_GUEST_FACTS_PROCESS_NUMBERS_H
#define DECODER_GUEST_FACTS_PROCESS_NUMBERS_H

#include "guest/facts/facts.h"

/*
 * Finds them, and puts numbers in the place of PIDs in all that was stated: threads, switch
 * records, what was seen, the vCPU table.  Once, when threads were sighted (guest/facts/lives.h)
 * and before residency is made.  0 or -CSG_E_NO_MEMORY.
 */
int csg_process_numbers_give(struct csg_facts *facts);

/*
 * Whether a thread of the host ran no vCPU from one time until another, though it was of several
 * processes: all of them are known, and none has it for a vCPU.
 */
bool csg_process_runs_none(const struct csg_facts *facts, int32_t tid, uint64_t from,
			   uint64_t until);

#endif
