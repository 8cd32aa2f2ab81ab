/* SPDX-License-Identifier: BSD-3-Clause */
/* Guests as options and a folder describe them, and the texts that their strings point into. */
#ifndef DECODER_FILES_GUEST_LIST_H
#define DECODER_FILES_GUEST_LIST_H

#include "csguest/session.h"

/* All zero is an empty one. */
struct csg_guest_list {
	const char *command; /* for messages of csg_guest_option() */
	struct csg_guest_files *guests;
	size_t count, capacity;
	char **texts; /* what their strings point into */
	size_t text_count, text_capacity;
};

/* The list takes text, which is freed with it, or at once where memory is out.
 * -CSG_E_NO_MEMORY. */
int csg_guest_list_keep(struct csg_guest_list *list, char *text);

/*
 * The guest of this name, which has to live as long as the list; a new one where there is none.  It
 * stays where it is until the next is added.  -CSG_E_NO_MEMORY.
 */
int csg_guest_list_named(struct csg_guest_list *list, const char *name,
			 struct csg_guest_files **guest);

/* A new guest of this name.  -CSG_E_NO_MEMORY. */
int csg_guest_list_add(struct csg_guest_list *list, const char *name,
		       struct csg_guest_files **guest);

void csg_guest_list_fini(struct csg_guest_list *list);

#endif
