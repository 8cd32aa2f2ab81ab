/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Landmarks: places in the host's kernel that tell a guest's EL0 from the host's under VHE.
 *
 *   exit vectors   what VBAR_EL2 held while EL0 ran (the target of the exception that left it, less
 *                  its low 11 bits): KVM's own while a guest runs, __kvm_hyp_vector or a slot of
 *                  __bp_harden_hyp_vecs; else vectors, a slot of __bp_harden_el1_vectors, or
 *                  KPTI's trampoline
 *   entry ERET     the ERET that entered EL0: KVM enters guests by that of __guest_enter (and returns to
 *                  EL1 by that of wa_epilogue), the kernel its processes by others
 *   vCPU's run     without VHE: the HVC of kvm_arm_vcpu_enter_exit, its only one, calls __kvm_vcpu_run; by
 *                  symbols only
 *
 * What they are is learned from the trace of a CPU, where other evidence shows who ran, or told by the
 * symbols of the host's kernel.  Symbols that the trace contradicts are of another kernel: none of them
 * counts any more.
 */
#ifndef DECODER_WORLD_LANDMARKS_H
#define DECODER_WORLD_LANDMARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "csguest/owner.h"

#define CSG_VECTOR_BASE(address) ((address) & ~(uint64_t)0x7ff)
#define CSG_LANDMARKS 16 /* of one kind; KVM uses one base a CPU, the kernel some ERETs */

enum csg_landmark_kind {
	CSG_EXIT_VECTORS,
	CSG_ENTRY_ERET,
	CSG_VCPU_RUN,
	CSG_LANDMARK_KINDS,
};

/* Where the symbols of the host's kernel are: of() answers as csg_landmark_named() does. */
struct csg_landmark_names {
	void *arg;
	enum csg_world (*of)(void *arg, enum csg_landmark_kind kind, uint64_t address);
};

struct csg_landmark {
	uint64_t address;
	uint8_t world; /* enum csg_world; UNKNOWN: contradictory, or no symbol says it */
	bool learned;  /* from the trace, not by its symbol */
};

struct csg_landmarks {
	const struct csg_landmark_names *names; /* NULL: there are no symbols */
	bool misnamed;				/* they are of another kernel */
	struct csg_landmark known[CSG_LANDMARK_KINDS][CSG_LANDMARKS];
	unsigned int count[CSG_LANDMARK_KINDS];
};

/* The trace shows that this landmark is the world's. */
void csg_landmarks_learn(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
			 uint64_t address, enum csg_world world);

/* Takes over what another, which has seen trace of the same CPU, has learned. */
void csg_landmarks_learn_from(struct csg_landmarks *landmarks, const struct csg_landmarks *other);

/* Whether guests' exits have shown their vectors. */
bool csg_landmarks_has_guest_vectors(const struct csg_landmarks *landmarks);

/* Whose it is: HOST, GUEST, or UNKNOWN. */
enum csg_world csg_landmarks_world(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
				   uint64_t address);

/* Whose a place offset bytes behind the symbol name is, in a Linux kernel; name may be NULL. */
enum csg_world csg_landmark_named(enum csg_landmark_kind kind, const char *name, uint64_t offset);

#endif
