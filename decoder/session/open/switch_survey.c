/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/switch_survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "image/image.h"
#include "image/kernel/kernel_extent.h"
#include "image/machine.h"
#include "image/space.h"
#include "util/array.h"
#include "csguest/error.h"
#include "guest/answers.h"
#include "guest/attribution.h"
#include "guest/time_slice_survey.h"
#include "session/open/each_batch.h"
#include "session/open/nobodys_code.h"
#include "session/open/stamped.h"
#include "session/run/surveyed_time_slices.h"
#include "world/policy.h"

struct surveyor {
	struct csg_switch_survey *survey;
	struct csg_registry *registry;
	struct csg_time_slice_survey host;
	struct csg_nobodys_code nobodys;
	bool named; /* context IDs name the host's threads, whose time slices are not wanted */
	struct csg_guest_time_slice_watch guests;
	size_t row; /* that guests are watched in; SIZE_MAX: none yet */
	struct csg_guest_time_slice_list
		guest_slices; /* until all are found: the stream asks meanwhile */
};

/* --- rows of chunks --- */

static struct csg_surveyed_row *last_row(const struct csg_switch_survey *survey)
{
	return survey->count ? &survey->rows[survey->count - 1] : NULL;
}

/* User code contradicts whose the time slices of the row were. */
static int tell_disproofs(struct surveyor *s)
{
	const struct csg_time_slices *slices = &s->survey->slices;
	int err = 0;

	for (size_t i = 0; !err && i < slices->disproof_count; i++) {
		const struct csg_time_slice_disproof *d = &slices->disproofs[i];
		struct csg_contradiction one = {
			.kind = CSG_CONTRADICTION_ON_CPU,
			.cpu = s->host.cpu,
			.begin = d->index,
			.end = d->index + 1,
		};

		snprintf(one.text, sizeof(one.text),
			 "the trace shows user code at 0x%" PRIx64 "; by the order of switches "
			 "thread %" PRId32 " is there, and process %" PRId32
			 " never had anything there",
			 d->address, d->tid, d->pid);
		err = csg_attribution_contradict(s->registry->attribution, &one);
	}
	return err;
}

/* User code ran where nobody ever had anything: trace is missing before it. */
static int tell_nobodys(struct surveyor *s)
{
	const struct csg_loss_list *losses = &s->nobodys.losses;
	int err = 0;

	for (size_t i = 0; !err && i < losses->count; i++) {
		struct csg_contradiction one = {
			.kind = CSG_CONTRADICTION_PATH,
			.cpu = s->host.cpu,
			.begin = losses->losses[i].end,
			.end = losses->losses[i].end + 1,
		};

		snprintf(one.text, sizeof(one.text),
			 "the trace shows user code of the host where no process ever had "
			 "anything: trace is missing");
		err = csg_attribution_contradict(s->registry->attribution, &one);
	}
	return err;
}

/* The current row is over: whose time slices were they? */
static int end_row(struct surveyor *s)
{
	const struct csg_surveyed_row *row = last_row(s->survey);
	int err;

	if (!row || s->named)
		return 0;
	err = csg_time_slice_survey_close(&s->host);
	/* Framed, it may hold trace of other CPUs as well, which began at other times. */
	if (err || row->first->tid > 0 || row->first->cpu != s->host.cpu)
		return err;
	err = csg_time_slice_survey_match(&s->host, row->slice, row->first->begin_time,
					  row->last->time);
	return err ? err : tell_disproofs(s);
}

static int begin_row(struct surveyor *s, const struct csg_chunk *chunk)
{
	struct csg_switch_survey *v = s->survey;
	int err = end_row(s);

	if (!err)
		err = csg_array_grow((void **)&v->rows, v->count, &v->capacity, sizeof(*v->rows));
	if (err)
		return err;
	v->rows[v->count++] =
		(struct csg_surveyed_row){.first = chunk, .last = chunk, .slice = v->slices.count};
	csg_time_slice_survey_go_on(&s->host, chunk->position);
	csg_nobodys_code_begin(&s->nobodys, chunk->position);
	return 0;
}

static int see_chunk(struct surveyor *s, const struct csg_chunk *chunk)
{
	struct csg_surveyed_row *row = last_row(s->survey);

	if (row && row->last == chunk)
		return 0;
	if (!row || row->last + 1 != chunk || !(chunk->flags & CSG_CHUNK_CONTINUES))
		return begin_row(s, chunk);
	row->last = chunk;
	return 0;
}

static int see_host(void *arg, const struct csg_batch *batch)
{
	struct surveyor *s = arg;
	int err = see_chunk(s, batch->chunk);

	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];
		const struct csg_owner *owner = csg_owner_table_get(&s->registry->owners, e->owner);

		err = csg_time_slice_survey_see(&s->host, e, owner);
		if (!err)
			err = csg_nobodys_code_see(&s->nobodys, e, owner);
	}
	return err;
}

/* --- guests --- */

/* Up to row number next those before it are over. */
static int end_guests(struct surveyor *s, size_t next)
{
	struct csg_switch_survey *v = s->survey;
	int err = s->row < v->count ? csg_guest_time_slice_watch_end(&s->guests, &s->guest_slices)
				    : 0;

	for (size_t i = s->row < v->count ? s->row + 1 : 0; i <= next && i < v->count; i++)
		v->rows[i].guest_slice = s->guest_slices.count;
	return err;
}

static int begin_guests(struct surveyor *s, const struct csg_surveyed_row *row)
{
	const struct csg_switch_survey *v = s->survey;
	const size_t n = csg_surveyed_end_of_time_slices(v, row) - row->slice;
	uint64_t position = row->first->position;
	int err = end_guests(s, (size_t)(row - v->rows));

	s->row = (size_t)(row - v->rows);
	csg_guest_time_slice_watch_begin(&s->guests, position ? position - 1 : 0,
					 row->first->begin_time, row->last->time,
					 n ? &v->slices.slices[row->slice] : NULL,
					 n ? &v->slices.times[row->slice] : NULL, n);
	return err;
}

/*
 * Whether nothing was ever mapped where the code ran, in its process or, as long as that is not
 * known, in any of the guest.
 */
static bool is_nobodys(const struct surveyor *s, const struct csg_element *e)
{
	const struct csg_owner *owner = csg_owner_table_get(&s->registry->owners, e->owner);
	struct csg_space *space = csg_registry_space(s->registry, e->owner);
	struct csg_machine *machine;

	if (space)
		return !csg_space_may_have(space, e->start);
	return owner->world == CSG_WORLD_GUEST && owner->privilege == CSG_USER && owner->vm > 0 &&
	       !csg_image_machine(s->registry->image, owner->vm, &machine) &&
	       !csg_machine_may_have(machine, e->start);
}

/*
 * perf records all that is mapped to be executed.  Where times or the order of switches name
 * processes, what runs elsewhere shows that these are wrong, as trace is missing.
 */
static bool is_astray(const struct surveyor *s, const struct csg_element *e)
{
	return !s->named && e->kind == CSG_ELEMENT_GAP &&
	       (e->gap == CSG_GAP_NO_CODE || e->gap == CSG_GAP_NO_OWNER) && is_nobodys(s, e);
}

static int see_guests(void *arg, const struct csg_batch *batch)
{
	struct surveyor *s = arg;
	int err = s->named ? see_chunk(s, batch->chunk) : 0;
	const struct csg_surveyed_row *row = csg_surveyed_row_of(s->survey, batch->chunk);

	if (!err && row && (size_t)(row - s->survey->rows) != s->row)
		err = begin_guests(s, row);
	for (size_t i = 0; row && !err && i < batch->n; i++) {
		struct csg_element e = batch->elements[i];

		if (is_astray(s, &e))
			e.gap = CSG_GAP_BAD_PACKET;
		err = csg_guest_time_slice_watch_see(
			&s->guests, &e, csg_owner_table_get(&s->registry->owners, e.owner));
	}
	return err;
}

/* --- whether to --- */

/* The address of cpu_switch_to in a kernel; 0: not known.  Negative: an error. */
static int look_for_switch_to(struct csg_machine *machine, uint64_t *address)
{
	struct csg_space *kernel = csg_machine_kernel(machine);

	*address = 0;
	return kernel ? csg_space_kernel_address(kernel, "cpu_switch_to", address) : 0;
}

static uint64_t guests_switch_to(void *arg, int32_t vm)
{
	const struct csg_registry *registry = arg;
	struct csg_machine *machine;
	uint64_t address;

	if (csg_image_machine(registry->image, vm, &machine) ||
	    look_for_switch_to(machine, &address) < 0)
		return 0;
	return address;
}

/*
 * Where context IDs name the host's threads their time slices are wanted for those of guests alone,
 * and only where timestamps do not say often when guests ran.  Where they do, those of guests alone
 * are wanted of windows.
 */
static int wants_slices(struct surveyor *s, const struct csg_stream_setup *setup, bool *wants)
{
	const struct csg_trace_unit unit = csg_source_unit(setup->source);
	const struct csg_recording_info *info = csg_recording_info(setup->rec);
	struct csg_stamped is;
	int err;

	*wants = csg_time_slice_survey_tells(s->registry->attribution, &unit);
	if (!csg_attribution_has_guest_switches(s->registry->attribution) ||
	    !csg_attribution_interval_count(s->registry->attribution, unit.cpu) ||
	    !csg_policy_has(csg_attribution_hypervisor(s->registry->attribution),
			    CSG_TRAIT_HOST_AT_EL2))
		return 0;
	err = csg_is_stamped(setup->rec, setup->source, &is);
	if (err)
		return err;
	s->guests.path.windows = is.windows && !info->exclude_kernel && !info->exclude_guest;
	if (*wants)
		return 0;
	*wants = !is.stamped;
	s->named = s->guests.named = is.stamped && s->guests.path.windows;
	return 0;
}

/* Whether a process of the host may ever have had something where user code ran. */
static bool had_code(void *arg, int32_t pid, uint64_t address)
{
	const struct csg_registry *registry = arg;
	struct csg_space *space = csg_machine_process(registry->host, pid);

	return !space || csg_space_may_have(space, address);
}

static int survey_host(struct surveyor *s, const struct csg_stream_setup *setup)
{
	const struct csg_trace_unit unit = csg_source_unit(setup->source);
	struct csg_stream *stream;
	bool wants = false;
	int err = csg_stream_create(&stream, setup); /* which puts the facts in order */

	csg_time_slice_survey_init(&s->host, s->registry->attribution, &unit, &s->survey->slices);
	s->survey->slices.code.may_have = had_code;
	s->survey->slices.code.arg = s->registry;
	csg_nobodys_code_init(&s->nobodys, s->registry->host);
	if (!err)
		err = wants_slices(s, setup, &wants);
	if (!err && wants)
		err = look_for_switch_to(s->registry->host, &s->host.watch.switch_to);
	if (!err && s->host.watch.switch_to)
		err = csg_each_batch(stream, see_host, s);
	if (!err)
		err = end_row(s);
	if (!err)
		err = tell_nobodys(s);
	s->survey->losses = s->nobodys.losses;
	csg_stream_destroy(stream);
	return err;
}

/* A place of the source's trace, and when the row began that it lies in. */
static struct csg_assumption_place place_at(const struct surveyor *s, uint64_t index)
{
	struct csg_assumption_place place = {.cpu = s->guests.cpu, .index = index};

	for (size_t i = 0; i < s->survey->count && s->survey->rows[i].first->position <= index; i++)
		place.time = s->survey->rows[i].first->begin_time;
	return place;
}

static void tell_path(const struct surveyor *s)
{
	struct csg_attribution *attribution = s->registry->attribution;
	const struct csg_loss_list *losses = &s->guests.path.losses;
	struct csg_assumption_place place = place_at(s, s->guests.path.followed_to);

	csg_attribution_found(attribution, CSG_ASSUMPTION_PATH, true, s->guests.path.followed,
			      &place);
	if (!losses->count)
		return;
	place = place_at(s, losses->losses[0].end);
	csg_attribution_found(attribution, CSG_ASSUMPTION_PATH, false, losses->count, &place);
}

/* Of windows the path has shown all losses, those that user code shows among them. */
static void take_losses(struct surveyor *s)
{
	if (!s->guests.path.windows)
		return;
	free(s->survey->losses.losses);
	s->survey->losses = s->guests.path.losses;
}

/* With time slices of the host's, VMs are known, and their kernels' code is. */
static int survey_guests(struct surveyor *s, const struct csg_stream_setup *setup)
{
	struct csg_stream *stream;
	int err = csg_stream_create(&stream, setup);

	s->row = SIZE_MAX;
	csg_guest_time_slice_watch_breaks(&s->guests, s->survey->slices.breaks,
					  s->survey->slices.break_count, !s->host.watch.steady);
	if (!err)
		err = csg_each_batch(stream, see_guests, s);
	if (!err)
		err = end_guests(s, s->survey->count);
	csg_guest_time_slice_watch_fini(&s->guests);
	csg_stream_destroy(stream);
	s->survey->guest_slices = s->guest_slices;
	take_losses(s);
	tell_path(s);
	return err;
}

/* Without VHE the offsets that guests' records show help to tell who ran in windows
 * (guest/vcpu_loaded.h). */
static int prepare_shared_el1(const struct csg_stream_setup *setup)
{
	struct csg_attribution *attribution = setup->registry->attribution;
	struct csg_stamped is;
	int err;

	if (!csg_attribution_has_guest_switches(attribution) ||
	    !csg_policy_shares_el1(csg_attribution_hypervisor(attribution)))
		return 0;
	err = csg_is_stamped(setup->rec, setup->source, &is);
	return err || !is.windows ? err : csg_attribution_prepare_guest_time_slices(attribution);
}

int csg_survey_switches(struct csg_switch_survey *survey, struct csg_recording *rec,
			const struct csg_source *source, struct csg_registry *registry)
{
	struct csg_stream_setup setup = {
		.rec = rec, .source = source, .registry = registry, .engine = CSG_ENGINE_FAST};
	bool wants;
	struct surveyor s = {
		.survey = survey,
		.registry = registry,
		.guests = {.cpu = source->cpu, .switch_to = guests_switch_to, .arg = registry},
	};
	int err = survey_host(&s, &setup);

	csg_guest_time_slice_watch_knows(&s.guests, registry->attribution);
	if (err || (!survey->slices.count && !s.guests.path.windows))
		return err ? err : prepare_shared_el1(&setup);
	err = csg_attribution_prepare_guest_time_slices(registry->attribution);
	setup.survey = survey;
	setup.checks_path = s.guests.path.windows;
	wants = s.guests.path.windows || csg_guest_time_slice_watch_tells(&s.guests);
	return !err && wants ? survey_guests(&s, &setup) : err;
}
