/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/build_id.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

struct csg_build_id csg_build_id_make(const uint8_t *bytes, size_t size)
{
	struct csg_build_id id = {.size = size < CSG_BUILD_ID_MAX ? size : CSG_BUILD_ID_MAX};
	bool any = false;

	for (size_t i = 0; i < id.size; i++) {
		id.bytes[i] = bytes[i];
		any |= bytes[i] != 0;
	}
	if (!any)
		id.size = 0;
	return id;
}

bool csg_build_id_equal(const struct csg_build_id *a, const struct csg_build_id *b)
{
	/* Bytes behind size are zero: see csg_build_id_make(). */
	return a->size && b->size && !memcmp(a->bytes, b->bytes, CSG_BUILD_ID_MAX);
}

char *csg_build_id_text(const struct csg_build_id *id, char text[CSG_BUILD_ID_TEXT])
{
	text[0] = 0;
	for (size_t i = 0; i < id->size; i++)
		sprintf(text + 2 * i, "%02x", id->bytes[i]);
	return text;
}

bool csg_build_id_find(const uint8_t *notes, size_t size, size_t align, struct csg_build_id *id)
{
	Elf64_Nhdr note;
	uint64_t at = 0, mask = align == 8 ? 7 : 3;

	while (at < size && size - at >= sizeof(note)) {
		uint64_t name, desc, next;

		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		desc = (name + note.n_namesz + mask) & ~mask;
		next = (desc + note.n_descsz + mask) & ~mask;
		if (desc > size || note.n_descsz > size - desc)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(notes + name, "GNU", sizeof("GNU")) && note.n_descsz) {
			*id = csg_build_id_make(notes + desc, note.n_descsz);
			return id->size != 0;
		}
		at = next;
	}
	return false;
}
