/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/switch_survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "csguest/error.h"
#include "guest/attribution_facts.h"
#include "guest/turn_survey.h"
#include "guest/turn_watch.h"
#include "session/stream.h"

struct surveyor {
	struct csg_switch_survey *survey;
	const struct csg_people *people;
	const struct csg_facts *facts;
	struct csg_turn_watch watch;
	int32_t cpu;
};

void csg_switch_survey_fini(struct csg_switch_survey *survey)
{
	csg_turns_fini(&survey->turns);
	free(survey->pieces);
	*survey = (struct csg_switch_survey){0};
}

/* --- pieces --- */

static struct csg_surveyed_piece *last_piece(const struct csg_switch_survey *survey)
{
	return survey->count ? &survey->pieces[survey->count - 1] : NULL;
}

/* The piece at hand is over: whose turns were they? */
static int end_piece(struct surveyor *s)
{
	const struct csg_surveyed_piece *piece = last_piece(s->survey);
	int err;

	if (!piece)
		return 0;
	err = csg_turn_watch_end(&s->watch);
	/* A framed piece may hold trace of other CPUs as well, which began at other times. */
	if (err || piece->first->tid > 0 || piece->first->cpu != s->cpu)
		return err;
	return csg_turns_match(&s->survey->turns, piece->turn, &s->facts->residency,
			       &s->facts->kvm_visits, s->cpu, piece->first->begin_time,
			       piece->last->time);
}

static int begin_piece(struct surveyor *s, const struct csg_chunk *chunk)
{
	struct csg_switch_survey *v = s->survey;
	int err = end_piece(s);

	if (!err)
		err = csg_array_grow((void **)&v->pieces, v->count, &v->room, sizeof(*v->pieces));
	if (err)
		return err;
	v->pieces[v->count++] =
		(struct csg_surveyed_piece){.first = chunk, .last = chunk, .turn = v->turns.count};
	csg_turn_watch_begin(&s->watch, chunk->position ? chunk->position - 1 : 0);
	return 0;
}

static int see_chunk(struct surveyor *s, const struct csg_chunk *chunk)
{
	struct csg_surveyed_piece *piece = last_piece(s->survey);

	if (piece && piece->last == chunk)
		return 0;
	if (!piece || piece->last + 1 != chunk || !(chunk->flags & CSG_CHUNK_CONTINUES))
		return begin_piece(s, chunk);
	piece->last = chunk;
	return 0;
}

static int see_span(struct surveyor *s, const struct csg_span *span)
{
	int err = see_chunk(s, span->chunk);

	for (size_t i = 0; !err && i < span->n; i++) {
		const struct csg_element *e = &span->elements[i];

		err = csg_turn_watch_see(&s->watch, e,
					 csg_owner_table_get(&s->people->owners, e->owner));
	}
	return err;
}

static int survey_stream(struct surveyor *s, struct csg_stream *stream)
{
	struct csg_span span;
	int ret;

	while ((ret = csg_stream_fill(stream)) > 0)
		while (csg_stream_peek(stream, &span)) {
			int err = see_span(s, &span);

			if (err)
				return err;
			csg_stream_take(stream);
		}
	return ret ? ret : end_piece(s);
}

/* --- whether to --- */

static int find_switch_to(void *arg, uint64_t address, const char *name, const char *module)
{
	uint64_t *found = arg;

	if (module || strcmp(name, "cpu_switch_to") != 0)
		return 0;
	*found = address;
	return 1;
}

int csg_survey_switches(struct csg_switch_survey *survey, struct csg_recording *rec,
			const struct csg_source *source, struct csg_people *people)
{
	const struct csg_stream_setup setup = {
		.rec = rec, .source = source, .people = people, .engine = CSG_ENGINE_FAST};
	struct surveyor s = {.survey = survey,
			     .watch = {.turns = &survey->turns},
			     .people = people,
			     .facts = csg_attribution_facts(people->attribution),
			     .cpu = source->cpu};
	const struct csg_trace_unit unit = csg_source_unit(source);
	struct csg_space *kernel = csg_machine_kernel(people->host);
	struct csg_stream *stream;
	int err = csg_stream_create(&stream, &setup); /* which puts the facts in order */

	s.watch.sights = s.facts->kvm_visits.count > 0;
	if (!err && kernel && csg_turn_survey_tells(s.facts, &unit))
		err = csg_space_kernel_symbols(kernel, find_switch_to, &s.watch.switch_to);
	if (err > 0)
		err = survey_stream(&s, stream);
	csg_stream_destroy(stream);
	return err;
}

const struct csg_attribution_turn *csg_surveyed_turns(const struct csg_switch_survey *survey,
						      const struct csg_chunk *chunk, size_t *n)
{
	for (size_t i = 0; i < survey->count; i++) {
		const struct csg_surveyed_piece *piece = &survey->pieces[i];
		size_t end = i + 1 < survey->count ? piece[1].turn : survey->turns.count;

		if (chunk < piece->first || chunk > piece->last)
			continue;
		*n = end - piece->turn;
		return *n ? &survey->turns.turns[piece->turn] : NULL;
	}
	*n = 0;
	return NULL;
}
