/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Assumptions: what owners rest on that the architecture, KVM and Linux are to do, and how often
 * the trace of a session has confirmed and contradicted each.
 *
 * The counts come from the places where owners are decided, in what was handed out so far; nothing
 * is decoded a second time for them.  A finding is confirmed where a second source says the same,
 * and contradicted where it says otherwise.  Where there is no second source nothing is counted, so
 * an assumption may be right although it was not exercised.  PATH alone is counted when the session
 * is opened: where guests are traced in windows their code is walked before anything is handed out.
 *
 * A contradiction does not make an owner wrong: owners that rest on it are unknown there.  It
 * shows that hardware, kernel or recording are not as csguest takes them to be.
 */
#ifndef CSGUEST_ASSUMPTION_H
#define CSGUEST_ASSUMPTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_session;

/* X(name, key, what is assumed) */
#define CSG_ASSUMPTIONS(X)                                                                         \
	X(EXCEPTION_CONTEXT, "exception-context",                                                  \
	  "a context packet follows each exception to a higher exception level")                   \
	X(TIMESTAMP_DOMAIN, "timestamp-domain",                                                    \
	  "timestamps are the virtual counter: a guest's jump by its offset, the host's do not")   \
	X(CONTEXTIDR_EL2, "contextidr-el2",                                                        \
	  "CONTEXTIDR_EL2 holds the host's thread, and in a guest that of its vCPU")               \
	X(CONTEXTIDR_EL1, "contextidr-el1", "without VHE CONTEXTIDR_EL1 holds the host's thread")  \
	X(EXIT_VECTORS, "exit-vectors", "guests exit to KVM's vectors, one base on each CPU")      \
	X(ENTRY_ERET, "entry-eret", "an ERET that enters guests enters no process of the host")    \
	X(HVC_RETURN, "hvc-return",                                                                \
	  "without VHE the host comes back to EL1 after its HVC, and a guest elsewhere")           \
	X(COUNTER_OFFSET, "counter-offset", "a VM has one CNTVOFF_EL2 at a time")                  \
	X(VMID, "vmid", "a VMID belongs to one VM at a time")                                      \
	X(PATH, "path", "a window of trace goes on where its code leads")

enum csg_assumption {
#define CSG_ASSUMPTION_ENUM(name, key, text) CSG_ASSUMPTION_##name,
	CSG_ASSUMPTIONS(CSG_ASSUMPTION_ENUM) CSG_ASSUMPTION_COUNT
#undef CSG_ASSUMPTION_ENUM
};

/* No index: the place is not one of the trace. */
#define CSG_NO_PLACE UINT64_MAX

/* Where it was found.  Does not grow. */
struct csg_assumption_place {
	int32_t cpu;	/* of the host, or -1 */
	uint64_t index; /* byte in the trace of its queue, or CSG_NO_PLACE */
	uint64_t time;	/* host perf time, ns; 0: not known */
};

/* What was found of an assumption; the places are of the first of each. */
struct csg_assumption_info {
	size_t size;
	uint64_t confirmed, contradicted;
	struct csg_assumption_place confirmed_at, contradicted_at;
};

/* Its key ("exit-vectors"), and what is assumed, one line without a full stop.  Never NULL. */
const char *csg_assumption_key(enum csg_assumption assumption);
const char *csg_assumption_text(enum csg_assumption assumption);

/*
 * What was found so far of an assumption; *info, of which the caller knows size bytes, is filled.
 * 0 or -CSG_E_USAGE.
 */
int csg_session_assumption(const struct csg_session *session, enum csg_assumption assumption,
			   struct csg_assumption_info *info, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
