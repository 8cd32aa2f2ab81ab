/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest prepare: what the shards of a recording share. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "csguest/error.h"
#include "csguest/shard.h"

struct prepare {
	struct csg_decode decode;
	const char *path;
	bool decodes, indexes;
	struct csg_output output;
	int failed; /* errno of what could not be written */
};

static int open_output(void *arg)
{
	struct prepare *p = arg;

	return csg_output_open(&p->output, p->path, &p->decode.rules);
}

static int write_facts(void *arg, const void *facts, size_t n)
{
	struct prepare *p = arg;

	p->failed = csg_output_write(p->output.fd, facts, n);
	return p->failed ? -CSG_E_IO : 0;
}

static int settle(struct prepare *p)
{
	void *facts = NULL;
	size_t n = 0;
	int err;

	if (p->indexes)
		return csg_shard_index(p->decode.session, write_facts, p);
	err = csg_shard_prepare(p->decode.session, p->decodes, &facts, &n);
	if (!err)
		err = write_facts(p, facts, n);
	csg_shard_facts_free(facts);
	return err;
}

static int run(struct prepare *p)
{
	int err = settle(p);

	csg_progress_clear(&p->decode.progress);
	err = p->failed ? 0 : csg_decode_error(&p->decode, err);
	return err ? err : csg_output_commit(&p->output, p->failed);
}

static int start(struct prepare *p, int argc, char **argv)
{
	struct csg_decode *d = &p->decode;
	const struct csg_option options[] = {
		CSG_OPTION_STRING("output", 'o', "FACTS", &p->path, "the file to be written"),
		CSG_OPTION_FLAG(
			"decode", 0, &p->decodes,
			"decode as well, where csguest merge finds that packets alone do not "
			"show all"),
		CSG_OPTION_FLAG("index", 0, &p->indexes,
				"decode, and add an index, with which commands with --time decode "
				"that time only"),
		CSG_OPTION_FLAG("force", 0, &d->rules.replace, "replace a file that exists"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Prepare", options},
		CSG_DECODE_GROUPS(d),
	};
	const struct csg_usage usage = {
		.command = "prepare",
		.summary = "settle what the shards of a recording share",
		.operands = "[RECORDING]",
		.description =
			"Reads the packets of all trace, but no code, and writes down what is "
			"known where each stream begins: counter offsets, vCPU threads, the kind "
			"of hypervisor.  Commands with --shard K/N --facts FACTS begin with that.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv);

	if (err <= 0)
		return csg_decode_drop(d, err);
	d->options.flags |= CSG_SESSION_COUNTS;
	d->decodes_nothing = d->needs_no_code = true;
	d->open_output = open_output;
	d->output_arg = p;
	err = p->path ? csg_decode_open(d, err, argc, argv)
		      : csg_usage_error("prepare", "-o FACTS is missing");
	if (!err)
		err = run(p);
	csg_output_drop(&p->output);
	return csg_decode_finish(d, err);
}

int csg_cmd_prepare(int argc, char **argv)
{
	struct prepare *p = calloc(1, sizeof(*p)); /* the output block is too large for a stack */
	int status;

	if (!p)
		return csg_no_memory();
	csg_decode_init(&p->decode, "prepare");
	p->decode.takes_owners = true;
	status = start(p, argc, argv);
	free(p);
	return status;
}
