/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/profile_pack.h"

#include <string.h>

#include "csguest/error.h"
#include "fake_lookup.h"
#include "suite.h"

static void open_profile(struct csg_branch_profile *p, const char *object)
{
	char name[CSG_PROFILE_NAME] = "";

	CU_ASSERT_EQUAL_FATAL(csg_branch_profile_init(p, &fake_lookup, 0), 0);
	if (!object)
		return;
	memcpy(name, object, strlen(object));
	CU_ASSERT_EQUAL(csg_keyset_add(&p->objects, name), 0);
}

static int copy(struct csg_branch_profile *to, const struct csg_branch_profile *from)
{
	struct csg_pack pack = {0};
	struct csg_unpack u;
	int err;

	csg_profile_pack(&pack, from);
	u = (struct csg_unpack){.at = pack.bytes, .end = pack.bytes + pack.n};
	err = csg_profile_unpack(&u, to);
	csg_pack_fini(&pack);
	return err;
}

static void counts_of_one_place_add_up(void)
{
	const struct csg_profile_count count = {.count = 3, .from = 0x10, .to = 0x20, .object = 0};
	struct csg_branch_profile from, to;

	open_profile(&from, "host_app.afdo");
	open_profile(&to, "vm1_app.afdo");
	CU_ASSERT_EQUAL(csg_branch_profile_join(&from, false, &count), 0);
	CU_ASSERT_EQUAL(csg_branch_profile_join(&from, true, &count), 0);
	CU_ASSERT_EQUAL(copy(&to, &from), 0);
	CU_ASSERT_EQUAL(copy(&to, &from), 0);
	CU_ASSERT_EQUAL(to.objects.count, 2);
	CU_ASSERT_EQUAL_FATAL(to.keys.count, 2);
	CU_ASSERT_EQUAL(to.counts[0].count, 6);
	CU_ASSERT_EQUAL(to.counts[1].count, 6);
	CU_ASSERT_EQUAL(to.counts[1].object, 1);
	csg_branch_profile_fini(&from);
	csg_branch_profile_fini(&to);
}

static void an_object_is_no_path(void)
{
	static const char *const bad[] = {"../x", "", ".x", "a/b"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct csg_branch_profile from, to;

		open_profile(&from, bad[i]);
		open_profile(&to, NULL);
		CU_ASSERT_EQUAL(copy(&to, &from), -CSG_E_CORRUPT);
		csg_branch_profile_fini(&from);
		csg_branch_profile_fini(&to);
	}
}

CSG_SUITE(shard, profile_pack, CSG_TEST(counts_of_one_place_add_up),
	  CSG_TEST(an_object_is_no_path));
