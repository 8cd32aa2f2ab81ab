/* SPDX-License-Identifier: BSD-3-Clause */
#include "image/elf/find_file.h"

#include <string.h>

#include "scratch.h"
#include "suite.h"

static const struct csg_build_id id = {{0xab, 0xcd, 0xef}, 20};

/* Everything tried, in order, one per line. */
static const char *all(const struct csg_places *places, const char *path,
		       const struct csg_build_id *build_id, bool debug)
{
	static char text[8 * CSG_PATH_MAX];
	char one[CSG_PATH_MAX];

	text[0] = 0;
	for (size_t i = 0; debug ? csg_find_debug(places, i, path, build_id, "x.debug", one)
				 : csg_find_code(places, i, path, build_id, one);
	     i++)
		if (one[0])
			strcat(strcat(text, one), "\n");
	return text;
}

static void code_is_looked_for_in_the_cache_then_below_roots_then_here(void)
{
	struct csg_places places = {
		.buildid_dir = "/c", .root = "/g", .symfs = "/s", .use_paths = true};
	struct csg_build_id none = {0};

	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x", &id, false),
			       "/c/.build-id/ab/cdef0000000000000000000000000000000000/elf\n"
			       "/g/bin/x\n/s/bin/x\n/bin/x\n");
	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x", &none, false), "/g/bin/x\n/s/bin/x\n");
	CU_ASSERT_STRING_EQUAL(all(&places, "[vdso]", &id, false),
			       "/c/.build-id/ab/cdef0000000000000000000000000000000000/vdso\n");
	places.use_paths = false;
	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x (deleted)", &none, false),
			       "/g/bin/x\n/s/bin/x\n");
}

static void the_old_caches_link_is_the_file(void)
{
	struct csg_places places = {0};
	char path[CSG_PATH_MAX];
	struct scratch s;

	places.buildid_dir = scratch_begin(&s);
	scratch_text(&s, ".build-id/ab/cdef0000000000000000000000000000000000", "x");
	CU_ASSERT_TRUE(csg_find_cached(&places, &id, "elf", path));
	CU_ASSERT_PTR_NULL(strstr(path, "/elf"));
	scratch_end(&s);
}

static void debug_files_are_looked_for_by_build_id_and_link(void)
{
	struct csg_places places = {.symfs = "/s"};
	struct csg_build_id none = {0};

	CU_ASSERT_STRING_EQUAL(
		all(&places, "/bin/x", &id, true),
		"/s/usr/lib/debug/.build-id/ab/cdef0000000000000000000000000000000000.debug\n"
		"/s/bin/x.debug\n/s/bin/.debug/x.debug\n/s/usr/lib/debug/bin/x.debug\n");
	places.symfs = NULL;
	places.use_paths = true;
	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x", &none, true), "");
}

static void below_the_hosts_root_a_guests_file_needs_a_build_id(void)
{
	struct csg_places places = {.root = "/g", .symfs = "/s", .symfs_is_hosts = true};
	struct csg_build_id none = {0};

	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x", &none, false), "/g/bin/x\n");
	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x", &id, false), "/g/bin/x\n/s/bin/x\n");
	places.root = NULL;
	CU_ASSERT_STRING_EQUAL(all(&places, "/bin/x", &none, true), "");
}

static void a_path_too_long_is_not_tried(void)
{
	static char path[2 * CSG_PATH_MAX];
	struct csg_places places = {.symfs = "/s"};

	memset(path, 'a', sizeof(path) - 1);
	path[0] = '/';
	CU_ASSERT_STRING_EQUAL(all(&places, path, &id, false), "");
}

CSG_SUITE(image_elf, find_file,
	  CSG_TEST(code_is_looked_for_in_the_cache_then_below_roots_then_here),
	  CSG_TEST(the_old_caches_link_is_the_file),
	  CSG_TEST(debug_files_are_looked_for_by_build_id_and_link),
	  CSG_TEST(below_the_hosts_root_a_guests_file_needs_a_build_id),
	  CSG_TEST(a_path_too_long_is_not_tried));
