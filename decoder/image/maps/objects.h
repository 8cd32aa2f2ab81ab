/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of an image: one for each file, machine and kind. */
#ifndef DECODER_IMAGE_MAPS_OBJECTS_H
#define DECODER_IMAGE_MAPS_OBJECTS_H

#include "image/maps/object.h"
#include "util/build_id.h"

struct csg_image;
struct csg_machine;

/* The object of a file, made when new.  NULL: out of memory. */
struct csg_object *csg_image_object(struct csg_image *image, struct csg_machine *machine,
				    enum csg_object_kind kind, const char *path,
				    const struct csg_build_id *id);

#endif
