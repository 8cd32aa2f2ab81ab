/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/lines.h"

#include <string.h>

#include "image/world.h"
#include "suite.h"

/* A writer of DWARF bytes. */
struct bytes {
	uint8_t at[512];
	size_t n;
};

static void put(struct bytes *b, uint64_t value, size_t size)
{
	memcpy(b->at + b->n, &value, size);
	b->n += size;
}

static void put_text(struct bytes *b, const char *text)
{
	memcpy(b->at + b->n, text, strlen(text) + 1);
	b->n += strlen(text) + 1;
}

static void end_unit(struct bytes *b, size_t length_at)
{
	uint32_t length = (uint32_t)(b->n - length_at - 4);

	memcpy(b->at + length_at, &length, 4);
}

/* One unit from low to high: line 7 of "dir/thing.c", from low + 16 on line 9, from low + 24 on
 * none. */
static void make_dwarf(struct bytes *abbrev, struct bytes *info, struct bytes *line, uint64_t low,
		       uint64_t high)
{
	static const uint8_t abbrevs[] = {1,	0x11 /* DW_TAG_compile_unit */,
					  0,	0x03 /* name */,
					  8,	0x10 /* stmt_list */,
					  0x17, 0x11 /* low_pc */,
					  1,	0x12 /* high_pc */,
					  7,	0,
					  0,	0};
	size_t header;

	abbrev->n = info->n = line->n = 0;
	memcpy(abbrev->at, abbrevs, abbrev->n = sizeof(abbrevs));
	put(info, 0, 4);
	put(info, 4, 2); /* version */
	put(info, 0, 4); /* abbreviations */
	put(info, 8, 1); /* address size */
	put(info, 1, 1);
	put_text(info, "dir/thing.c");
	put(info, 0, 4);
	put(info, low, 8);
	put(info, high - low, 8);
	end_unit(info, 0);
	put(line, 0, 4);
	put(line, 2, 2); /* version */
	header = line->n;
	put(line, 0, 4);
	put(line, 4, 1);    /* instruction length */
	put(line, 1, 1);    /* is_stmt */
	put(line, 0xfb, 1); /* line base -5 */
	put(line, 14, 1);   /* line range */
	put(line, 10, 1);   /* first special opcode */
	for (int i = 0; i < 9; i++)
		put(line, "\0\1\1\1\1\0\0\0\1"[i], 1);
	put(line, 0, 1);
	put_text(line, "dir/thing.c");
	put(line, 0, 3);
	put(line, 0, 1);
	end_unit(line, header);
	put(line, 0x0900, 2); /* extended, 9 bytes: DW_LNE_set_address */
	put(line, 2, 1);
	put(line, low, 8);
	put(line, 3, 1); /* advance_line 6 */
	put(line, 6, 1);
	put(line, 1, 1); /* copy */
	put(line, 2, 1); /* advance_pc 4 instructions */
	put(line, 4, 1);
	put(line, 3, 1); /* advance_line 2 */
	put(line, 2, 1);
	put(line, 1, 1); /* copy */
	put(line, 2, 1);
	put(line, 2, 1);
	put(line, 3, 1); /* advance_line -9: none of the source's */
	put(line, 0x77, 1);
	put(line, 1, 1); /* copy */
	put(line, 2, 1);
	put(line, (high - low - 24) / 4, 1);
	put(line, 0x0100, 2); /* end_sequence */
	put(line, 1, 1);
	end_unit(line, 0);
}

static struct elf_maker m;

/* 64 bytes of .text, at the same address with and without contents; returns it. */
static uint64_t begin_file(const uint8_t *id, bool contents)
{
	size_t text;

	elf_begin_file(&m, 0x400000);
	elf_add_build_id(&m, id);
	text = elf_add_section(&m, ".text", contents ? SHT_PROGBITS : SHT_NOBITS,
			       SHF_ALLOC | SHF_EXECINSTR, NULL, 64);
	return m.sections[text].sh_addr;
}

static void add_dwarf(uint64_t low)
{
	struct bytes abbrev, info, line;

	make_dwarf(&abbrev, &info, &line, low, low + 64);
	elf_add_section(&m, ".debug_abbrev", SHT_PROGBITS, 0, abbrev.at, abbrev.n);
	elf_add_section(&m, ".debug_info", SHT_PROGBITS, 0, info.at, info.n);
	elf_add_section(&m, ".debug_line", SHT_PROGBITS, 0, line.at, line.n);
}

static void check(struct world *w, uint64_t addr, const char *file, int line)
{
	const char *found;
	int number;

	CU_ASSERT_EQUAL(
		csg_space_line(csg_machine_process(w->machine, 7), addr, 5, &found, &number), 0);
	if (file) {
		CU_ASSERT_STRING_EQUAL_FATAL(found ? found : "none", file);
		CU_ASSERT_EQUAL(number, line);
	} else {
		CU_ASSERT_PTR_NULL(found);
	}
}

static void lines_come_from_the_file_itself(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	/* Mapped elsewhere than linked. */
	struct csg_event event = map_event(7, 0x7f0000000000, 0x1000, "/x", id_a, 1);
	uint64_t low = begin_file(id_a, true);

	add_dwarf(low);
	elf_end_file(&m, ET_DYN, EM_AARCH64);
	scratch_write(&w.scratch, "x", m.bytes, m.size);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	low += 0x7f0000000000 - 0x400000;
	check(&w, low, "dir/thing.c", 7);
	check(&w, low + 12, "dir/thing.c", 7);
	check(&w, low + 16, "dir/thing.c", 9);
	check(&w, low + 20, "dir/thing.c", 9);
	check(&w, low + 24, NULL, 0);
	check(&w, low - 4, NULL, 0);
	check(&w, 0x1000, NULL, 0);
	world_end(&w);
}

static void or_from_the_debug_file_with_its_build_id(void)
{
	for (int wrong = 0; wrong < 2; wrong++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = "",
						    .symfs = scratch_begin(&w.scratch)};
		struct csg_event event = map_event(7, 0x400000, 0x1000, "/x", id_a, 1);
		uint64_t low = begin_file(id_a, true);

		elf_end_file(&m, ET_EXEC, EM_AARCH64);
		scratch_write(&w.scratch, "x", m.bytes, m.size);
		/* objcopy --only-keep-debug keeps the segment's size in memory. */
		begin_file(wrong ? id_b : id_a, false);
		m.load_size = low + 64 - 0x400000;
		add_dwarf(low);
		elf_end_file(&m, ET_EXEC, EM_AARCH64);
		scratch_write(&w.scratch, "usr/lib/debug/" CACHED_A ".debug", m.bytes, m.size);
		world_begin(&w, &options);
		csg_machine_event(w.machine, &event);
		check(&w, low + 16, wrong ? NULL : "dir/thing.c", 9);
		world_end(&w);
	}
}

static void damaged_dwarf_does_no_harm(void)
{
	struct csg_lines *lines;
	struct csg_places places = {0};
	struct scratch s;
	char path[SCRATCH_PATH];
	uint64_t low;
	size_t from;

	scratch_begin(&s);
	scratch_path(&s, path, "x");
	low = begin_file(id_a, true);
	from = m.size;
	add_dwarf(low);
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	for (size_t at = from; at < from + 300 && at < m.size; at++) {
		static const uint8_t bad[] = {0x00, 0x7f, 0xff};

		for (size_t i = 0; i < sizeof(bad); i++) {
			uint8_t good = m.bytes[at];
			const char *file;
			int line;

			m.bytes[at] = bad[i];
			scratch_write(&s, "x", m.bytes, m.size);
			CU_ASSERT_EQUAL(csg_lines_open(&lines, path, "/x", &places, NULL), 0);
			if (lines)
				csg_lines_find(lines, low + 16, &file, &line);
			csg_lines_close(lines);
			m.bytes[at] = good;
		}
	}
	CU_ASSERT_EQUAL(csg_lines_open(&lines, "/nowhere/x", "/x", &places, NULL), 0);
	CU_ASSERT_PTR_NULL(lines);
	scratch_end(&s);
}

CSG_SUITE(image_elf, lines, CSG_TEST(lines_come_from_the_file_itself),
	  CSG_TEST(or_from_the_debug_file_with_its_build_id), CSG_TEST(damaged_dwarf_does_no_harm));
