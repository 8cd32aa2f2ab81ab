/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of events that hold trace (csguest/recording.h), in the stream that their trace is part
 * of: where each of them was taken, and whose code that was.
 *
 * The trace of a sample ends where the event was sampled, or in the handler of the event.  So
 * execution is at its ip, or the last exception was taken there.  What the sample says of itself is
 * checked against that:
 *
 *	cpumode	of user code: the trace ends in the host's user code, or an exception has left it at
 *		ip; of the kernel: the trace does not end in code of another without an exception.
 *		A guest's proves no more than that a vCPU was loaded (kvm_arch_pmi_in_guest()).
 *	tid	the host's thread, where context IDs name one
 *
 * Where they disagree the owner is not known, a conflict, and that is reported.
 */
#ifndef DECODER_SESSION_RUN_SAMPLED_H
#define DECODER_SESSION_RUN_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>

#include "csguest/contradiction.h"
#include "csguest/element.h"
#include "csguest/recording.h"
#include "base/owner_table.h"

/* Where execution is: in whose code, and at which address; 0: not known. */
struct csg_sampled_place {
	uint64_t address;
	uint32_t owner;
	bool known; /* whose code */
};

/* All zero: there are no samples. */
struct csg_sampled {
	const struct csg_traced_sample *samples; /* of the recording */
	size_t next, end; /* those of the stream: the next, and one past the last */
	struct csg_owner_table *owners;
	int32_t cpu; /* of the stream, or CSG_NO_CPU: they are of any */
	struct csg_sampled_place at;
	struct csg_sampled_place left; /* by the last exception; its return address */
	bool handles;		       /* that was not returned from yet */
	bool made;		       /* element is that of the next sample */
	struct csg_element element;
	struct csg_contradiction conflict; /* of the element; text is "": there is none */
	int error;
};

/* Takes the samples of the source out of n of its recording. */
void csg_sampled_init(struct csg_sampled *sampled, const struct csg_traced_sample *samples,
		      size_t n, const struct csg_source *source, struct csg_owner_table *owners);

/* Whether the next sample was taken before this element of the stream. */
static inline bool csg_sampled_ends(const struct csg_sampled *sampled,
				    const struct csg_element *next)
{
	return sampled->next < sampled->end && next->index >= sampled->samples[sampled->next].end;
}

/* Its element, until csg_sampled_take(); error is set where memory was out. */
const struct csg_element *csg_sampled_element(struct csg_sampled *sampled);

/* It was handed out. */
void csg_sampled_take(struct csg_sampled *sampled);

/* n elements of the stream were handed out. */
void csg_sampled_see(struct csg_sampled *sampled, const struct csg_element *elements, size_t n);

#endif
