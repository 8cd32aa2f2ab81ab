/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processing element's context as the trace states it: what the Context and
 * Address-with-Context packets of ETMv4 and ETE carry (Arm IHI 0064, "Context
 * tracing"), each part with "not known".  A packet that leaves a part out says
 * that it is unchanged, never that it is zero.
 */
#ifndef CSGUEST_CONTEXT_H
#define CSGUEST_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Exception level, PSTATE.EL. */
enum csg_el {
	CSG_EL0 = 0,
	CSG_EL1 = 1,
	CSG_EL2 = 2,
	CSG_EL3 = 3,
	CSG_EL_UNKNOWN = 4,
};

/* Security state, from NS (ETMv4) or NS and NSE (ETE). */
enum csg_security {
	CSG_NON_SECURE,
	CSG_SECURE,
	CSG_ROOT,
	CSG_REALM,
	CSG_SECURITY_UNKNOWN,
};

/*
 * What the virtual context field of a packet is: TRCCONFIGR.VMID enables it,
 * TRCCONFIGR.VMIDOPT chooses between VTTBR_EL2.VMID and CONTEXTIDR_EL2.
 */
enum csg_vctx_kind {
	CSG_VCTX_NONE,		 /* not traced */
	CSG_VCTX_VMID,		 /* VTTBR_EL2.VMID */
	CSG_VCTX_CONTEXTIDR_EL2, /* a Linux VHE host writes the current host TID there */
};

/* The context in force at a point of one stream.  It does not grow. */
struct csg_context {
	uint8_t el;	     /* enum csg_el */
	uint8_t security;    /* enum csg_security */
	bool aarch64;	     /* SF: execution state is AArch64 */
	bool has_contextidr; /* contextidr_el1 is known */
	bool has_vctx;	     /* vctx is known */
	uint32_t contextidr_el1;
	uint32_t vctx; /* what it is, the stream's enum csg_vctx_kind says */
};

/* Nothing known. */
#ifdef __cplusplus
#define CSG_CONTEXT_UNKNOWN                                                                        \
	(csg_context{CSG_EL_UNKNOWN, CSG_SECURITY_UNKNOWN, false, false, false, 0, 0})
#else
#define CSG_CONTEXT_UNKNOWN                                                                        \
	((struct csg_context){.el = CSG_EL_UNKNOWN, .security = CSG_SECURITY_UNKNOWN})
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
