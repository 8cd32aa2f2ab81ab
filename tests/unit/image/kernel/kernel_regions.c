/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/kernel/kernel_regions.h"

#include <string.h>

#include "csguest/error.h"
#include "image/kernel_maker.h"
#include "suite.h"

/* With KPTI, exceptions from EL0 run in an alias of the kernel's text. */
static void the_trampolines_alias_has_the_kernels_code_and_names(void)
{
	static const uint32_t way_out[] = {
		0x92c0001d, /* movn x29, #0, lsl #32 */
		0xf2bfebfd, /* movk x29, #0xff5f, lsl #16 */
		0xf28c001d, /* movk x29, #0x6000 */
	};
	static struct kcore_maker k;
	struct world w = {0};
	struct csg_kernel_options options = {0};
	struct csg_symbol symbol;
	char path[SCRATCH_PATH];
	const uint8_t *bytes;
	size_t len;

	scratch_begin(&w.scratch);
	kcore_add(&k, KERNEL_TEXT, 0x1000, 'c');
	memcpy(k.bytes + k.segments[0].p_offset + 0x200, way_out, sizeof(way_out));
	kcore_add(&k, KERNEL_TEXT + 0x1000, 0x4000, 't');
	kcore_end(&k);
	scratch_write(&w.scratch, "d/kcore", k.bytes, k.size);
	scratch_text(&w.scratch, "d/kallsyms",
		     "ffff800008000000 T _text\n"
		     "ffff8000080001e0 t ret_to_user\n"
		     "ffff800008001000 T __entry_tramp_text_start\n"
		     "ffff800008001400 t tramp_entry\n"
		     "ffff800008003000 t tramp_exit\n"
		     "ffff800008004000 T __entry_tramp_text_end\n");
	options.kcore = scratch_path(&w.scratch, path, "d");
	kernel_begin(&w, &options, 0, id_a);
	CU_ASSERT_EQUAL(csg_space_code(csg_machine_kernel(w.machine), 0xffffffffff5f4404, 0, &bytes,
				       &len, NULL),
			0);
	CU_ASSERT_EQUAL(bytes[0], 't');
	CU_ASSERT_EQUAL(len, 0x3000 - 0x404);
	csg_space_symbol(csg_machine_kernel(w.machine), 0xffffffffff5f4404, 0, &symbol);
	CU_ASSERT_STRING_EQUAL_FATAL(symbol.name, "tramp_entry");
	CU_ASSERT_EQUAL(symbol.start, 0xffffffffff5f4400);
	CU_ASSERT_EQUAL(symbol.end, 0xffffffffff5f6000);
	CU_ASSERT_STRING_EQUAL(symbol.dso, "[kernel.kallsyms]");
	CU_ASSERT_EQUAL(kernel_byte(&w, 0xffffffffff5f7000, 0), -CSG_E_NO_IMAGE);
	world_end(&w);
}

CSG_SUITE(image_kernel, kernel_regions,
	  CSG_TEST(the_trampolines_alias_has_the_kernels_code_and_names));
