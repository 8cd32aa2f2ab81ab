/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches for the time slices of guests' threads (guest/slices/guest_time_slices.h) in what is
 * decoded of a CPU's trace once it is known whose time slices of the host's it shows: guests'
 * kernels, at EL1, execute cpu_switch_to for each switch.  User code need not be decoded, as nobody
 * switches there.
 *
 * Time slices are of a vCPU, which others interrupt as often as they like.  What may have hidden a
 * switch sets its time slices apart:
 *
 *	lost trace; where nothing marks the loss, what follows
 *	up to the next context as well				of every vCPU
 *	a break in which trace may be lost, if guests do not
 *	change the counter of its timestamps			of every vCPU
 *	code of a guest's kernel that is missing		of that vCPU; of every one if it is
 *								not known
 *	another time slice of the host's, if the vCPU's thread
 *	may have been on another CPU in between			of that vCPU
 *
 * Where context IDs name the host's threads its time slices need not be known: another thread than
 * the vCPU's sets its time slices apart.  Then timestamps inside them alone name the guest's
 * threads.  Where the path of the code shows that trace is missing (csg_flow_code.checks_path), it
 * is missing anywhere in the time slice up to there: its timestamps may be from after a switch that
 * was lost, and it is nobody's.
 *
 * Where guests do change it, the timestamp after a break says when that was in the guest.  If the
 * host's time slice there covers that time, the guest's had begun by then, and had not ended; else
 * the break sets all apart as well.
 */
#ifndef DECODER_GUEST_GUEST_TIME_SLICE_WATCH_H
#define DECODER_GUEST_GUEST_TIME_SLICE_WATCH_H

#include "csguest/element.h"
#include "guest/path_watch.h"
#include "guest/slice_stamps.h"
#include "guest/slices/guest_time_slices.h"

/* The time slices of a vCPU in a piece of trace. */
struct csg_watched_vcpu {
	int32_t vm, tid;
	uint64_t switch_to;	       /* address of cpu_switch_to in its guest; 0: not known */
	struct csg_time_slices slices; /* times are the host's */
	struct csg_slice_stamps stamps;
	uint64_t from, until; /* host times that they lie in; from > until: none is yet */
	/* The current time slice. */
	uint64_t begin;
	uint8_t shown;
	bool any;
	struct csg_time_slice_time time;
	const struct csg_attribution_time_slice
		*interval; /* time slice of the host's that it was seen in last */
	uint64_t interval_from, interval_until; /* when that was */
};

struct csg_guest_time_slice_watch {
	const struct csg_facts *facts;
	int32_t cpu;
	uint64_t (*switch_to)(void *arg, int32_t vm); /* 0: not known */
	void *arg;
	struct csg_watched_vcpu *vcpus;
	size_t count, capacity;
	bool named;	   /* context IDs name the host's threads: slices and times are none */
	uint64_t index;	   /* of the last element */
	uint64_t stamp;	   /* a timestamp since something was executed; 0: none */
	bool names;	   /* it is right whatever was lost before it */
	uint64_t previous; /* the timestamp before it */
	uint64_t block;	   /* index of the first timestamp with the upper bits of the last */
	bool stale;	   /* trace is missing, and no context has come since */
	bool lost;	   /* trace is missing, and no timestamp since has changed its upper bits */
	struct csg_path_watch path; /* of all pieces so far */
	/* The current piece: host times, and its time slices of the host's. */
	uint64_t begin, from, until;
	const struct csg_attribution_time_slice *slices;
	const struct csg_time_slice_time *times;
	size_t slice_count;
	const struct csg_time_slice_break *breaks;
	size_t break_count, break_at; /* the first that does not end before index */
	bool in_break;
	bool virtual; /* timestamps are the guests' counter in guests */
	struct csg_watched_vcpu
		*saved; /* vcpus, as they were when the break began; slices are not saved */
	size_t saved_count, saved_capacity;
};

/* A watch is all zero but cpu, switch_to and arg before it is given what is known. */
void csg_guest_time_slice_watch_knows(struct csg_guest_time_slice_watch *watch,
				      const struct csg_attribution *attribution);

/* Whether it may find anything. */
bool csg_guest_time_slice_watch_tells(const struct csg_guest_time_slice_watch *watch);

/* Its path stays. */
void csg_guest_time_slice_watch_fini(struct csg_guest_time_slice_watch *watch);

/*
 * A piece of trace begins after index, that was recorded between two host times; n time
 * slices of the host's are known of it, which outlive the piece, and when they were.
 */
void csg_guest_time_slice_watch_begin(struct csg_guest_time_slice_watch *watch, uint64_t index,
				      uint64_t from, uint64_t until,
				      const struct csg_attribution_time_slice *slices,
				      const struct csg_time_slice_time *times, size_t n);

/*
 * Where trace may be lost in the recording, in order; outlives the watch.  virtual: the counter of
 * its timestamps is the guests'.
 */
void csg_guest_time_slice_watch_breaks(struct csg_guest_time_slice_watch *watch,
				       const struct csg_time_slice_break *breaks, size_t n,
				       bool virtual);

/* The next element, and its owner as far as it is known.  0 or -CSG_E_NO_MEMORY. */
int csg_guest_time_slice_watch_see(struct csg_guest_time_slice_watch *watch,
				   const struct csg_element *element,
				   const struct csg_owner *owner);

/* Time slices of guests, in the order of csg_attribution_piece.guest_slices for each piece. */
struct csg_guest_time_slice_list {
	struct csg_attribution_guest_time_slice *slices;
	size_t count, capacity;
};

/* The piece ends: adds its time slices, and who they are of.  0 or -CSG_E_NO_MEMORY. */
int csg_guest_time_slice_watch_end(struct csg_guest_time_slice_watch *watch,
				   struct csg_guest_time_slice_list *list);

#endif
