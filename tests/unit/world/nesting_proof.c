/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/hypervisor.h"

#include "suite.h"

static bool is_ruled_out(const char *release, const char *cpuid)
{
	return !csg_host_may_nest(release, cpuid);
}

static void kernels_before_6_16_have_no_guests_of_guests(void)
{
	CU_ASSERT_TRUE(is_ruled_out("6.12.95+deb12-arm64", NULL));
	CU_ASSERT_TRUE(is_ruled_out("6.15.0", NULL));
	CU_ASSERT_TRUE(is_ruled_out("5.18.0-rc4+", NULL));
	CU_ASSERT_FALSE(is_ruled_out("6.16.0-rc1", NULL));
	CU_ASSERT_FALSE(is_ruled_out("6.100.2", NULL));
	CU_ASSERT_FALSE(is_ruled_out("7.3.4+deb13-arm64", NULL));
}

static void a_release_that_shows_no_number_or_has_later_code_rules_out_nothing(void)
{
	CU_ASSERT_FALSE(is_ruled_out("", NULL));
	CU_ASSERT_FALSE(is_ruled_out("6", NULL));
	CU_ASSERT_FALSE(is_ruled_out("6.x", NULL));
	CU_ASSERT_FALSE(is_ruled_out("custom", NULL));
	CU_ASSERT_FALSE(is_ruled_out("5.14.0-570.el9.aarch64", NULL));
	CU_ASSERT_FALSE(is_ruled_out("6.6.0-72.0.0.76.oe2403.aarch64", NULL));
}

static void cores_before_armv8_3_have_no_guests_of_guests(void)
{
	CU_ASSERT_TRUE(is_ruled_out("7.3.4", "0x00000000410fd0c0"));  /* Neoverse N1 */
	CU_ASSERT_TRUE(is_ruled_out("7.3.4", "0x00000000414fd0c1"));  /* the same, r4p1 */
	CU_ASSERT_FALSE(is_ruled_out("7.3.4", "0x00000000411fd402")); /* Neoverse V1 */
	CU_ASSERT_FALSE(is_ruled_out("7.3.4", "0x00000000430fd0c0")); /* not Arm's */
	CU_ASSERT_FALSE(is_ruled_out("7.3.4", "0x00000000410f0c00"));
	CU_ASSERT_FALSE(is_ruled_out("7.3.4", ""));
}

static void a_recording_that_says_nothing_is_of_a_host_without(void)
{
	CU_ASSERT_TRUE(is_ruled_out(NULL, NULL));
	CU_ASSERT_TRUE(is_ruled_out(NULL, "0x00000000411fd402"));
}

CSG_SUITE(world, nesting_proof, CSG_TEST(kernels_before_6_16_have_no_guests_of_guests),
	  CSG_TEST(a_release_that_shows_no_number_or_has_later_code_rules_out_nothing),
	  CSG_TEST(cores_before_armv8_3_have_no_guests_of_guests),
	  CSG_TEST(a_recording_that_says_nothing_is_of_a_host_without));
