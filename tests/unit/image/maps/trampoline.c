/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/trampoline.h"

#include "suite.h"

static void it_is_where_the_kernels_way_out_jumps(void)
{
	/* ret_to_user of Debian's Linux 6.12. */
	static const uint32_t code[] = {
		0x910003de, /* add x30, x30, #0 */
		0xd53cd05d, /* mrs x29, tpidr_el2 */
		0xf87d6bde, /* ldr x30, [x30, x29] */
		0x92c0001d, /* movn x29, #0, lsl #32 */
		0xf2bfebfd, /* movk x29, #0xff5f, lsl #16 */
		0xf28c001d, /* movk x29, #0x6000 */
		0xd518c01e, /* msr vbar_el1, x30 */
	};
	struct csg_trampoline_symbols symbols = {.start = 0xffff800081ce1000,
						 .exit = 0xffff800081ce3000};
	struct csg_trampoline t;

	CU_ASSERT_TRUE_FATAL(
		csg_trampoline_find(&t, &symbols, (const uint8_t *)code, sizeof(code)));
	CU_ASSERT_EQUAL(t.alias, 0xffffffffff5f4000);
	CU_ASSERT_EQUAL(t.text, 0xffff800081ce1000);
	CU_ASSERT_EQUAL(t.size, 0x3000);
	CU_ASSERT_EQUAL(csg_trampoline_text(&t, 0xffffffffff5f4404), 0xffff800081ce1404);
	CU_ASSERT_EQUAL(csg_trampoline_text(&t, 0xffffffffff5f6fff), 0xffff800081ce3fff);
	CU_ASSERT_EQUAL(csg_trampoline_text(&t, 0xffffffffff5f7000), 0xffffffffff5f7000);
	CU_ASSERT_EQUAL(csg_trampoline_text(&t, 0xffffffffff5f3fff), 0xffffffffff5f3fff);
}

static void older_kernels_build_the_trampolines_own_address(void)
{
	static const uint32_t code[] = {
		0xd2800003, /* movz x3, #0 */
		0x92a0141e, /* movn x30, #0xa0, lsl #16 */
		0xf287fffe, /* movk x30, #0x3fff: of another register below */
		0xf280001e, /* movk x30, #0 */
		0xf2800003, /* movk x3, #0 */
	};
	struct csg_trampoline_symbols symbols = {.start = 0xffff800081ce1000,
						 .exit_native = 0xffff800081ce1800};
	struct csg_trampoline t;

	CU_ASSERT_TRUE_FATAL(
		csg_trampoline_find(&t, &symbols, (const uint8_t *)code, sizeof(code)));
	CU_ASSERT_EQUAL(t.alias, 0xffffffffff5f0000);
	CU_ASSERT_EQUAL(t.size, 0x1000);
}

static void without_symbols_or_a_jump_there_is_none(void)
{
	static const uint32_t jump[] = {0x92c0001d, 0xf2bfebfd, 0xf28c001d};
	static const uint32_t other[] = {0xd503201f, 0xd2800003, 0xf2a00003, 0xd65f03c0};
	struct csg_trampoline_symbols none = {0}, far = {.start = 0x1000, .exit = 0x10000000},
				      good = {.start = 0xffff800081ce1000,
					      .exit = 0xffff800081ce3000};
	struct csg_trampoline t;

	CU_ASSERT_FALSE(csg_trampoline_find(&t, &none, (const uint8_t *)jump, sizeof(jump)));
	CU_ASSERT_FALSE(csg_trampoline_find(&t, &far, (const uint8_t *)jump, sizeof(jump)));
	CU_ASSERT_FALSE(csg_trampoline_find(&t, &good, (const uint8_t *)other, sizeof(other)));
	/* Cut before the last MOVK it is another, unaligned, address. */
	CU_ASSERT_FALSE(csg_trampoline_find(&t, &good, (const uint8_t *)jump, 8));
	CU_ASSERT_FALSE(csg_trampoline_find(&t, &good, NULL, 0));
	CU_ASSERT_EQUAL(csg_trampoline_text(&t, 0), 0);
}

CSG_SUITE(image_maps, trampoline, CSG_TEST(it_is_where_the_kernels_way_out_jumps),
	  CSG_TEST(older_kernels_build_the_trampolines_own_address),
	  CSG_TEST(without_symbols_or_a_jump_there_is_none));
