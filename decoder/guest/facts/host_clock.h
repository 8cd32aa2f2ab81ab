/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host's clock along one stream: host perf time of its timestamps, a guest's included.
 *
 * Only for a trace unit whose timestamps are the virtual counter; of any other nothing is known.
 * Who ran says whose each timestamp may be (clock/stamps.h):
 *
 *	a host's process, or the kernel in a thread that can run no vCPU	physical
 *	a guest								its VM's, less CNTVOFF_EL2
 *	the host's kernel in another thread, everything unknown	either
 *
 * and where the owner's VM is not known, the host's switch records say which VM's vCPU threads were
 * on the CPU at all (guest/facts/residency.h), if only one's were.  The counter offsets that come
 * out of it are shared by all streams.
 */
#ifndef DECODER_GUEST_FACTS_HOST_CLOCK_H
#define DECODER_GUEST_FACTS_HOST_CLOCK_H

#include "clock/stamps.h"
#include "csguest/owner.h"
#include "csguest/time_conv.h"
#include "guest/facts/residency.h"
#include "guest/facts/vcpus.h"

/* What all streams share; everything outlives them. */
struct csg_host_clocks {
	struct csg_offsets offsets;
	struct csg_time_conv conv; /* the host's */
	const struct csg_residency *residency;
	const struct csg_vcpus *vcpus;
	bool guests; /* there are signs of guests; without, all timestamps are physical */
	/* The process of a host's thread from one time until another: csg_facts_process(). */
	int32_t (*process_of)(void *arg, int32_t tid, uint64_t from, uint64_t until);
	/*
	 * Whether a thread that was of several processes in that time ran no vCPU in any of them:
	 * csg_process_runs_none().  NULL: it may have.
	 */
	bool (*runs_none)(void *arg, int32_t tid, uint64_t from, uint64_t until);
	void *arg;
};

struct csg_host_clock {
	const struct csg_host_clocks *shared;
	struct csg_stamps stamps;
	int32_t cpu;
	uint64_t begin, end; /* of the piece, host perf times, ns; 0 unknown */
	bool known;	     /* timestamps are the virtual counter, and it converts to perf time */
};

void csg_host_clock_init(struct csg_host_clock *clock, struct csg_host_clocks *shared, int32_t cpu,
			 bool is_virtual);
void csg_host_clock_fini(struct csg_host_clock *clock);

/*
 * A piece of trace begins that was recorded between two host times (ns; 0 unknown), or the one
 * before it goes on.
 */
void csg_host_clock_chunk(struct csg_host_clock *clock, uint64_t begin_time, uint64_t end_time,
			  bool continues);

/*
 * The next timestamp of the trace, at index, who ran there (NULL: its upper bits may be wrong, it
 * says no time), and whether that was traced then.
 */
void csg_host_clock_stamp(struct csg_host_clock *clock, uint64_t index, uint64_t raw,
			  const struct csg_owner *owner, bool traced);

/* Nothing more is waited for. */
void csg_host_clock_settle(struct csg_host_clock *clock);

/*
 * Host perf time (ns) at the timestamp at index, as it is known by now; 0: it is not, or not within
 * 5 us.  What is
 * known better meanwhile may lie before what was reported of an earlier timestamp.
 */
uint64_t csg_host_clock_time(struct csg_host_clock *clock, uint64_t index);

/* Timestamps before index will not be asked for any more. */
void csg_host_clock_forget(struct csg_host_clock *clock, uint64_t index);

/*
 * Between which host times (ns; 0: no bound) the timestamp at index was sent, as is known by now.
 * True where they are close enough to date a thread by.
 */
bool csg_host_clock_bounds(struct csg_host_clock *clock, uint64_t index, uint64_t *low,
			   uint64_t *high);

/*
 * At most how many ticks of the physical counter lie between the timestamps at two indexes, as is
 * known by now; false: it is not.
 */
bool csg_host_clock_between(struct csg_host_clock *clock, uint64_t from, uint64_t until,
			    uint64_t *ticks);

/*
 * csg_stamps_reading(); 0 as well where the stream has not shown so far that guests' timestamps are
 * the virtual counter, or shows that some are not.
 */
uint8_t csg_host_clock_reading(const struct csg_host_clock *clock, uint64_t from, uint64_t to,
			       struct csg_stamp *first, struct csg_stamp *last);

/* Whether what is known of the timestamp at index is all that there will be. */
bool csg_host_clock_is_settled(const struct csg_host_clock *clock, uint64_t index);

/*
 * The VM of which alone vCPUs can have been on cpu between two host times; 0: none; -1: not
 * known.
 */
int32_t csg_resident_vm(const struct csg_host_clocks *shared, int32_t cpu, uint64_t from,
			uint64_t until);

/*
 * Whether a timestamp is the physical counter for certain while owner runs, for one that order does
 * not settle: no guest takes part; it is a process of the host, for which every vCPU is put; or a
 * thread's kernel that can run no vCPU.  A thread whose process nobody knows to be a VMM may run
 * one all the same.
 */
bool csg_is_physical_time(const struct csg_host_clocks *shared, const struct csg_owner *owner);

#endif
