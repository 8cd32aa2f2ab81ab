/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock/stamp_settle.h"

/* --- doubts --- */

bool csg_stamp_is_doubted(const struct csg_stamps *s, const struct csg_stamp *stamp)
{
	return s->doubts && stamp->raw >> CSG_STAMP_BLOCK_BITS == s->doubted;
}

void csg_stamp_doubt(struct csg_stamps *s, struct csg_stamp *stamps, size_t n)
{
	s->doubts = true;
	s->doubted = stamps[n - 1].raw >> CSG_STAMP_BLOCK_BITS;
	for (size_t i = n; i-- > 0 && csg_stamp_is_doubted(s, &stamps[i]);)
		if (stamps[i].may != CSG_STAMP_LOADED)
			stamps[i].may = 0;
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

/* CNTVOFF is this or more, as the physical counter was at or after floor when raw was stamped. */
static int64_t at_least(uint64_t floor, uint64_t raw)
{
	return floor ? (int64_t)(floor - raw) : CSG_OFFSET_MIN;
}

static int64_t at_most(uint64_t ceiling, uint64_t raw)
{
	return ceiling < CSG_STAMP_COUNTER_MAX ? (int64_t)(ceiling - raw) : CSG_OFFSET_MAX;
}

struct span {
	struct csg_stamp *stamps;
	size_t n;
	uint64_t floor, ceiling;  /* the physical counter over it */
	bool has_left, has_right; /* the bounds are timestamps themselves */
};

/* confirms: it is not seen twice of the same timestamps. */
static void observe(struct csg_stamps *s, int32_t vm, struct csg_offset_period seen, uint64_t index,
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
	return stamp->may == CSG_STAMP_LOADED && stamp->vm > 0 && csg_stamp_is_counter(stamp->raw);
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
		struct csg_offset_period seen = {.from = span->floor,
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

uint8_t csg_stamp_read(const struct csg_offsets *offsets, csg_stamp_offset_fn find,
		       struct csg_stamp *stamp, uint64_t floor, uint64_t ceiling)
{
	struct csg_offset offset = {CSG_OFFSET_MIN, CSG_OFFSET_MAX};
	uint64_t low = UINT64_MAX, high = 0;
	uint8_t is = 0;

	stamp->low = floor;
	stamp->high = ceiling;
	if (!csg_stamp_is_counter(stamp->raw))
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
 * Where nothing is known of the VM's offset, as no guest is traced: what may be either, and lies
 * outside of the physical counter's span, is the VM's.  Only timestamps bound the span well enough.
 */
static void rule_out_physical(const struct csg_stamps *s, const struct span *span)
{
	struct csg_offset offset;

	for (size_t i = 0; span->has_left && span->has_right && i < span->n; i++) {
		struct csg_stamp *stamp = &span->stamps[i];

		if (stamp->may == CSG_STAMP_EITHER && stamp->vm > 0 &&
		    csg_stamp_is_counter(stamp->raw) &&
		    (stamp->raw < span->floor || stamp->raw > span->ceiling) &&
		    !csg_offsets_find_shown(s->offsets, stamp->vm, span->floor, &offset))
			stamp->may = CSG_STAMP_LOADED;
	}
}

/* --- those that cannot be --- */

/* Whether the switch records say that no vCPU of its VM was there. */
static bool is_absent(const struct csg_stamps *s, const struct csg_stamp *stamp)
{
	int32_t vm;

	if (!s->whose || stamp->vm <= 0)
		return false;
	vm = s->whose(s->arg, stamp->low, stamp->high);
	return vm != CSG_STAMP_ANY_VM && vm != stamp->vm;
}

/* The timestamps so far: the physical counter is at floor, or later. */
struct course {
	uint64_t floor, ceiling;
	int32_t vm;   /* the last was this VM's; 0: it was not, or may be the physical counter */
	uint64_t raw; /* that one */
};

/* Whether a timestamp can be what it may be, as the next. */
static bool goes_on(const struct csg_stamps *s, struct course *c, const struct csg_stamp *stamp)
{
	struct csg_stamp read = *stamp;
	uint8_t is =
		csg_stamp_read(s->offsets, csg_offsets_find_shown, &read, c->floor, c->ceiling);

	if (!is || (is == CSG_STAMP_LOADED &&
		    (is_absent(s, &read) || (c->vm > 0 && c->vm == read.vm && c->raw > read.raw))))
		return false;
	if (read.low > c->floor)
		c->floor = read.low;
	c->vm = is == CSG_STAMP_LOADED ? read.vm : 0;
	c->raw = read.raw;
	return true;
}

/*
 * What goes back whatever it is, or is a VM's while none of its vCPUs was there, has upper bits
 * from before a loss, or those before it have.
 */
static void doubt_impossible(struct csg_stamps *s, const struct span *span)
{
	struct course course = {.floor = span->floor, .ceiling = span->ceiling};
	struct csg_stamps doubts = {0};

	for (size_t i = 0; i < span->n; i++) {
		struct csg_stamp *stamp = &span->stamps[i];

		doubts.doubts = csg_stamp_is_doubted(&doubts, stamp);
		if (doubts.doubts && stamp->may != CSG_STAMP_LOADED)
			stamp->may = 0;
		if (stamp->may && csg_stamp_is_counter(stamp->raw) && !goes_on(s, &course, stamp))
			csg_stamp_doubt(&doubts, span->stamps, i + 1);
	}
	if (!doubts.doubts)
		return;
	s->doubts = true;
	s->doubted = doubts.doubted;
}

/* The jumps between neighbours that are settled bound the offset best. */
struct jumps {
	int32_t vm;		   /* loaded now; 0: none */
	uint64_t physical, loaded; /* the last of each, raw; 0: there is none */
	uint64_t index;		   /* of the first that is loaded */
	struct csg_offset_period seen;
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
 * CNTVOFF_EL2; as the physical one it lies between them.  So it does where CNTVOFF_EL2 is 0, too:
 * then only what is known of the offset contradicts.
 */
static void check_domain(struct csg_stamps *s, const struct span *span,
			 const struct csg_stamp *stamp)
{
	bool between = stamp->raw >= span->floor && stamp->raw <= span->ceiling;

	if (stamp->may != CSG_STAMP_LOADED || !csg_stamp_is_counter(stamp->raw))
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
		j->seen = (struct csg_offset_period){
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
 * Settles the stamps of span in order.  What that shows of the offset must not rest on what the
 * user said of it, or nothing would ever contradict that.
 */
static void read_stamps(struct csg_stamps *s, const struct span *span)
{
	struct jumps jumps = {.physical = span->has_left ? span->floor : 0};
	uint64_t floor = span->floor;

	for (size_t i = 0; i < span->n; i++) {
		struct csg_stamp *stamp = &span->stamps[i];
		uint8_t is = csg_stamp_read(s->offsets, csg_offsets_find_shown, stamp, floor,
					    span->ceiling);

		if (!csg_stamp_is_counter(stamp->raw))
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
		csg_stamp_read(s->offsets, csg_offsets_find, &span->stamps[i], floor,
			       span->ceiling);
		if (csg_stamp_is_counter(span->stamps[i].raw) && span->stamps[i].low > floor)
			floor = span->stamps[i].low;
	}
}

void csg_stamps_settle_waiting(struct csg_stamps *s, uint64_t ceiling, bool has_right)
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
		doubt_impossible(s, &span);
		bound_offsets(s, &span);
		read_stamps(s, &span);
		refine(s, &span);
		s->settled += span.n;
		s->waiting = 0;
		s->anchored = false;
	}
}
