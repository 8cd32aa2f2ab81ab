/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "csguest/error.h"
#include "image/kernel/kernel_proof.h"
#include "image/kernel_maker.h"
#include "suite.h"

static const char *name_at(struct world *w, uint64_t addr)
{
	static struct csg_symbol symbol;

	csg_space_symbol(csg_machine_kernel(w->machine), addr, 0, &symbol);
	return symbol.name ? symbol.name : "-";
}

static void a_vmlinux_that_is_refused_has_neither_code_nor_symbols(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_vmlinux(&w, "vmlinux", id_a);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_TRUE(csg_machine_names_kernel_code(w.machine));
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "do_thing");
	csg_machine_refuse_kernel_code(w.machine, "not what ran", false);
	CU_ASSERT_STRING_EQUAL(w.said.file, path);
	CU_ASSERT_STRING_EQUAL(w.said.text, "not what ran");
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), -CSG_E_NO_IMAGE);
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "-");
	CU_ASSERT_FALSE(csg_machine_names_kernel_code(w.machine));
	world_end(&w);
}

static void the_vmlinux_beside_a_kcore_that_is_refused_comes_next(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH], kcore[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_vmlinux(&w, "vmlinux", id_a);
	kernel_kcore(&w, "kcore", 0);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	options.kcore = scratch_path(&w.scratch, kcore, "kcore");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'c');
	CU_ASSERT_TRUE(csg_machine_names_kernel_code(w.machine));
	csg_machine_refuse_kernel_code(w.machine, "not what ran", false);
	CU_ASSERT_STRING_EQUAL(w.said.file, kcore);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'k');
	CU_ASSERT_TRUE(csg_machine_names_kernel_code(w.machine));
	world_end(&w);
}

static void what_came_with_the_recording_is_not_named(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "",
					    .recording_dir = scratch_begin(&w.scratch)};

	kernel_kcore_dir(&w, "kcore_dir", 0);
	world_begin(&w, &options);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'c');
	CU_ASSERT_FALSE(csg_machine_names_kernel_code(w.machine));
	world_end(&w);
}

CSG_SUITE(image_kernel, kernel_proof,
	  CSG_TEST(a_vmlinux_that_is_refused_has_neither_code_nor_symbols),
	  CSG_TEST(the_vmlinux_beside_a_kcore_that_is_refused_comes_next),
	  CSG_TEST(what_came_with_the_recording_is_not_named));
