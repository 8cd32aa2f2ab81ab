/* SPDX-License-Identifier: BSD-3-Clause */
/* The guest's workload. */
	.macro	func name
	.globl	\name
	.type	\name, %function
	.p2align 4
\name:
	.endm
	.macro	endfunc name
	.size	\name, . - \name
	.endm
	.macro	frame
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	.endm
	.macro	unframe
	ldp	x29, x30, [sp], #16
	ret
	.endm

	.text
func _start
	bl	main
	b	_start
endfunc _start
func main
	frame
1:	bl	fill_buffer
	bl	compute_checksum
	bl	multiply_matrix
	bl	write_result
	b	1b
endfunc main
func fill_buffer
	mov	x10, #40
1:	str	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc fill_buffer
func compute_checksum
	mov	x10, #60
1:	ldrb	w1, [x0], #1
	crc32b	w2, w2, w1
	tbz	x10, #1, 2f
	eor	w2, w2, w1
2:	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc compute_checksum
func multiply_matrix
	frame
	mov	x11, #8
1:	bl	dot_product
	sub	x11, x11, #1
	cbnz	x11, 1b
	unframe
endfunc multiply_matrix
func dot_product
	mov	x10, #8
1:	ldr	x1, [x0], #8
	madd	x2, x1, x3, x2
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc dot_product
func write_result
	mov	x8, #64
	svc	#0
	ret
endfunc write_result
