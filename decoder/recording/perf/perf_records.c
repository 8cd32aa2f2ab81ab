/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_records.h"

#include <inttypes.h>
#include <string.h>

#include "recording/perf/kept.h"
#include "util/report.h"
#include "util/bytes.h"
#include "files/perf_format.h"
#include "recording/perf/aux_samples.h"
#include "recording/perf/perf_user_records.h"

#define MISC_CPUMODE 7u
#define MODE_KERNEL 1u
#define MODE_GUEST_KERNEL 4u
#define MODE_GUEST_USER 5u
#define MISC_MMAP_DATA (1u << 13)
#define MISC_COMM_EXEC (1u << 13)
#define MISC_SWITCH_OUT (1u << 13)
#define MISC_SWITCH_OUT_PREEMPT (1u << 14)
#define MISC_MMAP_BUILD_ID (1u << 14)
#define PROT_EXECUTE 4u
#define KSYMBOL_UNREGISTER 1u
#define NAMESPACE_MNT 5 /* index of the mount namespace in PERF_RECORD_NAMESPACES */

static uint32_t u32(const struct csg_perf_raw *record, size_t at)
{
	return csg_le32(record->bytes + at);
}

static uint64_t u64(const struct csg_perf_raw *record, size_t at)
{
	return csg_le64(record->bytes + at);
}

static bool is_guests(uint16_t misc)
{
	const uint16_t mode = misc & MISC_CPUMODE;

	return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

/* The event with what every record of the kernel carries; pid and tid may follow. */
static struct csg_event event_of(const struct csg_perf_raw *record, enum csg_event_kind kind)
{
	const struct csg_perf_sample *sample = &record->sample;
	/* What perf synthesised has no time, and its CPU is nobody's. */
	bool synthesised = !sample->time && csg_perf_attr_is_timed(sample->attr);

	return (struct csg_event){
		.kind = (uint8_t)kind,
		.cpu = synthesised ? CSG_NO_CPU : sample->cpu,
		.pid = -1,
		.tid = -1,
		.ppid = -1,
		.ptid = -1,
		.machine_pid = sample->machine_pid,
		.vcpu = sample->vcpu,
		.time = sample->time,
	};
}

static int add_event(struct csg_perf_state *state, const struct csg_event *event)
{
	struct csg_recording_info *info = &state->rec->info;

	if (event->time) {
		if (!info->first_time || event->time < info->first_time)
			info->first_time = event->time;
		if (event->time > info->last_time)
			info->last_time = event->time;
	}
	return csg_events_add(&state->rec->events, event);
}

static int take_mapping(struct csg_perf_state *state, const struct csg_perf_raw *record,
			size_t name, struct csg_event *event)
{
	uint16_t mode = record->misc & MISC_CPUMODE;
	struct csg_mapping *map = &event->map;

	event->pid = (int32_t)u32(record, 8);
	event->tid = (int32_t)u32(record, 12);
	map->start = u64(record, 16);
	map->len = u64(record, 24);
	map->pgoff = u64(record, 32);
	map->kernel = mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL;
	map->guest = is_guests(record->misc);
	map->path = csg_perf_text(state, record, name);
	return map->path ? add_event(state, event) : -CSG_E_NO_MEMORY;
}

static int on_mmap(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_MAP);

	event.map.executable = !(record->misc & MISC_MMAP_DATA);
	return take_mapping(state, record, 40, &event);
}

static int on_mmap2(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_MAP);

	event.map.executable = u32(record, 64) & PROT_EXECUTE;
	if (record->misc & MISC_MMAP_BUILD_ID) {
		uint8_t size = record->bytes[40];

		event.map.build_id_size = size <= 20 ? size : 20;
		memcpy(event.map.build_id, record->bytes + 44, event.map.build_id_size);
	}
	return take_mapping(state, record, 72, &event);
}

static int on_comm(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_COMM);

	event.pid = (int32_t)u32(record, 8);
	event.tid = (int32_t)u32(record, 12);
	event.exec = record->misc & MISC_COMM_EXEC;
	event.comm = csg_perf_text(state, record, 16);
	return event.comm ? add_event(state, &event) : -CSG_E_NO_MEMORY;
}

/* FORK and EXIT: pid, ppid, tid, ptid, time. */
static int on_task(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(
		record, record->type == CSG_PERF_RECORD_FORK ? CSG_EVENT_FORK : CSG_EVENT_EXIT);

	event.pid = (int32_t)u32(record, 8);
	event.ppid = (int32_t)u32(record, 12);
	event.tid = (int32_t)u32(record, 16);
	event.ptid = (int32_t)u32(record, 20);
	if (!event.time && u64(record, 24) != UINT64_MAX)
		event.time = u64(record, 24);
	return add_event(state, &event);
}

static int on_switch(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_SWITCH);

	state->rec->info.has_switch = true;
	event.out = record->misc & MISC_SWITCH_OUT;
	event.preempted = event.out && record->misc & MISC_SWITCH_OUT_PREEMPT;
	state->rec->says_preempted |= event.preempted && !event.machine_pid;
	event.pid = record->sample.pid;
	event.tid = record->sample.tid;
	if (record->type == CSG_PERF_RECORD_SWITCH_CPU_WIDE) {
		event.ppid = (int32_t)u32(record, 8);
		event.ptid = (int32_t)u32(record, 12);
	}
	return add_event(state, &event);
}

/* Other events have an AUX area as well (SPE), whose beginning says nothing of the trace. */
static bool is_of_another_event(const struct csg_perf_state *state,
				const struct csg_perf_sample *sample)
{
	return state->has_info && sample->id && sample->attr &&
	       sample->attr->type != state->metadata.pmu_type;
}

static int on_itrace_start(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_ITRACE_START);
	int err;

	event.pid = (int32_t)u32(record, 8);
	event.tid = (int32_t)u32(record, 12);
	err = record->sample.cpu < 0 || is_of_another_event(state, &record->sample)
		      ? 0
		      : csg_aux_add_start(&state->aux, record->sample.cpu, record->sample.time);
	return err ? err : add_event(state, &event);
}

static int on_namespaces(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_NAMESPACES);
	uint64_t n = u64(record, 16);

	event.pid = (int32_t)u32(record, 8);
	event.tid = (int32_t)u32(record, 12);
	if (n > NAMESPACE_MNT && record->body >= 24 + 16 * (NAMESPACE_MNT + 1))
		event.value = u64(record, 24 + 16 * NAMESPACE_MNT + 8);
	return add_event(state, &event);
}

static int on_ksymbol(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_KSYMBOL);

	event.out = csg_le16(record->bytes + 22) & KSYMBOL_UNREGISTER;
	event.map.start = u64(record, 8);
	event.map.len = u32(record, 16);
	event.map.kernel = true;
	event.map.executable = true;
	event.map.path = csg_perf_text(state, record, 24);
	return event.map.path ? add_event(state, &event) : -CSG_E_NO_MEMORY;
}

static int on_text_poke(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_TEXT_POKE);

	state->rec->info.has_text_poke = true;
	event.poke.address = u64(record, 8);
	event.poke.old_len = csg_le16(record->bytes + 16);
	event.poke.new_len = csg_le16(record->bytes + 18);
	event.poke.old_bytes = record->bytes + 20;
	event.poke.new_bytes = record->bytes + 20 + event.poke.old_len;
	if ((size_t)event.poke.old_len + event.poke.new_len > record->body - 20)
		return -CSG_E_CORRUPT;
	return add_event(state, &event);
}

/* LOST: id, lost.  LOST_SAMPLES: lost. */
static int on_lost(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_event event = event_of(record, CSG_EVENT_LOST);

	event.value = u64(record, record->type == CSG_PERF_RECORD_LOST ? 16 : 8);
	state->rec->info.lost_records += event.value;
	return add_event(state, &event);
}

/* The trace of a sample of the host's: the file has it, or it is kept. */
static int take_trace(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	const struct csg_perf_sample *sample = &record->sample;
	const struct csg_perf_id *id = csg_perf_attrs_find_id(&state->attrs, sample->id);
	struct csg_aux_sample trace = {
		.time = sample->time,
		.at = record->offset + (uint64_t)(sample->aux - record->bytes),
		.record = record->offset,
		.file = state->input,
		.size = sample->aux_len,
		.cpu = id && id->indexed && id->cpu == -1 ? -1 : sample->cpu,
		.pid = sample->pid,
		.tid = sample->tid,
		.ip = sample->ip,
		.event = sample->attr_index,
		.cpumode = record->misc & MISC_CPUMODE,
	};
	int file = (int)state->input;

	if (trace.cpu == -1 && trace.tid == -1)
		return -CSG_E_CORRUPT;
	if (!state->in_place)
		file = csg_perf_spill(state, sample->aux, sample->aux_len, &trace.at);
	if (file < 0)
		return file;
	trace.file = (uint32_t)file;
	return csg_aux_samples_add(&state->aux, &trace);
}

static int on_sample(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	const struct csg_perf_sample *sample = &record->sample;
	struct csg_event event = event_of(record, CSG_EVENT_SAMPLE);

	if (!sample->attr)
		return -CSG_E_CORRUPT;
	if (sample->aux_len && !sample->machine_pid) {
		int ret = take_trace(state, record);

		if (ret)
			return ret;
	}
	event.pid = sample->pid;
	event.tid = sample->tid;
	event.cpu = sample->cpu;
	event.value = sample->attr_index;
	event.sample.ip = sample->ip;
	event.sample.guest = is_guests(record->misc);
	if (sample->attr->type == CSG_PERF_TYPE_TRACEPOINT) {
		event.sample.raw = sample->raw;
		event.sample.raw_len = sample->raw_len;
	}
	return add_event(state, &event);
}

static int on_aux(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_aux_record aux = {
		.offset = u64(record, 8),
		.size = u64(record, 16),
		.flags = u64(record, 24),
		.time = record->sample.time,
		.cpu = record->sample.cpu,
		.pid = record->sample.pid,
		.tid = record->sample.tid,
		.record = record->offset,
	};

	return csg_aux_add_record(&state->aux, &aux);
}

static int on_hw_id(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	struct csg_hw_id id = {
		.value = u64(record, 8),
		.cpu = record->sample.cpu,
		.tid = record->sample.tid,
		.record = record->offset,
	};

	return csg_hw_ids_add(&state->hw_ids, &id);
}

static const struct csg_perf_handler handlers[] = {
	{CSG_PERF_RECORD_MMAP, 40, on_mmap},
	{CSG_PERF_RECORD_LOST, 24, on_lost},
	{CSG_PERF_RECORD_COMM, 16, on_comm},
	{CSG_PERF_RECORD_EXIT, 32, on_task},
	{CSG_PERF_RECORD_FORK, 32, on_task},
	{CSG_PERF_RECORD_SAMPLE, 8, on_sample},
	{CSG_PERF_RECORD_MMAP2, 72, on_mmap2},
	{CSG_PERF_RECORD_AUX, 32, on_aux},
	{CSG_PERF_RECORD_ITRACE_START, 16, on_itrace_start},
	{CSG_PERF_RECORD_LOST_SAMPLES, 16, on_lost},
	{CSG_PERF_RECORD_SWITCH, 8, on_switch},
	{CSG_PERF_RECORD_SWITCH_CPU_WIDE, 16, on_switch},
	{CSG_PERF_RECORD_NAMESPACES, 24, on_namespaces},
	{CSG_PERF_RECORD_KSYMBOL, 24, on_ksymbol},
	{CSG_PERF_RECORD_TEXT_POKE, 20, on_text_poke},
	{CSG_PERF_RECORD_AUX_OUTPUT_HW_ID, 16, on_hw_id},
};

static const struct csg_perf_handler *handler_of(uint32_t type)
{
	if (type >= CSG_PERF_RECORD_HEADER_ATTR)
		return csg_perf_user_handler(type);
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].type == type)
			return &handlers[i];
	return NULL;
}

static void count_bad(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	if (!state->bad_records++)
		csg_report(&state->rec->sink, CSG_WARNING, CSG_E_CORRUPT, state->path,
			   record->offset, "record again if its content is needed",
			   "record of type %u and %zu bytes is not as it should be; skipped",
			   record->type, record->len);
}

/* A record of an event ID that no attr has would be refused by perf where there are several events;
 * the first attr gets it, as the only one that can be meant. */
static int adopt_id(struct csg_perf_state *state, const struct csg_perf_sample *sample)
{
	int ret;

	if (!sample->attr || !sample->id || csg_perf_attrs_find_id(&state->attrs, sample->id))
		return 0;
	ret = csg_perf_attrs_add_id(&state->attrs, sample->id, sample->attr_index);
	return ret ? ret : csg_kept_add_id(state->rec->kept, sample->attr_index, sample->id);
}

static int keep(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	bool is_sample = record->type == CSG_PERF_RECORD_SAMPLE;
	int lacks = 0, ret;

	if (record->type < CSG_PERF_RECORD_HEADER_ATTR)
		lacks = csg_perf_attrs_lacks(&state->attrs, is_sample, &record->sample);
	if (record->type == CSG_PERF_RECORD_ID_INDEX && !csg_perf_id_index_fits(state, record))
		lacks = -1;
	ret = adopt_id(state, &record->sample);
	return ret ? ret
		   : csg_kept_add_record(state->rec->kept, record->bytes, record->len,
					 record->offset, &record->sample, lacks);
}

/* Takes a record in; -CSG_E_CORRUPT where it is not as it should be. */
static int take_in(struct csg_perf_state *state, struct csg_perf_raw *record)
{
	const struct csg_perf_handler *handler = handler_of(record->type);
	bool kernels = record->type < CSG_PERF_RECORD_HEADER_ATTR;
	int ret = 0;

	if (!handler && !(state->rec->kept && csg_perf_record_is_known(record->type))) {
		state->rec->info.unknown_records += !csg_perf_record_is_known(record->type);
		return 0;
	}
	if (kernels) {
		ret = csg_perf_attrs_sample(&state->attrs, record->bytes, record->len,
					    &record->sample);
		if (record->type != CSG_PERF_RECORD_SAMPLE)
			record->body = record->sample.body;
	}
	if (!ret && handler)
		ret = record->body < handler->least ? -CSG_E_CORRUPT : handler->take(state, record);
	return ret || !state->rec->kept ? ret : keep(state, record);
}

int csg_perf_record(struct csg_perf_state *state, const uint8_t *bytes, size_t len, uint64_t offset)
{
	struct csg_perf_raw record = {
		.bytes = bytes,
		.len = len,
		.body = len,
		.type = csg_le32(bytes),
		.misc = csg_le16(bytes + 4),
		.offset = offset,
	};
	int ret = take_in(state, &record);

	if (ret == -CSG_E_CORRUPT) {
		count_bad(state, &record);
		ret = 0;
	}
	return ret;
}
