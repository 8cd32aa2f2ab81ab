/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest COMMAND ...: finds the command and leaves everything else to it; a recording alone is
 * summed up. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/score_alias.h"
#include "cli/standard.h"
#include "cli/truncated.h"
#include "csguest/error.h"
#include "text/nearest.h"

#define HINT_MAX 64

static const struct csg_command commands[] = {
	{"summary", csg_cmd_summary, "a recording on one page; csguest RECORDING prints it, too"},
	{"info", csg_cmd_info, "what a recording holds, what it lacks, how to record it next time"},
	{"report", csg_cmd_report, "instructions and branches by who ran them"},
	{"annotate", csg_cmd_annotate, "how often each instruction of a function ran, and by whom"},
	{"script", csg_cmd_script, "branches and instructions as perf script lists them"},
	{"inject", csg_cmd_inject, "a perf.data with samples for the trace, which any perf reads"},
	{"dump", csg_cmd_dump, "elements and packets of the trace, with position and owner"},
	{"timeline", csg_cmd_timeline, "what ran on each CPU, over time"},
	{"explain", csg_cmd_explain, "the evidence for who ran at one place of the trace"},
	{"flame", csg_cmd_flame, "a flame graph of host and guests, or folded call chains"},
	{"exits", csg_cmd_exits, "why guests exited, and for how long"},
	{"offsets", csg_cmd_offsets, "counter offset (CNTVOFF_EL2) of each guest"},
	{"verify", csg_cmd_verify, "what owners rest on, confirmed and contradicted"},
	{"export", csg_cmd_export, "what ran, as files for other tools"},
	{"prepare", csg_cmd_prepare, "settle what the shards of a recording share"},
	{"merge", csg_cmd_merge, "add up the results of shards, or of several recordings"},
	{"collect", csg_cmd_collect, "record what the other commands need, on host and guests"},
	{"watch", csg_cmd_watch, "keep the last trace, and show it when something happens"},
	{NULL, NULL, NULL},
};

static void help(FILE *out)
{
	fprintf(out, "csguest - who ran it: CoreSight traces of hosts, hypervisors and guests\n\n"
		     "Usage: csguest COMMAND [OPTION]... [RECORDING]\n"
		     "       csguest RECORDING [OPTION]...\n"
		     "       csguest COMMAND --help\n"
		     "       csguest --help | --version\n\n"
		     "Commands:\n");
	for (const struct csg_command *c = commands; c->name; c++)
		fprintf(out, "  %-10s %s\n", c->name, c->help);
}

static const struct csg_command *find(const char *name)
{
	for (const struct csg_command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

/* "; did you mean 'report'?", in buf. */
static const char *hint_for(const char *name, char *buf, size_t size)
{
	const char *names[sizeof(commands) / sizeof(*commands)];

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		names[i] = commands[i].name;
	return csg_did_you_mean(buf, size, "", csg_nearest(name, strlen(name), names));
}

static int run_help(const char *name)
{
	char option[] = "--help", *argv[] = {(char *)name, option, NULL};
	const struct csg_command *c;
	char hint[HINT_MAX];

	if (!name) {
		help(stdout);
		return 0;
	}
	c = find(name);
	if (!c)
		return csg_exit_code(csg_usage_error(NULL, "no command '%s'%s", name,
						     hint_for(name, hint, sizeof(hint))));
	return c->run(2, argv);
}

/* Without a command: a recording, or options of the page and a recording among what follows
 * them. */
static bool names_recording(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			return !access(argv[i], F_OK) || (i > 1 && argv[1][0] == '-');
		if (!strcmp(argv[i], "--") || !strncmp(argv[i], "--input=", 8))
			return true;
	}
	return false;
}

static int run(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct csg_command *c;
	char hint[HINT_MAX];

	if (!name) {
		help(stderr);
		return csg_exit_code(CSG_E_USAGE);
	}
	if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		return run_help(NULL);
	if (!strcmp(name, "help"))
		return run_help(argv[2]);
	if (!strcmp(name, "-V") || !strcmp(name, "--version")) {
		printf("csguest %s\n", CSG_VERSION);
		return 0;
	}
	if (!strcmp(name, "score"))
		csg_score_alias(argv + 1);
	c = find(name);
	if (c)
		return c->run(argc - 1, argv + 1);
	if (names_recording(argc, argv))
		return csg_cmd_summary(argc, argv);
	return csg_exit_code(csg_usage_error(NULL, "no command and no recording '%s'%s", name,
					     hint_for(name, hint, sizeof(hint))));
}

int main(int argc, char **argv)
{
	csg_standard_open();
	if (csg_limits_check())
		return csg_exit_code(CSG_E_LIMIT);
	csg_truncated_watch();
	return csg_standard_finish(run(argc, argv));
}
