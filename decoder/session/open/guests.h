/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings that were made inside guests: each is opened as a recording of its own, without trace,
 * and its sideband goes to the images and the attribution of the machine that it is of.
 *
 * A guest's times are its own counter's; they stay so (csguest/attribution.h).
 */
#ifndef DECODER_SESSION_OPEN_GUESTS_H
#define DECODER_SESSION_OPEN_GUESTS_H

#include "csguest/diag.h"
#include "image/maps/kernel_options.h"
#include "recording/recording.h"
#include "files/xen_domains.h"
#include "session/run/registry.h"
#include "session/run/surveyed_time_slices.h"

/* What is known of a guest: --guest NAME,...  Strings belong to the caller and outlive the
 * session. */
struct csg_guest_options {
	const char *name; /* for messages */
	const char *perf; /* its recording, or NULL */
	int32_t pid;	  /* of its VMM in the host: the machine it is; 0: find out */
	bool is_domain;	  /* pid is the VMID of a domain of Xen */
	bool has_domain;  /* domain is said: its number, by which Xen's list has the VMID */
	uint32_t domain;
	bool has_offset;  /* offset is said: CNTVOFF of its VM, ticks */
	bool maps_latest; /* it is said that the trace is younger than its recording */
	int64_t offset;
	struct csg_kernel_options files;
	/* it is a guest of the guest pid, by the PID of its VMM there; 0: it is that guest */
	int32_t nested;
};

struct csg_guests {
	struct csg_recording **recordings;
	int32_t *recorded; /* of each recording: the VM whose it is; 0: it is not used */
	size_t count;	   /* of recordings */
	int32_t *vms;	   /* of each guest: its VM */
};

/* What the session was given of them. */
struct csg_guests_setup {
	const struct csg_guest_options *guests;
	size_t count;
	const struct csg_xen_domains *domains; /* Xen's list, or NULL */
	int (*prescan)(void *arg); /* tells the attribution what the streams' beginnings show */
	void *prescan_arg;
	const char *guestmount; /* has each guest's files below its PID; or NULL */
	const char *tmpdir;
	const struct csg_diag_sink *sink;
};

/* All zero is none. */
void csg_guests_fini(struct csg_guests *guests);

/*
 * Opens the guests' recordings and brings their sideband.  host is the trace's recording, whose
 * sideband is loaded, and the policy set: its trace is surveyed.  A recording whose VM is not said
 * is that of the one VM that it fits; one that cannot be of the VM that was said is reported, and
 * not used.  0 or a negative error that was reported.
 */
int csg_guests_load(struct csg_guests *guests, struct csg_registry *registry,
		    struct csg_recording *host, const struct csg_guests_setup *setup);

/*
 * Dates the maps and names of guests whose counter offset the trace does not show, but the guest's
 * records do (csg_attribution_prepare_guest_time_slices()).  Before code is read.
 * -CSG_E_NO_MEMORY.
 */
int csg_guests_date(struct csg_guests *guests, struct csg_registry *registry);

#endif
