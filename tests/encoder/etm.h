/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace unit: takes the events of an executed path one by one and writes the
 * packets an ETMv4 or ETE unit with this model would send.
 *
 * P0 elements (atoms, exceptions, Q, source addresses) are sent in order of execution.
 * What must be known before the next of them - the target of an indirect branch, of an
 * exception or after Trace On, a context that changed, an exception return - is owed
 * until the next event needs it ("settled"), so that it carries the context the path
 * gives after the branch.  Atoms are collected and packed when anything else is sent.
 *
 * What the model excludes is filtered out first.
 *
 * Periodic synchronisation happens when sync_period bytes were written since the last:
 * A-Sync, Trace Info, address with full context, timestamp.
 *
 * Speculation (max_spec > 0): P0 elements are uncommitted until a commit, a cycle
 * count in commit mode 0, or the depth limit commits them; wrong paths are traced and
 * cancelled.
 */
#ifndef TESTS_ENCODER_ETM_H
#define TESTS_ENCODER_ETM_H

#include <stdbool.h>
#include <stdint.h>

#include "encoder/filter.h"
#include "encoder/model.h"
#include "encoder/packet.h"
#include "encoder/path.h"
#include "encoder/stack.h"

/* What the stream still owes before the next P0 element. */
struct csg_enc_owed {
	bool sync;
	bool trace_on;
	bool address;
	bool exception_return;
};

/* What a cancelled wrong path goes back to. */
struct csg_enc_saved {
	struct csg_enc_stack stack, unpopped;
	struct csg_enc_owed owed;
	struct csg_enc_context context;
	struct csg_enc_address pc;
	bool popped, indirect;
};

struct csg_enc_etm {
	struct csg_enc_bytes out; /* the trace, so far */
	const char *error;	  /* why the last event was refused */

	struct csg_enc_model model;
	struct csg_enc_filter filter;
	struct csg_enc_packets packets;
	struct csg_enc_context context;
	struct csg_enc_address pc; /* where execution is */
	bool pc_known;
	bool on;
	bool synced; /* a decoder can follow: not at the start, nor after a loss */
	bool in_transaction;
	bool in_handler; /* after an exception, up to an exception return */
	struct csg_enc_owed owed;

	uint64_t atoms; /* not yet sent, oldest in bit 0 */
	unsigned atom_count;
	unsigned withheld; /* N atoms that a source address may make needless */
	unsigned taken;	   /* counts taken P0 instructions, for CSG_ENC_SOURCE_MIXED */

	struct csg_enc_stack stack, stack_before;
	bool popped;   /* the newest P0 element took its target off the stack */
	bool indirect; /* the newest P0 element is an indirect branch */

	uint64_t now; /* time as the timestamp shows it */
	size_t last_sync;

	uint32_t depth;			   /* uncommitted P0 elements */
	bool wrong;			   /* on a wrong path that is traced */
	bool skip;			   /* on a wrong path that is not traced (further) */
	bool wrong_direction;		   /* its branch is traced the other way round */
	uint32_t wrong_count;		   /* P0 elements sent for it */
	bool wrong_address, wrong_context; /* sent for it */
	struct csg_enc_saved saved;
};

/* Begins a stream: nothing is sent before the first event that needs it. */
void csg_enc_etm_init(struct csg_enc_etm *etm, const struct csg_enc_model *model);
void csg_enc_etm_fini(struct csg_enc_etm *etm);

/* Traces one event.  0, or -CSG_E_USAGE with `error` set where the path does not join. */
int csg_enc_etm_put(struct csg_enc_etm *etm, const struct csg_enc_event *event);

/* Sends what is owed and commits everything: the unit is stopped after its last instruction. */
int csg_enc_etm_finish(struct csg_enc_etm *etm);

/* All of a path, and the end. */
int csg_enc_etm_path(struct csg_enc_etm *etm, const struct csg_enc_path *path);

/* The timestamp this model shows at that time. */
uint64_t csg_enc_etm_time(const struct csg_enc_model *model, const struct csg_enc_time *time);

#endif
