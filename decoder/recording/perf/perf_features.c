/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording/perf/kept.h"
#include "util/report.h"
#include "util/bytes.h"
#include "recording/perf/simpleperf.h"
#include "util/array.h"

#define FEATURE_BYTES_MAX (64u << 20)

/* A cursor over a feature. */
struct words {
	const uint8_t *at;
	size_t left;
	bool short_of;
};

static const uint8_t *take(struct words *words, size_t len)
{
	const uint8_t *at = words->at;

	if (len > words->left) {
		words->short_of = true;
		return NULL;
	}
	words->at += len;
	words->left -= len;
	return at;
}

static uint32_t take_u32(struct words *words)
{
	const uint8_t *at = take(words, 4);

	return at ? csg_le32(at) : 0;
}

static const char *take_string(struct csg_perf_state *state, struct words *words)
{
	uint32_t len = take_u32(words);
	const uint8_t *at = take(words, len);

	return at ? csg_strings_intern_text(&state->rec->strings, at, len) : NULL;
}

static int read_cmdline(struct csg_perf_state *state, struct words *words)
{
	uint32_t n = take_u32(words);
	char *line = NULL;
	size_t len = 0, cap = words->left + n;

	if (n > words->left / 4)
		return -CSG_E_CORRUPT;
	line = malloc(cap + 1);
	if (!line)
		return -CSG_E_NO_MEMORY;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = take_u32(words);
		const uint8_t *at = take(words, size);
		size_t part = at ? strnlen((const char *)at, size) : 0;

		if (!at)
			break;
		if (i)
			line[len++] = ' ';
		memcpy(line + len, at, part);
		len += part;
	}
	state->rec->info.cmdline = csg_strings_intern(&state->rec->strings, line, len);
	free(line);
	return state->rec->info.cmdline ? 0 : -CSG_E_NO_MEMORY;
}

/* Names the event that has the ID, or where it has none, the number-th one. */
static void name_event(struct csg_perf_state *state, uint32_t number, bool has_id, uint64_t id,
		       const char *name)
{
	const struct csg_perf_id *known = has_id ? csg_perf_attrs_find_id(&state->attrs, id) : NULL;

	if (known)
		number = known->attr;
	if (number < state->attrs.n)
		state->attrs.attrs[number].name = name;
}

/* u32 events, u32 size of an attr; each: attr, u32 IDs, string name, u64 IDs. */
static int read_event_desc(struct csg_perf_state *state, struct words *words)
{
	uint32_t n = take_u32(words), size = take_u32(words);

	for (uint32_t i = 0; i < n && !words->short_of; i++) {
		const uint8_t *ids;
		const char *name;
		uint32_t n_ids;

		take(words, size);
		n_ids = take_u32(words);
		name = take_string(state, words);
		if (n_ids > words->left / 8)
			return -CSG_E_CORRUPT;
		ids = take(words, 8 * (size_t)n_ids);
		if (ids && name)
			name_event(state, i, n_ids, n_ids ? csg_le64(ids) : 0, name);
	}
	return 0;
}

/* Whole struct perf_record_header_build_id, one after the other. */
static int read_build_ids(struct csg_perf_state *state, struct words *words)
{
	while (words->left >= CSG_PERF_RECORD_HEADER) {
		uint16_t size = csg_le16(words->at + 6);
		const uint8_t *record = size >= CSG_PERF_RECORD_HEADER ? take(words, size) : NULL;
		int ret;

		if (!record)
			return -CSG_E_CORRUPT;
		ret = csg_build_ids_add_record(&state->rec->build_ids, &state->rec->strings, record,
					       size);
		if (ret)
			return ret;
	}
	return 0;
}

/* The AUXTRACE index: perf has u64 entries before them, simpleperf has not. */
static int read_index(struct csg_perf_state *state, struct words *words)
{
	if (!csg_simpleperf_index(words->at, words->left))
		take(words, 8);
	else
		state->rec->info.simpleperf = true;
	while (words->left >= 16) {
		const uint8_t *at = take(words, 16);
		struct csg_perf_section *entry = csg_array_add(&state->index, &state->n_index,
							       &state->cap_index, sizeof(*entry));

		if (!entry)
			return -CSG_E_NO_MEMORY;
		*entry = (struct csg_perf_section){csg_le64(at), csg_le64(at + 8)};
	}
	return 0;
}

int csg_perf_feature_read(struct csg_perf_state *state, unsigned int feature, const uint8_t *bytes,
			  size_t len, uint64_t offset)
{
	struct csg_recording_info *info = &state->rec->info;
	struct words words = {bytes, len, false};
	int ret = 0;

	(void)offset;
	switch (feature) {
	case CSG_PERF_TRACING_DATA:
		csg_store_formats(state->rec, bytes, len);
		break;
	case CSG_PERF_HOSTNAME:
		info->hostname = take_string(state, &words);
		break;
	case CSG_PERF_OSRELEASE:
		info->os_release = take_string(state, &words);
		break;
	case CSG_PERF_VERSION:
		info->perf_version = take_string(state, &words);
		break;
	case CSG_PERF_ARCH:
		info->arch = take_string(state, &words);
		break;
	case CSG_PERF_NRCPUS:
		info->cpus_available = take_u32(&words);
		info->cpus_online = take_u32(&words);
		break;
	case CSG_PERF_CPUID:
		info->cpuid = take_string(state, &words);
		break;
	case CSG_PERF_CMDLINE:
		ret = read_cmdline(state, &words);
		break;
	case CSG_PERF_EVENT_DESC:
		ret = read_event_desc(state, &words);
		break;
	case CSG_PERF_BUILD_ID:
		ret = read_build_ids(state, &words);
		break;
	case CSG_PERF_AUXTRACE:
		ret = read_index(state, &words);
		break;
	case CSG_PERF_DIR_FORMAT:
		info->directory = true;
		break;
	case CSG_PERF_COMPRESSED:
		info->compressed = true;
		break;
	case CSG_SIMPLEPERF_META_INFO:
		info->simpleperf = true;
		break;
	}
	if (!ret && words.short_of)
		ret = -CSG_E_CORRUPT;
	if (!ret && state->rec->kept)
		ret = csg_kept_add_feature(state->rec->kept, feature, bytes, len);
	return ret;
}

static int report_feature(const struct csg_perf_state *state, unsigned int feature, int error,
			  uint64_t offset)
{
	return csg_report(&state->rec->sink, CSG_WARNING, error, state->path, offset,
			  "copy the file again if its content is needed",
			  "header feature %u cannot be read", feature);
}

static int read_section(struct csg_perf_state *state, struct csg_input *input, unsigned int feature,
			const struct csg_perf_section *section)
{
	const uint8_t *bytes = NULL;
	int ret;

	if (section->size > FEATURE_BYTES_MAX)
		ret = -CSG_E_LIMIT;
	else if (section->offset > input->size || section->size > input->size - section->offset)
		ret = -CSG_E_TRUNCATED;
	else
		ret = csg_input_reserve(input, (size_t)section->size);
	if (!ret) {
		csg_input_seek(input, section->offset);
		ret = csg_input_peek(input, (size_t)section->size, &bytes);
	}
	if (!ret)
		ret = csg_perf_feature_read(state, feature, bytes, (size_t)section->size,
					    section->offset);
	if (ret == -CSG_E_NO_MEMORY)
		return ret;
	if (ret)
		report_feature(state, feature, -ret, section->offset);
	return 0;
}

int csg_perf_features_read(struct csg_perf_state *state, struct csg_input *input)
{
	const struct csg_perf_file *file = &state->file;
	uint64_t at = file->data.offset + file->data.size;

	if (file->unfinished || file->data.size < file->data_claimed)
		return 0;
	for (unsigned int feature = 1; feature < CSG_PERF_FEATURES; feature++) {
		struct csg_perf_section section;
		const uint8_t *bytes;
		int ret;

		if (!csg_perf_file_has(file, feature))
			continue;
		csg_input_seek(input, at);
		ret = csg_input_peek(input, 16, &bytes);
		if (ret) {
			report_feature(state, feature, -ret, at);
			return 0;
		}
		at += 16;
		section = (struct csg_perf_section){csg_le64(bytes), csg_le64(bytes + 8)};
		ret = read_section(state, input, feature, &section);
		if (ret)
			return ret;
	}
	return 0;
}

/* The IDs of one attr: u64s in the section that its entry names. */
static int read_ids(struct csg_perf_state *state, struct csg_input *input, uint32_t attr,
		    const struct csg_perf_section *section)
{
	/* Sections may not lie over one another, so all of them have less IDs than the file. */
	if (section->size / 8 > input->size / 8 - state->n_ids)
		return csg_report(&state->rec->sink, CSG_WARNING, CSG_E_CORRUPT, state->path,
				  section->offset, "copy the file again",
				  "event %u has more IDs than the file has room for", attr);
	state->n_ids += section->size / 8;
	csg_input_seek(input, section->offset);
	for (uint64_t done = 0; done + 8 <= section->size; done += 8) {
		const uint8_t *bytes;
		int ret = csg_input_peek(input, 8, &bytes);

		if (ret)
			return csg_report(&state->rec->sink, CSG_WARNING, -ret, state->path,
					  section->offset, "copy the file again",
					  "IDs of event %u are beyond the end of the file", attr);
		ret = csg_perf_attrs_add_id(&state->attrs, csg_le64(bytes), attr);
		if (!ret && state->rec->kept)
			ret = csg_kept_add_id(state->rec->kept, attr, csg_le64(bytes));
		if (ret)
			return ret;
		csg_input_skip(input, 8);
	}
	return 0;
}

int csg_perf_attrs_section(struct csg_perf_state *state, struct csg_input *input)
{
	const struct csg_perf_file *file = &state->file;
	uint64_t n = file->attrs.size / file->attr_size;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = file->attrs.offset + i * file->attr_size;
		struct csg_perf_section ids;
		const uint8_t *bytes;
		int attr, ret;

		csg_input_seek(input, at);
		ret = csg_input_peek(input, (size_t)file->attr_size, &bytes);
		if (ret)
			return ret;
		ids.offset = csg_le64(bytes + file->attr_size - 16);
		ids.size = csg_le64(bytes + file->attr_size - 8);
		attr = csg_perf_attrs_add(&state->attrs, bytes, (size_t)file->attr_size - 16);
		if (attr == -CSG_E_CORRUPT)
			return csg_report(&state->rec->sink, CSG_ERROR, CSG_E_CORRUPT, state->path,
					  at, "copy the file again, or record again",
					  "perf_event_attr %" PRIu64 " contradicts its size", i);
		if (attr >= 0 && state->rec->kept)
			ret = csg_kept_add_attr(state->rec->kept, bytes,
						(size_t)file->attr_size - 16);
		if (attr < 0 || ret)
			return attr < 0 ? attr : ret;
		ret = read_ids(state, input, (uint32_t)attr, &ids);
		if (ret == -CSG_E_NO_MEMORY)
			return ret;
	}
	return 0;
}
