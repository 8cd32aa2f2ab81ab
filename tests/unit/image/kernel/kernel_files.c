/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_files.h"

#include <string.h>

#include "csguest/error.h"
#include "image/kernel_maker.h"
#include "image/maps/machine_state.h"
#include "suite.h"

static const char *name_at(struct world *w, uint64_t addr)
{
	static struct csg_symbol symbol;

	csg_space_symbol(csg_machine_kernel(w->machine), addr, 0, &symbol);
	return symbol.name ? symbol.name : "-";
}

static void a_vmlinux_with_another_build_id_is_refused_and_named(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];
	const struct csg_missing *missing;
	size_t n;

	scratch_begin(&w.scratch);
	kernel_vmlinux(&w, "vmlinux", id_b);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_TRUE(kernel_byte(&w, KERNEL_TEXT, 0) < 0);
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "-");
	CU_ASSERT_EQUAL(w.said.count, 1);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_BUILD_ID);
	CU_ASSERT_STRING_EQUAL(w.said.file, path);
	missing = csg_image_missing(w.image, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(missing[0].error, -CSG_E_BUILD_ID);
	world_end(&w);
}

/* Its first segment need not be where the kernel begins. */
static void a_vmlinux_without_symbols_is_placed_by_its_image_header_or_refused(void)
{
	for (int header = 0; header < 2; header++) {
		struct world w = {0};
		struct csg_kernel_options options = {0};
		char path[SCRATCH_PATH];

		scratch_begin(&w.scratch);
		kernel_stripped_vmlinux(&w, "vmlinux", id_a, header);
		options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
		kernel_begin(&w, &options, 0x200000, id_a);
		if (header) {
			CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT + 0x200000 + 57, 0), 'R');
			CU_ASSERT_EQUAL(w.said.count, 0);
		} else {
			CU_ASSERT_TRUE(kernel_byte(&w, KERNEL_TEXT + 0x200000, 0) < 0);
			CU_ASSERT_EQUAL(w.said.count, 1);
			CU_ASSERT_EQUAL(w.said.error, CSG_E_NO_IMAGE);
			CU_ASSERT_STRING_EQUAL(w.said.file, path);
			CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "cannot be placed"));
		}
		world_end(&w);
	}
}

static void a_vmlinux_without_symbols_that_was_not_moved_needs_no_proof(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_stripped_vmlinux(&w, "vmlinux", id_a, false);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'k');
	CU_ASSERT_EQUAL(w.said.count, 0);
	world_end(&w);
}

static void a_file_that_the_user_named_and_is_not_there_is_reported(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {.vmlinux = "/nowhere/vmlinux"};

	scratch_begin(&w.scratch);
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_TRUE(kernel_byte(&w, KERNEL_TEXT, 0) < 0);
	CU_ASSERT_EQUAL(w.said.error, CSG_E_NOT_FOUND);
	CU_ASSERT_STRING_EQUAL(w.said.file, "/nowhere/vmlinux");
	world_end(&w);
}

static void a_kcore_of_another_boot_is_refused(void)
{
	/* Elsewhere by its kallsyms; elsewhere by its modules. */
	for (int by_modules = 0; by_modules < 2; by_modules++) {
		struct world w = {0};
		struct csg_kernel_options options = {0};
		char path[SCRATCH_PATH];

		scratch_begin(&w.scratch);
		kernel_kcore_dir(&w, "d", by_modules ? 0 : 0x200000);
		if (by_modules)
			scratch_text(&w.scratch, "d/modules",
				     "mod 4096 0 - Live 0xffff800001004000\n");
		options.kcore = scratch_path(&w.scratch, path, "d");
		kernel_begin(&w, &options, 0, id_a);
		CU_ASSERT_TRUE(kernel_byte(&w, KERNEL_TEXT, 0) < 0);
		CU_ASSERT_TRUE(kernel_byte(&w, KERNEL_TEXT + 0x200000, 0) < 0);
		CU_ASSERT_EQUAL(w.said.error, CSG_E_BUILD_ID);
		CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "another boot"));
		world_end(&w);
	}
}

static void the_kcore_file_may_be_named_itself(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_kcore_dir(&w, "d", 0);
	options.kcore = scratch_path(&w.scratch, path, "d/kcore");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'c');
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "do_thing");
	world_end(&w);
}

static void kallsyms_of_another_boot_are_moved(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "kallsyms", 0x600000);
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	kernel_begin(&w, &options, 0x200000, id_a);
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x200104), "do_thing");
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x600104), "-");
	/* Where the module was in that boot says nothing of this one. */
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_MODULES + 4), "-");
	world_end(&w);
}

static const struct csg_sym *symbols_of(struct csg_machine *machine)
{
	struct csg_symbol symbol;

	csg_space_symbol(csg_machine_kernel(machine), KERNEL_TEXT + 0x104, 0, &symbol);
	CU_ASSERT_PTR_NOT_NULL_FATAL(symbol.name);
	CU_ASSERT_STRING_EQUAL(symbol.name, "do_thing");
	return machine->kernel.kallsyms.symbols.syms;
}

/* The last one's is another file of the same size. */
static void guests_with_the_same_kallsyms_share_them(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_machine *guest[3];
	const struct csg_sym *symbols;
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "kallsyms", 0);
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	kernel_begin(&w, &options, 0, id_a);
	symbols = symbols_of(w.machine);
	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL_FATAL(csg_image_machine(w.image, 100 + i, &guest[i]), 0);
		if (i == 2) {
			options.kallsyms = scratch_path(&w.scratch, path, "other");
			scratch_text(&w.scratch, "other",
				     "ffff800008000000 T _txet\nffff800008000100 T do_thing\n"
				     "ffff800008000140 T after\n"
				     "ffff800001000000 t mod_init\t[mod]\n");
		}
		CU_ASSERT_EQUAL_FATAL(csg_machine_set_kernel(guest[i], &options), 0);
		CU_ASSERT_EQUAL(symbols_of(guest[i]) == symbols, i < 2);
	}
	world_end(&w);
}

static void kallsyms_with_hidden_addresses_are_refused_with_the_remedy(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	scratch_text(&w.scratch, "kallsyms",
		     "0000000000000000 T _text\n0000000000000000 T do_thing\n");
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT), "-");
	CU_ASSERT_EQUAL(w.said.error, CSG_E_UNSUPPORTED);
	CU_ASSERT_PTR_NOT_NULL(strstr(w.said.text, "kptr_restrict"));
	world_end(&w);
}

static void the_build_id_cache_has_kernels_of_all_kinds(void)
{
	enum { ELF, OLD_ELF, OLD_KALLSYMS, KCORE, KALLSYMS, KINDS };

	for (int kind = 0; kind < KINDS; kind++) {
		struct world w = {0};
		struct csg_image_options options = {.buildid_dir = scratch_begin(&w.scratch)};
		struct csg_event event =
			map_event(-1, KERNEL_TEXT, 0x10000, "[kernel.kallsyms]_text", id_a, 0);
		bool has_code = kind == ELF || kind == OLD_ELF || kind == KCORE;

		if (kind == ELF || kind == OLD_ELF)
			kernel_vmlinux(&w, kind == ELF ? CACHED_A "/elf" : CACHED_A, id_a);
		else if (kind == OLD_KALLSYMS)
			kernel_kallsyms(&w, CACHED_A, 0);
		else if (kind == KALLSYMS)
			kernel_kallsyms(&w, CACHED_A "/kallsyms", 0);
		else {
			/* The first is of another boot. */
			kernel_kcore_dir(&w,
					 "[kernel.kcore]/"
					 "aabb010203000000000000000000000000000000/20260101",
					 0x4000000);
			kernel_kcore_dir(&w,
					 "[kernel.kcore]/"
					 "aabb010203000000000000000000000000000000/20260102",
					 0);
		}
		world_begin(&w, &options);
		event.map.kernel = true;
		event.map.pgoff = KERNEL_TEXT;
		csg_machine_event(w.machine, &event);
		CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), !has_code	 ? -CSG_E_NO_IMAGE
								 : kind == KCORE ? 'c'
										 : 'k');
		CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "do_thing");
		CU_ASSERT_EQUAL(w.said.count, kind == KCORE);
		world_end(&w);
	}
}

static void a_vmlinux_beside_a_kcore_does_not_give_code(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH], dir[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_vmlinux(&w, "vmlinux", id_a);
	kernel_kcore(&w, "kcore", 0);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	options.kcore = scratch_path(&w.scratch, dir, "kcore");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'c');
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "do_thing");
	world_end(&w);
}

/* Below --guestmount lies what perf looks for there. */
static void a_guests_root_gives_its_kallsyms(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};

	options.root = scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "proc/kallsyms", 0);
	kernel_begin(&w, &options, 0, NULL);
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_TEXT + 0x104), "do_thing");
	CU_ASSERT_STRING_EQUAL(name_at(&w, KERNEL_MODULES + 4), "mod_init");
	world_end(&w);
}

/* perf record --kcore: DIR/kcore_dir, and DIR/kcore_dir__PID for guests. */
static void the_kcore_that_came_with_the_recording_is_used(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "",
					    .recording_dir = scratch_begin(&w.scratch)};
	struct csg_machine *guest, *other;
	const uint8_t *bytes;
	size_t len;

	kernel_kcore_dir(&w, "kcore_dir", 0);
	kernel_kcore_dir(&w, "kcore_dir__4711", 0x200000);
	world_begin(&w, &options);
	csg_image_machine(w.image, 4711, &guest);
	csg_image_machine(w.image, 4712, &other);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), 'c');
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_kernel(guest), KERNEL_TEXT + 0x204000, 0, &bytes,
				       &len, NULL),
			-CSG_E_NO_IMAGE);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_kernel(guest), KERNEL_TEXT + 0x200000, 0, &bytes,
				       &len, NULL),
			0);
	CU_ASSERT_EQUAL(
		csg_space_code(csg_machine_kernel(other), KERNEL_TEXT, 0, &bytes, &len, NULL),
		-CSG_E_NO_IMAGE);
	world_end(&w);
}

static void this_machines_kernel_is_never_used(void)
{
	struct world w = {0};
	struct csg_image_options options = {.buildid_dir = "", .use_paths = true};
	struct csg_event event = map_event(-1, KERNEL_TEXT, UINT64_MAX - KERNEL_TEXT,
					   "[kernel.kallsyms]_text", NULL, 0);

	scratch_begin(&w.scratch);
	world_begin(&w, &options);
	event.map.kernel = true;
	event.map.pgoff = KERNEL_TEXT;
	csg_machine_event(w.machine, &event);
	CU_ASSERT_EQUAL(kernel_byte(&w, KERNEL_TEXT, 0), -CSG_E_NO_IMAGE);
	for (uint64_t addr = KERNEL_TEXT; addr < KERNEL_TEXT + 0x4000000; addr += 0x10000)
		CU_ASSERT_STRING_EQUAL(name_at(&w, addr), "-");
	world_end(&w);
}

CSG_SUITE(image_kernel, kernel_files,
	  CSG_TEST(a_vmlinux_with_another_build_id_is_refused_and_named),
	  CSG_TEST(a_vmlinux_without_symbols_is_placed_by_its_image_header_or_refused),
	  CSG_TEST(a_vmlinux_without_symbols_that_was_not_moved_needs_no_proof),
	  CSG_TEST(a_file_that_the_user_named_and_is_not_there_is_reported),
	  CSG_TEST(a_kcore_of_another_boot_is_refused),
	  CSG_TEST(the_kcore_file_may_be_named_itself),
	  CSG_TEST(kallsyms_of_another_boot_are_moved),
	  CSG_TEST(guests_with_the_same_kallsyms_share_them),
	  CSG_TEST(kallsyms_with_hidden_addresses_are_refused_with_the_remedy),
	  CSG_TEST(the_build_id_cache_has_kernels_of_all_kinds),
	  CSG_TEST(a_vmlinux_beside_a_kcore_does_not_give_code),
	  CSG_TEST(a_guests_root_gives_its_kallsyms),
	  CSG_TEST(the_kcore_that_came_with_the_recording_is_used),
	  CSG_TEST(this_machines_kernel_is_never_used));
