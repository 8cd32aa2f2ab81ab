/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_fit.h"

#define LEAST 10      /* columns of a key that is cut */
#define LEAST_LAST 24 /* of the last one asked for, which is the symbol as a rule */

/* What a key may not be cut below. */
static size_t least_of(const struct csg_report_fit *fit, size_t key)
{
	size_t last = fit->n - (fit->added_reason ? 2 : 1);
	size_t least = key == last ? LEAST_LAST : LEAST;

	return fit->width[key] < least ? fit->width[key] : least;
}

static size_t line_of(const struct csg_report_fit *fit, bool cut)
{
	size_t sum = fit->before +
		     CSG_REPORT_COUNT_WIDTH * ((size_t)fit->instructions + (size_t)fit->branches);

	for (size_t i = 0; i < fit->n; i++)
		sum += (cut ? least_of(fit, i) : fit->width[i]) + (i ? 2 : 0);
	return sum;
}

/* Leaves out the next column; false: there is none that may be. */
static bool leave_out(struct csg_report_fit *fit)
{
	bool *const minor = fit->by_branches ? &fit->instructions : &fit->branches;
	bool *const major = fit->by_branches ? &fit->branches : &fit->instructions;

	if (*minor) {
		*minor = false;
	} else if (fit->added_reason && fit->n > 1) {
		fit->added_reason = false;
		fit->n--;
	} else if (*major) {
		*major = false;
	} else {
		return false;
	}
	return fit->left_out = true;
}

/* Takes a column from the widest key that may be cut; false: none may. */
static bool cut_widest(struct csg_report_fit *fit)
{
	size_t widest = fit->n;

	for (size_t i = 0; i < fit->n; i++)
		if (fit->width[i] > least_of(fit, i) &&
		    (widest == fit->n || fit->width[i] > fit->width[widest]))
			widest = i;
	if (widest == fit->n)
		return false;
	fit->width[widest]--;
	return true;
}

void csg_report_fit(struct csg_report_fit *fit)
{
	fit->instructions = true;
	fit->branches = !fit->no_branches;
	fit->left_out = false;
	if (!fit->columns || !fit->n)
		return;
	while (line_of(fit, true) > fit->columns && leave_out(fit))
		;
	while (line_of(fit, false) > fit->columns && cut_widest(fit))
		;
}
