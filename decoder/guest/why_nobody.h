/* SPDX-License-Identifier: BSD-3-Clause */
/* Why no thread of the host is known to have run a segment. */
#ifndef DECODER_GUEST_WHY_NOBODY_H
#define DECODER_GUEST_WHY_NOBODY_H

#include "guest/facts/facts.h"
#include "guest/facts/when.h"

/* Of a segment of the host's or a guest's whose host_tid neither the trace nor the switch records
 * name. */
enum csg_reason csg_why_nobody(const struct csg_facts *facts, const struct csg_when *when,
			       const struct csg_owner *owner);

#endif
