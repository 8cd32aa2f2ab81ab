/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses everything that an opened recording hands out; for the fuzzers of its two kinds. */
#ifndef TESTS_FUZZ_RECORDING_H
#define TESTS_FUZZ_RECORDING_H

#include "fuzz/input.h"
#include "recording/recording.h"

#define FUZZ_CHUNKS 64		/* chunks of which bytes are read */
#define FUZZ_CHUNK_BYTES 100000 /* of each */

static inline void fuzz_touch_mapping(const struct csg_mapping *map)
{
	fuzz_touch_string(map->path);
	fuzz_require(map->build_id_size <= sizeof(map->build_id), "a build ID fits");
}

static inline int fuzz_touch_event(void *arg, const struct csg_event *event)
{
	uint64_t *last = arg;

	fuzz_require(!event->time || event->time >= *last, "events are in time order");
	if (event->time)
		*last = event->time;
	switch ((enum csg_event_kind)event->kind) {
	case CSG_EVENT_MAP:
	case CSG_EVENT_KSYMBOL:
		fuzz_touch_mapping(&event->map);
		break;
	case CSG_EVENT_COMM:
		fuzz_touch_string(event->comm);
		break;
	case CSG_EVENT_TEXT_POKE:
		fuzz_touch(event->poke.old_bytes, event->poke.old_len);
		fuzz_touch(event->poke.new_bytes, event->poke.new_len);
		break;
	case CSG_EVENT_SAMPLE:
		fuzz_touch(event->sample.raw, event->sample.raw_len);
		break;
	default:
		break;
	}
	return 0;
}

static inline void fuzz_touch_chunk(struct csg_window *window, const struct csg_chunk *chunk)
{
	const uint8_t *bytes;
	uint64_t offset = 0;
	size_t len;

	while (offset < FUZZ_CHUNK_BYTES) {
		len = 4096;
		if (csg_window_read(window, chunk, offset, &bytes, &len) < 0 || !len)
			break;
		fuzz_require(len <= 4096 && offset + len <= chunk->bytes,
			     "a window gives no more than was asked for");
		fuzz_touch(bytes, len);
		offset += len;
	}
	len = 1; /* far after the end */
	if (!csg_window_read(window, chunk, UINT64_MAX, &bytes, &len))
		fuzz_require(!len, "there is nothing after a chunk's end");
}

static inline void fuzz_touch_info(struct csg_recording *rec)
{
	const struct csg_recording_info *info = csg_recording_info(rec);
	const struct csg_source *sources;
	const struct csg_dump *dumps;
	size_t n;

	fuzz_touch_string(info->hostname);
	fuzz_touch_string(info->os_release);
	fuzz_touch_string(info->arch);
	fuzz_touch_string(info->perf_version);
	fuzz_touch_string(info->cmdline);
	sources = csg_recording_sources(rec, &n);
	for (size_t i = 0; i < n; i++) {
		fuzz_touch_string(sources[i].name);
		fuzz_touch_string(sources[i].core_type);
		fuzz_touch(&sources[i], sizeof(sources[i]));
	}
	dumps = csg_recording_dumps(rec, &n);
	for (size_t i = 0; i < n; i++) {
		fuzz_touch_string(dumps[i].path);
		fuzz_touch_string(dumps[i].space);
	}
}

/* Opens path and looks at all there is. */
static inline void fuzz_recording(const char *path)
{
	const struct csg_chunk *chunks;
	struct csg_recording *rec = NULL;
	struct csg_window *window;
	uint64_t last = 0;
	size_t n;
	int err;

	fuzz_errors = 0;
	err = csg_recording_load(&rec, path, NULL, &fuzz_sink);
	fuzz_require(err <= 0 && !rec == (err < 0), "a failed open gives no recording");
	fuzz_require(!err || fuzz_errors, "a failed open says why");
	if (err)
		return;
	fuzz_touch_info(rec);
	csg_recording_events(rec, UINT32_MAX, fuzz_touch_event, &last);
	for (uint64_t i = 0; i < 40; i++)
		fuzz_touch_string(csg_recording_event_name(rec, i));
	chunks = csg_recording_chunks(rec, &n);
	if (!csg_window_create(&window, rec)) {
		for (size_t i = 0; i < n && i < FUZZ_CHUNKS; i++)
			fuzz_touch_chunk(window, &chunks[i]);
		csg_window_destroy(window);
	}
	csg_recording_close(rec);
}

#endif
