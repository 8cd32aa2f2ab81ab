/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elements that are there and nobody has taken yet.
 */
#ifndef DECODER_FLOW_CORE_FLOW_BUFFER_H
#define DECODER_FLOW_CORE_FLOW_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/element.h"

struct csg_flow;

/* --- for who takes them --- */

/*
 * Adds an element of the caller's own, such as a gap of the recording.  False: the buffer is
 * full.
 */
bool csg_flow_add(struct csg_flow *flow, const struct csg_element *element);

/* Memory was out: elements are missing, and what is there is not to be used. */
bool csg_flow_failed(const struct csg_flow *flow);

/* The elements so far; csg_flow_take() empties the buffer. */
const struct csg_element *csg_flow_elements(const struct csg_flow *flow, size_t *n);
void csg_flow_take(struct csg_flow *flow);

/*
 * The consumer only counts: ranges come as RANGES elements where the engine can tell them so (the
 * fast one where nothing waits in its queue), and as RANGE otherwise.  Their executions
 * (flow/core/executions.h) are valid until csg_flow_take(), or csg_flow_give_back().
 */
void csg_flow_set_counts(struct csg_flow *flow);
const uintptr_t *csg_flow_executions(const struct csg_flow *flow);

/* Elements in memory of their own, which is freed with free(). */
struct csg_flow_block {
	struct csg_element *elements;
	size_t n, capacity;
	bool timed; /* a TIMESTAMP is among them */
	uintptr_t *executions;
	size_t execution_capacity;
	struct csg_flow *lender; /* whose blocks of code they are; NULL: there are none */
};

/* Its executions are not looked at any more.  Any thread may say so; before the flow is
 * destroyed. */
void csg_flow_give_back(struct csg_flow_block *block);

/*
 * The block, which was given back, gets the buffer with the elements so far, the flow goes on with
 * the block's memory.
 */
void csg_flow_swap(struct csg_flow *flow, struct csg_flow_block *block);

/* The buffer counts as full with this many elements; CSG_FLOW_ELEMENTS unless set. */
void csg_flow_set_limit(struct csg_flow *flow, size_t elements);

/* Host time of each TIMESTAMP element that is there: what time() says of its index. */
void csg_flow_date(struct csg_flow *flow, uint64_t (*time)(void *arg, uint64_t index), void *arg);

/* Whether the buffer is full, so that the flow waits for csg_flow_take(). */
bool csg_flow_full(const struct csg_flow *flow);

/* Whether a TIMESTAMP element is in the buffer. */
bool csg_flow_timed(const struct csg_flow *flow);

/* --- for the flow and its engines --- */

/* Whether the engine may go on before elements are taken. */
bool csg_flow_has_room(const struct csg_flow *flow);

/* Makes room for n more elements.  False: no memory. */
bool csg_flow_reserve(struct csg_flow *flow, size_t n);

/*
 * Executions that are in no element yet become one; goes_on: part of the one before, if that can
 * be.  True: they did.
 */
bool csg_flow_close_ranges(struct csg_flow *flow, bool goes_on);

/* Somebody may still look at executions: their blocks are to stay. */
bool csg_flow_is_read(const struct csg_flow *flow);

#endif
