/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shares of a whole, estimated from windows of it.
 *
 * A window is a cluster: what follows each other in it is alike, so windows are the sample, not
 * their instructions.  With x_i instructions in window i, y_i of them a row's, X and Y their sums
 * over n windows, the estimate is the ratio p = Y / X: a long window weighs more, as it holds more.
 * Its variance, by linearisation, is
 *
 *	v = (1 - f) n / (n - 1) sum((y_i - p x_i)^2) / X^2
 *
 * where f is the fraction of the whole that lies in windows.  The interval is Wilson's for a
 * proportion of the effective sample size p (1 - p) / v: it stays within 0 and 1, and is not
 * symmetric near them.  Its quantile is Student's: the degrees of freedom are one less than the
 * windows in which the row has some, or, if these are fewer, in which it lacks some, since no other
 * window says how it varies.  A row in one window has no interval.
 *
 * This assumes that where windows lie does not depend on what runs there.  Neighbouring windows
 * that are alike, as when a program has phases that are longer than the time from window to window,
 * make the interval wider than it need be.
 */
#ifndef COMMAND_REPORT_SHARES_H
#define COMMAND_REPORT_SHARES_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: no window yet. */
struct csg_shares_row {
	uint64_t windows; /* in which it has some */
	uint64_t full;	  /* of these, in which there is nothing else */
	double y, yy, xy; /* sums of y_i, y_i^2, x_i y_i */
};

/* The same of all rows together. */
struct csg_shares_all {
	uint64_t windows; /* n */
	double x, xx;
	double traced; /* f, 0 to 1; 0: not known, which makes intervals wider */
};

struct csg_shares_interval {
	double low, high; /* of 1 */
	bool known;
};

/* A window has x, of which y > 0 is the row's. */
void csg_shares_add(struct csg_shares_row *row, double x, double y);
void csg_shares_add_all(struct csg_shares_all *all, double x);

/* Of 95 percent. */
struct csg_shares_interval csg_shares_interval_of(const struct csg_shares_row *row,
						  const struct csg_shares_all *all);

#endif
