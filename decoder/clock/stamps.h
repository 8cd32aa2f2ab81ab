/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stamps: from the raw timestamps of one trace unit to the physical counter.
 *
 * Only for trace whose timestamps are the virtual counter (FEAT_TRF, TRFCR_ELx.TS).  KVM sets
 * CNTVOFF_EL2 at vcpu_load and clears it at vcpu_put, so that a timestamp between the two is
 * `physical - CNTVOFF` of that VM, host code included, and elsewhere `physical`.  Where load and
 * put are no packet tells; who ran does:
 *
 *	a process of the host, a thread that is no vCPU		physical
 *	a guest							its VM's
 *	the host's kernel in a vCPU's thread			either, and order decides
 *
 * Of one CPU the physical counter never goes back.  So each timestamp lies between those before and
 * after it that are settled, and what is either physical or a VM's is settled when only one of the
 * two fits in between.  The same order bounds the offset: with a physical timestamp a before and b
 * after one of a VM's, v,
 *
 *	a <= v + CNTVOFF <= b
 *
 * the tighter, the nearer they are to load and put.  These bounds go to csg_offsets, what it knows
 * settles further timestamps.  Those that cannot be settled keep the interval they must lie in.
 *
 * A physical timestamp that goes back is a conflict; nothing is concluded from it, nor from what
 * was settled before it, nor from those of the host beside it with the same upper bits, which their
 * packets need not hold.  So it is with one that goes back whatever it is, and with a VM's while
 * none of its vCPUs was on the CPU.
 */
#ifndef DECODER_CLOCK_STAMPS_H
#define DECODER_CLOCK_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock/stamp.h"

/* offsets outlives it and may be shared by all streams. */
void csg_stamps_init(struct csg_stamps *stamps, struct csg_offsets *offsets,
		     csg_stamp_whose_fn whose, void *arg);
void csg_stamps_fini(struct csg_stamps *stamps);

/*
 * A piece of trace begins: the physical counter lies between floor (0: unknown) and ceiling
 * (UINT64_MAX).
 */
void csg_stamps_begin(struct csg_stamps *stamps, uint64_t floor, uint64_t ceiling);

/* The piece goes on without a break, up to another ceiling. */
void csg_stamps_continue(struct csg_stamps *stamps, uint64_t ceiling);

/*
 * The next timestamp of the trace; indexes rise.  0: the trace unit did not know the time.  traced:
 * it was sent while execution was traced.
 */
void csg_stamps_add(struct csg_stamps *stamps, uint64_t index, uint64_t raw, bool traced);

/* Whose all timestamps are that were added, not reported yet, and stand before index. */
void csg_stamps_tell(struct csg_stamps *stamps, uint64_t index, uint8_t may, int32_t vm);

/* The piece ends, or nothing more is waited for: settles what can be settled. */
void csg_stamps_settle(struct csg_stamps *stamps);

/*
 * Where the physical counter was at the timestamp at index, as far as is known by now.  False:
 * there is no such timestamp.
 */
bool csg_stamps_find(struct csg_stamps *stamps, uint64_t index, struct csg_stamp *stamp);

/* The index of the last timestamp at or before index, of those that are kept; 0: there is none. */
uint64_t csg_stamps_before(const struct csg_stamps *stamps, uint64_t index);

/*
 * What those from one index up to another are that are settled and csg_stamp.traced: set of enum
 * csg_stamp_may, 0 where nothing settled what any of them is.  *first and *last are the first and
 * the last of these.
 */
uint8_t csg_stamps_reading(const struct csg_stamps *stamps, uint64_t from, uint64_t to,
			   struct csg_stamp *first, struct csg_stamp *last);

/* Timestamps before index will not be asked for any more. */
void csg_stamps_forget(struct csg_stamps *stamps, uint64_t index);

/* The index of the first timestamp that is not settled yet; UINT64_MAX: all are. */
uint64_t csg_stamps_settled_to(const struct csg_stamps *stamps);

#endif
