/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/insn.h"

/* The signed immediate in word[low+bits-1:low], times 4. */
static uint64_t offset(uint32_t word, unsigned low, unsigned bits)
{
	uint64_t value = word >> low & ((UINT64_C(1) << bits) - 1);
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return ((value ^ sign) - sign) * 4;
}

static bool direct(uint32_t w, uint64_t pc, struct csg_enc_insn *insn)
{
	insn->p0 = CSG_ENC_DIRECT;
	if ((w & 0x7c000000) == 0x14000000) { /* B, BL */
		insn->p0 = w >> 31 ? CSG_ENC_DIRECT_CALL : CSG_ENC_DIRECT;
		insn->target = pc + offset(w, 0, 26);
		return true;
	}
	insn->conditional = true;
	if ((w & 0xff000000) == 0x54000000 || (w & 0x7e000000) == 0x34000000) {
		insn->target = pc + offset(w, 5, 19); /* B.cond, BC.cond, CBZ, CBNZ */
		return true;
	}
	if ((w & 0x7e000000) == 0x36000000) { /* TBZ, TBNZ */
		insn->target = pc + offset(w, 5, 14);
		return true;
	}
	insn->conditional = false;
	return false;
}

static bool indirect(uint32_t w, struct csg_enc_insn *insn)
{
	if ((w & 0xfffffc1f) == 0xd61f0000 || (w & 0xfffff800) == 0xd71f0800 ||
	    (w & 0xfffff81f) == 0xd61f081f) {
		insn->p0 = CSG_ENC_INDIRECT; /* BR, BRAA, BRAB, BRAAZ, BRABZ */
		return true;
	}
	if ((w & 0xfffffc1f) == 0xd63f0000 || (w & 0xfffff800) == 0xd73f0800 ||
	    (w & 0xfffff81f) == 0xd63f081f) {
		insn->p0 = CSG_ENC_INDIRECT_CALL;
		return true;
	}
	if ((w & 0xfffffc1f) == 0xd65f0000 || (w & 0xfffffbff) == 0xd65f0bff) {
		insn->p0 = CSG_ENC_RET; /* RET, RETAA, RETAB */
		return true;
	}
	if (w == 0xd69f03e0 || (w & 0xfffffbff) == 0xd69f0bff) {
		insn->p0 = CSG_ENC_ERET; /* ERET, ERETAA, ERETAB */
		return true;
	}
	return false;
}

struct csg_enc_insn csg_enc_insn_decode(uint32_t w, uint64_t pc, bool wfx)
{
	struct csg_enc_insn insn = {0};

	if (direct(w, pc, &insn) || indirect(w, &insn)) {
		insn.is_p0 = true;
	} else if ((w & 0xfffff0ff) == 0xd50330df) {
		insn.is_p0 = true;
		insn.p0 = CSG_ENC_ISB;
	} else if (wfx && ((w & 0xffffffdf) == 0xd503205f || (w & 0xffffffc0) == 0xd5031000)) {
		insn.is_p0 = true;
		insn.p0 = CSG_ENC_WFX;
	} else if ((w & 0xffffffe0) == 0xd5233060) {
		insn.is_p0 = true;
		insn.p0 = CSG_ENC_TSTART;
	} else if ((w & 0xffe0001c) == 0xd4000000 && (w & 3)) {
		insn.is_call_exception = true;
	}
	return insn;
}
