/* SPDX-License-Identifier: BSD-3-Clause */
/* A VMM in the shape of QEMU: the vCPU thread's loop, device emulation, the main loop. */
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
	bl	main_loop
	b	_start
endfunc _start

func kvm_vcpu_thread_fn
	frame
1:	bl	kvm_cpu_exec
	bl	qemu_wait_io_event
	b	1b
endfunc kvm_vcpu_thread_fn
func kvm_cpu_exec
	frame
1:	bl	kvm_arch_pre_run
	bl	kvm_vcpu_ioctl_run
	bl	kvm_arch_post_run
	bl	kvm_handle_mmio
	b	1b
endfunc kvm_cpu_exec
func kvm_arch_pre_run
	ldr	x1, [x0, #8]
	ret
endfunc kvm_arch_pre_run
func kvm_arch_post_run
	str	x1, [x0, #8]
	ret
endfunc kvm_arch_post_run
func kvm_vcpu_ioctl_run
	mov	x8, #29
	svc	#0
	ret
endfunc kvm_vcpu_ioctl_run
func kvm_handle_mmio
	frame
	bl	address_space_rw
	unframe
endfunc kvm_handle_mmio
func address_space_rw
	frame
	bl	flatview_translate
	ldr	x9, [x0, #24]
	blr	x9
	unframe
endfunc address_space_rw
func flatview_translate
	mov	x10, #9
1:	ldr	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc flatview_translate
func virtio_mmio_write
	frame
	mov	x11, #3
1:	bl	virtqueue_pop
	sub	x11, x11, #1
	cbnz	x11, 1b
	bl	qemu_notify_event
	unframe
endfunc virtio_mmio_write
func virtqueue_pop
	ldr	x1, [x0]
	ldr	x2, [x0, #8]
	cbz	x23, 1f
	add	x2, x2, x1
1:	str	x2, [x0, #16]
	ret
endfunc virtqueue_pop
func qemu_notify_event
	mov	x8, #64
	svc	#0
	ret
endfunc qemu_notify_event
func qemu_wait_io_event
	ret
endfunc qemu_wait_io_event

func main_loop
	frame
1:	bl	main_loop_wait
	b	1b
endfunc main_loop
func main_loop_wait
	frame
	bl	os_host_main_loop_wait
	bl	qemu_clock_run_all_timers
	unframe
endfunc main_loop_wait
func os_host_main_loop_wait
	mov	x8, #73
	svc	#0
	ret
endfunc os_host_main_loop_wait
func qemu_clock_run_all_timers
	frame
	mov	x11, #4
1:	bl	timerlist_run_timers
	sub	x11, x11, #1
	cbnz	x11, 1b
	unframe
endfunc qemu_clock_run_all_timers
func timerlist_run_timers
	mov	x10, #3
1:	ldr	x1, [x0], #8
	sub	x10, x10, #1
	cbnz	x10, 1b
	ret
endfunc timerlist_run_timers
