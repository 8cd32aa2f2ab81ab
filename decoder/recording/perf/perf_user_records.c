/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of the types from 64 on: perf record writes them, not the kernel. */
#include "csguest/error.h"
#include "recording/perf/kept.h"
#include "util/bytes.h"
#include "recording/perf/perf_features.h"
#include "recording/perf/perf_user_records.h"
#include "recording/perf/time_conv.h"

#define EVENT_UPDATE_NAME 2 /* PERF_EVENT_UPDATE__NAME */

static uint32_t u32(const struct csg_perf_raw *record, size_t at)
{
	return csg_le32(record->bytes + at);
}

static uint64_t u64(const struct csg_perf_raw *record, size_t at)
{
	return csg_le64(record->bytes + at);
}

static int on_auxtrace_info(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	uint32_t type = csg_auxtrace_info_type(record->bytes, record->len);
	int ret;

	if (type != CSG_AUXTRACE_CS_ETM) {
		state->foreign_info = type;
		return 0;
	}
	if (state->has_info)
		return 0;
	state->has_info = true;
	ret = csg_etm_metadata_read(&state->metadata, record->bytes, record->len, state->path,
				    record->offset, &state->rec->sink);
	state->rec->info.auxtrace_info_version = (uint32_t)state->metadata.version;
	state->rec->info.snapshot_mode = state->metadata.snapshot;
	return ret;
}

static int on_time_conv(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	return csg_time_conv_read(&state->rec->time_conv, record->bytes, record->len);
}

static int add_vcpu(struct csg_perf_state *state, int32_t machine_pid, int32_t vcpu, int32_t tid)
{
	struct csg_vcpu *new = CSG_STORE_ADD(state->rec, vcpus);

	if (!new)
		return -CSG_E_NO_MEMORY;
	state->rec->info.has_guest_sideband = true;
	*new = (struct csg_vcpu){.machine_pid = machine_pid, .vcpu = vcpu, .tid = tid};
	return 0;
}

/* nr entries {id, idx, cpu, tid}; where the record is that long, then nr {machine_pid, vcpu}. */
static int on_id_index(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	uint64_t n = u64(record, 8);
	size_t capacity = record->len - 16;
	bool has_machines;

	state->rec->info.has_id_index = true;
	if (n > capacity / 32)
		return -CSG_E_CORRUPT;
	has_machines = n <= capacity / 48;
	for (size_t i = 0; i < n; i++) {
		size_t at = 16 + 32 * i, more = 16 + 32 * (size_t)n + 16 * i;
		int32_t machine_pid = has_machines ? (int32_t)u64(record, more) : 0;
		int32_t vcpu = has_machines ? (int32_t)u64(record, more + 8) : -1;
		int32_t tid = (int32_t)u64(record, at + 24);
		int ret = 0;

		csg_perf_attrs_index_id(&state->attrs, u64(record, at),
					(int32_t)u64(record, at + 16), tid, machine_pid, vcpu);
		if (machine_pid)
			ret = add_vcpu(state, machine_pid, vcpu, tid);
		if (ret)
			return ret;
	}
	return 0;
}

bool csg_perf_id_index_fits(const struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	uint64_t n = u64(record, 8);

	for (size_t i = 0; i < n && i < (record->len - 16) / 32; i++)
		if (!csg_perf_attrs_find_id(&state->attrs, u64(record, 16 + 32 * i)))
			return false;
	return true;
}

/* PERF_RECORD_HEADER_ATTR: the attr in its own size, then its IDs. */
static int on_attr(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	size_t size = u32(record, 12) ? u32(record, 12) : 64;
	struct csg_kept *kept = state->rec->kept;
	int attr = csg_perf_attrs_add(&state->attrs, record->bytes + 8, record->len - 8);
	int ret = 0;

	if (attr < 0)
		return attr;
	if (kept)
		ret = csg_kept_add_attr(kept, record->bytes + 8, record->len - 8);
	for (size_t at = 8 + size; !ret && at + 8 <= record->len; at += 8) {
		ret = csg_perf_attrs_add_id(&state->attrs, u64(record, at), (uint32_t)attr);
		if (!ret && kept)
			ret = csg_kept_add_id(kept, (uint32_t)attr, u64(record, at));
	}
	return ret;
}

static int on_build_id(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	return csg_build_ids_add_record(&state->rec->build_ids, &state->rec->strings, record->bytes,
					record->len);
}

/* PERF_RECORD_HEADER_FEATURE: u64 number, then what the feature's section would hold. */
static int on_feature(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	return csg_perf_feature_read(state, (unsigned int)u64(record, 8), record->bytes + 16,
				     record->len - 16, record->offset);
}

/* PERF_RECORD_EVENT_UPDATE: u64 type, u64 id; type 2 gives the event's name. */
static int on_event_update(struct csg_perf_state *state, const struct csg_perf_raw *record)
{
	const struct csg_perf_id *id = csg_perf_attrs_find_id(&state->attrs, u64(record, 16));

	if (u64(record, 8) != EVENT_UPDATE_NAME || !id)
		return 0;
	state->attrs.attrs[id->attr].name = csg_perf_text(state, record, 24);
	return state->attrs.attrs[id->attr].name ? 0 : -CSG_E_NO_MEMORY;
}

static const struct csg_perf_handler handlers[] = {
	{CSG_PERF_RECORD_HEADER_ATTR, 72, on_attr},
	{CSG_PERF_RECORD_BUILD_ID, 36, on_build_id},
	{CSG_PERF_RECORD_ID_INDEX, 16, on_id_index},
	{CSG_PERF_RECORD_AUXTRACE_INFO, 16, on_auxtrace_info},
	{CSG_PERF_RECORD_EVENT_UPDATE, 24, on_event_update},
	{CSG_PERF_RECORD_TIME_CONV, 32, on_time_conv},
	{CSG_PERF_RECORD_HEADER_FEATURE, 16, on_feature},
};

const struct csg_perf_handler *csg_perf_user_handler(uint32_t type)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].type == type)
			return &handlers[i];
	return NULL;
}
