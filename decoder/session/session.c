/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"
#include "image/machine.h"
#include "recording/unnamed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "util/report.h"
#include "csguest/time_conv.h"
#include "guest/attribution_facts.h"
#include "session/batch_filter.h"
#include "session/choose.h"
#include "session/crew.h"
#include "session/guest_time.h"
#include "session/guest_doubts.h"
#include "session/guests.h"
#include "session/id_check.h"
#include "session/kernel_check.h"
#include "session/merge.h"
#include "session/people.h"
#include "session/settings.h"
#include "session/sideband.h"
#include "session/stream.h"
#include "session/vcpu_table.h"
#include "session/xen_list.h"

/* What a stream would hand out next. */
struct head {
	enum { HEAD_STALE, HEAD_READY, HEAD_NONE } state;
	struct csg_span span;
	struct csg_batch rest; /* csg_session_pull_of(): what the filter has not looked at yet */
};

struct csg_session {
	struct csg_session_setup options;
	const struct csg_diag_sink *sink; /* guarded below */
	struct csg_diag_sink guarded;
	const struct csg_diag_sink *caller;
	pthread_mutex_t telling; /* one thread at a time reports, or shows progress */
	struct csg_crew *crew;	 /* NULL: one thread */
	struct csg_recording *rec;
	struct csg_image *image;
	struct csg_people people;
	struct csg_checked_kernels kernels;
	struct csg_guests guests;
	struct csg_xen_domains domains; /* Xen's list; empty: none was given */
	struct csg_guest_doubts doubts; /* of them, that were told */
	struct csg_choice choice;
	bool user_chose;

	struct csg_stream **streams;
	struct csg_stream_info *infos;
	struct csg_stream_figures *figures; /* as they are summed up in losses and done_bytes */
	struct csg_switch_survey *surveys;  /* of each stream */
	struct head *heads;
	struct csg_merge merge; /* heads that are ready, for csg_session_pull() in time order */
	bool merging;
	size_t stream_count;
	size_t current;	 /* stream after stream: the one at hand */
	bool handed_out; /* the span at hand was handed out: take it first */
	size_t from;	 /* stream it came from */

	struct csg_settings *settings; /* of csg_session_open(), or NULL */
	atomic_bool cancelled;
	enum csg_pull how;
	struct csg_batch rest; /* what the filter has not looked at yet */
	struct csg_losses losses;
	uint64_t total_bytes, done_bytes;
};

/* --- opening --- */

static int load_images(struct csg_session *session)
{
	size_t n;
	const struct csg_dump *dumps = csg_recording_dumps(session->rec, &n);
	int err = csg_machine_set_kernel(session->people.host, &session->options.kernel);

	if (!err && session->people.guest)
		err = csg_machine_set_kernel(session->people.guest, &session->options.guest);
	/* A dump that cannot be read is told by the image and leaves a gap in the trace. */
	for (size_t i = 0; !err && i < n; i++)
		if (csg_machine_dump(session->people.host, &dumps[i]) == -CSG_E_NO_MEMORY)
			err = -CSG_E_NO_MEMORY;
	if (!err)
		err = csg_sideband_load(&session->people, session->rec, CSG_VM_HOST);
	if (!err)
		err = csg_vcpu_table_load(session->people.attribution, session->options.vcpus,
					  session->options.vcpu_count, session->options.kvm_list,
					  session->sink);
	return err;
}

/* The attribution gets to know what kind was chosen. */
static void set_policy(struct csg_session *session)
{
	const struct csg_choice *choice = &session->choice;

	csg_attribution_set_policy(session->people.attribution, choice->kind, !session->user_chose,
				   choice->guests && choice->kind == CSG_HV_KVM_VHE);
}

/* The recording may contradict the hypervisor that the user says. */
static int doubt_user(struct csg_session *session, enum csg_hypervisor said)
{
	const char *why;
	int err = csg_contradict_hypervisor(session->rec, said, &why);

	if (err || !why)
		return err;
	csg_report(session->sink, CSG_WARNING, CSG_E_OK, session->options.input, CSG_NO_OFFSET,
		   "leave --hypervisor away: csguest info says what the recording shows",
		   "the recording contradicts --hypervisor %s, which owners rest on: %s",
		   csg_hypervisor_name(said), why);
	return 0;
}

static int choose_policy(struct csg_session *session)
{
	enum csg_hypervisor said = session->options.hypervisor;

	int err;

	session->user_chose = said != CSG_HV_AUTO;
	if (session->user_chose) {
		session->choice = (struct csg_choice){.kind = said, .why = "the user said so"};
		err = csg_look_for_guests(session->rec, &session->choice);
		if (!err)
			err = doubt_user(session, said);
	} else {
		err = csg_choose_hypervisor(session->rec, &session->choice);
	}
	set_policy(session);
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

static int add_stream(struct csg_session *session, const struct csg_source *source)
{
	struct csg_switch_survey *survey = &session->surveys[session->stream_count];
	const struct csg_stream_setup setup = {
		.rec = session->rec,
		.source = source,
		.people = &session->people,
		.engine = csg_engine_for(session->options.engine, source),
		.crew = session->crew,
		.no_code = session->options.no_code,
		.counts = session->options.counts,
		.findings = true,
		.survey = survey,
		.sink = session->sink,
	};
	size_t i = session->stream_count;
	int err = session->options.no_code
			  ? 0
			  : csg_survey_switches(survey, session->rec, source, &session->people);

	if (!err)
		err = csg_guests_date(&session->guests, &session->people);
	if (!err)
		err = csg_stream_create(&session->streams[i], &setup);
	if (err)
		return err;
	session->infos[i] = (struct csg_stream_info){
		.size = sizeof(session->infos[i]), .source = source, .stream = (uint32_t)i};
	session->stream_count++;
	return 0;
}

static uint64_t source_bytes(const struct csg_session *session, const struct csg_source *source)
{
	size_t n;
	const struct csg_chunk *chunks = csg_recording_queue(session->rec, source->queue, &n);
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		if (csg_chunk_is_of(&chunks[i], source))
			bytes += chunks[i].bytes;
	return bytes;
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
	session->surveys = calloc(n ? n : 1, sizeof(*session->surveys));
	err = csg_merge_init(&session->merge, n);
	if (!session->streams || !session->infos || !session->figures || !session->heads ||
	    !session->surveys)
		err = -CSG_E_NO_MEMORY;
	for (size_t i = 0; !err && i < n; i++)
		err = wanted(session, &sources[i]) ? add_stream(session, &sources[i]) : 0;
	if (err)
		return err;
	for (size_t i = 0; i < session->stream_count; i++)
		session->total_bytes += source_bytes(session, session->infos[i].source);
	if (session->stream_count)
		return 0;
	return csg_report(session->sink, CSG_ERROR, CSG_E_NO_TRACE, session->options.input,
			  CSG_NO_OFFSET, "see csguest info for the sources it holds",
			  "no ETMv4 or ETE source to decode");
}

/* Whether the files are those of the kernel that ran: of the host, or of guests. */
static struct csg_kernel_check kernel_check(struct csg_session *session)
{
	return (struct csg_kernel_check){
		.rec = session->rec,
		.people = &session->people,
		.kind = session->choice.kind,
		.guests = session->choice.guests,
		.snapshot = session->people.one_space,
		.files = &session->kernels,
	};
}

static int check_kernel(struct csg_session *session, int32_t vm)
{
	const struct csg_kernel_check check = kernel_check(session);

	return csg_check_kernel(&check, vm);
}

/* The host's, as soon as it can be, as owners rest on its symbols. */
static int check_host_kernel(struct csg_session *session, bool facts_are_stated)
{
	const struct csg_kernel_check check = kernel_check(session);

	return csg_check_kernel_level_says(&check) != facts_are_stated
		       ? csg_check_kernel(&check, CSG_VM_HOST)
		       : 0;
}

static int check_guests_kernels(struct csg_session *session)
{
	int err = session->people.guest ? check_kernel(session, CSG_ONLY_GUEST) : 0;

	for (size_t i = 0; !err && session->guests.vms && i < session->options.guest_count; i++)
		if (session->guests.vms[i] > 0)
			err = check_kernel(session, session->guests.vms[i]);
	return err;
}

static int load_domains(struct csg_session *session)
{
	if (!session->options.xen_list)
		return 0;
	return csg_xen_list_load(&session->domains, session->people.attribution,
				 session->options.xen_list, session->sink);
}

static int load_guests(struct csg_session *session)
{
	const struct csg_session_setup *o = &session->options;
	const struct csg_guests_setup setup = {
		.guests = o->guests,
		.count = o->guest_count,
		.domains = &session->domains,
		.guestmount = o->guestmount,
		.tmpdir = o->tmpdir,
		.sink = session->sink,
	};

	return csg_guests_load(&session->guests, &session->people, session->rec, &setup);
}

/* What was said of guests, and is not so by what is known by now. */
static int tell_doubts(struct csg_session *session)
{
	return csg_guest_doubts_tell(&session->doubts, session->people.attribution,
				     &session->guests, session->options.guests,
				     session->options.guest_count, session->sink);
}

static int open_session(struct csg_session *session)
{
	const struct csg_recording_setup options = {
		.tmpdir = session->options.tmpdir,
		.keep = session->options.keep,
	};
	int err =
		csg_recording_load(&session->rec, session->options.input, &options, session->sink);

	if (!err)
		err = csg_unnamed_find(session->rec);
	if (!err) {
		session->options.image.recording_dir =
			csg_recording_info(session->rec)->directory_path;
		err = csg_image_create(&session->image, &session->options.image, session->sink);
	}
	if (!err)
		err = csg_people_init(&session->people, session->image,
				      !csg_recording_info(session->rec)->linux_host,
				      session->options.has_guest);
	session->people.no_symbols = session->options.no_code;
	if (!err)
		err = load_images(session);
	if (!err)
		err = choose_policy(session);
	if (!err && !session->options.no_code)
		err = check_host_kernel(session, false);
	if (!err)
		err = csg_check_ids(session->people.attribution, session->rec,
				    session->options.input, session->sink);
	if (!err)
		err = load_domains(session);
	if (!err)
		err = load_guests(session);
	if (!err && !session->options.no_code)
		err = check_host_kernel(session, true);
	if (!err && !session->options.no_code)
		err = check_guests_kernels(session);
	if (!err && session->options.threads > 1 && session->options.engine == CSG_ENGINE_FAST)
		err = csg_crew_create(&session->crew, session->options.threads);
	if (!err)
		err = add_streams(session);
	return err ? err : tell_doubts(session);
}

static void tell(void *arg, const struct csg_diag *diag)
{
	struct csg_session *session = arg;

	pthread_mutex_lock(&session->telling);
	session->caller->report(session->caller->arg, diag);
	pthread_mutex_unlock(&session->telling);
}

int csg_session_begin(struct csg_session **result, const struct csg_session_setup *options,
		      const struct csg_diag_sink *sink)
{
	struct csg_session *session = calloc(1, sizeof(*session));
	int err;

	*result = NULL;
	if (!session)
		return -CSG_E_NO_MEMORY;
	session->options = *options;
	session->losses.size = sizeof(session->losses);
	session->caller = sink;
	session->guarded = (struct csg_diag_sink){.report = tell, .arg = session};
	session->sink = sink && sink->report ? &session->guarded : sink;
	pthread_mutex_init(&session->telling, NULL);
	err = open_session(session);
	if (err) {
		csg_session_close(session);
		return err;
	}
	*result = session;
	return 0;
}

void csg_session_close(struct csg_session *session)
{
	if (!session)
		return;
	csg_session_stop(session);
	for (size_t i = 0; i < session->stream_count; i++)
		csg_stream_destroy(session->streams[i]);
	for (size_t i = 0; i < session->stream_count; i++)
		csg_switch_survey_fini(&session->surveys[i]);
	free(session->surveys);
	csg_checked_kernels_fini(&session->kernels);
	csg_crew_destroy(session->crew);
	free(session->streams);
	free(session->infos);
	free(session->figures);
	free(session->heads);
	csg_merge_fini(&session->merge);
	csg_people_fini(&session->people);
	csg_image_destroy(session->image);
	csg_guests_fini(&session->guests);
	csg_guest_doubts_fini(&session->doubts);
	csg_xen_domains_fini(&session->domains);
	csg_recording_close(session->rec);
	csg_settings_destroy(session->settings);
	pthread_mutex_destroy(&session->telling);
	free(session);
}

void csg_session_keep(struct csg_session *session, struct csg_settings *settings)
{
	session->settings = settings;
}

void csg_session_cancel(struct csg_session *session)
{
	if (session)
		atomic_store(&session->cancelled, true);
}

void csg_session_stop(struct csg_session *session)
{
	if (!session)
		return;
	session->how = CSG_PULL_STOPPED;
	csg_crew_stop(session->crew);
}

/* --- decoding --- */

/* EL2 in a Linux host's trace proves VHE, also when it appears late. */
static void reconsider(struct csg_session *session, size_t i)
{
	struct csg_stream_figures figures;

	if (session->user_chose || session->choice.kind == CSG_HV_KVM_VHE ||
	    !csg_recording_info(session->rec)->linux_host)
		return;
	csg_stream_figures(session->streams[i], &figures);
	if (!figures.el2_ran)
		return;
	csg_report(session->sink, CSG_WARNING, CSG_E_OK, session->options.input, CSG_NO_OFFSET,
		   "decode again with --hypervisor kvm-vhe",
		   "EL2 runs late in the trace: owners before that point are defaults of '%s'",
		   csg_hypervisor_name(session->choice.kind));
	session->choice.kind = CSG_HV_KVM_VHE;
	session->choice.why = "EL2 runs in the trace";
	set_policy(session);
}

static void count_losses(struct csg_session *session, const struct csg_span *span)
{
	for (size_t i = 0; i < span->n; i++)
		if (span->elements[i].kind == CSG_ELEMENT_GAP)
			session->losses.gaps[span->elements[i].gap]++;
}

/* Of stream i, which was filled: the others' are as they were, and there may be thousands of them. */
static void update_figures(struct csg_session *session, size_t i)
{
	struct csg_stream_figures *last = &session->figures[i], figures;
	uint64_t done;

	csg_stream_figures(session->streams[i], &figures);
	session->infos[i].trace_bytes = figures.trace_bytes;
	session->infos[i].declined = figures.declined;
	session->losses.bytes_lost += figures.bytes_lost - last->bytes_lost;
	session->losses.nobody_accesses += figures.nobody_accesses - last->nobody_accesses;
	done = session->done_bytes + figures.trace_bytes - last->trace_bytes;
	*last = figures;
	if (done != session->done_bytes && session->options.progress) {
		pthread_mutex_lock(&session->telling);
		session->options.progress(session->options.progress_arg, done,
					  session->total_bytes);
		pthread_mutex_unlock(&session->telling);
	}
	session->done_bytes = done;
}

/* The next span of stream i: 1, 0 at its end, or an error. */
static int head(struct csg_session *session, size_t i, struct csg_span *span)
{
	int ret;

	if (atomic_load_explicit(&session->cancelled, memory_order_relaxed))
		return -CSG_E_CANCELLED;
	if (csg_stream_peek(session->streams[i], span))
		return 1;
	ret = csg_stream_fill(session->streams[i]);
	update_figures(session, i);
	if (ret >= 0 && csg_image_error(session->image))
		ret = -CSG_E_NO_MEMORY;
	if (!ret)
		return tell_doubts(session);
	if (ret < 0)
		return ret;
	reconsider(session, i);
	return csg_stream_peek(session->streams[i], span) ? 1 : -CSG_E_INTERNAL;
}

static int next_in_turn(struct csg_session *session, struct csg_span *span)
{
	for (; session->current < session->stream_count; session->current++) {
		int ret = head(session, session->current, span);

		if (ret) {
			session->from = session->current;
			return ret;
		}
	}
	return 0;
}

static uint64_t order_of(const struct csg_span *span)
{
	return span->since ? span->since : span->chunk->begin_time;
}

/* Heads are kept, so that only the stream that was taken from is looked at again. */
static int refresh_head(struct csg_session *session, size_t i)
{
	struct head *h = &session->heads[i];
	int ret = head(session, i, &h->span);

	if (ret < 0)
		return ret;
	h->state = ret ? HEAD_READY : HEAD_NONE;
	if (ret)
		csg_merge_add(&session->merge, i, order_of(&h->span));
	return 0;
}

static int refresh_heads(struct csg_session *session)
{
	int err = 0;

	if (session->merging)
		return session->heads[session->from].state == HEAD_STALE
			       ? refresh_head(session, session->from)
			       : 0;
	for (size_t i = 0; !err && i < session->stream_count; i++)
		err = refresh_head(session, i);
	session->merging = !err;
	return err;
}

static int next_in_time(struct csg_session *session, struct csg_span *span)
{
	int err = refresh_heads(session);

	if (err)
		return err;
	if (!csg_merge_take(&session->merge, &session->from))
		return 0;
	*span = session->heads[session->from].span;
	return 1;
}

static void hand_out(struct csg_session *session, size_t stream, const struct csg_span *span,
		     struct csg_batch *batch)
{
	count_losses(session, span);
	*batch = (struct csg_batch){
		.stream = (uint32_t)stream,
		.element_size = sizeof(struct csg_element),
		.elements = span->elements,
		.n = span->n,
		.time = span->time,
		.chunk = span->chunk,
		.codes = span->codes,
		.executions = span->executions,
	};
}

/* The next batch, whatever the filter says of it. */
static int pull(struct csg_session *session, bool in_time_order, struct csg_batch *batch)
{
	struct csg_span span;
	int ret;

	if (session->handed_out) {
		csg_stream_take(session->streams[session->from]);
		session->heads[session->from].state = HEAD_STALE;
	}
	session->handed_out = false;
	ret = in_time_order ? next_in_time(session, &span) : next_in_turn(session, &span);
	if (ret <= 0)
		return ret;
	session->handed_out = true;
	hand_out(session, session->from, &span, batch);
	return 1;
}

static int pull_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch)
{
	struct head *h = &session->heads[stream];
	struct csg_span span;
	int ret;

	if (h->state == HEAD_READY)
		csg_stream_take(session->streams[stream]);
	h->state = HEAD_STALE;
	ret = head(session, stream, &span);
	if (ret <= 0)
		return ret;
	h->state = HEAD_READY;
	hand_out(session, stream, &span, batch);
	return 1;
}

static const struct csg_owner *owner_of(const void *session, uint32_t owner)
{
	return csg_session_owner(session, owner);
}

/* A filter of streams alone has chosen them when the session was opened. */
static bool filters(const struct csg_session *session)
{
	const struct csg_filter *filter = session->options.filter;

	return filter && csg_filter_is_partial(filter);
}

/* What the filter lets through of the batch that was pulled last. */
static bool pass(struct csg_session *session, struct csg_batch *rest, struct csg_batch *batch)
{
	return csg_filter_next(session->options.filter, owner_of, session, rest, batch);
}

int csg_session_pull(struct csg_session *session, bool in_time_order, struct csg_batch *batch)
{
	int ret;

	if (!filters(session))
		return pull(session, in_time_order, batch);
	while (!pass(session, &session->rest, batch)) {
		ret = pull(session, in_time_order, &session->rest);
		if (ret <= 0)
			return ret;
	}
	return 1;
}

int csg_session_pull_of(struct csg_session *session, uint32_t stream, struct csg_batch *batch)
{
	struct csg_batch *rest = &session->heads[stream].rest;
	int ret;

	if (!filters(session))
		return pull_of(session, stream, batch);
	while (!pass(session, rest, batch)) {
		ret = pull_of(session, stream, rest);
		if (ret <= 0)
			return ret;
	}
	return 1;
}

bool csg_session_settle_on(struct csg_session *session, enum csg_pull how)
{
	if (session->how == CSG_PULL_ANY)
		session->how = how;
	return session->how == how;
}

bool csg_session_is_whole(const struct csg_session *session)
{
	const struct csg_session_setup *o = &session->options;

	return !o->counts && !o->no_code && !filters(session);
}

/* --- questions --- */

struct csg_recording *csg_session_recording(struct csg_session *session)
{
	return !session ? NULL : session->rec;
}

struct csg_image *csg_session_image(struct csg_session *session)
{
	return session->image;
}

enum csg_hypervisor csg_session_hypervisor(const struct csg_session *session, const char **why)
{
	if (!session)
		return CSG_HV_UNKNOWN;
	if (why)
		*why = session->choice.why;
	return session->choice.kind;
}

const struct csg_stream_info *csg_session_streams(const struct csg_session *session, size_t *n)
{
	*n = session->stream_count;
	return session->infos;
}

const struct csg_owner *csg_session_owner(const struct csg_session *session, uint32_t owner)
{
	if (!session || owner >= session->people.owners.count)
		return NULL;
	return csg_owner_table_get(&session->people.owners, owner);
}

size_t csg_session_owner_count(const struct csg_session *session)
{
	return !session ? 0 : session->people.owners.count;
}

struct csg_space *csg_session_space(struct csg_session *session, uint32_t owner)
{
	if (owner >= csg_session_owner_count(session))
		return NULL;
	return csg_people_space(&session->people, owner);
}

uint64_t csg_session_time(const struct csg_session *session, uint64_t timestamp)
{
	return !session ? 0 : csg_time_conv_to_ns(csg_recording_time_conv(session->rec), timestamp);
}

const struct csg_vcpu_entry *csg_session_vcpu(const struct csg_session *session, int32_t tid)
{
	return csg_attribution_vcpu_of(session->people.attribution, tid);
}

const struct csg_vcpu_entry *csg_session_vcpus(const struct csg_session *session, size_t *n)
{
	return csg_attribution_vcpus(session->people.attribution, n);
}

bool csg_session_is_host_time(const struct csg_session *session, uint32_t owner)
{
	const struct csg_facts *facts;

	if (owner >= csg_session_owner_count(session))
		return false;
	facts = csg_attribution_facts(session->people.attribution);
	return session->choice.kind == CSG_HV_NONE ||
	       csg_is_physical_time(&facts->clocks, csg_session_owner(session, owner));
}

const struct csg_residency *csg_session_residency(const struct csg_session *session)
{
	return &csg_attribution_facts(session->people.attribution)->residency;
}

int64_t csg_session_untraced_owner(struct csg_session *session, int32_t cpu,
				   enum csg_untraced_gap gap, uint64_t from, uint64_t *until)
{
	const struct csg_facts *facts = csg_attribution_facts(session->people.attribution);
	struct csg_untraced_span span;

	csg_untraced_at(facts, cpu, gap, from, *until, &span);
	*until = span.until;
	return csg_people_number(&session->people, &span.owner);
}

const struct csg_guests *csg_session_guests(const struct csg_session *session)
{
	return &session->guests;
}

uint64_t csg_session_guest_time(const struct csg_session *session, int32_t vm, uint64_t time)
{
	const struct csg_facts *facts = csg_attribution_facts(session->people.attribution);
	const struct csg_time_conv *host = csg_recording_time_conv(session->rec);

	for (size_t i = 0; i < session->guests.count; i++)
		if (session->guests.recorded[i] == vm)
			return csg_guest_time_to_host(
				csg_recording_time_conv(session->guests.recordings[i]), host,
				csg_offsets_of(&facts->clocks.offsets, vm), time);
	return 0;
}

const char *csg_session_guest_name(const struct csg_session *session, int32_t vm)
{
	const struct csg_xen_domain *domain;

	for (size_t i = 0; session->guests.vms && i < session->options.guest_count; i++)
		if (vm > 0 && session->guests.vms[i] == vm)
			return session->options.guests[i].name;
	domain = vm > 0 ? csg_xen_domains_of_vmid(&session->domains, (uint32_t)vm) : NULL;
	return domain && !domain->disputed ? domain->name : NULL;
}

int csg_session_narrow_offsets(struct csg_session *session)
{
	return csg_attribution_narrow_offsets(session->people.attribution);
}

int csg_session_offsets(const struct csg_session *session, struct csg_vm_offset **vms, size_t *n)
{
	return csg_people_offsets(&session->people, vms, n);
}

const struct csg_losses *csg_session_losses(const struct csg_session *session)
{
	return !session ? NULL : &session->losses;
}

int csg_session_compare_kernels(struct csg_session *session)
{
	int err;

	if (!session->options.no_code || session->kernels.count)
		return 0;
	err = check_kernel(session, CSG_VM_HOST);
	return err ? err : check_guests_kernels(session);
}

const struct csg_checked_kernels *csg_session_checked_kernels(const struct csg_session *session)
{
	return &session->kernels;
}

const struct csg_contradictions *csg_session_contradictions(const struct csg_session *session)
{
	return &csg_attribution_facts(session->people.attribution)->contradictions;
}

const struct csg_findings *csg_session_findings(const struct csg_session *session)
{
	return &csg_attribution_facts(session->people.attribution)->findings;
}
