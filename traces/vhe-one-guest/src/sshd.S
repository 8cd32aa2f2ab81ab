/* SPDX-License-Identifier: BSD-3-Clause */
/* A host process that has nothing to do with the guest. */
	.macro	func name
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.endm
	.macro	endfunc name
	.size	\name, . - \name
	.endm

	.text
func _start
	bl	server_loop2
	b	_start
endfunc _start
func server_loop2
	stp	x29, x30, [sp, #-16]!
1:	bl	wait_until_can_do_something
	bl	process_input
	bl	process_output
	b	1b
endfunc server_loop2
func wait_until_can_do_something
	mov	x8, #73
	svc	#0
	ret
endfunc wait_until_can_do_something
func process_input
	stp	x29, x30, [sp, #-16]!
	mov	x8, #63
	svc	#0
	bl	cipher_crypt
	ldp	x29, x30, [sp], #16
	ret
endfunc process_input
func process_output
	stp	x29, x30, [sp, #-16]!
	bl	cipher_crypt
	mov	x8, #64
	svc	#0
	ldp	x29, x30, [sp], #16
	ret
endfunc process_output
func cipher_crypt
	mov	x10, #64
1:	ldp	x1, x2, [x0], #16
	eor	x1, x1, x2
	tbz	x10, #0, 2f
	ror	x1, x1, #7
2:	str	x1, [x3], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc cipher_crypt
