/* SPDX-License-Identifier: BSD-3-Clause */
/* The place that csguest explain is asked for, and where its answer goes. */
#ifndef COMMAND_EXPLAIN_QUESTION_H
#define COMMAND_EXPLAIN_QUESTION_H

#include "csguest/evidence.h"
#include "lookup/lookup.h"
#include "text/form.h"

struct csg_explain {
	struct csg_form *form;
	struct csg_session *session;
	const struct csg_lookup *lookup;
	const struct csg_stream_info *stream;
	const struct csg_evidence_place *place;
	const struct csg_evidence_item *items; /* that its owner rests on */
	size_t item_count;
	uint64_t time; /* the time that was asked for, ns; 0: a place was */
};

#endif
