/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/dump_symbol.h"

#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/objects.h"

void csg_dump_symbol(struct csg_machine *machine, struct csg_dump_region *region,
		     struct csg_symbol *symbol)
{
	struct csg_build_id none = {0};

	if (!region->object)
		region->object = csg_image_object(machine->image, machine, CSG_OBJECT_DUMP,
						  region->path, &none);
	if (!region->object)
		return;
	symbol->dso = symbol->dso_file = region->object->path;
	symbol->dso_id = region->object->id;
	symbol->map_start = region->start;
	symbol->map_end = region->start + region->size;
	if (csg_dumps_alone(&machine->dumps, region)) {
		symbol->hole_start = symbol->map_start;
		symbol->hole_end = symbol->map_end;
	}
}
