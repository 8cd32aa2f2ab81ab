/* SPDX-License-Identifier: BSD-3-Clause */
/* ELF notes as they come from sections, segments and /sys/kernel/notes. */
#include "fuzz/input.h"
#include "image/elf/build_id_note.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csg_build_id id;
	char text[CSG_BUILD_ID_TEXT];

	for (size_t align = 4; align <= 8; align += 4) {
		if (!csg_build_id_find(data, size, align, &id))
			continue;
		fuzz_require(id.size && id.size <= CSG_BUILD_ID_MAX, "a build ID has a size");
		fuzz_require(strlen(csg_build_id_text(&id, text)) == 2u * id.size,
			     "a build ID's text is as long as it is");
		fuzz_require(csg_build_id_equal(&id, &id), "a build ID equals itself");
	}
	return 0;
}
