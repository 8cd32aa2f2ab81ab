/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CSG_SPIN_BYTES of code in which a vCPU executed most instructions, of executed ranges added
 * up by report/report.h, and whether it waits there (summary/verdict.h).
 */
#ifndef COMMAND_SUMMARY_HOT_CODE_H
#define COMMAND_SUMMARY_HOT_CODE_H

#include "lookup/lookup.h"
#include "report/report.h"

struct csg_hot_range {
	int32_t vm, vcpu;
	struct csg_report_range range;
};

struct csg_hot_code {
	struct csg_hot_range *ranges;
	size_t count, capacity;
	bool sorted;
};

/* All zero: none. */
void csg_hot_code_fini(struct csg_hot_code *hot);

/* A range of a guest; of others nothing is taken.  0 or -CSG_E_NO_MEMORY. */
int csg_hot_code_add(struct csg_hot_code *hot, const struct csg_report_label *label,
		     const struct csg_report_range *range);

/* Where a vCPU executed most. */
struct csg_hot_place {
	uint64_t all;		  /* instructions of the vCPU that were decoded */
	uint64_t instructions;	  /* of them, in that place */
	uint64_t bytes;		  /* from its first to its last executed one */
	const char *waits;	  /* "WFE", "WFET", "YIELD": it executed one there; NULL: none */
	const char *symbol, *dso; /* where most of them are; NULL: not known */
};

/* All ranges are added.  vcpu CSG_VCPU_UNKNOWN: of those of the VM whose number is not known. */
struct csg_hot_place csg_hot_code_of(struct csg_hot_code *hot, int32_t vm, int32_t vcpu,
				     const struct csg_lookup *lookup);

/* Whether CSG_SPIN_PERCENT of the vCPU's instructions are there; and whether it waits there. */
bool csg_hot_place_is_hot(const struct csg_hot_place *place);
bool csg_hot_place_spins(const struct csg_hot_place *place);

#endif
