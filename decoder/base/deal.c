/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/deal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/bisect.h"

#define TRIM_ITEMS 65536

struct hand {
	int32_t whose;
	size_t n; /* items; then: place of the next */
};

struct hands {
	struct hand hands[CSG_DEAL_MOST]; /* in order */
	size_t n, last;
};

/* Their place, or where it would be. */
static size_t place_of(struct hands *h, int32_t whose)
{
	size_t i;

	if (h->last < h->n && h->hands[h->last].whose == whose)
		return h->last;
	CSG_BISECT(i, h->n, h->hands[i].whose < whose);
	return h->last = i;
}

static bool count(struct hands *h, int32_t whose)
{
	size_t i = place_of(h, whose);

	if (i == h->n || h->hands[i].whose != whose) {
		if (h->n == CSG_DEAL_MOST)
			return false;
		memmove(&h->hands[i + 1], &h->hands[i], (h->n - i) * sizeof(h->hands[0]));
		h->hands[i] = (struct hand){.whose = whose};
		h->n++;
	}
	h->hands[i].n++;
	return true;
}

/* From how many they have to where the first of them goes. */
static void lay_out(struct hands *h)
{
	size_t place = 0;

	for (size_t i = 0; i < h->n; i++) {
		size_t n = h->hands[i].n;

		h->hands[i].n = place;
		place += n;
	}
}

/* False: they are of too many, or there is no memory; nothing was changed. */
static bool deal(struct csg_dealt *d, struct hands *hands, int32_t (*whose)(const void *item))
{
	const uint8_t *from = d->items;
	uint8_t *to;

	for (size_t i = 0; i < d->n; i++) {
		if (!count(hands, whose(from + i * d->size)))
			return false;
		if (i % TRIM_ITEMS == 0)
			csg_disk_memory_trim(d->memory);
	}
	if (hands->n < 2)
		return true;
	to = csg_disk_memory_alloc(d->memory, d->n * d->size);
	if (!to)
		return false;
	lay_out(hands);
	for (size_t i = 0; i < d->n; i++) {
		struct hand *hand = &hands->hands[place_of(hands, whose(from + i * d->size))];

		memcpy(to + hand->n++ * d->size, from + i * d->size, d->size);
		if (i % TRIM_ITEMS == 0)
			csg_disk_memory_trim(d->memory);
	}
	csg_disk_memory_free(d->memory, d->items, d->capacity * d->size);
	d->items = to;
	d->capacity = d->n;
	return true;
}

static bool is_sorted(const uint8_t *items, size_t n, size_t size,
		      int (*compare)(const void *a, const void *b))
{
	for (size_t i = 1; i < n; i++)
		if (compare(items + (i - 1) * size, items + i * size) > 0)
			return false;
	return true;
}

static void sort(const struct csg_dealt *d, size_t from, size_t until,
		 int (*compare)(const void *a, const void *b))
{
	uint8_t *items = (uint8_t *)d->items + from * d->size;

	if (!is_sorted(items, until - from, d->size, compare))
		qsort(items, until - from, d->size, compare);
	csg_disk_memory_trim(d->memory);
}

void csg_deal(struct csg_dealt *d, int32_t (*whose)(const void *item),
	      int (*compare)(const void *a, const void *b))
{
	struct hands hands = {.n = 0};
	size_t from = 0;

	if (!d->n)
		return;
	if (!deal(d, &hands, whose) || hands.n < 2) {
		sort(d, 0, d->n, compare);
		return;
	}
	/* Each hand's place is after its last item now. */
	for (size_t i = 0; i < hands.n; i++) {
		sort(d, from, hands.hands[i].n, compare);
		from = hands.hands[i].n;
	}
}
