/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a recording that was made in a guest is of a certain VM.
 *
 * Whatever a guest records happens while one of its vCPUs is on a CPU.  The host's switch records
 * say when that may have been (guest/facts/residency.h), the trace's timestamps how far the VM's
 * counter lags the host's (clock/stamps.h).  Both together leave no room: with an offset that the
 * trace allows, each of the guest's records must lie in such a time (clock/fit.h).  Another VM's do
 * not, nor do they where the trace's timestamps are not the guest's counter, though the driver says
 * so.  Nor can a recording be of a VM whose process began after one of its records, or had ended
 * before it (guest/facts/vmm_life.h).
 *
 * The same tells which of its vCPUs a CPU of the guest is, as what it recorded there happened while
 * this one's thread was on a CPU (guest/facts/guest_cpus.h).
 *
 * Records that were injected into the host's recording (perf inject --guest-data FILE,PID,OFFSET)
 * claim to be in the host's time: they must fit as they are, to a microsecond.  Who injected them
 * may have said a wrong offset.
 */
#ifndef DECODER_GUEST_FACTS_GUEST_FIT_H
#define DECODER_GUEST_FACTS_GUEST_FIT_H

#include "guest/facts/facts.h"

enum csg_guest_fits {
	CSG_GUEST_FITS,
	CSG_GUEST_FITS_NOT,
	CSG_GUEST_FIT_UNKNOWN, /* the host's records, or the trace's time, do not tell */
};

/*
 * Asks for the switches that a guest recorded, by its clock.  facts are sealed, and streams have
 * seen some of the trace.  -CSG_E_NO_MEMORY.
 */
int csg_guest_fit(const struct csg_facts *facts, int32_t vm,
		  const struct csg_attribution_clock *clock, const struct csg_switches *switches,
		  enum csg_guest_fits *fits);

/*
 * Whether what guest recorded on each of n of its CPUs can have happened in tid, a thread of the
 * host; CSG_PID_UNKNOWN: in any thread that may run a vCPU of it, but that no source says to.  Its
 * switches are sealed.
 */
int csg_guest_fit_cpus(const struct csg_facts *facts, const struct csg_facts_machine *guest,
		       int32_t tid, const int32_t *cpus, size_t n, enum csg_guest_fits *fits);

#endif
