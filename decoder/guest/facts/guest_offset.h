/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A VM's counter offset, as what its guest recorded tells it: all of it happened while one of its
 * vCPUs was on a CPU.
 */
#ifndef DECODER_GUEST_FACTS_GUEST_OFFSET_H
#define DECODER_GUEST_FACTS_GUEST_OFFSET_H

#include "guest/facts/facts.h"

/*
 * Narrows what is known of vm's offset by what its guest recorded, each of which must have happened
 * while one of its vCPUs was on a CPU: an observation of its own, CSG_OFFSET_BY_EVENTS.  Where the
 * trace has shown nothing at all it is supposed that both recordings were made together, and only
 * what fits in one way and cannot by chance is found.  Nothing where the host's records do not tell
 * of all its CPUs, or where the offset changed.  Facts are sealed.  -CSG_E_NO_MEMORY.
 */
int csg_guest_narrow(struct csg_facts *facts, int32_t vm);

/*
 * Finds guest->known_offset as where the trace has shown nothing: what the user says of it, or the
 * trace shows, only may contradict it.  Nobody learns of it.  It is no proof that the trace's
 * timestamps are the guest's counter.  Facts are sealed.  -CSG_E_NO_MEMORY.
 */
int csg_guest_tell_offset(const struct csg_facts *facts, struct csg_facts_machine *guest);

#endif
