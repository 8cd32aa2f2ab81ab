/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/code_seen.h"

#include <stdlib.h>

#include "text/nearest.h"

struct csg_code_seen *csg_code_seen_create(void)
{
	struct csg_code_seen *seen = calloc(1, sizeof(*seen));

	if (seen)
		csg_keyset_init(&seen->names, sizeof(struct csg_code_name));
	return seen;
}

void csg_code_seen_destroy(struct csg_code_seen *seen)
{
	if (!seen)
		return;
	csg_keyset_fini(&seen->names);
	free(seen);
}

/* Without memory the message names less. */
void csg_code_seen_add(struct csg_code_seen *seen, const char *dso, const char *symbol)
{
	const struct csg_code_name name = {dso, symbol};

	csg_keyset_add(&seen->names, &name);
}

const char *csg_code_seen_nearest(const struct csg_code_seen *seen, const char *word, size_t length)
{
	const char **names = calloc(seen->names.count + 1, sizeof(*names));
	const char *nearest;
	size_t n = 0;

	if (!names)
		return NULL;
	for (size_t i = 0; i < seen->names.count; i++) {
		const struct csg_code_name *name = csg_keyset_get(&seen->names, i);

		if (name->symbol)
			names[n++] = name->symbol;
	}
	nearest = csg_nearest(word, length, names);
	free(names);
	return nearest;
}
