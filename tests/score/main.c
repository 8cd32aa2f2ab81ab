/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * score: compares what is decoded of a recording with its truth (docs/truth.md).  A tool of the
 * tests.  It is made of the command's parts, so it takes the command's options, and its messages
 * begin with "csguest".
 */
#include <string.h>

#include "cli/decode.h"
#include "cli/exit_code.h"
#include "cli/limits.h"
#include "cli/standard.h"
#include "cli/truncated.h"
#include "csguest/contradiction.h"
#include "csguest/error.h"
#include "score/contradicted.h"
#include "score/score_print.h"
#include "score/untraced.h"
#include "score/stream_offset.h"
#include "lookup/arrays.h"
#include "timeline/slice_source.h"
#include "timeline/slices.h"

/* The status with which the tool ends where something is wrong. */
#define STATUS_WRONG 22

struct score_options {
	const char *truth;
	const char *whole; /* who ran when, what is not traced included; or NULL */
	const char *list;
	int64_t show;
	bool json, complete;
};

/* The stream in hand. */
struct stream {
	struct csg_stream_offset offset;
	uint32_t number;
	bool open;
};

/* Untraced time is compared with the truth of the whole execution. */
struct whole {
	struct csg_session *session;
	struct csg_truth *truth;
	struct csg_untraced_score score;
	struct csg_slices *slices;
	uint32_t stream;
};

static int add_slice(void *arg, const struct csg_slice *slice)
{
	struct whole *w = arg;
	size_t n;
	const struct csg_source *source = csg_array_streams(w->session, &n)[slice->stream].source;

	csg_untraced_score_add(&w->score, source->cpu, slice,
			       slice->owner == CSG_SLICE_LOST
				       ? NULL
				       : csg_session_owner(w->session, slice->owner));
	return 0;
}

static int open_whole(struct whole *w, struct csg_session *session)
{
	const struct csg_slices_client client = {
		.arg = w, .source = csg_slice_source_of(session), .slice = add_slice};
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);
	const int kind = csg_recording_info(csg_session_recording(session))->kind;
	int err = csg_untraced_score_init(&w->score, w->truth);

	w->session = session;
	return err ? err
		   : csg_slices_create(&w->slices, n, csg_slices_unit(streams, n, kind), &client);
}

static int add_whole(struct whole *w, const struct csg_batch *batch)
{
	int err = 0;

	if (!w->slices)
		return 0;
	if (batch->stream != w->stream)
		err = csg_slices_end_stream(w->slices, w->stream);
	w->stream = batch->stream;
	return err ? err : csg_slices_add(w->slices, batch);
}

static int finish_whole(struct whole *w)
{
	int err = w->slices ? csg_slices_finish(w->slices) : 0;

	csg_untraced_score_end(&w->score);
	return err;
}

static const struct csg_owner *owner_of(void *arg, uint32_t number)
{
	return csg_session_owner(arg, number);
}

static int enter(struct csg_decode *d, struct csg_score *score, struct stream *s, uint32_t number)
{
	size_t n;
	const struct csg_source *source = csg_array_streams(d->session, &n)[number].source;
	int err;

	if (s->open && s->number == number)
		return 0;
	if (s->open)
		csg_stream_offset_fini(&s->offset);
	err = csg_stream_offset_init(&s->offset, csg_session_recording(d->session), source);
	s->open = true;
	s->number = number;
	return err ? err : csg_score_stream(score, source->cpu, source->trace_id);
}

static int add(struct csg_decode *d, struct csg_score *score, struct stream *s,
	       const struct csg_batch *batch)
{
	int err = enter(d, score, s, batch->stream);

	for (size_t i = 0; i < batch->n && !err; i++) {
		struct csg_align_when when = {.time = batch->time};

		err = csg_stream_offset_at(&s->offset, batch->chunk, batch->elements[i].index,
					   &when.sent);
		if (!err)
			err = csg_score_add(score, &batch->elements[i], when);
	}
	return err;
}

static enum csg_perf_threads perf_threads(struct csg_session *session)
{
	size_t n;
	const struct csg_source *sources = csg_array_sources(csg_session_recording(session), &n);

	for (size_t i = 0; i < n; i++) {
		if (csg_source_vctx(&sources[i]) == CSG_VCTX_CONTEXTIDR_EL2)
			return CSG_PERF_CONTEXTIDR_EL2;
		if (sources[i].trcconfigr & 1u << 6)
			return CSG_PERF_CONTEXTIDR_EL1;
	}
	return CSG_PERF_NO_THREADS;
}

/* Decodes once more, to count what lies where sources contradict each other. */
static int decode_again(const struct csg_decode *d, struct csg_contradicted *contradicted)
{
	struct csg_session_options options = d->options;
	struct csg_session *session;
	struct csg_batch batch;
	size_t n;
	int ret;

	options.sink = NULL;
	options.progress = NULL;
	ret = csg_session_open(&session, d->input, &options);
	while (!ret &&
	       (ret = csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch))) > 0) {
		int32_t cpu = csg_array_streams(session, &n)[batch.stream].source->cpu;

		for (size_t i = 0; i < batch.n; i++)
			csg_contradicted_add(contradicted, cpu, batch.time, &batch.elements[i],
					     csg_session_owner(session, batch.elements[i].owner));
		ret = 0;
	}
	csg_session_close(session);
	return ret;
}

/* Where there are contradictions, and the recording can be read twice. */
static int count_contradicted(const struct csg_decode *d, struct csg_score_print *print)
{
	struct csg_contradicted contradicted = {
		.list = csg_contradiction_at(d->session, 0),
		.n = csg_contradiction_count(d->session),
	};
	int err = 0;

	print->contradictions = csg_contradiction_total(d->session);
	print->has_contradicted = !print->contradictions || strcmp(d->input, "-");
	if (print->contradictions && print->has_contradicted)
		err = decode_again(d, &contradicted);
	print->contradicted = contradicted.instructions;
	return err;
}

/* Decodes everything; 1 when something is wrong. */
static int run(struct csg_decode *d, const struct score_options *o, struct csg_truth *truth,
	       struct whole *whole)
{
	struct csg_score_print print = {.recording = d->input,
					.truth = o->truth,
					.perf_threads = perf_threads(d->session),
					.json = o->json};
	struct stream stream = {0};
	struct csg_batch batch;
	struct csg_score score;
	int err = csg_score_init(&score, truth, (size_t)o->show, owner_of, d->session), ret;

	if (!err && o->list)
		score.listing = fopen(o->list, "w");
	if (!err && o->list && !score.listing)
		err = -CSG_E_IO;
	if (!err && whole->truth)
		err = open_whole(whole, d->session);
	print.nesting[0] = csg_session_nesting(d->session);
	while (!err && (ret = csg_decode_next(d, false, &batch)) != 0) {
		err = ret < 0 ? ret : add(d, &score, &stream, &batch);
		if (!err)
			err = add_whole(whole, &batch);
	}
	if (!err)
		err = finish_whole(whole);
	print.untraced = whole->truth ? &whole->score : NULL;
	if (stream.open)
		csg_stream_offset_fini(&stream.offset);
	if (!err)
		err = csg_score_end(&score);
	if (!err)
		err = count_contradicted(d, &print);
	print.nesting[1] = csg_session_nesting(d->session);
	print.hypervisor = csg_hypervisor_name(csg_session_hypervisor(d->session, NULL));
	if (!err) {
		csg_score_write(&score, &print, &d->out);
		err = !csg_score_is_good(&score) || whole->score.guest.wrong ||
		      whole->score.host.wrong || (o->complete && csg_tallies_lost(&score.total));
	}
	if (score.listing && fclose(score.listing) && err >= 0)
		err = -CSG_E_IO;
	csg_score_fini(&score);
	return err;
}

/* Missing code is part of the score, not an error of it; what is wrong comes before what is
 * damaged. */
static int finish(struct csg_decode *d, int err)
{
	const int status = csg_decode_finish(d, err < 0 ? err : 0);

	if (err > 0)
		return STATUS_WRONG;
	return !err && status == csg_exit_code(CSG_E_NO_IMAGE) ? 0 : status;
}

static int score_command(int argc, char **argv)
{
	struct score_options o = {.show = 10};
	struct csg_truth *truth = NULL;
	struct whole whole = {0};
	struct csg_decode d;
	int first, err;

	csg_decode_init(&d, "score");
	const struct csg_option options[] = {
		CSG_OPTION_STRING("truth", 0, "FILE", &o.truth,
				  "who executed what, a truth file; may be compressed with zstd"),
		CSG_OPTION_STRING(
			"whole", 0, "FILE", &o.whole,
			"who ran when, what is not traced included: a truth; time that is "
			"not traced is compared as well"),
		CSG_OPTION_NUMBER("show", 0, "N", &o.show, 0, CSG_SCORE_SHOWN_MAX,
				  "show the first N disagreements (default: 10)"),
		CSG_OPTION_STRING("list", 0, "FILE", &o.list,
				  "write each instruction that was decoded, and who executed it"),
		CSG_OPTION_FLAG("json", 0, &o.json, "print one JSON object"),
		CSG_OPTION_FLAG("complete", 0, &o.complete,
				"instructions that were not decoded make the score fail, too"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Score", options},
		{"Recording", d.recording_options},
		{"Images", d.image_options},
		{"Messages", d.message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "score",
		.summary = "owners of instructions, against a truth",
		.operands = "[RECORDING]",
		.description =
			"Decodes all trace and compares every instruction with who executed it in "
			"truth: the shares whose world, VM and process are right, unknown or "
			"wrong, what was not decoded, and what was decoded but never executed.",
		.groups = groups,
	};

	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	err = o.truth ? csg_truth_open(&truth, o.truth, &d.sink)
		      : csg_usage_error("score", "--truth FILE is needed");
	if (!err)
		err = csg_inputs_add(&d.inputs, o.truth);
	if (!err && o.whole)
		err = csg_truth_open(&whole.truth, o.whole, &d.sink);
	if (!err && o.whole)
		err = csg_inputs_add(&d.inputs, o.whole);
	if (!err)
		err = csg_decode_open(&d, first, argc, argv);
	if (!err)
		err = run(&d, &o, truth, &whole);
	csg_slices_destroy(whole.slices);
	csg_untraced_score_fini(&whole.score);
	csg_truth_close(whole.truth);
	csg_truth_close(truth);
	return finish(&d, err);
}

int main(int argc, char **argv)
{
	csg_standard_open();
	if (csg_limits_check())
		return csg_exit_code(CSG_E_LIMIT);
	csg_truncated_watch();
	return csg_standard_finish(score_command(argc, argv));
}
