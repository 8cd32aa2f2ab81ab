/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A guest of a guest (L2), without translation, linked at 0x400000: a kernel at EL1 and two
 * processes at EL0, named by CONTEXTIDR_EL1 (200 + 10 * number, and one more).  A process works,
 * stores to a device that L1 emulates, and calls the kernel, which switches to the other, now and
 * then calls L1, and now and then waits for an interrupt.  Interrupts come at EL0 from L1 through
 * the virtual CPU interface.  SECOND makes another layout: the same addresses, other code.
 */
#include "device.h"
#include "shared.S"

#define ICC_PMR_EL1 S3_0_C4_C6_0
#define ICC_IAR1_EL1 S3_0_C12_C12_0
#define ICC_EOIR1_EL1 S3_0_C12_C12_1
#define ICC_IGRPEN1_EL1 S3_0_C12_C12_7

	.text
	.global	_start
_start:	mov	x19, x0			/* number */
	ldr	x1, =vectors
	msr	vbar_el1, x1
	mov	x1, #3 << 20
	msr	cpacr_el1, x1
	mov	x1, #0xff
	msr	ICC_PMR_EL1, x1
	mov	x1, #1
	msr	ICC_IGRPEN1_EL1, x1
	isb
	ldr	x1, =stack_top
	mov	sp, x1
	mov	x20, #10
	mul	x20, x20, x19
	add	x20, x20, #200		/* CONTEXTIDR_EL1 of the first process */
	mov	x21, #0			/* which of them runs */
	ldr	x22, =ROUNDS
	ldr	x23, =first
	ldr	x24, =second
	/* fall through */

/* Runs the process that stands in x23. */
	.type	dispatch, %function
dispatch:
	add	x1, x20, x21
	msr	contextidr_el1, x1
	isb
	msr	elr_el1, x23
	msr	spsr_el1, xzr		/* EL0t, interrupts come */
	bl	account
	eret
	.size	dispatch, . - dispatch

	kernel_work

	.type	called, %function
called:	subs	x22, x22, #1
	b.eq	finish
	mrs	x1, elr_el1
	mov	x23, x24		/* the other goes on, this one later after its SVC */
	mov	x24, x1
	eor	x21, x21, #1
	tst	x22, #1
	b.ne	1f
	hvc	#0
1:	tst	x22, #3
	b.ne	dispatch
	wfi
	b	dispatch
	.size	called, . - called

/* Only x1 and x2 are the kernel's at any place of a process. */
	.type	interrupted, %function
interrupted:
	mrs	x1, ICC_IAR1_EL1
	msr	ICC_EOIR1_EL1, x1
	mov	x2, #30
1:	add	x26, x26, x2
	subs	x2, x2, #1
	b.ne	1b
	eret
	.size	interrupted, . - interrupted

finish:	hvc	#1
	b	finish

	.type	unexpected, %function
unexpected:
	hvc	#2
	b	unexpected
	.size	unexpected, . - unexpected

	.balign	0x800
	.type	vectors, %function
vectors:
	.rept	8
	vector	unexpected
	.endr
	vector	called
	vector	interrupted
	.rept	6
	vector	unexpected
	.endr
	.size	vectors, . - vectors

/* ---- EL0; x8 to x15 are the processes' ---- */
	.type	first, %function
first:	mov	x8, #0
	mov	x12, #0
1:	mov	x9, #1000
2:	add	x8, x8, x9
	eor	x8, x8, x8, lsl #5
	tbz	x8, #3, 5f
	ror	x8, x8, #3
5:	subs	x9, x9, #1
	b.ne	2b
	ldr	x10, =DEVICE
	str	w8, [x10]
	fmov	d0, x8			/* floating point traps */
	fadd	d0, d0, d0
	add	x12, x12, #1
	cmp	x12, #READY_AFTER
	b.ne	3f
	tbnz	x19, #1, 4f
	tbnz	x19, #0, 6f
	movz	xzr, #0xc510
	b	3f
6:	movz	xzr, #0xc511
	b	3f
4:	tbnz	x19, #0, 7f
	movz	xzr, #0xc512
	b	3f
7:	movz	xzr, #0xc513
3:	svc	#0
	b	1b
	.size	first, . - first

	second_process steps=700

	.ltorg
	kernel_stack
