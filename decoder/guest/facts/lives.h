/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a machine's switches and other records say of its threads' lives (base/thread_lives.h): when
 * each thread was seen, and between which times records were lost.
 */
#ifndef DECODER_GUEST_FACTS_LIVES_H
#define DECODER_GUEST_FACTS_LIVES_H

#include "guest/facts/facts_machine.h"

/*
 * Before the first question; may be repeated.  The switches are sealed, seen are the n others in
 * the order in which they count.  0 or -CSG_E_NO_MEMORY.
 */
int csg_lives_seal(struct csg_facts_machine *machine, const struct csg_seen *seen, size_t n);

#endif
