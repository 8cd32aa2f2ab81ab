/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/align_look.h"

#include <string.h>

int csg_align_hold(struct csg_align *a, size_t at)
{
	while (at >= a->n) {
		int ret;

		if (a->drained || a->n == CSG_ALIGN_LOOK)
			return 0;
		ret = csg_truth_next(a->truth, &a->look[a->n]);
		if (ret < 0)
			return ret;
		a->drained = !ret;
		a->n += ret > 0;
	}
	return 1;
}

int csg_align_hold_head(struct csg_align *a)
{
	if (a->head >= CSG_ALIGN_LOOK / 2) {
		memmove(a->look, a->look + a->head, (a->n - a->head) * sizeof(*a->look));
		a->n -= a->head;
		a->head = 0;
	}
	return csg_align_hold(a, a->head);
}

int csg_align_lose_until(struct csg_align *a, struct csg_align_place to)
{
	for (; a->head < to.at; a->head++, a->used = 0) {
		const struct csg_truth_piece *p = &a->look[a->head];
		int err = p->count > a->used
				  ? a->client.lost(a->client.arg, p, p->count - a->used, a->why)
				  : 0;

		if (err)
			return err;
	}
	if (to.used > a->used) {
		int err =
			a->client.lost(a->client.arg, &a->look[a->head], to.used - a->used, a->why);

		if (err)
			return err;
		a->used = to.used;
	}
	return 0;
}

bool csg_align_tells(const struct csg_truth_piece *p, uint64_t used, uint64_t *address)
{
	*address = p->straight ? p->start + 4 * used : p->start;
	return p->straight || !used;
}

unsigned int csg_align_el_of(const struct csg_align *a, size_t at)
{
	return csg_truth_owner(a->truth, a->look[at].owner)->el;
}
