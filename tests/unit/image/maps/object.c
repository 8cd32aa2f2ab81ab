/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/object.h"

#include <string.h>

#include "csguest/error.h"
#include "image/world.h"
#include "suite.h"

static void code_and_symbols_come_from_both_layouts_of_the_cache(void)
{
	static const char *const layouts[] = {CACHED_A, CACHED_A "/elf"};

	for (size_t i = 0; i < 2; i++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = scratch_begin(&w.scratch)};
		struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", id_a, 5);
		struct csg_symbol symbol;
		const uint8_t *bytes;
		char path[SCRATCH_PATH];
		uint64_t until;
		size_t len;

		world_program(&w, layouts[i], id_a);
		world_begin(&w, &options);
		csg_machine_event(w.machine, &event);
		CU_ASSERT_EQUAL_FATAL(csg_space_code(csg_machine_process(w.machine, 7), 0x4000e0,
						     10, &bytes, &len, &until),
				      0);
		CU_ASSERT_EQUAL(bytes[0], 0x40);
		CU_ASSERT_EQUAL(bytes[63], 0x40 + 63);
		CU_ASSERT_EQUAL(until, UINT64_MAX);
		CU_ASSERT_EQUAL(
			csg_space_symbol(csg_machine_process(w.machine, 7), 0x4000ff, 10, &symbol),
			0);
		CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "main");
		CU_ASSERT_EQUAL(symbol.start, 0x4000e0);
		CU_ASSERT_EQUAL(symbol.end, 0x400100);
		CU_ASSERT_EQUAL(symbol.dso_offset, 0x4000ff);
		CU_ASSERT_STRING_EQUAL(symbol.dso, "/usr/bin/x");
		CU_ASSERT_STRING_EQUAL(symbol.dso_file, scratch_path(&w.scratch, path, layouts[i]));
		CU_ASSERT_EQUAL(w.said.count, 0);
		world_end(&w);
	}
}

static void a_file_with_another_build_id_is_refused_and_named_once(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", id_a, 5);
	const struct csg_missing *missing;
	struct csg_symbol symbol;
	char path[SCRATCH_PATH];
	size_t n;

	world_program(&w, "usr/bin/x", id_b);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(world_byte(&w, 7, 0x4000e0 + i, 10), -CSG_E_BUILD_ID);
	CU_ASSERT_EQUAL(w.said.count, 1);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_BUILD_ID);
	CU_ASSERT_STRING_EQUAL(w.said.file, scratch_path(&w.scratch, path, "usr/bin/x"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "aabb090909"));
	CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "aabb010203"));
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(missing[0].error, -CSG_E_BUILD_ID);
	CU_ASSERT_EQUAL(missing[0].build_id[1], 0xbb);
	CU_ASSERT_EQUAL(csg_space_symbol(csg_machine_process(w.machine, 7), 0x4000e0, 10, &symbol),
			0);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_STRING_EQUAL(symbol.dso, "/usr/bin/x");
	CU_ASSERT_PTR_NULL(symbol.dso_file);
	world_end(&w);
}

static void the_right_file_is_found_after_a_wrong_one(void)
{
	struct world w = {0};
	char cache[SCRATCH_PATH], symfs[SCRATCH_PATH];
	struct csg_image_options options = {0};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/x", id_a, 5);

	scratch_begin(&w.scratch);
	options.buildid_dir = scratch_path(&w.scratch, cache, "cache");
	options.symfs = scratch_path(&w.scratch, symfs, "symfs");
	world_program(&w, "cache/" CACHED_A "/elf", id_b);
	world_program(&w, "symfs/x", id_a);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x4000e0, 10), 0x40);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_BUILD_ID);
	world_end(&w);
}

static void this_machines_files_count_only_with_the_build_id(void)
{
	static const struct {
		const uint8_t *recorded, *file;
		bool use_paths;
		int result;
	} cases[] = {
		{id_a, id_a, true, 0x40},
		{id_a, id_a, false, -CSG_E_NO_IMAGE},
		{id_a, id_b, true, -CSG_E_BUILD_ID},
		{id_a, NULL, true, -CSG_E_BUILD_ID},
		{NULL, id_a, true, -CSG_E_NO_IMAGE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = "",
						    .use_paths = cases[i].use_paths};
		struct csg_event event;
		char path[SCRATCH_PATH];

		scratch_begin(&w.scratch);
		world_program(&w, "x", cases[i].file);
		event = map_event(7, 0x400000, 0x1000, scratch_path(&w.scratch, path, "x"),
				  cases[i].recorded, 5);
		world_begin(&w, &options);
		csg_machine_event(w.machine, &event);
		CU_ASSERT_EQUAL(world_byte(&w, 7, PROGRAM_TEXT(cases[i].file), 10),
				cases[i].result);
		world_end(&w);
	}
}

static void without_a_recorded_build_id_symfs_is_believed(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", NULL, 5);

	world_program(&w, "usr/bin/x", id_b);
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x4000e0, 10), 0x40);
	world_end(&w);
}

static void what_is_no_elf_file_is_refused_and_named(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .symfs = scratch_begin(&w.scratch)};
	struct csg_event event = map_event(7, 0x400000, 0x1000, "/usr/bin/x", NULL, 5);

	scratch_text(&w.scratch, "usr/bin/x", "#!/bin/sh\n");
	world_begin(&w, &options);
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(world_byte(&w, 7, 0x400000, 10), -CSG_E_BAD_MAGIC);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_BAD_MAGIC);
	world_end(&w);
}

/* A stripped program, and its symbols in a file of its own. */
static void a_stripped_files_symbols_come_from_its_debug_file(void)
{
	static struct elf_maker code, debug;

	for (int wrong = 0; wrong < 2; wrong++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = "",
						    .symfs = scratch_begin(&w.scratch)};
		struct csg_event event = map_event(7, 0x400000, 0x1000, "/x", id_a, 5);
		struct csg_symbol symbol;
		uint64_t addr;
		size_t text;

		elf_begin_file(&code, 0x400000);
		elf_add_build_id(&code, id_a);
		text = elf_add_section(&code, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
				       NULL, 64);
		addr = code.sections[text].sh_addr;
		elf_end_file(&code, ET_EXEC, EM_AARCH64);
		elf_begin_file(&debug, 0x400000);
		elf_add_build_id(&debug, wrong ? id_b : id_a);
		text = elf_add_section(&debug, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, NULL,
				       64);
		debug.sections[text].sh_addr = addr;
		elf_add_symbol(&debug, "hidden", addr, 32, STB_LOCAL, STT_FUNC, text);
		elf_end_file(&debug, ET_EXEC, EM_AARCH64);
		scratch_write(&w.scratch, "x", code.bytes, code.size);
		scratch_write(&w.scratch, "usr/lib/debug/" CACHED_A ".debug", debug.bytes,
			      debug.size);
		world_begin(&w, &options);
		csg_machine_event(w.machine, &event);
		csg_space_symbol(csg_machine_process(w.machine, 7), addr + 4, 10, &symbol);
		if (wrong) {
			CU_ASSERT_PTR_NULL(symbol.name);
		} else {
			CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "hidden");
		}
		world_end(&w);
	}
}

CSG_SUITE(image_maps, object, CSG_TEST(code_and_symbols_come_from_both_layouts_of_the_cache),
	  CSG_TEST(a_file_with_another_build_id_is_refused_and_named_once),
	  CSG_TEST(the_right_file_is_found_after_a_wrong_one),
	  CSG_TEST(this_machines_files_count_only_with_the_build_id),
	  CSG_TEST(without_a_recorded_build_id_symfs_is_believed),
	  CSG_TEST(what_is_no_elf_file_is_refused_and_named),
	  CSG_TEST(a_stripped_files_symbols_come_from_its_debug_file));
