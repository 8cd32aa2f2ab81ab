/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/losses.h"

#include "clock/stamp.h"
#include "util/bisect.h"

bool csg_lost_times_take(struct csg_lost_times *t, const struct csg_attribution_piece *piece,
			 uint64_t index, uint64_t timestamp)
{
	for (; t->next < piece->loss_count && piece->losses[t->next].end < index; t->next++)
		t->lacks = true;
	t->lacks &= csg_stamps_share_block(timestamp, t->previous);
	t->previous = timestamp;
	return !t->lacks && (t->next == piece->loss_count || piece->losses[t->next].begin >= index);
}

const struct csg_attribution_loss *csg_loss_in(const struct csg_when *when)
{
	const struct csg_attribution_loss *losses = when->piece->losses;
	const size_t n = when->piece->loss_count;
	size_t i;

	CSG_BISECT(i, n, losses[i].end <= when->index);
	if (i == n)
		return NULL;
	/* Where the segment ends is not known: the time slice is the same up to there. */
	if (when->end ? losses[i].end > when->end : losses[i].begin > when->index)
		return NULL;
	return &losses[i];
}
