/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "csguest/element.h"
#include "csguest/error.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"
#include "suite.h"

static void every_value_has_its_own_word(void)
{
	for (int a = 0; a < CSG_ELEMENT_COUNT; a++)
		for (int b = 0; b < a; b++)
			CU_ASSERT_STRING_NOT_EQUAL(csg_element_name(a), csg_element_name(b));
	for (int a = 0; a < CSG_GAP_COUNT; a++)
		for (int b = 0; b < a; b++)
			CU_ASSERT_STRING_NOT_EQUAL(csg_gap_name(a), csg_gap_name(b));
	for (int a = 0; a < CSG_WORLD_COUNT; a++)
		for (int b = 0; b < a; b++)
			CU_ASSERT_STRING_NOT_EQUAL(csg_world_name(a), csg_world_name(b));
	for (int a = 0; a < CSG_REASON_COUNT; a++)
		for (int b = 0; b < a; b++)
			CU_ASSERT_STRING_NOT_EQUAL(csg_reason_text(a), csg_reason_text(b));
}

static void values_out_of_range_are_invalid(void)
{
	CU_ASSERT_STRING_EQUAL(csg_element_name(CSG_ELEMENT_COUNT), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_gap_name(CSG_GAP_COUNT), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_world_name(CSG_WORLD_COUNT), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_reason_text(CSG_REASON_COUNT), "invalid");
	CU_ASSERT_STRING_EQUAL(csg_hypervisor_name(CSG_HV_COUNT), "invalid");
}

static void hypervisor_words_can_be_read_back(void)
{
	for (int kind = 0; kind < CSG_HV_COUNT; kind++)
		CU_ASSERT_EQUAL(csg_hypervisor_parse(csg_hypervisor_name(kind)), kind);
	CU_ASSERT_EQUAL(csg_hypervisor_parse("kvm"), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(csg_hypervisor_parse(NULL), -CSG_E_USAGE);
}

static void a_evidence_set_is_joined_by_commas(void)
{
	char buf[64];

	CU_ASSERT_EQUAL(
		csg_evidence_text(CSG_EVIDENCE_VMID | CSG_EVIDENCE_RESIDENCY, buf, sizeof(buf)),
		(int)strlen("VMID, residency"));
	CU_ASSERT_STRING_EQUAL(buf, "VMID, residency");
	csg_evidence_text(0, buf, sizeof(buf));
	CU_ASSERT_STRING_EQUAL(buf, "none");
}

static void a_evidence_text_too_long_is_cut_but_measured(void)
{
	char buf[6];

	CU_ASSERT_EQUAL(
		csg_evidence_text(CSG_EVIDENCE_VMID | CSG_EVIDENCE_RESIDENCY, buf, sizeof(buf)),
		15);
	CU_ASSERT_STRING_EQUAL(buf, "VMID,");
	CU_ASSERT_EQUAL(csg_evidence_text(CSG_EVIDENCE_VMID, NULL, 0), 4);
}

CSG_SUITE(base, names, CSG_TEST(every_value_has_its_own_word),
	  CSG_TEST(values_out_of_range_are_invalid), CSG_TEST(hypervisor_words_can_be_read_back),
	  CSG_TEST(a_evidence_set_is_joined_by_commas),
	  CSG_TEST(a_evidence_text_too_long_is_cut_but_measured));
