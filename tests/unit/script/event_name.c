/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/event_name.h"

#include "suite.h"

static const char *named(bool k, bool u, bool h, bool host, bool guest)
{
	static char name[CSG_EVENT_NAME_MAX];

	csg_event_name(name, "branches", k, u, h, host, guest);
	return name;
}

static void events_carry_perfs_modifiers(void)
{
	CU_ASSERT_STRING_EQUAL(named(true, false, true, false, true), "branches:uH");
	CU_ASSERT_STRING_EQUAL(named(true, false, true, false, false), "branches:u");
	CU_ASSERT_STRING_EQUAL(named(false, false, false, false, false), "branches:HG");
	CU_ASSERT_STRING_EQUAL(named(false, false, false, false, true), "branches");
	CU_ASSERT_STRING_EQUAL(named(false, true, false, false, false), "branches:kh");
	CU_ASSERT_STRING_EQUAL(named(false, false, false, true, false), "branches:G");
}

CSG_SUITE(script, event_name, CSG_TEST(events_carry_perfs_modifiers));
