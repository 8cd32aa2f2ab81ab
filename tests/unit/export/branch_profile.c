/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/error.h"
#include "fake_calls.h"
#include "export/branch_profile.h"

static char text[4096];

/* As fake_lookup's, with addresses in the file that are lower by 0x1000. */
static void symbol(void *arg, struct csg_space *space, uint64_t addr, uint64_t time,
		   struct csg_symbol *s)
{
	fake_symbol(arg, space, addr, time, s);
	s->dso_offset = addr - 0x1000;
}

static const char *file(const char *dir, const char *name)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	unlink(path);
	return text;
}

static void ranges_and_branches_of_each_object_are_counted(void)
{
	const struct csg_batch batch = {.elements = fake_call_trace,
					.time = 10,
					.n = sizeof(fake_call_trace) / sizeof(*fake_call_trace)};
	struct csg_lookup lookup = fake_lookup;
	struct csg_branch_profile p;
	char dir[] = "/tmp/csguest-profile-XXXXXX";
	struct csg_output_dir into;

	lookup.symbol = symbol;
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	CU_ASSERT_EQUAL(csg_branch_profile_init(&p, &lookup, 1), 0);
	CU_ASSERT_EQUAL(csg_branch_profile_add(&p, &batch), 0);
	CU_ASSERT_EQUAL(csg_branch_profile_add(&p, &batch), 0);
	CU_ASSERT_EQUAL_FATAL(csg_output_dir_open(&into, dir, NULL), 0);
	CU_ASSERT_EQUAL(csg_branch_profile_write(&p, &into), 0);
	CU_ASSERT_EQUAL(csg_output_dir_commit(&into), 0);
	/* An exception ends no branch, and the first range of a batch follows none. */
	CU_ASSERT_STRING_EQUAL(file(dir, "host_app.afdo"),
			       "6\n10-1c:2\n20-44:2\n48-48:2\n100-104:2\n100-114:2\n108-108:2\n"
			       "0\n"
			       "4\n1c->100:2\n44->100:2\n108->48:2\n114->20:2\n");
	CU_ASSERT_STRING_EQUAL(file(dir, "vm42_guest.afdo"), "1\n1000-1010:2\n0\n0\n");
	file(dir, "host_[kernel.kallsyms].afdo");
	csg_branch_profile_fini(&p);
	CU_ASSERT_EQUAL(rmdir(dir), 0);
}

CSG_SUITE(export, branch_profile, CSG_TEST(ranges_and_branches_of_each_object_are_counted));
