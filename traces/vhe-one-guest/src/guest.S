/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A guest kernel in the shape of Linux, at the very addresses the host kernel has: which
 * of the two ran can't be told from an address.
 */
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
	.macro	ventry label
	.p2align 7
	b	\label
	.endm

	.section .head.text, "ax"
	.globl	_text
_text:
func primary_entry
	b	start_kernel
endfunc primary_entry

	.text
	.globl	_stext
_stext:
	.p2align 11
func vectors
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	ventry	el1h_64_irq
	ventry	bad_mode
	ventry	bad_mode
	ventry	el0t_64_sync
	ventry	el0t_64_irq
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	ventry	bad_mode
	.p2align 7
endfunc vectors
func bad_mode
	b	bad_mode
endfunc bad_mode

func start_kernel
	frame
	bl	setup_arch
	bl	mm_core_init
	bl	sched_init
	bl	rest_init
endfunc start_kernel
func setup_arch
	mov	x10, #20
1:	ldr	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc setup_arch
func mm_core_init
	mov	x10, #30
1:	stp	xzr, xzr, [x0], #16
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc mm_core_init
func sched_init
	mov	x10, #10
1:	str	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc sched_init
func rest_init
	frame
	bl	kernel_thread
	bl	cpu_startup_entry
endfunc rest_init
func kernel_thread
	ldr	x1, [x0]
	ret
endfunc kernel_thread
func cpu_startup_entry
	frame
1:	bl	do_idle
	b	1b
endfunc cpu_startup_entry
func do_idle
	frame
	bl	cpu_do_idle
	cbz	x26, 1f
	bl	schedule
1:	unframe
endfunc do_idle
func cpu_do_idle
	dsb	sy
	wfi
	ret
endfunc cpu_do_idle

func el1h_64_irq
	frame
	bl	gic_handle_irq
	ldp	x29, x30, [sp], #16
	eret
endfunc el1h_64_irq
func el0t_64_irq
	frame
	bl	gic_handle_irq
	b	ret_to_user
endfunc el0t_64_irq
func el0t_64_sync
	frame
	bl	el0_svc
	b	ret_to_user
endfunc el0t_64_sync
func ret_to_user
	ldp	x29, x30, [sp], #16
	msr	elr_el1, x21
	eret
endfunc ret_to_user

func gic_handle_irq
	frame
	mrs	x1, s3_0_c12_c12_0
	bl	arch_timer_handler_virt
	msr	s3_0_c12_c12_1, x1
	unframe
endfunc gic_handle_irq
func arch_timer_handler_virt
	frame
	bl	tick_sched_timer
	unframe
endfunc arch_timer_handler_virt
func tick_sched_timer
	mov	x10, #8
1:	ldr	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc tick_sched_timer

func el0_svc
	frame
	bl	invoke_syscall
	unframe
endfunc el0_svc
func invoke_syscall
	frame
	ldr	x9, [x9, #512]
	blr	x9
	unframe
endfunc invoke_syscall
func __arm64_sys_write
	frame
	bl	virtblk_queue_rq
	unframe
endfunc __arm64_sys_write
func virtblk_queue_rq
	frame
	mov	x10, #6
1:	str	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	bl	vm_notify
	unframe
endfunc virtblk_queue_rq
func vm_notify
	dmb	ish
	str	w1, [x0, #80]
	ret
endfunc vm_notify
func __arm64_sys_sched_yield
	frame
	bl	schedule
	unframe
endfunc __arm64_sys_sched_yield
func kernel_neon_begin
	fmov	d0, x0
	ret
endfunc kernel_neon_begin
func schedule
	frame
	bl	cpu_switch_to
	unframe
endfunc schedule
func cpu_switch_to
	ldp	x19, x20, [x8], #16
	ldp	x29, x9, [x8], #16
	mov	sp, x9
	ret
endfunc cpu_switch_to
	.globl	_etext
_etext:
