/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel.h"

#include <string.h>

#include "csguest/error.h"
#include "image/kernel_maker.h"
#include "suite.h"

static void generated_text_has_its_name_while_it_is_there(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_event event = {.kind = CSG_EVENT_KSYMBOL, .pid = -1, .time = 100};
	char path[SCRATCH_PATH];
	struct csg_symbol symbol;

	scratch_begin(&w.scratch);
	kernel_kcore_dir(&w, "kcore_dir", 0);
	options.kcore = scratch_path(&w.scratch, path, "kcore_dir");
	kernel_begin(&w, &options, 0, id_a);
	event.map = (struct csg_mapping){
		.start = KERNEL_MODULES + 0x800, .len = 0x40, .path = "bpf_prog_abc_f"};
	csg_machine_event(w.machine, &event);
	event.out = true;
	event.time = 200;
	csg_machine_event(w.machine, &event);
	csg_space_symbol(csg_machine_kernel(w.machine), KERNEL_MODULES + 0x804, 150, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "bpf_prog_abc_f");
	CU_ASSERT_EQUAL(symbol.start, KERNEL_MODULES + 0x800);
	CU_ASSERT_EQUAL(symbol.end, KERNEL_MODULES + 0x840);
	CU_ASSERT_STRING_EQUAL(symbol.dso, "bpf_prog_abc_f");
	/* The copy of kcore is older than this text. */
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_MODULES + 0x804, 150), -CSG_E_NO_IMAGE);
	csg_space_symbol(csg_machine_kernel(w.machine), KERNEL_MODULES + 0x804, 200, &symbol);
	CU_ASSERT_STRING_NOT_EQUAL(symbol.dso ? symbol.dso : "", "bpf_prog_abc_f");
	world_end(&w);
}

static void text_that_was_there_when_recording_began_is_in_kcore(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_event event = {.kind = CSG_EVENT_KSYMBOL, .pid = -1};
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_kcore_dir(&w, "kcore_dir", 0);
	options.kcore = scratch_path(&w.scratch, path, "kcore_dir");
	kernel_begin(&w, &options, 0, id_a);
	event.map = (struct csg_mapping){
		.start = KERNEL_MODULES + 0x800, .len = 0x40, .path = "bpf_prog_abc_f"};
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_MODULES + 0x804, 150), 'm');
	world_end(&w);
}

static void a_guests_kernel_is_named_as_perf_names_it(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_event event =
		map_event(-1, KERNEL_TEXT, 0x10000, "[guest.kernel.kallsyms.4711]_text", id_a, 0);
	struct csg_image_options none = {.buildid_dir = ""};
	char path[SCRATCH_PATH];
	struct csg_symbol symbol;

	scratch_begin(&w.scratch);
	kernel_vmlinux(&w, "vmlinux", id_a);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	world_begin(&w, &none);
	csg_machine_set_kernel(w.machine, &options);
	event.map.kernel = true;
	event.map.pgoff = KERNEL_TEXT;
	csg_machine_event(w.machine, &event);
	csg_space_symbol(csg_machine_kernel(w.machine), KERNEL_TEXT + 0x104, 0, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "do_thing");
	CU_ASSERT_STRING_EQUAL(symbol.dso, "[guest.kernel.kallsyms.4711]");
	world_end(&w);
}

CSG_SUITE(image_kernel, kernel, CSG_TEST(generated_text_has_its_name_while_it_is_there),
	  CSG_TEST(text_that_was_there_when_recording_began_is_in_kcore),
	  CSG_TEST(a_guests_kernel_is_named_as_perf_names_it));
