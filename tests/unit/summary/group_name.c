/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "summary/group_name.h"

static void is_called(struct csg_group group, const char *want)
{
	char buf[64];

	CU_ASSERT_STRING_EQUAL(csg_group_name(&group, buf, sizeof(buf)), want);
}

static void a_vm_has_its_name_and_its_number(void)
{
	is_called((struct csg_group){.kind = CSG_GROUP_VM, .vm = 7}, "VM 7");
	is_called((struct csg_group){.kind = CSG_GROUP_VM, .vm = 7, .name = "web"}, "web (VM 7)");
	is_called((struct csg_group){.kind = CSG_GROUP_VM, .vm = CSG_VM_UNKNOWN}, "VM unknown");
}

static void what_is_no_vm_says_what_it_is(void)
{
	is_called((struct csg_group){.kind = CSG_GROUP_IDLE}, "host, idle");
	is_called((struct csg_group){.kind = CSG_GROUP_LOST, .gap = CSG_GAP_TRACE_ON},
		  "not traced");
	is_called((struct csg_group){.kind = CSG_GROUP_LOST, .gap = CSG_GAP_OVERFLOW},
		  "lost: overflow");
}

CSG_SUITE(summary, group_name, CSG_TEST(a_vm_has_its_name_and_its_number),
	  CSG_TEST(what_is_no_vm_says_what_it_is));
