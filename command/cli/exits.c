/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest exits: why guests exited, and for how long. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "cli/judge.h"
#include "cli/switched.h"
#include "cli/traced.h"
#include "calls/exits_print.h"
#include "lookup/arrays.h"

struct exits {
	struct csg_decode decode;
	struct csg_exits exits;
	struct csg_lookup lookup;
	struct csg_halts halts;
	struct csg_traced_run traced;
	struct csg_judge judge;
	struct csg_cpu_time time;
	bool judges;
	int by, format;
};

static const char *const formats[] = {"text", "csv", "json", NULL};
/* What rows tell apart. */
enum {
	BY_VCPU,
	BY_VM,
	BY_REASON,
	BY_SYMBOL,
	BY_STACK,
	BY_PROCESS,
};
static const char *const bys[] = {"vcpu",	 "vm",	    "reason", "guest-symbol",
				  "guest-stack", "process", NULL};

static enum csg_exit_code_by code_of(int by)
{
	return by == BY_SYMBOL	  ? CSG_EXIT_CODE_SYMBOL
	       : by == BY_STACK	  ? CSG_EXIT_CODE_STACK
	       : by == BY_PROCESS ? CSG_EXIT_CODE_PROCESS
				  : CSG_EXIT_CODE_NONE;
}

static int next_of(void *arg, uint32_t stream, struct csg_batch *batch)
{
	struct exits *e = arg;
	int ret = csg_decode_next_of(&e->decode, stream, batch), err = 0;

	if (ret > 0 && e->exits.splits)
		err = csg_halts_add(&e->halts, batch,
				    csg_session_stream(e->decode.session, stream)->source->cpu);
	if (!err && ret > 0 && e->judges)
		err = csg_judge_add(&e->judge, batch);
	if (!err && ret > 0)
		err = csg_traced_batch(&e->traced, batch);
	else if (!err && !ret)
		err = csg_traced_end_stream(&e->traced, stream);
	return err ? err : ret;
}

static uint64_t time_of(void *arg, const struct csg_element *timestamp)
{
	struct exits *e = arg;

	return csg_follow_time(&e->decode, timestamp);
}

/* All vCPUs are known. */
static int split(struct exits *e)
{
	struct csg_waits waits;
	int err = csg_switched_read(&waits, &e->decode, &e->halts);

	if (!err)
		csg_exits_split(&e->exits, &waits);
	if (!err && e->judges)
		err = csg_judge_finish(&e->judge, &e->time, true, &waits);
	csg_waits_fini(&waits);
	return err;
}

static void write_verdicts(void *arg, bool json, struct csg_out *out)
{
	const struct exits *e = arg;

	(json ? csg_vcpu_verdicts_json : csg_vcpu_verdicts_text)(&e->judge.verdicts, out);
}

/* What was seen before an error is reported all the same. */
static int run(struct exits *e)
{
	struct csg_session *session = e->decode.session;
	struct csg_exits_print print = {
		.format = (enum csg_exits_format)e->format,
		.recording = e->decode.shown_input,
	};
	size_t n;
	int err, last, ret;

	e->decode.text = e->format == CSG_EXITS_TEXT;
	csg_array_streams(session, &n);
	e->lookup = csg_decode_lookup(&e->decode);
	e->exits.arg = e;
	e->exits.next = next_of;
	e->exits.time = time_of;
	e->exits.filter = csg_filtered_calls(&e->decode);
	e->exits.timeless = !csg_follow_has_time(&e->decode);
	e->exits.splits = !e->exits.timeless && csg_switched_knows(session);
	e->exits.hyp_untraced = csg_follow_hyp_untraced(&e->decode);
	e->exits.by_code = code_of(e->by);
	e->exits.by_vcpu = e->by == BY_VCPU;
	e->exits.by_vm = e->by == BY_VM || e->exits.by_code;
	err = csg_filtered_open(&e->decode);
	if (!err)
		err = csg_exits_open(&e->exits, &e->lookup, n);
	if (!err)
		err = csg_traced_open(&e->traced, &e->decode);
	/* Verdicts are on all of the time. */
	e->judges = !err && e->exits.by_vcpu && e->traced.slices && csg_judge_can(&e->decode) &&
		    !e->decode.filters.times;
	csg_cpu_time_init(&e->time);
	if (e->judges) {
		e->traced.time = &e->time;
		err = csg_judge_open(&e->judge, &e->decode);
		e->judges = !err;
	}
	if (!err)
		err = csg_halts_init(&e->halts, &e->lookup, n);
	while (!err && (ret = csg_exits_next(&e->exits)) != 0)
		err = ret < 0 ? ret : 0;
	last = csg_exits_finish(&e->exits);
	err = err ? err : last;
	last = csg_traced_end(&e->traced);
	err = err ? err : last;
	last = e->exits.splits ? split(e) : 0;
	if (!e->exits.splits && e->judges)
		last = csg_judge_finish(&e->judge, &e->time, true, NULL);
	err = err ? err : last;
	csg_progress_clear(&e->decode.progress);
	print.hypervisor = csg_hypervisor_name(csg_session_hypervisor(session, NULL));
	if (e->judges)
		print.more = write_verdicts;
	print.arg = e;
	if (!csg_filtered_chooses(&e->decode))
		print.traced = &e->traced.sums;
	last = csg_exits_write(&e->exits, &print, &e->decode.out);
	csg_traced_close(&e->traced);
	csg_judge_close(&e->judge);
	csg_cpu_time_fini(&e->time);
	csg_exits_close(&e->exits);
	csg_halts_fini(&e->halts);
	return err ? err : last;
}

int csg_cmd_exits(int argc, char **argv)
{
	struct exits *e = calloc(1, sizeof(*e)); /* the output block is too large for a stack */
	int err, status;

	if (!e)
		return csg_no_memory();
	csg_decode_init(&e->decode, "exits");
	e->decode.takes_owners = e->decode.pages = true;
	const struct csg_option options[] = {
		CSG_OPTION_CHOICE(
			"by", 'b', "WHAT", &e->by, bys,
			"what rows are grouped by, besides reasons; guest-symbol, guest-stack "
			"and process: what ran in the VM"),
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &e->format, formats, "output format"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Exits", options},
		CSG_DECODE_GROUPS(&e->decode),
	};
	const struct csg_usage usage = {
		.command = "exits",
		.summary = "why guests exited, and how long until they were entered again",
		.operands = "[RECORDING]",
		.description =
			"One row for each reason: the exception that left the guest, the handler "
			"in KVM, and whether the fast path did, which no tracepoint shows; with "
			"the time in the host until the guest was entered again.",
		.groups = groups,
	};

	err = csg_options_parse(&usage, argc, argv);
	if (err > 0) {
		err = csg_decode_open(&e->decode, err, argc, argv);
		if (!err)
			err = run(e);
		status = csg_decode_finish(&e->decode, err);
	} else {
		status = csg_decode_drop(&e->decode, err);
	}
	free(e);
	return status;
}
