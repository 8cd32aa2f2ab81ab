/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A host kernel in the shape of Linux on VHE: enough functions, under Linux's names, to
 * take system calls and interrupts, switch tasks and run a vCPU.  It is walked, not
 * booted: make.c executes MOV, ADD, SUB, CBZ, CBNZ, TBZ, TBNZ and B.EQ/NE, steers it
 * through the registers x20..x28 and says where the indirect branches lead.
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
	b	primary_entry
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
	ventry	el1h_64_sync
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

	.p2align 11
func __kvm_hyp_vector
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el1_sync
	ventry	el1_irq
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	ventry	el2t_invalid
	.p2align 7
endfunc __kvm_hyp_vector

func el2t_invalid
	b	el2t_invalid
endfunc el2t_invalid
func bad_mode
	b	bad_mode
endfunc bad_mode

func el1_sync
	stp	x0, x1, [sp, #-16]!
	mrs	x0, esr_el2
	lsr	x0, x0, #26
	mov	x1, #1
	b	__guest_exit
endfunc el1_sync

func el1_irq
	stp	x0, x1, [sp, #-16]!
	mov	x1, #0
	b	__guest_exit
endfunc el1_irq

func __guest_enter
	stp	x29, x30, [x0, #64]
	ldp	x2, x3, [x0]
	msr	elr_el2, x2
	msr	spsr_el2, x3
	ldp	x4, x5, [x0, #16]
	eret
endfunc __guest_enter

func __guest_exit
	stp	x2, x3, [x1]
	stp	x4, x5, [x1, #16]
	ldp	x29, x30, [x1, #64]
	mov	x0, x1
	dsb	sy
	isb
	ret
endfunc __guest_exit

func el1h_64_irq
	frame
	bl	el1h_64_irq_handler
	ldp	x29, x30, [sp], #16
	msr	elr_el2, x21
	eret
endfunc el1h_64_irq
func el1h_64_sync
	b	bad_mode
endfunc el1h_64_sync
func el1h_64_irq_handler
	frame
	bl	gic_handle_irq
	unframe
endfunc el1h_64_irq_handler

func el0t_64_sync
	frame
	bl	el0t_64_sync_handler
	b	ret_to_user
endfunc el0t_64_sync
func el0t_64_irq
	frame
	bl	el0t_64_irq_handler
	b	ret_to_user
endfunc el0t_64_irq
func ret_to_user
	ldp	x29, x30, [sp], #16
	msr	elr_el2, x21
	msr	spsr_el2, x22
	eret
endfunc ret_to_user

func el0t_64_sync_handler
	frame
	mrs	x1, esr_el2
	bl	el0_svc
	unframe
endfunc el0t_64_sync_handler
func el0t_64_irq_handler
	frame
	bl	gic_handle_irq
	cbz	x26, 1f
	bl	schedule
1:	unframe
endfunc el0t_64_irq_handler

func el0_svc
	frame
	bl	do_el0_svc
	unframe
endfunc el0_svc
func do_el0_svc
	frame
	bl	invoke_syscall
	unframe
endfunc do_el0_svc
func invoke_syscall
	frame
	adrp	x9, sys_call_table
	ldr	x9, [x9, #232]
	blr	x9
	unframe
endfunc invoke_syscall

func __arm64_sys_ioctl
	frame
	bl	fdget
	ldr	x9, [x0, #80]
	blr	x9
	unframe
endfunc __arm64_sys_ioctl
func __arm64_sys_ppoll
	frame
	bl	do_sys_poll
	unframe
endfunc __arm64_sys_ppoll
func __arm64_sys_read
	frame
	bl	fdget
	bl	vfs_read
	unframe
endfunc __arm64_sys_read
func __arm64_sys_write
	frame
	bl	fdget
	bl	vfs_write
	unframe
endfunc __arm64_sys_write

func fdget
	ldr	x0, [x0]
	cbz	x23, 1f
	add	x0, x0, #8
1:	ret
endfunc fdget
func vfs_read
	frame
	mov	x10, #12
1:	ldr	x1, [x0], #8
	str	x1, [x2], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	unframe
endfunc vfs_read
func vfs_write
	frame
	mov	x10, #7
1:	ldr	x1, [x0], #8
	str	x1, [x2], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	unframe
endfunc vfs_write
func do_sys_poll
	frame
	mov	x11, #5
1:	bl	fdget
	sub	x11, x11, #1
	cbnz	x11, 1b
	cbz	x26, 2f
	bl	schedule
2:	unframe
endfunc do_sys_poll

func kvm_vcpu_ioctl
	frame
	bl	mutex_lock_killable
	bl	kvm_arch_vcpu_ioctl_run
	bl	mutex_unlock
	unframe
endfunc kvm_vcpu_ioctl
func mutex_lock_killable
	ldxr	x1, [x0]
	stxr	w2, x3, [x0]
	ret
endfunc mutex_lock_killable
func mutex_unlock
	stlr	x1, [x0]
	ret
endfunc mutex_unlock

func kvm_arch_vcpu_load
	frame
	msr	vttbr_el2, x1
	msr	cntvoff_el2, x2
	isb
	unframe
endfunc kvm_arch_vcpu_load
func kvm_arch_vcpu_put
	frame
	msr	cntvoff_el2, xzr
	isb
	unframe
endfunc kvm_arch_vcpu_put

func kvm_arch_vcpu_ioctl_run
	frame
	bl	kvm_arch_vcpu_load
1:	bl	kvm_vgic_flush_hwstate
	bl	kvm_arm_vcpu_enter_exit
	bl	kvm_vgic_sync_hwstate
	bl	handle_exit
	cbz	x24, 1b
	bl	kvm_arch_vcpu_put
	unframe
endfunc kvm_arch_vcpu_ioctl_run

func kvm_vgic_flush_hwstate
	mov	x10, #4
1:	ldr	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc kvm_vgic_flush_hwstate
func kvm_vgic_sync_hwstate
	mov	x10, #3
1:	str	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc kvm_vgic_sync_hwstate

func kvm_arm_vcpu_enter_exit
	frame
	bl	__kvm_vcpu_run
	unframe
endfunc kvm_arm_vcpu_enter_exit
func __kvm_vcpu_run
	frame
	bl	__activate_traps
1:	bl	__guest_enter
	bl	fixup_guest_exit
	cbnz	x25, 1b
	bl	__deactivate_traps
	unframe
endfunc __kvm_vcpu_run
func __activate_traps
	msr	hcr_el2, x1
	msr	vbar_el2, x2
	isb
	ret
endfunc __activate_traps
func __deactivate_traps
	msr	hcr_el2, x1
	msr	vbar_el2, x2
	isb
	ret
endfunc __deactivate_traps
func fixup_guest_exit
	frame
	cbz	x25, 1f
	bl	kvm_hyp_handle_fpsimd
1:	unframe
endfunc fixup_guest_exit
func kvm_hyp_handle_fpsimd
	ldp	q0, q1, [x0]
	ldp	q2, q3, [x0, #32]
	isb
	ret
endfunc kvm_hyp_handle_fpsimd

func handle_exit
	frame
	cbz	x27, 1f
	bl	kvm_handle_guest_abort
	b	2f
1:	cbz	x28, 2f
	bl	kvm_handle_wfx
2:	cbz	x26, 3f
	bl	schedule
3:	unframe
endfunc handle_exit
func kvm_handle_guest_abort
	frame
	bl	io_mem_abort
	unframe
endfunc kvm_handle_guest_abort
func io_mem_abort
	ldr	x1, [x0, #16]
	str	x1, [x0, #24]
	ret
endfunc io_mem_abort
func kvm_handle_wfx
	frame
	bl	kvm_vcpu_halt
	unframe
endfunc kvm_handle_wfx
func kvm_vcpu_halt
	ldr	x1, [x0]
	ret
endfunc kvm_vcpu_halt

func gic_handle_irq
	frame
	mrs	x1, s3_0_c12_c12_0
	ldr	x9, [x1]
	blr	x9
	msr	s3_0_c12_c12_1, x1
	unframe
endfunc gic_handle_irq
func arch_timer_handler_phys
	frame
	bl	hrtimer_interrupt
	unframe
endfunc arch_timer_handler_phys
func hrtimer_interrupt
	frame
	bl	scheduler_tick
	unframe
endfunc hrtimer_interrupt
func scheduler_tick
	mov	x10, #6
1:	ldr	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc scheduler_tick

func schedule
	frame
	bl	pick_next_task_fair
	bl	context_switch
	unframe
endfunc schedule
func pick_next_task_fair
	mov	x10, #5
1:	ldr	x1, [x0, #8]
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc pick_next_task_fair
func context_switch
	frame
	cbz	x20, 1f
	bl	kvm_sched_out
1:	bl	__switch_to
	bl	finish_task_switch
	unframe
endfunc context_switch
func __switch_to
	frame
	bl	contextidr_thread_switch
	bl	cpu_switch_to
	unframe
endfunc __switch_to
func contextidr_thread_switch
	ldr	w1, [x0, #1480]
	msr	contextidr_el1, x1
	isb
	ret
endfunc contextidr_thread_switch
func cpu_switch_to
	stp	x19, x20, [x8], #16
	stp	x29, x9, [x8], #16
	ldp	x19, x20, [x8], #16
	ldp	x29, x9, [x8], #16
	mov	sp, x9
	ret
endfunc cpu_switch_to
func finish_task_switch
	frame
	cbz	x20, 1f
	bl	kvm_sched_in
1:	unframe
endfunc finish_task_switch
func kvm_sched_out
	frame
	bl	kvm_arch_vcpu_put
	unframe
endfunc kvm_sched_out
func kvm_sched_in
	frame
	bl	kvm_arch_vcpu_load
	unframe
endfunc kvm_sched_in
	.globl	_etext
_etext:
	.section .rodata, "a"
	.globl	sys_call_table
sys_call_table:
	.quad	0
