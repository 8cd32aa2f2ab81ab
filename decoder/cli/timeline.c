/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest timeline: who had each CPU when. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "csguest/error.h"
#include "view/lookup_session.h"
#include "view/timeline_print.h"

struct timeline {
	struct csg_decode decode;
	struct csg_lookup lookup;
	struct csg_timeline rows;
	struct csg_timeline_print print;
	int level, format;
	bool json;
};

static const char *const formats[] = {"text", "csv", "json", NULL};
static const char *const levels[] = {
#define LEVEL_WORD(name, word) word,
	CSG_TIMELINE_LEVELS(LEVEL_WORD)
#undef LEVEL_WORD
		NULL,
};

static int add_slice(void *arg, const struct csg_slice *slice)
{
	struct timeline *t = arg;

	return csg_timeline_add(&t->rows, slice);
}

static uint64_t to_perf_time(void *arg, uint64_t timestamp)
{
	struct timeline *t = arg;

	return csg_session_time(t->decode.session, timestamp);
}

static bool is_host_time(void *arg, uint32_t owner)
{
	struct timeline *t = arg;

	return csg_session_is_host_time(t->decode.session, owner);
}

/* What was decoded before an error is shown all the same. */
static int decode(struct timeline *t, struct csg_slices *slices)
{
	struct csg_batch batch;
	int ret, err;

	while ((ret = csg_decode_next(&t->decode, false, &batch)) > 0) {
		ret = csg_slices_add(slices, &batch);
		if (ret)
			return ret;
	}
	err = csg_slices_finish(slices);
	return ret ? ret : err;
}

static int run(struct timeline *t)
{
	struct csg_session *session = t->decode.session;
	const struct csg_slices_client client = {
		.arg = t, .time = to_perf_time, .is_host_time = is_host_time, .slice = add_slice};
	struct csg_slices *slices;
	size_t n;
	int err, last;

	t->print.streams = csg_session_streams(session, &n);
	t->print.unit = csg_slices_unit(t->print.streams, n,
					csg_recording_info(csg_session_recording(session))->kind);
	t->print.hypervisor = csg_hypervisor_name(csg_session_hypervisor(session, NULL));
	t->print.recording = t->decode.options.input;
	t->lookup = csg_lookup_session(session);
	csg_timeline_init(&t->rows, (enum csg_timeline_level)t->level, &t->lookup);
	t->rows.dated = t->print.unit == CSG_SLICES_NS;
	t->rows.row = csg_timeline_print_row;
	t->rows.arg = &t->print;
	err = csg_slices_create(&slices, n, t->print.unit, &client);
	csg_timeline_print_begin(&t->print);
	if (!err)
		err = decode(t, slices);
	last = csg_timeline_finish(&t->rows);
	if (!last)
		last = csg_timeline_print_end(&t->print, &t->rows);
	csg_timeline_fini(&t->rows);
	csg_slices_destroy(slices);
	return err ? err : last;
}

static int start(struct timeline *t, int argc, char **argv)
{
	struct csg_decode *d = &t->decode;
	const struct csg_option options[] = {
		CSG_OPTION_CHOICE("by", 'b', "LEVEL", &t->level, levels,
				  "how far owners are told apart"),
		CSG_OPTION_CHOICE("format", 0, "FORMAT", &t->format, formats, "output format"),
		CSG_OPTION_FLAG("json", 0, &t->json, "the same as --format json"),
		CSG_OPTION_FLAG("totals", 0, &t->print.totals_only, "sums only, no rows"),
		CSG_OPTION_NUMBER("cpu", 'C', "CPU", &d->cpu, 0, INT32_MAX,
				  "this CPU's trace only"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Timeline", options},
		{"Recording", d->input_options},
		{"Images", d->image_options},
		{"Messages", d->message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "timeline",
		.summary = "who had each CPU when",
		.operands = "[RECORDING]",
		.description = "One row for each time that somebody had a CPU: host, guest and "
			       "vCPU, process; losses and what is unknown are rows as well.  Then "
			       "the sums.",
		.groups = groups,
	};
	int err = csg_options_parse(&usage, argc, argv);

	if (err <= 0)
		return csg_exit_code(err);
	t->print.format = t->json ? CSG_TIMELINE_JSON : (enum csg_timeline_format)t->format;
	err = csg_decode_open(d, err, argc, argv);
	if (!err)
		err = run(t);
	return csg_decode_finish(d, err);
}

int csg_cmd_timeline(int argc, char **argv)
{
	struct timeline *t = calloc(1, sizeof(*t)); /* the output block is too large for a stack */
	int status;

	if (!t)
		return csg_exit_code(CSG_E_NO_MEMORY);
	csg_decode_init(&t->decode, "timeline");
	t->decode.lists = true;
	t->level = CSG_TIMELINE_THREAD;
	t->print.out = &t->decode.out;
	status = start(t, argc, argv);
	free(t);
	return status;
}
