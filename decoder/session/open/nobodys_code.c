/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/nobodys_code.h"

#include "clock/stamp.h"
#include "csguest/error.h"
#include "image/machine.h"
#include "util/array.h"

#define PAGE_BITS 12

void csg_nobodys_code_init(struct csg_nobodys_code *c, struct csg_machine *host)
{
	*c = (struct csg_nobodys_code){.host = host};
}

void csg_nobodys_code_begin(struct csg_nobodys_code *c, uint64_t index)
{
	c->block = index;
	c->previous = 0;
}

/* It is the same loss that shows once more as long as no timestamp has changed its upper bits. */
static int lose(struct csg_nobodys_code *c, uint64_t index)
{
	struct csg_loss_list *l = &c->losses;

	if (l->count && l->losses[l->count - 1].end >= c->block) {
		l->losses[l->count - 1].end = index;
		return 0;
	}
	if (csg_array_grow((void **)&l->losses, l->count, &l->capacity, sizeof(*l->losses)))
		return -CSG_E_NO_MEMORY;
	l->losses[l->count++] = (struct csg_attribution_loss){c->block, index};
	return 0;
}

/* Mostly it is the same page again. */
static int see_code(struct csg_nobodys_code *c, uint64_t address, uint64_t index)
{
	const uint64_t page = address >> PAGE_BITS;

	if (page == c->page)
		return 0;
	if (!csg_machine_may_have(c->host, address))
		return lose(c, index);
	c->page = page;
	return 0;
}

static bool is_hosts_user(const struct csg_owner *owner)
{
	return owner->world == CSG_WORLD_HOST && owner->privilege == CSG_USER &&
	       !(owner->evidence & CSG_EVIDENCE_POLICY_DEFAULT);
}

int csg_nobodys_code_see(struct csg_nobodys_code *c, const struct csg_element *e,
			 const struct csg_owner *owner)
{
	if (e->kind == CSG_ELEMENT_TIMESTAMP) {
		/* Right whatever was lost before it, if its packet has changed the upper bits. */
		if (!csg_stamps_share_block(e->timestamp, c->previous))
			c->block = e->index;
		c->previous = e->timestamp;
		return 0;
	}
	if (e->kind != CSG_ELEMENT_GAP || !is_hosts_user(owner) ||
	    (e->gap != CSG_GAP_NO_CODE && e->gap != CSG_GAP_NO_OWNER))
		return 0;
	return see_code(c, e->start, e->index);
}
