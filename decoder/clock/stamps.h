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
 * behind it that are settled, and what is either physical or a VM's is settled when only one of the
 * two fits in between.  The same order bounds the offset: with a physical timestamp a before and b
 * behind one of a VM's, v,
 *
 *	a <= v + CNTVOFF <= b
 *
 * the tighter, the nearer they are to load and put.  These bounds go to csg_offsets, what it knows
 * settles further timestamps.  Those that cannot be settled keep the interval they must lie in.
 *
 * A physical timestamp that goes back is a conflict; nothing is concluded from it, nor from what
 * was settled before it.
 */
#ifndef DECODER_CLOCK_STAMPS_H
#define DECODER_CLOCK_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/findings.h"
#include "clock/offsets.h"

/* Whose a timestamp may be. */
enum csg_stamp_may {
	CSG_STAMP_PHYSICAL = 1,
	CSG_STAMP_LOADED = 2,
	CSG_STAMP_EITHER = 3,
};

#define CSG_STAMP_ANY_VM (-1) /* loaded, if at all, by whatever VM */

/*
 * The only VM of which a vCPU can have been on the CPU between two times of the physical counter;
 * 0: none was; CSG_STAMP_ANY_VM: not known.
 */
typedef int32_t (*csg_stamp_whose_fn)(void *arg, uint64_t from, uint64_t until);

struct csg_stamp {
	uint64_t index; /* of its packet */
	uint64_t raw;
	uint64_t low, high; /* the physical counter lies in it */
	int32_t vm;
	uint8_t may; /* enum csg_stamp_may */
	bool traced; /* it was sent while execution was traced, and is not the one before again */
};

struct csg_stamps {
	struct csg_offsets *offsets;
	csg_stamp_whose_fn whose; /* or NULL */
	void *arg;
	struct csg_finder finder; /* of what timestamps say of assumptions */

	uint64_t floor, ceiling; /* of the piece of trace */
	uint64_t anchor;	 /* the last that is settled is not before it */
	bool anchored;		 /* by a timestamp, not by the beginning of the piece */
	bool supposes;		 /* the only VM that is known was taken for one that nothing names */

	struct csg_stamp
		*queue; /* first those that are settled, then those that wait, then new ones */
	size_t first, settled, waiting, fresh, room;
	size_t asked;	    /* of the queue, those that will not be asked for any more */
	size_t found;	    /* place in the queue of the one that was asked for last */
	uint64_t dropped;   /* nobody asked for them, or too many waited */
	uint64_t conflicts; /* physical ones that go back or leave the piece */
	uint64_t virtual;   /* certain to be a guest's, and not the physical counter */
	uint64_t disputed;  /* certain to be a guest's, and yet between those of the physical one */
	uint64_t last;	    /* the last that came, raw */
	bool failed;	    /* out of memory: timestamps are missing */
};

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
 * The next timestamp of the trace; indexes rise.  0: the trace unit did not know the time.  traced: it was
 * sent while execution was traced.
 */
void csg_stamps_add(struct csg_stamps *stamps, uint64_t index, uint64_t raw, bool traced);

/* Whose all timestamps are that were added, not told of yet, and stand before index. */
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
 * csg_stamp_may, 0 where nothing settled what any of them is.  *first and *last are the first and the last
 * of these.
 */
uint8_t csg_stamps_reading(const struct csg_stamps *stamps, uint64_t from, uint64_t to,
			   struct csg_stamp *first, struct csg_stamp *last);

/* Timestamps before index will not be asked for any more. */
void csg_stamps_forget(struct csg_stamps *stamps, uint64_t index);

/* The index of the first timestamp that is not settled yet; UINT64_MAX: all are. */
uint64_t csg_stamps_settled_to(const struct csg_stamps *stamps);

#endif
