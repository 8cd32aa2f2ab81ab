/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest script: branches and instructions in perf script's layout. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "csguest/error.h"
#include "script/chain_list.h"
#include "script/sampling.h"
#include "script/sample_names.h"

struct script {
	struct csg_decode decode;
	struct csg_itrace itrace;
	struct csg_sample_text text;
	struct csg_sample_cache cache; /* of its lines */
	struct csg_sampling sampling;
	int stacks; /* index of csg_follow_stacks */
	struct csg_chain_list chains;
};

static int take_itrace(void *data, const char *arg)
{
	struct script *s = data;
	char why[160];

	if (!csg_itrace_parse(&s->itrace, arg ? arg : "", why, sizeof(why)))
		return 0;
	return csg_usage_error("script", "--itrace: %s", why);
}

static int take_fields(void *data, const char *arg)
{
	struct script *s = data;
	char why[160];

	if (!csg_fields_parse(&s->text.fields, arg, why, sizeof(why)))
		return 0;
	return csg_usage_error("script", "-F: %s", why);
}

/* What perf script's words for both stand for. */
static int take_trace(struct script *s, const char *itrace, const char *fields)
{
	int err = take_itrace(s, itrace);

	s->text.nanoseconds = true;
	return err ? err : take_fields(s, fields);
}

static int take_call_trace(void *data, const char *arg)
{
	(void)arg;
	return take_trace(data, "cew", "-ip,-addr,-event,-period,+callindent");
}

static int take_call_ret_trace(void *data, const char *arg)
{
	(void)arg;
	return take_trace(data, "crew", "-ip,-addr,-event,-period,+callindent,+flags");
}

static int take_insn_trace(void *data, const char *arg)
{
	const bool disasm = arg && !strcmp(arg, "disasm");

	if (arg && *arg && !disasm && strcmp(arg, "raw"))
		return csg_usage_error("script", "--insn-trace is one of raw, disasm, not '%s'",
				       arg);
	return take_trace(data, "i0nse",
			  disasm ? "+disasm,-event,-period" : "+insn,-event,-period");
}

/* In a call trace code is that of the function that the line shows. */
static bool passes(struct script *s, const struct csg_sample *sample)
{
	return csg_filtered_sample(&s->decode, sample,
				   s->sampling.depths && csg_sample_shows_target(sample));
}

static int see(void *arg, const struct csg_batch *batch)
{
	struct script *s = arg;

	return csg_outcome_add(&s->decode.outcome, batch);
}

static void print(struct script *s, const struct csg_samples *samples,
		  const struct csg_sample *sample, const struct csg_sample_branch *branches)
{
	if ((s->itrace.callchain && sample->event == CSG_SAMPLE_INSTRUCTION) ||
	    (s->itrace.sample_chains && sample->event == CSG_SAMPLE_EVENT))
		csg_chain_list_print(&s->chains, sample, branches,
				     csg_samples_chain(samples, sample));
	else
		csg_sample_print(&s->text, sample, branches);
}

static int list(struct script *s)
{
	const struct csg_sample_branch *branches;
	const struct csg_sample *sample;
	uint64_t skip = s->itrace.skip;
	struct csg_samples *samples;
	int err = csg_sampling_open(&s->sampling, &samples), ret;

	if (err)
		return err;
	csg_chain_list_init(&s->chains, &s->text, &s->sampling.lookup,
			    csg_samples_follower(samples));
	/* What was decoded before an error is listed all the same. */
	while (!s->decode.out.error && !csg_decode_stops(&s->decode) &&
	       (ret = csg_samples_next(samples, &sample, &branches))) {
		if (ret < 0)
			err = err ? err : ret;
		else if (skip)
			skip--;
		else if (passes(s, sample))
			print(s, samples, sample, branches);
	}
	csg_samples_close(samples);
	if (!err && csg_disasm_no_memory(s->text.disasm))
		err = -CSG_E_NO_MEMORY;
	return err;
}

/* Length of the longest name among the recording's own events. */
static size_t longest_event(const struct csg_recording *rec)
{
	const char *name;
	size_t longest = 0;

	for (uint64_t i = 0; (name = csg_recording_event_name(rec, i)); i++)
		if (strlen(name) > longest)
			longest = strlen(name);
	return longest;
}

static void set_up(struct script *s)
{
	struct csg_session *session = s->decode.session;
	struct csg_recording *rec = csg_session_recording(session);
	const struct csg_recording_info *info = csg_recording_info(rec);

	csg_sampling_init(&s->sampling, session, &s->itrace);
	s->sampling.see = see;
	s->sampling.arg = s;
	s->sampling.joined = s->stacks == 0;
	s->sampling.depths = csg_fields_have(&s->text.fields, CSG_FIELD_CALLINDENT);
	s->sampling.lookup = csg_decode_lookup(&s->decode);
	s->text.out = &s->decode.out;
	s->text.timeless =
		info->kind != CSG_RECORDING_PERF || s->sampling.clock == CSG_SAMPLER_TIMELESS;
	s->text.cache = &s->cache;
	s->text.rec = rec;
	csg_sample_names_init(&s->text.names, &s->sampling.lookup);
	csg_sample_event_names(&s->text, info, longest_event(rec), &s->itrace);
}

/* What shows code, or where its source is. */
static int check_names(const struct script *s)
{
	if ((!s->decode.anonymise && !s->decode.anonymise_key) ||
	    (!csg_fields_have(&s->text.fields, CSG_FIELD_INSN) &&
	     !csg_fields_have(&s->text.fields, CSG_FIELD_DISASM) &&
	     !csg_fields_have(&s->text.fields, CSG_FIELD_SRCLINE)))
		return 0;
	return csg_usage_error("script", "the fields insn, disasm and srcline show code: not with "
					 "--anonymise");
}

static int check_samples(const struct script *s)
{
	if ((!s->itrace.sample_branches && !s->itrace.sample_chains) ||
	    csg_recording_sample_count(csg_session_recording(s->decode.session)))
		return 0;
	return csg_usage_error("script",
			       "--itrace, L and G: no sample of the recording holds trace "
			       "(perf record --aux-sample)");
}

static int open_disasm(struct script *s)
{
	int err;

	if (!csg_fields_have(&s->text.fields, CSG_FIELD_DISASM))
		return 0;
	err = csg_disasm_create(&s->text.disasm);
	if (err == -CSG_E_UNSUPPORTED)
		return csg_usage_error("script", "the field disasm: " CSG_DISASM_MISSING);
	return err;
}

/* Whether a line depends on nothing but what ran shortly before it: no call stack, nor a count. */
static bool needs_nothing_before(const struct script *s)
{
	const struct csg_itrace *i = &s->itrace;

	return !i->callchain && !i->last_branch && !i->skip &&
	       (!i->instructions || i->period == 1) &&
	       !csg_fields_have(&s->text.fields, CSG_FIELD_CALLINDENT);
}

static int run(struct script *s, int argc, char **argv)
{
	const struct csg_option output[] = {
		{.name = "itrace",
		 .kind = CSG_OPTION_KIND_CALL,
		 .optional = true,
		 .arg = "OPTIONS",
		 .call = {take_itrace, s},
		 .help = "what to list: b branches, i1000i every 1000th instruction, c calls, r "
			 "returns, l16 with instructions their last branches, g with instructions "
			 "their call chains, L16 and G samples that hold trace with the "
			 "same, e losses, w instrumentation packets, s1000 "
			 "skip, Z "
			 "without times, T trust timestamps of unknown source; default b"},
		CSG_OPTION_CALL(
			"fields", 'F', "LIST", take_fields, s,
			"columns; +NAME and -NAME change the default: comm, tid, pid, time, "
			"cpu, event, ip, sym, symoff, dso, addr, period, flags, insn, insnlen, "
			"disasm, callindent, brstack, brstacksym, srcline, machine_pid, vcpu, "
			"world, el, "
			"evidence, "
			"hosttid, level"),
		{.name = "insn-trace",
		 .kind = CSG_OPTION_KIND_CALL,
		 .optional = true,
		 .arg = "HOW",
		 .call = {take_insn_trace, s},
		 .help = "each instruction with its bytes (raw, the default) or as assembler text "
			 "(disasm), and losses, with times in nanoseconds, as perf script has it"},
		CSG_OPTION_CALL("call-trace", 0, NULL, take_call_trace, s,
				"each call, indented by the depth of its stack, and losses"),
		CSG_OPTION_CALL("call-ret-trace", 0, NULL, take_call_ret_trace, s,
				"each call and return, in the same way, with flags"),
		CSG_OPTION_CHOICE("stacks", 0, "HOW", &s->stacks, csg_follow_stacks,
				  "with --itrace=ig and calls: " CSG_FOLLOW_STACKS_HELP),
		CSG_OPTION_FLAG("ns", 0, &s->text.nanoseconds, "times in nanoseconds"),
		CSG_OPTION_END,
	};
	const struct csg_option comms[] = {
		CSG_OPTION_CALL_WITH("comms", 'c', "LIST", csg_filters_take_comms,
				     &s->decode.filters, s->decode.filters.option,
				     "the same as --comm, in perf script's word"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Output", output},
		{"Filters by name", comms},
		CSG_DECODE_GROUPS(&s->decode),
	};
	const struct csg_usage usage = {
		.command = "script",
		.summary = "list branches and instructions as perf script does, and who ran them",
		.operands = "[RECORDING]",
		.description = "One line per sample, as 'perf script --itrace=b' prints it for "
			       "cs_etm, with "
			       "the world (host, hypervisor, guest) and the exception level after "
			       "the CPU. "
			       "'-F -world,-el' leaves exactly perf's lines.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv), open = -CSG_E_USAGE;

	if (err <= 0)
		return csg_decode_drop(&s->decode, err);
	s->decode.seeks = needs_nothing_before(s);
	if (!check_names(s))
		open = open_disasm(s);
	err = open ? open : csg_decode_open(&s->decode, err, argc, argv);
	if (!err)
		err = check_samples(s);
	if (!err)
		set_up(s);
	if (!err)
		err = list(s);
	return csg_decode_finish(&s->decode, err);
}

int csg_cmd_script(int argc, char **argv)
{
	struct script *s = calloc(1, sizeof(*s)); /* the output block is too large for a stack */
	char why[1];
	int status;

	if (!s)
		return csg_no_memory();
	csg_decode_init(&s->decode, "script");
	s->decode.takes_owners = s->decode.pages = true;
	s->decode.lists = s->decode.text = true;
	csg_itrace_parse(&s->itrace, "", why, sizeof(why));
	csg_fields_default(&s->text.fields);
	status = run(s, argc, argv);
	csg_disasm_destroy(s->text.disasm);
	free(s);
	return status;
}
