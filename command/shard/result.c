/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/result.h"

#include <string.h>

#include "csguest/error.h"

void csg_result_head_pack(struct csg_pack *p, const struct csg_result_head *h)
{
	csg_pack_text(p, h->version);
	csg_pack_text(p, h->view);
	csg_pack_text(p, h->options);
	csg_pack_text(p, h->recording);
	csg_pack_text(p, h->hypervisor);
	csg_pack_number(p, h->recording_sum);
	csg_pack_number(p, h->shard);
	csg_pack_number(p, h->shards);
	csg_pack_number(p, h->begin);
	csg_pack_number(p, h->end);
	csg_pack_number(p, (uint64_t)-h->damage);
	csg_pack_number(p, h->strict);
}

/* One that has to be there. */
static const char *text(struct csg_unpack *u)
{
	const char *t = csg_unpack_text(u);

	u->failed |= !t;
	return t ? t : "";
}

void csg_result_head_unpack(struct csg_unpack *u, struct csg_result_head *h)
{
	h->version = text(u);
	h->view = text(u);
	h->options = text(u);
	h->recording = text(u);
	h->hypervisor = text(u);
	h->recording_sum = csg_unpack_number(u);
	h->shard = (uint32_t)csg_unpack_below(u, CSG_SHARDS_MAX + 1);
	h->shards = (uint32_t)csg_unpack_below(u, CSG_SHARDS_MAX + 1);
	h->begin = csg_unpack_number(u);
	h->end = csg_unpack_number(u);
	h->damage = -(int)csg_unpack_below(u, CSG_E_COUNT);
	h->strict = csg_unpack_below(u, 2);
	u->failed |= !h->shard || h->shard > h->shards;
}

void csg_result_message_pack(struct csg_pack *p, const struct csg_diag *d)
{
	csg_pack_number(p, d->severity);
	csg_pack_number(p, (uint64_t)(d->error < 0 ? -d->error : d->error));
	csg_pack_number(p, d->offset);
	csg_pack_text(p, d->file);
	csg_pack_text(p, d->text);
	csg_pack_text(p, d->remedy);
}

void csg_result_message_unpack(struct csg_unpack *u, struct csg_diag *d)
{
	*d = (struct csg_diag){.size = sizeof(*d)};
	d->severity = (enum csg_severity)csg_unpack_below(u, CSG_ERROR + 1);
	d->error = (int)csg_unpack_below(u, CSG_E_COUNT);
	d->offset = csg_unpack_number(u);
	d->file = csg_unpack_text(u);
	d->text = text(u);
	d->remedy = csg_unpack_text(u);
}
