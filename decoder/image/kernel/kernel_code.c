/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_code.h"

#include <inttypes.h>

#include "csguest/error.h"
#include "image/kernel/kernel_files.h"
#include "image/kernel/kernel_regions.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/misses.h"
#include "image/maps/object.h"
#include "image/maps/space_maps.h"
#include "util/report.h"

#define PAGE 4096

/* The rest of addr's page as text pokes left it; 1: no pokes there. */
static int poked_code(struct csg_machine *machine, const struct csg_kernel_region *region,
		      uint64_t addr, uint64_t time, const uint8_t **bytes, size_t *len,
		      uint64_t *until)
{
	uint64_t page = addr & ~(uint64_t)(CSG_POKE_PAGE - 1);
	uint64_t begin = region->start > page ? region->start - page : 0;
	uint64_t end = region->start + region->size - page;
	const struct csg_poke_version *version;
	const uint8_t *base = NULL;
	size_t at = addr - page;
	int err;

	if (region->size)
		base = region->bytes + (page + begin - region->start);
	else
		begin = end = 0;
	if (end > CSG_POKE_PAGE)
		end = CSG_POKE_PAGE;
	err = machine->undated ? csg_pokes_steady_page(&machine->kernel.pokes, addr, base,
						       (uint32_t)begin, (uint32_t)end, &version)
			       : csg_pokes_page(&machine->kernel.pokes, addr, time, base,
						(uint32_t)begin, (uint32_t)end, &version);
	if (err || !version)
		return err ? err : 1;
	if (!version->known[at])
		return -CSG_E_NO_IMAGE;
	*bytes = version->bytes + at;
	for (*len = 0; at + *len < CSG_POKE_PAGE && version->known[at + *len];)
		++*len;
	if (version->until < *until)
		*until = version->until;
	return 0;
}

/* Whose fault it is that nothing is at an address that no mapping holds; NULL: nobody's. */
static struct csg_object *unmapped(const struct csg_machine *machine, uint64_t addr)
{
	/* Recordings of user code have no kernel mapping.  Bit 55 chooses TTBR1_EL1. */
	if (!machine->dumps.count && !machine->kernel.recorded && addr >> 55 & 1)
		return machine->kernel.object;
	return NULL;
}

/* Dumps of several spaces or cores that overlap: which of them the code was read from nobody
 * knows. */
static void dispute(struct csg_machine *machine, uint64_t addr,
		    const struct csg_kernel_region *region)
{
	struct csg_image *image = machine->image;

	if (machine->dumps.disputed || image->peeks)
		return;
	machine->dumps.disputed = true;
	csg_report(&image->sink, CSG_WARNING, CSG_E_CORRUPT, region->dump, CSG_NO_OFFSET,
		   "name their spaces (space=), or leave out what did not run",
		   "memory dumps overlap and differ at 0x%" PRIx64
		   ": another is %s; nothing is decoded where they do",
		   addr, region->other);
}

/* What the files and the text pokes have at addr. */
static int file_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		     size_t *len, uint64_t *until, bool *dump)
{
	struct csg_machine *machine = space->machine;
	struct csg_kernel_region region = {0};
	uint64_t next, limit;
	int err;

	if (!csg_kernel_region_find(machine, addr, space->where, &region) && region.other)
		dispute(machine, addr, &region);
	*dump = region.dump != NULL;
	err = poked_code(machine, &region, addr, time, bytes, len, until);
	if (err != 1)
		return err;
	if (!region.size)
		return -CSG_E_NO_IMAGE;
	next = csg_pokes_next_page(&machine->kernel.pokes, addr);
	limit = region.start + region.size;
	*bytes = region.bytes + (addr - region.start);
	*len = (next < limit ? next : limit) - addr;
	return 0;
}

int csg_kernel_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		    size_t *len, uint64_t *until)
{
	struct csg_machine *machine = space->machine;
	const struct csg_trampoline *t = &machine->kernel.trampoline;
	struct csg_map_part part;
	struct csg_object *object;
	bool mapped, dump;
	int err = csg_kernel_load(machine);
	uint64_t own;

	if (err)
		return err;
	own = csg_trampoline_text(t, addr);
	/* Without a mapping, one that begins on a later page must not be run into. */
	part.end = (own | (PAGE - 1)) + 1;
	mapped = csg_space_find(space, own, time, &part, until);
	if (!mapped && csg_space_changes(space, own))
		return csg_image_miss_dated(machine, addr);
	object = mapped ? part.map->object : unmapped(machine, addr);
	/* What was generated after the copy of kcore was taken is in no file. */
	if (mapped && part.map->since)
		return csg_image_miss(machine, object, addr, -CSG_E_NO_IMAGE);
	err = file_code(space, own, time, bytes, len, until, &dump);
	/* Where files were refused, that is the reason. */
	if (err == -CSG_E_NO_IMAGE && machine->kernel.object->error)
		err = machine->kernel.object->error;
	if (err)
		return csg_image_miss(machine, object, addr, err);
	if (!dump && part.end > own && *len > part.end - own)
		*len = part.end - own;
	if (own != addr && *len > t->alias + t->size - addr)
		*len = t->alias + t->size - addr;
	return 0;
}
