/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample of the addresses that ran of one kernel (session/open/code_sample.h).
 *
 * It must be proved whose kernel ran.  With a VHE host, or without guests, the exception level says
 * it of the host's.  Else the owners do that attribution finds, by whatever evidence but the
 * policy's default; of guests' kernels they may be of several, which only some of them contradict
 * (session/open/code_bouts.h).  Of a trace unit that speculates (TRCIDR8) what it commits is
 * sampled, unless it takes back how it branched. A snapshot's memory is everybody's, so of its
 * host's files everything is sampled that ran where they have code, at the host's exception level
 * if that is known.
 */
#ifndef DECODER_SESSION_OPEN_KERNEL_SAMPLER_H
#define DECODER_SESSION_OPEN_KERNEL_SAMPLER_H

#include "csguest/hypervisor.h"
#include "recording/recording.h"
#include "session/open/code_bouts.h"
#include "session/open/kernel_samples.h"
#include "session/run/registry.h"

struct csg_switch_survey;
struct csg_machine;

/* The trace, and what is known of who ran in it. */
struct csg_sampled_trace {
	struct csg_recording *rec;
	const struct csg_registry *registry;
	enum csg_hypervisor kind; /* in force */
	bool guests;		  /* some may run */
	bool snapshot;
	const struct csg_switch_survey *surveys; /* of each source: levels of guests; or NULL */
};

/* Memory is everybody's, and nothing says that some of those who run share a level with it. */
bool csg_sampled_trace_is_everybodys(const struct csg_sampled_trace *trace);
/* The exception level alone says that it is the host's kernel. */
bool csg_sampled_trace_level_says(const struct csg_sampled_trace *trace);

/*
 * Compares what ran of the kernel of the host (vm CSG_VM_HOST), of a guest, or of CSG_ONLY_GUEST,
 * with the machine's code, until it is enough (csg_code_bouts_enough()).  sample: gets what that
 * takes; or NULL.  0 or a negative error.
 */
int csg_kernel_sampler_take(const struct csg_sampled_trace *trace, struct csg_machine *machine,
			    int32_t vm, struct csg_code_bouts *bouts,
			    struct csg_kernel_sample *sample);

/* The same with what is known to have run, without a look at the trace. */
void csg_kernel_sampler_take_known(const struct csg_sampled_trace *trace,
				   struct csg_machine *machine,
				   const struct csg_kernel_sample *known,
				   struct csg_code_bouts *bouts);

#endif
