/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest offsets: counter offsets of the guests, found without decoding code. */
#include <stdlib.h>

#include "cli/command.h"
#include "cli/decode.h"
#include "cli/decode_options.h"
#include "cli/no_match.h"
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

/* Copies the VMs that pass --vm to *view.  Where none does, a warning names those that there
 * are. */
static int choose_vms(struct csg_decode *d, const struct csg_offset_list *list,
		      struct csg_offset_vm_info *vms, struct csg_offsets_view *view)
{
	const size_t n = csg_offset_list_count(list);
	const struct csg_offset_vm_info *all = csg_offset_list_vm(list, 0);
	int32_t *there = calloc(n + 1, sizeof(*there));

	if (!there)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		there[i] = all[i].vm;
		if (csg_filters_pass_vm(&d->filters, all[i].vm,
					csg_session_vm_name(d->session, all[i].vm)))
			vms[view->n++] = all[i];
	}
	if (n && !view->n)
		csg_no_match_vms(d->session, there, n, &d->sink);
	free(there);
	view->vms = vms;
	view->chosen = d->filters.vms;
	return 0;
}

static int write_offsets(struct csg_decode *d, bool json)
{
	struct csg_offsets_view view = {
		.recording = d->shown_input,
		.why_none = why_none(d->session),
		.conv = csg_recording_time_conv(csg_session_recording(d->session)),
	};
	struct csg_offset_vm_info *vms = NULL;
	struct csg_offset_list *list;
	int err = csg_offset_list_create(&list, d->session);

	if (!err) {
		vms = calloc(csg_offset_list_count(list) + 1, sizeof(*vms));
		err = vms ? choose_vms(d, list, vms, &view) : -CSG_E_NO_MEMORY;
	}
	if (!err)
		csg_offsets_write(&view, json, &d->out);
	free(vms);
	csg_offset_list_destroy(list);
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
	struct csg_option filters[CSG_DECODE_OPTIONS];
	bool json = false;
	int first, err;

	csg_decode_init(&d, "offsets");
	csg_decode_some_filters(&d, (const char *const[]){"vm", "cpu", NULL}, filters);
	d.options.flags |= CSG_SESSION_NO_CODE;
	d.decodes_nothing = true;
	const struct csg_option options[] = {
		CSG_OPTION_FLAG("json", 0, &json, "as JSON"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Offsets", options},
		{"Filters", filters},
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
		.lacks = d.filter_options,
		.lacks_why = "it needs the trace of all",
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
