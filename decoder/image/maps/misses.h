/* SPDX-License-Identifier: BSD-3-Clause */
/* What lookups did not find, with what the user can do about it (see missing.h). */
#ifndef DECODER_IMAGE_MAPS_MISSES_H
#define DECODER_IMAGE_MAPS_MISSES_H

#include <stdint.h>

struct csg_machine;
struct csg_object;

/* Enters addr as wanted from object, or from nothing (NULL); returns error. */
int csg_image_miss(struct csg_machine *machine, struct csg_object *object, uint64_t addr,
		   int error);

/*
 * Enters addr as wanted from one of several mappings, of a machine whose time is not known; returns
 * -CSG_E_NO_IMAGE.
 */
int csg_image_miss_dated(struct csg_machine *machine, uint64_t addr);

#endif
