/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A branch profile for each object that ran, of the host and of each guest, as text that AutoFDO's
 * create_llvm_prof and create_gcov take (--profiler=text), and llvm-profgen's unsymbolized profile:
 *
 *	number of ranges
 *	first-last:count	addresses of instructions, hexadecimal
 *	number of addresses	(none: ranges say it)
 *	number of branches
 *	from->to:count
 *
 * Addresses are those of the ELF file, so that a profile fits the file whatever the address at
 * which it ran.  A branch is counted where both ends are in one object and nothing lies between.
 */
#ifndef COMMAND_EXPORT_BRANCH_PROFILE_H
#define COMMAND_EXPORT_BRANCH_PROFILE_H

#include "csguest/session.h"
#include "util/keyset.h"
#include "calls/call_filter.h"
#include "lookup/lookup.h"
#include "output/output_dir.h"

#define CSG_PROFILE_NAME 160

/* A range or a branch, where it ran. */
struct csg_profile_key {
	const struct csg_space *space;
	uint64_t from, to; /* RANGE: first and last instruction */
	uint64_t is_branch;
};

struct csg_profile_count {
	uint64_t count;
	uint64_t from, to; /* in the object's own terms */
	uint32_t object;   /* UINT32_MAX: in none, or in two */
};

struct csg_branch_profile {
	const struct csg_lookup *lookup;
	struct csg_call_filter
		filter;		/* by code, of a branch where it leads from; set after _init */
	struct csg_keyset keys; /* of csg_profile_key */
	struct csg_profile_count *counts;
	size_t capacity;
	struct csg_keyset objects; /* their names, of CSG_PROFILE_NAME bytes */
	struct csg_profile_last {
		const struct csg_space *space;
		uint64_t branch; /* address of the branch that was taken last */
		bool taken;
	} * last; /* by stream */
	size_t streams;
};

/* -CSG_E_NO_MEMORY; _fini is safe even then. */
int csg_branch_profile_init(struct csg_branch_profile *profile, const struct csg_lookup *lookup,
			    size_t streams);
void csg_branch_profile_fini(struct csg_branch_profile *profile);

int csg_branch_profile_add(struct csg_branch_profile *profile, const struct csg_batch *batch);

/*
 * Adds what another profile has counted: its object is a number of this profile's, and from and to
 * are in the object's own terms.  -CSG_E_NO_MEMORY.
 */
int csg_branch_profile_join(struct csg_branch_profile *profile, bool is_branch,
			    const struct csg_profile_count *count);

/* Elements of the stream were left out here: no branch leads across. */
void csg_branch_profile_cut(struct csg_branch_profile *profile, uint32_t stream);

/*
 * Writes a file for each object to dir, which is open: "host_vmlinux.afdo", "vm136_vmlinux.afdo".
 * -CSG_E_IO, reported unless it is a signal that dir holds; -CSG_E_NO_MEMORY.
 */
int csg_branch_profile_write(const struct csg_branch_profile *profile,
			     const struct csg_output_dir *dir);

#endif
