/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which vCPU each CPU of a guest is.
 *
 * A guest numbers its CPUs itself, in what it records, as its host numbers vCPUs.  The two are
 * usually the same, but nothing says so: firmware may list them in another order, a crash kernel
 * calls the CPU that it boots on 0, a user or a VMM may name the wrong thread.  What a guest
 * recorded on a CPU happened while the thread that runs this vCPU was on a CPU of the host, so it
 * is checked against every thread that may (guest/facts/guest_fit.h):
 *
 *	it can have been the thread of that number	the numbers are the same, until that is
 *							contradicted
 *	it cannot					the numbers of this guest say nothing any
 *							more
 *	it can have been one thread alone		it is that one's, whatever the numbers (a
 *							thread that is one CPU is no other)
 *
 * The switches of a CPU that is left with no thread are nobody's.  Where the number of a vCPU is
 * not known, the only CPU of a guest is taken for it if no other thread can be another vCPU.
 */
#ifndef DECODER_GUEST_FACTS_GUEST_CPUS_H
#define DECODER_GUEST_FACTS_GUEST_CPUS_H

#include "guest/facts/facts.h"

/*
 * Looks at the guest's records, if more is known than when they were looked at last.  facts are
 * sealed, or all but that.  0 or -CSG_E_NO_MEMORY.
 */
int csg_guest_cpus_look(const struct csg_facts *facts, struct csg_facts_machine *guest);

#endif
