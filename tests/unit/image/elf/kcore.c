/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/kcore.h"

#include "csguest/error.h"
#include "image/kcore_maker.h"
#include "scratch.h"
#include "suite.h"

static struct kcore_maker k;

static void make(void)
{
	memset(&k, 0, sizeof(k));
	kcore_add(&k, 0xffff800000000000, 0x4000, 'v');
	kcore_add(&k, 0xffff800000001000, 0x1000, 't');
	kcore_end(&k);
}

static void of_segments_over_each_other_the_smallest_is_meant(void)
{
	struct csg_kcore kcore;
	char path[SCRATCH_PATH];
	struct scratch s;

	scratch_begin(&s);
	make();
	scratch_write(&s, "kcore", k.bytes, k.size);
	CU_ASSERT_EQUAL_FATAL(csg_kcore_open(&kcore, scratch_path(&s, path, "kcore")), 0);
	CU_ASSERT_EQUAL(csg_kcore_find(&kcore, 0xffff800000000fff)->bytes[0], 'v');
	CU_ASSERT_EQUAL(csg_kcore_find(&kcore, 0xffff800000001000)->bytes[0], 't');
	CU_ASSERT_EQUAL(csg_kcore_find(&kcore, 0xffff800000002000)->bytes[0], 'v');
	CU_ASSERT_PTR_NULL(csg_kcore_find(&kcore, 0xffff800000004000));
	csg_kcore_close(&kcore);
	scratch_end(&s);
}

static void a_copy_cut_short_has_what_it_has(void)
{
	struct csg_kcore kcore;
	char path[SCRATCH_PATH];
	struct scratch s;

	scratch_begin(&s);
	make();
	scratch_path(&s, path, "kcore");
	scratch_write(&s, "kcore", k.bytes, k.size - 0x1800);
	CU_ASSERT_EQUAL_FATAL(csg_kcore_open(&kcore, path), 0);
	CU_ASSERT_EQUAL(kcore.count, 1);
	CU_ASSERT_EQUAL(kcore.segments[0].size, 0x3800);
	csg_kcore_close(&kcore);
	scratch_write(&s, "kcore", k.bytes, sizeof(Elf64_Ehdr) + sizeof(k.segments));
	CU_ASSERT_EQUAL(csg_kcore_open(&kcore, path), -CSG_E_CORRUPT);
	scratch_text(&s, "kcore", "no ELF");
	CU_ASSERT_EQUAL(csg_kcore_open(&kcore, path), -CSG_E_BAD_MAGIC);
	CU_ASSERT_EQUAL(csg_kcore_open(&kcore, scratch_path(&s, path, "none")), -CSG_E_NOT_FOUND);
	scratch_end(&s);
}

static void a_segment_at_the_end_of_the_world_does_not_wrap(void)
{
	struct csg_kcore kcore;
	char path[SCRATCH_PATH];
	struct scratch s;

	scratch_begin(&s);
	memset(&k, 0, sizeof(k));
	kcore_add(&k, UINT64_MAX - 0xff, 0x1000, 'e');
	kcore_end(&k);
	scratch_write(&s, "kcore", k.bytes, k.size);
	CU_ASSERT_EQUAL_FATAL(csg_kcore_open(&kcore, scratch_path(&s, path, "kcore")), 0);
	CU_ASSERT_PTR_NULL(csg_kcore_find(&kcore, 0));
	CU_ASSERT_PTR_NOT_NULL(csg_kcore_find(&kcore, UINT64_MAX - 1));
	csg_kcore_close(&kcore);
	scratch_end(&s);
}

CSG_SUITE(image_elf, kcore, CSG_TEST(of_segments_over_each_other_the_smallest_is_meant),
	  CSG_TEST(a_copy_cut_short_has_what_it_has),
	  CSG_TEST(a_segment_at_the_end_of_the_world_does_not_wrap));
