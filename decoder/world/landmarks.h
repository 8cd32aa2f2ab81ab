/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Landmarks: places in the host's kernel that tell a guest's EL0 from the host's under VHE.
 *
 *   exit vectors   what VBAR_EL2 held while EL0 ran (the target of the exception that left it, less
 *                  its low 11 bits): KVM's own while a guest runs, __kvm_hyp_vector or a slot of
 *                  __bp_harden_hyp_vecs; else vectors, a slot of __bp_harden_el1_vectors, or
 *                  KPTI's trampoline
 *   entry ERET     the ERET that entered EL0: KVM enters guests by that of __guest_enter (and
 *                  returns to EL1 by that of wa_epilogue), the kernel its processes by others
 *   vCPU's run     without VHE: the HVC of kvm_arm_vcpu_enter_exit, its only one, calls
 *                  __kvm_vcpu_run; by symbols only
 *
 * The symbols of the host's kernel name them.  Without a symbol both are learned from the trace of
 * a CPU, where other evidence shows who ran: the vectors to which guests exit
 * (world/exit_vectors.h), and entry ERETs to see what contradicts them.  That an ERET entered
 * guests does not prove that it enters no process, so whose EL0 it entered its symbol alone says.
 * Where the trace contradicts a symbol, that place is nobody's until the trace agrees with it
 * again: damaged trace shows what never happened, so the symbol stays.
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
	uint8_t named;	 /* enum csg_world; UNKNOWN: no symbol says it */
	uint8_t learned; /* the same, from the trace */
	bool both;	 /* the trace shows it of both, no symbol says whose it is */
	bool disputed;	 /* the trace contradicts the symbol, and has not agreed since */
};

struct csg_landmarks {
	const struct csg_landmark_names *names; /* NULL: there are no symbols */
	struct csg_landmark known[CSG_LANDMARK_KINDS][CSG_LANDMARKS];
	unsigned int count[CSG_LANDMARK_KINDS];
};

/* The trace shows that this landmark is the world's.  False: its symbol says that it is
 * another's. */
bool csg_landmarks_learn(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
			 uint64_t address, enum csg_world world);

/*
 * Whether what is known of it, before that is learned, is the same: 1, -1 otherwise, 0 nothing is
 * known.
 */
int csg_landmarks_compare(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
			  uint64_t address, enum csg_world world);

/* Takes over what another, which has seen trace of the same CPU, has learned. */
void csg_landmarks_learn_from(struct csg_landmarks *landmarks, const struct csg_landmarks *other);

/* Whose it is: HOST, GUEST, or UNKNOWN. */
enum csg_world csg_landmarks_world(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
				   uint64_t address);

/* The same by its symbol alone. */
enum csg_world csg_landmarks_by_symbol(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
				       uint64_t address);

/* Whether it is unknown because the trace contradicts its symbol. */
bool csg_landmarks_disputed(struct csg_landmarks *landmarks, enum csg_landmark_kind kind,
			    uint64_t address);

/* Whose a place offset bytes after the symbol name is, in a Linux kernel; name may be NULL. */
enum csg_world csg_landmark_named(enum csg_landmark_kind kind, const char *name, uint64_t offset);

#endif
