/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader_state.h"

#include <string.h>

void csg_reader_copy(struct csg_reader *to, const struct csg_reader *from)
{
	csg_packet_fn out = to->out;
	void *arg = to->arg;

	*to = *from;
	to->out = out;
	to->arg = arg;
}

static bool same_context(const struct csg_packet_context *a, const struct csg_packet_context *b)
{
	return a->updated == b->updated && a->el == b->el && a->ns == b->ns && a->nse == b->nse &&
	       a->sf == b->sf && a->has_vmid == b->has_vmid &&
	       a->has_contextid == b->has_contextid && a->vmid == b->vmid &&
	       a->contextid == b->contextid;
}

/* A packet that has begun: its first bytes, and how it goes on. */
static bool same_packet(const struct csg_reader *a, const struct csg_reader *b)
{
	if (a->state != CSG_READER_PAYLOAD)
		return true;
	return a->packet.kind == b->packet.kind && a->packet.index == b->packet.index &&
	       a->used == b->used && a->limit == b->limit && a->left == b->left &&
	       a->fields == b->fields && !memcmp(a->bytes, b->bytes, a->used);
}

/* What the next packets leave out. */
static bool same_rest(const struct csg_reader *a, const struct csg_reader *b)
{
	return !memcmp(a->addresses, b->addresses, sizeof(a->addresses)) &&
	       !memcmp(a->is1, b->is1, sizeof(a->is1)) && a->cc_threshold == b->cc_threshold &&
	       a->whole_timestamp == b->whole_timestamp &&
	       (a->whole_timestamp || a->timestamp == b->timestamp) && a->sf == b->sf;
}

bool csg_reader_same(const struct csg_reader *a, const struct csg_reader *b)
{
	return a->state == b->state && a->zeros == b->zeros &&
	       (!a->zeros || a->zeros_index == b->zeros_index) && same_packet(a, b) &&
	       same_context(&a->packet.context, &b->packet.context) && same_rest(a, b);
}
