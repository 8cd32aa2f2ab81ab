/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest verify: what the recording shows of the assumptions that owners rest on. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "cli/decode_options.h"
#include "csguest/contradiction.h"
#include "csguest/error.h"
#include "csguest/offset.h"
#include "csguest/version.h"
#include "info/contradictions.h"
#include "text/escape.h"
#include "verify/verify.h"

struct verify_options {
	int format; /* enum csg_verify_format */
	bool details;
};

static const char *const formats[] = {"text", "csv", "json", NULL};

static int decode(struct csg_decode *d)
{
	struct csg_batch batch;
	int ret;

	do {
		ret = csg_decode_next(d, false, &batch);
	} while (ret > 0);
	return ret ? ret : csg_offset_narrow(d->session);
}

/* Names and addresses, for whoever asks for them. */
static void print_details(struct csg_decode *d)
{
	csg_out_str(&d->out, "\nrecording: ");
	csg_out_text(&d->out, d->shown_input);
	csg_out_char(&d->out, '\n');
	csg_contradictions_print(csg_contradiction_at(d->session, 0),
				 csg_contradiction_count(d->session),
				 csg_contradiction_total(d->session), &d->out);
}

/* 0, -CSG_E_CONTRADICTED or another error. */
static int report(struct csg_decode *d, const struct verify_options *o)
{
	size_t n = csg_session_stream_count(d->session);
	const struct csg_source **sources = calloc(n + 1, sizeof(*sources));
	struct csg_verify verify = {.sources = sources, .source_count = n};
	int err = sources ? 0 : -CSG_E_NO_MEMORY;

	for (size_t i = 0; sources && i < n; i++)
		sources[i] = csg_session_stream(d->session, (uint32_t)i)->source;
	csg_version(&verify.version);
	verify.hypervisor = csg_hypervisor_name(csg_session_hypervisor(d->session, NULL));
	verify.instructions = csg_outcome_instructions(&d->outcome);
	verify.contradictions = csg_contradiction_total(d->session);
	for (int i = 0; !err && i < CSG_ASSUMPTION_COUNT; i++)
		err = csg_session_assumption(d->session, (enum csg_assumption)i, &verify.found[i],
					     sizeof(verify.found[i]));
	if (!err) {
		csg_verify_write(&verify, (enum csg_verify_format)o->format, &d->out);
		if (o->details)
			print_details(d);
		err = csg_verify_contradicted(&verify) ? -CSG_E_CONTRADICTED : 0;
	}
	free(sources);
	return err;
}

int csg_cmd_verify(int argc, char **argv)
{
	struct verify_options o = {0};
	struct csg_decode d;
	struct csg_option filters[CSG_DECODE_OPTIONS];
	int first, err;

	csg_decode_init(&d, "verify");
	csg_decode_some_filters(&d, (const char *const[]){"cpu", NULL}, filters);
	d.options.flags |= CSG_SESSION_COUNTS;
	d.decodes_nothing = d.needs_no_code = true;
	const struct csg_option options[] = {
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &o.format, formats, "output format"),
		CSG_OPTION_FLAG("details", 0, &o.details,
				"with --format text: also the recording's path and the "
				"contradictions, which have addresses and thread IDs"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Verify", options},
		{"Filters", filters},
		{"Recording", d.input_options},
		{"Images", d.image_options},
		{"Messages", d.message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "verify",
		.summary = "what owners rest on, confirmed and contradicted by the recording",
		.operands = "[RECORDING]",
		.description =
			"For each architectural assumption that owners rest on: how often the "
			"recording confirms and contradicts it, and one place.  The output has no "
			"names, paths, addresses and code, so that it can be sent to others.",
		.groups = groups,
		.lacks = d.filter_options,
		.lacks_why = "it counts the evidence of all trace",
	};

	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	err = o.details && o.format != CSG_VERIFY_TEXT
		      ? csg_usage_error("verify", "--details goes with --format text")
		      : csg_decode_open(&d, first, argc, argv);
	if (!err)
		err = decode(&d);
	if (!err)
		err = report(&d, &o);
	return csg_decode_finish(&d, err);
}
