/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/build_id_note.h"

#include <elf.h>
#include <string.h>

#include "suite.h"

static const uint8_t id20[20] = {1,  2,	 3,  4,	 5,  6,	 7,  8,	 9,  10,
				 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

/* Appends a note; returns the size with its padding. */
static size_t note(uint8_t *at, uint32_t type, const char *name, const void *desc, uint32_t size)
{
	Elf64_Nhdr header = {(uint32_t)strlen(name) + 1, size, type};
	size_t len = (header.n_namesz + 3) & ~3u;

	memset(at, 0, sizeof(header) + len + ((size + 3) & ~3u));
	memcpy(at, &header, sizeof(header));
	memcpy(at + sizeof(header), name, header.n_namesz);
	memcpy(at + sizeof(header) + len, desc, size);
	return sizeof(header) + len + ((size + 3) & ~3u);
}

static void it_is_found_after_other_notes(void)
{
	uint8_t notes[256];
	struct csg_build_id id;
	size_t n = note(notes, NT_GNU_ABI_TAG, "GNU", id20, 16);

	n += note(notes + n, NT_GNU_BUILD_ID, "Go", id20, 7);
	n += note(notes + n, NT_GNU_BUILD_ID, "GNU", id20, 20);
	CU_ASSERT_TRUE_FATAL(csg_build_id_find(notes, n, 4, &id));
	CU_ASSERT_EQUAL(id.size, 20);
	CU_ASSERT_EQUAL(memcmp(id.bytes, id20, 20), 0);
}

static void notes_cut_at_any_byte_hold_no_id(void)
{
	uint8_t notes[256];
	struct csg_build_id id;
	size_t n = note(notes, NT_GNU_BUILD_ID, "GNU", id20, 20);

	for (size_t cut = 0; cut < n; cut++)
		CU_ASSERT_FALSE(csg_build_id_find(notes, cut, 4, &id));
}

static void lengths_that_lie_do_not_reach_outside(void)
{
	static const uint32_t lengths[] = {0xffffffff, 0xfffffffc, 0x80000000, 21, 0x7fffffff};
	uint8_t notes[36];
	struct csg_build_id id;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		note(notes, NT_GNU_BUILD_ID, "GNU", id20, 20);
		memcpy(notes + 4, &lengths[i], 4);
		CU_ASSERT_FALSE(csg_build_id_find(notes, sizeof(notes), 4, &id));
		note(notes, NT_GNU_BUILD_ID, "GNU", id20, 20);
		memcpy(notes, &lengths[i], 4);
		CU_ASSERT_FALSE(csg_build_id_find(notes, sizeof(notes), 4, &id));
	}
}

CSG_SUITE(image_elf, build_id_note, CSG_TEST(it_is_found_after_other_notes),
	  CSG_TEST(notes_cut_at_any_byte_hold_no_id),
	  CSG_TEST(lengths_that_lie_do_not_reach_outside));
