/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/estimate.h"

#include <inttypes.h>
#include <stdio.h>

#include "text/escape.h"

uint64_t csg_estimate_count(const struct csg_estimate *estimate, uint64_t n)
{
	if (!estimate || estimate->factor <= 0)
		return n;
	return (uint64_t)((double)n * estimate->factor + 0.5);
}

struct csg_shares_interval csg_estimate_interval(const struct csg_estimate *estimate,
						 const struct csg_shares_row *row)
{
	if (!estimate || estimate->why)
		return (struct csg_shares_interval){.high = 1};
	return csg_shares_interval_of(row, &estimate->all);
}

const char *csg_estimate_interval_text(struct csg_shares_interval interval, char *buf)
{
	if (!interval.known)
		return "-";
	snprintf(buf, CSG_ESTIMATE_TEXT_MAX, "%.2f-%.2f%%", 100 * interval.low,
		 100 * interval.high);
	return buf;
}

void csg_estimate_text(const struct csg_estimate *e, struct csg_out *out)
{
	if (!e)
		return;
	if (e->why) {
		csg_out_printf(out, "# not estimated: %s\n", e->why);
		return;
	}
	csg_out_printf(out,
		       "# estimated from %" PRIu64 " windows of %.0f instructions on average\n",
		       e->all.windows, (double)e->instructions / (double)e->all.windows);
	if (e->incomplete)
		csg_out_printf(out,
			       "# %" PRIu64
			       " windows are not decoded, at least in part: shares are "
			       "of the rest\n",
			       e->incomplete);
	if (e->factor > 0)
		csg_out_printf(out,
			       "# counts are multiplied by %.4g: by their timestamps, windows take "
			       "about %.3g%% of the CPUs' time\n",
			       e->factor, 100 / e->factor);
	else
		csg_out_str(out,
			    "# counts are those of the windows: fewer than 30 windows have two "
			    "timestamps that say how long they took\n");
}

void csg_estimate_csv(const struct csg_estimate *estimate, const struct csg_shares_row *row,
		      char *buf)
{
	const struct csg_shares_interval interval = csg_estimate_interval(estimate, row);

	buf[0] = 0;
	if (!estimate)
		return;
	if (interval.known)
		snprintf(buf, CSG_ESTIMATE_TEXT_MAX, ",%.4f,%.4f,%" PRIu64, 100 * interval.low,
			 100 * interval.high, row->windows);
	else
		snprintf(buf, CSG_ESTIMATE_TEXT_MAX, ",,,%" PRIu64, row->windows);
}

void csg_estimate_json_row(const struct csg_estimate *estimate, const struct csg_shares_row *row,
			   struct csg_out *out)
{
	const struct csg_shares_interval interval = csg_estimate_interval(estimate, row);

	if (!estimate)
		return;
	if (interval.known)
		csg_out_printf(out, ",\"low\":%.4f,\"high\":%.4f", 100 * interval.low,
			       100 * interval.high);
	else
		csg_out_str(out, ",\"low\":null,\"high\":null");
	csg_out_printf(out, ",\"windows\":%" PRIu64, row->windows);
}

void csg_estimate_json(const struct csg_estimate *e, struct csg_out *out)
{
	if (!e)
		return;
	csg_out_str(out, "\"estimate\":{\"why_not\":");
	csg_out_json(out, e->why);
	csg_out_printf(out,
		       ",\"windows\":%" PRIu64 ",\"incomplete\":%" PRIu64
		       ",\"instructions\":%" PRIu64,
		       e->all.windows, e->incomplete, e->instructions);
	if (e->factor > 0)
		csg_out_printf(out, ",\"factor\":%.6g},\n", e->factor);
	else
		csg_out_str(out, ",\"factor\":null},\n");
}
