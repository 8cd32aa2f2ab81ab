/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/stamps.h"

#include <stdlib.h>
#include <string.h>

#define QUEUE_MAX (1u << 16)		/* timestamps kept */
#define COUNTER_MAX (UINT64_C(1) << 62) /* no counter gets there; keeps sums below 2^63 */

void csg_stamps_init(struct csg_stamps *s, struct csg_offsets *offsets, csg_stamp_whose_fn whose,
		     void *arg)
{
	*s = (struct csg_stamps){
		.offsets = offsets, .whose = whose, .arg = arg, .ceiling = UINT64_MAX};
}

void csg_stamps_fini(struct csg_stamps *s)
{
	free(s->queue);
	s->queue = NULL;
	s->first = s->settled = s->waiting = s->fresh = s->room = 0;
}

/* --- bounds, which may be open --- */

/* raw + offset as a counter value, within 0 and UINT64_MAX, which are open ends. */
static uint64_t plus(uint64_t raw, int64_t offset)
{
	if (offset == CSG_OFFSET_MAX)
		return UINT64_MAX;
	if (offset < 0)
		return offset == CSG_OFFSET_MIN || raw < (uint64_t)-offset
			       ? 0
			       : raw - (uint64_t)-offset;
	return raw + (uint64_t)offset;
}

/* CNTVOFF is this or more, as the physical counter was at or behind floor when raw was stamped. */
static int64_t at_least(uint64_t floor, uint64_t raw)
{
	return floor ? (int64_t)(floor - raw) : CSG_OFFSET_MIN;
}

static int64_t at_most(uint64_t ceiling, uint64_t raw)
{
	return ceiling < COUNTER_MAX ? (int64_t)(ceiling - raw) : CSG_OFFSET_MAX;
}

static bool is_counter(uint64_t raw)
{
	return raw && raw < COUNTER_MAX;
}

/* --- settling what waits between two anchors --- */

struct span {
	struct csg_stamp *stamps;
	size_t n;
	uint64_t floor, ceiling;  /* the physical counter over it */
	bool has_left, has_right; /* the bounds are timestamps themselves */
};

/* confirms: it is not seen twice of the same timestamps. */
static void observe(struct csg_stamps *s, int32_t vm, struct csg_offset_piece seen, uint64_t index,
		    bool confirms)
{
	int agrees = 0;

	/* A bound on one side was seen at that end. */
	if (seen.offset.low == CSG_OFFSET_MIN)
		seen.from = seen.until;
	if (seen.offset.high == CSG_OFFSET_MAX)
		seen.until = seen.from;
	if (seen.offset.low == CSG_OFFSET_MIN && seen.offset.high == CSG_OFFSET_MAX)
		return;
	if (s->finder.found ? csg_offsets_compare(s->offsets, vm, &seen, &agrees)
			    : csg_offsets_observe(s->offsets, vm, &seen))
		s->failed = true;
	/* What disagrees may be another VM's. */
	if ((agrees < 0 && !s->supposes) || (agrees > 0 && confirms))
		csg_found(&s->finder, CSG_ASSUMPTION_COUNTER_OFFSET, agrees > 0, index);
}

static bool is_loaded(const struct csg_stamp *stamp)
{
	return stamp->may == CSG_STAMP_LOADED && stamp->vm > 0 && is_counter(stamp->raw);
}

/* Who is meant by `any VM`, if the sideband knows of one only. */
static void name_vms(struct csg_stamps *s, const struct span *span)
{
	int32_t vm = CSG_STAMP_ANY_VM;
	bool asked = false;

	s->supposes = false;
	for (size_t i = 0; i < span->n; i++) {
		struct csg_stamp *stamp = &span->stamps[i];

		if (stamp->vm != CSG_STAMP_ANY_VM || !(stamp->may & CSG_STAMP_LOADED))
			continue;
		if (!asked && s->whose)
			vm = s->whose(s->arg, span->floor, span->ceiling);
		asked = true;
		/* A guest ran all the same: the sideband does not know of all vCPUs. */
		if (!vm && stamp->may == CSG_STAMP_LOADED)
			continue;
		stamp->vm = vm;
		s->supposes |= vm > 0;
		if (!vm)
			stamp->may &= CSG_STAMP_PHYSICAL;
	}
}

/*
 * What must be so whatever the rest is: a row of timestamps of one VM lies between the anchors,
 * which bounds its offset.
 */
static void bound_offsets(struct csg_stamps *s, const struct span *span)
{
	for (size_t i = 0; i < span->n; i++) {
		const struct csg_stamp *head = &span->stamps[i], *tail = head;
		struct csg_offset_piece seen = {.from = span->floor,
						.until = span->ceiling,
						.sources = CSG_OFFSET_BY_TRACE};

		if (!is_loaded(head))
			continue;
		while (i + 1 < span->n &&
		       (span->stamps[i + 1].vm == head->vm || !is_loaded(&span->stamps[i + 1]))) {
			i++;
			if (is_loaded(&span->stamps[i]))
				tail = &span->stamps[i];
		}
		seen.offset = (struct csg_offset){at_least(span->floor, head->raw),
						  at_most(span->ceiling, tail->raw)};
		seen.loads = span->has_left;
		seen.puts = span->has_right;
		observe(s, head->vm, seen, head->index, true);
	}
}

/* csg_offsets_find() or _find_shown(). */
typedef bool (*offset_fn)(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
			  struct csg_offset *offset);

/*
 * Where the physical counter was, between floor and ceiling: as the one reading has it that fits,
 * or as both together.  Returns the reading that must be, CSG_STAMP_EITHER where both fit, 0
 * where none does.
 */
static uint8_t read_stamp(const struct csg_offsets *offsets, offset_fn find,
			  struct csg_stamp *stamp, uint64_t floor, uint64_t ceiling)
{
	struct csg_offset offset = {CSG_OFFSET_MIN, CSG_OFFSET_MAX};
	uint64_t low = UINT64_MAX, high = 0;
	uint8_t is = 0;

	stamp->low = floor;
	stamp->high = ceiling;
	if (!is_counter(stamp->raw))
		return stamp->may;
	if ((stamp->may & CSG_STAMP_PHYSICAL) && stamp->raw >= floor && stamp->raw <= ceiling) {
		low = high = stamp->raw;
		is = CSG_STAMP_PHYSICAL;
	}
	if (stamp->may & CSG_STAMP_LOADED) {
		uint64_t least, most;

		if (stamp->vm <= 0 || !find(offsets, stamp->vm, floor, &offset))
			return stamp->may;
		least = plus(stamp->raw, offset.low);
		most = plus(stamp->raw, offset.high);
		least = least > floor ? least : floor;
		most = most < ceiling ? most : ceiling;
		if (least <= most) {
			low = least < low ? least : low;
			high = most > high ? most : high;
			is |= CSG_STAMP_LOADED;
		}
	}
	if (is) {
		stamp->low = low;
		stamp->high = high;
	}
	return is;
}

/*
 * Where nothing is known of the VM's offset, as no guest is traced: what may be either, and lies outside
 * of the physical counter's span, is the VM's.  Only timestamps bound the span well enough.
 */
static void rule_out_physical(const struct csg_stamps *s, const struct span *span)
{
	struct csg_offset offset;

	for (size_t i = 0; span->has_left && span->has_right && i < span->n; i++) {
		struct csg_stamp *stamp = &span->stamps[i];

		if (stamp->may == CSG_STAMP_EITHER && stamp->vm > 0 && is_counter(stamp->raw) &&
		    (stamp->raw < span->floor || stamp->raw > span->ceiling) &&
		    !csg_offsets_find_shown(s->offsets, stamp->vm, span->floor, &offset))
			stamp->may = CSG_STAMP_LOADED;
	}
}

/* The jumps between neighbours that are settled bound the offset best. */
struct jumps {
	int32_t vm;		   /* loaded now; 0: none */
	uint64_t physical, loaded; /* the last of each, raw; 0: there is none */
	uint64_t index;		   /* of the first that is loaded */
	struct csg_offset_piece seen;
};

/* The VM's offset: as the user has it, though timestamps show another one, or as they show it. */
static bool offset_of(const struct csg_offsets *offsets, int32_t vm, uint64_t time,
		      struct csg_offset *offset)
{
	const struct csg_offset_vm *v = csg_offsets_of(offsets, vm);

	if (v && v->refuted) {
		*offset = (struct csg_offset){v->said, v->said};
		return true;
	}
	return csg_offsets_find(offsets, vm, time, offset);
}

/* Whether what is known of the VM's offset puts the timestamp outside of the span. */
static bool is_elsewhere(const struct csg_stamps *s, const struct span *span,
			 const struct csg_stamp *stamp)
{
	struct csg_offset offset;

	return stamp->vm > 0 && offset_of(s->offsets, stamp->vm, span->floor, &offset) &&
	       (plus(stamp->raw, offset.low) > span->ceiling ||
		plus(stamp->raw, offset.high) < span->floor);
}

/*
 * A guest's timestamp between two of the host's.  As the virtual counter it is lower or higher by
 * CNTVOFF_EL2; as the physical one it lies between them.  So it does where CNTVOFF_EL2 is 0, too: then
 * only what is known of the offset contradicts.
 */
static void check_domain(struct csg_stamps *s, const struct span *span,
			 const struct csg_stamp *stamp)
{
	bool between = stamp->raw >= span->floor && stamp->raw <= span->ceiling;

	if (stamp->may != CSG_STAMP_LOADED || !is_counter(stamp->raw))
		return;
	s->virtual += !between;
	if (!span->has_left || !span->has_right || (between && !is_elsewhere(s, span, stamp)))
		return;
	s->disputed += between;
	csg_found(&s->finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, !between, stamp->index);
}

static void jump_ends(struct csg_stamps *s, struct jumps *j)
{
	if (j->vm)
		observe(s, j->vm, j->seen, j->index, false);
	j->vm = 0;
}

static void jump_to_vm(struct csg_stamps *s, struct jumps *j, const struct csg_stamp *stamp)
{
	if (j->vm != stamp->vm) {
		jump_ends(s, j);
		j->vm = stamp->vm;
		j->index = stamp->index;
		j->seen = (struct csg_offset_piece){
			.from = j->physical ? j->physical : stamp->low,
			.until = stamp->high,
			.offset = {at_least(j->physical, stamp->raw), CSG_OFFSET_MAX},
			.sources = CSG_OFFSET_BY_TRACE};
		j->physical = 0;
	}
	j->loaded = stamp->raw;
	if (stamp->high != UINT64_MAX)
		j->seen.until = stamp->high;
}

static void jump_to_physical(struct csg_stamps *s, struct jumps *j, uint64_t raw)
{
	if (j->vm) {
		j->seen.offset.high = at_most(raw, j->loaded);
		j->seen.until = raw;
		jump_ends(s, j);
	}
	j->physical = raw;
}

/*
 * Settles the stamps of span in order.  What that shows of the offset must not rest on what the user said
 * of it, or nothing would ever contradict that.
 */
static void read_stamps(struct csg_stamps *s, const struct span *span)
{
	struct jumps jumps = {.physical = span->has_left ? span->floor : 0};
	uint64_t floor = span->floor;

	for (size_t i = 0; i < span->n; i++) {
		struct csg_stamp *stamp = &span->stamps[i];
		uint8_t is =
			read_stamp(s->offsets, csg_offsets_find_shown, stamp, floor, span->ceiling);

		if (!is_counter(stamp->raw))
			continue;
		if (stamp->low > floor)
			floor = stamp->low;
		if (is == CSG_STAMP_PHYSICAL && stamp->low == stamp->high) {
			stamp->may = is;
			jump_to_physical(s, &jumps, stamp->raw);
		} else if (is == CSG_STAMP_LOADED && stamp->vm > 0 && floor) {
			stamp->may = is;
			jump_to_vm(s, &jumps, stamp);
		}
	}
	if (span->has_right)
		jump_to_physical(s, &jumps, span->ceiling);
	else
		jump_ends(s, &jumps);
	s->anchor = floor;
}

/* What the jumps between them showed of the offset tells better where they are. */
static void refine(const struct csg_stamps *s, const struct span *span)
{
	uint64_t floor = span->floor;

	for (size_t i = 0; i < span->n; i++) {
		read_stamp(s->offsets, csg_offsets_find, &span->stamps[i], floor, span->ceiling);
		if (is_counter(span->stamps[i].raw) && span->stamps[i].low > floor)
			floor = span->stamps[i].low;
	}
}

/* Settles all that waits, with what is behind it. */
static void settle(struct csg_stamps *s, uint64_t ceiling, bool has_right)
{
	const struct span span = {.stamps = s->queue + s->first + s->settled,
				  .n = s->waiting,
				  .floor = s->anchor,
				  .ceiling = ceiling,
				  .has_left = s->anchored,
				  .has_right = has_right};

	if (span.n) {
		name_vms(s, &span);
		rule_out_physical(s, &span);
		for (size_t i = 0; i < span.n; i++)
			check_domain(s, &span, &span.stamps[i]);
		bound_offsets(s, &span);
		read_stamps(s, &span);
		refine(s, &span);
		s->settled += span.n;
		s->waiting = 0;
		s->anchored = false;
	}
}

/* A physical timestamp, behind all that waits. */
static void on_physical(struct csg_stamps *s, struct csg_stamp *stamp)
{
	if (stamp->raw < s->anchor || stamp->raw > s->ceiling) {
		/* Which of the two is wrong nobody knows: neither counts. */
		csg_found(&s->finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, false, stamp->index);
		settle(s, s->ceiling, false);
		s->settled++;
		s->conflicts++;
		s->anchor = s->floor;
		s->anchored = false;
		stamp->low = s->floor;
		stamp->high = s->ceiling;
		return;
	}
	if (s->anchored || (s->floor && s->ceiling != UINT64_MAX))
		csg_found(&s->finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, true, stamp->index);
	settle(s, stamp->raw, true);
	stamp->low = stamp->high = s->anchor = stamp->raw;
	s->anchored = true;
	s->settled++;
}

/* --- the queue --- */

static void drop_first(struct csg_stamps *s)
{
	s->first++;
	if (s->asked)
		s->asked--;
	if (s->settled)
		s->settled--;
	else if (s->waiting)
		s->waiting--;
	else
		s->fresh--;
}

static bool make_room(struct csg_stamps *s)
{
	size_t count = s->settled + s->waiting + s->fresh;
	size_t room = s->room ? s->room * 2 : 256;
	struct csg_stamp *queue;

	if (count >= QUEUE_MAX) {
		/* What waits is settled as it stands before it is dropped. */
		if (!s->settled)
			settle(s, s->ceiling, false);
		drop_first(s);
		s->dropped++;
	}
	if (s->first + count < s->room)
		return true;
	if (s->first && s->first >= s->room / 2) {
		memmove(s->queue, s->queue + s->first, count * sizeof(*s->queue));
		s->first = 0;
		return true;
	}
	queue = realloc(s->queue, room * sizeof(*queue));
	if (!queue)
		return false;
	s->queue = queue;
	s->room = room;
	return true;
}

void csg_stamps_begin(struct csg_stamps *s, uint64_t floor, uint64_t ceiling)
{
	csg_stamps_settle(s);
	s->floor = s->anchor = floor;
	s->ceiling = ceiling;
	s->anchored = false;
}

void csg_stamps_continue(struct csg_stamps *s, uint64_t ceiling)
{
	csg_stamps_settle(s);
	s->ceiling = ceiling;
}

void csg_stamps_add(struct csg_stamps *s, uint64_t index, uint64_t raw, bool traced)
{
	const bool again = raw == s->last;

	s->last = raw;
	if (!make_room(s)) {
		s->failed = true;
		return;
	}
	s->queue[s->first + s->settled + s->waiting + s->fresh++] = (struct csg_stamp){
		.index = index,
		.raw = raw,
		.high = UINT64_MAX,
		.vm = CSG_STAMP_ANY_VM,
		.may = CSG_STAMP_EITHER,
		.traced = traced && !again,
	};
}

void csg_stamps_tell(struct csg_stamps *s, uint64_t index, uint8_t may, int32_t vm)
{
	while (s->fresh) {
		struct csg_stamp *stamp = &s->queue[s->first + s->settled + s->waiting];

		if (stamp->index >= index)
			return;
		stamp->may = may;
		/* A guest ran all the same: the sideband does not know of all vCPUs. */
		if (!vm && stamp->may == CSG_STAMP_LOADED)
			continue;
		stamp->vm = vm;
		s->fresh--;
		if (may == CSG_STAMP_PHYSICAL && is_counter(stamp->raw))
			on_physical(s, stamp);
		else
			s->waiting++;
	}
}

void csg_stamps_settle(struct csg_stamps *s)
{
	s->waiting += s->fresh;
	s->fresh = 0;
	settle(s, s->ceiling, false);
}

/* Forgets what is settled and was asked for. */
static void drop_asked(struct csg_stamps *s)
{
	size_t n = s->asked < s->settled ? s->asked : s->settled;

	s->first += n;
	s->settled -= n;
	s->asked -= n;
}

void csg_stamps_forget(struct csg_stamps *s, uint64_t index)
{
	size_t count = s->settled + s->waiting + s->fresh;

	while (s->asked < count && s->queue[s->first + s->asked].index < index)
		s->asked++;
	drop_asked(s);
}

/* Where the stamp at index is, or would be, in a queue of so many. */
static size_t place_of(const struct csg_stamp *queue, size_t count, uint64_t index)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (queue[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t csg_stamps_before(const struct csg_stamps *s, uint64_t index)
{
	const struct csg_stamp *queue = s->queue + s->first;
	size_t count = s->settled + s->waiting + s->fresh;
	size_t behind = index == UINT64_MAX ? count : place_of(queue, count, index + 1);

	return behind ? queue[behind - 1].index : 0;
}

bool csg_stamps_find(struct csg_stamps *s, uint64_t index, struct csg_stamp *stamp)
{
	const struct csg_stamp *queue = s->queue + s->first;
	size_t count = s->settled + s->waiting + s->fresh, place = s->found - s->first;

	/* It is mostly the same as before, or the next. */
	if (place < count && queue[place].index < index)
		place++;
	if (place >= count || queue[place].index != index)
		place = place_of(queue, count, index);
	if (place == count || queue[place].index != index)
		return false;
	s->found = s->first + place;
	*stamp = queue[place];
	if (place >= s->settled)
		read_stamp(s->offsets, csg_offsets_find, stamp, s->anchor, s->ceiling);
	return true;
}

/* Whether it is known to be one of the two, and fits as such. */
static bool is_read(const struct csg_stamp *stamp)
{
	if (!is_counter(stamp->raw) || stamp->may == CSG_STAMP_EITHER)
		return false;
	return stamp->may == CSG_STAMP_LOADED
		       ? stamp->vm > 0
		       : stamp->low == stamp->raw && stamp->high == stamp->raw;
}

uint8_t csg_stamps_reading(const struct csg_stamps *s, uint64_t from, uint64_t to,
			   struct csg_stamp *first, struct csg_stamp *last)
{
	const struct csg_stamp *queue = s->queue + s->first;
	uint8_t readings = 0;

	for (size_t i = place_of(queue, s->settled, from); i < s->settled && queue[i].index < to;
	     i++) {
		if (!queue[i].traced || !is_read(&queue[i]))
			continue;
		if (!readings)
			*first = queue[i];
		*last = queue[i];
		readings |= queue[i].may;
	}
	return readings;
}

uint64_t csg_stamps_settled_to(const struct csg_stamps *s)
{
	return s->waiting + s->fresh ? s->queue[s->first + s->settled].index : UINT64_MAX;
}
