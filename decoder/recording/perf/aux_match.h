/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the bytes of AUX records are: each record is cut out of the AUXTRACE areas of its
 * buffer, as perf's cs_etm__queue_aux_fragment() does it, but also where it lies across two of
 * them, and in snapshot mode where its beginning is gone.
 */
#ifndef DECODER_RECORDING_PERF_AUX_MATCH_H
#define DECODER_RECORDING_PERF_AUX_MATCH_H

#include <stdbool.h>

#include "recording/perf/aux_records.h"

#define CSG_AUX_PADDING_MAX 7 /* perf pads AUXTRACE.size to a multiple of 8 */

/* A part of an area that becomes a chunk. */
struct csg_aux_cut {
	const struct csg_aux_area *area;
	const struct csg_aux_record *record; /* NULL: no AUX record speaks of it */
	uint64_t start, end;
	uint64_t order; /* of the records; smaller first where two claim the same bytes */
	bool continues; /* the rest of a record that began in another area */
};

struct csg_aux_cuts {
	struct csg_aux_cut *cut;
	size_t n, cap;
	uint64_t missing_records, missing_bytes; /* of records without area */
	uint64_t missing_at;			 /* record of the first one */
	bool overwrite;
};

/* Appends a copy of cut.  0 or -CSG_E_NO_MEMORY. */
int csg_aux_add_cut(struct csg_aux_cuts *cuts, const struct csg_aux_cut *cut);

/*
 * Fills cuts, which is empty, in the order of the records; the areas get sorted by buffer and
 * offset, and lose their padding.  The caller frees cuts->cut.
 */
int csg_aux_cut_records(struct csg_aux *aux, struct csg_aux_cuts *cuts);

#endif
