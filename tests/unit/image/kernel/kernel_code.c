/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "csguest/error.h"
#include "image/kernel_maker.h"
#include "suite.h"

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

CSG_SUITE(image_kernel, kernel_code, CSG_TEST(patched_text_is_what_it_was_at_the_time),
	  CSG_TEST(without_a_kernel_the_ledger_says_what_to_bring),
	  CSG_TEST(the_kernels_space_has_a_snapshots_dumps));
