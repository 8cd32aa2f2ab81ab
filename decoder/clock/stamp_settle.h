/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settles timestamps that wait between two places where the physical counter is known: which of
 * them are a VM's, and what that tells of the VM's offset (clock/stamps.h).
 */
#ifndef DECODER_CLOCK_STAMP_SETTLE_H
#define DECODER_CLOCK_STAMP_SETTLE_H

#include "clock/stamp.h"

/* csg_offsets_find() or _find_shown(). */
typedef bool (*csg_stamp_offset_fn)(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
				    struct csg_offset *offset);

/*
 * Where the physical counter was, between floor and ceiling: as the one reading has it that fits,
 * or as both together.  Returns the reading that must be, CSG_STAMP_EITHER where both fit, 0
 * where none does.
 */
uint8_t csg_stamp_read(const struct csg_offsets *offsets, csg_stamp_offset_fn find,
		       struct csg_stamp *stamp, uint64_t floor, uint64_t ceiling);

/*
 * The last of n timestamps is wrong: from it on, and before it, those with its upper bits may have
 * them from before a loss.  A guest's own are right.
 */
void csg_stamp_doubt(struct csg_stamps *s, struct csg_stamp *stamps, size_t n);

/* Whether it has the upper bits of one that is wrong, up to which all have them. */
bool csg_stamp_is_doubted(const struct csg_stamps *s, const struct csg_stamp *stamp);

/* Settles all that waits: the physical counter is at ceiling after it; has_right: a timestamp says
 * so. */
void csg_stamps_settle_waiting(struct csg_stamps *s, uint64_t ceiling, bool has_right);

#endif
