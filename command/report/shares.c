/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/shares.h"

#include <math.h>

#define NORMAL 1.959963984540054 /* quantile of 97.5 percent */

void csg_shares_add(struct csg_shares_row *row, double x, double y)
{
	row->windows++;
	row->full += y >= x;
	row->y += y;
	row->yy += y * y;
	row->xy += x * y;
}

void csg_shares_add_all(struct csg_shares_all *all, double x)
{
	all->windows++;
	all->x += x;
	all->xx += x * x;
}

/* Student's quantile of 97.5 percent: Cornish and Fisher's expansion, which 3 and more allow. */
static double student(uint64_t freedom)
{
	static const double few[] = {0, 12.706, 4.303, 3.182};
	const double z = NORMAL, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
	const double n = (double)freedom;

	if (freedom < sizeof(few) / sizeof(*few))
		return few[freedom];
	return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

static struct csg_shares_interval wilson(double p, double n, double t)
{
	const double center = (p + t * t / (2 * n)) / (1 + t * t / n);
	const double half = t / (1 + t * t / n) * sqrt(p * (1 - p) / n + t * t / (4 * n * n));

	return (struct csg_shares_interval){
		.low = fmax(center - half, 0), .high = fmin(center + half, 1), .known = true};
}

struct csg_shares_interval csg_shares_interval_of(const struct csg_shares_row *row,
						  const struct csg_shares_all *all)
{
	const double n = (double)all->windows, p = all->x > 0 ? row->y / all->x : 0;
	const uint64_t lacks = all->windows - row->full;
	const uint64_t fewer = row->windows < lacks ? row->windows : lacks;
	double v;

	if (all->windows < 2)
		return (struct csg_shares_interval){.high = 1};
	/* No window lacks some: as often as that may still be so by chance. */
	if (!lacks)
		return wilson(1, n, student(all->windows - 1));
	if (fewer < 2)
		return (struct csg_shares_interval){.high = 1};
	v = (1 - all->traced) * n / (n - 1) * (row->yy - 2 * p * row->xy + p * p * all->xx) /
	    (all->x * all->x);
	if (v <= 0 || p >= 1)
		return (struct csg_shares_interval){.low = p, .high = p, .known = true};
	return wilson(p, p * (1 - p) / v, student(fewer - 1));
}
