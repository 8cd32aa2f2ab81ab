/* SPDX-License-Identifier: BSD-3-Clause */
/* What a session is opened with, and how it is pulled. */
#ifndef DECODER_SESSION_SESSION_SETUP_H
#define DECODER_SESSION_SESSION_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/attribution.h"
#include "csguest/element.h"
#include "csguest/hypervisor.h"
#include "csguest/session.h"
#include "flow/flow.h"
#include "image/image.h"
#include "image/maps/kernel_options.h"
#include "session/open/guests.h"

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
	const char *kvm_list; /* file with KVM's vCPUs (session/open/kvm_list.h), or NULL */
	const char *xen_list; /* file with Xen's domains (session/open/xen_list.h), or NULL */
	const char *facts;    /* file with the trace's index (session/trace_index.h), or NULL */
	const char *tmpdir;
	int32_t only_trace_id; /* decode this trace ID only; -1: all */
	int32_t only_cpu;      /* decode this CPU's sources only; -1: all */
	enum csg_engine engine;
	/* that decode, the caller's included; more than one: the fast engine only */
	unsigned int threads;
	bool keep;    /* what the recording holds beside trace is kept: csguest/sideband.h */
	bool counts;  /* ranges are only counted: RANGES elements where there can be */
	bool no_code; /* scan only: elements without ranges (csguest info, dump --packets) */
	const struct csg_filter
		*filter; /* what is handed out (session/run/batch_filter.h), or NULL */
	void (*progress)(void *arg, uint64_t done, uint64_t total); /* trace bytes; may be NULL */
	void *progress_arg;
};

/* How a session is pulled. */
enum csg_pull {
	CSG_PULL_ANY,	  /* not yet */
	CSG_PULL_STREAMS, /* one after the other: CSG_ORDER_STREAM */
	CSG_PULL_TIME,	  /* CSG_ORDER_TIME */
	CSG_PULL_STREAM,  /* the caller names it: csg_session_next_of() */
	CSG_PULL_STOPPED, /* csg_session_stop(): no more */
};

#endif
