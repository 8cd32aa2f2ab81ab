/* SPDX-License-Identifier: BSD-3-Clause */
/* What bare.S and nested.S have in common; each expands the parts where they lie in its layout. */

	.macro	vector target
	.balign	0x80
	b	\target
	.endm

/* Some kernel work with a stack frame. */
	.macro	kernel_work
#ifdef SECOND
	.type	padding, %function
padding: .rept	7
	nop
	.endr
	ret
	.size	padding, . - padding
#endif

	.type	account, %function
account:
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	mov	x1, #40
1:	add	x25, x25, x1
	subs	x1, x1, #1
	b.ne	1b
#ifdef SECOND
	bl	padding
#endif
	ldp	x29, x30, [sp], #16
	ret
	.size	account, . - account
	.endm

/* The second process: it does STEPS between two calls of the kernel. */
	.macro	second_process steps
	.balign	64
	.type	second, %function
second:	mov	x13, #1
1:	mov	x11, #\steps
2:	ror	x13, x13, #7
	add	x13, x13, x11
	bl	mix
	subs	x11, x11, #1
	b.ne	2b
	tbz	x13, #3, 3f
	ldr	x14, =DEVICE
	str	w13, [x14]
3:	svc	#0
	b	1b
	.size	second, . - second

	.type	mix, %function
mix:	eor	x13, x13, x13, lsr #11
#ifdef SECOND
	mul	x13, x13, x13
#endif
	ret
	.size	mix, . - mix
	.endm

	.macro	kernel_stack
	.bss
	.balign	16
	.space	0x1000
stack_top:
	.endm
