/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_cache.h"

struct csg_part_begin csg_part_begin(struct csg_out *out)
{
	csg_out_reserve(out, CSG_PART_MAX);
	return (struct csg_part_begin){out->used, out->flushes};
}

void csg_part_keep(struct csg_part *part, const struct csg_out *out, struct csg_part_begin begin,
		   uint64_t a, uint64_t b, uint32_t more)
{
	size_t size = out->used - begin.used;

	part->size = 0;
	/* Where the block was written in between, the beginning is gone. */
	if (out->flushes != begin.flushes || size > CSG_PART_MAX)
		return;
	memcpy(part->text, out->buf + begin.used, size);
	part->size = (uint32_t)size;
	part->key[0] = a;
	part->key[1] = b;
	part->more = more;
	part->from = 0;
	part->last = UINT64_MAX;
}
