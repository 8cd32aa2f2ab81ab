/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session decodes a recording: what ran, who ran it, when, and how that is known.
 *
 *	struct csg_session_options options = {.size = sizeof(options)};
 *	struct csg_session *session;
 *	struct csg_batch b;
 *	int ret = csg_session_open(&session, "perf.data", &options);
 *
 *	if (!ret)
 *		while ((ret = csg_session_next(session, CSG_ORDER_STREAM, &b, sizeof(b))) > 0)
 *			for (size_t i = 0; i < b.n; i++)
 *				if (b.elements[i].kind == CSG_ELEMENT_RANGE)
 *					... csg_session_owner(session, b.elements[i].owner) ran
 *					    b.elements[i].instructions from b.elements[i].start on
 *	if (ret)
 *		... csg_strerror(ret)
 *	csg_session_close(session);
 *
 * Streams.  Each trace unit of the recording is a stream; its elements come in program order, in
 * batches.  The streams are pulled one after the other, merged by time, or one by one as the
 * caller chooses.
 *
 * Owners.  An element carries the number of its owner; csg_session_owner() says what the number
 * stands for (csguest/owner.h), csg_session_space() whose code it runs (csguest/symbol.h).  Owners
 * that are not known are owners as well, with the reason.
 *
 * Losses.  What the trace unit, the buffer or the recording lost, and code that is not available,
 * are elements (CSG_ELEMENT_GAP), never errors.  An error ends the session; what was handed out
 * before it stays valid.
 *
 * Threads.  A session is pulled by one thread at a time.  csg_session_cancel() and the questions
 * of csguest/symbol.h may come from any thread; everything else from the thread that pulls.
 *
 * Every function returns -CSG_E_USAGE (or NULL, 0, false) where a pointer that may not be NULL is,
 * an index is out of range, or a size is of no published version.
 */
#ifndef CSGUEST_SESSION_H
#define CSGUEST_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/attribution.h"
#include "csguest/code.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/filter.h"
#include "csguest/hypervisor.h"
#include "csguest/machine.h"
#include "csguest/owner.h"
#include "csguest/recording.h"
#include "csguest/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct csg_session;

/* Who decodes; the elements are the same. */
enum csg_engine {
	CSG_ENGINE_FAST,    /* ours; OpenCSD for a trace unit that it does not decode */
	CSG_ENGINE_OPENCSD, /* the reference; one thread only */
};

/* Most threads that a session may have. */
#define CSG_THREADS_MAX 64

/* Files of a machine's kernel; strings may be NULL.  Copied. */
struct csg_kernel_files {
	size_t size;
	const char *vmlinux;  /* kernel with symbols */
	const char *kcore;    /* file, or a directory with kcore, kallsyms and modules */
	const char *kallsyms; /* recorded where the trace was */
	const char *root;     /* a guest's root file system, for its user code */
};

/* A guest, as the user describes it.  Strings may be NULL.  Copied. */
struct csg_guest_files {
	size_t size;
	const char *name; /* for messages and csg_session_vm_name() */
	const char *perf; /* the recording made in it */
	int32_t pid;	  /* of its VMM in the host; 0: the library finds out */
	bool is_domain;	  /* pid is the VMID of a domain of Xen */
	bool has_domain;  /* domain is given: its number in Xen's list */
	uint32_t domain;
	bool has_offset;  /* offset is given: CNTVOFF_EL2 of its VM, in ticks */
	bool maps_latest; /* the trace is younger than what perf recorded: of mappings and names
			     whose time is not known the last ones hold */
	int64_t offset;
	struct csg_kernel_files files;
	/*
	 * A guest of the guest pid: the PID of its VMM there, or its vCPU's thread where that guest
	 * has no recording (csg_owner.nested).  It has files alone.  0: it is that guest.
	 */
	int32_t nested;
};

/* Bits of csg_session_options.flags. */
#define CSG_SESSION_COUNTS 1u	   /* RANGES elements where there can be (csguest/code.h) */
#define CSG_SESSION_NO_CODE 2u	   /* find owners only: elements without ranges, no file is read */
#define CSG_SESSION_NO_DEMANGLE 4u /* leave C++ and Rust names as they are */
#define CSG_SESSION_NO_LOCAL_FILES 8u /* do not open the recording's paths on this machine */
#define CSG_SESSION_KEEP_SIDEBAND 16u /* keep what csguest/sideband.h gives out as bytes */

/* All zero but size is a good default.  Strings and arrays are copied. */
struct csg_session_options {
	size_t size;
	uint32_t flags;			/* CSG_SESSION_* */
	enum csg_hypervisor hypervisor; /* CSG_HV_AUTO: chosen from the recording */
	enum csg_engine engine;
	unsigned int threads;			   /* that decode, the caller's included; 0: one */
	const struct csg_filter *filter;	   /* what is handed out; NULL: everything */
	const struct csg_kernel_files *kernel;	   /* the host's; NULL: as the recording says */
	const struct csg_kernel_files *only_guest; /* of a recording's only guest; NULL */
	/* Guests that the user describes; each is guests[0].size bytes. */
	const struct csg_guest_files *guests;
	size_t guest_count;
	const char *guestmount; /* files of a guest lie below DIR/PID */
	/* vCPU threads that the user names; source is CSG_VCPU_BY_USER. */
	const struct csg_vcpu_entry *vcpus;
	size_t vcpu_count;
	const char *kvm_list;		  /* file: vCPU threads as KVM's debugfs lists them */
	const char *xen_list;		  /* file: domains as Xen lists them */
	const char *symfs;		  /* prefix for the recording's paths */
	const char *buildid_dir;	  /* build-ID cache; NULL: $HOME/.debug */
	const char *tmpdir;		  /* as csg_recording_options.tmpdir */
	const struct csg_diag_sink *sink; /* messages; NULL: none.  Outlives the session */
	/* Reports progress, in bytes of trace; called by one thread at a time.  NULL: nothing
	 * is. */
	void (*progress)(void *arg, uint64_t done, uint64_t total);
	void *progress_arg;
	/*
	 * File: facts of csg_shard_index() (csguest/shard.h), made of this recording with the same
	 * options.  Owners and times are those in it, and nothing is decoded to find them.  NULL.
	 */
	const char *facts;
};

/*
 * Opens the recording at path (csg_recording_open()) and prepares to decode it: chooses the kind of
 * hypervisor, reads sideband, looks at the beginning of each stream.  options may be NULL.  Of the
 * folder of csguest collect the recording is decoded, and what else it holds, guests' recordings
 * included, takes the place of options that were not given.
 *
 * On failure *session is NULL and the cause was reported to the sink: errors of
 * csg_recording_open(); -CSG_E_USAGE; -CSG_E_NO_TRACE where no stream can be decoded or the filter
 * leaves none.
 */
int csg_session_open(struct csg_session **session, const char *path,
		     const struct csg_session_options *options);

/* Closes it; all that it handed out is gone.  NULL is allowed. */
void csg_session_close(struct csg_session *session);

/*
 * Makes the next pull return -CSG_E_CANCELLED, also one that is under way.  From any thread, or a
 * signal handler.
 */
void csg_session_cancel(struct csg_session *session);

/*
 * Ends all other threads of the session.  A pull after it returns -CSG_E_USAGE; everything else can
 * still be asked.
 */
void csg_session_stop(struct csg_session *session);

/* --- elements --- */

/* In which order csg_session_next() hands out batches. */
enum csg_order {
	CSG_ORDER_STREAM, /* stream after stream */
	CSG_ORDER_TIME,	  /* by time, as far as timestamps tell it */
};

/*
 * Elements of one stream, in program order, all with the same time: a TIMESTAMP element, or a GAP
 * element after which the time is not known, can only be the first.
 */
struct csg_batch {
	uint32_t stream;       /* its number, csg_session_stream() */
	uint32_t element_size; /* bytes from one element to the next: sizeof(struct csg_element) */
	const struct csg_element *elements;
	size_t n;
	/*
	 * Host perf time (ns), within 5 us, of the last timestamp: the elements ran then or later.
	 * 0: it is not known, as between a break in the trace (a GAP element, but one for want of
	 * code) and the first timestamp after it.
	 */
	uint64_t time;
	const struct csg_chunk *chunk; /* the trace they come from */
	/* The numbering of csg_element.code and csg_code.number; each numbers other code.  NULL:
	 * none. */
	const void *codes;
	const uintptr_t *executions; /* of RANGES elements (csguest/code.h) */
	/*
	 * When the names of what ran were good, as csg_symbol_find() and csg_session_comm() take
	 * it: time, or where that is 0 the time of the next timestamp, if it comes soon, else of
	 * the AUX record; UINT64_MAX where nothing is known.
	 */
	uint64_t lookup_time;
};

/*
 * The next batch, in this order; *batch, of which the caller knows size bytes, is valid until the
 * next call.  Returns 1, 0 at the end of the recording, or a negative error that ends the session:
 * -CSG_E_USAGE (also where the order differs from the first call, or after csg_session_stop()),
 * -CSG_E_CANCELLED, -CSG_E_NO_MEMORY, -CSG_E_INTERNAL.
 */
int csg_session_next(struct csg_session *session, enum csg_order order, struct csg_batch *batch,
		     size_t size);

/*
 * The same for one stream, for callers that merge streams themselves.  The batch stays valid until
 * the next call for this stream.  Not to be mixed with csg_session_next().
 */
int csg_session_next_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch,
			size_t size);

/* --- streams --- */

/* A stream, as of now. */
struct csg_stream_info {
	size_t size;
	const struct csg_source *source;
	uint32_t stream;      /* its number */
	uint64_t trace_bytes; /* bytes of its queue decoded so far, formatter's bytes included */
	bool declined;	      /* the fast engine left it to OpenCSD */
};

/*
 * How many streams there are, and the one with this number; NULL: none.  By queue and trace ID.
 * They lie in an array, size bytes from one to the next.
 */
size_t csg_session_stream_count(const struct csg_session *session);
const struct csg_stream_info *csg_session_stream(const struct csg_session *session,
						 uint32_t stream);

/* --- owners --- */

/*
 * The owner with this number; never NULL for one of an element.  The pointer is valid until the
 * next pull; an owner's number stands for the same owner as long as the session.
 */
const struct csg_owner *csg_session_owner(const struct csg_session *session, uint32_t owner);

/* How many owners there are so far: their numbers are smaller. */
size_t csg_session_owner_count(const struct csg_session *session);

/* The address space of the owner's code, as long as the session; NULL: it is nobody's. */
struct csg_space *csg_session_space(struct csg_session *session, uint32_t owner);

/* --- times --- */

/* Host perf time (ns) of a raw timestamp of the host's counter; 0: no TIME_CONV. */
uint64_t csg_session_time(const struct csg_session *session, uint64_t timestamp);

/*
 * Whether timestamps are the host's counter for certain while owner runs.  False: CNTVOFF_EL2 of a
 * VM may be in them.
 */
bool csg_session_is_host_time(const struct csg_session *session, uint32_t owner);

/* --- the whole --- */

/* The recording; it belongs to the session. */
struct csg_recording *csg_session_recording(struct csg_session *session);

/* The kind of hypervisor in force; *why, unless why is NULL, gets the reason, one line. */
enum csg_hypervisor csg_session_hypervisor(const struct csg_session *session, const char **why);

/* What shows that guests may run guests of their own (KVM with FEAT_NV2). */
enum csg_nesting {
	CSG_NESTING_HOST = 1u << 0, /* the host's code, as it was patched: kvm-arm.mode=nested */
	CSG_NESTING_GUESTS =
		1u << 1, /* a guest did: KVM's events, its recording, or the host's trace */
};

/*
 * Bits of enum csg_nesting; 0: nothing shows.  The same as long as the session: the trace is read
 * for it when the session is opened, but not with CSG_SESSION_NO_CODE.  The host's kernel is
 * loaded.  Negative: -CSG_E_USAGE, -CSG_E_NO_MEMORY or another error.
 */
int csg_session_nesting(struct csg_session *session);

/* What was lost in what was handed out so far. */
struct csg_losses {
	size_t size;
	uint64_t bytes_lost;	  /* bytes of trace skipped while not synchronised, and of
				     queues without a source, whose pieces count as GAP elements */
	uint64_t nobody_accesses; /* reads of code that failed because its owner was unknown */
	uint64_t gaps[64];	  /* GAP elements, by enum csg_gap */
};
const struct csg_losses *csg_session_losses(const struct csg_session *session);

/* A file whose code was needed, but is not available. */
struct csg_missing {
	size_t size;
	const char *path;    /* as recorded; "": nothing is mapped there, or see error */
	int32_t machine_pid; /* of whose machine */
	uint8_t build_id[20];
	uint8_t build_id_size;	/* bytes; 0: not known */
	int error;		/* -CSG_E_NO_IMAGE, -CSG_E_BUILD_ID, ...; -CSG_E_NO_TIMESTAMPS: the
				   mapping there changed, at a time that is not known */
	uint64_t first_address; /* that was needed */
	uint64_t count;		/* how often */
	const char *remedy;	/* what would help, one line; or NULL */
};

/*
 * Files that were missing so far, the most needed first: how many, and one; NULL: none.  Pointers
 * stay valid until csg_session_missing_count() is called again.
 */
size_t csg_session_missing_count(struct csg_session *session);
const struct csg_missing *csg_session_missing(struct csg_session *session, size_t index);

/*
 * Calls fn with the path of each file that code or symbols were read from, until it returns other
 * than 0; returns that, or 0; -CSG_E_NO_MEMORY where one could not be loaded for want of memory:
 * answers are incomplete.  fn must not ask the session anything.
 */
int csg_session_each_file(struct csg_session *session, int (*fn)(void *arg, const char *path),
			  void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
