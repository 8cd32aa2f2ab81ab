/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A report's estimate of the whole, from windows: intervals of its shares, and by how much its
 * counts are scaled.  All functions take NULL, which is a report of what was traced, and print
 * nothing then.
 */
#ifndef COMMAND_REPORT_ESTIMATE_H
#define COMMAND_REPORT_ESTIMATE_H

#include "report/shares.h"
#include "report/windows.h"
#include "text/out.h"

struct csg_estimate {
	const char *why; /* there is no estimate; NULL: there is one */
	struct csg_shares_all all;
	double factor;	       /* that counts are scaled by; 0: not known, they are as traced */
	uint64_t incomplete;   /* windows that were not decoded, at least in part */
	uint64_t instructions; /* in windows, of all owners and code */
};

#define CSG_ESTIMATE_TEXT_MAX 64

/* A count of the windows, as it is in the whole. */
uint64_t csg_estimate_count(const struct csg_estimate *estimate, uint64_t n);

struct csg_shares_interval csg_estimate_interval(const struct csg_estimate *estimate,
						 const struct csg_shares_row *row);

/* "1.20-3.45%", or "-"; in buf[CSG_ESTIMATE_TEXT_MAX]. */
const char *csg_estimate_interval_text(struct csg_shares_interval interval, char *buf);

/* Lines that begin with '#'. */
void csg_estimate_text(const struct csg_estimate *estimate, struct csg_out *out);

/* ",low,high,windows" of a row, with numbers; to buf[CSG_ESTIMATE_TEXT_MAX]. */
void csg_estimate_csv(const struct csg_estimate *estimate, const struct csg_shares_row *row,
		      char *buf);

/* The members of a row's object, and the report's member "estimate". */
void csg_estimate_json_row(const struct csg_estimate *estimate, const struct csg_shares_row *row,
			   struct csg_out *out);
void csg_estimate_json(const struct csg_estimate *estimate, struct csg_out *out);

#endif
