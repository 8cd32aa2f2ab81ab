/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/nvhe.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/fetch.h"
#include "csguest/element.h"
#include "world/policy.h"

#define A64_SIZE 4 /* bytes of an instruction */

/* Whether the host and guests share this context's level. */
static bool shared(const struct csg_context *c)
{
	return c->security == CSG_NON_SECURE && c->el <= CSG_EL1;
}

static struct csg_stand stand_at(const struct csg_world_segments *w, uint64_t address, bool known)
{
	return (struct csg_stand){.address = address,
				  .known = known && csg_can_fetch(address),
				  .el = w->context.el,
				  .has_thread = w->context.has_contextidr,
				  .thread = w->context.contextidr_el1};
}

static void name(const struct csg_world_segments *w, struct csg_segment *segment,
		 const struct csg_stretch *stretch)
{
	if (shared(&segment->context) && stretch->world != CSG_WORLD_UNKNOWN)
		csg_world_settle_segment(w, segment, (enum csg_world)stretch->world,
					 stretch->evidence);
}

/* A stretch may be the host's, after an HVC that ran a guest. */
static bool may_be_back(const struct csg_stretches *s)
{
	return s->now.follows && !s->now.begin.known && s->before.left &&
	       s->before.number == CSG_EXCEPTION_CALL;
}

static void put(struct csg_world_segments *w, uint64_t index, bool at_context)
{
	struct csg_stretch *now = &w->stretches.now;

	if (!csg_world_put(w, index, at_context))
		return;
	w->since_on += w->since_on > 0;
	if (now->contradicted && shared(&w->context))
		csg_world_dispute_segment(w, csg_world_nth_last(w, 1));
	name(w, csg_world_nth_last(w, 1), now);
	if (!w->withheld && !(w->resumed && may_be_back(&w->stretches)) &&
	    (!shared(&w->context) || now->world != CSG_WORLD_UNKNOWN))
		return;
	w->withheld++;
	now->segments++;
}

static bool is_hosts(const struct csg_world_segments *w, const struct csg_stretch *stretch)
{
	return stretch->world == CSG_WORLD_HOST ||
	       (stretch->world == CSG_WORLD_UNKNOWN &&
		csg_policy_has(w->kind, CSG_TRAIT_UNTRACED_GUEST));
}

void csg_nvhe_settle(struct csg_world_segments *w)
{
	struct csg_stretches *s = &w->stretches;
	size_t left = w->withheld;

	for (size_t i = 0; i <= s->count; i++) {
		const struct csg_stretch *stretch = i < s->count ? &s->open[i] : &s->now;

		for (size_t k = 0; k < stretch->segments && left; k++) {
			struct csg_segment *segment = csg_world_nth_last(w, left--);

			name(w, segment, stretch);
			segment->guest_ran &= is_hosts(w, stretch);
		}
	}
	csg_stretches_settled(s);
	w->withheld = 0;
}

/* Sources contradict each other from begin on; it lasts until a proof settles a stretch again. */
static void contradict_from(struct csg_world_segments *w, uint64_t begin, uint64_t index,
			    const char *text)
{
	csg_world_contradict(w, CSG_CONTRADICTION_WORLD, begin, index, text);
	csg_found(&w->finder, CSG_ASSUMPTION_HVC_RETURN, false, index);
	w->astray = true;
}

/* Another source says who runs the current stretch, of which the return address has said the
 * same. */
static void confirm(struct csg_world_segments *w, enum csg_world who, uint64_t index)
{
	struct csg_stretch *now = &w->stretches.now;

	if (!now->by_return || now->contradicted || now->world != who)
		return;
	now->by_return = false;
	csg_found(&w->finder, CSG_ASSUMPTION_HVC_RETURN, true, index);
}

/*
 * Sources contradict each other about the current stretch: if trace was lost in it without a mark,
 * it was after the last proof of its world.
 */
static void contradict(struct csg_world_segments *w, uint64_t index, const char *text)
{
	contradict_from(w, w->proved_at, index, text);
}

/*
 * The contradiction ends here: trace was lost before, and what follows is another stretch.  open:
 * nothing that is certain says whose.
 */
static void split(struct csg_world_segments *w, uint64_t index, bool open)
{
	csg_nvhe_settle(w);
	csg_stretch_split(&w->stretches, open);
	w->proved_at = index;
	w->astray = false;
}

static void anchor(struct csg_world_segments *w, uint64_t index)
{
	if (w->astray)
		csg_world_extend_conflict(w, index);
	w->astray = false;
}

static void begin_stretch(struct csg_world_segments *w, uint64_t index)
{
	/* A Trace On, with nothing traced since, has begun it already. */
	if (w->stretches.now.begin.known || !w->stretches.now.follows)
		w->proved_at = index;
	csg_stretch_begin(&w->stretches);
}

static void on_context(struct csg_world_segments *w, const struct csg_track_event *event)
{
	bool was = shared(&w->context) && !w->resumed, is = shared(&event->context);
	bool from_el2 = w->context.el == CSG_EL2 && !w->resumed;

	if (!w->resumed && csg_same_context(&w->context, &event->context))
		return;
	w->el2_traced |= is && from_el2;
	w->context = event->context;
	w->resumed = false;
	if (is && was)
		csg_stretch_goes_on(&w->stretches);
	else if (is)
		begin_stretch(w, event->index);
	else if (was && csg_stretch_leads_to(&w->stretches, w->context.security == CSG_NON_SECURE
								    ? w->context.el
								    : CSG_EL3))
		csg_nvhe_settle(w);
	put(w, event->index, true);
}

static void on_trace_on(struct csg_world_segments *w, const struct csg_track_event *event)
{
	if (w->el2_traced && w->context.el == CSG_EL2)
		csg_stretch_goes_on(&w->stretches);
	if (shared(&w->context))
		csg_stretch_stopped(&w->stretches, w->returned);
	csg_stretch_begin(&w->stretches);
	w->proved_at = event->index;
	w->resumed = true;
	w->since_on = 0;
	put(w, event->index, false);
	w->since_on = 1;
}

static void on_gap(struct csg_world_segments *w, const struct csg_track_event *event)
{
	csg_nvhe_settle(w);
	csg_world_release(w);
	anchor(w, event->index);
	csg_stretches_break(&w->stretches);
	w->proved_at = event->index;
	w->since_on = 0;
	w->context = CSG_CONTEXT_UNKNOWN;
	w->resumed = true;
	put(w, event->index, false);
	csg_world_tell_gap(w, event);
}

/*
 * What is traced goes on where the host comes back from running a vCPU: the Trace On was a guest's.
 * Whether it is the host its stretch tells; its segment is withheld until then.
 */
static void tell_run(struct csg_world_segments *w, uint64_t address)
{
	if (w->stretches.now.is_back && w->since_on && w->since_on <= w->withheld &&
	    csg_landmarks_world(&w->landmarks, CSG_VCPU_RUN, address - A64_SIZE) == CSG_WORLD_GUEST)
		csg_world_nth_last(w, w->since_on)->guest_ran = true;
}

/* The host's HVC ran no vCPU by its symbol, and the host is not back after it. */
static void note_astray(struct csg_world_segments *w, uint64_t address, uint64_t index)
{
	const struct csg_stretch *before = &w->stretches.before;
	char text[CSG_CONTRADICTION_TEXT_MAX];

	/* PSCI may bring the idle thread back anywhere. */
	if (!w->stretches.now.is_astray || !before->end.has_thread || !before->end.thread)
		return;
	snprintf(text, sizeof(text),
		 "the HVC before 0x%" PRIx64 " runs no vCPU by its symbol, and EL1 goes on at "
		 "0x%" PRIx64,
		 before->end.address, address);
	contradict(w, index, text);
}

static void stand(struct csg_world_segments *w, uint64_t address, uint64_t index)
{
	bool first = !w->stretches.now.begin.known;
	bool known = csg_stretch_stand(&w->stretches, stand_at(w, address, true));

	if (first)
		note_astray(w, address, index);
	tell_run(w, address);
	if (known)
		csg_nvhe_settle(w);
}

static void on_address(struct csg_world_segments *w, const struct csg_track_event *event)
{
	/* Execution goes on under the old context: it was left out, as nothing changed. */
	w->resumed = false;
	if (!shared(&w->context))
		return;
	if (w->stretches.now.begin.known)
		csg_stretch_goes_on(&w->stretches);
	else
		stand(w, event->address, event->index);
}

/* Whether symbols named the HVC that runs a vCPU, on this CPU so far. */
static bool knows_run(const struct csg_landmarks *l)
{
	for (unsigned int i = 0; i < l->count[CSG_VCPU_RUN]; i++)
		if (l->known[CSG_VCPU_RUN][i].named == CSG_WORLD_GUEST)
			return true;
	return false;
}

/* EL1 calls a higher level: the host's only HVC that runs a vCPU is known by its symbol. */
static void on_call(struct csg_world_segments *w, const struct csg_track_event *event)
{
	enum csg_world runs;
	int proved;

	if (!csg_can_fetch(event->address)) {
		/* Of what ran before it says nothing. */
		contradict_from(w, event->index, event->index,
				"a call at an address that no PE can fetch from");
		return;
	}
	runs = csg_landmarks_world(&w->landmarks, CSG_VCPU_RUN, event->address - A64_SIZE);
	if (runs != CSG_WORLD_GUEST && !knows_run(&w->landmarks))
		return;
	if (runs == CSG_WORLD_GUEST)
		confirm(w, CSG_WORLD_HOST, event->index);
	proved = csg_stretch_hvc(&w->stretches, runs == CSG_WORLD_GUEST);
	if (proved > 0) {
		csg_nvhe_settle(w);
		anchor(w, event->index);
	} else if (proved < 0) {
		contradict(w, event->index,
			   "a guest by the return address of the host's HVC executes the host's "
			   "HVC that "
			   "runs a vCPU");
		split(w, event->index, false);
		csg_stretch_hvc(&w->stretches, true);
	}
}

static void on_exception(struct csg_world_segments *w, const struct csg_track_event *event)
{
	if (!shared(&w->context))
		return;
	/* An exception before the first instruction: its return address is where the stretch
	 * begins. */
	if (!w->stretches.now.begin.known && event->has_address)
		stand(w, event->address, event->index);
	w->resumed = false;
	csg_stretch_exception(&w->stretches, event->number,
			      stand_at(w, event->address, event->has_address));
	if (event->number == CSG_EXCEPTION_CALL && w->context.el == CSG_EL1 && event->has_address)
		on_call(w, event);
}

/* Between two certain proofs a stretch that was split is the host's; after the last one
 * nobody's. */
static void confirm_split(struct csg_world_segments *w, const struct csg_proof *proof)
{
	if (!proof->certain)
		return;
	csg_stretch_prove(&w->stretches, (enum csg_world)proof->world, proof->evidence);
	split(w, proof->index, false);
	put(w, proof->index, false);
}

/*
 * Whether the timestamp there is of another counter than one before it in the stretch: EL2 alone
 * writes CNTVOFF_EL2, so trace was lost between them.  The first may have been taken before the
 * stretch began.
 */
static bool changes_counter(struct csg_stretch *now, const struct csg_proof *proof)
{
	const bool host = !proof->by_guest && proof->world == CSG_WORLD_HOST;
	const bool changes = host ? now->guest_time : proof->by_guest && now->host_time;

	now->host_time |= host && now->stamped;
	now->guest_time |= proof->by_guest && now->stamped;
	now->stamped |= host || proof->by_guest;
	return changes;
}

/*
 * Whether the timestamp there is lower than one before it in the stretch.  Its counter has not been
 * changed in between, so trace was lost.  The first may have been taken before the stretch began.
 */
static bool goes_back(const struct csg_stretch *now, const struct csg_proof *proof)
{
	return proof->timestamp && proof->timestamp < now->timestamp;
}

static void note_timestamp(struct csg_stretch *now, const struct csg_proof *proof)
{
	if (!proof->timestamp)
		return;
	now->timestamp = now->timed ? proof->timestamp : 0;
	now->timestamp_at = proof->index;
	now->timed = true;
}

/*
 * The host's user code with a guest's time, once more: KVM puts the vCPU before its thread returns
 * to it.  Where CONTEXTIDR_EL1 is traced that tells better who it is.
 */
static bool has_guests_time(const struct csg_world_segments *w, const struct csg_proof *proof)
{
	const struct csg_stretch *now = &w->stretches.now;

	return !w->context.has_contextidr && proof->by_guest && proof->world == CSG_WORLD_UNKNOWN &&
	       now->guest_time && now->world == CSG_WORLD_HOST && w->context.el == CSG_EL0;
}

/* Trace was lost between there and the proof, without a mark.  open: nobody knows who runs now. */
static void lose(struct csg_world_segments *w, const struct csg_proof *proof, uint64_t from,
		 bool open, const char *text)
{
	contradict_from(w, from, proof->index, text);
	split(w, proof->index, open);
	put(w, proof->index, false);
	w->stamped_at = proof->index;
}

/* Whether the place shows, whoever was proved to run, that trace was lost before it. */
static bool shows_loss(struct csg_world_segments *w, const struct csg_proof *proof)
{
	struct csg_stretch *now = &w->stretches.now;
	const bool back = goes_back(now, proof);

	if (back)
		lose(w, proof, now->timestamp_at, !proof->certain,
		     "a timestamp is lower than one before it, and EL2, which alone sets the "
		     "counter's offset, is not entered between them");
	note_timestamp(now, proof);
	if (back)
		return true;
	if (proof->astray) {
		lose(w, proof, w->proved_at, true, proof->astray);
		return true;
	}
	if (has_guests_time(w, proof)) {
		lose(w, proof, w->proved_at, true,
		     "user code of the host's, and timestamps of a guest's counter");
		return true;
	}
	if (!changes_counter(now, proof))
		return false;
	lose(w, proof, w->stamped_at, !proof->certain,
	     "timestamps of the host's counter and of a guest's, and EL2 is not entered "
	     "between them");
	changes_counter(now, proof);
	return true;
}

/* What was proved at a place of the current stretch, which goes on after it. */
static void conclude(struct csg_world_segments *w)
{
	const struct csg_proof proof = w->proof;
	int proved;

	w->proof = (struct csg_proof){.world = CSG_WORLD_UNKNOWN};
	if (w->resumed || !shared(&w->context) || shows_loss(w, &proof))
		return;
	if (proof.by_guest || proof.world != CSG_WORLD_UNKNOWN)
		w->stamped_at = proof.index;
	if (proof.world == CSG_WORLD_UNKNOWN)
		return;
	if (w->stretches.now.is_split) {
		confirm_split(w, &proof);
		return;
	}
	confirm(w, (enum csg_world)proof.world, proof.index);
	proved = csg_stretch_prove(&w->stretches, (enum csg_world)proof.world, proof.evidence);
	if (proved > 0) {
		csg_nvhe_settle(w);
		anchor(w, proof.index);
	}
	if (proved < 0)
		lose(w, &proof, w->proved_at, !proof.certain,
		     proof.world == CSG_WORLD_HOST ? "a guest by the return address of the host's "
						     "HVC, the host by its switch records"
						   : "the host by the return address of its HVC, a "
						     "guest by timestamps and switch records");
	else if (w->stretches.now.world == proof.world)
		w->proved_at = proof.index;
}

/* What was proved counts if the stretch goes on after it. */
void csg_nvhe_before(struct csg_world_segments *w, const struct csg_track_event *event)
{
	if (event->kind == CSG_TRACK_CONTEXT || event->kind == CSG_TRACK_ADDRESS ||
	    event->kind == CSG_TRACK_EXCEPTION)
		conclude(w);
	else if (event->kind != CSG_TRACK_ERET)
		w->proof = (struct csg_proof){.world = CSG_WORLD_UNKNOWN};
	/* What tells whether an ERET was the last of it comes after this. */
	if (event->kind != CSG_TRACK_TRACE_ON)
		w->returned = event->kind == CSG_TRACK_ERET;
}

const struct csg_world_steps csg_nvhe_steps = {
	.context = on_context,
	.trace_on = on_trace_on,
	.gap = on_gap,
	.address = on_address,
	.exception = on_exception,
};

void csg_world_proved(struct csg_world_segments *w, const struct csg_proof *proof)
{
	if (csg_policy_shares_el1(w->kind) && !w->resumed && shared(&w->context))
		w->proof = *proof;
}

void csg_world_goes_on(struct csg_world_segments *w)
{
	if (csg_policy_shares_el1(w->kind))
		conclude(w);
}
