/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest report: instructions and branches by who ran them. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "cli/report_windows.h"
#include "cli/sharded.h"
#include "cli/sort_option.h"
#include "cli/traced.h"
#include "calls/folded.h"
#include "report/report_print.h"
#include "shard/report_pack.h"
#include "lookup/arrays.h"

struct report_options {
	const char *by, *by_option; /* keys, and the option that gave them */
	int count, format, stacks;
	const char *percent_limit, *separator;
	int64_t max_lines;
	bool scale;
	bool ignored; /* options of perf report that change nothing here */
};

static const char *const values[] = {"instructions", "branches", "samples", NULL};
#define COUNT_SAMPLES 2 /* index */

#define INSTRUCTION 4 /* bytes, as a sample is counted */

/* enum csg_report_format, and call chains as folded lines. */
#define FORMAT_FOLDED (CSG_REPORT_JSON + 1)
static const char *const formats[] = {"text", "csv", "json", "folded", NULL};

static int take_by(void *data, const char *arg)
{
	struct report_options *o = data;

	o->by = arg;
	o->by_option = "--by";
	return 0;
}

static int take_sort(void *data, const char *arg)
{
	struct report_options *o = data;

	o->by = arg;
	o->by_option = "--sort";
	return 0;
}

static int take_fields(void *data, const char *arg)
{
	struct report_options *o = data;

	o->by = arg;
	o->by_option = "-F";
	return 0;
}

static int parse_percent(struct csg_report_print *print, const char *text)
{
	char *end;

	print->percent_limit = strtod(text, &end);
	if (end != text && !*end && print->percent_limit >= 0 && print->percent_limit <= 100)
		return 0;
	return csg_usage_error("report", "--percent-limit is a number of 0 to 100, not '%s'", text);
}

static int set_print(struct csg_report_print *print, const struct report_options *o)
{
	int err = csg_sort_option_parse("report", o->by_option, &print->sort, o->by);

	if (!err)
		csg_report_sort_name_machine(&print->sort);
	/* Its keys are the frames, its weights the instructions. */
	if (o->format == FORMAT_FOLDED && (strcmp(o->by, CSG_REPORT_DEFAULT_SORT) || o->count))
		return csg_usage_error("report", "--format folded goes with neither --by nor "
						 "--count");
	if (o->count == COUNT_SAMPLES && o->scale)
		return csg_usage_error("report", "--scale does not go with --count samples");
	if (o->format == FORMAT_FOLDED && o->scale)
		return csg_usage_error("report", "--scale does not go with --format folded");
	if (!err)
		err = parse_percent(print, o->percent_limit);
	print->format = (enum csg_report_format)o->format;
	print->by_branches = o->count == 1;
	print->samples = o->count == COUNT_SAMPLES;
	print->max_lines = (uint64_t)o->max_lines;
	print->separator = o->separator && !strcmp(o->separator, "\\t") ? "\t" : o->separator;
	if (!err && o->separator && (!*o->separator || o->format))
		return csg_usage_error("report",
				       "--field-separator takes a character, with --format text");
	return err;
}

/* A batch is of one stream. */
struct adder {
	struct csg_decode *decode;
	struct csg_report *report;
	struct csg_report_windows *windows; /* NULL: nothing is estimated */
	bool samples;			    /* they are counted */
	int32_t cpu;
};

static int add(void *arg, const struct csg_batch *run)
{
	const struct adder *a = arg;

	return csg_report_add(a->report, run, a->cpu);
}

/* What passes the filters. */
static int add_batch(void *arg, const struct csg_batch *batch)
{
	const struct adder *a = arg;

	return csg_filtered_each(a->decode, batch, add, arg);
}

/* Each sample of a batch, as one instruction at its ip. */
static int add_samples(struct adder *a, const struct csg_batch *batch)
{
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];
		const struct csg_element range = {.kind = CSG_ELEMENT_RANGE,
						  .index = e->index,
						  .start = e->start,
						  .end = e->start + INSTRUCTION,
						  .owner = e->owner,
						  .instructions = 1,
						  .isa = CSG_ISA_A64,
						  .el = e->el,
						  .last_size = INSTRUCTION};
		struct csg_batch one = *batch;

		if (e->kind != CSG_ELEMENT_SAMPLE)
			continue;
		one.elements = &range;
		one.n = 1;
		one.time = e->timestamp;
		err = add_batch(a, &one);
	}
	return err;
}

static int add_traced(struct csg_traced_run *traced, const struct csg_batch *batch)
{
	int err = 0;

	if (batch->stream != traced->stream)
		err = csg_traced_end_stream(traced, traced->stream);
	traced->stream = batch->stream;
	return err ? err : csg_traced_batch(traced, batch);
}

/* Adds what passes the filters; what was added before an error is reported all the same. */
static int decode(struct csg_decode *d, struct adder *adder, struct csg_traced_run *traced)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(d->session, &n);
	struct csg_batch batch;
	int ret;

	while ((ret = csg_decode_next(d, false, &batch)) > 0) {
		adder->cpu = streams[batch.stream].source->cpu;
		ret = adder->windows   ? csg_report_windows_add(adder->windows, &batch)
		      : adder->samples ? add_samples(adder, &batch)
				       : add_batch(adder, &batch);
		if (!ret)
			ret = add_traced(traced, &batch);
		if (ret)
			return ret;
	}
	if (!ret && adder->windows)
		ret = csg_report_windows_end(adder->windows);
	return ret < 0 ? ret : csg_traced_end(traced);
}

struct packing {
	struct csg_report *report;
	const struct csg_report_print *print;
	const struct csg_traced_run *traced;
};

static int pack_report(void *arg, struct csg_pack *pack)
{
	const struct packing *p = arg;

	return csg_report_pack(pack, p->report, p->print, &p->traced->windows.windows.sums,
			       p->traced->windows.streams);
}

/* Prints it, or writes the result of a shard. */
static int give(struct csg_decode *d, struct csg_report *report,
		const struct csg_report_print *print, const struct csg_traced_run *traced, int err)
{
	struct packing packing = {report, print, traced};

	if (!csg_sharded_on(d))
		return csg_report_write(report, print, &d->out);
	err = csg_decode_error(d, err);
	return err ? err : csg_sharded_write(d, pack_report, &packing);
}

static int run(struct csg_decode *d, struct csg_report_print *print, bool scale)
{
	const struct csg_lookup lookup = csg_decode_lookup(d);
	struct csg_traced_run traced = {0};
	struct adder adder = {.decode = d, .samples = print->samples};
	struct csg_report_windows windows = {.add = add_batch, .arg = &adder};
	struct csg_estimate estimate;
	struct csg_report *report;
	int err = csg_filtered_open(d), last;

	if (!err)
		err = csg_report_create(&report, &print->sort, &lookup);
	if (err)
		return err;
	csg_filtered_report(d, report);
	adder.report = report;
	if (scale) {
		csg_report_windows_begin(&windows, d, &lookup, report, print->by_branches);
		adder.windows = &windows;
	}
	err = csg_traced_open(&traced, d);
	if (!err)
		err = decode(d, &adder, &traced);
	if (!csg_filtered_chooses(d))
		print->traced = &traced.sums;
	print->lookup = &lookup;
	print->recording = d->shown_input;
	print->hypervisor = csg_hypervisor_name(csg_session_hypervisor(d->session, NULL));
	last = csg_report_finish(report);
	if (scale) {
		estimate = csg_report_windows_estimate(&windows, traced.sums.all);
		print->estimate = &estimate;
	}
	if (!last)
		last = give(d, report, print, &traced, err);
	csg_report_destroy(report);
	csg_traced_close(&traced);
	return err ? err : last;
}

/* Call chains with their instructions, for flamegraph.pl and its like. */
static int fold(struct csg_decode *d, bool joined)
{
	struct csg_call_tree tree = {.weight = CSG_CALL_INSTRUCTIONS, .joined = joined};
	int err = csg_follow_tree(d, &tree);

	csg_folded_write(&tree, &d->out);
	csg_call_tree_close(&tree);
	return err;
}

int csg_cmd_report(int argc, char **argv)
{
	struct report_options o = {.by = CSG_REPORT_DEFAULT_SORT, .percent_limit = "0"};
	struct csg_report_print print = {0};
	struct csg_decode d;
	int first, err;

	csg_decode_init(&d, "report");
	d.takes_owners = d.pages = true;
	const struct csg_option options[] = {
		CSG_OPTION_CALL(
			"by", 'b', "KEYS", take_by, &o,
			"keys to group rows by, in the order of the columns "
			"(default: " CSG_REPORT_DEFAULT_SORT
			"); keys: world, el, vm, guest, vcpu, process, thread, pid, tid, comm, "
			"dso, symbol, srcline, cpu, evidence, reason"),
		CSG_OPTION_CALL("sort", 's', "KEYS", take_sort, &o,
				"the same, in perf report's word"),
		CSG_OPTION_CHOICE("count", 0, "WHAT", &o.count, values,
				  "what percentages and order are of; samples: the recording's own "
				  "that hold trace, at their ip, are counted instead"),
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &o.format, formats,
				  "output format; folded: call chains with their instructions, for "
				  "flamegraph.pl and its like"),
		CSG_OPTION_CHOICE("stacks", 0, "HOW", &o.stacks, csg_follow_stacks,
				  "with --format folded: " CSG_FOLLOW_STACKS_HELP),
		CSG_OPTION_FLAG("scale", 0, &o.scale,
				"estimate the whole from windows: shares with intervals of 95 "
				"percent, counts by the windows' part of the time"),
		CSG_OPTION_STRING("percent-limit", 0, "PERCENT", &o.percent_limit,
				  "leave out rows with less"),
		CSG_OPTION_NUMBER("max-lines", 0, "N", &o.max_lines, 0, INT64_MAX,
				  "print N rows at most; 0: all"),
		CSG_OPTION_END,
	};
	const struct csg_option perfs[] = {
		CSG_OPTION_CALL("fields", 'F', "KEYS", take_fields, &o, "the same as --by"),
		CSG_OPTION_CALL_WITH("comms", 0, "LIST", csg_filters_take_comms, &d.filters,
				     d.filters.option, "the same as --comm"),
		CSG_OPTION_CALL_WITH("dsos", 0, "LIST", csg_filters_take_dsos, &d.filters,
				     d.filters.option, "the same as --dso"),
		CSG_OPTION_CALL_WITH("symbols", 'S', "LIST", csg_filters_take_symbols, &d.filters,
				     d.filters.option, "the same as --symbol"),
		CSG_OPTION_STRING("field-separator", 't', "SEP", &o.separator,
				  "divide columns by SEP, without padding; it is . in names"),
		CSG_OPTION_FLAG("show-nr-samples", 'n', &o.ignored,
				"nothing: instructions are always shown"),
		CSG_OPTION_FLAG("stdio", 0, &o.ignored, "nothing: it prints"),
		CSG_OPTION_CHOICE("stdio-color", 0, "WHEN", &d.colours, csg_colours_words,
				  "the same as --color"),
		CSG_OPTION_FLAG("no-inline", 0, &o.ignored,
				"nothing: inlined functions have no rows of their own"),
		CSG_OPTION_FLAG("force", 'f', &o.ignored, "nothing: owners of files do not matter"),
		CSG_OPTION_END,
	};
	struct csg_option shards[CSG_SHARDED_OPTIONS];
	const struct csg_option_group groups[] = {
		{"Report", options},
		{"Options of perf report", perfs},
		{"Shards", shards},
		CSG_DECODE_GROUPS(&d),
	};
	const struct csg_usage usage = {
		.command = "report",
		.summary = "instructions and branches by who ran them",
		.operands = "[RECORDING]",
		.description =
			"Decodes all trace and adds up executed instructions and taken branches "
			"by world, VM, process, object and symbol.  What is unknown has rows of "
			"its own, with the reason.",
		.groups = groups,
	};

	csg_sharded_fill_options(&d, shards);
	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	err = set_print(&print, &o);
	if (!err && (d.anonymise || d.anonymise_key) && print.sort.set & 1u << CSG_REPORT_SRCLINE)
		err = csg_usage_error("report", "--by srcline shows paths: not with --anonymise");
	d.sharding.operand = first;
	if (!err)
		err = csg_sharded_parse(&d, argv);
	if (!err && csg_sharded_on(&d) && (o.scale || o.format == FORMAT_FOLDED))
		err = csg_usage_error("report", "--shard goes with neither --scale nor --format "
						"folded");
	d.text = o.format == CSG_REPORT_TEXT && !o.separator;
	if (!err && csg_sharded_on(&d) && print.samples)
		err = csg_usage_error("report", "--shard does not go with --count samples");
	/* Call chains begin, and windows are, before the time. */
	d.seeks = o.format != FORMAT_FOLDED && !o.scale;
	if (o.format != FORMAT_FOLDED && !print.samples)
		d.options.flags |= CSG_SESSION_COUNTS;
	if (!err)
		err = csg_decode_open(&d, first, argc, argv);
	if (!err && print.samples && !csg_recording_sample_count(csg_session_recording(d.session)))
		err = csg_usage_error("report", "--count samples: no sample of the recording holds "
						"trace (perf record --aux-sample)");
	if (!err)
		err = o.format == FORMAT_FOLDED ? fold(&d, o.stacks == 0)
						: run(&d, &print, o.scale);
	return csg_decode_finish(&d, err);
}
