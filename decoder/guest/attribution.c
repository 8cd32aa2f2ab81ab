/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/attribution.h"

#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "csguest/element.h"
#include "csguest/error.h"
#include "guest/attribution_facts.h"
#include "guest/conflicts.h"
#include "guest/divided.h"
#include "guest/dated_findings.h"
#include "guest/facts_seal.h"
#include "guest/guest_fit.h"
#include "guest/guest_turns.h"
#include "guest/host_alone.h"
#include "guest/id_check.h"
#include "guest/open_user.h"
#include "guest/owners.h"
#include "guest/pending.h"
#include "world/policy.h"
#include "world/ran.h"
#include "world/world.h"

#define TRCCONFIGR_TS (1u << 11)

struct csg_attribution {
	struct csg_facts facts;
	struct csg_landmark_names names;
	bool assumed;
};

struct csg_attribution_stream {
	struct csg_attribution *attribution;
	struct csg_trace_unit unit;
	struct csg_world_segments world;
	struct csg_ran ran;
	struct csg_pending pending;
	struct csg_host_clock clock;
	struct csg_host_alone alone;
	struct csg_vmids vmids;
	struct csg_agreement agreement; /* of its context IDs with the switch records */
	uint64_t told;		     /* items of pending before this one are known to the clock */
	struct csg_owner told_owner; /* of the segment that the next timestamp lies in */
	bool told_open;		     /* that segment is open */
	struct csg_pending_item waiting; /* a segment that waits for the time behind it */
	struct csg_guest_span waiting_span;
	bool waits, waits_no_longer;
	struct csg_attribution_piece piece;
	/* By which the host's threads were named in this piece: CONTEXTIDR_EL1 or _EL2; 0: by none. */
	uint32_t id_witness;
	bool awaits_entries;
	struct csg_pending_item open_item; /* the open segment that was handed out last */
	struct csg_guest_span open_span;
	uint64_t stamp_index;		/* of the last timestamp */
	uint64_t stamped;		/* of the last one that the clock has */
	struct csg_conflicts conflicts; /* whose times are still to come */
	struct csg_undated undated;	/* findings, the same */
	struct csg_divided divided;	/* the segment that was handed out last, if in pieces */
};

static enum csg_world named(void *arg, enum csg_landmark_kind kind, uint64_t address)
{
	const struct csg_attribution *a = arg;
	uint64_t offset = 0;
	const char *name = a->facts.options.kernel_symbol(a->facts.options.arg, address, &offset);

	return csg_landmark_named(kind, name, offset);
}

int csg_attribution_create(struct csg_attribution **result,
			   const struct csg_attribution_options *options)
{
	struct csg_attribution_options copy;
	struct csg_attribution *a;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!options || csg_abi_take(&copy, sizeof(copy), sizeof(copy), options) ||
	    copy.hypervisor <= CSG_HV_AUTO || copy.hypervisor >= CSG_HV_COUNT)
		return -CSG_E_USAGE;
	a = calloc(1, sizeof(*a));
	if (!a)
		return -CSG_E_NO_MEMORY;
	a->facts.options = copy;
	a->names = (struct csg_landmark_names){.arg = a, .of = named};
	*result = a;
	return 0;
}

void csg_attribution_destroy(struct csg_attribution *a)
{
	if (!a)
		return;
	csg_facts_fini(&a->facts);
	free(a);
}

/* --- facts --- */

/* When the first stream is created, residency is made of what was stated of the host. */
static bool is_late(const struct csg_attribution *a, int32_t vm)
{
	return vm == CSG_VM_HOST && a->facts.has_residency;
}

int csg_attribution_clock(struct csg_attribution *a, const struct csg_attribution_clock *clock)
{
	struct csg_attribution_clock copy;
	struct csg_facts_machine *machine;

	if (!a || !clock || csg_abi_take(&copy, sizeof(copy), sizeof(copy), clock) || copy.vm < 0)
		return -CSG_E_USAGE;
	a->facts.sealed = false;
	machine = csg_facts_machine(&a->facts, copy.vm);
	if (!machine)
		return -CSG_E_NO_MEMORY;
	machine->clock = copy;
	return 0;
}

int csg_attribution_thread(struct csg_attribution *a, int32_t vm, int32_t pid, int32_t tid,
			   const char *comm, bool forked, uint64_t time)
{
	const struct csg_vcpu_entry vcpu = {
		.tid = tid, .vm = pid, .vcpu = csg_vcpu_of_name(comm), .source = CSG_VCPU_BY_NAME};
	struct csg_facts_machine *machine;

	if (!a || vm < 0 || pid < 0 || tid < 0)
		return -CSG_E_USAGE;
	if (vm == CSG_VM_HOST && vcpu.vcpu >= 0) {
		int err = csg_vcpus_add(&a->facts.vcpus, &vcpu);

		if (err)
			return err;
	}
	if (vm == CSG_VM_HOST && comm)
		csg_pid_namespace_name(&a->facts.pid_namespace, tid, time);
	machine = csg_facts_machine(&a->facts, vm);
	if (!machine)
		return -CSG_E_NO_MEMORY;
	return csg_thread_seen(&machine->threads, tid, pid, NULL, forked, time);
}

int csg_attribution_thread_ended(struct csg_attribution *a, int32_t vm, int32_t pid, int32_t tid,
				 uint64_t time)
{
	struct csg_facts_machine *machine;

	if (!a || vm < 0 || pid < 0 || tid < 0)
		return -CSG_E_USAGE;
	if (vm == CSG_VM_HOST)
		csg_pid_namespace_exit(&a->facts.pid_namespace, tid);
	machine = csg_facts_machine(&a->facts, vm);
	return machine ? csg_thread_ended(&machine->threads, tid, pid, time) : -CSG_E_NO_MEMORY;
}

bool csg_attribution_is_dated(const struct csg_attribution *a, int32_t vm)
{
	const struct csg_facts_machine *m = a && vm > 0 ? csg_facts_find(&a->facts, vm) : NULL;

	return !m || !m->clock.host_time || !m->switches_lie;
}

int csg_attribution_switch(struct csg_attribution *a, const struct csg_attribution_switch *record)
{
	struct csg_attribution_switch copy;
	struct csg_facts_machine *machine;

	if (!a || !record || csg_abi_take(&copy, sizeof(copy), sizeof(copy), record) ||
	    copy.vm < 0 || copy.cpu < 0 || is_late(a, copy.vm))
		return -CSG_E_USAGE;
	a->facts.sealed = false;
	machine = csg_facts_machine(&a->facts, copy.vm);
	return machine ? csg_switches_add(&machine->switches, &copy) : -CSG_E_NO_MEMORY;
}

int csg_attribution_seen(struct csg_attribution *a, int32_t cpu, uint64_t time, int32_t pid,
			 int32_t tid)
{
	const struct csg_seen seen = {.cpu = cpu, .time = time, .pid = pid, .tid = tid};

	if (!a || cpu < 0 || is_late(a, CSG_VM_HOST))
		return -CSG_E_USAGE;
	return csg_facts_see(&a->facts, &seen);
}

int csg_attribution_lost(struct csg_attribution *a, int32_t cpu, uint64_t time)
{
	const struct csg_seen seen = {.cpu = cpu, .time = time, .lost = true};

	if (!a || is_late(a, CSG_VM_HOST))
		return -CSG_E_USAGE;
	return csg_facts_see(&a->facts, &seen);
}

int csg_attribution_guest_lost(struct csg_attribution *a, int32_t vm, int32_t cpu, uint64_t time)
{
	const struct csg_seen seen = {.cpu = cpu, .time = time, .lost = true};

	return a && vm > 0 ? csg_facts_lose(&a->facts, vm, &seen) : -CSG_E_USAGE;
}

int csg_attribution_kvm_event(struct csg_attribution *a,
			      const struct csg_attribution_kvm_event *event)
{
	struct csg_attribution_kvm_event copy;

	if (!a || !event || csg_abi_take(&copy, sizeof(copy), sizeof(copy), event) || copy.cpu < 0 ||
	    copy.tid <= 0 || is_late(a, CSG_VM_HOST))
		return -CSG_E_USAGE;
	return csg_kvm_visits_add(&a->facts.kvm_visits, &copy);
}

int csg_attribution_offset(struct csg_attribution *a, int32_t vm, int64_t offset)
{
	const struct csg_offset_piece said = {
		.until = UINT64_MAX,
		.offset = {offset, offset},
		.sources = CSG_OFFSET_BY_USER,
	};

	if (!a || vm <= 0)
		return -CSG_E_USAGE;
	return csg_offsets_observe(&a->facts.clocks.offsets, vm, &said);
}

int csg_attribution_vcpu(struct csg_attribution *a, const struct csg_vcpu_entry *entry)
{
	if (!a || !entry || entry->tid <= 0 || entry->vm <= 0)
		return -CSG_E_USAGE;
	return csg_vcpus_add(&a->facts.vcpus, entry);
}

int csg_attribution_check_ids(struct csg_attribution *a, const struct csg_trace_unit *unit,
			      const struct csg_attribution_piece *piece,
			      const struct csg_track_event *event)
{
	int err = csg_facts_seal(&a->facts);

	return err ? err : csg_id_check_event(&a->facts, unit, piece, event);
}

int csg_attribution_settle_ids(struct csg_attribution *a, const char **why)
{
	int err = csg_facts_seal(&a->facts);

	*why = a->facts.foreign_text;
	return err ? err : csg_id_check_settle(&a->facts);
}

/* --- streams --- */

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
	csg_host_alone_init(&s->alone, &a->facts, &s->unit, &s->agreement);
	csg_host_clock_init(&s->clock, &a->facts.clocks, s->unit.cpu,
			    s->unit.ts_source == CSG_TS_SOURCE_VIRTUAL);
	s->told_owner = CSG_OWNER_UNKNOWN;
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

	if (csg_abi_take(&copy, sizeof(copy), sizeof(copy), piece))
		return -CSG_E_USAGE;
	if (!copy.continues)
		s->id_witness = 0;
	s->piece = copy;
	csg_host_alone_piece(&s->alone, &copy);
	csg_host_clock_piece(&s->clock, copy.begin_time, copy.end_time, copy.continues);
	if (!copy.continues)
		csg_attribution_event(s, &gap);
	return 0;
}

/* Without VHE only the host's records say when EL1 and EL0 are the host's for certain. */
static void prove_host(struct csg_attribution_stream *s, const struct csg_track_event *event)
{
	if (csg_policy_shares_el1(s->world.kind) &&
	    csg_host_alone(&s->alone, event->value, &s->world.context))
		csg_world_proved(&s->world, event->index, CSG_WORLD_HOST, CSG_WITNESS_RESIDENCY);
}

void csg_attribution_event(struct csg_attribution_stream *s, const struct csg_track_event *event)
{
	if (event->kind == CSG_TRACK_TIMESTAMP) {
		s->stamp_index = event->index;
		/* The trace unit has no counter that it could stamp with. */
		if (!event->value && s->unit.ts_source == CSG_TS_SOURCE_VIRTUAL)
			csg_found(&s->world.finder, CSG_ASSUMPTION_TIMESTAMP_DOMAIN, false,
				  event->index);
		csg_pending_timestamp(&s->pending, event->index, event->value);
		prove_host(s, event);
		return;
	}
	csg_pending_goes_on(&s->pending, event->kind);
	if (event->kind == CSG_TRACK_ATOM)
		return;
	s->world.assumed = s->attribution->assumed;
	csg_world_set_kind(&s->world, s->attribution->facts.options.hypervisor);
	csg_ran_event(&s->ran, event);
	csg_world_event(&s->world, event);
}

static int32_t process_of(void *arg, int32_t tid, uint64_t from, uint64_t until)
{
	return csg_facts_process(arg, CSG_VM_HOST, tid, from, until, false);
}

/* Tells the clock of the timestamps that came, and who ran there. */
static void tell_clock(struct csg_attribution_stream *s)
{
	const struct csg_owner nobody = CSG_OWNER_UNKNOWN;
	const struct csg_pending_item *item;
	struct csg_facts *facts = &s->attribution->facts;

	facts->clocks.guests = facts->guests_show || facts->vcpus.count;
	facts->clocks.process_of = process_of;
	facts->clocks.arg = facts;
	while ((item = csg_pending_item(&s->pending, &s->told))) {
		bool is_guest = s->told_owner.world == CSG_WORLD_GUEST;

		/* Sent while nothing was traced, it may be the host's. */
		if (item->is_time && (is_guest || s->told_open) && item->proof == CSG_TIME_OPEN)
			break;
		s->told++;
		if (!item->is_time) {
			s->told_owner = item->segment.owner;
			s->told_open = item->segment.open;
			continue;
		}
		s->stamped = item->index;
		csg_host_clock_stamp(&s->clock, item->index, item->timestamp,
				     is_guest && item->proof == CSG_TIME_ASTRAY ? &nobody
										: &s->told_owner,
				     item->proof == CSG_TIME_INSIDE);
	}
}

static void fill(struct csg_attribution_stream *s)
{
	csg_pending_fill(&s->pending, &s->world);
	tell_clock(s);
	pass_conflicts(s, s->stamped);
	csg_undated_date(&s->undated, &s->clock, s->stamped);
}

void csg_attribution_settle(struct csg_attribution_stream *s)
{
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
	uint64_t pending = csg_pending_index(&s->pending), world = csg_world_settled_to(&s->world);

	if (s->waits && s->waiting.segment.index < pending)
		pending = s->waiting.segment.index;
	return pending < world ? pending : world;
}

/* The VMID of a segment: under KVM it checks, under Xen it has named the domain (world/world.h). */
static uint32_t vmid_of(const struct csg_attribution_stream *s, const struct csg_context *context)
{
	enum csg_hypervisor kind = s->world.kind;

	if (kind != CSG_HV_KVM_VHE && kind != CSG_HV_KVM_NVHE)
		return 0;
	return csg_trace_unit_vctx(&s->unit) == CSG_VCTX_VMID && context->has_vctx ? context->vctx
										   : 0;
}

#define HOST_IDS ((uint32_t)CSG_WITNESS_CONTEXTIDR_EL1 | CSG_WITNESS_CONTEXTIDR_EL2)

/* A filter (TRFCR_EL2.CX) traces 0 always: it is on, or off, as long as the trace goes on. */
static void note_id(struct csg_attribution_stream *s, const struct csg_owner *owner)
{
	if (owner->host_tid != CSG_PID_UNKNOWN && owner->witness & HOST_IDS)
		s->id_witness = owner->witness & CSG_WITNESS_CONTEXTIDR_EL2
					? CSG_WITNESS_CONTEXTIDR_EL2
					: CSG_WITNESS_CONTEXTIDR_EL1;
}

static uint32_t zero_id_of(const struct csg_attribution_stream *s, const struct csg_owner *owner)
{
	return owner->reason == CSG_REASON_ZERO_CONTEXT_ID ? s->id_witness : 0;
}

static struct csg_when when_it_ran(struct csg_attribution_stream *s,
				   const struct csg_pending_item *item)
{
	struct csg_when when = {.cpu = s->unit.cpu,
				.index = item->segment.index,
				.end = item->end,
				.piece = &s->piece,
				.zero_id = zero_id_of(s, &item->segment.owner),
				.vmid = vmid_of(s, &item->segment.context),
				.vmids = &s->vmids,
				.agreement = &s->agreement,
				.finder = &s->world.finder};
	uint64_t low, high;

	if (csg_host_clock_bounds(&s->clock, item->after_index, &low, &high))
		when.after = low;
	when.begun = high;
	when.from = item->after_index ? low : s->piece.begin_time;
	if (csg_host_clock_bounds(&s->clock, item->before_index, &low, &high))
		when.before = high;
	when.ended = low;
	when.until = high;
	if (s->piece.end_time && (!high || high > s->piece.end_time))
		when.until = s->piece.end_time;
	if (item->from) {
		when.from = item->from;
		when.until = item->until;
	}
	return when;
}

static int complete(struct csg_attribution_stream *s, const struct csg_pending_item *item,
		    const struct csg_guest_span *span, struct csg_owner *owner)
{
	const struct csg_when when = when_it_ran(s, item);

	return csg_owner_complete(&s->attribution->facts, &when, span, owner);
}

static int hand_out(struct csg_attribution_stream *s, const struct csg_pending_item *item,
		    const struct csg_guest_span *span, struct csg_segment *segment)
{
	const struct csg_when when = when_it_ran(s, item);
	int err;

	note_id(s, &item->segment.owner);
	*segment = item->segment;
	if (segment->open && s->awaits_entries) {
		s->open_item = *item;
		s->open_span = *span;
		return 1;
	}
	segment->open = false;
	err = csg_divided_begin(&s->divided, &s->attribution->facts, &when, span, segment);
	if (s->divided.active)
		csg_pending_divide(&s->pending);
	return err ? err : 1;
}

/* The timestamps in an open segment may tell who ran it. */
static void settle_open(struct csg_attribution_stream *s, struct csg_pending_item *item,
			struct csg_guest_span *span)
{
	struct csg_open_user told;
	struct csg_when when;

	if (!csg_open_user_asks(&s->attribution->facts, item))
		return;
	when = when_it_ran(s, item);
	told = csg_open_user_tell(&s->attribution->facts, &s->clock, &when, item);
	if (told.world == CSG_WORLD_UNKNOWN)
		return;
	csg_world_open_is(&s->world, &item->segment, told.world, CSG_WITNESS_TIMESTAMP_DOMAIN);
	*span = told.span;
	item->from = told.from;
	item->until = told.until;
}

/*
 * Whether the times around a segment decide its process or thread: without a context ID the host's switch
 * records say who ran; where the ID came back, it was of one process between two times only.
 */
static bool asks_time(struct csg_attribution_stream *s, const struct csg_pending_item *item)
{
	const struct csg_facts *facts = &s->attribution->facts;
	struct csg_when when;

	if (item->segment.owner.host_tid == CSG_PID_UNKNOWN)
		return facts->residency.count > 0;
	when = when_it_ran(s, item);
	return csg_owner_has_several(facts, &when, &item->segment.owner);
}

/*
 * Times that are asked for may be settled by timestamps that follow.  Who ran an open segment, the
 * timestamps in it may say, too.
 */
static bool must_wait(struct csg_attribution_stream *s, const struct csg_pending_item *item)
{
	if (item->end && !s->waits_no_longer && csg_open_user_asks(&s->attribution->facts, item) &&
	    csg_stamps_before(&s->clock.stamps, item->end - 1) >= item->segment.index)
		return !csg_host_clock_is_settled(&s->clock, item->end - 1);
	return !s->waits_no_longer && item->before_index &&
	       !csg_host_clock_is_settled(&s->clock, item->before_index) && asks_time(s, item);
}

int csg_attribution_next(struct csg_attribution_stream *s, struct csg_segment *segment)
{
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
		s->waits = must_wait(s, &s->waiting);
		if (s->waits)
			return 0;
		settle_open(s, &s->waiting, &s->waiting_span);
		return hand_out(s, &s->waiting, &s->waiting_span, segment);
	}
	s->waits_no_longer = false;
	return s->pending.failed || s->clock.stamps.failed ? -CSG_E_NO_MEMORY : 0;
}

uint64_t csg_attribution_time(struct csg_attribution_stream *s, uint64_t index)
{
	return csg_host_clock_time(&s->clock, index);
}

void csg_attribution_time_bounds(struct csg_attribution_stream *s, uint64_t index, uint64_t *low,
				 uint64_t *high)
{
	csg_host_clock_bounds(&s->clock, index, low, high);
}

void csg_attribution_forget(struct csg_attribution_stream *s, uint64_t index)
{
	csg_host_clock_forget(&s->clock, index);
}

void csg_attribution_awaits_entries(struct csg_attribution_stream *s)
{
	s->awaits_entries = true;
}

int csg_attribution_entered(struct csg_attribution_stream *s, struct csg_segment *segment,
			    uint64_t eret)
{
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

	csg_attribution_learn_entries(s, &entries, owner);
}

/* --- what streams know of their CPU --- */

enum csg_hypervisor csg_attribution_hypervisor(const struct csg_attribution *a)
{
	return a->facts.options.hypervisor;
}

void csg_attribution_set_policy(struct csg_attribution *a, enum csg_hypervisor kind, bool assumed,
				bool guests)
{
	a->facts.options.hypervisor = kind;
	a->facts.guests_show |= guests;
	a->assumed = assumed;
}

const struct csg_vcpu_entry *csg_attribution_vcpu_of(const struct csg_attribution *a, int32_t tid)
{
	return csg_vcpus_find(&a->facts.vcpus, CSG_PID_UNKNOWN, tid);
}

void csg_attribution_learn_from(struct csg_attribution_stream *s,
				const struct csg_attribution_stream *other)
{
	csg_world_learn_from(&s->world, &other->world);
}

bool csg_attribution_has_learned(const struct csg_attribution_stream *s)
{
	return csg_exit_vectors_known(&s->world.exit_vectors);
}

bool csg_attribution_ran_at(const struct csg_attribution_stream *s, enum csg_el el)
{
	return csg_ran_at(&s->ran, el);
}

const struct csg_facts *csg_attribution_facts(const struct csg_attribution *a)
{
	return &a->facts;
}

void csg_attribution_settle_vcpus(struct csg_attribution *a)
{
	csg_facts_settle_vcpus(&a->facts);
}

int csg_attribution_prepare_guest_turns(struct csg_attribution *a)
{
	return csg_guest_turns_prepare(&a->facts);
}

int csg_attribution_domain(struct csg_attribution *a, uint32_t vmid, bool disputed)
{
	return csg_domains_add(&a->facts.domains, vmid, disputed);
}

int csg_attribution_domain_said(struct csg_attribution *a, uint32_t vmid)
{
	return csg_domains_say(&a->facts.domains, vmid);
}

int csg_attribution_narrow_offsets(struct csg_attribution *a)
{
	int err = 0;

	for (size_t i = 0; !err && i < a->facts.count; i++)
		if (a->facts.machines[i].vm != CSG_VM_HOST && a->facts.machines[i].switches.count)
			err = csg_guest_narrow(&a->facts, a->facts.machines[i].vm);
	return err;
}

const struct csg_vcpu_entry *csg_attribution_vcpus(const struct csg_attribution *a, size_t *n)
{
	*n = a->facts.vcpus.count;
	return a->facts.vcpus.entries;
}
