/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/model.h"
#include "suite.h"

static void the_usual_unit_has_the_registers_of_a_neoverse_n1(void)
{
	struct csg_enc_registers r;
	struct csg_enc_model m;

	csg_enc_model_init(&m, false);
	csg_enc_model_registers(&m, &r);
	/* as perf recorded them on N1SDP, but for CCSIZE and the revision */
	CU_ASSERT_EQUAL(r.configr, 0x8881);
	CU_ASSERT_EQUAL(r.idr0, 0x28000ea1);
	CU_ASSERT_EQUAL(r.idr1 & ~0xfu, 0x4100f420);
	CU_ASSERT_EQUAL(r.idr2 & ~(0xfu << 25), 0x20001088);
	CU_ASSERT_EQUAL(r.idr8, 0);
	CU_ASSERT_EQUAL(r.authstatus, 0xcc);
}

static void every_choice_has_its_bit(void)
{
	struct csg_enc_registers r;
	struct csg_enc_model m;

	csg_enc_model_init(&m, true);
	m.minor = 3;
	m.return_stack = m.branch_broadcast = m.cycle_counts = m.context_id = m.q_elements = true;
	m.marker = m.wfx_p0 = true;
	m.transaction_p0 = m.commit_mode1 = false;
	m.virt = CSG_ENC_VIRTUAL_VMID;
	m.clock = CSG_ENC_CLOCK_NONE;
	m.max_spec = 78;
	csg_enc_model_registers(&m, &r);
	CU_ASSERT_EQUAL(r.configr, 1 | 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 12 | 3 << 13);
	CU_ASSERT_EQUAL(r.idr0 & 0x60818000u, 0x40818000u);
	CU_ASSERT_EQUAL(r.idr2 >> 31, 1);
	CU_ASSERT_EQUAL(r.idr8, 78);
	CU_ASSERT_EQUAL(r.devarch, 0x47735a13);
	CU_ASSERT_EQUAL(r.idr1 >> 8 & 0xf, 0xf);
}

CSG_SUITE(encoder, model, CSG_TEST(the_usual_unit_has_the_registers_of_a_neoverse_n1),
	  CSG_TEST(every_choice_has_its_bit));
