/* SPDX-License-Identifier: BSD-3-Clause */
/* What code ran of which filters let nothing through so far: for the message that says what there
 * is. */
#ifndef COMMAND_CLI_CODE_SEEN_H
#define COMMAND_CLI_CODE_SEEN_H

#include <stdbool.h>

#include "util/keyset.h"

struct csg_code_seen {
	bool passed;		 /* something passed: nothing more is noted */
	struct csg_keyset names; /* of struct csg_code_name, by pointers; strings of the session */
};

struct csg_code_name {
	const char *dso, *symbol; /* each may be NULL */
};

/* NULL: there is no memory. */
struct csg_code_seen *csg_code_seen_create(void);
void csg_code_seen_destroy(struct csg_code_seen *seen);

/* Code of this object and function did not pass. */
void csg_code_seen_add(struct csg_code_seen *seen, const char *dso, const char *symbol);

/* The function that ran with the name most like the first length bytes of word, or NULL. */
const char *csg_code_seen_nearest(const struct csg_code_seen *seen, const char *word,
				  size_t length);

#endif
