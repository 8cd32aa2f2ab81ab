/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest summary: a recording on one page. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "cli/judge.h"
#include "cli/switched.h"
#include "cli/traced.h"
#include "csguest/contradiction.h"
#include "csguest/error.h"
#include "lookup/arrays.h"
#include "timeline/slice_source.h"
#include "summary/group_waits.h"
#include "summary/summary_print.h"

/* All that is shown is gathered while the trace is decoded once. */
struct summary {
	struct csg_decode decode;
	struct csg_lookup lookup;
	struct csg_report *report;
	struct csg_judge judge;
	struct csg_slices *slices;
	struct csg_cpu_time time;
	struct csg_window_run windows;
	struct csg_exits exits;
	struct csg_slice_windows span; /* what the page is of, of the traced span */
	struct csg_waits waits;
	struct csg_halts halts;
	/* --vm chooses rows, in which the host's work for a VM is; the others owners */
	const char *vms;
	bool follows; /* exits are looked for */
	struct csg_groups groups;
	struct csg_summary_open open[CSG_SUMMARY_OPEN_MAX];
	struct csg_advice advice[CSG_ADVICE_MAX];
	struct csg_summary_page page;
	const struct csg_stream_info *streams;
	size_t stream_count;
	int format;
};

static const char *const formats[] = {"text", "json", NULL};

static int add_slice(void *arg, const struct csg_slice *slice)
{
	struct summary *s = arg;
	const struct csg_slice_windows *windows = &s->decode.windows;
	const bool wanted = csg_filtered_slice(&s->decode, slice);
	int err = 0;

	for (uint32_t i = 0; !err && i < windows->n; i++) {
		struct csg_slice part = *slice;

		if (csg_slice_window_cut(windows, i, &part))
			err = wanted ? csg_cpu_time_add(&s->time, &part)
				     : csg_cpu_time_leave_out(&s->time, &part);
	}
	return err;
}

static int report_part(void *arg, const struct csg_batch *part)
{
	struct summary *s = arg;
	int err = csg_report_add(s->report, part, s->streams[part->stream].source->cpu);

	return err ? err : csg_judge_add(&s->judge, part);
}

static int add_batch(struct summary *s, const struct csg_batch *batch)
{
	int32_t cpu = s->streams[batch->stream].source->cpu;
	int err = csg_filtered_each(&s->decode, batch, report_part, s);

	csg_window_run_batch(&s->windows, batch);
	if (!err)
		err = csg_halts_add(&s->halts, batch, cpu);
	return err ? err : csg_slices_add(s->slices, batch);
}

/* For csg_exits: what it follows is counted as well. */
static int next_of(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct summary *s = arg;
	int ret = csg_decode_next_of(&s->decode, stream, batch), err = 0;

	if (ret > 0)
		err = add_batch(s, batch);
	else if (!ret)
		err = csg_slices_end_stream(s->slices, stream);
	return err ? err : ret;
}

static uint64_t time_of(void *arg, const struct csg_element *timestamp)
{
	struct summary *s = arg;

	return csg_follow_time(&s->decode, timestamp);
}

static int follow(struct summary *s)
{
	struct csg_exits *x = &s->exits;
	int err, ret, last;

	x->arg = s;
	x->next = next_of;
	x->time = time_of;
	x->timeless = !csg_follow_has_time(&s->decode);
	x->hyp_untraced = csg_follow_hyp_untraced(&s->decode);
	x->by_vm = true;
	x->filter = csg_filtered_calls(&s->decode);
	err = csg_exits_open(x, &s->lookup, s->stream_count);
	while (!err && (ret = csg_exits_next(x)) != 0)
		err = ret < 0 ? ret : 0;
	last = csg_exits_finish(x);
	return err ? err : last;
}

/* Where no guest runs nothing is left. */
static int count(struct summary *s)
{
	struct csg_batch batch;
	uint32_t stream = 0;
	int ret, err = 0;

	while (!err && (ret = csg_decode_next(&s->decode, false, &batch)) != 0) {
		if (ret < 0)
			return ret;
		if (batch.stream != stream)
			err = csg_slices_end_stream(s->slices, stream);
		stream = batch.stream;
		if (!err)
			err = add_batch(s, &batch);
	}
	return err;
}

static int decode(struct summary *s)
{
	int err = s->follows ? follow(s) : count(s), last;

	csg_progress_clear(&s->decode.progress);
	last = csg_slices_finish(s->slices);
	if (!last)
		last = csg_report_finish(s->report);
	return err ? err : last;
}

/* --- the page --- */

static void add_open(struct summary *s, const char *what, bool world)
{
	struct csg_outcome_owner sums[CSG_REASON_COUNT];
	struct csg_summary_page *p = &s->page;

	csg_outcome_reasons(&s->decode.outcome, s->decode.session, world, sums);
	for (int reason = 1; reason < CSG_REASON_COUNT; reason++)
		if ((sums[reason].instructions || sums[reason].unread) &&
		    p->open_count < CSG_SUMMARY_OPEN_MAX)
			s->open[p->open_count++] = (struct csg_summary_open){
				.what = what,
				.why = csg_reason_text((enum csg_reason)reason),
				.instructions = sums[reason].instructions,
				.places = sums[reason].unread,
			};
	p->open = s->open;
}

/* What is missing most: owners and trace come before code, as code depends on its owner. */
static void advise(struct summary *s)
{
	struct csg_session *session = s->decode.session;
	struct csg_summary_page *p = &s->page;
	size_t n = csg_outcome_advise(&s->decode.outcome, session, s->advice);

	if (csg_session_missing_count(session))
		p->missing = csg_session_missing(session, 0);
	if (n)
		p->advice = s->advice[0];
	else if (p->missing && p->missing->remedy && !s->decode.anonym)
		p->advice = (struct csg_advice){"the code that is missing", p->missing->remedy};
}

static const char *comm_of(void *arg, int32_t tid)
{
	const struct summary *s = arg;

	return csg_session_comm(s->decode.session, CSG_VM_HOST, tid, UINT64_MAX);
}

static bool wants_vcpu(void *arg, const struct csg_vcpu_entry *vcpu)
{
	const struct summary *s = arg;

	return csg_filters_pass_vcpu(&s->decode.filters, s->decode.session, vcpu);
}

/* Of snapshots, per-thread recordings and where the trace's clock is another one waits are not
 * known. */
static int wait_for(struct summary *s, const struct csg_groups_vcpus *vcpus)
{
	struct csg_group_waits from = {
		.waits = &s->waits,
		.vcpus = vcpus,
		.windows = &s->span,
		.comm = comm_of,
		.arg = s,
	};
	int err;

	if (s->decode.filters.vcpus.n)
		from.wanted = wants_vcpu;

	if (!csg_switched_knows(s->decode.session) || s->page.unit != CSG_SLICES_NS)
		return 0;
	err = csg_switched_read(&s->waits, &s->decode, &s->halts);
	return err ? err : csg_groups_add_waits(&s->groups, &from);
}

/* Verdicts are on all times of vCPUs in one span; without times nothing says what they did most. */
static bool can_judge(const struct summary *s)
{
	return s->page.unit != CSG_SLICES_BYTES && csg_judge_can(&s->decode) && s->span.n <= 1;
}

static bool is_shown(void *arg, int32_t vm)
{
	struct summary *s = arg;

	return csg_filters_pass_vm(&s->decode.filters, vm,
				   csg_session_vm_name(s->decode.session, vm));
}

/* What is not traced, as csguest report has it; not of a part of the time alone. */
static void estimate_traced(struct summary *s)
{
	const struct csg_slice_windows *times = &s->decode.windows;
	const bool whole = times->n == 1 && !times->at->begin && times->at->end == UINT64_MAX;
	struct csg_summary_page *p = &s->page;
	double share = 0, scale;

	p->traced = csg_cpu_time_traced(&s->time);
	if (!whole || !csg_window_run_end(&s->windows, s->time.all.time, &share))
		return;
	p->estimated = true;
	scale = p->traced ? share * (double)s->time.all.time / (double)p->traced : 0;
	p->traced = (uint64_t)(share * (double)s->time.all.time);
	if (scale <= 0)
		return;
	csg_groups_scale(&s->groups, scale);
	csg_cpu_time_sum_scale(&s->time.all, scale);
}

static int group(struct summary *s)
{
	struct csg_session *session = s->decode.session;
	const struct csg_groups_vcpus vcpus = {csg_vcpu_at(session, 0), csg_vcpu_count(session)};
	const struct csg_report_row *rows;
	size_t n;
	int err = csg_groups_make(&s->groups, &s->time, &vcpus, &s->lookup);

	s->decode.filters.vms = s->vms;
	if (!err && s->follows)
		err = csg_groups_add_exits(&s->groups, &s->exits);
	if (err)
		return err;
	estimate_traced(s);
	rows = csg_report_rows(s->report, false, &n);
	if (!rows)
		return -CSG_E_NO_MEMORY;
	csg_groups_add_functions(&s->groups, rows, n);
	err = wait_for(s, &vcpus);
	if (!err)
		err = csg_judge_finish(&s->judge, &s->time, can_judge(s),
				       s->waits.thread_count ? &s->waits : NULL);
	s->page.vcpus = &s->judge.verdicts;
	if (s->vms)
		csg_groups_leave_out(&s->groups, is_shown, s);
	return err;
}

/* The host may work for a VM in a time in which it does not run. */
static bool has_time(const struct csg_groups *groups)
{
	for (size_t i = 0; i < groups->n; i++)
		if (groups->groups[i].all.time)
			return true;
	return false;
}

static int by_number(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* CPUs with trace; a stream that names none counts as one. */
static int count_cpus(struct summary *s)
{
	int32_t *cpus = calloc(s->stream_count + 1, sizeof(*cpus));

	if (!cpus)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < s->stream_count; i++)
		cpus[i] = s->streams[i].source->cpu;
	qsort(cpus, s->stream_count, sizeof(*cpus), by_number);
	for (size_t i = 0; i < s->stream_count; i++)
		s->page.cpus += !i || cpus[i] < 0 || cpus[i] != cpus[i - 1];
	free(cpus);
	return 0;
}

static int show(struct summary *s)
{
	struct csg_session *session = s->decode.session;
	struct csg_summary_page *p = &s->page;
	int err;

	p->recording = s->decode.shown_input;
	p->info = csg_recording_info(csg_session_recording(session));
	p->hypervisor = csg_hypervisor_name(csg_session_hypervisor(session, &p->why));
	p->time = &s->time;
	p->groups = &s->groups;
	p->totals = csg_report_totals(s->report);
	p->filtered = s->vms || csg_filtered_chooses(&s->decode);
	p->decoded = csg_outcome_instructions(&s->decode.outcome);
	p->exits = s->follows ? &s->exits : NULL;
	p->contradictions = csg_contradiction_total(session);
	add_open(s, "world", true);
	add_open(s, "thread", false);
	advise(s);
	err = count_cpus(s);
	if (!err)
		err = csg_slice_windows_within(&s->decode.windows, s->time.begin, s->time.end,
					       &s->span);
	p->span = csg_slice_windows_share(&s->span, 0, UINT64_MAX);
	if (!err)
		err = group(s);
	s->decode.found = s->vms && has_time(&s->groups);
	s->decode.text = !s->format;
	if (!err)
		(s->format ? csg_summary_json : csg_summary_text)(p, &s->decode.out);
	return err;
}

static int run(struct summary *s)
{
	struct csg_session *session = s->decode.session;
	struct csg_slices_client client = {
		.arg = s,
		.source = csg_slice_source_of(session),
		.slice = add_slice,
	};
	struct csg_report_sort sort;
	const char *bad;
	int err, last;

	s->vms = s->decode.filters.vms;
	s->decode.filters.vms = NULL;
	s->streams = csg_array_streams(session, &s->stream_count);
	s->page.unit = csg_slices_unit(s->streams, s->stream_count,
				       csg_recording_info(csg_session_recording(session))->kind);
	s->follows = !(csg_hypervisor_traits(csg_session_hypervisor(session, NULL)) &
		       CSG_TRAIT_NO_GUEST);
	s->lookup = csg_decode_lookup(&s->decode);
	csg_report_sort_parse(&sort, "world,vm,level,nested,dso,symbol", &bad);
	csg_filtered_slices(&s->decode, &client);
	err = csg_filtered_open(&s->decode);
	if (!err)
		err = csg_report_create(&s->report, &sort, &s->lookup);
	if (!err)
		err = csg_judge_open(&s->judge, &s->decode);
	if (!err)
		err = csg_window_run_open(&s->windows, &s->decode);
	if (!err)
		csg_filtered_report(&s->decode, s->report);
	if (!err)
		err = csg_halts_init(&s->halts, &s->lookup, s->stream_count);
	if (!err)
		err = csg_slices_create(&s->slices, s->stream_count, s->page.unit, &client);
	if (err)
		return err;
	err = decode(s);
	last = err == -CSG_E_NO_MEMORY ? err : show(s);
	return err ? err : last;
}

static void drop(struct summary *s)
{
	if (s->follows)
		csg_exits_close(&s->exits);
	csg_slices_destroy(s->slices);
	csg_report_destroy(s->report);
	csg_judge_close(&s->judge);
	csg_cpu_time_fini(&s->time);
	csg_window_run_close(&s->windows);
	csg_groups_fini(&s->groups);
	csg_waits_fini(&s->waits);
	csg_halts_fini(&s->halts);
	free(s->span.at);
}

static int start(struct summary *s, int argc, char **argv)
{
	struct csg_decode *d = &s->decode;
	const struct csg_option options[] = {
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &s->format, formats, "output format"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Summary", options},
		CSG_DECODE_GROUPS(d),
	};
	const struct csg_usage usage = {
		.command = "summary",
		.summary = "who used the time, why guests exited, what is unknown: one page",
		.operands = "[RECORDING]",
		.description = "Decodes all trace once and prints a page: CPU time of each VM and "
			       "of the host, exits of guests and what they cost, the functions "
			       "with most instructions, what is unknown, and what would help most.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv);

	if (err <= 0)
		return csg_decode_drop(d, err);
	err = csg_decode_open(d, err, argc, argv);
	if (!err)
		err = run(s);
	drop(s);
	return csg_decode_finish(d, err);
}

int csg_cmd_summary(int argc, char **argv)
{
	struct summary *s = calloc(1, sizeof(*s)); /* the output block is too large for a stack */
	int status;

	if (!s)
		return csg_no_memory();
	csg_decode_init(&s->decode, "summary");
	s->decode.takes_owners = s->decode.pages = true;
	s->decode.decodes_nothing = true; /* the page itself tells what is missing */
	csg_cpu_time_init(&s->time);
	status = start(s, argc, argv);
	free(s);
	return status;
}
