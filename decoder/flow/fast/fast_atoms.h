/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atoms: from block to block, and packets of them where nothing waits on the queue.
 */
#ifndef DECODER_FLOW_FAST_FAST_ATOMS_H
#define DECODER_FLOW_FAST_FAST_ATOMS_H

#include "flow/fast/fast_state.h"
#include "scan/run.h"

/* Walks n atoms, the oldest in bit 0.  False: the return stack is empty.  Room was reserved. */
bool csg_fast_atoms(struct csg_fast *f, uint32_t pattern, unsigned int n, uint64_t index);
/*
 * Atom and Address packets that lie whole in the piece from place on, up to the first of another
 * kind, where the queue is empty and everything is committed at once.  Returns the place after
 * them; f->dead: the last of them made no sense.
 */
size_t csg_fast_run(struct csg_fast *f, const struct csg_run *piece, size_t place);

#endif
