/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether user code can be the owner's: perf records all that a process maps to be executed.
 *
 * Without VHE and without context IDs the host's threads are known by the switch records at the
 * host's time, and a guest's by its own at the guest's.  After a silent loss timestamps may lack
 * upper bits, and these are other times.  Where user code runs at an address at which its process,
 * or, where that is not known, any process of the machine never had anything, the owner is refuted:
 * it is nobody's, and all from the first timestamp on that has the same upper bits is reported.
 * Mappings name nobody.
 *
 * From there on on-CPU intervals name nobody until enough of them have agreed with the trace
 * (guest/facts/agreement.h); one agrees whose process has had something wherever user code ran.
 */
#ifndef DECODER_GUEST_CODE_CHECK_H
#define DECODER_GUEST_CODE_CHECK_H

#include "guest/facts/when.h"

struct csg_attribution_stream;

/* An event of the track: notes where user code runs. */
void csg_code_check_event(struct csg_attribution_stream *stream,
			  const struct csg_track_event *event);

/* Takes back the owner of a segment if its code refutes it.  0 or -CSG_E_NO_MEMORY. */
int csg_code_check(struct csg_attribution_stream *stream, const struct csg_when *when,
		   struct csg_owner *owner);

#endif
