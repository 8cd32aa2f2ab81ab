/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel.h"

#include <string.h>

#include "csguest/error.h"
#include "kernel_maker.h"
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

/* A static key: a branch and a nop, seen from both sides in time and in both images. */
static void patched_text_is_what_it_was_at_the_time(void)
{
	static const uint8_t nop[4] = {0x1f, 0x20, 0x03, 0xd5}, branch[4] = {4, 0, 0, 0x14};

	for (int with_vmlinux = 0; with_vmlinux < 2; with_vmlinux++) {
		struct world w = {0};
		struct csg_kernel_options options = {0};
		struct csg_event event = {.kind = CSG_EVENT_TEXT_POKE, .pid = -1, .time = 100};
		char path[SCRATCH_PATH];
		const uint8_t *bytes, *plain;
		uint64_t until;
		size_t len;

		scratch_begin(&w.scratch);
		kernel_vmlinux(&w, "vmlinux", id_a);
		kernel_kcore_dir(&w, "kcore_dir", 0);
		if (with_vmlinux)
			options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
		else
			options.kcore = scratch_path(&w.scratch, path, "kcore_dir");
		kernel_begin(&w, &options, 0, id_a);
		event.poke.address = KERNEL_TEXT + 0x110;
		event.poke.old_bytes = nop;
		event.poke.old_len = 4;
		event.poke.new_bytes = branch;
		event.poke.new_len = 4;
		csg_machine_event(w.machine, &event);
		CU_ASSERT_EQUAL_FATAL(csg_space_code(csg_machine_kernel(w.machine),
						     KERNEL_TEXT + 0x10c, 99, &bytes, &len, &until),
				      0);
		CU_ASSERT_EQUAL(memcmp(bytes + 4, nop, 4), 0);
		CU_ASSERT_EQUAL(bytes[0], with_vmlinux ? 'k' : 'c');
		CU_ASSERT_EQUAL(until, 100);
		CU_ASSERT_EQUAL(csg_space_code(csg_machine_kernel(w.machine), KERNEL_TEXT + 0x110,
					       100, &bytes, &len, &until),
				0);
		CU_ASSERT_EQUAL(memcmp(bytes, branch, 4), 0);
		CU_ASSERT_EQUAL(until, UINT64_MAX);
		/* Other pages are as in the file, and end before the patched one. */
		CU_ASSERT_EQUAL(csg_space_code(csg_machine_kernel(w.machine), KERNEL_TEXT + 0x1000,
					       100, &plain, &len, &until),
				0);
		CU_ASSERT_EQUAL(plain[0], with_vmlinux ? 'k' : 'c');
		world_end(&w);
	}
}

static void without_a_kernel_the_ledger_says_what_to_bring(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = ""};
	const struct csg_missing *missing;
	size_t n;

	scratch_begin(&w.scratch);
	world_begin(&w, &options);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), -CSG_E_NO_IMAGE);
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_STRING_EQUAL(missing[0].path, "[kernel.kallsyms]");
	CU_ASSERT_PTR_NOT_NULL(strstr(missing[0].remedy, "--kcore"));
	world_end(&w);
}

static void the_kernels_space_has_a_snapshots_dumps(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = ""};
	struct csg_dump dump = {.address = KERNEL_TEXT};
	const struct csg_missing *missing;
	struct csg_symbol symbol;
	char path[SCRATCH_PATH];
	size_t n;

	scratch_begin(&w.scratch);
	world_begin(&w, &options);
	scratch_text(&w.scratch, "kernel.bin", "0123456789");
	dump.path = scratch_path(&w.scratch, path, "kernel.bin");
	csg_machine_dump(w.machine, &dump);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT + 3, 0), '3');
	csg_space_symbol(csg_machine_kernel(w.machine), KERNEL_TEXT + 3, 0, &symbol);
	CU_ASSERT_STRING_EQUAL(symbol.dso, path);
	CU_ASSERT_PTR_NULL(symbol.name);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT + 10, 0), -CSG_E_NO_IMAGE);
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_STRING_EQUAL(missing[0].path, "");
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

CSG_SUITE(image, kernel, CSG_TEST(a_moved_vmlinux_is_found_by_its_reference_symbol),
	  CSG_TEST(a_kcore_gives_code_and_its_kallsyms_symbols),
	  CSG_TEST(generated_text_has_its_name_while_it_is_there),
	  CSG_TEST(text_that_was_there_when_recording_began_is_in_kcore),
	  CSG_TEST(patched_text_is_what_it_was_at_the_time),
	  CSG_TEST(without_a_kernel_the_ledger_says_what_to_bring),
	  CSG_TEST(the_kernels_space_has_a_snapshots_dumps),
	  CSG_TEST(a_guests_kernel_is_named_as_perf_names_it));
