/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/core/insn.h"

#include "scan/arch.h"

/* Releases of OpenCSD that learned of an encoding. */
#define LEARNED_SPPC 0x10501
#define LEARNED_CMPBR 0x10601
#define LEARNED_TEXIT 0x10800

#define TRCIDR2_WFXMODE (UINT64_C(1) << 31)

unsigned int csg_insn_features(const struct csg_source *source, uint32_t ocsd_version)
{
	unsigned int features = 0;

	if ((source->trcidr2 & TRCIDR2_WFXMODE) && csg_arch_version(source) >= 0x43)
		features |= CSG_INSN_WFX;
	if (!csg_arch_is_m(source))
		features |= CSG_INSN_AA64;
	if (ocsd_version >= LEARNED_SPPC)
		features |= CSG_INSN_SPPC;
	if (ocsd_version >= LEARNED_CMPBR)
		features |= CSG_INSN_CMPBR | CSG_INSN_IT;
	if (ocsd_version >= LEARNED_TEXIT)
		features |= CSG_INSN_TEXIT;
	return features;
}

/* The lowest bits of value, sign-extended and shifted left. */
static uint64_t offset(uint32_t value, unsigned int bits, unsigned int shift)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return ((((uint64_t)value & ((sign << 1) - 1)) ^ sign) - sign) << shift;
}

static void direct(struct csg_insn *insn, uint64_t target, bool link, bool conditional)
{
	insn->waypoint = CSG_WAYPOINT_DIRECT;
	insn->branch = link ? CSG_BRANCH_CALL : CSG_BRANCH_DIRECT;
	insn->target = target;
	insn->link = link;
	insn->conditional = conditional;
}

static void indirect(struct csg_insn *insn, enum csg_branch branch)
{
	insn->waypoint = CSG_WAYPOINT_INDIRECT;
	insn->branch = branch;
	insn->link = branch == CSG_BRANCH_INDIRECT_CALL;
}

static void other(struct csg_insn *insn, enum csg_branch branch)
{
	insn->waypoint = CSG_WAYPOINT_OTHER;
	insn->branch = branch;
}

/* --- A64 --- */

/* BR, BLR, RET, ERET and their forms with pointer authentication. */
static bool a64_indirect(unsigned int features, uint32_t w, struct csg_insn *insn)
{
	bool link = w & 0x00200000;

	if ((w & 0xffdffc1f) == 0xd61f0000) {
		indirect(insn, link ? CSG_BRANCH_INDIRECT_CALL : CSG_BRANCH_INDIRECT);
	} else if ((w & 0xfffffc1f) == 0xd65f0000) {
		indirect(insn, CSG_BRANCH_RETURN);
	} else if (w == 0xd69f03e0) {
		indirect(insn, CSG_BRANCH_ERET);
	} else if (!(features & CSG_INSN_AA64)) {
		return false;
	} else if ((w & 0xffdff800) == 0xd71f0800 || (w & 0xffdff81f) == 0xd61f081f) {
		indirect(insn, link ? CSG_BRANCH_INDIRECT_CALL : CSG_BRANCH_INDIRECT);
	} else if ((w & 0xfffffbff) == 0xd69f0bff) {
		indirect(insn, CSG_BRANCH_ERET);
	} else if ((w & 0xfffffbff) == 0xd65f0bff) {
		indirect(insn, CSG_BRANCH_RETURN);
	} else if ((features & CSG_INSN_SPPC) &&
		   ((w & 0xffc0001f) == 0x5500001f || (w & 0xfffffbe0) == 0xd65f0be0)) {
		indirect(insn, CSG_BRANCH_RETURN);
	} else if ((features & CSG_INSN_TEXIT) && (w == 0xd6ff03e0 || w == 0xd6ff07e0)) {
		indirect(insn, CSG_BRANCH_ERET);
	} else {
		return false;
	}
	return true;
}

/* CB<cc>, CBB<cc>, CBH<cc> of FEAT_CMPBR. */
static bool is_compare_branch(uint32_t w)
{
	uint32_t form = w & 0xc000;

	switch (w >> 24) {
	case 0x74:
		return form != 0x4000;
	case 0xf4:
		return !form;
	case 0x75:
	case 0xf5:
		return !(form & 0x4000);
	default:
		return false;
	}
}

static bool a64_direct(unsigned int features, uint64_t address, uint32_t w, struct csg_insn *insn)
{
	if ((w & 0xff000000) == 0x54000000) /* B.cond, BC.cond */
		direct(insn, address + offset(w >> 5, 19, 2), false, true);
	else if ((w & 0x7c000000) == 0x14000000) /* B, BL */
		direct(insn, address + offset(w, 26, 2), w >> 31, false);
	else if ((w & 0x7e000000) == 0x34000000) /* CBZ, CBNZ */
		direct(insn, address + offset(w >> 5, 19, 2), false, true);
	else if ((w & 0x7e000000) == 0x36000000) /* TBZ, TBNZ */
		direct(insn, address + offset(w >> 5, 14, 2), false, true);
	else if ((features & CSG_INSN_CMPBR) && is_compare_branch(w))
		direct(insn, address + offset(w >> 5, 9, 2), false, false);
	else
		return false;
	return true;
}

static void a64(unsigned int features, uint64_t address, uint32_t w, struct csg_insn *insn)
{
	bool aa64 = features & CSG_INSN_AA64;

	if (a64_indirect(features, w, insn) || a64_direct(features, address, w, insn))
		return;
	if ((w & 0xfffff0ff) == 0xd50330df)
		other(insn, CSG_BRANCH_BARRIER);
	else if ((w & 0xfffff09f) == 0xd503309f) /* DSB, DMB */
		return;
	else if ((features & CSG_INSN_WFX) &&
		 ((w & 0xffffffdf) == 0xd503205f || (aa64 && (w & 0xffffffc0) == 0xd5031000)))
		other(insn, CSG_BRANCH_WAIT);
	else if (aa64 && (w & 0xffffffe0) == 0xd5233060)
		other(insn, CSG_BRANCH_TSTART);
}

/* --- A32 --- */

static bool a32_is_nv(uint32_t w)
{
	return w >> 28 == 0xf;
}

/* Loads to the program counter: whether it is one, and whether it implies a return. */
static bool a32_load_pc(uint32_t w, bool *returns)
{
	if ((w & 0x0e108000) == 0x08108000) { /* LDM, POP */
		*returns = (w & 0x0fffa000) == 0x08bd8000;
		return true;
	}
	if ((w & 0x0e50f000) == 0x0410f000) { /* LDR, immediate */
		*returns = (w & 0x01ff0000) == 0x009d0000;
		return true;
	}
	return (w & 0x0e50f010) == 0x0610f000; /* LDR, register */
}

/* Data processing with the program counter as destination. */
static bool a32_compute_pc(uint32_t w)
{
	if ((w & 0x0f900080) == 0x01000000 || (w & 0x0f9000f0) == 0x01800090 ||
	    (w & 0x0fb0f000) == 0x0320f000)
		return false;
	if ((w & 0x0e00f000) == 0x0200f000)
		return (w & 0x0f90f000) != 0x0310f000;
	return (w & 0x0e00f000) == 0x0000f000;
}

static bool a32_indirect(uint32_t w, struct csg_insn *insn)
{
	bool returns = false;

	if (a32_is_nv(w)) {
		if ((w & 0xfe500000) != 0xf8100000) /* RFE */
			return false;
	} else if ((w & 0x0ff000d0) == 0x01200010) { /* BX, BLX */
		returns = (w & 0xff) == 0x1e;
	} else if ((w & 0x0ff000f0) == 0x01200020) { /* BXJ */
	} else if (a32_load_pc(w, &returns)) {
	} else if ((w & 0x0fe0f000) == 0x01a0f000) { /* MOV */
		returns = (w & 0x00100fff) == 0x00e;
	} else if (!a32_compute_pc(w)) {
		return false;
	}
	indirect(insn, returns ? CSG_BRANCH_RETURN : CSG_BRANCH_INDIRECT);
	/* OpenCSD's test for a call: BLX of a register, and in NV space BLX of a label. */
	if (!a32_is_nv(w) && ((w & 0x0f000000) == 0x0b000000 || (w & 0x0ff000f0) == 0x01200030))
		indirect(insn, CSG_BRANCH_INDIRECT_CALL);
	return true;
}

static bool a32_direct(uint64_t address, uint32_t w, struct csg_insn *insn)
{
	uint32_t target = (uint32_t)address + 8 + (uint32_t)offset(w, 24, 2);

	if (a32_is_nv(w)) {
		if ((w & 0xfe000000) != 0xfa000000) /* BLX */
			return false;
		target |= w >> 23 & 2;
		direct(insn, target & ~1u, true, false);
		insn->next_isa = CSG_ISA_T32;
		return true;
	}
	if ((w & 0x0e000000) != 0x0a000000)
		return false;
	direct(insn, target, w & 0x01000000, false);
	if (target & 1) { /* at an address that is none of A32 */
		insn->target = target & ~1u;
		insn->next_isa = CSG_ISA_T32;
	}
	return true;
}

static void a32(unsigned int features, uint64_t address, uint32_t w, struct csg_insn *insn)
{
	bool barrier = (w & 0xfff00000) == 0xf5700000;
	bool old_barrier = (w & 0x0fff0f00) == 0x0e070f00;

	if (!a32_indirect(w, insn) && !a32_direct(address, w, insn)) {
		if ((barrier && (w & 0xf0) == 0x60) ||
		    (!barrier && old_barrier && (w & 0xff) == 0x95))
			other(insn, CSG_BRANCH_BARRIER);
		else if ((features & CSG_INSN_WFX) && !a32_is_nv(w) &&
			 (w & 0x0ffffffe) == 0x0320f002)
			other(insn, CSG_BRANCH_WAIT);
	}
	insn->conditional = (w & 0xe0000000) != 0xe0000000;
}

/* --- T32: the first halfword is the upper one of w --- */

/* S, J1, J2 of B.W, BL and BLX. */
static uint32_t t32_far(uint32_t w)
{
	uint32_t s = w >> 26 & 1, j1 = w >> 13 & 1, j2 = w >> 11 & 1;
	uint32_t value = s << 23 | (uint32_t) !(j1 ^ s) << 22 | (uint32_t) !(j2 ^ s) << 21 |
			 (w >> 16 & 0x3ff) << 11 | (w & 0x7ff);

	return (uint32_t)offset(value, 24, 1);
}

static bool t32_is_loop(uint32_t w)
{
	return (w & 0xfffff001) == 0xf00fc001 || (w & 0xfffff001) == 0xf02fc001 ||
	       (w & 0xfffff001) == 0xf01fc001;
}

static bool t32_is_loop_start(uint32_t w)
{
	return (w & 0xfff0f001) == 0xf040c001 || (w & 0xffc0f001) == 0xf000c001;
}

static bool t32_direct(unsigned int features, uint32_t pc, uint32_t w, struct csg_insn *insn)
{
	uint32_t loop = (w & 0x7fe) << 1 | (w & 0x800) >> 10;

	if ((w & 0xf0000000) == 0xd0000000 && (w & 0x0e000000) != 0x0e000000) {
		direct(insn, pc + (uint32_t)offset(w >> 16, 8, 1), false, true);
	} else if ((w & 0xf8000000) == 0xe0000000) {
		direct(insn, pc + (uint32_t)offset(w >> 16, 11, 1), false, false);
	} else if ((w & 0xf800d000) == 0xf0008000 && (w & 0x03800000) != 0x03800000) {
		uint32_t value = (w >> 26 & 1) << 19 | (w >> 11 & 1) << 18 | (w >> 13 & 1) << 17 |
				 (w >> 16 & 0x3f) << 11 | (w & 0x7ff);

		direct(insn, pc + (uint32_t)offset(value, 20, 1), false, true);
	} else if ((w & 0xf8009000) == 0xf0009000) { /* B.W, BL */
		direct(insn, pc + t32_far(w), w & 0x4000, false);
	} else if ((w & 0xf800d001) == 0xf000c000) { /* BLX */
		direct(insn, (pc & ~3u) + (t32_far(w & ~1u)), true, false);
		insn->next_isa = CSG_ISA_A32;
	} else if ((w & 0xf5000000) == 0xb1000000) { /* CBZ, CBNZ */
		direct(insn, pc + ((w >> 25 & 1) << 6 | (w >> 19 & 0x1f) << 1), false, true);
	} else if ((features & CSG_INSN_TEXIT) && t32_is_loop(w)) {
		direct(insn, pc - loop, false, false);
	} else if ((features & CSG_INSN_TEXIT) && t32_is_loop_start(w)) {
		direct(insn, pc + loop, false, false);
	} else {
		return false;
	}
	insn->target = (uint32_t)insn->target & ~1u;
	return true;
}

/* Indirect branches of one halfword, and of two. */
static bool t32_indirect(uint32_t w, struct csg_insn *insn)
{
	static const struct {
		uint32_t mask, value, return_mask, return_value;
	} rows[] = {
		{0xfff0d000, 0xf3c08000, 0, 1},			  /* BXJ */
		{0xff000000, 0xbd000000, 0, 0},			  /* POP */
		{0xfd870000, 0x44870000, 0xffff0000, 0x46f70000}, /* MOV, ADD */
		{0xfff0ffe0, 0xe8d0f000, 0, 1},			  /* TBB, TBH */
		{0xffd00000, 0xe8100000, 0, 1},			  /* RFE */
		{0xffd00000, 0xe9900000, 0, 1},			  /* RFE */
		{0xfff0d000, 0xf3d08000, 0, 1},			  /* SUBS, ERET */
		{0xfff0f000, 0xf8d0f000, 0, 1},			  /* LDR, immediate */
		{0xff7ff000, 0xf85ff000, 0, 1},			  /* LDR, literal */
		{0xfff0f800, 0xf850f800, 0x000f0f00, 0x000d0b00}, /* LDR, post-indexed */
		{0xfff0ffc0, 0xf850f000, 0, 1},			  /* LDR, register */
		{0xfe508000, 0xe8108000, 0x0fff0000, 0x08bd0000}, /* LDM */
	};

	if ((w & 0xff000000) == 0x47000000) { /* BX, BLX */
		if (w & 0x00800000)
			indirect(insn, CSG_BRANCH_INDIRECT_CALL);
		else
			indirect(insn, (w & 0x00780000) == 0x00700000 ? CSG_BRANCH_RETURN
								      : CSG_BRANCH_INDIRECT);
		return true;
	}
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((w & rows[i].mask) != rows[i].value)
			continue;
		indirect(insn, (w & rows[i].return_mask) == rows[i].return_value
				       ? CSG_BRANCH_RETURN
				       : CSG_BRANCH_INDIRECT);
		return true;
	}
	return false;
}

/* How many instructions an IT makes conditional, or 0. */
static uint8_t t32_it(uint32_t w)
{
	if ((w & 0xff000000) != 0xbf000000 || !(w & 0x000f0000))
		return 0;
	return (uint8_t)(4 - __builtin_ctz(w >> 16 & 0xf));
}

static void t32_rest(unsigned int features, uint32_t w, struct csg_insn *insn)
{
	bool barrier = (w & 0xffffff00) == 0xf3bf8f00;
	bool old_barrier = (w & 0xffff0f00) == 0xee070f00;
	bool wait = (w & 0xfffffffe) == 0xf3af8002 || (w & 0xffef0000) == 0xbf200000;

	if ((barrier && (w & 0xf0) == 0x60) || (old_barrier && (w & 0xff) == 0x95))
		other(insn, CSG_BRANCH_BARRIER);
	else if ((features & CSG_INSN_WFX) && wait)
		other(insn, CSG_BRANCH_WAIT);
}

static void t32(unsigned int features, uint64_t address, uint32_t word, uint8_t *it,
		struct csg_insn *insn)
{
	uint32_t w = word << 16 | word >> 16;

	insn->size = (w >> 16 & 0xf800) >= 0xe800 ? 4 : 2;
	if (!t32_direct(features, (uint32_t)address + 4, w, insn) && !t32_indirect(w, insn))
		t32_rest(features, w, insn);
	if (!(features & CSG_INSN_IT))
		return;
	if (*it) {
		insn->conditional = true;
		(*it)--;
	} else if (!insn->waypoint) {
		*it = t32_it(w);
	}
}

void csg_insn_decode(unsigned int features, enum csg_isa isa, uint64_t address, uint32_t word,
		     uint8_t *it, struct csg_insn *insn)
{
	*insn = (struct csg_insn){.size = 4, .next_isa = (uint8_t)isa};
	if (isa == CSG_ISA_T32) {
		t32(features, address, word, it, insn);
		return;
	}
	*it = 0;
	if (isa == CSG_ISA_A64)
		a64(features, address, word, insn);
	else
		a32(features, address, word, insn);
}
