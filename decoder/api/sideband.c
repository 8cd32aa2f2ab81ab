/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/sideband.h"

#include <string.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "recording/model/store.h"
#include "recording/perf/kept.h"
#include "recording/recording.h"
#include "util/bytes.h"

static const struct csg_kept *kept_of(const struct csg_recording *recording)
{
	return recording ? recording->kept : NULL;
}

size_t csg_sideband_attr_count(const struct csg_recording *recording)
{
	const struct csg_kept *kept = kept_of(recording);

	return kept ? kept->n_attrs : 0;
}

int csg_sideband_attr(const struct csg_recording *recording, size_t index,
		      struct csg_sideband_attr *to, size_t size)
{
	struct csg_sideband_attr own = {.size = sizeof(own)};
	const struct csg_kept_attr *attr;

	if (index >= csg_sideband_attr_count(recording))
		return -CSG_E_USAGE;
	attr = &recording->kept->attrs[index];
	own.bytes = attr->bytes;
	own.byte_count = attr->size;
	own.ids = attr->ids;
	own.id_count = attr->n_ids;
	own.trace =
		recording->kept->has_trace && csg_le32(attr->bytes) == recording->kept->trace_type;
	return csg_abi_give(to, size, sizeof(own), &own, sizeof(own));
}

size_t csg_sideband_feature_count(const struct csg_recording *recording)
{
	const struct csg_kept *kept = kept_of(recording);

	return kept ? kept->n_features : 0;
}

int csg_sideband_feature(const struct csg_recording *recording, size_t index,
			 struct csg_sideband_feature *to, size_t size)
{
	struct csg_sideband_feature own = {.size = sizeof(own)};
	const struct csg_kept_feature *feature;

	if (index >= csg_sideband_feature_count(recording))
		return -CSG_E_USAGE;
	feature = &recording->kept->features[index];
	own.number = feature->number;
	own.fd = recording->kept->fd;
	own.offset = feature->at;
	own.byte_count = feature->size;
	return csg_abi_give(to, size, sizeof(own), &own, sizeof(own));
}

size_t csg_sideband_record_count(const struct csg_recording *recording)
{
	const struct csg_kept *kept = kept_of(recording);

	return kept ? kept->n_records : 0;
}

int csg_sideband_record(struct csg_recording *recording, size_t index,
			struct csg_sideband_record *to, size_t size)
{
	struct csg_sideband_record own = {.size = sizeof(own)};
	int err;

	if (!to || size < sizeof(own) || index >= csg_sideband_record_count(recording))
		return -CSG_E_USAGE;
	err = csg_kept_read(recording->kept, index, &own.bytes, &own.byte_count);
	if (err)
		return err;
	own.time = recording->kept->records[index].time;
	own.file_offset = csg_kept_offset(own.bytes);
	return csg_abi_give(to, size, sizeof(own), &own, sizeof(own));
}

/* --- events --- */

size_t csg_sideband_event_count(const struct csg_recording *recording)
{
	return recording ? recording->events.n : 0;
}

static enum csg_sideband_kind kind_of(enum csg_event_kind kind)
{
	switch (kind) {
	case CSG_EVENT_MAP:
		return CSG_SIDEBAND_MAP;
	case CSG_EVENT_COMM:
		return CSG_SIDEBAND_COMM;
	case CSG_EVENT_FORK:
		return CSG_SIDEBAND_FORK;
	case CSG_EVENT_EXIT:
		return CSG_SIDEBAND_EXIT;
	case CSG_EVENT_SWITCH:
		return CSG_SIDEBAND_SWITCH;
	case CSG_EVENT_LOST:
		return CSG_SIDEBAND_LOST;
	default:
		return CSG_SIDEBAND_OTHER;
	}
}

static enum csg_sideband_leave leave_of(const struct csg_recording *recording,
					const struct csg_event *event)
{
	if (event->kind != CSG_EVENT_SWITCH || !event->out)
		return CSG_LEAVE_UNKNOWN;
	if (event->preempted)
		return CSG_LEAVE_PREEMPTED;
	/* A guest's kernel may be older than the host's. */
	return recording->says_preempted && !event->machine_pid ? CSG_LEAVE_BLOCKED
								: CSG_LEAVE_UNKNOWN;
}

static void describe_map(struct csg_sideband_event *to, const struct csg_mapping *map)
{
	const size_t capacity = sizeof(to->build_id);

	to->start = map->start;
	to->length = map->len;
	to->file_offset = map->pgoff;
	to->path = map->path;
	to->kernel = map->kernel;
	to->executable = map->executable;
	to->build_id_size = map->build_id_size < capacity ? map->build_id_size : (uint8_t)capacity;
	memcpy(to->build_id, map->build_id, capacity);
}

/* A sample of a thread that wakes another. */
static void describe_wake(const struct csg_recording *recording, const struct csg_event *event,
			  struct csg_sideband_event *to)
{
	int32_t tid, cpu;

	if (event->kind != CSG_EVENT_SAMPLE || !csg_recording_wake(recording, event, &tid, &cpu))
		return;
	to->kind = CSG_SIDEBAND_WAKE;
	to->other_pid = event->pid;
	to->other_tid = event->tid;
	to->pid = -1;
	to->tid = tid;
	to->cpu = cpu;
}

int csg_sideband_event(const struct csg_recording *recording, size_t index,
		       struct csg_sideband_event *to, size_t size)
{
	struct csg_sideband_event own = {.size = sizeof(own)};
	struct csg_event event;

	if (index >= csg_sideband_event_count(recording))
		return -CSG_E_USAGE;
	csg_events_get(&recording->events, index, &event);
	own.kind = kind_of((enum csg_event_kind)event.kind);
	own.cpu = event.cpu;
	own.pid = event.pid;
	own.tid = event.tid;
	own.other_pid = event.ppid;
	own.other_tid = event.ptid;
	own.time = event.time;
	own.out = own.kind == CSG_SIDEBAND_SWITCH && event.out;
	own.leave = leave_of(recording, &event);
	own.vm = event.machine_pid;
	own.exec = own.kind == CSG_SIDEBAND_COMM && event.exec;
	describe_wake(recording, &event, &own);
	if (own.kind == CSG_SIDEBAND_MAP)
		describe_map(&own, &event.map);
	if (own.kind == CSG_SIDEBAND_COMM)
		own.comm = event.comm;
	return csg_abi_give(to, size, sizeof(own), &own, sizeof(own));
}
