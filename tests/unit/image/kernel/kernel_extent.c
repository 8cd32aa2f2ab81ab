/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "image/kernel/kernel_extent.h"
#include "image/kernel_maker.h"
#include "suite.h"

/* A machine of which no MMAP record reported. */
static struct csg_space *guest_kernel(struct world *w, const struct csg_kernel_options *options)
{
	const struct csg_image_options none = {.buildid_dir = ""};

	world_begin(w, &none);
	CU_ASSERT_EQUAL(csg_image_machine(w->image, 42, &w->machine), 0);
	CU_ASSERT_EQUAL(csg_machine_set_kernel(w->machine, options), 0);
	return csg_machine_kernel(w->machine);
}

static void a_kernel_reaches_from_its_first_symbol_to_its_last(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_kernel_extent extent;
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "kallsyms", 0);
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	CU_ASSERT(csg_space_kernel_extent(guest_kernel(&w, &options), &extent));
	CU_ASSERT_STRING_EQUAL(extent.symbol, "_text");
	CU_ASSERT_EQUAL(extent.address, KERNEL_TEXT);
	CU_ASSERT_EQUAL(extent.start, KERNEL_TEXT);
	/* The last one is as long as its page, and one more: see image/elf/symtab.h. */
	CU_ASSERT(extent.end > KERNEL_TEXT + 0x140 && extent.end <= KERNEL_TEXT + 0x2000);
	world_end(&w);
}

static void symbols_of_the_kernel_tell_its_end(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_kernel_extent extent;
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	scratch_text(&w.scratch, "kallsyms",
		     "ffff800000010000 T _stext\nffff800000010100 T f\nffff800000020000 B _end\n"
		     "ffff800000020000 t mod_f\t[mod]\n");
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	CU_ASSERT(csg_space_kernel_extent(guest_kernel(&w, &options), &extent));
	CU_ASSERT_STRING_EQUAL(extent.symbol, "_stext");
	CU_ASSERT_EQUAL(extent.end, 0xffff800000020000);
	world_end(&w);
}

static void what_the_recording_tells_is_not_reported_again(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_kernel_extent extent;
	char path[SCRATCH_PATH];

	scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "kallsyms", 0);
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT(!csg_space_kernel_extent(csg_machine_kernel(w.machine), &extent));
	CU_ASSERT(!csg_space_kernel_extent(csg_machine_process(w.machine, 1), &extent));
	world_end(&w);
}

static int count(void *arg, uint64_t address, const char *name, const char *module)
{
	(void)name;
	CU_ASSERT((address == KERNEL_MODULES) == (module != NULL));
	return ++*(int *)arg == 3 ? 7 : 0;
}

static void symbols_are_listed_until_it_is_enough(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];
	int n = 0;

	scratch_begin(&w.scratch);
	kernel_vmlinux(&w, "vmlinux", NULL);
	options.vmlinux = scratch_path(&w.scratch, path, "vmlinux");
	CU_ASSERT_EQUAL(csg_space_kernel_symbols(guest_kernel(&w, &options), count, &n), 0);
	CU_ASSERT_EQUAL(n, 2);
	world_end(&w);
	n = 0;
	w = (struct world){0};
	scratch_begin(&w.scratch);
	kernel_kallsyms(&w, "kallsyms", 0);
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	options.vmlinux = NULL;
	CU_ASSERT_EQUAL(csg_space_kernel_symbols(guest_kernel(&w, &options), count, &n), 7);
	CU_ASSERT_EQUAL(n, 3);
	world_end(&w);
}

static void a_name_has_the_address_of_the_kernels_own_symbol(void)
{
	struct world w = {0};
	struct csg_kernel_options options = {0};
	char path[SCRATCH_PATH];
	uint64_t address = 1;
	struct csg_space *kernel;

	scratch_begin(&w.scratch);
	scratch_text(&w.scratch, "kallsyms",
		     "ffff800000000100 t f\t[mod]\nffff800000000200 t g\t[mod]\n"
		     "ffff800000010000 T _stext\nffff800000010100 T f\n");
	options.kallsyms = scratch_path(&w.scratch, path, "kallsyms");
	kernel = guest_kernel(&w, &options);
	CU_ASSERT_EQUAL(csg_space_kernel_address(kernel, "f", &address), 0);
	CU_ASSERT_EQUAL(address, 0xffff800000010100);
	CU_ASSERT_EQUAL(csg_space_kernel_address(kernel, "g", &address), 0);
	CU_ASSERT_EQUAL(address, 0);
	address = 1;
	CU_ASSERT_EQUAL(csg_space_kernel_address(csg_machine_process(w.machine, 1), "f", &address),
			0);
	CU_ASSERT_EQUAL(address, 0);
	world_end(&w);
}

static void nothing_is_reported_without_symbols(void)
{
	struct world w = {0};
	const struct csg_kernel_options options = {0};
	struct csg_kernel_extent extent;
	uint64_t address;

	scratch_begin(&w.scratch);
	CU_ASSERT(!csg_space_kernel_extent(guest_kernel(&w, &options), &extent));
	CU_ASSERT_EQUAL(csg_space_kernel_address(csg_machine_kernel(w.machine), "f", &address), 0);
	CU_ASSERT_EQUAL(address, 0);
	world_end(&w);
}

CSG_SUITE(image_kernel, kernel_extent, CSG_TEST(a_kernel_reaches_from_its_first_symbol_to_its_last),
	  CSG_TEST(symbols_of_the_kernel_tell_its_end),
	  CSG_TEST(what_the_recording_tells_is_not_reported_again),
	  CSG_TEST(symbols_are_listed_until_it_is_enough),
	  CSG_TEST(a_name_has_the_address_of_the_kernels_own_symbol),
	  CSG_TEST(nothing_is_reported_without_symbols));
