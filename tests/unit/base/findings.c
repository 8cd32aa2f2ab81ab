/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/findings.h"

#include <string.h>

#include "suite.h"

static void the_first_of_each_kind_has_its_place(void)
{
	struct csg_findings f = {0};
	const struct csg_assumption_info *vmid = &f.of[CSG_ASSUMPTION_VMID];
	struct csg_assumption_place *place = csg_findings_add(&f, CSG_ASSUMPTION_VMID, true, 3);

	CU_ASSERT_PTR_EQUAL_FATAL(place, &vmid->confirmed_at);
	CU_ASSERT_EQUAL(place->cpu, -1);
	CU_ASSERT_EQUAL(place->index, CSG_NO_PLACE);
	place->index = 7;
	CU_ASSERT_PTR_NULL(csg_findings_add(&f, CSG_ASSUMPTION_VMID, true, 1));
	CU_ASSERT_PTR_EQUAL(csg_findings_add(&f, CSG_ASSUMPTION_VMID, false, 2),
			    &vmid->contradicted_at);
	CU_ASSERT_EQUAL(vmid->confirmed, 4);
	CU_ASSERT_EQUAL(vmid->contradicted, 2);
	CU_ASSERT_EQUAL(vmid->confirmed_at.index, 7);
	CU_ASSERT_EQUAL(f.of[CSG_ASSUMPTION_ENTRY_ERET].confirmed, 0);
}

static void nothing_is_found_no_times(void)
{
	struct csg_findings f = {0};

	CU_ASSERT_PTR_NULL(csg_findings_add(&f, CSG_ASSUMPTION_VMID, true, 0));
	CU_ASSERT_EQUAL(f.of[CSG_ASSUMPTION_VMID].confirmed, 0);
	csg_found(NULL, CSG_ASSUMPTION_VMID, true, 1);
	csg_found(&(struct csg_finder){0}, CSG_ASSUMPTION_VMID, true, 1);
}

static void each_has_a_key_and_a_text(void)
{
	for (int i = 0; i < CSG_ASSUMPTION_COUNT; i++) {
		CU_ASSERT(strlen(csg_assumption_key((enum csg_assumption)i)) > 3);
		CU_ASSERT(strlen(csg_assumption_text((enum csg_assumption)i)) > 10);
	}
	CU_ASSERT_STRING_EQUAL(csg_assumption_key(CSG_ASSUMPTION_EXIT_VECTORS), "exit-vectors");
	CU_ASSERT_STRING_EQUAL(csg_assumption_key((enum csg_assumption) - 1), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_assumption_text(CSG_ASSUMPTION_COUNT), "invalid");
}

CSG_SUITE(base, findings, CSG_TEST(the_first_of_each_kind_has_its_place),
	  CSG_TEST(nothing_is_found_no_times), CSG_TEST(each_has_a_key_and_a_text));
