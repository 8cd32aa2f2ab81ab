/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest info: what a recording holds and lacks, without decoding it; also of one without
 * trace. */
#include <string.h>
#include <unistd.h>

#include "util/report.h"
#include "cli/command.h"
#include "cli/decode.h"
#include "cli/decode_options.h"
#include "cli/no_match.h"
#include "cli/terminal.h"
#include "csguest/error.h"
#include "csguest/session.h"
#include "info/contradictions.h"
#include "info/info.h"

static int choose(struct csg_recording *rec, const struct csg_decode *d, struct csg_info *info)
{
	info->hypervisor = (enum csg_hypervisor)d->hypervisor;
	info->why = "given by --hypervisor";
	if (d->hypervisor == CSG_HV_AUTO)
		return csg_recording_hypervisor(rec, &info->hypervisor, &info->why);
	return csg_recording_contradicts(rec, info->hypervisor, &info->contradiction);
}

/* As other commands refuse it, but what it is good for was reported. */
static int say_no_trace(struct csg_decode *d)
{
	return csg_report(&d->sink, CSG_ERROR, CSG_E_NO_TRACE, d->input, CSG_NO_OFFSET, NULL,
			  "no trace: sideband alone");
}

/* The recording was opened anew; what was found out about the first opening stays. */
static void refill(struct csg_info *info, struct csg_recording *rec)
{
	const struct csg_info before = *info;

	csg_info_fill(info, rec);
	info->cpus = before.cpus;
	info->cpu_count = before.cpu_count;
	info->hypervisor = before.hypervisor;
	info->why = before.why;
	info->contradiction = before.contradiction;
}

/* The session's recording takes the place of rec, so that sideband is in memory once. */
static int open_session(const struct csg_decode *d, const struct csg_session_options *options,
			struct csg_session **session, struct csg_recording **rec,
			struct csg_info *info)
{
	const struct csg_recording_options again = {
		.size = sizeof(again), .sideband_only = true, .tmpdir = d->options.tmpdir};
	int err, ret;

	csg_recording_close(*rec);
	*rec = NULL;
	err = csg_session_open(session, d->input, options);
	if (!err) {
		refill(info, csg_session_recording(*session));
		return 0;
	}
	ret = csg_recording_open(rec, d->input, &again);
	if (ret)
		return -CSG_E_NO_MEMORY;
	refill(info, *rec);
	return err;
}

static int open_and_check(const struct csg_decode *d, const struct csg_session_options *options,
			  struct csg_session **session, struct csg_recording **rec,
			  struct csg_info *info)
{
	int err = open_session(d, options, session, rec, info), nesting = 0;

	if (!err)
		err = csg_session_check_kernels(*session);
	if (!err)
		nesting = csg_session_nesting(*session);
	if (!err && nesting < 0)
		err = nesting;
	info->nesting = nesting > 0 ? (unsigned int)nesting : 0;
	return err;
}

/*
 * The session once more, with all sideband kept, if the place in the file of a record that
 * contradicts another is to be shown: to keep it takes as much memory as the file has sideband.
 */
static int keep_records(const struct csg_decode *d, struct csg_session_options *options,
			struct csg_session **session, struct csg_recording **rec,
			struct csg_info *info)
{
	if (!csg_contradictions_name_records(csg_contradiction_at(*session, 0),
					     csg_contradiction_count(*session)))
		return 0;
	options->flags |= CSG_SESSION_KEEP_SIDEBAND;
	csg_session_close(*session);
	*session = NULL;
	return open_and_check(d, options, session, rec, info);
}

/*
 * What its sideband says that cannot all be true, which a session finds when it is opened, and
 * which kernels' files the trace contradicts.  Standard input is read once only.  What else is
 * wrong with the recording was reported before.
 */
static int look_closer(const struct csg_decode *d, struct csg_session **session,
		       struct csg_recording **rec, struct csg_info *info)
{
	struct csg_session_options options = d->options;
	int err;

	if (info->no_trace || info->damage || !strcmp(d->input, "-"))
		return 0;
	options.flags |= CSG_SESSION_NO_CODE;
	options.hypervisor = info->hypervisor;
	options.sink = NULL;
	options.progress = NULL;
	err = open_and_check(d, &options, session, rec, info);
	if (!err)
		err = keep_records(d, &options, session, rec, info);
	if (!err)
		err = csg_trace_off_count(&info->off, csg_session_recording(*session));
	if (err)
		return err == -CSG_E_NO_MEMORY ? err : 0;
	info->contradiction_count = csg_contradiction_count(*session);
	info->contradictions = csg_contradiction_at(*session, 0);
	info->contradiction_total = csg_contradiction_total(*session);
	info->kept = csg_session_recording(*session);
	info->guests_given = csg_guest_recording_count(*session);
	info->kernel_count = csg_kernel_file_count(*session);
	info->kernels = csg_kernel_file_at(*session, 0);
	return 0;
}

static int write_info(struct csg_decode *d, struct csg_recording **rec, bool json)
{
	struct csg_session *session = NULL;
	struct csg_info info;
	int err;

	csg_info_fill(&info, *rec);
	info.cpus = d->filters.cpus;
	info.cpu_count = d->filters.cpu_count;
	err = csg_no_match_cpus(&d->filters, d->input, d->options.tmpdir, &d->sink);
	if (!err)
		err = choose(*rec, d, &info);
	if (err)
		return err;
	if (info.no_trace && d->hypervisor == CSG_HV_AUTO) {
		info.hypervisor = CSG_HV_UNKNOWN;
		info.why = "there is no trace to determine it from";
	}
	err = look_closer(d, &session, rec, &info);
	if (!err)
		csg_info_write(&info, json, &d->out);
	csg_session_close(session);
	if (err)
		return err;
	return info.damage || !info.no_trace ? info.damage : say_no_trace(d);
}

int csg_cmd_info(int argc, char **argv)
{
	struct csg_recording_options options = {.size = sizeof(options), .sideband_only = true};
	struct csg_recording *rec = NULL;
	struct csg_decode d;
	struct csg_option filters[CSG_DECODE_OPTIONS];
	bool json = false;
	int first, err;

	csg_decode_init(&d, "info");
	csg_decode_some_filters(&d, (const char *const[]){"cpu", NULL}, filters);
	const struct csg_option info_options[] = {
		CSG_OPTION_FLAG("json", 0, &json, "as JSON"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Info", info_options},
		{"Filters", filters},
		{"Recording", d.recording_options},
		{"Images", d.image_options},
		{"Names", d.names_options},
		{"Messages", d.message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "info",
		.summary = "what a recording holds, what it lacks, how to record it next time",
		.operands = "[RECORDING]",
		.description =
			"Tells trace units and what they trace, trace per CPU, sideband, the kind "
			"of "
			"hypervisor and why, and what is missing for a good result.  Nothing is "
			"decoded but the beginning of each stream.  Kernels' files that "
			"are given are compared with the branches that ran there.",
		.groups = groups,
		.lacks = d.filter_options,
		.lacks_why = "it shows what the whole recording holds",
	};

	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	err = csg_decode_prepare(&d, first, argc, argv);
	options.tmpdir = d.options.tmpdir;
	options.sink = &d.sink;
	d.out.columns = csg_terminal_columns(STDOUT_FILENO);
	if (!err)
		err = csg_recording_open(&rec, d.input, &options);
	if (!err)
		err = write_info(&d, &rec, json);
	csg_recording_close(rec);
	return csg_decode_finish(&d, err);
}
