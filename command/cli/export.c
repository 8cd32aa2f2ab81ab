/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest export: what ran, as files for other tools. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "cli/sharded.h"
#include "csguest/error.h"
#include "export/branch_profile.h"
#include "calls/chrome.h"
#include "output/output_dir.h"
#include "export/range_list.h"
#include "cli/export_sqlite.h"
#include "shard/profile_pack.h"
#include "calls/uftrace.h"
#include "lookup/arrays.h"

enum form {
	TO_UFTRACE,
	TO_CHROME,
	TO_AUTOFDO,
	TO_CSV,
	TO_JSONL,
	TO_SQLITE,
	FORMS,
};

struct exporter {
	struct csg_decode decode;
	struct csg_uftrace uftrace;
	struct csg_chrome chrome;
	struct csg_output output;  /* what is written that is no directory */
	struct csg_output_dir dir; /* what is one */
	struct csg_out file;	   /* to output */
	struct csg_out *out;	   /* that, or standard output */
	struct csg_branch_profile profile;
	struct csg_range_list ranges;
	const char *to[FORMS]; /* where each form goes; NULL: it is not asked for */
	int form;
};

/* What was decoded before an error is kept, but not where memory ran out: nobody knows what is
 * missing. */
static int commit_dir(struct exporter *e, int err)
{
	err = csg_decode_error(&e->decode, err);
	return err == -CSG_E_NO_MEMORY ? err : csg_output_dir_commit(&e->dir);
}

static int export_uftrace(struct exporter *e)
{
	const struct csg_lookup lookup = csg_decode_lookup(&e->decode);
	struct csg_uftrace *u = &e->uftrace;
	size_t n;
	int err, last, ret;

	csg_array_streams(e->decode.session, &n);
	u->dir = &e->dir;
	u->recording = e->decode.shown_input;
	u->arg = &e->decode;
	u->next = csg_decode_next_of;
	u->time = csg_follow_time;
	u->timeless = !csg_follow_has_time(&e->decode);
	u->filter = csg_filtered_calls(&e->decode);
	err = csg_filtered_open(&e->decode);
	if (!err)
		err = csg_uftrace_open(u, &lookup, n);
	last = err;
	while (!err && (ret = csg_uftrace_next(u)) != 0)
		err = ret < 0 ? ret : 0;
	/* What was followed before an error is written all the same. */
	if (!last && err != -CSG_E_NO_MEMORY)
		last = csg_uftrace_finish(u);
	if (!last)
		last = commit_dir(e, err);
	csg_uftrace_close(u);
	return err ? err : last;
}

static bool is_directory(const struct exporter *e)
{
	return e->form == TO_UFTRACE || e->form == TO_AUTOFDO;
}

/* Opens the file to be written, before anything is read. */
static int open_output(void *arg)
{
	struct exporter *e = arg;
	const char *path = e->to[e->form];
	int err;

	if (is_directory(e))
		return 0;
	if (e->form == TO_SQLITE)
		return csg_export_sqlite_open(&e->output, path, &e->decode.rules);
	e->out = strcmp(path, "-") ? &e->file : &e->decode.out;
	if (e->out != &e->file)
		return 0;
	err = csg_output_open(&e->output, path, &e->decode.rules);
	csg_out_init(&e->file, e->output.fd);
	e->file.anonym = e->decode.anonym;
	return err;
}

static int end_file(struct exporter *e, int err)
{
	if (e->out != &e->file)
		return 0; /* csg_decode_finish() sees to it */
	if (csg_decode_error(&e->decode, err) == -CSG_E_NO_MEMORY)
		return -CSG_E_NO_MEMORY;
	csg_out_flush(&e->file);
	return csg_output_commit(&e->output, e->file.error);
}

static int export_chrome(struct exporter *e)
{
	const struct csg_lookup lookup = csg_decode_lookup(&e->decode);
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(e->decode.session, &n);
	int32_t *cpus = calloc(n + 1, sizeof(*cpus));
	int err, ret, last;

	if (!cpus)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		cpus[i] = streams[i].source->cpu;
	e->chrome.to.out = e->out;
	e->chrome.cpus = cpus;
	e->chrome.exits.arg = &e->decode;
	e->chrome.exits.next = csg_decode_next_of;
	e->chrome.exits.time = csg_follow_time;
	e->chrome.exits.timeless = !csg_follow_has_time(&e->decode);
	e->chrome.exits.hyp_untraced = csg_follow_hyp_untraced(&e->decode);
	e->chrome.filter = csg_filtered(&e->decode);
	e->chrome.exits.filter = csg_filtered_calls(&e->decode);
	err = csg_filtered_open(&e->decode);
	if (!err)
		err = csg_chrome_open(&e->chrome, &lookup, n);
	while (!err && (ret = csg_chrome_next(&e->chrome)) != 0)
		err = ret < 0 ? ret : 0;
	/* What was followed before an error is written all the same. */
	if (err != -CSG_E_NO_MEMORY) {
		last = csg_chrome_finish(&e->chrome);
		err = err ? err : last;
	}
	last = end_file(e, err);
	csg_chrome_close(&e->chrome);
	free(cpus);
	return err ? err : last;
}

/* Decodes everything; what was decoded before an error is written all the same. */
static int decode(struct exporter *e, int (*add)(struct exporter *e, const struct csg_batch *batch))
{
	struct csg_batch batch;
	int ret;

	while ((ret = csg_decode_next(&e->decode, false, &batch)) > 0) {
		ret = add(e, &batch);
		if (ret)
			return ret;
	}
	return ret;
}

static int add_branches_of(void *arg, const struct csg_batch *part)
{
	struct exporter *e = arg;

	return csg_branch_profile_add(&e->profile, part);
}

static int cut_branches(void *arg, uint32_t stream)
{
	struct exporter *e = arg;

	csg_branch_profile_cut(&e->profile, stream);
	return 0;
}

static int add_branches(struct exporter *e, const struct csg_batch *batch)
{
	const struct csg_owner_filter filter = csg_filtered(&e->decode);
	const struct csg_owner_parts parts = {e, add_branches_of, cut_branches};

	if (!csg_filtered_time(&e->decode, batch))
		return cut_branches(e, batch->stream);

	return csg_owner_filter_divide(&filter, batch, &parts);
}

static int pack_profile(void *arg, struct csg_pack *pack)
{
	const struct exporter *e = arg;

	csg_profile_pack(pack, &e->profile);
	return 0;
}

static int write_shard(struct exporter *e, int err)
{
	err = csg_decode_error(&e->decode, err);
	return err ? err : csg_sharded_write(&e->decode, pack_profile, e);
}

static int export_autofdo(struct exporter *e)
{
	const struct csg_lookup lookup = csg_decode_lookup(&e->decode);
	size_t n;
	int err, last;

	csg_array_streams(e->decode.session, &n);
	err = csg_filtered_open(&e->decode);
	if (!err)
		err = csg_branch_profile_init(&e->profile, &lookup, n);
	e->profile.filter = csg_filtered_calls(&e->decode);
	last = err;
	if (!err)
		err = decode(e, add_branches);
	if (csg_sharded_on(&e->decode))
		last = write_shard(e, err);
	else if (!last)
		last = csg_branch_profile_write(&e->profile, &e->dir);
	if (!last && !csg_sharded_on(&e->decode))
		last = commit_dir(e, err);
	csg_branch_profile_fini(&e->profile);
	return err ? err : last;
}

static int add_run(void *arg, const struct csg_batch *run)
{
	const struct exporter *e = arg;
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(e->decode.session, &n);

	csg_range_list_add(&e->ranges, run, streams[run->stream].source->cpu);
	return 0;
}

static int add_ranges(struct exporter *e, const struct csg_batch *batch)
{
	return csg_filtered_each(&e->decode, batch, add_run, e);
}

static bool is_wanted_code(void *arg, const struct csg_lookup *lookup, const struct csg_element *e,
			   uint64_t time)
{
	(void)lookup;
	return csg_filtered_code(arg, e->owner, e->start, time);
}

static int export_ranges(struct exporter *e, bool json)
{
	const struct csg_lookup lookup = csg_decode_lookup(&e->decode);
	int err = csg_filtered_open(&e->decode), last;

	e->ranges = (struct csg_range_list){&lookup, e->out, json, NULL, &e->decode};
	if (csg_filters_choose_code(&e->decode.filters))
		e->ranges.wanted = is_wanted_code;
	if (!err) {
		csg_range_list_begin(&e->ranges);
		err = decode(e, add_ranges);
	}
	last = end_file(e, err);
	return err ? err : last;
}

static int run(struct exporter *e)
{
	int err = 0;

	/* Only now: signals are held from here on, and opening a recording may wait for who writes
	 * it. */
	if (is_directory(e) && !csg_sharded_on(&e->decode))
		err = csg_output_dir_open(&e->dir, e->to[e->form], &e->decode.rules);
	if (err)
		return err;
	switch (e->form) {
	case TO_UFTRACE:
		return export_uftrace(e);
	case TO_CHROME:
		return export_chrome(e);
	case TO_AUTOFDO:
		return export_autofdo(e);
	case TO_SQLITE:
		return csg_export_sqlite(&e->decode, &e->output);
	default:
		return export_ranges(e, e->form == TO_JSONL);
	}
}

/* Which of the forms is asked for: one. */
static int choose(struct exporter *e)
{
	int wanted = 0;

	for (int i = 0; i < FORMS; i++) {
		if (!e->to[i])
			continue;
		e->form = i;
		wanted++;
	}
	if (wanted == 1)
		return 0;
	return csg_usage_error(
		"export", "name one of --uftrace, --chrome, --autofdo, --csv, --jsonl, --sqlite");
}

/* AutoFDO's tools look for addresses in the object that the file is named after. */
static int check_names(const struct exporter *e)
{
	if (e->form != TO_AUTOFDO || (!e->decode.anonymise && !e->decode.anonymise_key))
		return 0;
	return csg_usage_error("export", "--autofdo is nothing but addresses of named objects: not "
					 "with --anonymise");
}

static int check_shard(struct exporter *e, char **argv)
{
	if (csg_sharded_on(&e->decode) && e->form != TO_AUTOFDO)
		return csg_usage_error("export", "--shard goes with --autofdo only");
	return csg_sharded_parse(&e->decode, argv);
}

/* Ranges and branches; calls, exits and slices begin before the time that is shown. */
static bool needs_nothing_before(const struct exporter *e)
{
	return e->to[TO_CSV] || e->to[TO_JSONL] || e->to[TO_AUTOFDO];
}

static int start(struct exporter *e, int argc, char **argv)
{
	struct csg_decode *d = &e->decode;
	const struct csg_option options[] = {
		CSG_OPTION_STRING("uftrace", 0, "DIR", &e->to[TO_UFTRACE],
				  "calls and returns as a data directory of uftrace"),
		CSG_OPTION_STRING("chrome", 0, "FILE", &e->to[TO_CHROME],
				  "who ran when as Chrome's trace events, for Perfetto; -: "
				  "standard output"),
		CSG_OPTION_FLAG("functions", 0, &e->chrome.with_functions,
				"with --chrome: the functions of guests, on a track of each vCPU"),
		CSG_OPTION_STRING("autofdo", 0, "DIR", &e->to[TO_AUTOFDO],
				  "branch profiles of each object, of host and each guest, for "
				  "AutoFDO's tools"),
		CSG_OPTION_STRING("csv", 0, "FILE", &e->to[TO_CSV],
				  "every range that ran, with its owner, as CSV"),
		CSG_OPTION_STRING("jsonl", 0, "FILE", &e->to[TO_JSONL], "the same as JSON lines"),
		CSG_OPTION_STRING("sqlite", 0, "FILE", &e->to[TO_SQLITE],
				  "everything as tables of an SQLite database: csguest-sqlite(5)"),
		CSG_OPTION_FLAG("force", 0, &d->rules.replace, "replace a file that exists"),
		CSG_OPTION_END,
	};
	struct csg_option shards[CSG_SHARDED_OPTIONS];
	const struct csg_option_group groups[] = {
		{"Export", options},
		{"Shards, with --autofdo", shards},
		CSG_DECODE_GROUPS(d),
	};
	const struct csg_usage usage = {
		.command = "export",
		.summary = "what ran, as files for other tools",
		.operands = "[RECORDING]",
		.description = "Decodes all trace and writes it in the form that is asked for.",
		.groups = groups,
	};
	int err;

	csg_sharded_fill_options(d, shards);
	err = csg_options_parse(&usage, argc, argv);
	if (err <= 0)
		return csg_decode_drop(d, err);
	d->open_output = open_output;
	d->output_arg = e;
	d->sharding.operand = err;
	d->seeks = needs_nothing_before(e);
	err = choose(e) || check_names(e) || check_shard(e, argv)
		      ? -CSG_E_USAGE
		      : csg_decode_open(d, d->sharding.operand, argc, argv);
	if (!err)
		err = run(e);
	csg_output_drop(&e->output);
	err = csg_decode_finish(d, err);
	/* The last: it delivers signals that came meanwhile. */
	csg_output_dir_drop(&e->dir);
	return err;
}

int csg_cmd_export(int argc, char **argv)
{
	struct exporter *e = calloc(1, sizeof(*e)); /* the output block is too large for a stack */
	int status;

	if (!e)
		return csg_no_memory();
	csg_decode_init(&e->decode, "export");
	e->decode.takes_owners = true;
	status = start(e, argc, argv);
	free(e);
	return status;
}
