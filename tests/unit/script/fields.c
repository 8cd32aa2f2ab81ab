/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/fields.h"

#include <string.h>

#include "csguest/error.h"
#include "suite.h"

#define BIT(field) (1u << CSG_FIELD_##field)

static char why[200];

static struct csg_fields parsed(const char *text)
{
	struct csg_fields fields;

	csg_fields_default(&fields);
	CU_ASSERT_EQUAL(csg_fields_parse(&fields, text, why, sizeof(why)), 0);
	return fields;
}

static int refused(const char *text, const char *word)
{
	struct csg_fields fields;

	csg_fields_default(&fields);
	why[0] = 0;
	return csg_fields_parse(&fields, text, why, sizeof(why)) == -CSG_E_USAGE &&
	       strstr(why, word);
}

static void a_list_replaces_the_default(void)
{
	struct csg_fields fields = parsed("comm,ip,world");

	CU_ASSERT_EQUAL(fields.set, BIT(COMM) | BIT(IP) | BIT(WORLD));
	CU_ASSERT(fields.chosen);
}

static void signs_change_the_default(void)
{
	struct csg_fields all, fields = parsed("+flags,-dso");

	csg_fields_default(&all);
	CU_ASSERT_EQUAL(fields.set, (all.set | BIT(FLAGS)) & ~BIT(DSO));
	CU_ASSERT(fields.chosen);
	CU_ASSERT(fields.asked & BIT(FLAGS));
	CU_ASSERT_FALSE(fields.asked & BIT(COMM));
}

static void our_own_fields_leave_perfs_as_they_are(void)
{
	struct csg_fields fields = parsed("-world,-el,+evidence,+hosttid");

	CU_ASSERT_FALSE(fields.chosen);
	CU_ASSERT_FALSE(fields.set & (BIT(WORLD) | BIT(EL)));
	CU_ASSERT(fields.set & BIT(EVIDENCE));
	CU_ASSERT(parsed("+witness").set & BIT(EVIDENCE));
	CU_ASSERT_FALSE(parsed("+flags").chosen);
	CU_ASSERT(parsed("+pid").chosen);
}

static void lists_and_signs_do_not_mix(void)
{
	CU_ASSERT(refused("comm,+ip", "mixed"));
	CU_ASSERT(refused("+ip,comm", "mixed"));
}

static void several_options_add_up(void)
{
	struct csg_fields fields;

	csg_fields_default(&fields);
	CU_ASSERT_EQUAL(csg_fields_parse(&fields, "ip,sym", why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(csg_fields_parse(&fields, "+flags", why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(fields.set, BIT(IP) | BIT(SYM) | BIT(FLAGS));
}

static void only_hardware_events_are_listed(void)
{
	struct csg_fields all, fields = parsed("sw:comm");

	csg_fields_default(&all);
	CU_ASSERT_EQUAL(fields.set, all.set);
	CU_ASSERT_EQUAL(parsed("hw:ip").set, BIT(IP));
	CU_ASSERT(refused("xx:ip", "type"));
	CU_ASSERT(refused(":ip", "type"));
}

static void unknown_and_absent_fields_are_refused_by_name(void)
{
	CU_ASSERT(refused("nonsense", "no field 'nonsense'"));
	CU_ASSERT(refused("ip,symbl", "no field 'symbl'; did you mean 'sym'?"));
	CU_ASSERT(refused("+brstackdisasm", "not there for CoreSight"));
	CU_ASSERT(refused("ip,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "no field"));
	CU_ASSERT(refused("", "no field"));
	CU_ASSERT(refused("+", "no field"));
}

static void fields_that_need_others_say_so(void)
{
	CU_ASSERT(refused("ip,symoff", "needs 'sym'"));
	CU_ASSERT(refused("sym,srcline", "needs 'ip'"));
	CU_ASSERT(refused("-comm,-tid,-cpu,-time,-period,-event,-ip,-sym,-symoff,-dso,-world,-el",
			  "left to print"));
	CU_ASSERT(parsed("-sym").set & BIT(SYMOFF));
}

CSG_SUITE(script, fields, CSG_TEST(a_list_replaces_the_default), CSG_TEST(signs_change_the_default),
	  CSG_TEST(our_own_fields_leave_perfs_as_they_are), CSG_TEST(lists_and_signs_do_not_mix),
	  CSG_TEST(several_options_add_up), CSG_TEST(only_hardware_events_are_listed),
	  CSG_TEST(unknown_and_absent_fields_are_refused_by_name),
	  CSG_TEST(fields_that_need_others_say_so));
