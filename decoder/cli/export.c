/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest export: what ran, as files for other tools. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/follow.h"
#include "csguest/error.h"
#include "view/lookup_session.h"
#include "view/uftrace.h"

struct export
{
	struct csg_decode decode;
	struct csg_uftrace uftrace;
	const char *uftrace_dir;
};

static int export_uftrace(struct export *e)
{
	const struct csg_lookup lookup = csg_lookup_session(e->decode.session);
	struct csg_uftrace *u = &e->uftrace;
	size_t n;
	int err, last, ret;

	csg_session_streams(e->decode.session, &n);
	u->dir = e->uftrace_dir;
	u->recording = e->decode.options.input;
	u->sink = &e->decode.sink;
	u->arg = &e->decode;
	u->next = csg_decode_next_of;
	u->time = csg_follow_time;
	u->timeless = !csg_follow_has_time(&e->decode);
	err = csg_uftrace_open(u, &lookup, n);
	last = err;
	while (!err && (ret = csg_uftrace_next(u)) != 0)
		err = ret < 0 ? ret : 0;
	/* What was followed before an error is written all the same. */
	if (!last)
		last = csg_uftrace_finish(u);
	csg_uftrace_close(u);
	return err ? err : last;
}

static int start(struct export *e, int argc, char **argv)
{
	struct csg_decode *d = &e->decode;
	const struct csg_option options[] = {
		CSG_OPTION_STRING("uftrace", 0, "DIR", &e->uftrace_dir,
				  "calls and returns as a data directory of uftrace"),
		CSG_OPTION_NUMBER("cpu", 'C', "CPU", &d->cpu, 0, INT32_MAX,
				  "this CPU's trace only"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Export", options},
		{"Recording", d->input_options},
		{"Images", d->image_options},
		{"Messages", d->message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "export",
		.summary = "what ran, as files for other tools",
		.operands = "[RECORDING]",
		.description = "Decodes all trace and writes it in the form that is asked for.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv);

	if (err <= 0)
		return csg_exit_code(err);
	if (!e->uftrace_dir)
		return csg_exit_code(csg_usage_error("export", "say what to export: --uftrace"));
	err = csg_decode_open(d, err, argc, argv);
	if (!err)
		err = export_uftrace(e);
	return csg_decode_finish(d, err);
}

int csg_cmd_export(int argc, char **argv)
{
	struct export *e = calloc(1, sizeof(*e)); /* the output block is too large for a stack */
	int status;

	if (!e)
		return csg_exit_code(CSG_E_NO_MEMORY);
	csg_decode_init(&e->decode, "export");
	status = start(e, argc, argv);
	free(e);
	return status;
}
