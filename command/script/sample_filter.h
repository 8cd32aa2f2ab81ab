/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which samples are listed: by name and time, with perf script's forms.
 *
 *	names              "sort,CPU 0/KVM"
 *	times              "A,B" seconds of perf time, each may be missing ("A," from A on); several
 *	                   divided by blanks; or parts of the recording: "10%/2" the second tenth,
 *	                   "0%-10%", "50%"; several divided by commas
 *
 * As in perf, samples without a time pass every time filter.
 */
#ifndef COMMAND_SCRIPT_SAMPLE_FILTER_H
#define COMMAND_SCRIPT_SAMPLE_FILTER_H

#include "script/sample.h"
#include "script/sample_text.h"

struct csg_time_range {
	uint64_t begin, end; /* ns, both included; 0: open */
};

struct csg_sample_filter {
	char **comms;
	size_t comm_count; /* 0: all */
	struct csg_time_range *times;
	size_t time_count; /* 0: all */
};

void csg_sample_filter_fini(struct csg_sample_filter *filter);

/* Each reads one option; 0, -CSG_E_NO_MEMORY, or -CSG_E_USAGE where text is nothing of the kind. */
int csg_sample_filter_comms(struct csg_sample_filter *filter, const char *text);
/* first and last are the perf times of the recording, for parts of it; 0, 0: not known. */
int csg_sample_filter_times(struct csg_sample_filter *filter, const char *text, uint64_t first,
			    uint64_t last);

/* True where what a sample itself says passes. */
bool csg_sample_passes(const struct csg_sample_filter *filter, const struct csg_sample *sample);
/* True where its name passes; with no such filter, who need not be known. */
bool csg_sample_filter_wants_who(const struct csg_sample_filter *filter);
bool csg_sample_who_passes(const struct csg_sample_filter *filter,
			   const struct csg_sample_who *who);

#endif
