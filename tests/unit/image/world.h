/* SPDX-License-Identifier: BSD-3-Clause */
/* An image with a host, files to find, and events to feed: what most tests of image/ begin with. */
#ifndef TESTS_UNIT_IMAGE_WORLD_H
#define TESTS_UNIT_IMAGE_WORLD_H

#include "image/elf_maker.h"
#include "image/image.h"
#include "image/machine.h"
#include "image/maps/machine_time.h"
#include "image/space.h"
#include "recording/recording.h"
#include "scratch.h"

static const uint8_t id_a[20] __attribute__((unused)) = {0xaa, 0xbb, 1, 2, 3};
static const uint8_t id_b[20] __attribute__((unused)) = {0xaa, 0xbb, 9, 9, 9};

/* Where the build-ID cache has what belongs to id_a. */
#define CACHED_A ".build-id/aa/bb010203000000000000000000000000000000"

/* Address of the program's code, 64 bytes that count from 0x40; its first 32 are "main". */
#define PROGRAM_TEXT(id) ((id) ? 0x4000e0 : 0x4000b0)

struct world {
	struct scratch scratch;
	struct said said;
	struct csg_image *image;
	struct csg_machine *machine;
};

static inline void world_begin(struct world *w, const struct csg_image_options *options)
{
	struct csg_diag_sink sink = {said_hear, &w->said};

	CU_ASSERT_EQUAL_FATAL(csg_image_create(&w->image, options, &sink), 0);
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(w->image, 0, &w->machine), 0);
}

static inline void world_end(struct world *w)
{
	csg_image_destroy(w->image);
	scratch_end(&w->scratch);
}

/* A program linked to 0x400000, with a build ID or without (NULL). */
static inline void world_program(struct world *w, const char *name, const uint8_t *id)
{
	static struct elf_maker m;
	uint8_t code[64];
	size_t text;

	elf_begin_file(&m, 0x400000);
	if (id)
		elf_add_build_id(&m, id);
	for (size_t i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t)(0x40 + i);
	text = elf_add_section(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code,
			       sizeof(code));
	elf_add_symbol(&m, "main", m.sections[text].sh_addr, 32, STB_GLOBAL, STT_FUNC, text);
	elf_add_symbol(&m, "$x", m.sections[text].sh_addr, 0, STB_LOCAL, STT_NOTYPE, text);
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	scratch_write(&w->scratch, name, m.bytes, m.size);
}

static inline struct csg_event map_event(int32_t pid, uint64_t start, uint64_t len,
					 const char *path, const uint8_t *id, uint64_t time)
{
	struct csg_event event = {.kind = CSG_EVENT_MAP, .pid = pid, .tid = pid, .time = time};

	event.map =
		(struct csg_mapping){.start = start, .len = len, .path = path, .executable = true};
	if (id) {
		memcpy(event.map.build_id, id, 20);
		event.map.build_id_size = 20;
	}
	return event;
}

/* The first byte of code in a process, or a negative error. */
static inline int world_byte(struct world *w, int32_t pid, uint64_t addr, uint64_t time)
{
	const uint8_t *bytes;
	size_t len;
	int err = csg_space_code(csg_machine_process(w->machine, pid), addr, time, &bytes, &len,
				 NULL);

	return err ? err : bytes[0];
}

#endif
