/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_symbols.h"

#include <string.h>

#include "image/elf/lines.h"
#include "image/kernel/kernel_files.h"
#include "image/maps/dump_symbol.h"
#include "image/maps/image_state.h"
#include "image/maps/machine_state.h"
#include "image/maps/objects.h"
#include "image/maps/space_maps.h"

static void name_from_kallsyms(struct csg_machine *machine, uint64_t addr,
			       struct csg_symbol *symbol)
{
	struct csg_kallsyms *k = &machine->kernel.kallsyms;
	struct csg_sym *sym = csg_symtab_find(&k->symbols, addr);
	struct csg_build_id none = {0};
	const struct csg_object *object;
	const char *module;

	if (!sym)
		return;
	symbol->name = csg_symtab_name(&k->symbols, sym);
	machine->image->no_memory |= k->symbols.no_memory;
	symbol->start = sym->start;
	symbol->end = sym->end;
	symbol->symbol_id = machine->kernel.symbol_base + (uint32_t)(sym - k->symbols.syms);
	module = csg_kallsyms_module(k, sym);
	if (!module || (symbol->dso && !strcmp(symbol->dso, module)))
		return;
	object = csg_image_object(machine->image, machine, CSG_OBJECT_MODULE, module, &none);
	if (object) {
		symbol->dso = object->path;
		symbol->dso_id = object->id;
		symbol->build_id = NULL;
		symbol->build_id_size = 0;
	}
}

static void name_from_vmlinux(struct csg_machine *machine, uint64_t addr, struct csg_symbol *symbol)
{
	struct csg_kernel *kernel = &machine->kernel;
	struct csg_sym *sym = csg_symtab_find(&kernel->vmlinux_symbols, addr - kernel->relocation);

	if (!sym)
		return;
	symbol->name = csg_symtab_name(&kernel->vmlinux_symbols, sym);
	machine->image->no_memory |= kernel->vmlinux_symbols.no_memory;
	symbol->start = sym->start + kernel->relocation;
	symbol->end = sym->end + kernel->relocation;
	symbol->symbol_id = kernel->symbol_base + (uint32_t)kernel->kallsyms.symbols.count +
			    (uint32_t)(sym - kernel->vmlinux_symbols.syms);
}

/* A snapshot has no names but those of its files. */
static void name_from_dump(struct csg_machine *machine, uint64_t addr, uint32_t where,
			   struct csg_symbol *symbol)
{
	const struct csg_dump_bytes found = csg_dumps_find(&machine->dumps, addr, where);

	if (found.region && !found.other)
		csg_dump_symbol(machine, found.region, symbol);
}

static void name_from_ksymbol(const struct csg_map *map, struct csg_symbol *symbol)
{
	symbol->name = map->object->path;
	symbol->symbol_id = map->object->symbol_base;
	symbol->start = map->start;
	symbol->end = map->end;
}

/* As far as what holds addr goes, and no symbol. */
static void find_hole(struct csg_machine *machine, uint64_t addr, struct csg_symbol *symbol)
{
	struct csg_kernel *kernel = &machine->kernel;

	if (symbol->name || !symbol->hole_end) {
		symbol->hole_start = symbol->hole_end = 0;
		return;
	}
	csg_symtab_narrow_hole(&kernel->kallsyms.symbols, addr, 0, symbol);
	csg_symtab_narrow_hole(&kernel->vmlinux_symbols, addr, kernel->relocation, symbol);
}

/* addr is the kernel's own. */
static void find_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
			struct csg_symbol *symbol)
{
	struct csg_machine *machine = space->machine;
	const struct csg_object *object = machine->kernel.object;
	struct csg_map_part part;
	uint64_t until;

	symbol->dso_offset = addr;
	if (csg_space_find(space, addr, time, &part, &until)) {
		object = part.map->object;
		symbol->map_start = part.start;
		symbol->map_end = part.end;
		symbol->hole_start = part.start;
		symbol->hole_end = part.end;
		symbol->dso = object->path;
		symbol->dso_id = object->id;
		csg_object_name_build(object, symbol);
		if (object->kind == CSG_OBJECT_KSYMBOL) {
			name_from_ksymbol(part.map, symbol);
			return;
		}
	}
	name_from_kallsyms(machine, addr, symbol);
	if (!symbol->name && object->kind == CSG_OBJECT_KERNEL)
		name_from_vmlinux(machine, addr, symbol);
	if (symbol->name && !symbol->dso) {
		symbol->dso = object->path;
		symbol->dso_id = object->id;
	}
	if (!symbol->dso)
		name_from_dump(machine, addr, space->where, symbol);
	if (machine->kernel.vmlinux.elf && object->kind == CSG_OBJECT_KERNEL)
		symbol->dso_offset = addr - machine->kernel.relocation;
	if (symbol->dso && !symbol->dso_file)
		symbol->dso_file = machine->kernel.object->found;
	find_hole(machine, addr, symbol);
}

int csg_kernel_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	int err = csg_kernel_load(space->machine);
	uint64_t own, shift;

	if (err)
		return err;
	own = csg_trampoline_text(&space->machine->kernel.trampoline, addr);
	shift = addr - own;
	find_symbol(space, own, time, symbol);
	if (symbol->name) {
		symbol->start += shift;
		symbol->end += shift;
	}
	if (symbol->map_end) {
		symbol->map_start += shift;
		symbol->map_end += shift;
	}
	if (symbol->hole_end) {
		symbol->hole_start += shift;
		symbol->hole_end += shift;
	}
	return 0;
}

int csg_kernel_line(struct csg_machine *machine, uint64_t addr, const char **file, int *line)
{
	struct csg_kernel *kernel = &machine->kernel;
	int err = csg_kernel_load(machine);

	if (err || !kernel->vmlinux_found)
		return err;
	addr = csg_trampoline_text(&kernel->trampoline, addr);
	if (!kernel->lines_tried) {
		kernel->lines_tried = true;
		csg_image_note(machine->image,
			       csg_lines_open(&kernel->lines, kernel->vmlinux_found,
					      kernel->object->path, &machine->places,
					      &machine->image->sink));
	}
	if (!kernel->lines)
		return 0;
	return csg_image_note(machine->image,
			      csg_lines_find(kernel->lines, addr - kernel->relocation, file, line));
}
