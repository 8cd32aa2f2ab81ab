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
#include "base/findings.h"
#include "csguest/attribution.h"
#include "csguest/diag.h"
#include "csguest/element.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"
#include "csguest/session.h"
#include "flow/flow.h"
#include "guest/vcpus.h"
#include "guest/residency.h"
#include "guest/untraced.h"
#include "image/image.h"
#include "image/kernel_options.h"
#include "recording/recording.h"
#include "session/guests.h"
#include "session/kernel_check.h"
#include "session/offsets.h"

struct csg_session_setup {
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
	bool keep;	 /* what the recording holds beside trace is kept: csguest/sideband.h */
	bool counts;	 /* ranges are only counted: RANGES elements where there can be */
	bool no_code;	 /* scan only: elements without ranges (csguest info, dump --packets) */
	const struct csg_filter *filter; /* what is handed out (session/batch_filter.h), or NULL */
	void (*progress)(void *arg, uint64_t done, uint64_t total); /* trace bytes; may be NULL */
	void *progress_arg;
};

struct csg_settings;

/* The session takes the settings that its setup points into (session/settings.h). */
void csg_session_keep(struct csg_session *session, struct csg_settings *settings);

int csg_session_begin(struct csg_session **session, const struct csg_session_setup *options,
		      const struct csg_diag_sink *sink);
/* The streams, by number. */
const struct csg_stream_info *csg_session_streams(const struct csg_session *session, size_t *n);

/*
 * The next elements: of the stream with the earliest time when in_time_order, else stream
 * after stream.  Returns 1 with *batch filled, 0 at the end, or a negative error that ends
 * the session; losses inside a stream are elements, never errors.
 * A batch never spans a TIMESTAMP element except as its first: all elements
 * of a batch share batch.time.
 */
int csg_session_pull(struct csg_session *session, bool in_time_order, struct csg_batch *batch);

/*
 * The same for one stream, chosen by the caller, who merges streams by times of its own.  The
 * batch stays valid until the next call for this stream; other streams may be asked meanwhile.
 * Not to be mixed with csg_session_pull().
 */
int csg_session_pull_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch);

/* How a session is pulled. */
enum csg_pull {
	CSG_PULL_ANY, /* not yet */
	CSG_PULL_TURN,
	CSG_PULL_TIME,
	CSG_PULL_STREAM,
	CSG_PULL_STOPPED, /* csg_session_stop(): no more */
};

/* From now on the session is pulled so; false: it was pulled otherwise before. */
bool csg_session_settle_on(struct csg_session *session, enum csg_pull how);

/* Whether it hands out every element of its streams, each range for itself. */
bool csg_session_is_whole(const struct csg_session *session);

struct csg_image *csg_session_image(struct csg_session *session);

/* What is known of the vCPU that a host thread runs, as of now; NULL: it runs none. */
const struct csg_vcpu_entry *csg_session_vcpu(const struct csg_session *session, int32_t tid);

/* The vCPU threads known so far, by TID. */
const struct csg_vcpu_entry *csg_session_vcpus(const struct csg_session *session, size_t *n);

/* What the user calls the guest in this VM (--guest), else Xen's list of its domain; NULL: nothing. */
const char *csg_session_guest_name(const struct csg_session *session, int32_t vm);

/* What guests recorded narrows the offsets: when all of the trace is behind, csg_guest_narrow(). */
int csg_session_narrow_offsets(struct csg_session *session);

/* The counter offsets found so far: csg_people_offsets(). */
int csg_session_offsets(const struct csg_session *session, struct csg_vm_offset **vms, size_t *n);

/* Who was on each CPU when, by the host's records. */
const struct csg_residency *csg_session_residency(const struct csg_session *session);

/* Number of who had cpu from a host time (ns) on, and until when: csg_untraced_at().  -CSG_E_NO_MEMORY. */
int64_t csg_session_untraced_owner(struct csg_session *session, int32_t cpu,
				   enum csg_untraced_gap gap, uint64_t from, uint64_t *until);

/* The recordings that guests made themselves. */
const struct csg_guests *csg_session_guests(const struct csg_session *session);

/* Host perf time (ns) of a time of a guest that has a recording, by what is known so far; 0: not known. */
uint64_t csg_session_guest_time(const struct csg_session *session, int32_t vm, uint64_t time);

/* What was found of assumptions, as far as it was decoded. */
const struct csg_findings *csg_session_findings(const struct csg_session *session);

/* Where sources contradict each other, as far as it was decoded. */
const struct csg_contradictions *csg_session_contradictions(const struct csg_session *session);

/*
 * Compares the kernels' files with the trace, where that was not done at once: csg_check_kernel().  And what
 * came of it so far.
 */
int csg_session_compare_kernels(struct csg_session *session);
const struct csg_checked_kernels *csg_session_checked_kernels(const struct csg_session *session);

#endif
