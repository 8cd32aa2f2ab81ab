/* SPDX-License-Identifier: BSD-3-Clause */
/* A csg_lookup whose names are tokens (text/anonym.h) of those that another one gives. */
#ifndef COMMAND_LOOKUP_LOOKUP_ANONYM_H
#define COMMAND_LOOKUP_LOOKUP_ANONYM_H

#include "csguest/stack.h"
#include "lookup/lookup.h"
#include "text/anonym.h"

struct csg_lookup_anonym {
	struct csg_lookup real;
	struct csg_anonym *anonym;
};

/* Its functions may be called as long as *state is there and its real lookup may be asked. */
struct csg_lookup csg_lookup_anonym(struct csg_lookup_anonym *state);

/*
 * What a label of a follower stands for, and how it reads, as a view shows them:
 * csg_follower_function() and csg_follower_text(), which know real names, with the tokens of
 * lookup.
 */
struct csg_function_name csg_lookup_function(const struct csg_lookup *lookup,
					     const struct csg_follower *follower, uint32_t label);
const char *csg_lookup_function_text(const struct csg_lookup *lookup,
				     const struct csg_follower *follower, uint32_t label, char *buf,
				     size_t size);

#endif
