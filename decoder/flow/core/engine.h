/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An engine decodes: it is given the bytes between two borders, and puts elements into the buffer
 * of its flow (flow/core/core.h).  There are two, of which each makes the same elements of the same
 * bytes: flow/fast/fast.h and flow/opencsd/opencsd.h.
 */
#ifndef DECODER_FLOW_CORE_ENGINE_H
#define DECODER_FLOW_CORE_ENGINE_H

#include "scan/ocsd.h"
#include "scan/run.h"

/* The first argument is the engine.  What may be NULL is nothing to do for such an engine. */
struct csg_engine_ops {
	/*
	 * Decodes up to CSG_FLOW_PIECE bytes; *used says how many were taken: all, unless the
	 * engine paused or a packet made no sense (CSG_OCSD_DEAD: reset() before anything else).
	 */
	enum csg_ocsd_state (*data)(void *engine, const struct csg_run *piece, uint32_t *used);
	/* Goes on where it paused.  NULL: it never does. */
	enum csg_ocsd_state (*resume)(void *engine);
	/* No more trace comes: pending elements are put out, and END. */
	enum csg_ocsd_state (*end)(void *engine);
	/* Forgets all decoding state; the next A-Sync, at index or after it, begins anew. */
	void (*reset)(void *engine, uint64_t index);
	/* Another owner is in force: the current code is not its.  May be NULL. */
	void (*change_owner)(void *engine);
	/* Images have changed. */
	void (*forget_code)(void *engine);
	/* Executions (flow/core/executions.h) reported so far are not looked at any more.  May be
	 * NULL. */
	void (*release_code)(void *engine);
	/* Memory was out: what came out is not to be used.  May be NULL. */
	bool (*failed)(const void *engine);
	void (*destroy)(void *engine);
};

#endif
