/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contradictions: what two sources say of the same part of a recording that cannot both be true.
 *
 * A contradiction is data, as a gap is: it has a kind, a place and a time, and what each source
 * says.  The owners that rest on either source are unknown in its interval (CSG_REASON_CONFLICT),
 * and nowhere else.  An intact recording has none.
 *
 * In the trace the interval is [begin, end) in bytes of the stream; in sideband only its times are
 * known, from the first to the last part that the context IDs of the trace leave open, so it
 * becomes shorter while that is read.  To be asked by the thread that pulls the session.
 */
#ifndef CSGUEST_CONTRADICTION_H
#define CSGUEST_CONTRADICTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_session;

#define CSG_CONTRADICTION_KINDS_LIST(X)                                                            \
	X(EXIT_VECTORS, "exit vectors") /* where an exit from a guest led to, and the vectors */   \
	X(ENTRY_ERET, "entry ERET")	/* where an ERET led to, and its symbol */                 \
	X(WORLD, "host or guest")	/* without VHE: on-CPU intervals, HVC, exceptions */       \
	X(VCPU, "vCPU table")		/* a guest in a thread that runs no vCPU */                \
	X(CONTEXT_ID, "context ID")	/* it changed where the kernel cannot have changed it */   \
	X(ON_CPU, "thread on the CPU")	/* what the trace shows of it, and switch records */       \
	X(SWITCH_RECORDS, "switch records") /* two of them */                                      \
	X(KVM_EVENTS,                                                                              \
	  "KVM's events") /* kvm_entry and kvm_exit, and the time slices of the trace */           \
	X(GUEST_SWITCHES, "guest's switches") /* its records, and the trace */                     \
	X(PID_NAMESPACE, "PID namespace")     /* of context IDs, and of the records; only one */   \
	X(LEVEL, "nested guests")	      /* what KVM called before it entered a guest */      \
	X(TIMESTAMPS, "timestamps")	      /* of a guest: they go back */                       \
	X(SAMPLE, "sample")		      /* of an event, and where its own trace ends */      \
	X(PATH, "path") /* of the code, or all that was mapped, and what the trace says next */

enum csg_contradiction_kind {
#define CSG_CONTRADICTION_KIND(name, text) CSG_CONTRADICTION_##name,
	CSG_CONTRADICTION_KINDS_LIST(CSG_CONTRADICTION_KIND)
#undef CSG_CONTRADICTION_KIND
		CSG_CONTRADICTION_KINDS,
};

/* begin and end of one that is not in the trace; end of one that lasts to the end of the stream. */
#define CSG_NO_INDEX UINT64_MAX

#define CSG_CONTRADICTION_TEXT_MAX 192

struct csg_contradiction {
	size_t size;
	uint8_t kind;		       /* enum csg_contradiction_kind */
	int32_t cpu;		       /* of the host, or -1 */
	int32_t vm;		       /* whose sideband it is in; 0: the host's, or the trace */
	uint64_t begin, end;	       /* bytes in the trace of the stream */
	uint64_t begin_time, end_time; /* perf time of that machine, ns; 0: not known */
	/* In sideband, of the record that contradicts another one; what is not known is 0. */
	uint64_t record_time;
	char text[CSG_CONTRADICTION_TEXT_MAX]; /* what the two say, one line, no full stop */
};

/*
 * The contradictions found so far, sorted by kind, VM, CPU and place: how many, and one; NULL:
 * none.  They lie in an array, size bytes from one to the next.  Valid until the next pull.
 */
size_t csg_contradiction_count(const struct csg_session *session);
const struct csg_contradiction *csg_contradiction_at(const struct csg_session *session,
						     size_t index);

/* How many were found.  The first 4096 are kept. */
uint64_t csg_contradiction_total(const struct csg_session *session);

/* A few words: "exit vectors".  Never NULL. */
const char *csg_contradiction_name(enum csg_contradiction_kind kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
