/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ledger of what was wanted and not there: one entry for each file, and one for each
 * machine for addresses where nothing was mapped.
 */
#ifndef DECODER_IMAGE_MAPS_MISSING_H
#define DECODER_IMAGE_MAPS_MISSING_H

#include <stddef.h>
#include <stdint.h>

#include "csguest/session.h"
#include "util/build_id.h"

struct csg_ledger {
	struct csg_missing *entries;
	size_t count, capacity;
	struct csg_missing
		*sorted; /* room for all entries, so that the end of decoding needs no memory */
	size_t sorted_capacity;
};

/* Number of a new entry, or a negative error; strings must stay as long as the ledger. */
int csg_ledger_add(struct csg_ledger *ledger, const char *path, int32_t machine_pid,
		   const struct csg_build_id *id, int error, const char *remedy);

/* Somebody wanted addr of entry number. */
void csg_ledger_count(struct csg_ledger *ledger, int number, uint64_t addr);

/* Nobody wanted any so far. */
void csg_ledger_forget(struct csg_ledger *ledger);

/*
 * A copy of the entries that were wanted at all, most wanted first; *n gets how many.  It is the
 * ledger's, until the next call that changes it; NULL when there are none.
 */
const struct csg_missing *csg_ledger_sorted(struct csg_ledger *ledger, size_t *n);

void csg_ledger_fini(struct csg_ledger *ledger);

#endif
