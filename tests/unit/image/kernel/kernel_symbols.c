/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "csguest/error.h"
#include "image/kernel_maker.h"
#include "suite.h"

static void a_moved_vmlinux_is_found_by_its_reference_symbol(void)
{
	static const uint64_t moves[] = {0, 0x200000, 0x1234560000, -(uint64_t)0x40000000};

	for (size_t i = 0; i < sizeof(moves) / sizeof(*moves); i++) {
		struct world w = {0};
		struct csg_kernel_options options = {0};
		char path[SCRATCH_PATH];
		struct csg_symbol symbol;
		uint64_t text = KERNEL_TEXT + moves[i];

		scratch_begin(&w.scratch);
		kernel_vmlinux(&w, "vmlinux", id_a);
		options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
		kernel_begin(&w, &options, moves[i], id_a);
		CU_ASSERT_EQUAL(kernel_byte(&w, text + 4, 0), 'k');
		CU_ASSERT_EQUAL(kernel_byte(&w, text - moves[i] + 4, 0),
				moves[i] ? -CSG_E_NO_IMAGE : 'k');
		csg_space_symbol(csg_machine_kernel(w.machine), text + 0x104, 0, &symbol);
		CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "do_thing");
		CU_ASSERT_EQUAL(symbol.start, text + 0x100);
		CU_ASSERT_EQUAL(symbol.end, text + 0x140);
		CU_ASSERT_EQUAL(symbol.dso_offset, KERNEL_TEXT + 0x104);
		CU_ASSERT_STRING_EQUAL(symbol.dso, "[kernel.kallsyms]");
		CU_ASSERT_STRING_EQUAL(symbol.dso_file, path);
		world_end(&w);
	}
}

static void a_kcore_gives_code_and_its_kallsyms_symbols(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];
	struct csg_symbol symbol;

	scratch_begin(&w.scratch);
	kernel_kcore_dir(&w, "kcore_dir", 0x200000);
	options.kcore = scratch_path(&w.scratch, path, "kcore_dir");
	kernel_begin(&w, &options, 0x200000, id_a);
	CU_ASSERT_EQUAL(w.said.count, 0);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT + 0x200000, 0), 'c');
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_MODULES + 0x10, 0), 'm');
	csg_space_symbol(csg_machine_kernel(w.machine), KERNEL_TEXT + 0x200104, 0, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "do_thing");
	CU_ASSERT_STRING_EQUAL(symbol.dso, "[kernel.kallsyms]");
	csg_space_symbol(csg_machine_kernel(w.machine), KERNEL_MODULES + 0x10, 0, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "mod_init");
	CU_ASSERT_STRING_EQUAL(symbol.dso, "[mod]");
	CU_ASSERT_EQUAL(symbol.map_start, KERNEL_MODULES);
	world_end(&w);
}

CSG_SUITE(image_kernel, kernel_symbols, CSG_TEST(a_moved_vmlinux_is_found_by_its_reference_symbol),
	  CSG_TEST(a_kcore_gives_code_and_its_kallsyms_symbols));
