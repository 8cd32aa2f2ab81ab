/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A guest's perf time brought to the host's:
 *
 *	guest time -> guest's counter    by its TIME_CONV
 *	           -> host's counter     plus CNTVOFF_EL2, as far as it is known (clock/offsets.h)
 *	           -> host time          by the host's TIME_CONV
 */
#ifndef DECODER_SESSION_OPEN_GUEST_TIME_H
#define DECODER_SESSION_OPEN_GUEST_TIME_H

#include "clock/offsets.h"
#include "csguest/time_conv.h"

/* How wide an interval of host times may be that a guest's time is given one of, ns. */
#define CSG_GUEST_TIME_WIDTH 100000u

/*
 * Host time (ns) of the guest's time; 0 where a conversion is missing, or the offset is not known
 * (timeline may be NULL) to within CSG_GUEST_TIME_WIDTH.
 */
uint64_t csg_guest_time_to_host(const struct csg_time_conv *guest, const struct csg_time_conv *host,
				const struct csg_offset_vm *timeline, uint64_t time);

#endif
