/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When no guest can have run on a CPU: while the host's own records (guest/facts/residency.h) have
 * a thread there that runs no vCPU, by the host's time in the trace.  Without VHE that is how it is
 * known at all that EL1 and EL0 are the host's (world/stretch.h).
 *
 * A timestamp is the host's time only if it lies inside the piece of trace and does not go
 * backwards: while a vCPU is loaded it is its guest's, which lags by CNTVOFF_EL2.
 *
 * Which threads run vCPUs is known by name: of a VMM that names none of its threads nobody knows
 * it.  So only the idle thread counts, and, where some vCPUs are known, threads of processes that
 * have none. Where CONTEXTIDR_EL1 is traced it must name the same thread, as the host's kernel
 * writes it.
 *
 * The idle thread runs no user code.  Where some ran between two timestamps at which it was there
 * without leaving in between, trace was lost, or the timestamps are of another time.
 */
#ifndef DECODER_GUEST_HOST_ALONE_H
#define DECODER_GUEST_HOST_ALONE_H

#include "csguest/context.h"
#include "guest/facts/agreement.h"
#include "guest/facts/facts.h"

/* Along one stream. */
struct csg_host_alone {
	const struct csg_facts *facts;
	int32_t cpu;
	bool virtual_time;   /* timestamps are the virtual counter */
	uint64_t begin, end; /* of the piece, perf time; 0 unknown */
	uint64_t last;	     /* the latest time of the host's so far */
	const struct csg_agreement *agreement;
	uint64_t idle; /* when the idle thread came that was there last; 0: another one was */
	bool user;     /* EL0 ran since the last timestamp */
	bool wrong;    /* it did while the idle thread was there all the time */
	bool certain; /* two records name the thread that was there last, and CONTEXTIDR_EL1 does */
};

/* agreement: of the stream, or NULL. */
void csg_host_alone_init(struct csg_host_alone *alone, const struct csg_facts *facts,
			 const struct csg_trace_unit *unit, const struct csg_agreement *agreement);

/* The next piece of trace; one that does not continue the last begins anew. */
void csg_host_alone_piece(struct csg_host_alone *alone, const struct csg_attribution_piece *piece);

/* A timestamp is passed, with context in force.  True: no guest ran then. */
bool csg_host_alone(struct csg_host_alone *alone, uint64_t timestamp,
		    const struct csg_context *context);

/* EL0 runs. */
static inline void csg_host_alone_user(struct csg_host_alone *alone)
{
	alone->user = true;
}

/*
 * Whether the timestamp would be the host's outside of the piece, and so is of another counter: a
 * guest's, or one that lacks upper bits.
 */
bool csg_host_alone_outside(const struct csg_host_alone *alone, uint64_t timestamp);

/* The host's perf time of a timestamp, if it may be the host's; 0: it is not. */
uint64_t csg_host_alone_time(const struct csg_host_alone *alone, uint64_t timestamp);

#endif
