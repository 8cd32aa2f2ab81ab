/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/attribution_stream.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/abi.h"
#include "csguest/element.h"
#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "guest/code_check.h"
#include "guest/facts/facts_seal.h"
#include "guest/facts/process_numbers.h"
#include "guest/levels.h"
#include "guest/open_user.h"
#include "guest/owners.h"
#include "guest/segment_when.h"
#include "world/policy.h"

#define TRCCONFIGR_TS (1u << 11)

/* The packets show a contradiction. */
static void take_conflict(void *arg, const struct csg_contradiction *found)
{
	struct csg_attribution_stream *s = arg;
	struct csg_contradiction one = *found;

	one.cpu = s->unit.cpu;
	if (csg_conflicts_take(&s->conflicts, &one, s->stamp_index, s->piece.begin_time,
			       &s->attribution->facts.contradictions))
		s->pending.failed = true;
}

static void pass_conflicts(struct csg_attribution_stream *s, uint64_t stamped)
{
	if (s->conflicts.count && csg_conflicts_pass(&s->conflicts, &s->clock, stamped,
						     &s->attribution->facts.contradictions))
		s->pending.failed = true;
}

/* The packets show something of an assumption. */
static void take_finding(void *arg, enum csg_assumption assumption, bool confirmed, uint64_t index,
			 uint64_t n)
{
	struct csg_attribution_stream *s = arg;
	struct csg_assumption_place *place =
		csg_findings_add(&s->attribution->facts.findings, assumption, confirmed, n);

	if (!place)
		return;
	place->cpu = s->unit.cpu;
	place->index = index;
	place->time = s->piece.begin_time;
	if (index != CSG_NO_PLACE)
		csg_undated_take(&s->undated, place);
}

void csg_attribution_trim(const struct csg_attribution_stream *s)
{
	csg_disk_memory_trim(s->attribution->facts.memory);
}

void csg_attribution_counts_findings(struct csg_attribution_stream *s)
{
	s->world.finder = (struct csg_finder){.found = take_finding, .arg = s};
	s->clock.stamps.finder = s->world.finder;
}

int csg_attribution_stream_create(struct csg_attribution_stream **result, struct csg_attribution *a,
				  const struct csg_trace_unit *unit)
{
	struct csg_attribution_stream *s;
	int err;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!a || !unit)
		return -CSG_E_USAGE;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -CSG_E_NO_MEMORY;
	err = csg_abi_take(&s->unit, sizeof(s->unit), sizeof(s->unit), unit);
	if (!err)
		err = csg_facts_seal(&a->facts);
	if (err) {
		free(s);
		return err;
	}
	s->attribution = a;
	a->streams++;
	s->piece = (struct csg_attribution_piece){.pid = -1, .tid = -1};
	csg_ran_init(&s->ran);
	csg_world_init(&s->world, a->facts.options.hypervisor, csg_trace_unit_vctx(&s->unit));
	s->world.assumed = a->assumed;
	s->world.foreign_ids = a->facts.foreign_ids;
	s->world.contradiction = take_conflict;
	s->world.contradiction_arg = s;
	s->world.landmarks.names = a->facts.options.kernel_symbol ? &a->names : NULL;
	csg_pending_init(&s->pending, s->unit.trcconfigr & TRCCONFIGR_TS,
			 s->unit.ts_source == CSG_TS_SOURCE_VIRTUAL && a->facts.has_guests);
	s->pending.levels = csg_facts_any_nests(&a->facts) ? &s->piece : NULL;
	csg_host_alone_init(&s->alone, &a->facts, &s->unit, &s->agreement);
	csg_host_clock_init(&s->clock, &a->facts.clocks, s->unit.cpu,
			    s->unit.ts_source == CSG_TS_SOURCE_VIRTUAL);
	s->clocked_owner = CSG_OWNER_UNKNOWN;
	*result = s;
	return 0;
}

void csg_attribution_stream_destroy(struct csg_attribution_stream *s)
{
	if (!s)
		return;
	csg_pending_fini(&s->pending);
	csg_host_clock_fini(&s->clock);
	csg_world_fini(&s->world);
	csg_conflicts_fini(&s->conflicts);
	csg_user_places_fini(&s->user_places);
	s->attribution->streams--;
	free(s);
}

int csg_attribution_piece(struct csg_attribution_stream *s, uint64_t index,
			  const struct csg_attribution_piece *piece)
{
	const struct csg_track_event gap = {.kind = CSG_TRACK_GAP,
					    .index = index,
					    .gap = CSG_GAP_BUFFER,
					    .context = CSG_CONTEXT_UNKNOWN};
	struct csg_attribution_piece copy;

	if (!s || csg_abi_take(&copy, sizeof(copy), sizeof(copy), piece))
		return -CSG_E_USAGE;
	if (!copy.continues)
		s->id_evidence = 0;
	s->piece = copy;
	csg_host_alone_piece(&s->alone, &copy);
	csg_host_clock_chunk(&s->clock, copy.begin_time, copy.end_time, copy.continues);
	if (!copy.continues)
		csg_attribution_event(s, &gap);
	return 0;
}

/* Without VHE only the host's records say whose EL1 and EL0 are for certain. */
static void prove_world(struct csg_attribution_stream *s, const struct csg_track_event *event)
{
	const struct csg_context *context = &s->world.context;
	struct csg_proof proof = {.index = event->index,
				  .timestamp = event->value,
				  .by_guest = csg_host_alone_outside(&s->alone, event->value)};

	if (!csg_policy_shares_el1(s->world.kind))
		return;
	if (csg_host_alone(&s->alone, event->value, context)) {
		csg_vcpu_loaded_see_host(&s->loaded, context);
		s->loaded.astray = false;
		proof.world = CSG_WORLD_HOST;
		proof.evidence = CSG_EVIDENCE_RESIDENCY;
		proof.certain = s->alone.certain;
	} else {
		proof.world =
			(uint8_t)csg_vcpu_loaded_tell(&s->loaded, &s->alone, event->value, context);
		proof.evidence = CSG_EVIDENCE_RESIDENCY | CSG_EVIDENCE_TIMESTAMP_DOMAIN;
	}
	if (s->alone.wrong)
		proof.astray = "user code between two timestamps, and by the switch records the "
			       "idle thread is there all the time";
	else if (s->loaded.astray)
		proof.astray = "a thread of the host's by CONTEXTIDR_EL1, and a timestamp of a "
			       "guest's that has none of that ID";
	csg_world_proved(&s->world, &proof);
}

void csg_attribution_event(struct csg_attribution_stream *s, const struct csg_track_event *event)
{
	if (!s || !event || event->kind > CSG_TRACK_ATOM || event->context.el > CSG_EL_UNKNOWN)
		return;
	csg_code_check_event(s, event);
	if (event->kind == CSG_TRACK_TIMESTAMP) {
		s->stamp_index = event->index;
		/* The trace unit has no counter that it could stamp with. */
		if (!event->value && s->unit.ts_source == CSG_TS_SOURCE_VIRTUAL)
			csg_found(&s->world.finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, false,
				  event->index);
		csg_pending_timestamp(&s->pending, event->index, event->value);
		prove_world(s, event);
		return;
	}
	csg_pending_goes_on(&s->pending, event->kind);
	if (event->context.el == CSG_EL0)
		csg_host_alone_user(&s->alone);
	if (event->kind == CSG_TRACK_ATOM) {
		csg_world_goes_on(&s->world);
		return;
	}
	s->world.assumed = s->attribution->assumed;
	csg_world_set_kind(&s->world, s->attribution->facts.options.hypervisor);
	csg_ran_event(&s->ran, event);
	csg_world_event(&s->world, event);
}

static int32_t process_of(void *arg, int32_t tid, uint64_t from, uint64_t until)
{
	return csg_facts_process(arg, CSG_VM_HOST, tid, from, until, false);
}

static bool runs_none(void *arg, int32_t tid, uint64_t from, uint64_t until)
{
	return csg_process_runs_none(arg, tid, from, until);
}

/*
 * While a guest of a guest is loaded the counter has an offset that nobody knows: its timestamps,
 * and those of the host where it may be loaded, are of no known counter.
 */
static bool counts(const struct csg_attribution_stream *s, uint64_t index)
{
	const struct csg_facts *facts = &s->attribution->facts;

	if (!csg_facts_any_nests(facts))
		return true;
	return csg_is_physical_time(s->clock.shared, &s->clocked_owner) ||
	       csg_level_is_steady(&s->piece, index);
}

/* A timestamp in a guest goes back: trace is missing. */
static void report_time(struct csg_attribution_stream *s, const struct csg_time_gap *gap)
{
	struct csg_contradiction one = {
		.kind = CSG_CONTRADICTION_TIMESTAMPS, .begin = gap->from, .end = gap->until};

	snprintf(one.text, sizeof(one.text),
		 "the timestamps of a guest go back: trace is missing or out of order");
	take_conflict(s, &one);
}

/* A timestamp that cannot be true, in order with all others.  Who ran then the guest's records do
 * not say. */
static bool order_time(struct csg_attribution_stream *s, const struct csg_pending_item *item)
{
	const struct csg_facts *facts = &s->attribution->facts;
	const bool names = csg_lost_times_take(&s->lost, &s->piece, item->index, item->timestamp);
	bool inside = names && item->guest_tid > 0 && item->proof == CSG_TIME_INSIDE;
	struct csg_time_gap gap;
	bool right;

	/* A guest of a guest has another counter in the same thread. */
	if (csg_facts_any_nests(facts))
		return names;
	right = csg_time_order_take(&s->order, inside ? item->guest_tid : -1, item->index,
				    item->timestamp, &gap);
	if (gap.until)
		report_time(s, &gap);
	if (!right || !names)
		csg_pending_distrust(&s->pending, s->clocked - 1, gap.until);
	return names;
}

/* Tells the clock of the timestamps that came, and who ran there. */
static void tell_clock(struct csg_attribution_stream *s)
{
	const struct csg_owner nobody = CSG_OWNER_UNKNOWN;
	const struct csg_pending_item *item;
	struct csg_facts *facts = &s->attribution->facts;

	facts->clocks.guests = facts->guests_show || facts->vcpus.count;
	facts->clocks.process_of = process_of;
	facts->clocks.runs_none = runs_none;
	facts->clocks.arg = facts;
	while ((item = csg_pending_item(&s->pending, &s->clocked))) {
		bool is_guest = s->clocked_owner.world == CSG_WORLD_GUEST, names;

		/* Sent while nothing was traced, it may be the host's. */
		if (item->is_time && (is_guest || s->clocked_open) && item->proof == CSG_TIME_OPEN)
			break;
		s->clocked++;
		if (!item->is_time) {
			s->clocked_owner = item->segment.owner;
			s->clocked_open = item->segment.open;
			if (item->segment.gap)
				csg_time_order_break(&s->order);
			continue;
		}
		names = order_time(s, item);
		s->stamped = item->index;
		if (!counts(s, item->index))
			continue;
		csg_host_clock_stamp(&s->clock, item->index, item->timestamp,
				     !names ? NULL
				     : is_guest && item->proof == CSG_TIME_ASTRAY
					     ? &nobody
					     : &s->clocked_owner,
				     item->proof == CSG_TIME_INSIDE);
	}
}

static void fill(struct csg_attribution_stream *s)
{
	csg_pending_fill(&s->pending, &s->world);
	tell_clock(s);
	if (s->clock.known)
		csg_time_blocks_check(&s->blocks, &s->pending, &s->clock, s->clocked);
	else
		csg_pending_check(&s->pending, s->clocked, s->clocked, false);
	pass_conflicts(s, s->stamped);
	csg_undated_date(&s->undated, &s->clock, s->stamped);
}

void csg_attribution_settle(struct csg_attribution_stream *s)
{
	if (!s)
		return;
	csg_world_settle(&s->world);
	fill(s);
	csg_pending_release(&s->pending);
	csg_host_clock_settle(&s->clock);
	pass_conflicts(s, UINT64_MAX);
	csg_undated_date(&s->undated, &s->clock, UINT64_MAX);
	s->waits_no_longer = true;
}

uint64_t csg_attribution_settled(const struct csg_attribution_stream *s)
{
	uint64_t pending, world;

	if (!s)
		return UINT64_MAX;
	pending = csg_pending_index(&s->pending);
	world = csg_world_settled_to(&s->world);
	if (s->waits && s->waiting.segment.index < pending)
		pending = s->waiting.segment.index;
	return pending < world ? pending : world;
}

static int complete(struct csg_attribution_stream *s, const struct csg_pending_item *item,
		    const struct csg_guest_span *span, struct csg_owner *owner)
{
	const struct csg_when when = csg_segment_when(s, item);

	return csg_owner_complete(&s->attribution->facts, &when, span, owner);
}

static int hand_out(struct csg_attribution_stream *s, const struct csg_pending_item *item,
		    const struct csg_guest_span *span, struct csg_segment *segment)
{
	const struct csg_when when = csg_segment_when(s, item);
	int err;

	csg_segment_note_id(s, &item->segment.owner);
	*segment = item->segment;
	if (segment->open && s->awaits_entries) {
		s->open_item = *item;
		s->open_span = *span;
		return 1;
	}
	segment->open = false;
	err = csg_divided_begin(&s->divided, &s->attribution->facts, &when, span, segment);
	if (!err)
		err = csg_code_check(s, &when, &segment->owner);
	csg_user_places_forget(&s->user_places, item->end);
	if (s->divided.active)
		csg_pending_divide(&s->pending);
	return err ? err : 1;
}

/* The timestamps in an open segment may tell who ran it. */
static void settle_open(struct csg_attribution_stream *s, struct csg_pending_item *item,
			struct csg_guest_span *span)
{
	struct csg_open_user found;
	struct csg_when when;

	if (!csg_open_user_asks(&s->attribution->facts, item))
		return;
	when = csg_segment_when(s, item);
	found = csg_open_user_tell(&s->attribution->facts, &s->clock, &when, item);
	if (found.world == CSG_WORLD_UNKNOWN)
		return;
	csg_world_open_is(&s->world, &item->segment, found.world, CSG_EVIDENCE_TIMESTAMP_DOMAIN);
	*span = found.span;
	item->from = found.from;
	item->until = found.until;
}

int csg_attribution_next(struct csg_attribution_stream *s, struct csg_segment *segment)
{
	int err;

	if (!s || !segment)
		return -CSG_E_USAGE;
	err = csg_divided_slice(&s->divided, &s->attribution->facts, segment);
	if (err)
		return err;
	fill(s);
	for (;;) {
		if (!s->waits) {
			int ret = 0;

			if (!csg_pending_next(&s->pending, &s->waiting, &s->waiting_span))
				break;
			if (csg_pending_is_piece(&s->pending, &s->waiting))
				ret = csg_divided_next(&s->divided, &s->attribution->facts,
						       s->waiting.index, &s->waiting_span, segment);
			if (ret)
				return ret;
			if (s->waiting.is_time)
				continue;
		}
		s->waits = csg_segment_must_wait(s, &s->waiting);
		if (s->waits)
			return 0;
		settle_open(s, &s->waiting, &s->waiting_span);
		return hand_out(s, &s->waiting, &s->waiting_span, segment);
	}
	s->waits_no_longer = false;
	return s->pending.failed || s->clock.stamps.failed || s->user_places.failed
		       ? -CSG_E_NO_MEMORY
		       : 0;
}

uint64_t csg_attribution_time(struct csg_attribution_stream *s, uint64_t index)
{
	return s ? csg_host_clock_time(&s->clock, index) : 0;
}

void csg_attribution_time_bounds(struct csg_attribution_stream *s, uint64_t index, uint64_t *low,
				 uint64_t *high)
{
	*low = *high = 0;
	if (s)
		csg_host_clock_bounds(&s->clock, index, low, high);
}

void csg_attribution_forget(struct csg_attribution_stream *s, uint64_t index)
{
	if (s)
		csg_host_clock_forget(&s->clock, index);
}

void csg_attribution_awaits_entries(struct csg_attribution_stream *s)
{
	if (s)
		s->awaits_entries = true;
}

int csg_attribution_entered(struct csg_attribution_stream *s, struct csg_segment *segment,
			    uint64_t eret)
{
	if (!s || !segment)
		return -CSG_E_USAGE;
	if (!segment->open)
		return 0;
	if (eret)
		csg_world_entered(&s->world, segment, eret);
	segment->open = false;
	return complete(s, &s->open_item, &s->open_span, &segment->owner);
}

void csg_attribution_learn_entries(struct csg_attribution_stream *s,
				   const struct csg_entries *entries, const struct csg_owner *owner)
{
	int agrees = csg_world_learn_entry(&s->world, entries->eret, entries->el, owner);
	struct csg_assumption_place *place;

	if (!agrees || !s->world.finder.found)
		return;
	place = csg_findings_add(&s->attribution->facts.findings, CSG_ASSUMPTION_ENTRY_ERET,
				 agrees > 0, entries->n);
	if (place)
		*place = (struct csg_assumption_place){
			.cpu = s->unit.cpu, .index = entries->index, .time = entries->time};
}

void csg_attribution_learn_entry(struct csg_attribution_stream *s, uint64_t eret, enum csg_el el,
				 const struct csg_owner *owner)
{
	const struct csg_entries entries = {
		.eret = eret, .index = CSG_NO_PLACE, .n = 1, .el = (uint8_t)el};

	if (s && owner && el <= CSG_EL_UNKNOWN)
		csg_attribution_learn_entries(s, &entries, owner);
}

void csg_attribution_learn_from(struct csg_attribution_stream *s,
				const struct csg_attribution_stream *other)
{
	if (s && other)
		csg_world_learn_from(&s->world, &other->world);
}

bool csg_attribution_has_learned(const struct csg_attribution_stream *s)
{
	return s && csg_exit_vectors_known(&s->world.exit_vectors);
}

bool csg_attribution_ran_at(const struct csg_attribution_stream *s, enum csg_el el)
{
	return s && el < CSG_EL_UNKNOWN && csg_ran_at(&s->ran, el);
}
