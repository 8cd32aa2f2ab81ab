/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exit vectors: to which vectors guests exit on one CPU under VHE, and to which the host's EL0
 * does.
 *
 * While a guest runs VBAR_EL2 holds KVM's vectors, one base on each CPU (Arm ARM, VBAR_EL2; the
 * base is the address less its low 11 bits): __kvm_hyp_vector or a slot of __bp_harden_hyp_vecs.
 * Else it holds the host's.  Two sources tell which base is whose:
 *
 *	symbols		those of the host's kernel name it (world/landmarks.h)
 *	exits		an exception from EL1 to EL2 is a guest's: its target shows KVM's base,
 *			and any other base is then the host's
 *
 * They contradict each other where a guest seems to exit to vectors that the symbols name the
 * host's, or to another base than before.  Trace that was lost without a mark looks so: the
 * exception level is then that of before the loss, the exception that of after it.  Such an exit
 * teaches nothing.  With symbols, EL0 is nobody's until one more exit agrees with them.  Without,
 * the base that was confirmed ESTABLISHED times stays; before that, EL0 that leaves to either base
 * is nobody's until one of the two is established.
 */
#ifndef DECODER_WORLD_EXIT_VECTORS_H
#define DECODER_WORLD_EXIT_VECTORS_H

#include "world/landmarks.h"

#define CSG_EXITS_ESTABLISHED 4 /* exits to one base with none to another in between */

struct csg_exit_base {
	uint64_t base;
	unsigned int exits; /* that led there; 0: there is no such base */
};

/* All zero knows nothing. */
struct csg_exit_vectors {
	struct csg_exit_base guest; /* KVM's */
	struct csg_exit_base rival; /* where guests seem to exit to since then, unnamed */
	bool named;		    /* the symbols say the same of guest */
	bool disputed;		    /* an exit contradicts the symbols, none has agreed since */
};

/* Whether a target is a vector for exceptions from a lower exception level. */
bool csg_is_exit_vector(uint64_t target);

/* A guest exits to base.  False: that contradicts the symbols, or exits before it. */
bool csg_exit_vectors_learn(struct csg_exit_vectors *vectors, struct csg_landmarks *landmarks,
			    uint64_t base);

/* Whose EL0 leaves to base: HOST, GUEST, or UNKNOWN, also where sources contradict each other. */
enum csg_world csg_exit_vectors_world(const struct csg_exit_vectors *vectors,
				      struct csg_landmarks *landmarks, uint64_t base);

/* Whether it is unknown because sources contradict each other. */
bool csg_exit_vectors_disputed(const struct csg_exit_vectors *vectors,
			       struct csg_landmarks *landmarks, uint64_t base);

/* EL0 left to base, which may be what the symbols say. */
void csg_exit_vectors_seen(struct csg_exit_vectors *vectors, struct csg_landmarks *landmarks,
			   uint64_t base);

/* Takes over what another, which has seen trace of the same CPU, has learned, unless more is
 * known. */
void csg_exit_vectors_learn_from(struct csg_exit_vectors *vectors,
				 const struct csg_exit_vectors *other);

/* Whether guests' exits have shown their vectors. */
bool csg_exit_vectors_known(const struct csg_exit_vectors *vectors);

#endif
