/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/uncommitted.h"

#include <stdlib.h>

#include "csguest/error.h"

#define CAPACITY                                                                                   \
	4096 /* entries; a power of two, more than any unit's depth and what lies between */

enum entry_kind {
	ATOMS,
	P0, /* exception, Q, transaction */
	SOURCE,
	ADDRESS,
	OTHER,
	EVENT,
};

struct csg_uncommitted_entry {
	uint8_t kind;
	uint32_t n; /* P0 elements in it */
	struct csg_track_event event;
};

int csg_uncommitted_init(struct csg_uncommitted *u, uint32_t max_spec, csg_track_fn out, void *arg)
{
	*u = (struct csg_uncommitted){
		.queue.capacity = CAPACITY, .max_spec = max_spec, .out = out, .arg = arg};
	if (!max_spec)
		return 0;
	u->entries = malloc(CAPACITY * sizeof(*u->entries));
	return u->entries ? 0 : -CSG_E_NO_MEMORY;
}

void csg_uncommitted_fini(struct csg_uncommitted *u)
{
	free(u->entries);
	u->entries = NULL;
}

static struct csg_uncommitted_entry *at(const struct csg_uncommitted *u, size_t i)
{
	return &u->entries[csg_ring_at(&u->queue, i)];
}

bool csg_uncommitted_restart(struct csg_uncommitted *u, uint32_t depth)
{
	csg_ring_clear(&u->queue);
	u->depth = depth <= u->max_spec ? depth : 0;
	u->unseen = u->forgets_unseen ? 0 : u->depth;
	return depth <= u->max_spec;
}

static bool bad(struct csg_uncommitted *u)
{
	csg_uncommitted_restart(u, 0);
	return false;
}

static bool add(struct csg_uncommitted *u, uint8_t kind, uint32_t n)
{
	/* With nothing in flight, what is no P0 element is final at once. */
	if (!u->max_spec || (!u->depth && !n))
		return true;
	if (u->queue.count == CAPACITY)
		return bad(u);
	u->entries[csg_ring_push(&u->queue)] = (struct csg_uncommitted_entry){.kind = kind, .n = n};
	u->depth += n;
	return true;
}

/* The oldest entry is final. */
static void release(struct csg_uncommitted *u)
{
	const struct csg_uncommitted_entry *oldest = at(u, 0);

	if (oldest->kind == EVENT)
		u->out(u->arg, &oldest->event);
	csg_ring_pop(&u->queue);
}

/* Everything before the oldest P0 element that is left is final, too, when nothing is in flight. */
static void release_settled(struct csg_uncommitted *u)
{
	while (!u->depth && u->queue.count)
		release(u);
}

bool csg_uncommitted_commit(struct csg_uncommitted *u, uint32_t n)
{
	uint32_t unseen = n < u->unseen ? n : u->unseen;

	if (!u->max_spec || n > u->depth)
		return bad(u);
	u->depth -= n;
	u->unseen -= unseen;
	for (n -= unseen; n && u->queue.count;) {
		struct csg_uncommitted_entry *oldest = at(u, 0);
		uint32_t part = oldest->n < n ? oldest->n : n;

		oldest->n -= part;
		n -= part;
		if (!oldest->n)
			release(u);
	}
	release_settled(u);
	return !n || bad(u);
}

/* The unit commits by itself what exceeds its depth. */
static bool limit(struct csg_uncommitted *u)
{
	return u->depth <= u->max_spec || csg_uncommitted_commit(u, u->depth - u->max_spec);
}

bool csg_uncommitted_p0(struct csg_uncommitted *u, uint32_t n, bool atoms)
{
	return !u->max_spec || (add(u, atoms ? ATOMS : P0, n) && limit(u));
}

bool csg_uncommitted_source_address(struct csg_uncommitted *u)
{
	return !u->max_spec || (add(u, SOURCE, 1) && limit(u));
}

bool csg_uncommitted_address(struct csg_uncommitted *u)
{
	return add(u, ADDRESS, 0);
}

bool csg_uncommitted_other(struct csg_uncommitted *u)
{
	return add(u, OTHER, 0);
}

bool csg_uncommitted_event(struct csg_uncommitted *u, const struct csg_track_event *event)
{
	if (!u->max_spec || !u->depth) {
		u->out(u->arg, event);
		return true;
	}
	if (!add(u, EVENT, 0))
		return false;
	at(u, u->queue.count - 1)->event = *event;
	return true;
}

static bool survives_cancel(const struct csg_uncommitted_entry *entry)
{
	return entry->kind == OTHER ||
	       (entry->kind == EVENT && entry->event.kind == CSG_TRACK_TIMESTAMP);
}

bool csg_uncommitted_cancel(struct csg_uncommitted *u, uint32_t n)
{
	size_t kept = 0;

	if (!u->max_spec || n > u->depth)
		return bad(u);
	u->depth -= n;
	/* From the newest on; what survives is moved after the last that stays. */
	while (n && u->queue.count > kept) {
		size_t i = u->queue.count - 1 - kept;
		struct csg_uncommitted_entry *entry = at(u, i);
		uint32_t part = entry->n < n ? entry->n : n;

		/* OpenCSD would take back another P0 element in its place. */
		if (entry->kind == SOURCE)
			return bad(u);
		n -= part;
		entry->n -= part;
		if (entry->n)
			break;
		if (survives_cancel(entry)) {
			kept++;
			continue;
		}
		for (size_t k = i; k + 1 < u->queue.count; k++)
			*at(u, k) = *at(u, k + 1);
		u->queue.count--;
	}
	if (n > u->unseen)
		return bad(u);
	u->unseen -= n;
	return true;
}

/* Of an address and of an exception there are two entries here, and one element in OpenCSD. */
static bool is_second(const struct csg_uncommitted_entry *entry)
{
	return entry->kind == EVENT &&
	       (entry->event.kind == CSG_TRACK_ADDRESS || entry->event.kind == CSG_TRACK_EXCEPTION);
}

/* How many elements OpenCSD holds at least: of some other packets it makes none. */
static size_t least_elements(const struct csg_uncommitted *u)
{
	size_t least = 0;

	for (size_t i = 0; i < u->queue.count; i++)
		least += at(u, i)->kind != OTHER && !is_second(at(u, i));
	return least;
}

static void take_out(struct csg_uncommitted *u, size_t place)
{
	for (size_t k = place; k + 1 < u->queue.count; k++)
		*at(u, k) = *at(u, k + 1);
	u->queue.count--;
}

/* The newest atom was the other way round; addresses after it were never reached. */
bool csg_uncommitted_mispredict(struct csg_uncommitted *u)
{
	size_t elements = least_elements(u), newer = 0;

	if (!u->max_spec)
		return bad(u);
	for (size_t place = u->queue.count; place-- > 0;) {
		const struct csg_uncommitted_entry *entry = at(u, place);

		if (entry->kind == ATOMS)
			return true;
		if (entry->kind != ADDRESS) {
			newer += !is_second(entry);
			continue;
		}
		/* OpenCSD's iterator survives an erasure in the newer half only. */
		if (newer >= elements / 2)
			return bad(u);
		take_out(u, place);
		elements--;
	}
	return u->unseen || bad(u);
}

void csg_uncommitted_discard(struct csg_uncommitted *u)
{
	for (size_t i = 0; i < u->queue.count; i++)
		if (at(u, i)->kind == EVENT && at(u, i)->event.kind == CSG_TRACK_TIMESTAMP)
			u->out(u->arg, &at(u, i)->event);
	csg_uncommitted_restart(u, 0);
}
