/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Level watch: which level each entry by KVM leads to, from the functions that the host's EL2
 * calls.
 *
 * The host's kernel needs no level to be decoded.  Before a slow entry (__kvm_vcpu_run) it calls
 * kvm_nested_flush_hwstate(), which returns at once for a vCPU without vEL2: its VM has no guests.
 * After that it calls vgic_v3_flush_nested() where the vCPU is in a nested context with its
 * interrupts routed to vEL2, as KVM has it while it runs a guest: level 2.  A guest hypervisor may
 * not route them, so that without that call level 1 needs another source that agrees.  Where
 * __kvm_vcpu_run() enters again by itself the level is the one before.  The other sources are
 *
 *	kvm_emulate_nested_eret(), kvm_inject_el2_exception()
 *		the last of them since the exit says where the vCPU goes; where neither was called
 *		and no thread was switched, the level is the one before
 *	kvm_timer_sync_nested(), vgic_v3_sync_nested()
 *		called after an exit from level 1 and 2, of what ran since the slow entry
 *
 * Where these disagree the level is unknown, and from there on each entry needs one of them that
 * agrees with the flush.  Code of EL2 that was not seen leaves the next entry unknown, unless all
 * from kvm_nested_flush_hwstate() on was.
 *
 * CONTEXTIDR_EL1, as the guest at level 1 had it last before the entry, is the thread of the guest
 * that runs its guest's vCPU.
 */
#ifndef DECODER_GUEST_LEVEL_WATCH_H
#define DECODER_GUEST_LEVEL_WATCH_H

#include "csguest/attribution.h"
#include "csguest/element.h"

/* The host's functions that are looked for.  X(name, function, needed) */
#define CSG_LEVEL_ANCHORS(X)                                                                       \
	X(FLUSH, "kvm_nested_flush_hwstate", true)                                                 \
	X(FLUSH_NESTED, "vgic_v3_flush_nested", true)                                              \
	X(RUN, "__kvm_vcpu_run", true)                                                             \
	X(ERET, "kvm_emulate_nested_eret", false)                                                  \
	X(EXCEPTION, "kvm_inject_el2_exception", false)                                            \
	X(SWITCH, "cpu_switch_to", false)                                                          \
	X(TIMER, "kvm_timer_sync_nested", false)                                                   \
	X(SYNC, "vgic_v3_sync_nested", false)

enum csg_level_anchor {
#define CSG_LEVEL_ANCHOR(name, function, needed) CSG_LEVEL_##name##_AT,
	CSG_LEVEL_ANCHORS(CSG_LEVEL_ANCHOR) CSG_LEVEL_ANCHOR_COUNT
#undef CSG_LEVEL_ANCHOR
};

/* What a slow entry showed of the VM, whose vCPUs are all alike. */
enum csg_level_vcpu {
	CSG_LEVEL_VCPU_UNKNOWN,
	CSG_LEVEL_VCPU_PLAIN,	/* it has no vEL2 and so no guests */
	CSG_LEVEL_VCPU_HAS_EL2, /* it may have */
};

struct csg_level_watch {
	uint64_t anchors[CSG_LEVEL_ANCHOR_COUNT]; /* addresses; 0: not known */
	uint64_t flush_end; /* where the function at FLUSH ends; 0: not known */

	uint64_t filter; /* bits of the anchors' addresses */

	struct csg_attribution_level *levels; /* of all pieces, in order */
	size_t count, capacity;
	void (*conflict)(void *arg,
			 uint64_t index); /* sources contradict each other there; or NULL */
	/* An entry of a VM, whose number may be unknown, and what it showed; or NULL. */
	void (*vm)(void *arg, int32_t vm, enum csg_level_vcpu vcpu);
	void *arg;
	bool nests;    /* some guest of a guest ran, or was about to */
	bool disputed; /* sources contradicted each other: none is believed alone any more */

	/* The host since the exit. */
	bool in_el2;
	bool whole;		    /* all of it was seen */
	bool flushed, nested, slow; /* FLUSH, FLUSH_NESTED, RUN were called */
	bool in_flush;		    /* FLUSH is being executed */
	enum csg_level_vcpu vcpu;   /* as FLUSH has it */
	bool entered;		    /* RUN was, be it that the guest executed nothing */
	uint8_t towards;	    /* level of the last of ERET and EXCEPTION, or unknown */
	uint64_t host_index;	    /* of the element of EL2 seen last */
	int32_t vm_left;	    /* VM of the guest that ran last */
	uint8_t level;		    /* of that */
	uint8_t claim;		    /* what the flush said of it, or unknown */
	size_t visit;		    /* first of levels since its slow entry */
	bool known_vcpu;	    /* no thread was switched and nothing lost since then */
	int32_t guest_tid;	    /* of level 1 on this vCPU, or CSG_PID_UNKNOWN */
	int32_t contextidr;	    /* in force below EL2, the same */
	bool open;		    /* the last of levels has not ended */
};

/* The function of an anchor, and whether a watch is of use without. */
const char *csg_level_anchor_name(enum csg_level_anchor anchor);
bool csg_level_anchor_is_needed(enum csg_level_anchor anchor);

void csg_level_watch_fini(struct csg_level_watch *watch);

/* A piece of trace begins at index: nothing is known of what ran before. */
void csg_level_watch_begin(struct csg_level_watch *watch, uint64_t index);

/*
 * The next element, in the order of decoding, and its owner; an element that is not given may have
 * hidden a call.  Guests need not be decoded.  0 or -CSG_E_NO_MEMORY.
 */
int csg_level_watch_see(struct csg_level_watch *watch, const struct csg_element *element,
			const struct csg_owner *owner);

/* The piece is over. */
void csg_level_watch_end(struct csg_level_watch *watch);

#endif
