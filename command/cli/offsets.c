/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest offsets: counter offsets of the guests, found without decoding code. */
#include "cli/command.h"
#include "cli/decode.h"
#include "csguest/error.h"
#include "info/offsets.h"
#include "lookup/arrays.h"

static const char *why_none(const struct csg_session *session)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(session, &n);

	for (size_t i = 0; i < n; i++)
		if (streams[i].source->ts_source == CSG_TS_SOURCE_VIRTUAL)
			return NULL;
	return "no trace unit's timestamps are the virtual counter (FEAT_TRF)";
}

static int write_offsets(struct csg_decode *d, bool json)
{
	struct csg_offsets_view view = {
		.recording = d->shown_input,
		.why_none = why_none(d->session),
		.conv = csg_recording_time_conv(csg_session_recording(d->session)),
	};
	struct csg_offset_list *vms;
	int err = csg_offset_list_create(&vms, d->session);

	view.vms = csg_offset_list_vm(vms, 0);
	view.n = csg_offset_list_count(vms);
	if (!err)
		csg_offsets_write(&view, json, &d->out);
	csg_offset_list_destroy(vms);
	return err;
}

/* All owners are found, and with them the offsets; no code is read. */
static int find_owners(struct csg_decode *d)
{
	struct csg_batch batch;
	int ret;

	do {
		ret = csg_session_next(d->session, CSG_ORDER_STREAM, &batch, sizeof(batch));
	} while (ret > 0);
	csg_progress_clear(&d->progress);
	return ret;
}

int csg_cmd_offsets(int argc, char **argv)
{
	struct csg_decode d;
	bool json = false;
	int first, err;

	csg_decode_init(&d, "offsets");
	d.options.flags |= CSG_SESSION_NO_CODE;
	d.decodes_nothing = true;
	const struct csg_option options[] = {
		CSG_OPTION_FLAG("json", 0, &json, "as JSON"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Offsets", options},
		{"Recording", d.input_options},
		{"Images", d.image_options},
		{"Names", d.names_options},
		{"Messages", d.message_options},
		{NULL, NULL},
	};
	const struct csg_usage usage = {
		.command = "offsets",
		.summary = "counter offset (CNTVOFF_EL2) of each guest",
		.operands = "[RECORDING]",
		.description =
			"For each VM the interval that holds its counter offset, what it rests on, "
			"and "
			"where it changes.  The trace is searched for it, and what guests recorded "
			"(--guest) must have happened while their vCPUs ran; no code is needed.",
		.groups = groups,
	};

	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	err = csg_decode_open(&d, first, argc, argv);
	if (!err)
		err = find_owners(&d);
	if (!err)
		err = csg_offset_narrow(d.session);
	if (!err)
		err = write_offsets(&d, json);
	return csg_decode_finish(&d, err);
}
