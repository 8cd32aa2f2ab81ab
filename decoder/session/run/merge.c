/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/run/merge.h"

#include <stdlib.h>

#include "csguest/error.h"

int csg_merge_init(struct csg_merge *m, size_t streams)
{
	*m = (struct csg_merge){.entries = calloc(streams ? streams : 1, sizeof(*m->entries))};
	return m->entries ? 0 : -CSG_E_NO_MEMORY;
}

void csg_merge_fini(struct csg_merge *m)
{
	free(m->entries);
	*m = (struct csg_merge){0};
}

static bool is_before(const struct csg_merge_entry *a, const struct csg_merge_entry *b)
{
	return a->time != b->time ? a->time < b->time : a->stream < b->stream;
}

void csg_merge_add(struct csg_merge *m, size_t stream, uint64_t time)
{
	const struct csg_merge_entry new = {time, stream};
	size_t i = m->n++;

	for (; i && is_before(&new, &m->entries[(i - 1) / 2]); i = (i - 1) / 2)
		m->entries[i] = m->entries[(i - 1) / 2];
	m->entries[i] = new;
}

bool csg_merge_take(struct csg_merge *m, size_t *stream)
{
	struct csg_merge_entry last;
	size_t i = 0, child;

	if (!m->n)
		return false;
	*stream = m->entries[0].stream;
	last = m->entries[--m->n];
	while ((child = 2 * i + 1) < m->n) {
		if (child + 1 < m->n && is_before(&m->entries[child + 1], &m->entries[child]))
			child++;
		if (!is_before(&m->entries[child], &last))
			break;
		m->entries[i] = m->entries[child];
		i = child;
	}
	m->entries[i] = last;
	return true;
}
