/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest timeline: what ran on each CPU, over time. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/page_functions.h"
#include "cli/sharded.h"
#include "cli/switched.h"
#include "cli/timeline_shard.h"
#include "csguest/error.h"
#include "timeline/timeline_html.h"
#include "timeline/timeline_print.h"
#include "lookup/arrays.h"
#include "timeline/slice_source.h"

struct timeline {
	struct csg_decode decode;
	struct csg_lookup lookup;
	struct csg_timeline rows;
	struct csg_timeline_print print;
	struct csg_slice_store store;
	int level, format;
	bool json;
	const char *html; /* file to be written; NULL: rows are printed */
	struct csg_output output;
	struct csg_slice_window span; /* of all slices */
	struct csg_timeline_vcpu *vcpus;
	struct csg_halts halts;
	struct csg_span_functions functions; /* for the page */
	int64_t slices;
};

static const char *const formats[] = {"text", "csv", "json", NULL};
static const char *const levels[] = {
#define LEVEL_WORD(name, word) word,
	CSG_TIMELINE_LEVELS(LEVEL_WORD)
#undef LEVEL_WORD
		NULL,
};

static int add_part(struct timeline *t, const struct csg_slice *slice)
{
	return t->html ? csg_slice_store_add(&t->store, slice) : csg_timeline_add(&t->rows, slice);
}

static int add_slice(void *arg, const struct csg_slice *slice)
{
	struct timeline *t = arg;
	int err = 0;

	if (slice->begin < t->span.begin)
		t->span.begin = slice->begin;
	if (slice->end > t->span.end)
		t->span.end = slice->end;
	if (!csg_filtered_slice(&t->decode, slice))
		return 0;
	for (uint32_t i = 0; !err && i < t->decode.windows.n; i++) {
		struct csg_slice part = *slice;

		if (csg_slice_window_cut(&t->decode.windows, i, &part))
			err = add_part(t, &part);
	}
	return err;
}

/* What was decoded before an error is shown all the same. */
static int decode(struct timeline *t, struct csg_slices *slices)
{
	struct csg_batch batch;
	uint32_t stream = 0;
	int ret, err;

	while ((ret = csg_decode_next(&t->decode, false, &batch)) > 0) {
		ret = batch.stream != stream ? csg_slices_end_stream(slices, stream) : 0;
		stream = batch.stream;
		if (!ret)
			ret = csg_slices_add(slices, &batch);
		if (!ret)
			ret = csg_halts_add(&t->halts, &batch,
					    t->print.streams[stream].source->cpu);
		if (ret)
			return ret;
	}
	err = csg_slices_finish(slices);
	return ret ? ret : err;
}

static bool has_file(const struct timeline *t)
{
	return t->html && strcmp(t->html, "-");
}

static int open_output(void *arg)
{
	struct timeline *t = arg;

	return has_file(t) ? csg_output_open(&t->output, t->html, &t->decode.rules) : 0;
}

static void write_functions(void *arg, struct csg_out *out)
{
	const struct timeline *t = arg;

	csg_span_functions_write(&t->functions, out);
}

static int write_page(struct timeline *t, const struct csg_waits *waits)
{
	struct csg_session *session = t->decode.session;
	const struct csg_timeline_html html = {
		.waits = waits,
		.vcpus = csg_vcpu_at(session, 0),
		.vcpu_count = csg_vcpu_count(session),
		.store = &t->store,
		.lookup = &t->lookup,
		.unit = t->print.unit,
		.recording = t->print.recording,
		.hypervisor = t->print.hypervisor,
		.streams = t->print.streams,
		.functions = t->functions.entry_count ? write_functions : NULL,
		.functions_arg = t,
	};
	struct csg_out *out = &t->decode.out;
	int err, failed;

	if (!has_file(t))
		return csg_timeline_html_write(&html, out);
	csg_out_init(out, t->output.fd);
	err = csg_timeline_html_write(&html, out);
	csg_out_flush(out);
	failed = out->error;
	csg_out_init(out, STDOUT_FILENO);
	err = csg_decode_error(&t->decode, err);
	return err ? err : csg_output_commit(&t->output, failed);
}

static int add_vcpus(struct timeline *t, const struct csg_waits *waits)
{
	struct csg_session *session = t->decode.session;
	const size_t all = csg_vcpu_count(session);
	struct csg_slice_windows parts;
	int err = csg_slice_windows_within(&t->decode.windows, t->span.begin, t->span.end, &parts);

	t->vcpus = calloc(all ? all : 1, sizeof(*t->vcpus));
	if (err || !t->vcpus) {
		free(parts.at);
		return -CSG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < all; i++) {
		const struct csg_vcpu_entry *entry = csg_vcpu_at(session, i);
		struct csg_timeline_vcpu *v = &t->vcpus[t->print.vcpu_count];
		const char *name = csg_session_vm_name(session, entry->vm);

		if (entry->vm <= 0 || !csg_filters_pass_vcpu(&t->decode.filters, session, entry))
			continue;
		*v = (struct csg_timeline_vcpu){
			.vm = entry->vm,
			.vcpu = entry->vcpu,
			.tid = entry->tid,
			.guest = csg_anonym_name(t->decode.anonym, CSG_ANONYM_GUEST, name),
		};
		csg_timeline_vcpu_add(v, waits, &parts);
		t->print.vcpu_count++;
	}
	free(parts.at);
	if (t->print.vcpu_count)
		t->print.vcpus = t->vcpus;
	return 0;
}

static int find_states(struct timeline *t)
{
	struct csg_waits waits;
	int err;

	if (!csg_timeline_has_states(&t->decode, &t->print) || t->span.end <= t->span.begin)
		return 0;
	err = csg_switched_read(&waits, &t->decode, &t->halts);
	if (!err)
		err = add_vcpus(t, &waits);
	csg_waits_fini(&waits);
	return err;
}

static int write_shard(struct timeline *t, struct csg_slices *slices)
{
	int err = decode(t, slices);

	if (!err)
		err = csg_timeline_finish(&t->rows);
	err = csg_decode_error(&t->decode, err);
	return err ? err
		   : csg_timeline_shard_write(&t->decode, &t->rows, &t->print, &t->span, &t->halts);
}

static int show_rows(struct timeline *t, struct csg_slices *slices)
{
	int err, last;

	csg_timeline_print_begin(&t->print);
	err = decode(t, slices);
	last = csg_timeline_finish(&t->rows);
	if (!last)
		last = find_states(t);
	if (!last)
		last = csg_timeline_print_end(&t->print, &t->rows);
	return err ? err : last;
}

static int write_page_with_states(struct timeline *t)
{
	struct csg_waits waits;
	int err;

	if (t->print.unit != CSG_SLICES_NS || !csg_switched_knows(t->decode.session))
		return write_page(t, NULL);
	err = csg_switched_read(&waits, &t->decode, &t->halts);
	if (!err)
		err = write_page(t, &waits);
	csg_waits_fini(&waits);
	return err;
}

static int show_page(struct timeline *t, struct csg_slices *slices)
{
	int err = decode(t, slices);
	int last = err == -CSG_E_NO_MEMORY ? err : write_page_with_states(t);

	return err ? err : last;
}

static int run(struct timeline *t)
{
	struct csg_session *session = t->decode.session;
	struct csg_slices_client client = {
		.arg = t,
		.source = csg_slice_source_of(session),
		.slice = add_slice,
	};
	struct csg_slices *slices;
	size_t n;
	int err;

	csg_span_functions_init(&t->functions);
	err = csg_filtered_open(&t->decode);
	if (!err && t->html)
		err = csg_page_functions_gather(&t->decode, &t->functions);
	csg_filtered_slices(&t->decode, &client);
	t->print.streams = csg_array_streams(session, &n);
	t->print.unit = csg_slices_unit(t->print.streams, n,
					csg_recording_info(csg_session_recording(session))->kind);
	t->print.hypervisor = csg_hypervisor_name(csg_session_hypervisor(session, NULL));
	t->print.recording = t->decode.shown_input;
	t->lookup = csg_decode_lookup(&t->decode);
	csg_timeline_init(&t->rows, (enum csg_timeline_level)t->level, &t->lookup);
	t->rows.dated = t->print.unit == CSG_SLICES_NS;
	t->rows.row = csg_timeline_print_row;
	t->rows.arg = &t->print;
	csg_slice_store_init(&t->store, (size_t)t->slices);
	if (!err)
		err = csg_halts_init(&t->halts, &t->lookup, n);
	if (!err)
		err = csg_slices_create(&slices, n, t->print.unit, &client);
	if (!err) {
		err = csg_sharded_on(&t->decode) ? write_shard(t, slices)
		      : t->html			 ? show_page(t, slices)
						 : show_rows(t, slices);
		csg_slices_destroy(slices);
	}
	csg_timeline_fini(&t->rows);
	csg_slice_store_fini(&t->store);
	csg_halts_fini(&t->halts);
	csg_span_functions_fini(&t->functions);
	return err;
}

static int start(struct timeline *t, int argc, char **argv)
{
	struct csg_decode *d = &t->decode;
	const struct csg_option options[] = {
		CSG_OPTION_CHOICE("by", 'b', "LEVEL", &t->level, levels,
				  "how finely owners are distinguished"),
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &t->format, formats, "output format"),
		CSG_OPTION_FLAG("json", 0, &t->json, "the same as --format json"),
		CSG_OPTION_STRING("html", 0, "FILE", &t->html,
				  "write a page to look at and to zoom in; - is standard output"),
		CSG_OPTION_FLAG("force", 0, &d->rules.replace, "replace a page that exists"),
		CSG_OPTION_NUMBER(
			"slices", 0, "N", &t->slices, 100, 100000000,
			"maximum number of entries of the page; more are merged (default: "
			"200000)"),
		CSG_OPTION_FLAG("totals", 0, &t->print.totals_only, "sums only, no rows"),
		CSG_OPTION_END,
	};
	struct csg_option shards[CSG_SHARDED_OPTIONS];
	const struct csg_option_group groups[] = {
		{"Timeline", options},
		{"Shards", shards},
		CSG_DECODE_GROUPS(d),
	};
	const struct csg_usage usage = {
		.command = "timeline",
		.summary = "what ran on each CPU, over time",
		.operands = "[RECORDING]",
		.description = "One row for each time that somebody had a CPU: host, guest and "
			       "vCPU, process; losses and what is unknown are rows as well.  Then "
			       "the sums.",
		.groups = groups,
	};
	int err, first;

	csg_sharded_fill_options(d, shards);
	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(d, first);
	t->print.format = t->json ? CSG_TIMELINE_JSON : (enum csg_timeline_format)t->format;
	d->pages = !t->html;
	d->text = t->print.format == CSG_TIMELINE_TEXT;
	d->open_output = open_output;
	d->output_arg = t;
	d->sharding.operand = first;
	err = csg_sharded_parse(d, argv);
	if (!err && csg_sharded_on(d) && (!t->print.totals_only || t->html))
		err = csg_usage_error("timeline", "--shard goes with --totals only");
	if (!err)
		err = csg_decode_open(d, first, argc, argv);
	if (!err)
		err = run(t);
	csg_output_drop(&t->output);
	return csg_decode_finish(d, err);
}

int csg_cmd_timeline(int argc, char **argv)
{
	struct timeline *t = calloc(1, sizeof(*t)); /* the output block is too large for a stack */
	int status;

	if (!t)
		return csg_no_memory();
	csg_decode_init(&t->decode, "timeline");
	t->decode.takes_owners = t->decode.pages = true;
	t->decode.lists = true;
	t->slices = 200000;
	t->span.begin = UINT64_MAX;
	t->level = CSG_TIMELINE_THREAD;
	t->print.out = &t->decode.out;
	status = start(t, argc, argv);
	free(t->vcpus);
	free(t);
	return status;
}
