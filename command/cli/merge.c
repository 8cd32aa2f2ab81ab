/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest merge: the sum of shards, or of several recordings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "cli/merge_list.h"
#include "cli/sharded.h"
#include "csguest/error.h"
#include "shard/outcome_pack.h"
#include "shard/profile_pack.h"
#include "shard/report_pack.h"
#include "shard/timeline_pack.h"
#include "text/sentence.h"
#include "util/report.h"

struct merge {
	struct csg_decode decode; /* its messages and output: nothing is decoded */
	const char *path;	  /* -o */
	struct csg_strings texts;
	struct csg_merge_list list;
	struct csg_outcome_sum outcome;
	struct csg_report_sum report;
	struct csg_timeline_sum timeline;
	struct csg_branch_profile profile;
	struct csg_lookup no_lookup;
	struct csg_output_dir dir;
	struct csg_strings said; /* messages, as keys */
};

/* Whether the results are of csguest `view`. */
static bool is_of(const struct merge *m, const char *view)
{
	return !strcmp(m->list.view, view);
}

static bool is_profile(const struct merge *m)
{
	return is_of(m, "export");
}

/* A message that several shards report is one. */
static int tell(struct merge *m, const struct csg_diag *diag)
{
	const size_t before = m->said.count;
	char key[1024];

	snprintf(key, sizeof(key), "%d %s %" PRIu64 " %s", (int)diag->severity,
		 diag->file ? diag->file : "", diag->offset, diag->text);
	if (!csg_strings_keep(&m->said, key))
		return -CSG_E_NO_MEMORY;
	if (m->said.count > before)
		m->decode.sink.report(m->decode.sink.arg, diag);
	return 0;
}

static int tell_messages(struct merge *m, struct csg_unpack *u)
{
	const size_t n = csg_unpack_count(u, 1);
	int err = 0;

	for (size_t i = 0; !err && i < n && !u->failed; i++) {
		struct csg_diag diag;

		csg_result_message_unpack(u, &diag);
		if (!u->failed)
			err = tell(m, &diag);
	}
	return err;
}

static int add_outcome(struct merge *m, struct csg_unpack *u, bool same_recording)
{
	struct csg_outcome_sum part = {0};
	int err = csg_outcome_unpack(u, &part, &m->texts);

	if (!err && u->failed)
		err = -CSG_E_CORRUPT;
	if (!err)
		err = csg_outcome_sum_add(&m->outcome, &part, same_recording);
	csg_outcome_sum_fini(&part);
	return err;
}

static int add_view(struct merge *m, struct csg_unpack *u, bool same_recording)
{
	int err = is_of(m, "report")	 ? csg_report_sum_add(&m->report, u, same_recording)
		  : is_of(m, "timeline") ? csg_timeline_sum_add(&m->timeline, u, same_recording)
		  : is_profile(m)	 ? csg_profile_unpack(u, &m->profile)
					 : -CSG_E_CORRUPT;

	return err ? err : csg_unpack_end(u);
}

static int add(struct merge *m, size_t i)
{
	const struct csg_merge_entry_file *e = &m->list.files[i];
	const bool same_recording = i && e->recording == e[-1].recording;
	struct csg_result_head head;
	struct csg_unpack u;
	uint8_t *bytes;
	size_t n;
	int err = csg_sharded_read(e->path, &m->decode.sink, &bytes, &n);

	if (err)
		return err;
	err = csg_unpack_begin(&u, bytes, n, CSG_RESULT_KIND, CSG_RESULT_VERSION);
	if (!err)
		csg_result_head_unpack(&u, &head);
	if (!err)
		err = tell_messages(m, &u);
	if (!err)
		err = add_outcome(m, &u, same_recording);
	if (!err)
		err = add_view(m, &u, same_recording);
	free(bytes);
	return err ? csg_merge_refuse(e->path, err, &m->decode.sink) : 0;
}

static int name(const struct merge *m, struct csg_strings *texts, const char **recording,
		const char **hypervisor)
{
	*recording = csg_merge_list_recordings(&m->list, texts);
	*hypervisor = csg_merge_list_hypervisors(&m->list, texts);
	return *recording && *hypervisor ? 0 : -CSG_E_NO_MEMORY;
}

static int write_report(struct merge *m)
{
	struct csg_report_print *print = &m->report.print;
	int err = name(m, &m->texts, &print->recording, &print->hypervisor);

	if (err)
		return err;
	csg_report_sum_finish(&m->report);
	m->decode.text = print->format == CSG_REPORT_TEXT && !print->separator;
	return csg_report_write(m->report.report, print, &m->decode.out);
}

/* A shard may have seen what only a later one can name. */
static int refuse_timeline(const struct merge *m, int err)
{
	if (err != -CSG_E_CONTRADICTED)
		return err;
	return csg_report(
		&m->decode.sink, CSG_ERROR, CSG_E_CONTRADICTED, m->list.files[0].path,
		CSG_NO_OFFSET, "run csguest timeline --totals without --shard",
		"a thread halted in the trace of a shard which only a later shard shows to "
		"be a vCPU's");
}

static int write_timeline(struct merge *m)
{
	struct csg_timeline_print *print = &m->timeline.print;
	int err = name(m, &m->texts, &print->recording, &print->hypervisor);

	if (!err)
		err = refuse_timeline(m, csg_timeline_sum_finish(&m->timeline));
	if (err)
		return err;
	m->decode.text = print->format == CSG_TIMELINE_TEXT;
	print->out = &m->decode.out;
	csg_timeline_print_begin(print);
	return csg_timeline_print_end(print, &m->timeline.rows);
}

static int write_profile(struct merge *m)
{
	int err = csg_output_dir_open(&m->dir, m->path, &m->decode.rules);

	if (!err)
		err = csg_branch_profile_write(&m->profile, &m->dir);
	return err ? err : csg_output_dir_commit(&m->dir);
}

static int check_output(const struct merge *m)
{
	if (!is_profile(m) && m->path)
		return csg_usage_error("merge", "a %s is printed: -o is for branch profiles",
				       m->list.view);
	if (is_profile(m) && !m->path)
		return csg_usage_error("merge", "branch profiles need -o DIR");
	return 0;
}

static void print_outcome(struct merge *m)
{
	struct csg_out out;

	csg_out_flush(&m->decode.out);
	fflush(stderr);
	csg_out_init(&out, STDERR_FILENO);
	if (!m->decode.quiet && !m->decode.out.error)
		csg_outcome_sum_print(&m->outcome, &out);
	csg_out_flush(&out);
}

static int run(struct merge *m, char **paths, size_t n)
{
	int err = csg_merge_list_read(&m->list, paths, n, &m->texts, &m->decode.sink);

	if (!err)
		err = check_output(m);
	if (!err)
		err = csg_branch_profile_init(&m->profile, &m->no_lookup, 0);
	for (size_t i = 0; !err && i < n; i++)
		err = add(m, i);
	if (err)
		return err;
	m->decode.out.colours =
		csg_terminal_colours((enum csg_colours)m->decode.colours, isatty(STDOUT_FILENO));
	m->decode.out.columns = csg_terminal_columns(STDOUT_FILENO);
	err = is_of(m, "report")     ? write_report(m)
	      : is_of(m, "timeline") ? write_timeline(m)
				     : write_profile(m);
	if (err)
		return err;
	print_outcome(m);
	err = m->list.damage;
	return err ? err : csg_outcome_sum_error(&m->outcome, m->list.strict);
}

static int start(struct merge *m, int argc, char **argv)
{
	struct csg_decode *d = &m->decode;
	const struct csg_option options[] = {
		CSG_OPTION_STRING("output", 'o', "DIR", &m->path,
				  "for branch profiles: the directory to be written"),
		CSG_OPTION_FLAG("quiet", 'q', &d->quiet,
				"no warnings and summary on standard error"),
		CSG_OPTION_CHOICE("color", 0, "WHEN", &d->colours, csg_colours_words,
				  "when shares and messages have colours (default: auto, on a "
				  "terminal, unless $NO_COLOR is set)"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {{"Merge", options}, {NULL, NULL}};
	const struct csg_usage usage = {
		.command = "merge",
		.summary = "add up the results of shards, or of several recordings",
		.operands = "RESULT...",
		.description =
			"Prints what one run would print that decodes all of them.  All shards "
			"of each recording have to be there.",
		.groups = groups,
	};
	int first = csg_options_parse(&usage, argc, argv), err;

	if (first <= 0)
		return csg_decode_drop(d, first);
	err = first < argc ? run(m, argv + first, (size_t)(argc - first))
			   : csg_usage_error("merge", "name the results of shards");
	return csg_decode_finish(d, err);
}

int csg_cmd_merge(int argc, char **argv)
{
	struct merge *m = calloc(1, sizeof(*m)); /* the output block is too large for a stack */
	int status;

	if (!m)
		return csg_no_memory();
	csg_decode_init(&m->decode, "merge");
	csg_report_sum_init(&m->report, &m->texts);
	csg_timeline_sum_init(&m->timeline, &m->texts);
	status = start(m, argc, argv);
	csg_report_sum_fini(&m->report);
	csg_timeline_sum_fini(&m->timeline);
	csg_branch_profile_fini(&m->profile);
	csg_outcome_sum_fini(&m->outcome);
	csg_merge_list_fini(&m->list);
	csg_strings_fini(&m->texts);
	csg_strings_fini(&m->said);
	csg_output_dir_drop(&m->dir);
	free(m);
	return status;
}
