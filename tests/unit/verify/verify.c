/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify/verify.h"

#include <string.h>

#include "suite.h"

#include "capture.h"

static const struct csg_source source = {
	.protocol = CSG_PROTOCOL_ETMV4, .trcconfigr = 0x801, .trcidr1 = 0x4100f421};

static void write_as(enum csg_verify_format format)
{
	const struct csg_source *sources[] = {&source, &source};
	const struct csg_verify v = {
		.version = "1.2.3",
		.hypervisor = "kvm-vhe",
		.sources = sources,
		.source_count = 2,
		.instructions = 40,
		.contradictions = 1,
		.found = {[CSG_ASSUMPTION_EXIT_VECTORS] = {.confirmed = 5,
							   .confirmed_at = {1, 0x20, 7}},
			  [CSG_ASSUMPTION_COUNTER_OFFSET] = {.confirmed = 2,
							     .contradicted = 1,
							     .confirmed_at = {0, 0x10, 1},
							     .contradicted_at = {-1, CSG_NO_PLACE,
										 1500000000}}},
	};
	struct csg_out *out = capture_begin();

	CU_ASSERT_EQUAL(csg_verify_contradicted(&v), 1);
	csg_verify_write(&v, format, out);
	capture_end(out);
}

static bool says(const char *text)
{
	return strstr(captured, text) != NULL;
}

static void text_has_counts_and_one_place(void)
{
	write_as(CSG_VERIFY_TEXT);
	CU_ASSERT(says("csguest:           1.2.3\n"));
	CU_ASSERT(says("  streams:           2\n"));
	CU_ASSERT(says("  TRCIDR1:           0x4100f421\n"));
	CU_ASSERT(says("exit-vectors                 5             0  confirmed      guests exit"));
	CU_ASSERT(says("first at CPU 1, trace byte 0x20, time 0.000000007\n"));
	CU_ASSERT(says("counter-offset               2             1  contradicted   a VM has"));
	CU_ASSERT(says("first at time 1.500000000\n"));
	CU_ASSERT(says("vmid                         0             0  not exercised  a VMID"));
}

static void csv_has_a_row_for_each(void)
{
	write_as(CSG_VERIFY_CSV);
	CU_ASSERT(says("assumption,confirmed,contradicted,state,cpu,index,time,text\n"));
	CU_ASSERT(says("\nexit-vectors,5,0,confirmed,1,32,0.000000007,"));
	CU_ASSERT(says("\ncounter-offset,2,1,contradicted,,,1.500000000,"));
	CU_ASSERT(says("\nvmid,0,0,not exercised,,,,"));
}

static void json_has_what_is_not_known_as_null(void)
{
	write_as(CSG_VERIFY_JSON);
	CU_ASSERT(says("\"trcconfigr\": \"0x801\""));
	CU_ASSERT(says("\"assumption\": \"counter-offset\""));
	CU_ASSERT(says("\"cpu\": null"));
	CU_ASSERT(says("\"index\": 32"));
	CU_ASSERT(says("\"state\": \"not exercised\""));
}

CSG_SUITE(verify, verify, CSG_TEST(text_has_counts_and_one_place), CSG_TEST(csv_has_a_row_for_each),
	  CSG_TEST(json_has_what_is_not_known_as_null));
