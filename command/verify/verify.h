/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csguest verify: what a recording shows of the assumptions that owners rest on, as a report fit to
 * be sent to whoever works on csguest.
 *
 * The report has numbers only: counts, CPUs, places in the trace, times, register values.  Names,
 * paths, addresses and code are not in it.
 */
#ifndef COMMAND_VERIFY_VERIFY_H
#define COMMAND_VERIFY_VERIFY_H

#include "csguest/assumption.h"
#include "csguest/recording.h"
#include "text/out.h"

enum csg_verify_format {
	CSG_VERIFY_TEXT,
	CSG_VERIFY_CSV,
	CSG_VERIFY_JSON,
};

struct csg_verify {
	const char *version;	/* of csguest */
	const char *hypervisor; /* kind in force */
	/* Of the streams, by number. */
	const struct csg_source *const *sources;
	size_t source_count;
	uint64_t instructions;
	uint64_t contradictions; /* of all kinds: csguest info has them */
	struct csg_assumption_info found[CSG_ASSUMPTION_COUNT];
};

/* How many assumptions the recording contradicts. */
unsigned int csg_verify_contradicted(const struct csg_verify *verify);

void csg_verify_write(const struct csg_verify *verify, enum csg_verify_format format,
		      struct csg_out *out);

#endif
