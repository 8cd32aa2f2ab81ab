/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/deal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
	size_t i = 0;

	if (h->last < h->n && h->hands[h->last].whose == whose)
		return h->last;
	while (i < h->n && h->hands[i].whose < whose)
		i++;
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
static bool deal(void *items, size_t n, size_t size, int32_t (*whose)(const void *item))
{
	struct hands hands = {.n = 0};
	const uint8_t *from = items;
	uint8_t *dealt;

	for (size_t i = 0; i < n; i++)
		if (!count(&hands, whose(from + i * size)))
			return false;
	if (hands.n < 2)
		return true;
	dealt = malloc(n * size);
	if (!dealt)
		return false;
	lay_out(&hands);
	for (size_t i = 0; i < n; i++) {
		struct hand *hand = &hands.hands[place_of(&hands, whose(from + i * size))];

		memcpy(dealt + hand->n++ * size, from + i * size, size);
	}
	memcpy(items, dealt, n * size);
	free(dealt);
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

void csg_deal(void *items, size_t n, size_t size, int32_t (*whose)(const void *item),
	      int (*compare)(const void *a, const void *b))
{
	deal(items, n, size, whose);
	if (!is_sorted(items, n, size, compare))
		qsort(items, n, size, compare);
}
