/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts as small numbers: equal texts have one number, wherever they lie. */
#ifndef COMMAND_TEXT_TEXT_SET_H
#define COMMAND_TEXT_TEXT_SET_H

#include "util/hash.h"

#define CSG_TEXT_SET_CACHE 512 /* a power of two */

/* Zero-filled it is empty and ready for use. */
struct csg_text_set {
	const char **texts; /* by number - 1; the caller's, who neither frees nor changes them */
	size_t count, capacity;
	struct csg_hash numbers;
	/* Where a text that was asked for lies, and its number: it need not be read again. */
	struct csg_text_at {
		const char *text;
		int64_t number;
	} cache[CSG_TEXT_SET_CACHE];
};

void csg_text_set_fini(struct csg_text_set *set);

/* The number of a text, made when new: above 0; 0 of NULL.  Or -CSG_E_NO_MEMORY. */
int64_t csg_text_set_add(struct csg_text_set *set, const char *text);

#endif
