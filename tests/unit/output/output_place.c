/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remove_tree.h"
#include "suite.h"

static char dir[64], path[128];

static void begin(void)
{
	strcpy(dir, "/tmp/csguest-place-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
}

static void end(void)
{
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

static const char *in_dir(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* Whether the place is name in that directory. */
static bool is_at(const struct csg_output_place *place, const char *parent, const char *name)
{
	struct stat a, b;

	return !stat(parent, &a) && !fstat(place->dir, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino && !strcmp(place->name, name);
}

static void links_are_followed_to_what_need_not_exist(void)
{
	struct csg_output_place place;

	begin();
	CU_ASSERT_EQUAL(mkdir(in_dir("sub"), 0700), 0);
	CU_ASSERT_EQUAL(symlink("sub/second", in_dir("first")), 0);
	CU_ASSERT_EQUAL(symlink("../out", in_dir("sub/second")), 0);
	CU_ASSERT_EQUAL(csg_output_place_find(&place, in_dir("first")), 0);
	CU_ASSERT(is_at(&place, dir, "out"));
	CU_ASSERT(!place.exists && !place.direct && place.own == -1);
	csg_output_place_fini(&place);
	CU_ASSERT_EQUAL(place.dir, -1);
	close(open(in_dir("out"), O_CREAT | O_WRONLY, 0600));
	CU_ASSERT_EQUAL(csg_output_place_find(&place, in_dir("first")), 0);
	CU_ASSERT(is_at(&place, dir, "out"));
	CU_ASSERT(place.exists && S_ISREG(place.st.st_mode) && !place.direct);
	csg_output_place_fini(&place);
	end();
}

static void a_name_alone_is_in_the_working_directory(void)
{
	struct csg_output_place place;

	CU_ASSERT_EQUAL(csg_output_place_find(&place, "no-such-file-here"), 0);
	CU_ASSERT(is_at(&place, ".", "no-such-file-here"));
	csg_output_place_fini(&place);
	CU_ASSERT_EQUAL(csg_output_place_find(&place, "/no-such-file-here"), 0);
	CU_ASSERT(is_at(&place, "/", "no-such-file-here"));
	csg_output_place_fini(&place);
}

static void what_leads_nowhere_is_an_error(void)
{
	struct csg_output_place place;

	begin();
	CU_ASSERT_EQUAL(symlink("loop", in_dir("loop")), 0);
	CU_ASSERT_EQUAL(csg_output_place_find(&place, path), ELOOP);
	csg_output_place_fini(&place);
	CU_ASSERT_EQUAL(csg_output_place_find(&place, in_dir("none/out")), ENOENT);
	csg_output_place_fini(&place);
	end();
}

static void an_open_file_is_written_directly(void)
{
	struct csg_output_place place;
	char name[32];
	int fd;

	begin();
	fd = open(in_dir("out"), O_CREAT | O_WRONLY, 0600);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	CU_ASSERT_EQUAL(csg_output_place_find(&place, name), 0);
	CU_ASSERT(place.direct);
	CU_ASSERT_EQUAL(place.own, fd);
	csg_output_place_fini(&place);
	close(fd);
	CU_ASSERT_EQUAL(csg_output_place_find(&place, "/dev/null"), 0);
	CU_ASSERT(place.direct && place.own == -1);
	csg_output_place_fini(&place);
	end();
}

CSG_SUITE(output, output_place, CSG_TEST(links_are_followed_to_what_need_not_exist),
	  CSG_TEST(a_name_alone_is_in_the_working_directory),
	  CSG_TEST(what_leads_nowhere_is_an_error), CSG_TEST(an_open_file_is_written_directly));
