/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/space.h"

#include "csguest/error.h"
#include "image/elf/elf_symbols.h"
#include "image/elf/lines.h"
#include "image/kernel/kernel_code.h"
#include "image/kernel/kernel_symbols.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/machine_time.h"
#include "image/maps/misses.h"
#include "image/maps/object.h"
#include "image/maps/space_maps.h"

uint64_t csg_space_slack(const struct csg_space *space)
{
	return space->machine->slack;
}

bool csg_space_is_lossy(const struct csg_space *space)
{
	return space->machine->lossy;
}

bool csg_space_may_have(const struct csg_space *space, uint64_t addr)
{
	return space->kind != CSG_SPACE_PROCESS || !space->mappings.count ||
	       csg_mappings_ever(&space->mappings, addr);
}

static int process_code(struct csg_space *space, uint64_t addr, uint64_t time,
			const uint8_t **bytes, size_t *len, uint64_t *until)
{
	struct csg_machine *machine = space->machine;
	struct csg_object *object;
	struct csg_map_part part;
	uint64_t offset;
	int err;

	if (!csg_space_find(space, addr, time, &part, until))
		return csg_space_changes(space, addr)
			       ? csg_image_miss_dated(machine, addr)
			       : csg_image_miss(machine, NULL, addr, -CSG_E_NO_IMAGE);
	object = part.map->object;
	err = object->loaded ? object->error : csg_object_load(machine->image, object);
	if (err)
		return csg_image_miss(machine, object, addr, err);
	offset = addr - part.map->start + part.map->pgoff;
	if (offset >= object->file.size)
		return csg_image_miss(machine, object, addr, -CSG_E_NO_IMAGE);
	*bytes = object->file.data + offset;
	*len = object->file.size - offset;
	if (*len > part.end - addr)
		*len = part.end - addr;
	return 0;
}

static int find_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		     size_t *len, uint64_t *until)
{
	uint64_t unused;
	int err;

	if (!until)
		until = &unused;
	time = csg_machine_own_time(space->machine, time);
	if (space->kind == CSG_SPACE_KERNEL)
		err = csg_kernel_code(space, addr, time, bytes, len, until);
	else
		err = process_code(space, addr, time, bytes, len, until);
	if (*until != UINT64_MAX)
		*until = csg_machine_host_time(space->machine, *until);
	return space->machine->image->no_memory ? -CSG_E_NO_MEMORY : err;
}

int csg_space_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		   size_t *len, uint64_t *until)
{
	struct csg_image *image = space->machine->image;
	int err;

	pthread_mutex_lock(&image->lock);
	err = find_code(space, addr, time, bytes, len, until);
	pthread_mutex_unlock(&image->lock);
	return err;
}

int csg_space_peek(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		   size_t *len, uint64_t *until)
{
	struct csg_image *image = space->machine->image;
	int err;

	pthread_mutex_lock(&image->lock);
	image->peeks = true;
	err = find_code(space, addr, time, bytes, len, until);
	image->peeks = false;
	pthread_mutex_unlock(&image->lock);
	return err;
}

/* User code: what covers the mapping's file offset, or in generated code the address itself. */
static int process_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
			  struct csg_symbol *symbol)
{
	struct csg_image *image = space->machine->image;
	struct csg_object *object;
	struct csg_map_part part;
	uint64_t offset, until, shift;
	struct csg_sym *sym;
	int err;

	if (!csg_space_find(space, addr, time, &part, &until))
		return 0;
	object = part.map->object;
	if (!object->loaded)
		csg_object_load(image, object);
	err = csg_object_load_symbols(image, object);
	if (err)
		return err;
	shift = object->kind == CSG_OBJECT_JIT ? 0 : part.map->start - part.map->pgoff;
	offset = addr - shift;
	symbol->dso = object->path;
	symbol->dso_file = object->found;
	symbol->dso_id = object->id;
	csg_object_name_build(object, symbol);
	symbol->map_start = part.start;
	symbol->map_end = part.end;
	symbol->dso_offset = offset;
	if (object->elf.elf)
		csg_elf_address(&object->elf, offset, &symbol->dso_offset);
	sym = csg_symtab_find(&object->symbols, offset);
	if (!sym) {
		symbol->hole_start = part.start;
		symbol->hole_end = part.end;
		csg_symtab_narrow_hole(&object->symbols, addr, shift, symbol);
		return 0;
	}
	symbol->name = csg_symtab_name(&object->symbols, sym);
	image->no_memory |= object->symbols.no_memory;
	symbol->start = sym->start + shift;
	symbol->end = sym->end + shift;
	symbol->symbol_id = object->symbol_base + (uint32_t)(sym - object->symbols.syms);
	return 0;
}

int csg_space_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		     struct csg_symbol *symbol)
{
	struct csg_image *image = space->machine->image;
	int err;

	*symbol = (struct csg_symbol){0};
	pthread_mutex_lock(&image->lock);
	time = csg_machine_own_time(space->machine, time);
	if (space->kind == CSG_SPACE_KERNEL)
		err = csg_kernel_symbol(space, addr, time, symbol);
	else
		err = process_symbol(space, addr, time, symbol);
	if (image->no_memory)
		err = -CSG_E_NO_MEMORY;
	pthread_mutex_unlock(&image->lock);
	return err;
}

static int process_line(struct csg_space *space, uint64_t addr, uint64_t time, const char **file,
			int *line)
{
	struct csg_image *image = space->machine->image;
	struct csg_object *object;
	struct csg_map_part part;
	struct csg_lines *lines;
	uint64_t until, own;

	if (!csg_space_find(space, addr, time, &part, &until))
		return 0;
	object = part.map->object;
	if (!object->loaded)
		csg_object_load(image, object);
	if (!object->elf.elf ||
	    !csg_elf_address(&object->elf, addr - part.map->start + part.map->pgoff, &own))
		return 0;
	lines = csg_object_lines(image, object);
	return lines ? csg_image_note(image, csg_lines_find(lines, own, file, line)) : 0;
}

int csg_space_line(struct csg_space *space, uint64_t addr, uint64_t time, const char **file,
		   int *line)
{
	struct csg_image *image = space->machine->image;
	int err;

	*file = NULL;
	*line = 0;
	pthread_mutex_lock(&image->lock);
	time = csg_machine_own_time(space->machine, time);
	if (space->kind == CSG_SPACE_PROCESS)
		err = process_line(space, addr, time, file, line);
	else
		err = csg_kernel_line(space->machine, addr, file, line);
	if (image->no_memory)
		err = -CSG_E_NO_MEMORY;
	pthread_mutex_unlock(&image->lock);
	return err;
}
