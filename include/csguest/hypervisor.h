/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of hypervisor.  Each has its own idea of which exception level belongs to
 * whom, which world/policy.c holds as a table; csguest-attribution(7) explains them.
 */
#ifndef CSGUEST_HYPERVISOR_H
#define CSGUEST_HYPERVISOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* X(name, the word of --hypervisor) */
#define CSG_HYPERVISORS(X)                                                                         \
	X(AUTO, "auto")		/* choose from the recording */                                    \
	X(UNKNOWN, "unknown")	/* nothing is known: owners stay unknown */                        \
	X(NONE, "none")		/* no guests: EL1 is the host's kernel, EL0 its user */            \
	X(KVM_VHE, "kvm-vhe")	/* Linux at EL2 with HCR_EL2.E2H, guests at EL1 and EL0 */         \
	X(KVM_NVHE, "kvm-nvhe") /* Linux and guests at EL1 and EL0, KVM's hyp code at EL2 */       \
	X(PKVM, "pkvm")		/* protected KVM: as nVHE, guests are not traced */                \
	X(XEN, "xen")		/* Xen at EL2, every domain (dom0 too) at EL1 and EL0 */

enum csg_hypervisor {
#define CSG_HYPERVISOR_ENUM(name, text) CSG_HV_##name,
	CSG_HYPERVISORS(CSG_HYPERVISOR_ENUM) CSG_HV_COUNT
#undef CSG_HYPERVISOR_ENUM
};

/* What kinds have in common; bits of a set. */
enum csg_hypervisor_trait {
	CSG_TRAIT_HOST_AT_EL2 = 1,    /* the host's kernel runs at EL2, guests' at EL1 */
	CSG_TRAIT_SHARED_EL1 = 2,     /* the host's kernel and guests' run at EL1 */
	CSG_TRAIT_UNTRACED_GUEST = 4, /* guests are not traced */
	CSG_TRAIT_NO_GUEST = 8,	      /* there are none */
	CSG_TRAIT_DOMAINS = 16,	      /* all below EL2 is domains, which VMIDs name */
};

/* The traits of a kind. */
uint32_t csg_hypervisor_traits(enum csg_hypervisor kind);

/* The word of a kind.  Never NULL. */
const char *csg_hypervisor_name(enum csg_hypervisor kind);

/* The kind of a word, or -CSG_E_USAGE. */
int csg_hypervisor_parse(const char *word);

/*
 * Whether the host of a recording may run guests of guests (FEAT_NV2), which have other code and
 * threads on the same vCPUs (csg_attribution_may_nest()): its kernel is Linux 6.16 or newer, or its
 * release does not show that it is older, and its CPU is not older than Armv8.3.  os_release and
 * cpuid (MIDR_EL1) are as perf records them, NULL: not known.  False without a release:
 * kvm-arm.mode=nested is nobody's default.
 */
bool csg_host_may_nest(const char *os_release, const char *cpuid);

/* Bytes of code at address: *bytes points to *len of them, at least 1.  Other than 0: there are
 * none. */
typedef int (*csg_code_read_fn)(void *arg, uint64_t address, const uint8_t **bytes, size_t *len);

/*
 * Whether a function of an arm64 kernel, as it was patched when it ran, does nothing but return:
 * every path from address on comes to a return (RET) without a call, and without an instruction
 * that causes an exception, as one does that waits to be patched (BRK).  False as well where code
 * is missing or branches are many.  Of KVM's kvm_nested_flush_hwstate() it shows that there are no
 * guests of guests.
 */
bool csg_code_returns_at_once(uint64_t address, csg_code_read_fn read, void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
