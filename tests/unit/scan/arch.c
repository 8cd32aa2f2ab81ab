/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/arch.h"

#include "suite.h"

static void an_etm_has_the_version_of_trcidr1(void)
{
	const struct csg_source source = {
		.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f42a, .trcdevarch = 0x47735a13};

	CU_ASSERT_EQUAL(csg_arch_version(&source), 0x42);
}

static void an_ete_has_the_version_of_trcdevarch(void)
{
	const struct csg_source source = {
		.protocol = CSG_PROTOCOL_ETE, .trcidr1 = 0x4100fff3, .trcdevarch = 0x47735a13};

	CU_ASSERT_EQUAL(csg_arch_version(&source), 0x53);
}

static void profile_m_is_known_by_the_recording_or_the_name_of_the_core(void)
{
	const struct csg_source nameless = {0}, stated = {.cortex_m = true},
				a = {.core_type = "Cortex-A53"}, v7 = {.core_type = "Cortex-M7"};

	CU_ASSERT_FALSE(csg_arch_is_m(&nameless));
	CU_ASSERT_FALSE(csg_arch_is_m(&a));
	CU_ASSERT_TRUE(csg_arch_is_m(&stated));
	CU_ASSERT_TRUE(csg_arch_is_m(&v7));
	CU_ASSERT_FALSE(csg_arch_is_v8m(&v7));
}

static void v8m_is_known_by_its_names(void)
{
	const struct csg_source m33 = {.core_type = "Cortex-M33"},
				any = {.core_type = "ARMv8-M", .cortex_m = true},
				no_m = {.core_type = "ARMv8-M"};

	CU_ASSERT_TRUE(csg_arch_is_v8m(&m33));
	CU_ASSERT_TRUE(csg_arch_is_v8m(&any));
	CU_ASSERT_FALSE(csg_arch_is_v8m(&no_m));
}

CSG_SUITE(scan, arch, CSG_TEST(an_etm_has_the_version_of_trcidr1),
	  CSG_TEST(an_ete_has_the_version_of_trcdevarch),
	  CSG_TEST(profile_m_is_known_by_the_recording_or_the_name_of_the_core),
	  CSG_TEST(v8m_is_known_by_its_names));
