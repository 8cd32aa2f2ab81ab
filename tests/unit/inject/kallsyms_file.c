/* SPDX-License-Identifier: BSD-3-Clause */
#include "inject/kallsyms_file.h"

#include <string.h>

#include "image/kernel_maker.h"
#include "suite.h"
#include "capture.h"

static void symbols_are_written_as_kallsyms(void)
{
	const struct csg_image_options none = {.buildid_dir = ""};
	struct csg_kernel_options options = {0};
	struct world w = {0};
	char path[SCRATCH_PATH];
	struct csg_out *out = capture_begin();

	scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "kallsyms", 0);
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	world_begin(&w, &none);
	CU_ASSERT_EQUAL(csg_machine_set_kernel(w.machine, &options), 0);
	CU_ASSERT_EQUAL(csg_kallsyms_write(csg_machine_kernel(w.machine), out), 4);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "ffff800001000000 T mod_init\t[mod]\n"
					 "ffff800008000000 T _text\n"
					 "ffff800008000100 T do_thing\n"
					 "ffff800008000140 T after\n");
	world_end(&w);
}

static void a_kernel_without_symbols_has_none(void)
{
	const struct csg_image_options none = {.buildid_dir = ""};
	struct world w = {0};
	struct csg_out *out = capture_begin();

	scratch_begin(&w.scratch);
	world_begin(&w, &none);
	CU_ASSERT_EQUAL(csg_kallsyms_write(csg_machine_kernel(w.machine), out), 0);
	CU_ASSERT_EQUAL(csg_kallsyms_write(csg_machine_process(w.machine, 1), out), 0);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, "");
	world_end(&w);
}

CSG_SUITE(inject, kallsyms_file, CSG_TEST(symbols_are_written_as_kallsyms),
	  CSG_TEST(a_kernel_without_symbols_has_none));
