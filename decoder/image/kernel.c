/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "image/elf_symbols.h"
#include "image/internal.h"
#include "image/kernel_files.h"
#include "image/lines.h"
#include "image/modules.h"
#include "image/space.h"
#include "recording/recording.h"

#define PAGE 4096

/* A contiguous piece of the kernel's image. */
struct region {
	uint64_t start, size;
	const uint8_t *bytes;
	const char *dump; /* path of the snapshot's dump that it is of, or NULL */
};

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

static struct csg_object *kernel_object(struct csg_machine *machine)
{
	struct csg_build_id none = {0};

	if (!machine->kernel.object)
		machine->kernel.object = csg_image_object(
			machine->image, machine, CSG_OBJECT_KERNEL, "[kernel.kallsyms]", &none);
	return machine->kernel.object;
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
	struct csg_map_piece piece;
	uint64_t end = map->len > UINT64_MAX - map->start ? UINT64_MAX : map->start + map->len;

	if (!removed)
		return add_map(machine,
			       csg_image_object(machine->image, machine, CSG_OBJECT_KSYMBOL,
						map->path, &none),
			       map->start, map->len, time, time);
	/* Only what was generated goes away again. */
	if (!csg_mappings_find(mappings, map->start, UINT64_MAX, &piece, NULL) ||
	    piece.map->object->kind != CSG_OBJECT_KSYMBOL)
		return 0;
	return csg_mappings_remove(mappings, map->start, end, time);
}

static bool vmlinux_region(const struct csg_kernel *kernel, uint64_t addr, struct region *region)
{
	uint64_t own = addr - kernel->relocation;
	GElf_Phdr segment;

	for (size_t i = 0; kernel->vmlinux.elf && i < kernel->vmlinux.segments; i++)
		if (csg_elf_segment(&kernel->vmlinux, i, &segment) && segment.p_type == PT_LOAD &&
		    own - segment.p_vaddr < segment.p_filesz) {
			region->start = segment.p_vaddr + kernel->relocation;
			region->size = segment.p_filesz;
			region->bytes = kernel->vmlinux.data + segment.p_offset;
			return true;
		}
	return false;
}

/* What the files have at addr; the vmlinux only where the recording has a kernel. */
static bool find_region(const struct csg_machine *machine, uint64_t addr, struct region *region)
{
	const struct csg_kcore_segment *segment = csg_kcore_find(&machine->kernel.kcore, addr);
	const struct csg_dump_region *dump;

	if (segment) {
		*region = (struct region){segment->start, segment->size, segment->bytes, NULL};
		return true;
	}
	if (vmlinux_region(&machine->kernel, addr, region))
		return true;
	dump = csg_dumps_find(&machine->dumps, addr, CSG_REGIME_ANY, -1);
	if (dump)
		*region = (struct region){dump->start, dump->size, dump->bytes, dump->path};
	return dump != NULL;
}

/* The rest of addr's page as text pokes left it; 1: no pokes there. */
static int poked_code(struct csg_machine *machine, const struct region *region, uint64_t addr,
		      uint64_t time, const uint8_t **bytes, size_t *len, uint64_t *until)
{
	uint64_t page = addr & ~(uint64_t)(CSG_POKE_PAGE - 1);
	uint64_t begin = region->start > page ? region->start - page : 0;
	uint64_t end = region->start + region->size - page;
	const struct csg_poke_version *version;
	size_t at = addr - page;
	int err;

	if (!region->size)
		begin = end = 0;
	err = csg_pokes_page(&machine->kernel.pokes, addr, time,
			     region->size ? region->bytes + (page + begin - region->start) : NULL,
			     (uint32_t)begin, end < CSG_POKE_PAGE ? (uint32_t)end : CSG_POKE_PAGE,
			     &version);
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

int csg_kernel_code(struct csg_space *space, uint64_t addr, uint64_t time, const uint8_t **bytes,
		    size_t *len, uint64_t *until)
{
	struct csg_machine *machine = space->machine;
	struct csg_map_piece piece = {.end = (addr | (PAGE - 1)) + 1};
	struct region region = {0};
	bool mapped = csg_space_piece(space, addr, time, &piece, until);
	uint64_t next, limit;
	int err, why;

	if (!kernel_object(machine))
		return -CSG_E_NO_MEMORY;
	err = csg_kernel_load(machine);
	if (err)
		return err;
	/* What was generated after the copy of kcore was taken is in no file. */
	if (mapped && piece.map->since)
		return csg_image_miss(machine, piece.map->object, addr, -CSG_E_NO_IMAGE);
	/* Where files were refused, that is the reason. */
	why = machine->kernel.object->error ? machine->kernel.object->error : -CSG_E_NO_IMAGE;
	find_region(machine, addr, &region);
	err = poked_code(machine, &region, addr, time, bytes, len, until);
	if (err == 1 && region.size) {
		next = csg_pokes_next_page(&machine->kernel.pokes, addr);
		limit = region.start + region.size;
		*bytes = region.bytes + (addr - region.start);
		*len = (next < limit ? next : limit) - addr;
		err = 0;
	}
	if (err)
		return csg_image_miss(machine, mapped ? piece.map->object : unmapped(machine, addr),
				      addr, why);
	/* Without a mapping, one that begins on a later page must not be run into. */
	if (!region.dump && piece.end > addr && *len > piece.end - addr)
		*len = piece.end - addr;
	return 0;
}

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
	}
}

static void name_from_vmlinux(struct csg_machine *machine, uint64_t addr, struct csg_symbol *symbol)
{
	struct csg_kernel *kernel = &machine->kernel;
	struct csg_sym *sym = csg_symtab_find(&kernel->vmlinux_symbols, addr - kernel->relocation);

	if (!sym)
		return;
	symbol->name = csg_symtab_name(&kernel->vmlinux_symbols, sym);
	symbol->start = sym->start + kernel->relocation;
	symbol->end = sym->end + kernel->relocation;
	symbol->symbol_id = kernel->symbol_base + (uint32_t)kernel->kallsyms.symbols.count +
			    (uint32_t)(sym - kernel->vmlinux_symbols.syms);
}

/* A snapshot has no names but those of its files. */
static void name_from_dump(struct csg_machine *machine, uint64_t addr, struct csg_symbol *symbol)
{
	const struct csg_dump_region *dump =
		csg_dumps_find(&machine->dumps, addr, CSG_REGIME_ANY, -1);

	if (dump)
		csg_dump_symbol(machine, dump, symbol);
}

int csg_kernel_symbol(struct csg_space *space, uint64_t addr, uint64_t time,
		      struct csg_symbol *symbol)
{
	struct csg_machine *machine = space->machine;
	struct csg_object *object = kernel_object(machine);
	struct csg_map_piece piece;
	uint64_t until;
	int err;

	if (!object)
		return -CSG_E_NO_MEMORY;
	err = csg_kernel_load(machine);
	if (err)
		return err;
	symbol->dso_offset = addr;
	if (csg_space_piece(space, addr, time, &piece, &until)) {
		object = piece.map->object;
		symbol->map_start = piece.start;
		symbol->map_end = piece.end;
		if (object->kind == CSG_OBJECT_KSYMBOL) {
			symbol->name = symbol->dso = object->path;
			symbol->dso_id = object->id;
			symbol->symbol_id = object->symbol_base;
			symbol->start = piece.map->start;
			symbol->end = piece.map->end;
			return 0;
		}
		symbol->dso = object->path;
		symbol->dso_id = object->id;
	}
	name_from_kallsyms(machine, addr, symbol);
	if (!symbol->name && object->kind == CSG_OBJECT_KERNEL)
		name_from_vmlinux(machine, addr, symbol);
	if (symbol->name && !symbol->dso) {
		symbol->dso = object->path;
		symbol->dso_id = object->id;
	}
	if (!symbol->dso)
		name_from_dump(machine, addr, symbol);
	if (machine->kernel.vmlinux.elf && object->kind == CSG_OBJECT_KERNEL)
		symbol->dso_offset = addr - machine->kernel.relocation;
	if (symbol->dso && !symbol->dso_file)
		symbol->dso_file = machine->kernel.object->found;
	return 0;
}

int csg_kernel_line(struct csg_machine *machine, uint64_t addr, const char **file, int *line)
{
	struct csg_kernel *kernel = &machine->kernel;
	int err;

	if (!kernel_object(machine))
		return -CSG_E_NO_MEMORY;
	err = csg_kernel_load(machine);
	if (err || !kernel->vmlinux_found)
		return err;
	if (!kernel->lines_tried) {
		kernel->lines_tried = true;
		kernel->lines = csg_lines_open(kernel->vmlinux_found, kernel->object->path,
					       &machine->places);
	}
	if (kernel->lines)
		csg_lines_find(kernel->lines, addr - kernel->relocation, file, line);
	return 0;
}

void csg_kernel_fini(struct csg_kernel *kernel)
{
	csg_lines_close(kernel->lines);
	csg_symtab_fini(&kernel->vmlinux_symbols);
	csg_kallsyms_fini(&kernel->kallsyms);
	csg_kcore_close(&kernel->kcore);
	csg_elf_close(&kernel->vmlinux);
	csg_file_unmap(&kernel->vmlinux_file);
	csg_pokes_fini(&kernel->pokes);
}
