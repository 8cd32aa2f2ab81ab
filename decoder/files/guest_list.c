/* SPDX-License-Identifier: BSD-3-Clause */
#include "files/guest_list.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

int csg_guest_list_keep(struct csg_guest_list *list, char *text)
{
	if (csg_array_grow((void **)&list->texts, list->text_count, &list->text_capacity,
			   sizeof(*list->texts))) {
		free(text);
		return -CSG_E_NO_MEMORY;
	}
	list->texts[list->text_count++] = text;
	return 0;
}

int csg_guest_list_add(struct csg_guest_list *list, const char *name,
		       struct csg_guest_files **guest)
{
	if (csg_array_grow((void **)&list->guests, list->count, &list->capacity, sizeof(**guest)))
		return -CSG_E_NO_MEMORY;
	*guest = &list->guests[list->count++];
	**guest = (struct csg_guest_files){.size = sizeof(**guest), .name = name};
	(*guest)->files.size = sizeof((*guest)->files);
	return 0;
}

int csg_guest_list_named(struct csg_guest_list *list, const char *name,
			 struct csg_guest_files **guest)
{
	for (size_t i = 0; i < list->count; i++) {
		*guest = &list->guests[i];
		if (!strcmp((*guest)->name, name))
			return 0;
	}
	return csg_guest_list_add(list, name, guest);
}

void csg_guest_list_fini(struct csg_guest_list *list)
{
	for (size_t i = 0; i < list->text_count; i++)
		free(list->texts[i]);
	free(list->texts);
	free(list->guests);
	*list = (struct csg_guest_list){0};
}
