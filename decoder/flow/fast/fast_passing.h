/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of the queue that say something of themselves, and of no instruction. */
#ifndef DECODER_FLOW_FAST_FAST_PASSING_H
#define DECODER_FLOW_FAST_FAST_PASSING_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/fast/fast_state.h"

/* A context, at index of the trace; a part that the packet left out is as it was. */
void csg_fast_put_context(struct csg_fast *f, const struct csg_fast_entry *entry, uint64_t index);
void csg_fast_put_trace_on(struct csg_fast *f, const struct csg_fast_entry *entry);
void csg_fast_put_ite(struct csg_fast *f, const struct csg_fast_entry *entry);
void csg_fast_put_transaction(struct csg_fast *f, const struct csg_fast_entry *entry);

/* What was sent at some time, whatever was executed.  False: the entry is none of these. */
bool csg_fast_put_passing(struct csg_fast *f, const struct csg_fast_entry *entry);

#endif
