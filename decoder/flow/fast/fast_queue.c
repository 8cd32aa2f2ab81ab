/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_queue.h"

#include <string.h>

#define MAX_CAPACITY (1u << 20) /* no unit sends so much without committing any of it */

static bool grow(struct csg_fast *f)
{
	if (f->queue.ring.capacity == MAX_CAPACITY)
		return false;
	if (csg_ring_grow(&f->queue.ring, (void **)&f->queue.entries, sizeof(*f->queue.entries))) {
		f->flow->no_memory = true;
		return false;
	}
	return true;
}

struct csg_fast_entry *csg_fast_push(struct csg_fast *f, enum csg_fast_kind kind, uint64_t index)
{
	struct csg_fast_entry *entry;

	if (f->queue.ring.count == f->queue.ring.capacity && !grow(f))
		return NULL;
	entry = &f->queue.entries[csg_ring_push(&f->queue.ring)];
	/* Addresses are many, and ask for little. */
	if (kind != CSG_FAST_ADDRESS)
		memset(entry, 0, sizeof(*entry));
	entry->index = index;
	entry->kind = (uint8_t)kind;
	entry->p0 = false;
	return entry;
}

void csg_fast_pop_oldest(struct csg_fast *f)
{
	csg_ring_pop(&f->queue.ring);
}

/* What a cancel leaves: it was sent, whatever was executed. */
static bool intervals(const struct csg_fast_entry *entry)
{
	switch (entry->kind) {
	case CSG_FAST_EVENT:
	case CSG_FAST_TIMESTAMP:
	case CSG_FAST_CYCLES:
	case CSG_FAST_MARKER:
	case CSG_FAST_ITE:
		return true;
	default:
		return false;
	}
}

/* Removes the entry at place i. */
static void erase(struct csg_fast *f, size_t i)
{
	for (; i + 1 < f->queue.ring.count; i++)
		*csg_fast_entry_at(f, i) = *csg_fast_entry_at(f, i + 1);
	f->queue.ring.count--;
}

/* How many of n P0 elements the entry holds; they are taken off it. */
static uint32_t take_newest(struct csg_fast_entry *entry, uint32_t n)
{
	uint32_t had = 1;

	if (entry->kind == CSG_FAST_ATOMS) {
		had = entry->atoms;
		n = n < had ? n : had;
		entry->atoms = (uint8_t)(had - n);
		return n;
	}
	if (entry->kind == CSG_FAST_UNSEEN) {
		had = entry->n;
		n = n < had ? n : had;
		entry->n = had - n;
		return n;
	}
	return had;
}

static bool is_empty(const struct csg_fast_entry *entry)
{
	if (entry->kind == CSG_FAST_ATOMS)
		return !entry->atoms;
	return entry->kind != CSG_FAST_UNSEEN || !entry->n;
}

bool csg_fast_cancel(struct csg_fast *f, uint32_t n)
{
	size_t end = f->queue.ring.count, kept = 0; /* entries before end; newer ones that stay */
	uint32_t left = n;

	while (left && end) {
		struct csg_fast_entry *entry = csg_fast_entry_at(f, end - 1);

		if (entry->p0)
			left -= take_newest(entry, left);
		else if (intervals(entry))
			*csg_fast_entry_at(f, f->queue.ring.count - ++kept) = *entry;
		if (entry->p0 && !is_empty(entry))
			break;
		end--;
	}
	for (size_t i = 0; i < kept; i++)
		*csg_fast_entry_at(f, end + i) =
			*csg_fast_entry_at(f, f->queue.ring.count - kept + i);
	f->queue.ring.count = end + kept;
	f->queue.depth -= n - left;
	return !left;
}

bool csg_fast_mispredict(struct csg_fast *f)
{
	for (size_t i = f->queue.ring.count; i--;) {
		struct csg_fast_entry *entry = csg_fast_entry_at(f, i);

		if (entry->kind == CSG_FAST_ATOMS) {
			entry->pattern ^= 1u << (entry->atoms - 1);
			return true;
		}
		if (entry->kind == CSG_FAST_UNSEEN)
			return true;
		if (entry->kind == CSG_FAST_ADDRESS)
			erase(f, i);
	}
	return false;
}
