/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Owners: who ran a piece of the trace, and the evidence for saying so.
 *
 * Every part of an owner may be unknown; unknown is a fine answer, a guess is
 * not.  An owner that rests on nothing but a policy's default carries the evidence
 * CSG_EVIDENCE_POLICY_DEFAULT and nothing else.
 */
#ifndef CSGUEST_OWNER_H
#define CSGUEST_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(name, text) */
#define CSG_WORLDS(X)                                                                              \
	X(UNKNOWN, "unknown")                                                                      \
	X(HOST, "host")		    /* the host: its kernel or a host process */                   \
	X(HYPERVISOR, "hypervisor") /* EL2 where it is not the host kernel: nVHE KVM, Xen */       \
	X(GUEST, "guest")	    /* a virtual machine; on Xen every domain, dom0 included */    \
	X(FIRMWARE, "firmware")	    /* EL3, secure, root and realm state */

enum csg_world {
#define CSG_WORLD_ENUM(name, text) CSG_WORLD_##name,
	CSG_WORLDS(CSG_WORLD_ENUM) CSG_WORLD_COUNT
#undef CSG_WORLD_ENUM
};

enum csg_privilege {
	CSG_PRIVILEGE_UNKNOWN,
	CSG_KERNEL,
	CSG_USER,
};

/* The evidence for an owner, as a set of bits.  X(name, bit, text) */
#define CSG_EVIDENCE_SOURCES(X)                                                                    \
	X(POLICY_DEFAULT, 0, "policy default")	 /* no more than what the policy expects */        \
	X(EXCEPTION_LEVEL, 1, "exception level") /* this EL can belong to nobody else */           \
	X(SECURITY_STATE, 2, "security state")	 /* secure, root or realm */                       \
	X(CONTEXTIDR_EL1, 3, "CONTEXTIDR_EL1")	 /* names a thread of this machine */              \
	X(CONTEXTIDR_EL2, 4, "CONTEXTIDR_EL2")	 /* names a host thread: a vCPU's, or another */   \
	X(VMID, 5, "VMID")			 /* names a VM */                                  \
	X(NEIGHBOUR_EL, 6, "neighbouring EL")	 /* entered from, or left to, EL1 */               \
	X(VECTOR_BASE, 7, "exit vector base")	 /* left to the vectors of this world */           \
	X(ENTRY_ERET, 8, "entry ERET site")	 /* entered by an ERET of this world */            \
	X(RESIDENCY, 9, "residency")		 /* whom the host had put on this CPU */           \
	X(TIMESTAMP_DOMAIN, 10, "timestamp domain") /* the virtual or the physical counter */      \
	X(GUEST_SIDEBAND, 11, "guest sideband")	    /* the guest's own switch records */           \
	X(RECORDING, 12, "recording")		    /* the recording is of one thread only */      \
	X(USER_SAID, 13, "user")		    /* the user said so (--hypervisor, --vcpu) */  \
	X(HVC_RETURN, 14, "HVC return address")	    /* where the host's HVC returns to, or not */  \
	X(SWITCH_ORDER, 15, "order of switches")    /* as many of them as of switch records */     \
	X(GUEST_CPU, 16, "CPU of the guest") /* what was recorded there fits no other vCPU */      \
	X(KVM_EVENTS, 17, "KVM's events")    /* exits that it reported, shown in their order */    \
	X(GUEST_SWITCH_ORDER, 18, "order of the guest's switches") /* as many as of its records */ \
	X(NESTED_ENTRY, 19, "KVM's nested entry") /* what KVM called before it entered: the level */

enum csg_evidence_source {
#define CSG_EVIDENCE_ENUM(name, bit, text) CSG_EVIDENCE_##name = 1u << (bit),
	CSG_EVIDENCE_SOURCES(CSG_EVIDENCE_ENUM)
#undef CSG_EVIDENCE_ENUM
};

/* Why a part of an owner is unknown.  X(name, text) */
#define CSG_REASONS(X)                                                                             \
	X(NONE, "known")                                                                           \
	X(NO_CONTEXT, "no context since the last gap")                                             \
	X(NO_POLICY, "hypervisor kind not known (--hypervisor)")                                   \
	X(EL0_OPEN, "host or guest EL0: no evidence settles it")                                   \
	X(EL1_OPEN, "host or guest kernel at EL1: no evidence settles it")                         \
	X(NOT_TRACED, "this world does not appear in such a trace")                                \
	X(NO_CONTEXT_ID, "neither a context ID nor a switch record names the host's thread")       \
	X(NO_THREAD, "no record says which process the thread belongs to")                         \
	X(NO_GUEST, "no sideband of the guest (--guest)")                                          \
	X(NO_SWITCH, "no switch record of the guest covers that time")                             \
	X(SWITCH, "the guest switched threads around that time")                                   \
	X(CONFLICT, "sources of evidence contradict each other")                                   \
	X(NO_HOST_TIME, "no timestamp of the trace is in the host's time there")                   \
	X(SWITCH_ORDER, "the order of the guest's switches fits several threads")                  \
	X(ZERO_CONTEXT_ID, "context ID is 0: an idle thread's, or not traced")                     \
	X(NO_DOMAIN, "VMID of no domain in Xen's list (--xen-list)")                               \
	X(NO_VMM, "only the trace shows that this process runs a VM (--vcpu)")                     \
	X(NO_SWITCHES, "the guest recorded no context switches")                                   \
	X(LOST_SWITCH, "switch records of the guest are missing there")                            \
	X(NO_GUEST_CPU, "no evidence shows which of the guest's CPUs this vCPU is")                \
	X(NO_GUEST_CLOCK, "the guest's recording does not say how its time is counted")            \
	X(NO_TIME, "no timestamp of the trace is in the guest's time there")                       \
	X(NO_OFFSET, "the counter offset of the VM is not known")                                  \
	X(REUSED_ID, "the thread ID may be another thread's: it came back, or records are lost")   \
	X(HOST_SWITCH, "the host switched threads around that time")                               \
	X(NO_HOST_SWITCH, "switch records of the host are missing there")                          \
	X(DISTRUSTED, "the trace has contradicted the host's switch records")                      \
	X(NO_VMID, "no VMID is traced, and nothing else identifies a domain")                      \
	X(PID_NAMESPACE, "perf ran in another PID namespace: its records have other thread IDs")   \
	X(NO_KVM_EVENT, "guest or host: no event of KVM's says which the thread ran")              \
	X(NO_LEVEL, "the guest, or a guest of it: no entry by KVM's code shows which")             \
	X(NO_NESTED, "no sideband of the guest's guest")

enum csg_reason {
#define CSG_REASON_ENUM(name, text) CSG_REASON_##name,
	CSG_REASONS(CSG_REASON_ENUM) CSG_REASON_COUNT
#undef CSG_REASON_ENUM
};

/*
 * vm: the host itself; a VM that is not known.  Any other is the number of a VM.
 *
 * That is the PID of its VMM, perf's machine_pid.  But PIDs come back: where several processes had
 * one, one after the other, and more than one of them ran a VM, their VMs have the numbers PID + n
 * * CSG_VM_AGAIN, n = 1 for the first of them; nothing has the PID itself for its number then, as
 * it does not say which.  Of Xen's domains the number is the VMID.
 */
#define CSG_VM_HOST 0
#define CSG_VM_UNKNOWN (-1)
#define CSG_VM_AGAIN (1 << 22) /* no PID of Linux is as large (PID_MAX_LIMIT) */
#define CSG_VCPU_UNKNOWN (-1)
#define CSG_PID_UNKNOWN (-1)

/*
 * How deep a guest is: 0 the host, 1 a guest, 2 a guest of a guest (KVM with FEAT_NV2).  Levels are
 * only looked for where the trace shows that KVM runs guests of guests: elsewhere, and where
 * nothing proves it, the level is unknown.
 */
#define CSG_LEVEL_HOST 0
#define CSG_LEVEL_GUEST 1
#define CSG_LEVEL_NESTED 2
#define CSG_LEVEL_UNKNOWN 255

/* Who ran.  A value type that does not grow; compare with csg_owner_equal(). */
struct csg_owner {
	uint8_t world;	   /* enum csg_world */
	uint8_t privilege; /* enum csg_privilege */
	uint8_t reason; /* enum csg_reason: why world or, where that is known, thread is unknown */
	uint8_t el;	/* enum csg_el it ran at */
	uint32_t evidence; /* set of enum csg_evidence_source */
	int32_t vm;	   /* number of the VM; CSG_VM_HOST or _UNKNOWN */
	int32_t vcpu;	   /* number of the vCPU in its VM, or CSG_VCPU_UNKNOWN */
	int32_t pid;	   /* process in its machine, or CSG_PID_UNKNOWN */
	int32_t tid;	   /* thread in its machine, or CSG_PID_UNKNOWN */
	/* thread of the host it ran on: in a guest, the vCPU's; or CSG_PID_UNKNOWN */
	int32_t host_tid;
	/*
	 * Of the host: its process, numbered as VMs are.  It differs from pid where another process
	 * had the PID before or after it, and one of the two ran a VM.  CSG_PID_UNKNOWN elsewhere.
	 */
	int32_t host_process;
	/*
	 * Of a guest of a guest: vm, vcpu and host_tid are those of the guest that runs it, pid and
	 * tid its own.  nested is the PID of its VMM in that guest, guest_tid its vCPU's thread
	 * there.
	 */
	int32_t nested;	   /* CSG_VM_HOST: level is below 2; or CSG_VM_UNKNOWN */
	int32_t guest_tid; /* or CSG_PID_UNKNOWN */
	uint8_t level;	   /* CSG_LEVEL_* */
};

/* Nothing known. */
#ifdef __cplusplus
#define CSG_OWNER_UNKNOWN                                                                          \
	(csg_owner{0, 0, CSG_REASON_NO_CONTEXT, 4, 0, CSG_VM_UNKNOWN, CSG_VCPU_UNKNOWN,            \
		   CSG_PID_UNKNOWN, CSG_PID_UNKNOWN, CSG_PID_UNKNOWN, CSG_PID_UNKNOWN,             \
		   CSG_VM_UNKNOWN, CSG_PID_UNKNOWN, CSG_LEVEL_UNKNOWN})
#else
#define CSG_OWNER_UNKNOWN                                                                          \
	((struct csg_owner){.reason = CSG_REASON_NO_CONTEXT,                                       \
			    .el = 4,                                                               \
			    .vm = CSG_VM_UNKNOWN,                                                  \
			    .vcpu = CSG_VCPU_UNKNOWN,                                              \
			    .pid = CSG_PID_UNKNOWN,                                                \
			    .tid = CSG_PID_UNKNOWN,                                                \
			    .host_tid = CSG_PID_UNKNOWN,                                           \
			    .host_process = CSG_PID_UNKNOWN,                                       \
			    .nested = CSG_VM_UNKNOWN,                                              \
			    .guest_tid = CSG_PID_UNKNOWN,                                          \
			    .level = CSG_LEVEL_UNKNOWN})
#endif

/*
 * Whether two owners, neither NULL, are the same in every respect, sources of evidence and reason
 * included.
 */
bool csg_owner_equal(const struct csg_owner *a, const struct csg_owner *b);

/* The PID of the VMM of the VM with this number; of the host and an unknown VM the value itself. */
int32_t csg_vm_pid(int32_t vm);

#define CSG_VM_TEXT_SIZE 16 /* bytes that csg_vm_text() needs at most */

/*
 * The VM with this number in words, "700", or "700#2" for the second VM whose VMM had this PID; as
 * much as fits into size bytes of buf with the terminating 0.  Returns the length of the whole
 * text.
 */
int csg_vm_text(int32_t vm, char *buf, size_t size);

/* The number of the VM in such words, or CSG_VM_UNKNOWN: they are of none. */
int32_t csg_vm_of_text(const char *text);

/* Their names, in the terms of the lists above.  Never NULL. */
const char *csg_world_name(enum csg_world world);
const char *csg_reason_text(enum csg_reason reason);

/*
 * The names of all sources of evidence of a set, joined by ", ", as much as fits into
 * size bytes of buf with the terminating 0.  "none" for the empty set.
 * Returns the length of the whole text, as snprintf does.
 */
int csg_evidence_text(uint32_t evidence, char *buf, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
