/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest explain: why csguest says who ran at one place of the trace. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "cli/decode_options.h"
#include "cli/filtered.h"
#include "csguest/error.h"
#include "csguest/packet.h"
#include "explain/explain.h"
#include "timeline/slice_source.h"
#include "timeline/slices.h"
#include "lookup/arrays.h"

#define NS_PER_S 1000000000u

struct explain {
	struct csg_decode decode;
	struct csg_lookup lookup;
	struct csg_form form;
	struct csg_evidence **evidence; /* by stream; NULL: it is not wanted */
	bool *wanted;			/* by stream */
	uint64_t *index;		/* by stream: of the place */
	size_t n;
	const char *where;
	bool by_time;
	uint64_t time, asked;
	int64_t stream;
	bool json;
	size_t explained;
	int error; /* of what was printed */
};

/* "11.322104285" or "20952", "0x51d8". */
static int understand(struct explain *x)
{
	const char *dot = strchr(x->where, '.');
	uint64_t ns = 0, scale = NS_PER_S / 10;
	int64_t n;
	char whole[24];
	size_t length = dot ? (size_t)(dot - x->where) : strlen(x->where);

	if (length >= sizeof(whole))
		goto refuse;
	memcpy(whole, x->where, length);
	whole[length] = 0;
	if (!csg_number_parse(whole, 0, dot ? INT64_MAX / NS_PER_S - 1 : INT64_MAX, &n))
		goto refuse;
	x->by_time = dot != NULL;
	x->asked = (uint64_t)n;
	for (const char *p = dot ? dot + 1 : ""; *p; p++, scale /= 10) {
		if (*p < '0' || *p > '9')
			goto refuse;
		ns += scale * (uint64_t)(*p - '0');
	}
	if (dot)
		x->time = (uint64_t)n * NS_PER_S + ns;
	return 0;
refuse:
	return csg_usage_error("explain",
			       "the place is a time in seconds with its point, as 11.322104285, or "
			       "an index, as 20952 or 0x51d8, not '%s'",
			       x->where);
}

/* --- the place of a time --- */

static int at_time(void *arg, const struct csg_slice *slice)
{
	struct explain *x = arg;

	if (x->time >= slice->begin && x->time < slice->end && !x->wanted[slice->stream]) {
		x->wanted[slice->stream] = true;
		x->index[slice->stream] = slice->index;
	}
	return 0;
}

/* Which slice of each CPU covers the time: its index is the place to explain. */
static int find_time(struct explain *x, int first, int argc, char **argv)
{
	const struct csg_slices_client client = {
		.arg = x, .source = csg_slice_source_of(x->decode.session), .slice = at_time};
	struct csg_session *session = x->decode.session;
	const struct csg_stream_info *streams = csg_array_streams(session, &x->n);
	struct csg_slices *slices;
	struct csg_batch batch;
	int ret, err;

	if (csg_slices_unit(streams, x->n,
			    csg_recording_info(csg_session_recording(session))->kind) !=
	    CSG_SLICES_NS)
		return csg_usage_error("explain", "no time of this trace is perf's: give an index");
	err = csg_slices_create(&slices, x->n, CSG_SLICES_NS, &client);
	while (!err &&
	       (ret = csg_session_next(session, CSG_ORDER_STREAM, &batch, sizeof(batch))) > 0)
		err = csg_slices_add(slices, &batch);
	if (!err)
		err = csg_slices_finish(slices);
	csg_slices_destroy(slices);
	if (err)
		return err;
	/* Once more from the beginning. */
	csg_session_close(session);
	x->decode.session = NULL;
	x->decode.input = NULL;
	return csg_decode_open(&x->decode, first, argc, argv);
}

/* --- the evidence --- */

/* Fewer than all streams may be meant. */
static int choose_streams(struct explain *x)
{
	if (x->stream >= 0 && (size_t)x->stream >= x->n)
		return csg_usage_error("explain", "there is no stream %d, but %zu of them",
				       (int)x->stream, x->n);
	/* Where it is not said which sink a CPU's trace is in, each may hold some of it. */
	if (!x->by_time && x->stream < 0 && !x->decode.filters.cpu_count && x->n > 1 &&
	    !csg_filtered_chooses(&x->decode))
		return csg_usage_error("explain",
				       "the recording has %zu streams: say which, with "
				       "-C or --stream",
				       x->n);
	for (size_t i = 0; i < x->n; i++) {
		if (x->stream >= 0 && i != (size_t)x->stream) {
			x->wanted[i] = false;
		} else if (!x->by_time) {
			x->wanted[i] = true;
			x->index[i] = x->asked;
		}
	}
	return 0;
}

/* What was found at the place, or NULL: nothing ran there, or it is not wanted. */
static const struct csg_evidence_place *place_of(const struct explain *x, size_t stream)
{
	const struct csg_evidence_place *place =
		x->wanted[stream] ? csg_evidence_finish(x->evidence[stream]) : NULL;

	return place && place->at.exists ? place : NULL;
}

/* Packets near the borders; where there are none the elements must do. */
static int print_packets(struct explain *x, const struct csg_stream_info *stream)
{
	const struct csg_evidence_place *place = place_of(x, stream->stream);
	struct csg_packet_list *list = NULL;
	struct csg_packet_line line;
	char text[1200];
	int err;

	/* Addresses, bit by bit. */
	if (x->decode.anonym)
		return 0;
	csg_form_open_list(&x->form, "packets", "packets around");
	err = csg_packet_list_open(&list, csg_session_recording(x->decode.session), stream->source,
				   NULL);
	while (!err && (err = csg_packet_list_next(list, &line, sizeof(line))) > 0) {
		err = 0;
		if (!csg_explain_shows_packet(place, line.index))
			continue;
		snprintf(text, sizeof(text), "%llu: %s", (unsigned long long)line.index, line.text);
		if (x->json)
			csg_form_string(&x->form, NULL, NULL, text);
		else
			csg_form_line(&x->form, text);
	}
	csg_packet_list_close(list);
	csg_form_close_list(&x->form);
	/* What cannot be read there is a gap above. */
	return err == -CSG_E_NO_MEMORY ? err : 0;
}

static struct csg_explain explanation(struct explain *x, const struct csg_stream_info *stream)
{
	return (struct csg_explain){
		.form = &x->form,
		.session = x->decode.session,
		.lookup = &x->lookup,
		.stream = stream,
		.place = place_of(x, stream->stream),
		.items = csg_evidence_at(x->evidence[stream->stream], 0),
		.item_count = csg_evidence_count(x->evidence[stream->stream]),
		.time = x->time,
	};
}

static void print_one(struct explain *x, const struct csg_stream_info *stream)
{
	const struct csg_explain explain = explanation(x, stream);
	char title[64];
	int err;

	snprintf(title, sizeof(title), "stream %u", stream->stream);
	csg_form_open(&x->form, NULL, title);
	csg_explain_print(&explain);
	err = print_packets(x, stream);
	x->error = x->error ? x->error : err;
	csg_form_close(&x->form);
	x->explained++;
}

static void print_all(struct explain *x)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(x->decode.session, &n);

	csg_form_begin(&x->form, &x->decode.out, x->json);
	csg_form_string(&x->form, "recording", "recording", x->decode.shown_input);
	csg_form_string(&x->form, "hypervisor", "hypervisor",
			csg_hypervisor_name(csg_session_hypervisor(x->decode.session, NULL)));
	csg_form_open_list(&x->form, "places", NULL);
	for (size_t i = 0; i < n; i++)
		if (place_of(x, i))
			print_one(x, &streams[i]);
	csg_form_close_list(&x->form);
	csg_form_end(&x->form);
}

/* Whether what ran at the place passes the filters. */
static bool passes(struct explain *x, const struct csg_evidence_place *place)
{
	const struct csg_batch batch = {.time = place->here_time};
	struct csg_element here = place->here;

	here.owner = place->at.owner;
	return csg_filtered_element(&x->decode, &batch, &here);
}

/* What the filters leave; who ran there, where they leave nothing. */
static int filter(struct explain *x)
{
	const struct csg_stream_info *streams = csg_array_streams(x->decode.session, &x->n);
	char there[400] = "";
	size_t at = 0;
	bool any = false;

	if (!csg_filtered_chooses(&x->decode))
		return 0;
	for (size_t i = 0; i < x->n; i++) {
		const struct csg_explain explain = explanation(x, &streams[i]);
		char owner[160];

		if (!explain.place)
			continue;
		x->wanted[i] = passes(x, explain.place);
		any |= x->wanted[i];
		csg_explain_owner(&explain, owner, sizeof(owner));
		if (at + strlen(owner) + 24 < sizeof(there))
			at += (size_t)snprintf(there + at, sizeof(there) - at, "%sstream %zu: %s",
					       at ? "; " : "", i, owner);
	}
	if (any || !at)
		return 0;
	return csg_usage_error("explain", "what ran at %s%s does not pass the filters: %s",
			       x->where, x->by_time ? " s" : "", there);
}

static int collect(struct explain *x)
{
	struct csg_batch batch;
	int ret = 0;

	for (size_t i = 0; !ret && i < x->n; i++)
		if (x->wanted[i])
			ret = csg_evidence_create(&x->evidence[i], x->decode.session, x->index[i]);
	while (!ret && (ret = csg_decode_next(&x->decode, false, &batch)) > 0)
		ret = x->wanted[batch.stream]
			      ? csg_evidence_add(x->evidence[batch.stream], &batch, sizeof(batch))
			      : 0;
	return ret;
}

static int run(struct explain *x, int first, int argc, char **argv)
{
	int err;

	csg_array_streams(x->decode.session, &x->n);
	x->lookup = csg_decode_lookup(&x->decode);
	x->evidence = calloc(x->n ? x->n : 1, sizeof(*x->evidence));
	x->wanted = calloc(x->n ? x->n : 1, sizeof(*x->wanted));
	x->index = calloc(x->n ? x->n : 1, sizeof(*x->index));
	if (!x->evidence || !x->wanted || !x->index)
		return -CSG_E_NO_MEMORY;
	err = x->by_time ? find_time(x, first, argc, argv) : 0;
	if (!err) {
		x->lookup = csg_decode_lookup(&x->decode);
		err = choose_streams(x);
	}
	if (!err)
		err = collect(x);
	if (!err)
		err = filter(x);
	if (err)
		return err;
	print_all(x);
	if (x->error)
		return x->error;
	if (!x->explained)
		return csg_usage_error("explain", "there is no trace at %s%s", x->where,
				       x->by_time ? " s" : "");
	return 0;
}

static int start(struct explain *x, int argc, char **argv)
{
	static const char *const names[] = {"vm",  "world",  "pid", "tid", "comm",
					    "dso", "symbol", "cpu", NULL};
	struct csg_decode *d = &x->decode;
	struct csg_option filters[CSG_DECODE_OPTIONS];
	const struct csg_option options[] = {
		CSG_OPTION_NUMBER("stream", 0, "N", &x->stream, 0, INT32_MAX,
				  "this stream only, as csguest dump numbers them"),
		CSG_OPTION_FLAG("json", 0, &x->json, "JSON instead of text"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Explain", options},
		{"Filters", filters},
		{"Recording", d->input_options},
		{"Images", d->image_options},
		{"Names", d->names_options},
		{"Messages", d->message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "explain",
		.summary = "the evidence for who ran at one place of the trace",
		.operands = "[RECORDING] TIME|INDEX",
		.description =
			"The whole chain of evidence for what ran at a time (seconds with a "
			"point) or at an index of a trace: the segment with its borders, why "
			"this world, VM, vCPU and process, what is unknown and what would "
			"settle it.",
		.groups = groups,
		.lacks = d->filter_options,
		.lacks_why = "it shows one place",
	};
	int first, err;

	csg_decode_some_filters(d, names, filters);
	d->takes_owners = true;
	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(d, first);
	if (first == argc)
		return csg_decode_drop(d, csg_usage_error("explain", "which time or index?"));
	x->where = argv[argc - 1];
	err = understand(x);
	if (!err)
		err = csg_decode_open(d, first, argc - 1, argv);
	if (!err)
		err = run(x, first, argc - 1, argv);
	return csg_decode_finish(d, err);
}

int csg_cmd_explain(int argc, char **argv)
{
	struct explain *x = calloc(1, sizeof(*x)); /* the output block is too large for a stack */
	int status;

	if (!x)
		return csg_no_memory();
	csg_decode_init(&x->decode, "explain");
	x->stream = -1;
	status = start(x, argc, argv);
	for (size_t i = 0; x->evidence && i < x->n; i++)
		csg_evidence_destroy(x->evidence[i]);
	free(x->evidence);
	free(x->wanted);
	free(x->index);
	free(x);
	return status;
}
