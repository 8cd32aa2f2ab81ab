/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A session decodes one recording: it opens the recording, builds the images, makes
 * a stream of each source, finds the owners (scan, world) ahead of the flow and hands out
 * elements with their owner, stream by stream or merged in time order.
 */
#ifndef DECODER_SESSION_SESSION_H
#define DECODER_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/contradictions.h"
#include "csguest/attribution.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"
#include "flow/flow.h"
#include "guest/vcpus.h"
#include "guest/residency.h"
#include "image/image.h"
#include "recording/recording.h"
#include "session/guests.h"
#include "session/offsets.h"

struct csg_session;

#define CSG_THREADS_MAX 64

struct csg_session_options {
	const char *input; /* path, or "-" */
	enum csg_hypervisor hypervisor;
	struct csg_image_options image;
	struct csg_kernel_options kernel; /* the host's */
	bool has_guest;			  /* guest is given: the recording's only guest */
	struct csg_kernel_options guest;
	const struct csg_guest_options *guests; /* recordings and files of guests */
	size_t guest_count;
	const char *guestmount;		    /* DIR: files of a guest lie below DIR/PID; or NULL */
	const struct csg_vcpu_entry *vcpus; /* what the user says */
	size_t vcpu_count;
	const char *kvm_list; /* file with the vCPUs that KVM knows (session/kvm_list.h), or NULL */
	const char
		*xen_list; /* file with the domains that Xen knows (session/xen_list.h), or NULL */
	const char *tmpdir;
	int32_t only_trace_id; /* decode this trace ID only; -1: all */
	int32_t only_cpu;      /* decode this CPU's sources only; -1: all */
	enum csg_engine engine;
	unsigned int
		threads; /* that decode, the caller's included; more than one: the fast engine only */
	bool keep;	 /* what the recording holds beside trace is kept: csg_injection_open() */
	bool counts;	 /* ranges are only counted: RANGES elements where there can be */
	bool no_code;	 /* scan only: elements without ranges (csguest info, dump --packets) */
	void (*progress)(void *arg, uint64_t done, uint64_t total); /* trace bytes; may be NULL */
	void *progress_arg;
};

int csg_session_open(struct csg_session **session, const struct csg_session_options *options,
		     const struct csg_diag_sink *sink);
void csg_session_close(struct csg_session *session);

/* Nothing is decoded any more, and no other thread than the caller's runs. */
void csg_session_stop(struct csg_session *session);

struct csg_recording *csg_session_recording(struct csg_session *session);
struct csg_image *csg_session_image(struct csg_session *session);
/* The kind in force; *why, unless NULL, gets the reason for choosing it. */
enum csg_hypervisor csg_session_hypervisor(const struct csg_session *session, const char **why);

/* One decoded stream. */
struct csg_stream_info {
	const struct csg_source *source;
	uint32_t stream;      /* number */
	uint64_t trace_bytes; /* bytes of its queue fed so far (framed) */
	bool declined;	      /* the fast engine left it to OpenCSD */
};

/* A run of elements of one stream, in program order, valid until the next call. */
struct csg_batch {
	uint32_t stream;
	const struct csg_element *elements;
	size_t n;
	uint64_t time;		       /* perf time in force at its first element, ns; 0 unknown */
	const struct csg_chunk *chunk; /* the piece of trace it comes from */
	/* Who gave its elements the numbers of their code: others' are other codes.  NULL: nobody. */
	const void *codes;
	const uintptr_t *executions; /* of RANGES elements (flow/executions.h) */
};

/* Streams, in order of queue and trace ID. */
const struct csg_stream_info *csg_session_streams(const struct csg_session *session, size_t *n);

/*
 * The next elements: of the stream with the earliest time when in_time_order, else stream
 * after stream.  Returns 1 with *batch filled, 0 at the end, or a negative error that ends
 * the session; losses inside a stream are elements, never errors.
 * A batch never spans a TIMESTAMP element except as its first: all elements
 * of a batch share batch.time.
 */
int csg_session_next(struct csg_session *session, bool in_time_order, struct csg_batch *batch);

/*
 * The same for one stream, chosen by the caller, who merges streams by times of its own.  The
 * batch stays valid until the next call for this stream; other streams may be asked meanwhile.
 * Not to be mixed with csg_session_next().
 */
int csg_session_next_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch);

/* The owner with this number; the pointer is valid until the next call of csg_session_next(). */
const struct csg_owner *csg_session_owner(const struct csg_session *session, uint32_t owner);

/* The address space that the owner's code is in, as long as the session; NULL: nobody's. */
struct csg_space *csg_session_space(struct csg_session *session, uint32_t owner);
size_t csg_session_owner_count(const struct csg_session *session);

/* perf time (ns) of a raw timestamp through TIME_CONV; 0 where there is none. */
uint64_t csg_session_time(const struct csg_session *session, uint64_t timestamp);

/* What is known of the vCPU that a host thread runs, as of now; NULL: it runs none. */
const struct csg_vcpu_entry *csg_session_vcpu(const struct csg_session *session, int32_t tid);

/*
 * Timestamps while owner runs are the host's for certain (csg_is_physical_time()).  Otherwise CNTVOFF_EL2
 * may be a guest's.
 */
bool csg_session_is_host_time(const struct csg_session *session, uint32_t owner);

/* What the user calls the guest in this VM (--guest), else Xen's list of its domain; NULL: nothing. */
const char *csg_session_guest_name(const struct csg_session *session, int32_t vm);

/* What guests recorded narrows the offsets: when all of the trace is behind, csg_guest_narrow(). */
int csg_session_narrow_offsets(struct csg_session *session);

/* The counter offsets found so far: csg_people_offsets(). */
int csg_session_offsets(const struct csg_session *session, struct csg_vm_offset **vms, size_t *n);

/* Who was on each CPU when, by the host's records. */
const struct csg_residency *csg_session_residency(const struct csg_session *session);

/* The recordings that guests made themselves. */
const struct csg_guests *csg_session_guests(const struct csg_session *session);

/* Host perf time (ns) of a time of a guest that has a recording, by what is known so far; 0: not known. */
uint64_t csg_session_guest_time(const struct csg_session *session, int32_t vm, uint64_t time);

/* What was lost, by kind, over all streams so far. */
struct csg_losses {
	uint64_t gaps[32];	  /* by enum csg_gap */
	uint64_t bytes_lost;	  /* trace bytes skipped while out of sync */
	uint64_t nobody_accesses; /* code asked for while the owner was open */
};
const struct csg_losses *csg_session_losses(const struct csg_session *session);

/* Where sources contradict each other, as far as it was decoded. */
const struct csg_contradictions *csg_session_contradictions(const struct csg_session *session);

#endif
