/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"
#include "util/spill.h"

const char *csg_perf_text(struct csg_perf_state *state, const struct csg_perf_raw *record,
			  size_t at)
{
	return csg_strings_intern_text(&state->rec->strings, record->bytes + at, record->body - at);
}

static int cannot_keep(struct csg_perf_state *state, int error)
{
	return csg_report(&state->rec->sink, CSG_ERROR, error, state->tmpdir, CSG_NO_OFFSET,
			  "set TMPDIR to a directory with room for the trace",
			  "no temporary file for trace that is piped or compressed");
}

int csg_perf_spill_file(struct csg_perf_state *state)
{
	int fd;

	if (state->spill)
		return state->spill;
	fd = csg_spill_open(state->tmpdir);
	if (fd < 0)
		return cannot_keep(state, -fd);
	fd = csg_store_add_file(state->rec, fd, state->path, 0);
	if (fd > 0)
		state->spill = fd;
	return fd;
}

int csg_perf_spill(struct csg_perf_state *state, const uint8_t *bytes, size_t len, uint64_t *at)
{
	int file = csg_perf_spill_file(state);
	struct csg_store_file *to;

	if (file < 0)
		return file;
	to = &state->rec->files[file];
	*at = to->size;
	for (size_t done = 0; done < len;) {
		ssize_t n = write(to->fd, bytes + done, len - done);

		if (n <= 0)
			return cannot_keep(state, CSG_E_IO);
		done += (size_t)n;
	}
	to->size += len;
	return file;
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
