/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/packet_rules.h"

#include "scan/packet.h"
#include "suite.h"

static struct csg_packet_rule rules[256];

static void of_etm(unsigned minor)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4,
					  .trcidr1 = 0x4100f403 | minor << 4};

	csg_packet_rules_init(rules, &source, true);
}

static void of_ete(unsigned minor)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETE,
					  .trcdevarch = 0x47705a13 | minor << 16};

	csg_packet_rules_init(rules, &source, true);
}

static void etm_and_ete_have_headers_of_their_own(void)
{
	of_etm(2);
	CU_ASSERT_EQUAL(rules[0x07].kind, CSG_PACKET_EXCEPTION_RETURN);
	CU_ASSERT_EQUAL(rules[0x0a].kind, CSG_PACKET_BAD);
	CU_ASSERT_EQUAL(rules[0xb0].kind, CSG_PACKET_BAD);
	of_ete(0);
	CU_ASSERT_EQUAL(rules[0x07].kind, CSG_PACKET_BAD);
	CU_ASSERT_EQUAL(rules[0x0a].kind, CSG_PACKET_TRANSACTION_START);
	CU_ASSERT_EQUAL(rules[0xb0].kind, CSG_PACKET_SOURCE_ADDRESS);
}

static void versions_add_headers(void)
{
	of_etm(2);
	CU_ASSERT_NOT_EQUAL(rules[0x70].kind, CSG_PACKET_IGNORE);
	of_etm(3);
	CU_ASSERT_EQUAL(rules[0x70].kind, CSG_PACKET_IGNORE);
	of_etm(5);
	CU_ASSERT_NOT_EQUAL(rules[0x88].kind, CSG_PACKET_TS_MARKER);
	of_etm(6);
	CU_ASSERT_EQUAL(rules[0x88].kind, CSG_PACKET_TS_MARKER);
	of_ete(2);
	CU_ASSERT_NOT_EQUAL(rules[0x09].kind, CSG_PACKET_ITE);
	of_ete(3);
	CU_ASSERT_EQUAL(rules[0x09].kind, CSG_PACKET_ITE);
	CU_ASSERT_EQUAL(rules[0x09].bytes, 9);
}

static void what_a_unit_is_not_set_to_trace_is_reserved(void)
{
	struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f423};

	csg_packet_rules_init(rules, &source, true);
	CU_ASSERT_EQUAL(rules[0xaf].kind, CSG_PACKET_BAD);
	CU_ASSERT_EQUAL(rules[0x6d].kind, CSG_PACKET_BAD);
	CU_ASSERT_EQUAL(rules[0x20].kind, CSG_PACKET_BAD);
	source.trcidr0 = 1u << 15 | 1u << 6 | 3u << 3;	  /* QSUPP, TRCCOND, TRCDATA */
	source.trcconfigr = 1u << 8 | 3u << 16 | 3u << 1; /* COND, DA and DV, INSTP0 */
	csg_packet_rules_init(rules, &source, true);
	CU_ASSERT_EQUAL(rules[0xaf].kind, CSG_PACKET_Q);
	CU_ASSERT_EQUAL(rules[0x6d].kind, CSG_PACKET_CONDITIONAL);
	CU_ASSERT_EQUAL(rules[0x20].kind, CSG_PACKET_DATA_SYNC);
}

static void in_commit_mode_1_cycle_counts_commit_nothing(void)
{
	const struct csg_source source = {.protocol = CSG_PROTOCOL_ETMV4, .trcidr1 = 0x4100f423};

	csg_packet_rules_init(rules, &source, false);
	CU_ASSERT_EQUAL(rules[0x0e].fields, 2);
	CU_ASSERT_EQUAL(rules[0x0f].fields, 1);
	csg_packet_rules_init(rules, &source, true);
	CU_ASSERT_EQUAL(rules[0x0e].fields, 1);
	CU_ASSERT_EQUAL(rules[0x0f].fields, 0);
}

static void all_from_the_first_atoms_on_are_atoms(void)
{
	of_etm(2);
	for (unsigned h = 0; h < 256; h++)
		CU_ASSERT_EQUAL(rules[h].kind == CSG_PACKET_ATOMS, h >= CSG_FIRST_ATOMS);
}

CSG_SUITE(scan, packet_rules, CSG_TEST(etm_and_ete_have_headers_of_their_own),
	  CSG_TEST(versions_add_headers), CSG_TEST(what_a_unit_is_not_set_to_trace_is_reserved),
	  CSG_TEST(in_commit_mode_1_cycle_counts_commit_nothing),
	  CSG_TEST(all_from_the_first_atoms_on_are_atoms));
