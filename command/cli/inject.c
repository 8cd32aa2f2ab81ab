/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest inject: a perf.data with samples in the place of the trace, for any perf to read. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/report.h"
#include "cli/command.h"
#include "cli/filtered.h"
#include "cli/follow.h"
#include "cli/inject_place.h"
#include "csguest/error.h"
#include "inject/inject.h"
#include "script/sample_names.h"
#include "script/sampling.h"

#define DEFAULT_ITRACE "i1000ib"

struct inject {
	struct csg_decode decode;
	struct csg_inject_place place;
	struct csg_itrace itrace;
	struct csg_sampling sampling;
	struct csg_sample_names names;
	struct csg_sample_text text; /* for the names of the events */
	struct csg_injection *injection;
	struct csg_inject inject;
	int contexts; /* enum contexts */
	int stacks;   /* index of csg_follow_stacks; -1: joined where the contexts allow it */
};

/* How frames of guests are marked in call chains. */
enum contexts {
	CONTEXTS_GUEST,
	CONTEXTS_PLAIN,
};
static const char *const contexts[] = {"guest", "plain", NULL};

static int take_itrace(void *data, const char *arg)
{
	struct inject *s = data;
	char why[160];

	if (csg_itrace_parse(&s->itrace, arg ? arg : "", why, sizeof(why)))
		return csg_usage_error("inject", "--itrace: %s", why);
	if (s->itrace.sample_branches || s->itrace.sample_chains)
		return csg_usage_error("inject",
				       "--itrace: L, G: only samples that are made of trace "
				       "are injected");
	if (s->itrace.instrumentation)
		return csg_usage_error("inject", "--itrace: w: perf has no samples of "
						 "instrumentation packets");
	if (s->itrace.branches || s->itrace.instructions)
		return 0;
	return csg_usage_error("inject", "--itrace: neither b nor i: there would be no samples");
}

static int see(void *arg, const struct csg_batch *batch)
{
	struct inject *s = arg;

	return csg_outcome_add(&s->decode.outcome, batch);
}

static bool same_machine(void *arg, uint32_t a, uint32_t b)
{
	struct inject *s = arg;

	return csg_sampling_same_machine(&s->sampling, a, b);
}

static bool kernel_of(void *arg, uint32_t owner, struct csg_injected_kernel *kernel)
{
	struct inject *s = arg;
	struct csg_space *space = csg_session_space(s->decode.session, owner);
	struct csg_kernel_extent extent;

	if (!space || csg_symbol_kernel(space, &extent, sizeof(extent)))
		return false;
	*kernel = (struct csg_injected_kernel){
		.start = extent.start,
		.len = extent.end - extent.start,
		.reference = extent.symbol,
		.reference_address = extent.address,
	};
	return true;
}

static uint64_t to_host(void *arg, int32_t vm, uint64_t time)
{
	struct inject *s = arg;

	return csg_guest_time(s->decode.session, vm, time);
}

/* What the guests recorded themselves. */
static int add_guests(struct inject *s)
{
	const struct csg_recording *recording;
	int32_t vm;
	int err = 0;

	for (size_t i = 0; !err && (recording = csg_guest_recording(s->decode.session, i, &vm));
	     i++)
		if (vm)
			err = csg_injection_guest(s->injection, recording, vm);
	return err;
}

static int open_injection(struct inject *s)
{
	struct csg_recording *rec = csg_session_recording(s->decode.session);
	const struct csg_recording_info *info = csg_recording_info(rec);
	const struct csg_injection_setup setup = {
		.path = s->place.output,
		.fd = s->place.fd,
		.pipe = s->place.pipe,
		.branches = s->itrace.branches,
		.instructions = s->itrace.instructions,
		.branches_name = s->text.branches,
		.instructions_name = s->text.instructions,
		.period = s->itrace.period,
		.stacks = s->itrace.last_branch,
		.chains = s->itrace.callchain,
		.in_order = s->sampling.clock == CSG_SAMPLER_TRACE,
		.to_host = to_host,
		.arg = s,
	};
	int err;

	s->inject = (struct csg_inject){
		.names = &s->names,
		.same_machine = same_machine,
		.kernel = kernel_of,
		.arg = s,
		.in_order = setup.in_order,
		.stacks = setup.stacks,
		.chains = setup.chains,
		.plain = s->contexts == CONTEXTS_PLAIN,
		.joined = s->sampling.joined,
		.last = info->first_time,
		.latest = info->last_time,
	};
	err = csg_injection_open(&s->injection, rec, &setup, &s->decode.sink);
	return err ? err : add_guests(s);
}

/* What was written, for standard error. */
static void tell(const struct inject *s)
{
	const struct csg_inject_counts *c = &s->inject.counts;
	uint64_t left = csg_injection_guest_events_left(s->injection);

	if (s->decode.quiet)
		return;
	fprintf(stderr, "csguest: %s: %" PRIu64 " branches, %" PRIu64 " instructions",
		strcmp(s->place.output, "-") ? s->place.output : "standard output", c->branches,
		c->instructions);
	if (c->errors)
		fprintf(stderr, ", %" PRIu64 " losses", c->errors);
	fprintf(stderr, "\n");
	if (c->split)
		fprintf(stderr,
			"csguest: %" PRIu64 " branches from one machine to another are two samples "
			"each\n",
			c->split);
	if (c->unknown)
		fprintf(stderr, "csguest: %" PRIu64 " samples have an unknown owner: pid -1\n",
			c->unknown);
	if (c->no_vm)
		fprintf(stderr,
			"csguest: %" PRIu64 " samples are of an unknown VM: machine_pid %d\n",
			c->no_vm, CSG_INJECT_NO_VM);
	if (c->nested)
		fprintf(stderr,
			"csguest: %" PRIu64 " samples of guests of guests have no address: perf's "
			"format has no levels\n",
			c->nested);
	if (left)
		fprintf(stderr,
			"csguest: %" PRIu64
			" events of guests are left out: their time in the host is "
			"not known\n",
			left);
	if (c->late)
		fprintf(stderr,
			"csguest: %" PRIu64 " samples have the time of the sample before: their "
			"own was of another clock\n",
			c->late);
}

static int write_samples(struct inject *s)
{
	const struct csg_sample_branch *branches;
	const struct csg_sample *sample;
	uint64_t skip = s->itrace.skip;
	struct csg_samples *samples;
	int err = csg_sampling_open(&s->sampling, &samples), failed = 0, ret;

	if (err)
		return err;
	s->inject.to = s->injection;
	/* What was decoded before an error is written all the same. */
	while (!failed && (ret = csg_samples_next(samples, &sample, &branches))) {
		if (csg_interrupt_seen())
			failed = -CSG_E_IO;
		else if (ret < 0)
			err = err ? err : ret;
		else if (skip)
			skip--;
		else if (csg_filtered_sample(&s->decode, sample, false))
			failed = csg_inject_sample(&s->inject, sample, branches,
						   csg_samples_chain(samples, sample));
	}
	csg_samples_close(samples);
	if (failed || err == -CSG_E_NO_MEMORY)
		return failed ? failed : err;
	failed = csg_injection_finish(s->injection);
	if (!failed)
		failed = csg_decode_error(&s->decode, 0);
	if (!failed)
		failed = csg_inject_place_finish(&s->place, &s->decode, &s->inject);
	if (!failed)
		tell(s);
	return failed ? failed : err;
}

static int inject(struct inject *s)
{
	struct csg_session *session = s->decode.session;
	int err;

	if (csg_recording_info(csg_session_recording(session))->kind != CSG_RECORDING_PERF)
		return csg_report(&s->decode.sink, CSG_ERROR, CSG_E_UNSUPPORTED, s->decode.input,
				  CSG_NO_OFFSET, "csguest script lists its branches",
				  "a snapshot has no perf.data to put samples into");
	csg_sample_event_names(&s->text, csg_recording_info(csg_session_recording(session)), 0,
			       &s->itrace);
	csg_sampling_init(&s->sampling, session, &s->itrace);
	s->sampling.joined = s->stacks == 0 || (s->stacks < 0 && s->contexts == CONTEXTS_GUEST);
	s->sampling.see = see;
	s->sampling.arg = s;
	csg_sample_names_init(&s->names, &s->sampling.lookup);
	err = csg_inject_place_make(&s->place, &s->decode);
	if (!err)
		err = open_injection(s);
	if (!err)
		err = write_samples(s);
	csg_injection_close(s->injection);
	return err;
}

static int run(struct inject *s, int argc, char **argv)
{
	const struct csg_option output[] = {
		CSG_OPTION_STRING(
			"output", 'o', "FILE", &s->place.output,
			"what to write; a file that exists becomes FILE.old; - for a pipe"),
		{.name = "itrace",
		 .kind = CSG_OPTION_KIND_CALL,
		 .optional = true,
		 .arg = "OPTIONS",
		 .call = {take_itrace, s},
		 .help = "what to write: b branches, i1000i every 1000th instruction, c calls, r "
			 "returns, l16 with their last branches, g with call chains, e losses, "
			 "s1000 "
			 "skip, T trust "
			 "timestamps of unknown source; default " DEFAULT_ITRACE},
		CSG_OPTION_CHOICE("contexts", 0, "HOW", &s->contexts, contexts,
				  "with --itrace=ig: guests' frames are marked as a guest's, or "
				  "plain, as perf without our patches needs it"),
		CSG_OPTION_CHOICE("stacks", 0, "HOW", &s->stacks, csg_follow_stacks,
				  "with --itrace=ig: a guest's chain goes on in its vCPU's thread, "
				  "or not; default: joined, with plain contexts separate"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Output", output},
		{"Filters", s->decode.filter_options},
		{"Recording", s->decode.input_options},
		{"Images", s->decode.image_options},
		{"Messages", s->decode.message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "inject",
		.summary = "write a perf.data with samples for the trace, which any perf reads",
		.operands = "[RECORDING]",
		.description = "Decodes the trace and writes the recording again, with samples of "
			       "branches and instructions in the place of the trace, each with "
			       "its guest (machine_pid, vcpu), mode, process and thread.  Stock "
			       "perf script and perf report show them.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv);

	if (err <= 0)
		return csg_decode_drop(&s->decode, err);
	if (!s->place.output)
		return csg_decode_drop(&s->decode, csg_usage_error("inject", "-o FILE is missing"));
	if (!strcmp(s->place.output, "-") && isatty(STDOUT_FILENO))
		return csg_decode_drop(
			&s->decode,
			csg_usage_error("inject",
					"-o -: standard output is a terminal; pipe it into perf"));
	if (s->contexts == CONTEXTS_PLAIN && s->stacks == 0)
		return csg_decode_drop(
			&s->decode, csg_usage_error("inject", "--stacks joined: plain contexts do "
							      "not distinguish host and guest"));
	err = csg_decode_open(&s->decode, err, argc, argv);
	if (!err)
		err = inject(s);
	err = csg_decode_finish(&s->decode, err);
	/* The last: it delivers signals that came meanwhile. */
	csg_inject_place_fini(&s->place);
	return err;
}

int csg_cmd_inject(int argc, char **argv)
{
	struct inject *s = calloc(1, sizeof(*s)); /* the output block is too large for a stack */
	char why[1];
	int status;

	if (!s)
		return csg_no_memory();
	csg_decode_init(&s->decode, "inject");
	s->decode.options.flags |= CSG_SESSION_KEEP_SIDEBAND;
	s->decode.takes_owners = true;
	s->stacks = -1;
	csg_itrace_parse(&s->itrace, DEFAULT_ITRACE, why, sizeof(why));
	status = run(s, argc, argv);
	csg_inject_fini(&s->inject);
	free(s);
	return status;
}
