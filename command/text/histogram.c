/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/histogram.h"

#define BITS 5 /* log2 of CSG_HISTOGRAM_PARTS */

static unsigned int slot_of(uint64_t n)
{
	unsigned int top;

	if (n < CSG_HISTOGRAM_PARTS)
		return (unsigned int)n;
	top = 63 - (unsigned int)__builtin_clzll(n);
	return (top - BITS + 1) * CSG_HISTOGRAM_PARTS +
	       (unsigned int)(n >> (top - BITS) & (CSG_HISTOGRAM_PARTS - 1));
}

/* The largest number in a slot. */
static uint64_t last_of(unsigned int slot)
{
	unsigned int power = slot / CSG_HISTOGRAM_PARTS, part = slot % CSG_HISTOGRAM_PARTS;

	if (!power)
		return slot;
	return ((uint64_t)(CSG_HISTOGRAM_PARTS + part + 1) << (power - 1)) - 1;
}

void csg_histogram_add(struct csg_histogram *h, uint64_t n)
{
	if (!h->count || n < h->min)
		h->min = n;
	if (n > h->max)
		h->max = n;
	h->count++;
	h->sum += n;
	h->slots[slot_of(n)]++;
}

uint64_t csg_histogram_percentile(const struct csg_histogram *h, double percent)
{
	double want = percent / 100 * (double)h->count;
	uint64_t seen = 0;

	for (unsigned int i = 0; i < CSG_HISTOGRAM_SLOTS; i++) {
		seen += h->slots[i];
		if (seen && (double)seen >= want) {
			uint64_t n = last_of(i);

			return n > h->max ? h->max : n < h->min ? h->min : n;
		}
	}
	return h->max;
}
