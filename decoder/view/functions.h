/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions as call stacks know them: numbers, with what each is called.  A symbol has a
 * number; where no symbol is, the object has one; what is in no object has number 0.
 */
#ifndef DECODER_VIEW_FUNCTIONS_H
#define DECODER_VIEW_FUNCTIONS_H

#include "stack/frames.h"
#include "base/keyset.h"
#include "view/lookup.h"

struct csg_function_name {
	const char *name;    /* of the symbol, else NULL */
	const char *dso;     /* of the object, else NULL */
	const char *file;    /* that it was read from, or NULL */
	uint64_t start, end; /* the symbol's; of an object without: where it was first met */
	uint64_t offset;     /* start as an address in the file's own terms */
};

struct csg_functions {
	const struct csg_lookup *lookup;
	struct csg_keyset keys;
	struct csg_function_name *names; /* by label */
	size_t room;
	bool no_memory;
};

/* -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_functions_init(struct csg_functions *functions, const struct csg_lookup *lookup);
void csg_functions_fini(struct csg_functions *functions);

/* As csg_stacks_client.function. */
void csg_functions_find(struct csg_functions *functions, const void *space, uint64_t address,
			uint64_t when, struct csg_function *function, uint64_t *until);

/* What a label stands for. */
static inline const struct csg_function_name *
csg_functions_name(const struct csg_functions *functions, uint32_t label)
{
	return &functions->names[label];
}

/* How it reads: the symbol, else the object's file name in brackets, else "[unknown]". */
const char *csg_functions_text(const struct csg_functions *functions, uint32_t label, char *buf,
			       size_t size);

#endif
