/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording on one page, as text or JSON: who used the time, why guests exited, which functions
 * ran, what is unknown, and what would help most.
 */
#ifndef COMMAND_SUMMARY_SUMMARY_PRINT_H
#define COMMAND_SUMMARY_SUMMARY_PRINT_H

#include "info/info_advice.h"
#include "text/out.h"
#include "summary/groups.h"
#include "summary/vcpu_verdicts.h"
#include "timeline/slices.h"

/* Something that is not known, of this many instructions, and at places whose code was not read. */
struct csg_summary_open {
	const char *what, *why; /* "thread", and the reason */
	uint64_t instructions, places;
};

#define CSG_SUMMARY_OPEN_MAX 48
#define CSG_SUMMARY_VMS 5 /* that text shows; of the others the sum */

struct csg_summary_page {
	const char *recording;	      /* as the user gave it */
	const char *hypervisor, *why; /* why: that kind */
	const struct csg_recording_info *info;
	size_t cpus; /* traced */
	enum csg_slices_unit unit;
	const struct csg_cpu_time *time;
	uint64_t traced; /* of all of it */
	/*
	 * Windows do not tell when they begin and end: traced, and untraced of time and groups, are
	 * estimates (report/windows.h), or, if traced is 0, not even that.
	 */
	bool estimated;
	uint64_t span; /* how much the page is of, of the time from time->begin to its end */
	const struct csg_groups *groups;
	const struct csg_vcpu_verdicts *vcpus;
	const struct csg_report_totals *totals;
	bool filtered;	  /* groups and what they did are; what is unknown is of all */
	uint64_t decoded; /* instructions, also those that filters leave out: what open is of */
	const struct csg_exits *exits; /* NULL: no guest may have run */
	const struct csg_summary_open *open;
	size_t open_count;
	uint64_t contradictions;
	const struct csg_missing *missing; /* file that was wanted most; NULL: none */
	struct csg_advice advice;	   /* what would help most; lack NULL: none */
};

void csg_summary_text(const struct csg_summary_page *page, struct csg_out *out);
void csg_summary_json(const struct csg_summary_page *page, struct csg_out *out);

#endif
