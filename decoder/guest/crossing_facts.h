/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts that one stream shows and others use, while streams are decoded one after the other:
 * counter offsets, vCPU threads that the trace alone shows, a VMID in dispute, one that Xen's list
 * lacks, the policy, and whether guests show.  Everything else that an attribution knows is settled
 * before the first stream, or is the stream's own, or is counted and never asked.
 *
 * Whoever decodes some of the streams only begins with what those before them have shown.  Findings
 * and contradictions are not among these facts: they are sums of what each stream shows.
 */
#ifndef DECODER_GUEST_CROSSING_FACTS_H
#define DECODER_GUEST_CROSSING_FACTS_H

#include "csguest/attribution.h"
#include "util/pack.h"

/* Writes them as they are now. */
void csg_crossing_facts_pack(const struct csg_attribution *attribution, struct csg_pack *pack);

/*
 * They are as they were when they were packed.  0; -CSG_E_CORRUPT or -CSG_E_NO_MEMORY, and then the
 * attribution is of no use any more.
 */
int csg_crossing_facts_unpack(struct csg_attribution *attribution, struct csg_unpack *unpack);

#endif
