/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/space_maps.h"

#include <stdlib.h>

#include "image/maps/dump.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"

struct csg_space *csg_space_create(struct csg_machine *machine, enum csg_space_kind kind)
{
	struct csg_space *space = calloc(1, sizeof(*space));

	if (!space)
		return NULL;
	space->machine = machine;
	space->kind = kind;
	space->where = CSG_DUMP_EVERYWHERE;
	csg_mappings_init(&space->mappings, &machine->image->arena, ++machine->image->seed);
	return space;
}

void csg_space_destroy(struct csg_space *space)
{
	if (!space)
		return;
	csg_mappings_fini(&space->mappings);
	free(space);
}

static bool find_part(const struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_map_part *part, uint64_t *until)
{
	if (!space->machine->undated)
		return csg_mappings_find(&space->mappings, addr, time, part, until);
	*until = UINT64_MAX;
	return csg_mappings_find_steady(&space->mappings, addr, part);
}

bool csg_space_changes(const struct csg_space *space, uint64_t addr)
{
	struct csg_map_part part;

	return space->machine->undated && csg_mappings_ever(&space->mappings, addr) &&
	       !csg_mappings_find_steady(&space->mappings, addr, &part);
}

bool csg_space_find(struct csg_space *space, uint64_t addr, uint64_t time,
		    struct csg_map_part *part, uint64_t *until)
{
	if (space->hit_changes == space->mappings.changes && addr >= space->hit.start &&
	    addr < space->hit.end && time >= space->hit_from &&
	    (time < space->hit_until || space->hit_until == UINT64_MAX)) {
		*part = space->hit;
		*until = space->hit_until;
		return true;
	}
	if (!find_part(space, addr, time, part, until))
		return false;
	space->hit = *part;
	space->hit_from = space->machine->undated ? 0 : time;
	space->hit_until = *until;
	space->hit_changes = space->mappings.changes;
	return true;
}
