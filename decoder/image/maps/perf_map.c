/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/perf_map.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "csguest/error.h"
#include "image/elf/file.h"
#include "image/elf/find_file.h"
#include "image/maps/image_state.h"

static int parse_line(struct csg_symtab *table, const char *line, const char *end)
{
	uint64_t start, size;
	const char *at = csg_text_hex(line, end, &start);
	char *name;

	if (!at || at == end || *at != ' ')
		return 0;
	at = csg_text_hex(at + 1, end, &size);
	if (!at || end - at < 2 || *at != ' ')
		return 0;
	name = csg_arena_substring(&table->names, at + 1, end - at - 1);
	if (!name)
		return -CSG_E_NO_MEMORY;
	return csg_symtab_add(table, start, size, STB_GLOBAL, 0, name);
}

int csg_perf_map_parse(struct csg_symtab *table, const char *text, size_t size)
{
	const char *line = text, *end = text + size;
	int err = 0;

	while (line < end && !err) {
		const char *newline = memchr(line, '\n', end - line);
		const char *stop = newline ? newline : end;

		err = parse_line(table, line, stop);
		line = newline ? newline + 1 : end;
	}
	csg_symtab_finish(table);
	return err;
}

int csg_perf_map_load(struct csg_symtab *table, struct csg_image *image,
		      const struct csg_places *places, const char *name, const char **found)
{
	const char *roots[] = {places->root, places->symfs};
	char path[CSG_PATH_MAX];
	struct csg_file file;
	int err = 0;

	for (size_t i = 0; i < 2; i++) {
		if (!roots[i] ||
		    snprintf(path, sizeof(path), "%s%s", roots[i], name) >= (int)sizeof(path))
			continue;
		if (csg_image_note(image, csg_file_map(&file, path)))
			continue;
		err = csg_perf_map_parse(table, (const char *)file.data, file.size);
		csg_file_unmap(&file);
		*found = csg_arena_string(&image->arena, path);
		if (!*found)
			err = -CSG_E_NO_MEMORY;
		break;
	}
	return err;
}
