// SPDX-License-Identifier: BSD-3-Clause
/*
 * A hypervisor without an operating system, itself a guest (L1): runs at virtual EL2 (VHE,
 * translation off) and at its EL0, linked at 0x400000 as its guests (nested.S) are.  Each of its
 * vCPUs runs two L2 by turns: it switches at each tick of its EL2 timer, and when one waits for an
 * interrupt.  Stores to the L2's device are looked at by "user" code at L1's EL0, as a VMM would.
 */
#include <stddef.h>
#include <stdint.h>

#include "nested.h"

#define TICK 12500 /* of 16 ns */
#define TIMER_INTID 26
#define L2_INTID 27

#define read_sysreg(name)                                                                          \
	({                                                                                         \
		uint64_t v_;                                                                       \
		__asm__ volatile("mrs %0, " #name : "=r"(v_));                                     \
		v_;                                                                                \
	})
#define write_sysreg(name, value)                                                                  \
	__asm__ volatile("msr " #name ", %0" : : "r"((uint64_t)(value)) : "memory")
#define isb() __asm__ volatile("isb" : : : "memory")

#define SCTLR_EL12 S3_5_C1_C0_0
#define CPACR_EL12 S3_5_C1_C0_2
#define SPSR_EL12 S3_5_C4_C0_0
#define ELR_EL12 S3_5_C4_C0_1
#define ESR_EL12 S3_5_C5_C2_0
#define VBAR_EL12 S3_5_C12_C0_0
#define CONTEXTIDR_EL12 S3_5_C13_C0_1
#define CONTEXTIDR_EL2 S3_4_C13_C0_1
#define ICC_PMR_EL1 S3_0_C4_C6_0
#define ICC_IAR1_EL1 S3_0_C12_C12_0
#define ICC_EOIR1_EL1 S3_0_C12_C12_1
#define ICC_IGRPEN1_EL1 S3_0_C12_C12_7
#define ICH_AP1R0_EL2 S3_4_C12_C9_0
#define ICH_HCR_EL2 S3_4_C12_C11_0
#define ICH_VMCR_EL2 S3_4_C12_C11_7
#define ICH_LR0_EL2 S3_4_C12_C12_0
#define read_(name) read_sysreg(name)
#define write_(name, value) write_sysreg(name, value)

#define HCR_VM (1ull << 0)
#define HCR_FMO (1ull << 3)
#define HCR_IMO (1ull << 4)
#define HCR_AMO (1ull << 5)
#define HCR_TWI (1ull << 13)
#define HCR_TGE (1ull << 27)
#define HCR_RW (1ull << 31)
#define HCR_E2H (1ull << 34)
#define HCR_L2 (HCR_VM | HCR_FMO | HCR_IMO | HCR_AMO | HCR_RW | HCR_E2H)

enum exit_kind { EXIT_SYNC, EXIT_IRQ };

struct l2 {
	uint64_t x[31]; /* first: the assembly below knows their places */
	uint64_t elr, spsr, hcr, vttbr, cntvoff;
	uint64_t sp_el0, sp_el1, el1[8];
	uint64_t lr, vmcr, ap1r0;
	uint64_t number;
	int pending, waiting, done;
};

static struct l2 guests[L2_COUNT];
static uint64_t tables[L2_COUNT][2][512] __attribute__((aligned(4096)));
unsigned char stacks[L1_CPUS][0x4000] __attribute__((aligned(16)));

/* Enters what ELR_EL2 and SPSR_EL2 say with x0 to x30 of *g; returns how it came back. */
enum exit_kind enter(struct l2 *g);

__asm__(".section .text.start, \"ax\"\n"
	"	.global _start\n"
	"_start:	ldr	x1, =vectors\n"
	"	msr	vbar_el2, x1\n"
	"	ldr	x1, =stacks + 0x4000\n"
	"	add	x1, x1, x0, lsl #14\n"
	"	mov	sp, x1\n"
	"	mov	x29, #0\n"
	"	isb\n"
	"	bl	run\n"
	"	b	.\n"
	".text\n"
	"	.type enter, %function\n"
	"enter:	stp	x29, x30, [sp, #-96]!\n"
	"	mov	x29, sp\n"
	"	stp	x19, x20, [sp, #16]\n"
	"	stp	x21, x22, [sp, #32]\n"
	"	stp	x23, x24, [sp, #48]\n"
	"	stp	x25, x26, [sp, #64]\n"
	"	stp	x27, x28, [sp, #80]\n"
	"	msr	tpidr_el2, x0\n"
	"	ldp	x2, x3, [x0, #16]\n"
	"	ldp	x4, x5, [x0, #32]\n"
	"	ldp	x6, x7, [x0, #48]\n"
	"	ldp	x8, x9, [x0, #64]\n"
	"	ldp	x10, x11, [x0, #80]\n"
	"	ldp	x12, x13, [x0, #96]\n"
	"	ldp	x14, x15, [x0, #112]\n"
	"	ldp	x16, x17, [x0, #128]\n"
	"	ldp	x18, x19, [x0, #144]\n"
	"	ldp	x20, x21, [x0, #160]\n"
	"	ldp	x22, x23, [x0, #176]\n"
	"	ldp	x24, x25, [x0, #192]\n"
	"	ldp	x26, x27, [x0, #208]\n"
	"	ldp	x28, x29, [x0, #224]\n"
	"	ldr	x30, [x0, #240]\n"
	"	ldp	x0, x1, [x0]\n"
	"	eret\n"
	"	.size enter, . - enter\n"
	"	.type leave, %function\n"
	"leave:	stp	x2, x3, [x0, #16]\n"
	"	stp	x4, x5, [x0, #32]\n"
	"	stp	x6, x7, [x0, #48]\n"
	"	stp	x8, x9, [x0, #64]\n"
	"	stp	x10, x11, [x0, #80]\n"
	"	stp	x12, x13, [x0, #96]\n"
	"	stp	x14, x15, [x0, #112]\n"
	"	stp	x16, x17, [x0, #128]\n"
	"	stp	x18, x19, [x0, #144]\n"
	"	stp	x20, x21, [x0, #160]\n"
	"	stp	x22, x23, [x0, #176]\n"
	"	stp	x24, x25, [x0, #192]\n"
	"	stp	x26, x27, [x0, #208]\n"
	"	stp	x28, x29, [x0, #224]\n"
	"	str	x30, [x0, #240]\n"
	"	ldp	x2, x3, [sp], #16\n"
	"	stp	x2, x3, [x0]\n"
	"	mov	x0, x1\n"
	"	ldp	x19, x20, [sp, #16]\n"
	"	ldp	x21, x22, [sp, #32]\n"
	"	ldp	x23, x24, [sp, #48]\n"
	"	ldp	x25, x26, [sp, #64]\n"
	"	ldp	x27, x28, [sp, #80]\n"
	"	ldp	x29, x30, [sp], #96\n"
	"	ret\n"
	"	.size leave, . - leave\n"
	"	.type user_look, %function\n"
	"user_look:\n" /* EL0, without a stack: x0 = a value */
	"	mov	x1, #50\n"
	"1:	eor	x0, x0, x0, lsl #7\n"
	"	add	x0, x0, x1\n"
	"	subs	x1, x1, #1\n"
	"	b.ne	1b\n"
	"	svc	#0\n"
	"	b	user_look\n"
	"	.size user_look, . - user_look\n"
	"	.macro from_below kind\n"
	"	.balign 0x80\n"
	"	stp	x0, x1, [sp, #-16]!\n"
	"	mrs	x0, tpidr_el2\n"
	"	mov	x1, #\\kind\n"
	"	b	leave\n"
	"	.endm\n"
	"	.macro fatal\n"
	"	.balign 0x80\n"
	"	mrs	x0, esr_el2\n"
	"	b	fail\n"
	"	.endm\n"
	"	.balign 0x800\n"
	"	.type vectors, %function\n"
	"vectors:\n"
	"	.rept 8\n"
	"	fatal\n"
	"	.endr\n"
	"	from_below 0\n"
	"	from_below 1\n"
	"	.rept 6\n"
	"	fatal\n"
	"	.endr\n"
	"	.balign 0x80\n"
	"	.size vectors, . - vectors\n");

extern const char user_look[];

static void device_write(uint64_t address, uint32_t value)
{
	__asm__ volatile("str %w0, [%1]" : : "r"(value), "r"(address) : "memory");
}

static uint32_t device_read(uint64_t address)
{
	uint32_t value;

	__asm__ volatile("ldr %w0, [%1]" : "=r"(value) : "r"(address) : "memory");
	return value;
}

__attribute__((noreturn, used)) void fail(uint64_t syndrome)
{
	for (;;)
		device_write(DEVICE_FAILED, (uint32_t)syndrome);
}

/* ---- set-up ---- */

static void start_gic(unsigned cpu)
{
	uint64_t redistributor = GICR_BASE + cpu * GICR_SIZE, private = redistributor + 0x10000;

	device_write(GICD_BASE, 0x12); /* affinity routing, group 1 */
	device_write(redistributor + 0x14, device_read(redistributor + 0x14) & ~2u); /* wake */
	device_write(private + 0x80, ~0u);					     /* group 1 */
	device_write(private + 0x100, 1u << TIMER_INTID);
	write_(ICC_PMR_EL1, 0xff);
	write_(ICC_IGRPEN1_EL1, 1);
	isb();
}

/* Stage 2: a block of L1's memory at GUEST_BASE, nothing else. */
static void map(struct l2 *g)
{
	uint64_t(*t)[512] = tables[g->number];

	t[0][0] = (uintptr_t)t[1] | 3;
	t[1][GUEST_BASE / L2_SIZE] =
		L2_MEMORY(g->number) | 1ull << 10 | 3ull << 8 | 3ull << 6 | 0xfull << 2 | 1;
	g->vttbr = (uintptr_t)t[0] | (g->number + 1) << 48;
}

static void create(unsigned number)
{
	struct l2 *g = &guests[number];

	g->number = number;
	map(g);
	g->x[0] = number;
	g->elr = GUEST_BASE;
	g->spsr = 0x3c5;
	/* Of every second one WFI traps to L1; of the others, L0 waits. */
	g->hcr = HCR_L2 | (number % L2_PER_CPU ? 0 : HCR_TWI);
	g->cntvoff = (number + 1) * 1000000;
	g->el1[0] = 0x30d00800; /* SCTLR_EL1: translation off */
}

/* ---- L2's registers ---- */

static void load(struct l2 *g)
{
	write_(CONTEXTIDR_EL2, L1_THREAD(g->number));
	write_(hcr_el2, g->hcr);
	write_(vttbr_el2, g->vttbr);
	write_(cntvoff_el2, g->cntvoff);
	write_(SCTLR_EL12, g->el1[0]);
	write_(CPACR_EL12, g->el1[1]);
	write_(SPSR_EL12, g->el1[2]);
	write_(ELR_EL12, g->el1[3]);
	write_(ESR_EL12, g->el1[4]);
	write_(VBAR_EL12, g->el1[5]);
	write_(CONTEXTIDR_EL12, g->el1[6]);
	write_(sp_el0, g->sp_el0);
	write_(sp_el1, g->sp_el1);
	write_(ICH_VMCR_EL2, g->vmcr);
	write_(ICH_AP1R0_EL2, g->ap1r0);
	write_(ICH_LR0_EL2, g->lr);
	write_(ICH_HCR_EL2, 1);
}

static void save(struct l2 *g)
{
	g->el1[0] = read_(SCTLR_EL12);
	g->el1[1] = read_(CPACR_EL12);
	g->el1[2] = read_(SPSR_EL12);
	g->el1[3] = read_(ELR_EL12);
	g->el1[4] = read_(ESR_EL12);
	g->el1[5] = read_(VBAR_EL12);
	g->el1[6] = read_(CONTEXTIDR_EL12);
	g->sp_el0 = read_(sp_el0);
	g->sp_el1 = read_(sp_el1);
	g->vmcr = read_(ICH_VMCR_EL2);
	g->ap1r0 = read_(ICH_AP1R0_EL2);
	g->lr = read_(ICH_LR0_EL2);
}

/* ---- exits ---- */

/* L1's "VMM": at EL0, in the context of the thread whose L2 stored the value. */
static void look(struct l2 *g, uint64_t value)
{
	static struct l2 user[L2_COUNT];
	struct l2 *u = &user[g->number];

	u->x[0] = value;
	write_(hcr_el2, HCR_TGE | HCR_E2H | HCR_RW);
	write_(elr_el2, (uintptr_t)user_look);
	write_(spsr_el2, 0x3c0);
	isb();
	if (enter(u) != EXIT_SYNC || read_(esr_el2) >> 26 != 0x15)
		fail(read_(esr_el2));
	write_(hcr_el2, g->hcr);
	isb();
}

static void on_store(struct l2 *g, uint64_t syndrome)
{
	unsigned reg = syndrome >> 16 & 31;

	if (!(syndrome >> 24 & 1) || !(syndrome >> 6 & 1))
		fail(syndrome);
	g->elr += 4;
	look(g, reg == 31 ? 0 : g->x[reg]);
}

static void on_sync(struct l2 *g)
{
	uint64_t syndrome = read_(esr_el2);

	switch (syndrome >> 26 & 63) {
	case 0x01: /* WFI */
		g->elr += 4;
		g->waiting = 1;
		break;
	case 0x16: /* HVC */
		g->done |= (syndrome & 0xffff) == 1;
		if ((syndrome & 0xffff) > 1)
			fail(syndrome);
		break;
	case 0x24:
		on_store(g, syndrome);
		break;
	default:
		fail(syndrome);
	}
}

static void start_timer(void)
{
	write_(cnthp_tval_el2, TICK);
	write_(cnthp_ctl_el2, 1);
	isb();
}

static void on_interrupt(struct l2 *mine)
{
	uint64_t intid = read_(ICC_IAR1_EL1);

	if (intid == TIMER_INTID) {
		start_timer();
		for (unsigned i = 0; i < L2_PER_CPU; i++)
			mine[i].pending = 1;
	}
	if (intid < 1020)
		write_(ICC_EOIR1_EL1, intid);
}

static void inject(struct l2 *g)
{
	if (!g->pending || g->lr >> 62)
		return;
	g->lr = 1ull << 62 | 1ull << 60 | 0x80ull << 48 | L2_INTID;
	g->pending = 0;
	g->waiting = 0;
}

static struct l2 *choose(struct l2 *mine, struct l2 *last, int turn)
{
	for (unsigned i = 0; i < L2_PER_CPU; i++)
		inject(&mine[i]);
	if (!turn && !last->waiting && !last->done)
		return last;
	for (unsigned i = 1; i <= L2_PER_CPU; i++) {
		struct l2 *g = &mine[(size_t)(last - mine + i) % L2_PER_CPU];

		if (!g->waiting && !g->done)
			return g;
	}
	return NULL;
}

__attribute__((used)) void run(uint64_t cpu)
{
	struct l2 *mine = &guests[cpu * L2_PER_CPU], *g = mine, *next;
	enum exit_kind kind;

	start_gic((unsigned)cpu);
	for (unsigned i = 0; i < L2_PER_CPU; i++)
		create((unsigned)cpu * L2_PER_CPU + i);
	write_(cptr_el2, 3ull << 20); /* VHE's format: floating point does not trap */
	write_(vtcr_el2, 1u << 31 | 1u << 16 | 3u << 12 | 1u << 10 | 1u << 8 | 1u << 6 | 32);
	write_(vmpidr_el2, read_(mpidr_el1));
	write_(vpidr_el2, read_(midr_el1));
	write_(hcr_el2, HCR_L2);
	start_timer();
	load(g);
	for (;;) {
		write_(elr_el2, g->elr);
		write_(spsr_el2, g->spsr);
		write_(ICH_LR0_EL2, g->lr);
		isb();
		kind = enter(g);
		g->elr = read_(elr_el2);
		g->spsr = read_(spsr_el2);
		g->lr = read_(ICH_LR0_EL2);
		if (kind == EXIT_IRQ)
			on_interrupt(mine);
		else
			on_sync(g);
		next = choose(mine, g, kind == EXIT_IRQ);
		while (!next && !(mine[0].done && mine[1].done)) {
			__asm__ volatile("wfi" : : : "memory");
			on_interrupt(mine);
			next = choose(mine, g, 1);
		}
		if (!next)
			break;
		if (next != g) {
			save(g);
			load(next);
		}
		g = next;
	}
	device_write(DEVICE_END, 0);
}
