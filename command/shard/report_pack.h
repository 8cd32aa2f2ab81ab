/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a report has added up of a shard, as bytes: how it is to be printed, totals, traced time
 * with the names of the guests in it, windows (report/windows.h), texts, and rows.
 */
#ifndef COMMAND_SHARD_REPORT_PACK_H
#define COMMAND_SHARD_REPORT_PACK_H

#include "report/report_print.h"
#include "report/windows.h"
#include "util/pack.h"
#include "util/strings.h"

/* print is as csg_report_write() takes it; windows are those of n streams.  -CSG_E_NO_MEMORY. */
int csg_report_pack(struct csg_pack *pack, struct csg_report *report,
		    const struct csg_report_print *print, const struct csg_windows_sums *windows,
		    size_t n);

/* The sum of several. */
struct csg_report_sum {
	struct csg_strings *texts;
	struct csg_report *report; /* NULL: none was added */
	struct csg_report_print print;
	struct csg_traced traced;
	struct csg_windows all, recording; /* of all recordings, and of this one; sums alone */
	size_t streams;			   /* of this recording, of all its shards */
	bool timeless;			   /* a recording's windows are */
	struct csg_lookup lookup;	   /* that has the guests' names */
	struct csg_guest_name {
		int32_t vm;
		const char *name; /* "": several guests had this number */
	} * guests;
	size_t guest_count, guest_capacity;
};

void csg_report_sum_init(struct csg_report_sum *sum, struct csg_strings *texts);
void csg_report_sum_fini(struct csg_report_sum *sum);

/*
 * Adds one, of the recording that the one before is of, or of another.  0, -CSG_E_CORRUPT (also
 * where unpack failed), -CSG_E_CONTRADICTED (rows with other keys, or printed otherwise),
 * -CSG_E_NO_MEMORY.
 */
int csg_report_sum_add(struct csg_report_sum *sum, struct csg_unpack *unpack, bool same_recording);

/* All were added: sum->print is complete. */
void csg_report_sum_finish(struct csg_report_sum *sum);

#endif
