/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/trace_unit.h"
#include "suite.h"

static void trcconfigr_says_what_the_virtual_context_is(void)
{
	struct csg_trace_unit unit = {.trcconfigr = 1u << 15};

	CU_ASSERT_EQUAL(csg_trace_unit_vctx(&unit), CSG_VCTX_NONE);
	unit.trcconfigr = 1u << 7;
	CU_ASSERT_EQUAL(csg_trace_unit_vctx(&unit), CSG_VCTX_VMID);
	unit.trcconfigr = 1u << 7 | 1u << 15;
	CU_ASSERT_EQUAL(csg_trace_unit_vctx(&unit), CSG_VCTX_CONTEXTIDR_EL2);
}

CSG_SUITE(base, trace_unit, CSG_TEST(trcconfigr_says_what_the_virtual_context_is));
