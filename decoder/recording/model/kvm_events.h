/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * KVM's tracepoints of arm64 (arch/arm64/kvm/trace_arm.h), as perf record takes samples of them:
 *
 *	kvm:kvm_entry	vcpu_pc: the vCPU's PC as KVM has it, before it is about to enter the guest
 *	kvm:kvm_exit	ret: ARM_EXCEPTION_*, esr_ec: ESR_ELx.EC of a trap, vcpu_pc: the preferred
 *			return address of the exception that left the guest
 *	kvm:kvm_nested_eret, kvm:kvm_inject_nested_exception
 *			KVM emulates an ERET of a guest's vEL2, or an exception to it: the VM has
 *			guests.  Of those only the threads are read.
 *
 * Where these lie in the raw bytes the kernel that recorded them says
 * (recording/model/tracing_data.h); where the recording does not have its formats, nothing but who
 * reported them is known.
 */
#ifndef DECODER_RECORDING_MODEL_KVM_EVENTS_H
#define DECODER_RECORDING_MODEL_KVM_EVENTS_H

#include "recording/model/model.h"
#include "recording/model/tracing_data.h"

struct csg_kvm_format {
	bool known;
	uint64_t id; /* perf_event_attr.config */
	struct csg_tracepoint_field pc, ret, esr_ec;
};

struct csg_kvm_formats {
	struct csg_kvm_format entry, exit;
};

/* Takes what tracing data says of them; what it does not say stays unknown. */
void csg_kvm_formats_read(struct csg_kvm_formats *formats, const uint8_t *bytes, size_t len);

/*
 * What raw says, of a sample of the event with this name (EVENT_DESC's, with modifiers; may be
 * NULL) and config.  False: it is none of these.
 */
bool csg_kvm_event_read(const struct csg_kvm_formats *formats, const char *name, uint64_t config,
			const uint8_t *raw, size_t len, struct csg_kvm_event *event);

#endif
