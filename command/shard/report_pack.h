/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a report has added up of a shard, as bytes: how it is to be printed, totals, traced time with the
 * names of the guests in it, texts, and rows.
 */
#ifndef COMMAND_SHARD_REPORT_PACK_H
#define COMMAND_SHARD_REPORT_PACK_H

#include "report/report_print.h"
#include "shard/texts.h"
#include "util/pack.h"

/* print is as csg_report_write() takes it.  -CSG_E_NO_MEMORY. */
int csg_report_pack(struct csg_pack *pack, struct csg_report *report,
		    const struct csg_report_print *print);

/* The sum of several. */
struct csg_report_sum {
	struct csg_texts *texts;
	struct csg_report *report; /* NULL: none was added */
	struct csg_report_print print;
	struct csg_traced traced;
	struct csg_lookup lookup; /* that has the guests' names */
	struct csg_guest_name {
		int32_t vm;
		const char *name; /* "": several guests had this number */
	} * guests;
	size_t guest_count, guest_capacity;
};

void csg_report_sum_init(struct csg_report_sum *sum, struct csg_texts *texts);
void csg_report_sum_fini(struct csg_report_sum *sum);

/* Adds one.  0, -CSG_E_CORRUPT (also where unpack failed), -CSG_E_NO_MEMORY. */
int csg_report_sum_add(struct csg_report_sum *sum, struct csg_unpack *unpack);

#endif
