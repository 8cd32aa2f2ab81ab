/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The raw recording: what plugin/whoran.c writes and raw.c reads.
 *
 * A raw recording is the executed path of a whole emulated machine, in the order of execution, with
 * the registers that say who executed it. Nothing in it is an interpretation: worlds, machines and
 * processes are worked out by the readers.
 *
 * The unit is QEMU's translated block: a straight run of instructions of which, when it is entered,
 * a first part is executed. The emulator runs one CPU at a time (-icount), so one stream holds all
 * CPUs; a CPU record says which of them the following records are about. Virtual time is one
 * nanosecond for an instruction of any CPU, and stands still or jumps while all CPUs wait.
 *
 * The file (zstd around it) is RAW_MAGIC and then records. A record is an unsigned LEB128 number v,
 * whose low three bits are its kind, and operands as said below (u: unsigned LEB128; s: zigzag
 * LEB128; w: 32-bit word, little endian). Per-CPU state is all zero, per-block addresses are the
 * address of translation, until a record says otherwise.
 *
 *  RAW_RUN     v>>3 = block. The block was entered at the address at which it was entered last.
 *  RAW_RUN_AT  v>>3 = block, s = distance from that address. Blocks are shared by all virtual
 *              addresses of a page.
 *  RAW_PART    v>>3 = n. Of the block entered last (on any CPU), n instructions were begun, not
 *              all.
 *  RAW_CPU     v>>3 = CPU of the following records.
 *  RAW_STATE   v>>3 = set of registers (enum raw_reg), then u = its value for each, lowest first.
 *              Valid from the next block on. Registers are read at every entry of a block that
 *              follows a system register write, an exception or an exception return, so a value
 *              never changes unseen inside a run.
 *  RAW_TARGET  u = where the indirect branch or the exception return that ends the block entered
 *              last is to go, read from its register before it was executed.
 *  RAW_EXC     v>>3 = exception level after it; u = ELR_EL1, u = ESR_EL1, u = SPSR_EL1,
 *              u = ELR_EL2, u = ESR_EL2, u = SPSR_EL2. The next block of this CPU does not follow
 *              from the one before by itself: one exception, or several with no instruction
 *              between them, was taken.
 *  RAW_MORE    v>>3 = one of enum raw_more, operands as said there.
 *
 * Whether the last instruction begun before an exception was completed is known from the ELR: when
 * it is the instruction's own address and the exception is synchronous, it was not.
 */
#ifndef RECORD_RAWFORMAT_H
#define RECORD_RAWFORMAT_H

#define RAW_MAGIC "CSGRAW2\n"

enum raw_kind { RAW_RUN, RAW_RUN_AT, RAW_PART, RAW_CPU, RAW_STATE, RAW_TARGET, RAW_EXC, RAW_MORE };

enum raw_reg {
	RAW_EL, /* bits 1:0 exception level, bit 2 set in AArch32 */
	RAW_HCR,
	RAW_VTTBR,
	RAW_CONTEXTIDR_EL1,
	RAW_CONTEXTIDR_EL2,
	RAW_CNTVOFF,
	RAW_TTBR0_EL1,
	RAW_TTBR1_EL1,
	RAW_TTBR0_EL2,
	RAW_TTBR1_EL2,
	RAW_VBAR_EL1,
	RAW_VBAR_EL2,
	RAW_VMPIDR, /* the MPIDR that a guest sees: says which vCPU is loaded */
	RAW_REGS
};

/* Their names in QEMU 10.0's register list. */
#define RAW_REG_NAMES                                                                              \
	{                                                                                          \
		"cpsr", "HCR_EL2", "VTTBR_EL2", "CONTEXTIDR_EL1", "CONTEXTIDR_EL2", "CNTVOFF_EL2", \
			"TTBR0_EL1", "TTBR1_EL1", "TTBR0_EL2", "TTBR1_EL2", "VBAR", "VBAR_EL2",    \
			"VMPIDR_EL2"                                                               \
	}

enum raw_more {
	/* u = address of translation, u = number of instructions n, n times w = opcode. Defines the
	   next block; the first is block 0. */
	RAW_BLOCK,
	/* u = which counter (enum raw_counter), u = value: what an MRS read, the last instruction
	   of this CPU's block before. Stands before the record of the block that follows it. */
	RAW_COUNT,
	/* u = address of the next instruction, u = SP, u = x29, u = x30, u = number of frames n,
	   then for each, going outwards from x29: u = frame pointer, u = return address stored
	   beside it. Read before the next block. */
	RAW_STACK,
	/* u = number of the marker: movz xzr, #0xC500 + number. Stands after the block that holds
	   it was entered. */
	RAW_MARK,
	/* u = TPIDR_EL2. This CPU is known by this value; written when it is first seen. */
	RAW_KEY,
	/* u = number of instructions begun. The end of the recording. A file without it is cut
	   short. */
	RAW_END
};

enum raw_counter { RAW_CNTPCT, RAW_CNTVCT };

#define RAW_MAX_BLOCK 4096
#define RAW_MAX_FRAMES 64
#define RAW_MAX_CPUS 8

#endif
