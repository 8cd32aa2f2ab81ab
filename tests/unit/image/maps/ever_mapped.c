/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/maps/ever_mapped.h"

#include "suite.h"

static void what_was_mapped_is_found_in_any_order(void)
{
	static const struct csg_mapped_range ranges[] = {
		{0x9000, 0xa000}, {0x1000, 0x2000}, {0x2000, 0x3000}, {0x5000, 0x8000},
		{0x6000, 0x7000}, {0x1800, 0x2800}, {0x7000, 0x9000}, {0xf000, UINT64_MAX}};
	struct csg_ever_mapped mapped = {0};

	CU_ASSERT_FALSE(csg_ever_mapped_at(&mapped, 0x1000));
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		CU_ASSERT_EQUAL(csg_ever_mapped_add(&mapped, ranges[i].start, ranges[i].end), 0);
		CU_ASSERT(csg_ever_mapped_at(&mapped, ranges[i].start));
		CU_ASSERT(csg_ever_mapped_at(&mapped, ranges[i].end - 1));
	}
	for (uint64_t page = 0; page < 16; page++)
		for (uint64_t at = 0; at < 0x1000; at += 0xfff) {
			const uint64_t addr = (page << 12) + at;
			bool is = false;

			for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
				is |= addr >= ranges[i].start && addr < ranges[i].end;
			CU_ASSERT_EQUAL(csg_ever_mapped_at(&mapped, addr), is);
		}
	csg_ever_mapped_fini(&mapped);
}

static void what_lies_together_is_one_range(void)
{
	struct csg_ever_mapped mapped = {0};

	for (int i = 0; i < 100; i++)
		csg_ever_mapped_add(&mapped, 0x400000, 0x401000);
	csg_ever_mapped_add(&mapped, 0x401000, 0x402000);
	CU_ASSERT_EQUAL(mapped.count, 1);
	csg_ever_mapped_add(&mapped, 0x3ff000, 0x400000);
	CU_ASSERT_EQUAL(mapped.count, 2);
	CU_ASSERT(csg_ever_mapped_at(&mapped, 0x401fff));
	CU_ASSERT_EQUAL(mapped.count, 1);
	csg_ever_mapped_fini(&mapped);
}

CSG_SUITE(image_maps, ever_mapped, CSG_TEST(what_was_mapped_is_found_in_any_order),
	  CSG_TEST(what_lies_together_is_one_range));
