/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/opencsd/translate.h"

#include <opencsd/ocsd_if_version.h>

#include "csguest/context.h"

/* enum csg_branch by ocsd_instr_type and, for branches, ocsd_instr_subtype. */
static const uint8_t branches[][OCSD_S_INSTR_V7_IMPLIED_RET + 1] = {
	[OCSD_INSTR_OTHER] = {CSG_BRANCH_NONE},
	[OCSD_INSTR_BR] = {CSG_BRANCH_DIRECT, [OCSD_S_INSTR_BR_LINK] = CSG_BRANCH_CALL,
			   [OCSD_S_INSTR_V8_RET] = CSG_BRANCH_DIRECT,
			   [OCSD_S_INSTR_V8_ERET] = CSG_BRANCH_DIRECT,
			   [OCSD_S_INSTR_V7_IMPLIED_RET] = CSG_BRANCH_DIRECT},
	[OCSD_INSTR_BR_INDIRECT] =
		{CSG_BRANCH_INDIRECT, [OCSD_S_INSTR_BR_LINK] = CSG_BRANCH_INDIRECT_CALL,
		 [OCSD_S_INSTR_V8_RET] = CSG_BRANCH_RETURN,
		 [OCSD_S_INSTR_V8_ERET] = CSG_BRANCH_ERET,
		 [OCSD_S_INSTR_V7_IMPLIED_RET] = CSG_BRANCH_RETURN},
	[OCSD_INSTR_ISB] = {CSG_BRANCH_BARRIER},
	[OCSD_INSTR_DSB_DMB] = {CSG_BRANCH_BARRIER},
	[OCSD_INSTR_WFI_WFE] = {CSG_BRANCH_WAIT},
	[OCSD_INSTR_TSTART] = {CSG_BRANCH_TSTART},
};

static uint8_t branch_of(unsigned int type, unsigned int subtype)
{
	if (type >= sizeof(branches) / sizeof(branches[0]) || subtype > OCSD_S_INSTR_V7_IMPLIED_RET)
		return CSG_BRANCH_NONE;
	return branches[type][subtype];
}

static uint8_t isa_of(unsigned int isa)
{
	static const uint8_t isas[] = {
		[ocsd_isa_arm] = CSG_ISA_A32,
		[ocsd_isa_thumb2] = CSG_ISA_T32,
		[ocsd_isa_aarch64] = CSG_ISA_A64,
	};

	return isa < sizeof(isas) ? isas[isa] : CSG_ISA_UNKNOWN;
}

static void range(const ocsd_generic_trace_elem *in, struct csg_element *out)
{
	out->start = in->st_addr;
	out->end = in->en_addr;
	out->instructions = in->num_instr_range;
	out->isa = isa_of(in->isa);
}

static enum csg_security security_of(ocsd_sec_level level)
{
	switch (level) {
	case ocsd_sec_secure:
		return CSG_SECURE;
	case ocsd_sec_nonsecure:
		return CSG_NON_SECURE;
	case ocsd_sec_root:
		return CSG_ROOT;
	case ocsd_sec_realm:
		return CSG_REALM;
	default:
		return CSG_SECURITY_UNKNOWN;
	}
}

static uint8_t gap_of_unsync(unsync_info_t reason)
{
	switch (reason) {
	case UNSYNC_OVERFLOW:
		return CSG_GAP_OVERFLOW;
	case UNSYNC_DISCARD:
		return CSG_GAP_DISCARD;
	case UNSYNC_BAD_PACKET:
		return CSG_GAP_BAD_PACKET;
	default:
		return CSG_GAP_NO_SYNC;
	}
}

static bool gap(struct csg_element *out, enum csg_gap kind)
{
	out->kind = CSG_ELEMENT_GAP;
	out->gap = kind;
	return true;
}

static void timestamp(const ocsd_generic_trace_elem *in, struct csg_element *out)
{
	out->timestamp = in->timestamp;
	out->has_cycles = in->has_cc;
	out->cycles = in->has_cc ? in->cycle_count : 0;
}

static void context(const ocsd_generic_trace_elem *in, struct csg_element *out)
{
	const ocsd_pe_context *c = &in->context;

	out->info = (uint32_t)security_of(c->security_level) << CSG_CONTEXT_SECURITY_SHIFT;
	out->info |= c->bits64 ? CSG_CONTEXT_AARCH64 : 0;
	if (c->ctxt_id_valid) {
		out->start = c->context_id;
		out->info |= CSG_CONTEXT_HAS_CONTEXTIDR;
	}
	if (c->vmid_valid) {
		out->end = c->vmid;
		out->info |= CSG_CONTEXT_HAS_VCTX;
	}
}

static bool rest(const ocsd_generic_trace_elem *in, struct csg_element *out)
{
	switch (in->elem_type) {
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
		out->kind = CSG_ELEMENT_CYCLES;
		out->cycles = in->cycle_count;
		return true;
	case OCSD_GEN_TRC_ELEM_EVENT:
		out->kind = CSG_ELEMENT_EVENT;
		out->info = in->trace_event.ev_number;
		return true;
	case OCSD_GEN_TRC_ELEM_SYNC_MARKER:
		out->kind = CSG_ELEMENT_MARKER;
		out->info = in->sync_marker.value;
		return true;
	case OCSD_GEN_TRC_ELEM_MEMTRANS:
		out->kind = CSG_ELEMENT_TRANSACTION;
		out->info = in->mem_trans;
		return true;
#if OCSD_VER_NUM >= 0x010400 /* 1.4.0 brought FEAT_ITE */
	case OCSD_GEN_TRC_ELEM_INSTRUMENTATION:
		out->kind = CSG_ELEMENT_INSTRUMENTATION;
		out->timestamp = in->sw_ite.value;
		out->info = in->sw_ite.el;
		return true;
#endif
	default:
		return false;
	}
}

/*
 * Of a source address (ETE) that lies anywhere OpenCSD makes a range up to there, and counts its
 * instructions in 32 bits.
 */
static bool is_impossible(const ocsd_generic_trace_elem *in)
{
	return !in->num_instr_range ||
	       in->en_addr - in->st_addr > 4 * (uint64_t)in->num_instr_range;
}

void csg_translate_range(const ocsd_generic_trace_elem *in, uint64_t index, struct csg_element *out)
{
	*out = (struct csg_element){
		.index = index,
		.start = in->st_addr,
		.end = in->en_addr,
		.instructions = in->num_instr_range,
		.kind = CSG_ELEMENT_RANGE,
		.branch = branch_of(in->last_i_type, in->last_i_subtype),
		.isa = isa_of(in->isa),
		.last_size = in->last_instr_sz,
		.taken = in->last_instr_exec,
		.conditional = in->last_instr_cond,
	};
	if (is_impossible(in)) {
		*out = (struct csg_element){.index = index};
		gap(out, CSG_GAP_BAD_PACKET);
	}
}

bool csg_translate(const ocsd_generic_trace_elem *in, uint64_t index, struct csg_element *out)
{
	*out = (struct csg_element){.index = index};
	switch (in->elem_type) {
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		csg_translate_range(in, index, out);
		return true;
	case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
		out->kind = CSG_ELEMENT_RANGE_NOPATH;
		range(in, out);
		return true;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		out->start = in->st_addr;
		return gap(out, CSG_GAP_NO_CODE);
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		out->kind = CSG_ELEMENT_EXCEPTION;
		out->end = in->excep_ret_addr ? in->en_addr : 0;
		out->has_return = in->excep_ret_addr;
		out->info = in->exception_number;
		return true;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
		out->kind = CSG_ELEMENT_EXCEPTION_RET;
		return true;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		out->kind = CSG_ELEMENT_CONTEXT;
		context(in, out);
		return true;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		out->kind = CSG_ELEMENT_TIMESTAMP;
		timestamp(in, out);
		return true;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		return gap(out, in->trace_on_reason == TRACE_ON_OVERFLOW ? CSG_GAP_OVERFLOW
									 : CSG_GAP_TRACE_ON);
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		gap(out, gap_of_unsync(in->unsync_eot_info));
		return out->gap != CSG_GAP_NO_SYNC;
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
		out->kind = CSG_ELEMENT_END;
		return true;
	default:
		return rest(in, out);
	}
}
