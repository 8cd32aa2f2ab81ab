/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stretches: whose EL1 and EL0 it is under KVM without VHE, where host and guests share both and
 * EL2, which alone switches between them, is not traced.
 *
 * A stretch is what was traced of EL1 and EL0 without a break: from Trace On, or from EL2, to the
 * next. All of it is one world's.  How stretches follow each other tells more:
 *
 *   the host leaves its EL1 for EL2 by HVC only, and comes back after it.  A stretch that begins
 *   where the host's HVC returns to is the host's, as most hypercalls run no guest; one that
 *   begins elsewhere is a guest's, and so is what follows, until one begins where the host's HVC
 *   returns to;
 *   a guest that is entered again where it was interrupted is the same guest;
 *   the host is not interrupted to EL2: who leaves EL1 for it by IRQ or FIQ is a guest.
 *
 * So who ran one stretch decides about those before and after it; the first proof comes from
 * outside (csg_stretch_prove()), say from the host's switch records.  Nothing follows across lost
 * trace. Where the host's symbols name the HVC that runs a vCPU, no other HVC leads to a guest: a
 * stretch that begins elsewhere than after it contradicts that, and is nobody's until there is
 * another proof.  An address that no PE can have fetched from is that of damaged trace, and is no
 * place.
 *
 * Where two proofs contradict each other trace was lost between them, without a mark, and the
 * stretch is split there (csg_stretch_split()).
 *
 * A guest that stood at the very address to which the host's HVC returns would be taken for the
 * host: that address is in KVM's own code in the host's kernel, and where CONTEXTIDR_EL1 is traced
 * it must agree, too.
 *
 * It is the host's kernel, at EL1 of the same CPU, that stops and starts the trace: while EL2 or a
 * guest runs nobody does.  Where EL2 is traced, against expectation, trace that stops there tells
 * nothing.
 *
 * Not so where the trace is of windows (strobing, say): then it stops and begins anywhere, also
 * after an HVC, and how stretches follow each other tells nothing.  That shows where it stops
 * though neither an exception nor an ERET has left EL1 and EL0.
 *
 * An SMC is packed as an HVC is.  PSCI's CPU_SUSPEND does not come back after it: only an
 * exception whose target at EL2 is in the trace, or one of a thread that is not the idle one,
 * leads to a guest.
 */
#ifndef DECODER_WORLD_STRETCH_H
#define DECODER_WORLD_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csguest/context.h"
#include "csguest/owner.h"

/* Exception types of ETMv4 and ETE for A profile (Arm IHI 0064, "Exception packets"). */
enum {
	CSG_EXCEPTION_CALL = 2, /* SVC, HVC, SMC */
	CSG_EXCEPTION_IRQ = 14,
	CSG_EXCEPTION_FIQ = 15,
};

/* Where execution stood: level, address and what CONTEXTIDR_EL1 held. */
struct csg_stand {
	uint64_t address;
	uint32_t thread;
	bool known, has_thread;
	uint8_t el;
};

struct csg_stretch {
	bool follows; /* no trace was lost between the one before and this */
	bool left;    /* it ended with an exception to EL2 or above */
	bool contradicted;
	bool by_return; /* world follows from where it began; no other source said the same yet */
	bool is_back;	/* it began where the HVC that the one before ended with returns to */
	bool runs_no_vcpu; /* it ended with an HVC that, by the host's symbols, runs no vCPU */
	bool is_astray;	   /* after such an HVC of the host's it began elsewhere */
	bool stamped;	   /* it has a timestamp whose counter is known */
	bool host_time, guest_time; /* and more: of the host's counter, of a guest's */
	bool timed;		    /* it has a timestamp */
	uint64_t timestamp, timestamp_at; /* of more the last, and where that is; 0: there is one */
	bool is_split;	/* trace was lost before it, without a mark: csg_stretch_split() */
	uint8_t target; /* EL it led to, as far as the trace shows it; else CSG_EL_UNKNOWN */
	uint16_t number;
	struct csg_stand begin, end; /* end: the preferred return address */
	uint8_t world;		     /* enum csg_world */
	uint32_t evidence;
	size_t segments; /* how many the caller has in its queue of it */
};

struct csg_stretches {
	struct csg_stretch now;	   /* the current one, or over */
	struct csg_stretch before; /* it */
	struct csg_stretch
		*open; /* before it, the oldest first: from the first without a proof on */
	size_t count, capacity;
	struct csg_stand host; /* where the host will come back, while a guest runs */
	bool windows;	       /* the trace is of windows: no stretch follows another */
	bool failed;	       /* out of memory */
};

void csg_stretches_fini(struct csg_stretches *stretches);

/* Trace was lost: nothing is known of what comes.  What was open stays so. */
void csg_stretches_break(struct csg_stretches *stretches);

/* A new stretch begins, where is not known yet.  -CSG_E_NO_MEMORY is reported by failed. */
void csg_stretch_begin(struct csg_stretches *stretches);

/* Tracing stopped in the current stretch; returned: maybe by an ERET. */
void csg_stretch_stopped(struct csg_stretches *stretches, bool returned);

/* The first address of the current stretch.  True: its world is known, and so are all before it. */
bool csg_stretch_stand(struct csg_stretches *stretches, struct csg_stand stand);

/* An exception; where it leads is not known yet.  The stretch goes on if csg_stretch_goes_on()
 * comes. */
void csg_stretch_exception(struct csg_stretches *stretches, uint16_t number,
			   struct csg_stand stand);
void csg_stretch_goes_on(struct csg_stretches *stretches);

/*
 * The current exception is an HVC that runs a vCPU by the host's symbols, or, where these name one,
 * another.  The former is the host's: returns as csg_stretch_prove().
 */
int csg_stretch_hvc(struct csg_stretches *stretches, bool runs_vcpu);

/* The exception led to el, above EL1, as the trace shows.  True: as above. */
bool csg_stretch_leads_to(struct csg_stretches *stretches, uint8_t el);

/*
 * Who runs the current stretch is proved.  1: it was open; it and those before it have their worlds
 * now (open[], now), or stay unknown for good.  0: it was known, or where it began is not.  -1: a
 * contradiction; the rest of it is unknown.
 */
int csg_stretch_prove(struct csg_stretches *stretches, enum csg_world world, uint32_t evidence);

/*
 * Trace was lost in the current stretch, without a mark: from here on it is another one.  Nothing
 * follows from what came before it, nor, as trace may be lost again, from what is not proved to
 * its end. open: its world is not proved yet.
 */
void csg_stretch_split(struct csg_stretches *stretches, bool open);

/* Those in open[] have been dealt with. */
void csg_stretches_settled(struct csg_stretches *stretches);

#endif
