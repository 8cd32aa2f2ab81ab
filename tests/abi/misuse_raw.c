/* SPDX-License-Identifier: BSD-3-Clause */
/* The raw contents of a recording: packets, bytes of trace, sideband. */
#include <stdlib.h>

#include <csguest/error.h>
#include <csguest/packet.h>
#include <csguest/session.h>
#include <csguest/sideband.h>
#include <csguest/trace_bytes.h>

#include "misuse.h"

static void packets(const char *path)
{
	struct csg_recording *r = NULL;
	struct csg_packet_list *list = NULL;
	struct csg_packet_line line;
	const struct csg_source *source;
	struct csg_source foreign;

	if (csg_recording_open(&r, path, NULL))
		abort();
	source = csg_recording_source(r, 0);
	foreign = *source;
	REFUSED(csg_packet_list_open(NULL, r, source, NULL));
	REFUSED(csg_packet_list_open(&list, NULL, source, NULL));
	REFUSED(csg_packet_list_open(&list, r, NULL, NULL));
	foreign.queue = FAR;
	CHECK_RETURNS(csg_packet_list_open(&list, r, &foreign, NULL));
	CHECK_RETURNS(csg_packet_list_close(NULL));
	REFUSED(csg_packet_list_next(NULL, &line, sizeof(line)));
	if (csg_packet_list_open(&list, r, source, NULL))
		abort();
	REFUSED(csg_packet_list_next(list, NULL, sizeof(line)));
	for (size_t size = 0; size < sizeof(line); size += 8)
		REFUSED(csg_packet_list_next(list, &line, size));
	csg_packet_list_close(list);
	csg_recording_close(r);
}

static void trace_bytes(const char *path)
{
	struct csg_trace_bytes *reader = NULL;
	struct csg_recording *r = NULL;
	struct csg_trace_run run;

	if (csg_recording_open(&r, path, NULL))
		abort();
	REFUSED(csg_trace_bytes_open(NULL, r, csg_recording_source(r, 0)));
	REFUSED(csg_trace_bytes_open(&reader, NULL, csg_recording_source(r, 0)));
	REFUSED(csg_trace_bytes_open(&reader, r, NULL));
	CHECK_RETURNS(csg_trace_bytes_close(NULL));
	REFUSED(csg_trace_bytes_next(NULL, &run, sizeof(run)));
	if (csg_trace_bytes_open(&reader, r, csg_recording_source(r, 0)))
		abort();
	REFUSED(csg_trace_bytes_next(reader, NULL, sizeof(run)));
	for (size_t size = 0; size < sizeof(run); size += 8)
		REFUSED(csg_trace_bytes_next(reader, &run, size));
	csg_trace_bytes_close(reader);
	csg_recording_close(r);
}

/* Of a recording that keeps its sideband. */
static void kept_sideband(struct csg_recording *r)
{
	struct csg_sideband_attr attr;
	struct csg_sideband_feature feature;
	struct csg_sideband_record record;

	REFUSED(csg_sideband_attr(NULL, 0, &attr, sizeof(attr)));
	REFUSED(csg_sideband_attr(r, 0, NULL, sizeof(attr)));
	REFUSED(csg_sideband_attr(r, csg_sideband_attr_count(r), &attr, sizeof(attr)));
	REFUSED(csg_sideband_feature(NULL, 0, &feature, sizeof(feature)));
	REFUSED(csg_sideband_feature(r, 0, NULL, sizeof(feature)));
	REFUSED(csg_sideband_feature(r, csg_sideband_feature_count(r), &feature, sizeof(feature)));
	REFUSED(csg_sideband_record(NULL, 0, &record, sizeof(record)));
	REFUSED(csg_sideband_record(r, 0, NULL, sizeof(record)));
	REFUSED(csg_sideband_record(r, csg_sideband_record_count(r), &record, sizeof(record)));
	for (size_t size = 0; size < sizeof(attr); size += 8)
		REFUSED(csg_sideband_attr(r, 0, &attr, size));
	for (size_t size = 0; size < sizeof(feature); size += 8)
		REFUSED(csg_sideband_feature(r, 0, &feature, size));
	for (size_t size = 0; size < sizeof(record); size += 8)
		REFUSED(csg_sideband_record(r, 0, &record, size));
	CHECK(!csg_sideband_attr(r, 0, &attr, sizeof(attr)));
	CHECK(!csg_sideband_feature(r, 0, &feature, sizeof(feature)));
	CHECK(!csg_sideband_record(r, 0, &record, sizeof(record)));
}

static void sideband(const char *path)
{
	const struct csg_session_options keep = {.size = sizeof(keep),
						 .flags = CSG_SESSION_KEEP_SIDEBAND};
	struct csg_sideband_event event;
	struct csg_sideband_record record;
	struct csg_session *s = NULL;
	struct csg_recording *r = NULL;

	CHECK(!csg_sideband_attr_count(NULL) && !csg_sideband_feature_count(NULL) &&
	      !csg_sideband_record_count(NULL) && !csg_sideband_event_count(NULL));
	REFUSED(csg_sideband_event(NULL, 0, &event, sizeof(event)));
	if (csg_session_open(&s, path, &keep))
		abort();
	kept_sideband(csg_session_recording(s));
	csg_session_close(s);
	if (csg_recording_open(&r, path, NULL))
		abort();
	CHECK(!csg_sideband_attr_count(r) && !csg_sideband_feature_count(r) &&
	      !csg_sideband_record_count(r));
	REFUSED(csg_sideband_record(r, 0, &record, sizeof(record)));
	REFUSED(csg_sideband_event(r, 0, NULL, sizeof(event)));
	REFUSED(csg_sideband_event(r, csg_sideband_event_count(r), &event, sizeof(event)));
	for (size_t size = 0; size < sizeof(event); size += 8)
		REFUSED(csg_sideband_event(r, 0, &event, size));
	CHECK(!csg_sideband_event(r, 0, &event, sizeof(event)));
	csg_recording_close(r);
}

void misuse_raw(const char *path)
{
	packets(path);
	trace_bytes(path);
	sideband(path);
}
