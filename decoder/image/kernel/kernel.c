/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel.h"

#include <string.h>

#include "csguest/error.h"
#include "image/elf/lines.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/modules.h"
#include "image/maps/objects.h"
#include "image/maps/space_maps.h"
#include "recording/recording.h"

static int copy_string(struct csg_arena *arena, const char **to, const char *from)
{
	*to = from ? csg_arena_string(arena, from) : NULL;
	return from && !*to ? -CSG_E_NO_MEMORY : 0;
}

int csg_kernel_set_options(struct csg_machine *machine, const struct csg_kernel_options *options)
{
	struct csg_arena *arena = &machine->image->arena;
	struct csg_kernel_options *to = &machine->kernel.options;

	if (copy_string(arena, &to->vmlinux, options->vmlinux) ||
	    copy_string(arena, &to->kcore, options->kcore) ||
	    copy_string(arena, &to->kallsyms, options->kallsyms) ||
	    copy_string(arena, &to->root, options->root))
		return -CSG_E_NO_MEMORY;
	machine->places.root = to->root;
	return 0;
}

/* "[kernel.kallsyms]_text" and a guest's "[guest.kernel.kallsyms.4711]_text". */
static bool names_kernel(const char *path)
{
	return !strncmp(path, "[kernel.", 8) || !strncmp(path, "[guest.kernel.", 14);
}

static int record_kernel(struct csg_machine *machine, const struct csg_mapping *map,
			 const struct csg_build_id *id)
{
	struct csg_kernel *kernel = &machine->kernel;
	const char *close = strchr(map->path, ']');
	size_t len = close ? (size_t)(close + 1 - map->path) : strlen(map->path);
	char *name = csg_arena_substring(&machine->image->arena, map->path, len);

	if (!name)
		return -CSG_E_NO_MEMORY;
	if (kernel->recorded)
		return 0;
	kernel->object = csg_image_object(machine->image, machine, CSG_OBJECT_KERNEL, name, id);
	kernel->reference = csg_arena_string(&machine->image->arena, map->path + len);
	if (!kernel->object || !kernel->reference)
		return -CSG_E_NO_MEMORY;
	if (!kernel->reference[0])
		kernel->reference = NULL;
	kernel->reference_address = map->pgoff;
	kernel->recorded = true;
	return 0;
}

static int add_map(struct csg_machine *machine, struct csg_object *object, uint64_t start,
		   uint64_t len, uint64_t since, uint64_t time)
{
	struct csg_map *map = csg_arena_alloc(&machine->image->arena, sizeof(*map));

	if (!map || !object)
		return -CSG_E_NO_MEMORY;
	*map = (struct csg_map){
		.start = start,
		.end = len > UINT64_MAX - start ? UINT64_MAX : start + len,
		.pgoff = start,
		.object = object,
		.since = since,
	};
	return csg_mappings_add(&machine->kernel_space->mappings, map, time);
}

int csg_kernel_map(struct csg_machine *machine, const struct csg_mapping *map, uint64_t time)
{
	struct csg_build_id id = csg_build_id_make(map->build_id, map->build_id_size);
	char name[CSG_MODULE_NAME_MAX];
	int err;

	if (names_kernel(map->path)) {
		err = record_kernel(machine, map, &id);
		return err ? err
			   : add_map(machine, machine->kernel.object, map->start, map->len, 0,
				     time);
	}
	/* Other names are of x86's entry trampolines. */
	if (map->path[0] != '/' && map->path[0] != '[')
		return 0;
	csg_module_name(map->path, name);
	return add_map(machine,
		       csg_image_object(machine->image, machine, CSG_OBJECT_MODULE, name, &id),
		       map->start, map->len, 0, time);
}

int csg_kernel_ksymbol(struct csg_machine *machine, const struct csg_mapping *map, bool removed,
		       uint64_t time)
{
	struct csg_mappings *mappings = &machine->kernel_space->mappings;
	struct csg_build_id none = {0};
	struct csg_map_part part;
	uint64_t end = map->len > UINT64_MAX - map->start ? UINT64_MAX : map->start + map->len;

	if (!removed)
		return add_map(machine,
			       csg_image_object(machine->image, machine, CSG_OBJECT_KSYMBOL,
						map->path, &none),
			       map->start, map->len, time, time);
	/* Only what was generated goes away again. */
	if (!csg_mappings_find(mappings, map->start, UINT64_MAX, &part, NULL) ||
	    part.map->object->kind != CSG_OBJECT_KSYMBOL)
		return 0;
	return csg_mappings_remove(mappings, map->start, end, time);
}

void csg_kernel_fini(struct csg_kernel *kernel)
{
	csg_lines_close(kernel->lines);
	csg_symtab_fini(&kernel->vmlinux_symbols);
	csg_symtab_fini(&kernel->refused_symbols);
	csg_kallsyms_fini(&kernel->kallsyms);
	csg_file_unmap(&kernel->kallsyms_file);
	csg_kcore_close(&kernel->kcore);
	csg_elf_close(&kernel->vmlinux);
	csg_file_unmap(&kernel->vmlinux_file);
	csg_pokes_fini(&kernel->pokes);
}
