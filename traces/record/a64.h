/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the recorder needs to know of an A64 instruction: where it may go next, and whether it reads
 * or writes the system. From "Branches, Exception Generating and System instructions" in the Arm
 * ARM's encoding index (C4.1).
 */
#ifndef RECORD_A64_H
#define RECORD_A64_H
#include <stdbool.h>
#include <stdint.h>

enum a64_kind {
	A64_PLAIN,    /* goes on to the next instruction */
	A64_DIRECT,   /* B, BL: goes to the target */
	A64_COND,     /* B.cond, CBZ, CBNZ, TBZ, TBNZ: the target or the next */
	A64_INDIRECT, /* BR, BLR, RET and the authenticated forms: the register's value */
	A64_ERET      /* ERET and the authenticated forms: the ELR of the current exception level */
};

struct a64 {
	enum a64_kind kind;
	int64_t offset; /* DIRECT, COND: target - own address */
	int reg;	/* INDIRECT: number of the register */
	bool link;	/* DIRECT, INDIRECT: is a call */
	bool ret;	/* INDIRECT: is a return */
	bool isb;	/* PLAIN: an ISB, which changes of context wait for */
	bool writes;	/* may change system registers: MSR, SYS, and the barriers beside them */
	int count_reg;	/* reads CNTPCT (0), CNTVCT (1) or neither (-1) ... */
	int count_to;	/* ... into this register */
};

static inline int64_t a64_imm(uint32_t op, int low, int bits)
{
	return ((int64_t)((uint64_t)(op >> low) << (64 - bits)) >> (64 - bits)) * 4;
}

static inline struct a64 a64_read(uint32_t op)
{
	struct a64 i = {.count_reg = -1};

	if ((op & 0x7c000000) == 0x14000000) {
		i.kind = A64_DIRECT;
		i.link = op >> 31;
		i.offset = a64_imm(op, 0, 26);
	} else if ((op & 0xff000000) == 0x54000000 || (op & 0x7e000000) == 0x34000000) {
		i.kind = A64_COND;
		i.offset = a64_imm(op, 5, 19);
	} else if ((op & 0x7e000000) == 0x36000000) {
		i.kind = A64_COND;
		i.offset = a64_imm(op, 5, 14);
	} else if ((op & 0xfe000000) == 0xd6000000) {
		unsigned opc = op >> 21 & 15;

		if (opc == 4) {
			i.kind = A64_ERET;
		} else if (opc != 5) {
			i.kind = A64_INDIRECT;
			i.link = (opc & 7) == 1;
			i.ret = opc == 2;
			/* RETAA and RETAB read Rn as 31 and mean the link register. */
			i.reg = i.ret && (op & 0x800) ? 30 : (int)(op >> 5 & 31);
		}
	} else if ((op & 0xffc00000) == 0xd5000000) {
		i.writes = !(op & 0x200000);
		i.isb = (op & 0xfffff0ff) == 0xd50330df;
		if ((op & 0xffffffe0) == 0xd53be020 || (op & 0xffffffe0) == 0xd53be0a0)
			i.count_reg = 0;
		if ((op & 0xffffffe0) == 0xd53be040 || (op & 0xffffffe0) == 0xd53be0c0)
			i.count_reg = 1;
		i.count_to = op & 31;
	}
	return i;
}

#endif
