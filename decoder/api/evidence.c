/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/evidence.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "evidence/items.h"
#include "evidence/place.h"

struct csg_evidence {
	struct csg_place place;
	struct csg_evidence_item items[CSG_EVIDENCE_ITEMS_MAX];
	size_t count;
	bool finished;
};

static const struct csg_owner *owner_of(const void *session, uint32_t owner)
{
	static const struct csg_owner nobody = {.reason = CSG_REASON_NO_CONTEXT};
	const struct csg_owner *found = csg_session_owner(session, owner);

	return found ? found : &nobody;
}

int csg_evidence_create(struct csg_evidence **evidence, struct csg_session *session, uint64_t index)
{
	if (!evidence)
		return -CSG_E_USAGE;
	*evidence = NULL;
	if (!session)
		return -CSG_E_USAGE;
	*evidence = calloc(1, sizeof(**evidence));
	if (!*evidence)
		return -CSG_E_NO_MEMORY;
	csg_place_init(&(*evidence)->place, owner_of, session, index);
	return 0;
}

void csg_evidence_destroy(struct csg_evidence *evidence)
{
	free(evidence);
}

int csg_evidence_add(struct csg_evidence *evidence, const struct csg_batch *batch, size_t size)
{
	if (!evidence || evidence->finished || !batch || size < sizeof(*batch) ||
	    (batch->n && (!batch->elements || batch->element_size < sizeof(*batch->elements))))
		return -CSG_E_USAGE;
	csg_place_add(&evidence->place, batch);
	return 0;
}

const struct csg_evidence_place *csg_evidence_finish(struct csg_evidence *evidence)
{
	const struct csg_evidence_place *found = evidence ? &evidence->place.found : NULL;

	if (found && !evidence->finished) {
		evidence->finished = true;
		csg_place_end(&evidence->place);
		evidence->count = csg_evidence_items(
			found, evidence->place.owner(evidence->place.arg, found->at.owner),
			evidence->items);
	}
	return found;
}

size_t csg_evidence_count(const struct csg_evidence *evidence)
{
	return evidence ? evidence->count : 0;
}

const struct csg_evidence_item *csg_evidence_at(const struct csg_evidence *evidence, size_t index)
{
	return index < csg_evidence_count(evidence) ? &evidence->items[index] : NULL;
}
