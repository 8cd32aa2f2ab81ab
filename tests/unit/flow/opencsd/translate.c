/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/opencsd/translate.h"
#include "suite.h"

static struct csg_element translated(ocsd_generic_trace_elem in)
{
	struct csg_element out;

	CU_ASSERT(csg_translate(&in, 77, &out));
	CU_ASSERT_EQUAL(out.index, 77);
	return out;
}

static void a_range_keeps_its_bounds_and_its_last_instruction(void)
{
	ocsd_generic_trace_elem in = {
		.elem_type = OCSD_GEN_TRC_ELEM_INSTR_RANGE,
		.isa = ocsd_isa_aarch64,
		.st_addr = 0x1000,
		.en_addr = 0x1010,
		.num_instr_range = 4,
		.last_i_type = OCSD_INSTR_BR,
	};
	struct csg_element out;

	in.last_instr_sz = 4;
	in.last_instr_exec = 1;
	in.last_instr_cond = 1;
	out = translated(in);
	CU_ASSERT_EQUAL(out.kind, CSG_ELEMENT_RANGE);
	CU_ASSERT_EQUAL(out.start, 0x1000);
	CU_ASSERT_EQUAL(out.end, 0x1010);
	CU_ASSERT_EQUAL(out.instructions, 4);
	CU_ASSERT_EQUAL(out.branch, CSG_BRANCH_DIRECT);
	CU_ASSERT_EQUAL(out.isa, CSG_ISA_A64);
	CU_ASSERT_EQUAL(out.last_size, 4);
	CU_ASSERT(out.taken && out.conditional);
}

static void a_range_that_its_instructions_do_not_cover_is_a_bad_packet(void)
{
	ocsd_generic_trace_elem in = {
		.elem_type = OCSD_GEN_TRC_ELEM_INSTR_RANGE,
		.isa = ocsd_isa_aarch64,
		.st_addr = 0x101c00000a9cc,
	};

	in.en_addr = in.st_addr + (UINT64_C(4) << 32);
	CU_ASSERT_EQUAL(translated(in).gap, CSG_GAP_BAD_PACKET);
	in.num_instr_range = 3;
	CU_ASSERT_EQUAL(translated(in).kind, CSG_ELEMENT_GAP);
	in.en_addr = in.st_addr - 8;
	CU_ASSERT_EQUAL(translated(in).kind, CSG_ELEMENT_GAP);
	in.en_addr = in.st_addr + 12;
	CU_ASSERT_EQUAL(translated(in).kind, CSG_ELEMENT_RANGE);
}

static void branches_are_distinguished_by_type_and_subtype(void)
{
	static const struct {
		ocsd_instr_type type;
		ocsd_instr_subtype subtype;
		enum csg_branch branch;
	} kinds[] = {
		{OCSD_INSTR_OTHER, OCSD_S_INSTR_NONE, CSG_BRANCH_NONE},
		{OCSD_INSTR_BR, OCSD_S_INSTR_BR_LINK, CSG_BRANCH_CALL},
		{OCSD_INSTR_BR_INDIRECT, OCSD_S_INSTR_NONE, CSG_BRANCH_INDIRECT},
		{OCSD_INSTR_BR_INDIRECT, OCSD_S_INSTR_BR_LINK, CSG_BRANCH_INDIRECT_CALL},
		{OCSD_INSTR_BR_INDIRECT, OCSD_S_INSTR_V8_RET, CSG_BRANCH_RETURN},
		{OCSD_INSTR_BR_INDIRECT, OCSD_S_INSTR_V7_IMPLIED_RET, CSG_BRANCH_RETURN},
		{OCSD_INSTR_BR_INDIRECT, OCSD_S_INSTR_V8_ERET, CSG_BRANCH_ERET},
		{OCSD_INSTR_ISB, OCSD_S_INSTR_NONE, CSG_BRANCH_BARRIER},
		{OCSD_INSTR_DSB_DMB, OCSD_S_INSTR_NONE, CSG_BRANCH_BARRIER},
		{OCSD_INSTR_WFI_WFE, OCSD_S_INSTR_NONE, CSG_BRANCH_WAIT},
		{OCSD_INSTR_TSTART, OCSD_S_INSTR_NONE, CSG_BRANCH_TSTART},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		ocsd_generic_trace_elem in = {.elem_type = OCSD_GEN_TRC_ELEM_INSTR_RANGE,
					      .num_instr_range = 1,
					      .last_i_type = kinds[i].type,
					      .last_i_subtype = kinds[i].subtype};

		CU_ASSERT_EQUAL(translated(in).branch, kinds[i].branch);
	}
}

static void losses_are_gaps_that_say_why(void)
{
	ocsd_generic_trace_elem in = {.elem_type = OCSD_GEN_TRC_ELEM_TRACE_ON};

	in.trace_on_reason = TRACE_ON_NORMAL;
	CU_ASSERT_EQUAL(translated(in).gap, CSG_GAP_TRACE_ON);
	in.trace_on_reason = TRACE_ON_OVERFLOW;
	CU_ASSERT_EQUAL(translated(in).gap, CSG_GAP_OVERFLOW);
	in.elem_type = OCSD_GEN_TRC_ELEM_NO_SYNC;
	in.unsync_eot_info = UNSYNC_BAD_PACKET;
	CU_ASSERT_EQUAL(translated(in).gap, CSG_GAP_BAD_PACKET);
	in.unsync_eot_info = UNSYNC_DISCARD;
	CU_ASSERT_EQUAL(translated(in).gap, CSG_GAP_DISCARD);
	in.elem_type = OCSD_GEN_TRC_ELEM_ADDR_NACC;
	in.st_addr = 0x4000;
	CU_ASSERT_EQUAL(translated(in).gap, CSG_GAP_NO_CODE);
	CU_ASSERT_EQUAL(translated(in).start, 0x4000);
}

static void the_beginning_of_trace_is_no_loss(void)
{
	ocsd_generic_trace_elem in = {.elem_type = OCSD_GEN_TRC_ELEM_NO_SYNC};
	struct csg_element out;

	in.unsync_eot_info = UNSYNC_INIT_DECODER;
	CU_ASSERT_FALSE(csg_translate(&in, 0, &out));
	in.unsync_eot_info = UNSYNC_RESET_DECODER;
	CU_ASSERT_FALSE(csg_translate(&in, 0, &out));
}

static void an_exception_has_its_return_address_where_it_is_known(void)
{
	ocsd_generic_trace_elem in = {.elem_type = OCSD_GEN_TRC_ELEM_EXCEPTION, .en_addr = 0x88};
	struct csg_element out;

	in.exception_number = 14;
	out = translated(in);
	CU_ASSERT_FALSE(out.has_return);
	CU_ASSERT_EQUAL(out.end, 0);
	in.excep_ret_addr = 1;
	out = translated(in);
	CU_ASSERT(out.has_return);
	CU_ASSERT_EQUAL(out.end, 0x88);
	CU_ASSERT_EQUAL(out.info, 14);
}

static void cycles_come_with_a_timestamp_only_where_they_are_counted(void)
{
	ocsd_generic_trace_elem in = {
		.elem_type = OCSD_GEN_TRC_ELEM_TIMESTAMP, .timestamp = 1234, .cycle_count = 9};

	CU_ASSERT_EQUAL(translated(in).timestamp, 1234);
	CU_ASSERT_FALSE(translated(in).has_cycles);
	in.has_cc = 1;
	CU_ASSERT(translated(in).has_cycles);
	CU_ASSERT_EQUAL(translated(in).cycles, 9);
}

static void a_context_states_what_the_packet_had(void)
{
	ocsd_generic_trace_elem in = {.elem_type = OCSD_GEN_TRC_ELEM_PE_CONTEXT};
	struct csg_element out;

	in.context.security_level = ocsd_sec_nonsecure;
	in.context.bits64 = 1;
	in.context.vmid_valid = 1;
	in.context.vmid = 4103;
	out = translated(in);
	CU_ASSERT_EQUAL(out.end, 4103);
	CU_ASSERT(out.info & CSG_CONTEXT_HAS_VCTX);
	CU_ASSERT_FALSE(out.info & CSG_CONTEXT_HAS_CONTEXTIDR);
	CU_ASSERT(out.info & CSG_CONTEXT_AARCH64);
}

CSG_SUITE(flow_opencsd, translate, CSG_TEST(a_range_keeps_its_bounds_and_its_last_instruction),
	  CSG_TEST(a_range_that_its_instructions_do_not_cover_is_a_bad_packet),
	  CSG_TEST(branches_are_distinguished_by_type_and_subtype),
	  CSG_TEST(losses_are_gaps_that_say_why), CSG_TEST(the_beginning_of_trace_is_no_loss),
	  CSG_TEST(an_exception_has_its_return_address_where_it_is_known),
	  CSG_TEST(cycles_come_with_a_timestamp_only_where_they_are_counted),
	  CSG_TEST(a_context_states_what_the_packet_had));
