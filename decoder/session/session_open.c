/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_open.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "guest/attribution.h"
#include "image/machine.h"
#include "recording/unnamed.h"
#include "session/facts_file.h"
#include "session/run/batch_filter.h"
#include "session/run/pool.h"
#include "session/open/id_check.h"
#include "session/open/level_survey.h"
#include "session/session_guests.h"
#include "session/session_kernels.h"
#include "session/session_policy.h"
#include "session/session_state.h"
#include "session/trace_index.h"
#include "session/open/sideband.h"
#include "session/run/stream.h"
#include "session/open/switch_survey.h"
#include "session/open/vcpu_table.h"
#include "util/report.h"

static int load_images(struct csg_session *session)
{
	size_t n;
	const struct csg_dump *dumps = csg_recording_dumps(session->rec, &n);
	int err = csg_machine_set_kernel(session->registry.host, &session->options.kernel);

	if (!err && session->registry.guest)
		err = csg_machine_set_kernel(session->registry.guest, &session->options.guest);
	/* A dump that cannot be read is reported by the image and leaves a gap in the trace. */
	for (size_t i = 0; !err && i < n; i++)
		if (csg_machine_dump(session->registry.host, &dumps[i]) == -CSG_E_NO_MEMORY)
			err = -CSG_E_NO_MEMORY;
	if (!err)
		err = csg_sideband_load(&session->registry, session->rec, CSG_VM_HOST);
	if (!err)
		err = csg_vcpu_table_load(session->registry.attribution, session->options.vcpus,
					  session->options.vcpu_count, session->options.kvm_list,
					  session->sink);
	return err;
}

static bool wanted(const struct csg_session *session, const struct csg_source *source)
{
	const struct csg_session_setup *o = &session->options;

	return source->protocol != CSG_PROTOCOL_OTHER &&
	       (!o->filter || csg_filter_has_source(o->filter, source)) &&
	       (o->only_trace_id < 0 || o->only_trace_id == source->trace_id) &&
	       (o->only_cpu < 0 || o->only_cpu == source->cpu);
}

/* Levels are known of all sources before guests are looked at. */
static int survey_levels(struct csg_session *session)
{
	struct csg_level_survey survey = {
		.rec = session->rec, .registry = &session->registry, .pool = session->pool};
	size_t n;
	const struct csg_source *sources = csg_recording_sources(session->rec, &n);
	const struct csg_recording_info *host = csg_recording_info(session->rec);
	const bool ruled_out =
			   !host->linux_host || !csg_host_may_nest(host->os_release, host->cpuid),
		   no_code = session->options.no_code;
	int err = 0;

	session->surveys = calloc(n ? n : 1, sizeof(*session->surveys));
	if (!session->surveys)
		return -CSG_E_NO_MEMORY;
	/* Without code levels are not looked for, but the host's may rule them out. */
	if (!no_code || !ruled_out)
		err = csg_level_survey_init(&survey);
	csg_attribution_may_nest(session->registry.attribution,
				 !ruled_out && !survey.ruled_out && (no_code || !survey.anchors));
	for (size_t i = 0; !err && !no_code && survey.anchors && i < n; i++)
		if (wanted(session, &sources[i]))
			err = csg_level_survey_source(&survey, &sources[i], &session->surveys[i]);
	if (!err && !no_code && survey.anchors)
		err = csg_level_survey_settle(&survey);
	csg_level_survey_fini(&survey);
	return err;
}

static int add_stream(struct csg_session *session, const struct csg_source *source)
{
	size_t n;
	struct csg_switch_survey *survey =
		&session->surveys[source - csg_recording_sources(session->rec, &n)];
	const struct csg_stream_setup setup = {
		.rec = session->rec,
		.source = source,
		.registry = &session->registry,
		.engine = csg_engine_for(session->options.engine, source),
		.pool = session->pool,
		.no_code = session->options.no_code,
		.counts = session->options.counts,
		.findings = true,
		.samples = !session->options.no_code,
		.survey = survey,
		.sink = session->sink,
	};
	size_t i = session->stream_count;
	int err = session->options.no_code || session->options.facts
			  ? 0
			  : csg_survey_switches(survey, session->rec, source, &session->registry);

	if (!err && !session->options.facts)
		err = csg_guests_date(&session->guests, &session->registry);
	if (!err)
		err = csg_stream_create(&session->streams[i], &setup);
	if (err)
		return err;
	session->infos[i] = (struct csg_stream_info){
		.size = sizeof(session->infos[i]), .source = source, .stream = (uint32_t)i};
	session->stream_count++;
	return 0;
}

uint64_t csg_session_source_bytes(const struct csg_session *session,
				  const struct csg_source *source)
{
	size_t n;
	const struct csg_chunk *chunks = csg_recording_queue(session->rec, source->queue, &n);
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			bytes += chunks[i].bytes;
	return bytes;
}

/* A piece that no source has a byte of, as its CPU's trace ID is not known: all of it is lost. */
static void count_unclaimed(struct csg_session *session, const struct csg_source *sources, size_t n)
{
	size_t count;
	const struct csg_chunk *chunks = csg_recording_chunks(session->rec, &count);

	for (size_t i = 0, at = 0; i < count; i++) {
		while (at < n && sources[at].queue < chunks[i].queue)
			at++;
		if ((at < n && sources[at].queue == chunks[i].queue) || !chunks[i].bytes ||
		    !wanted(session, &(struct csg_source){.cpu = chunks[i].cpu}))
			continue;
		session->losses.gaps[CSG_GAP_NO_ID]++;
		session->losses.bytes_lost += chunks[i].bytes;
	}
}

static int add_streams(struct csg_session *session)
{
	int err;
	size_t n;
	const struct csg_source *sources = csg_recording_sources(session->rec, &n);

	session->streams = calloc(n ? n : 1, sizeof(*session->streams));
	session->infos = calloc(n ? n : 1, sizeof(*session->infos));
	session->figures = calloc(n ? n : 1, sizeof(*session->figures));
	session->heads = calloc(n ? n : 1, sizeof(*session->heads));
	err = csg_merge_init(&session->merge, n);
	if (!session->streams || !session->infos || !session->figures || !session->heads)
		err = -CSG_E_NO_MEMORY;
	if (!err && session->options.facts)
		err = csg_trace_index_begin(session);
	for (size_t i = 0; !err && i < n; i++)
		err = wanted(session, &sources[i]) ? add_stream(session, &sources[i]) : 0;
	if (err)
		return err;
	for (size_t i = 0; i < session->stream_count; i++)
		session->total_bytes += csg_session_source_bytes(session, session->infos[i].source);
	session->end = session->stream_count;
	count_unclaimed(session, sources, n);
	if (session->stream_count)
		return 0;
	return csg_report(session->sink, CSG_ERROR, CSG_E_NO_TRACE, session->options.input,
			  CSG_NO_OFFSET, "see csguest info for the sources it holds",
			  "no ETMv4 or ETE source to decode");
}

/*
 * Of what was stated and the prescan has shown, without what kernels' files are compared with next:
 * with an index that is known before.
 */
static int sum_facts(struct csg_session *session)
{
	session->opened_sum = csg_session_facts_sum(session);
	return session->opened_sum ? 0 : -CSG_E_NO_MEMORY;
}

int csg_session_open_case(struct csg_session *session)
{
	const struct csg_recording_setup options = {
		.tmpdir = session->options.tmpdir,
		.keep = session->options.keep,
	};
	size_t samples = 0;
	int err =
		csg_recording_load(&session->rec, session->options.input, &options, session->sink);

	/* They are between ranges. */
	if (!err)
		csg_recording_samples(session->rec, &samples);
	session->options.counts &= !samples;
	if (!err)
		err = csg_trace_index_open(session);
	if (!err)
		err = csg_unnamed_find(session->rec);
	if (!err) {
		session->options.image.recording_dir =
			csg_recording_info(session->rec)->directory_path;
		err = csg_image_create(&session->image, &session->options.image, session->sink);
	}
	if (!err)
		err = csg_registry_init(&session->registry, session->image,
					!csg_recording_info(session->rec)->linux_host,
					session->options.has_guest);
	if (!err)
		csg_attribution_use_memory(session->registry.attribution,
					   csg_recording_memory(session->rec));
	session->registry.no_symbols = session->options.no_code;
	if (!err)
		err = load_images(session);
	if (!err)
		err = csg_session_choose_policy(session);
	if (!err && !session->options.no_code)
		err = csg_session_check_host_kernel(session, false);
	if (!err)
		err = csg_check_ids(session->registry.attribution, session->rec,
				    session->options.input, session->sink);
	if (!err && session->options.threads > 1 && session->options.engine == CSG_ENGINE_FAST)
		err = csg_pool_create(&session->pool, session->options.threads);
	if (!err)
		err = survey_levels(session);
	if (!err)
		err = csg_session_load_guests(session);
	if (!err)
		err = sum_facts(session);
	csg_registry_renew(&session->registry);
	if (!err && !session->options.no_code)
		err = csg_session_check_host_kernel(session, true);
	if (!err && !session->options.no_code)
		err = csg_session_check_guests_kernels(session);
	if (!err)
		err = add_streams(session);
	/* Surveys read code that is read again when it is decoded. */
	if (!err)
		csg_image_forget_missing(session->image);
	if (!err)
		err = csg_session_report_guest_contradictions(session);
	if (!err && session->options.facts)
		err = csg_trace_index_take(session);
	if (!err)
		csg_recording_note_memory(session->rec);
	return session->rec ? csg_recording_tell_memory(session->rec, err) : err;
}
