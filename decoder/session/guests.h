/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings that were made inside guests: each is opened as a recording of its own, without trace, and its
 * sideband goes to the images and the attribution of the machine that it is of.
 *
 * A guest's times are its own counter's; they stay so (csguest/attribution.h).
 */
#ifndef DECODER_SESSION_GUESTS_H
#define DECODER_SESSION_GUESTS_H

#include "csguest/diag.h"
#include "recording/recording.h"
#include "session/people.h"

/* What is known of a guest: --guest NAME,...  Strings belong to the caller and outlive the session. */
struct csg_guest_options {
	const char *name; /* for messages */
	const char *perf; /* its recording, or NULL */
	int32_t pid;	  /* of its VMM in the host: the machine it is; 0: find out */
	struct csg_kernel_options files;
};

struct csg_guests {
	struct csg_recording **recordings;
	size_t count;
};

/* All zero is none. */
void csg_guests_fini(struct csg_guests *guests);

/*
 * Opens the recordings of n guests and brings their sideband; guestmount, or NULL, has each
 * guest's files below its PID.  host is the trace's recording, whose sideband is loaded.  0 or a
 * negative error that was told.
 */
int csg_guests_load(struct csg_guests *guests, struct csg_people *people,
		    const struct csg_guest_options *options, size_t n, const char *guestmount,
		    const char *tmpdir, const struct csg_diag_sink *sink);

#endif
