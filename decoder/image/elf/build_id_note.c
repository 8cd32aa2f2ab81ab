/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/build_id_note.h"

#include <elf.h>
#include <string.h>

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
