/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A guest without an operating system and without translation, linked at 0x400000: a kernel at EL1
 * and two processes at EL0, named by CONTEXTIDR_EL1 (200 + 10 * number, and one more). A process works,
 * stores to the device, which takes it from EL0 to the VMM and straight back to EL0, and calls the
 * kernel, which switches to the other. SECOND makes another layout of the same program: the same
 * addresses, other code.
 */
#include "device.h"
#include "shared.S"

	.text
	.global	_start
_start:	mov	x19, x0			/* number */
	ldr	x1, =vectors
	msr	vbar_el1, x1
	mov	x1, #3 << 20
	msr	cpacr_el1, x1
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
	mov	x1, #0x3c0		/* EL0t, all masked */
	msr	spsr_el1, x1
	bl	account
	eret
	.size	dispatch, . - dispatch

	kernel_work

	.type	called, %function
called:	subs	x22, x22, #1
	b.eq	finish
	mrs	x1, elr_el1
	mov	x23, x24		/* the other goes on, this one later behind its SVC */
	mov	x24, x1
	eor	x21, x21, #1
	b	dispatch
	.size	called, . - called

finish:	ldr	x1, =DEVICE
	str	wzr, [x1, #8]
	b	finish

	.type	unexpected, %function
unexpected:
	b	finish
	.size	unexpected, . - unexpected

	.balign	0x800
	.type	vectors, %function
vectors:
	.rept	8
	vector	unexpected
	.endr
	vector	called
	.rept	7
	vector	unexpected
	.endr
	.size	vectors, . - vectors

/* ---- EL0; x8 to x15 are the processes' ---- */
	.type	first, %function
first:	mov	x8, #0
	mov	x12, #0
1:	mov	x9, #300
2:	add	x8, x8, x9
	eor	x8, x8, x8, lsl #5
	subs	x9, x9, #1
	b.ne	2b
	ldr	x10, =DEVICE
	str	w8, [x10]
	fmov	d0, x8			/* floating point traps once per entry */
	fadd	d0, d0, d0
	add	x12, x12, #1
	cmp	x12, #READY_AFTER
	b.ne	3f
	cbnz	x19, 4f
	movz	xzr, #0xc510
	b	3f
4:	movz	xzr, #0xc511
3:	svc	#0
	b	1b
	.size	first, . - first

	second_process steps=200

	.ltorg
	kernel_stack
