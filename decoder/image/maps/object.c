/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/object.h"

#include <string.h>

#include "util/report.h"
#include "image/elf/elf_symbols.h"
#include "image/maps/image_state.h"
#include "image/elf/lines.h"
#include "image/maps/perf_map.h"

/* Maps path and reads its ELF headers; undoes all on failure. */
static int open_elf(const char *path, struct csg_file *file, struct csg_elf *elf)
{
	int err = csg_file_map(file, path);

	if (err)
		return err;
	err = csg_elf_open(elf, file->data, file->size);
	if (err)
		csg_file_unmap(file);
	return err;
}

static void close_elf(struct csg_file *file, struct csg_elf *elf)
{
	csg_elf_close(elf);
	csg_file_unmap(file);
}

/* 0 where elf is the file that the recording means, else -CSG_E_BUILD_ID, said. */
static int check_build_id(struct csg_image *image, const struct csg_object *object,
			  const struct csg_elf *elf, const char *path)
{
	char wanted[CSG_BUILD_ID_TEXT], found[CSG_BUILD_ID_TEXT];
	struct csg_build_id id = {0};

	if (!object->build_id.size)
		return 0;
	csg_elf_build_id(elf, &id);
	if (csg_build_id_equal(&id, &object->build_id))
		return 0;
	return csg_report(&image->sink, CSG_WARNING, CSG_E_BUILD_ID, path, CSG_NO_OFFSET,
			  "bring the file that ran: perf archive on the recorded machine",
			  "not the %s that was recorded: its build ID is %s, not %s", object->path,
			  id.size ? csg_build_id_text(&id, found) : "missing",
			  csg_build_id_text(&object->build_id, wanted));
}

static int try_code(struct csg_image *image, struct csg_object *object, const char *path)
{
	int err = open_elf(path, &object->file, &object->elf);

	if (err == -CSG_E_NOT_FOUND || csg_image_note(image, err) == -CSG_E_NO_MEMORY)
		return err;
	if (err)
		return csg_report(&image->sink, CSG_WARNING, -err, path, CSG_NO_OFFSET, NULL,
				  "cannot be used for %s: %s", object->path, csg_strerror(err));
	err = check_build_id(image, object, &object->elf, path);
	if (!err) {
		object->found = csg_arena_string(&image->arena, path);
		if (!object->found)
			err = csg_image_note(image, -CSG_E_NO_MEMORY);
	}
	if (err)
		close_elf(&object->file, &object->elf);
	return err;
}

int csg_object_load(struct csg_image *image, struct csg_object *object)
{
	char path[CSG_PATH_MAX];

	object->loaded = true;
	object->error = -CSG_E_NO_IMAGE;
	if (object->kind != CSG_OBJECT_ELF)
		return object->error;
	for (size_t i = 0; csg_find_code(object->places, i, object->path, &object->build_id, path);
	     i++) {
		int err = path[0] ? try_code(image, object, path) : -CSG_E_NOT_FOUND;

		if (!err)
			return object->error = 0;
		/* The first file refused is what the user wants to hear of. */
		if (err != -CSG_E_NOT_FOUND && object->error == -CSG_E_NO_IMAGE)
			object->error = err;
	}
	return object->error;
}

/* Name in .gnu_debuglink, or NULL. */
static const char *debug_link(const struct csg_elf *elf)
{
	struct csg_elf_section section;

	if (!csg_elf_section_named(elf, ".gnu_debuglink", &section))
		return NULL;
	return csg_elf_string(&section, 0);
}

static bool has_symtab(const struct csg_elf *elf)
{
	struct csg_elf_section section;

	return csg_elf_section_named(elf, ".symtab", &section) && section.data;
}

/* A stripped file's symbols lie in another one with its build ID. */
static void find_debug(struct csg_image *image, struct csg_object *object)
{
	struct csg_build_id id = object->build_id, other;
	char path[CSG_PATH_MAX];

	if (!id.size)
		csg_elf_build_id(&object->elf, &id);
	for (size_t i = 0;
	     csg_find_debug(object->places, i, object->path, &id, debug_link(&object->elf), path);
	     i++) {
		if (!path[0] ||
		    csg_image_note(image, open_elf(path, &object->debug_file, &object->debug)))
			continue;
		if ((!id.size || (csg_elf_build_id(&object->debug, &other) &&
				  csg_build_id_equal(&id, &other))) &&
		    has_symtab(&object->debug)) {
			object->debug_found = csg_arena_string(&image->arena, path);
			if (!object->debug_found)
				csg_image_note(image, -CSG_E_NO_MEMORY);
			return;
		}
		close_elf(&object->debug_file, &object->debug);
	}
}

static int load_elf_symbols(struct csg_image *image, struct csg_object *object)
{
	const struct csg_elf *elf = &object->elf;
	int err;

	if (!elf->elf)
		return 0;
	if (!has_symtab(elf))
		find_debug(image, object);
	err = csg_elf_symbols(&object->symbols, object->debug.elf ? &object->debug : elf, elf,
			      CSG_ELF_OFFSETS);
	/* A .debug file has no .dynsym contents; the stripped file has. */
	if (!err && object->debug.elf)
		err = csg_elf_symbols(&object->symbols, elf, elf, CSG_ELF_OFFSETS);
	return err ? err : csg_elf_plt_symbols(&object->symbols, elf);
}

int csg_object_load_symbols(struct csg_image *image, struct csg_object *object)
{
	int err;

	if (object->symbols_loaded)
		return 0;
	object->symbols_loaded = true;
	object->symbols.demangle = image->demangle;
	if (object->kind == CSG_OBJECT_JIT)
		err = csg_perf_map_load(&object->symbols, image, object->places, object->path,
					&object->found);
	else
		err = load_elf_symbols(image, object);
	/* Half a table is in no order. */
	if (err)
		csg_symtab_fini(&object->symbols);
	object->symbol_base = image->next_symbol_id;
	image->next_symbol_id += (uint32_t)object->symbols.count;
	return csg_image_note(image, err);
}

struct csg_lines *csg_object_lines(struct csg_image *image, struct csg_object *object)
{
	if (object->lines_tried || !object->elf.elf)
		return object->lines;
	object->lines_tried = true;
	csg_image_note(image, csg_lines_open(&object->lines, object->found, object->path,
					     object->places, &image->sink));
	return object->lines;
}

void csg_object_fini(struct csg_object *object)
{
	csg_lines_close(object->lines);
	csg_symtab_fini(&object->symbols);
	close_elf(&object->debug_file, &object->debug);
	close_elf(&object->file, &object->elf);
}
