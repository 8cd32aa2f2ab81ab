/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/xen_syms.h"

#include <string.h>

#include "image/elf_maker.h"
#include "scratch.h"
#include "suite.h"

static struct scratch s;
static struct csg_xen_syms found;

/* An ELF file whose build ID is 20 times n; none where that is 0. */
static void put(const char *name, uint8_t n)
{
	struct elf_maker m;
	uint8_t id[20];

	memset(id, n, sizeof(id));
	elf_begin_file(&m, 0x200000);
	if (n)
		elf_add_build_id(&m, id);
	elf_end_file(&m, ET_EXEC, EM_AARCH64);
	scratch_write(&s, name, m.bytes, m.size);
}

/* The path of what is found where that Xen runs; "": nothing. */
static const char *find(const char *version, uint8_t n)
{
	uint8_t id[20];
	struct csg_build_id running;

	memset(id, n, sizeof(id));
	running = csg_build_id_make(id, n ? sizeof(id) : 0);
	csg_xen_syms_find(&found, s.dir, version, &running);
	return found.path;
}

static void nothing_is_found_where_there_is_none(void)
{
	scratch_begin(&s);
	CU_ASSERT_STRING_EQUAL(find("4.17", 5), "");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_NONE);
	scratch_write(&s, "boot/xen-syms-4.17.map", "0000000000200000 t start\n", 25);
	scratch_write(&s, "boot/xen-syms-4.17", "", 0);
	put("boot/xen-4.17", 5);
	CU_ASSERT_STRING_EQUAL(find("4.17", 5), "");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_NONE);
	scratch_end(&s);
}

static void the_build_id_tells_which_it_is(void)
{
	scratch_begin(&s);
	put("boot/xen-syms-4.17-arm64", 4);
	CU_ASSERT_STRING_EQUAL(find("4.17", 5), "/boot/xen-syms-4.17-arm64");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_OTHER);
	put("usr/lib/debug/boot/xen-syms-4.16", 5);
	CU_ASSERT_STRING_EQUAL(find("4.17", 5), "/usr/lib/debug/boot/xen-syms-4.16");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_SAME);
	put("usr/lib/debug/xen-syms", 6);
	CU_ASSERT_STRING_EQUAL(find("4.17", 6), "/usr/lib/debug/xen-syms");
	put("usr/lib/debug/.build-id/07/07070707070707070707070707070707070707.debug", 7);
	CU_ASSERT_STRING_EQUAL(
		find("4.17", 7),
		"/usr/lib/debug/.build-id/07/07070707070707070707070707070707070707.debug");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_SAME);
	scratch_end(&s);
}

static void a_file_without_build_id_is_anothers(void)
{
	scratch_begin(&s);
	put("boot/xen-syms", 0);
	CU_ASSERT_STRING_EQUAL(find("4.17", 5), "/boot/xen-syms");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_OTHER);
	scratch_end(&s);
}

static void where_build_ids_do_not_tell_the_version_does(void)
{
	scratch_begin(&s);
	put("boot/xen-syms-4.1", 3);
	put("boot/xen-syms-4.17", 4);
	put("boot/xen-syms-4.18", 5);
	CU_ASSERT_STRING_EQUAL(find("4.17", 0), "/boot/xen-syms-4.17");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_UNCHECKED);
	CU_ASSERT_STRING_EQUAL(find("4.1", 0), "/boot/xen-syms-4.1");
	CU_ASSERT_STRING_EQUAL(find("", 0), "/boot/xen-syms-4.18");
	CU_ASSERT_STRING_EQUAL(find("4.17", 9), "/boot/xen-syms-4.17");
	CU_ASSERT_EQUAL(found.is, CSG_XEN_SYMS_OTHER);
	scratch_end(&s);
}

CSG_SUITE(collect, xen_syms, CSG_TEST(nothing_is_found_where_there_is_none),
	  CSG_TEST(the_build_id_tells_which_it_is), CSG_TEST(a_file_without_build_id_is_anothers),
	  CSG_TEST(where_build_ids_do_not_tell_the_version_does));
