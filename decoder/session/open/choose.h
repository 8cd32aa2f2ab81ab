/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kind of hypervisor a recording was made under, as far as the recording itself proves it.
 *
 *   snapshot                 unknown: EL2 may be Xen, firmware or a bare-metal test
 *   CONTEXTIDR_EL2 recorded  kvm-vhe: Linux's driver sets TRCCONFIGR.VMIDOPT at EL2 only
 *   EL2 ran in the trace     kvm-vhe: Linux's driver does not trace the EL2 of nVHE
 *   signs of guests, no EL2  kvm-nvhe where the kernel was recorded and EL1 ran: it is there.  Else
 *                            unknown: nVHE, or EL2 was filtered out
 *   EL1 ran though the kernel unknown: with the host's kernel excluded, EL1 is somebody else's
 *   was excluded
 *   nothing of these         none
 *
 * EL2 is looked for in the beginning of each stream only; a session that meets it later
 * changes its mind from there on and says so.
 */
#ifndef DECODER_SESSION_OPEN_CHOOSE_H
#define DECODER_SESSION_OPEN_CHOOSE_H

#include "csguest/hypervisor.h"
#include "recording/recording.h"

/* Why a kind was chosen, one line; "user" where --hypervisor said so. */
struct csg_choice {
	enum csg_hypervisor kind;
	const char *why;
	bool guests; /* the recording shows guests, be they in the trace or not */
};

/* Fills in whether the recording shows guests.  Negative: an error. */
int csg_look_for_guests(struct csg_recording *rec, struct csg_choice *choice);

/* Looks at rec, scanning at most a few MB of trace.  Negative: an error. */
int csg_choose_hypervisor(struct csg_recording *rec, struct csg_choice *choice);

/*
 * What of rec contradicts that it was made under such a hypervisor: *why gets one line, or NULL
 * where nothing does.  Scans as much trace.  Negative: an error.
 */
int csg_contradict_hypervisor(struct csg_recording *rec, enum csg_hypervisor kind,
			      const char **why);

#endif
