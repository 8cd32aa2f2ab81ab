/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/path_watch.h"

#include "base/fetch.h"
#include "csguest/error.h"
#include "util/array.h"

bool csg_path_contradicts(const struct csg_element *e)
{
	if (e->kind != CSG_ELEMENT_GAP)
		return false;
	return e->gap == CSG_GAP_BAD_PACKET || e->gap == CSG_GAP_UNDEFINED ||
	       e->gap == CSG_GAP_DECODER || (e->gap == CSG_GAP_NO_CODE && !csg_can_fetch(e->start));
}

void csg_path_watch_ends(struct csg_path_watch *w, uint64_t index)
{
	if (w->follows && !w->followed++)
		w->followed_to = index;
	w->follows = false;
}

int csg_path_watch_lose(struct csg_path_watch *w, const struct csg_attribution_loss *loss)
{
	struct csg_loss_list *l = &w->losses;

	w->follows = false;
	if (!w->windows)
		return 0;
	if (csg_array_grow((void **)&l->losses, l->count, &l->capacity, sizeof(*loss)))
		return -CSG_E_NO_MEMORY;
	l->losses[l->count++] = *loss;
	return 0;
}
