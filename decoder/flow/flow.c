/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/context.h"
#include "csguest/error.h"
#include "flow/core/core.h"
#include "flow/core/flow_read.h"
#include "flow/fast/fast.h"
#include "flow/opencsd/opencsd.h"

static int create_engine(struct csg_flow *flow, const struct csg_source *source,
			 const struct csg_diag_sink *sink)
{
	int err = -CSG_E_UNSUPPORTED;

	if (flow->engine == CSG_ENGINE_FAST)
		err = csg_fast_create(flow, source);
	if (err != -CSG_E_UNSUPPORTED)
		return err;
	flow->engine = CSG_ENGINE_OPENCSD;
	return csg_opencsd_create(flow, source, sink);
}

enum csg_engine csg_engine_for(enum csg_engine asked, const struct csg_source *source)
{
	return source->trcconfigr & (CSG_FLOW_RETURNS | CSG_FLOW_Q) ? CSG_ENGINE_FAST : asked;
}

int csg_flow_create(struct csg_flow **result, enum csg_engine engine,
		    const struct csg_source *source, const struct csg_flow_code *code,
		    const struct csg_diag_sink *sink)
{
	struct csg_flow *flow = calloc(1, sizeof(*flow));
	int err = -CSG_E_NO_MEMORY;

	*result = NULL;
	if (!flow)
		return err;
	flow->code = *code;
	flow->limit = CSG_FLOW_ELEMENTS;
	flow->engine = engine;
	flow->el = CSG_EL_UNKNOWN;
	flow->refusal = CSG_GAP_NO_CODE;
	flow->divides_at = flow->guest_at = UINT64_MAX;
	flow->speculates = (uint32_t)source->trcidr8 != 0;
	if (csg_flow_reserve(flow, 1))
		err = create_engine(flow, source, sink);
	if (err) {
		csg_flow_destroy(flow);
		return err;
	}
	*result = flow;
	return 0;
}

enum csg_engine csg_flow_engine(const struct csg_flow *flow)
{
	return flow->engine;
}

void csg_flow_destroy(struct csg_flow *flow)
{
	if (!flow)
		return;
	if (flow->decoder)
		flow->ops->destroy(flow->decoder);
	free(flow->segments);
	free(flow->elements);
	free(flow->executions);
	free(flow);
}

static bool drained(struct csg_flow *flow, uint64_t index)
{
	enum csg_ocsd_state state;

	if (!flow->paused)
		return true;
	if (flow->element_count)
		return false; /* take them first */
	state = flow->ops->resume(flow->decoder);
	if (state == CSG_OCSD_DEAD)
		csg_flow_recover(flow, index);
	flow->paused = state == CSG_OCSD_PAUSED;
	return !flow->paused;
}

bool csg_flow_drain(struct csg_flow *flow, uint64_t index)
{
	return drained(flow, index);
}

uint64_t csg_flow_eret(const struct csg_flow *flow)
{
	return flow->eret;
}

static size_t feed_piece(struct csg_flow *flow, const struct csg_run *piece)
{
	uint32_t used;
	enum csg_ocsd_state state = flow->ops->data(flow->decoder, piece, &used);

	if (state == CSG_OCSD_DEAD) {
		used = used ? used : 1; /* always make progress */
		csg_flow_recover(flow, csg_run_index(piece, used));
	}
	flow->paused = state == CSG_OCSD_PAUSED;
	return used;
}

/* Pieces end where the engine is to be asked whether its buffer is full, and at borders. */
size_t csg_flow_feed(struct csg_flow *flow, const struct csg_run *run)
{
	const uint64_t end = csg_run_index(run, run->n);
	uint64_t border = csg_flow_next_border(flow, run->index, end);
	size_t done = 0;

	while (done < run->n && csg_flow_has_room(flow)) {
		size_t left = run->n - done, n = CSG_FLOW_PIECE - done % CSG_FLOW_PIECE;
		struct csg_run piece = csg_run_part(run, done, left < n ? left : n);

		if (!drained(flow, piece.index))
			break;
		if (border <= piece.index) {
			csg_flow_pass_border(flow, piece.index);
			border = csg_flow_next_border(flow, piece.index, end);
		}
		if (border > piece.index)
			piece.n = csg_run_before(&piece, border);
		if (flow->queue.count)
			piece.n = csg_run_before(&piece, csg_flow_next_division(flow, piece.index));
		done += flow->dead ? csg_flow_skip(flow, &piece) : feed_piece(flow, &piece);
	}
	return done;
}

bool csg_flow_end(struct csg_flow *flow, uint64_t index)
{
	if (!drained(flow, index) || !csg_flow_has_room(flow))
		return false;
	if (!flow->ending) {
		enum csg_ocsd_state state;

		csg_flow_revive(flow, index);
		flow->end_index = index;
		state = flow->ops->end(flow->decoder);
		flow->ending = true;
		flow->paused = state == CSG_OCSD_PAUSED;
		if (flow->paused)
			return false;
	}
	flow->ending = false;
	return true;
}

void csg_flow_forget_code(struct csg_flow *flow)
{
	csg_flow_forget_slots(flow);
	flow->ops->forget_code(flow->decoder);
}

uint64_t csg_flow_skipped(const struct csg_flow *flow)
{
	return flow->all_skipped;
}

uint64_t csg_flow_nobody_accesses(const struct csg_flow *flow)
{
	return flow->nobody_accesses;
}
