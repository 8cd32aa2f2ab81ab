/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions as call stacks know them: numbers, with what each is called.  A symbol has a
 * number; where no symbol is, the object has one; what is in no object has number 0.
 */
#ifndef DECODER_STACK_FUNCTIONS_H
#define DECODER_STACK_FUNCTIONS_H

#include "util/keyset.h"
#include "csguest/stack.h"

struct csg_functions {
	const struct csg_follower_source *source;
	struct csg_keyset keys;
	struct csg_function_name *names; /* by label */
	size_t capacity;
	bool no_memory;
};

/* -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_functions_init(struct csg_functions *functions, const struct csg_follower_source *source);
void csg_functions_fini(struct csg_functions *functions);

/* As csg_stacks_client.function. */
void csg_functions_find(struct csg_functions *functions, const void *space, uint64_t address,
			uint64_t when, struct csg_function *function, uint64_t *until);

/* What a label stands for; NULL: it was not given out. */
static inline const struct csg_function_name *
csg_functions_name(const struct csg_functions *functions, uint32_t label)
{
	return label < functions->keys.count && label < functions->capacity
		       ? &functions->names[label]
		       : NULL;
}

/* As csg_follower_text(). */
const char *csg_functions_text(const struct csg_function_name *name, char *buf, size_t size);

#endif
