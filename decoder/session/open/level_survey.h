/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Level survey: finds the levels of guests before they are decoded (guest/level_watch.h).
 *
 * Where a host with VHE has the symbols of KVM's nested guests (FEAT_NV2, Linux 6.16), each stream
 * is decoded once beforehand, its EL2 alone, as that needs no level.  If no guest of a guest shows,
 * nothing comes of it. A host that did not run with kvm-arm.mode=nested has no such guests, and its
 * patched code shows that: it is not surveyed.
 */
#ifndef DECODER_SESSION_OPEN_LEVEL_SURVEY_H
#define DECODER_SESSION_OPEN_LEVEL_SURVEY_H

#include "recording/recording.h"
#include "session/run/registry.h"
#include "session/run/surveyed_time_slices.h"

struct csg_pool;

/* A VM that ran, and what its slow entries showed. */
struct csg_level_vm {
	int32_t vm; /* CSG_VM_UNKNOWN: all whose VM is not known */
	bool plain, has_el2;
};

struct csg_level_survey {
	struct csg_recording *rec;
	struct csg_registry *registry;
	struct csg_pool *pool; /* or NULL */
	uint64_t *anchors;     /* by enum csg_level_anchor; NULL: levels are not looked for */
	uint64_t flush_end;    /* where the function at FLUSH ends; 0: not known */
	bool ruled_out; /* the host's symbols, or its patched code, have no guests of guests */
	bool nests;	/* a guest of a guest shows in a source that was surveyed */
	struct csg_level_vm *vms;
	size_t vm_count, vm_capacity;
};

/* Whether there is anything to look for: anchors are set then.  0 or a negative error. */
int csg_level_survey_init(struct csg_level_survey *survey);
void csg_level_survey_fini(struct csg_level_survey *survey);

/* Bits of enum csg_nesting, or a negative error. */
int csg_level_survey_nesting(struct csg_registry *registry);

/* The levels of a source go to *found.  0 or a negative error. */
int csg_level_survey_source(struct csg_level_survey *survey, const struct csg_source *source,
			    struct csg_switch_survey *found);

/*
 * All sources were surveyed: the attribution learns which VMs can have no guests, and that levels
 * are stated where others ran or a guest of a guest shows.  0 or a negative error.
 */
int csg_level_survey_settle(struct csg_level_survey *survey);

#endif
