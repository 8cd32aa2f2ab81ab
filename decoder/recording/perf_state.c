/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf_state.h"

#include <stdlib.h>
#include <string.h>

const char *csg_perf_text(struct csg_perf_state *state, const struct csg_perf_raw *record,
			  size_t at)
{
	return csg_strings_intern_text(&state->rec->strings, record->bytes + at, record->body - at);
}

void csg_perf_state_fini(struct csg_perf_state *state)
{
	csg_perf_attrs_fini(&state->attrs);
	csg_etm_metadata_fini(&state->metadata);
	csg_hw_ids_fini(&state->hw_ids);
	csg_aux_fini(&state->aux);
	free(state->index);
	memset(state, 0, sizeof(*state));
}
