/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/perf/kept.h"
#include "util/bisect.h"
#include "util/report.h"
#include "recording/perf/directory.h"
#include "recording/perf/perf_data.h"
#include "recording/snapshot/snapshot.h"
#include "recording/model/store.h"

#define TRIM_EVENTS 65536      /* given out between two */
#define NOTED_BYTES (64 << 20) /* of disk space; less is not worth a note */

struct csg_trace_unit csg_source_unit(const struct csg_source *source)
{
	return (struct csg_trace_unit){
		.size = sizeof(struct csg_trace_unit),
		.protocol = source->protocol,
		.trace_id = source->trace_id,
		.cpu = source->cpu,
		.trcconfigr = source->trcconfigr,
		.trcidr0 = source->trcidr0,
		.trcidr1 = source->trcidr1,
		.trcidr2 = source->trcidr2,
		.trcidr8 = source->trcidr8,
		.trcdevarch = source->trcdevarch,
		.ts_source = source->ts_source,
	};
}

enum csg_vctx_kind csg_source_vctx(const struct csg_source *source)
{
	struct csg_trace_unit unit;

	if (!source)
		return CSG_VCTX_NONE;
	unit = csg_source_unit(source);
	return csg_trace_unit_vctx(&unit);
}

bool csg_chunk_is_of(const struct csg_chunk *chunk, const struct csg_source *source)
{
	return chunk && source && chunk->queue == source->queue &&
	       (chunk->framing != CSG_RAW || chunk->cpu == source->cpu);
}

static int open_snapshot(struct csg_recording *rec, const char *path,
			 const struct csg_recording_setup *options)
{
	(void)options;
	return csg_snapshot_open(rec, path);
}

/* The formats.  The first whose file is in the directory, or whose name the file has, is it. */
static const struct format {
	const char *file;   /* that a directory of it holds */
	const char *ending; /* of a file of it; "": any */
	int (*open)(struct csg_recording *rec, const char *path,
		    const struct csg_recording_setup *options);
} formats[] = {
	{"snapshot.ini", ".ini", open_snapshot},
	{"data", "", csg_perf_data_open},
};

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len >= tail && !strcmp(text + len - tail, end);
}

static int open_any(struct csg_recording *rec, const char *path,
		    const struct csg_recording_setup *options)
{
	bool piped = !strcmp(path, "-");
	struct stat st = {0};

	if (!piped && stat(path, &st))
		return csg_report(&rec->sink, CSG_ERROR,
				  errno == ENOENT ? CSG_E_NOT_FOUND : CSG_E_IO, path, CSG_NO_OFFSET,
				  NULL, "%s", strerror(errno));
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		int is = S_ISDIR(st.st_mode) ? csg_directory_has(path, formats[i].file)
					     : ends_with(path, formats[i].ending);

		if (is)
			return is < 0 ? is : formats[i].open(rec, path, options);
	}
	return csg_report(&rec->sink, CSG_ERROR, CSG_E_BAD_MAGIC, path, CSG_NO_OFFSET,
			  "give a perf.data file or a snapshot directory",
			  "directory holds neither snapshot.ini nor data");
}

/* What is handed out says how large it is (csguest/recording.h). */
static void state_sizes(struct csg_recording *rec)
{
	rec->info.size = sizeof(rec->info);
	for (size_t i = 0; i < rec->n_sources; i++)
		rec->sources[i].size = sizeof(rec->sources[i]);
	for (size_t i = 0; i < rec->n_chunks; i++)
		rec->chunks[i].size = sizeof(rec->chunks[i]);
}

int csg_recording_load(struct csg_recording **rec, const char *path,
		       const struct csg_recording_setup *options, const struct csg_diag_sink *sink)
{
	struct csg_recording *new = calloc(1, sizeof(*new));
	int ret;

	*rec = NULL;
	if (!new)
		return -CSG_E_NO_MEMORY;
	if (sink)
		new->sink = *sink;
	new->events.memory = &new->memory;
	if (options && options->tmpdir)
		new->memory.dir = csg_strings_keep(&new->strings, options->tmpdir);
	new->info.path = csg_strings_keep(&new->strings, path);
	ret = new->info.path ? open_any(new, path, options) : -CSG_E_NO_MEMORY;
	ret = csg_recording_tell_memory(new, ret);
	state_sizes(new);
	if (ret)
		csg_recording_close(new);
	else
		*rec = new;
	return ret;
}

void csg_recording_close(struct csg_recording *rec)
{
	if (!rec)
		return;
	for (size_t i = 0; i < rec->n_files; i++)
		close(rec->files[i].fd);
	free(rec->files);
	free(rec->extents);
	free(rec->sources);
	free(rec->chunks);
	free(rec->samples);
	free(rec->dumps);
	free(rec->vcpus);
	free(rec->event_attrs);
	csg_kept_destroy(rec->kept);
	csg_build_ids_fini(&rec->build_ids);
	csg_events_fini(&rec->events);
	csg_disk_memory_fini(&rec->memory);
	csg_strings_fini(&rec->strings);
	free(rec);
}

int csg_recording_damage(const struct csg_recording *rec)
{
	return !rec ? -CSG_E_USAGE : rec->damage;
}

const struct csg_recording_info *csg_recording_info(const struct csg_recording *rec)
{
	return !rec ? NULL : &rec->info;
}

const struct csg_time_conv *csg_recording_time_conv(const struct csg_recording *rec)
{
	return !rec ? NULL : &rec->time_conv;
}

const struct csg_source *csg_recording_sources(const struct csg_recording *rec, size_t *n)
{
	*n = rec->n_sources;
	return rec->sources;
}

const struct csg_chunk *csg_recording_chunks(const struct csg_recording *rec, size_t *n)
{
	*n = rec->n_chunks;
	return rec->chunks;
}

const struct csg_chunk *csg_recording_queue(const struct csg_recording *rec, uint32_t queue,
					    size_t *n)
{
	size_t first, end;

	CSG_BISECT(first, rec->n_chunks, rec->chunks[first].queue < queue);
	CSG_BISECT(end, rec->n_chunks, rec->chunks[end].queue <= queue);
	*n = end - first;
	return rec->chunks + first;
}

const struct csg_traced_sample *csg_recording_samples(const struct csg_recording *rec, size_t *n)
{
	*n = rec->n_samples;
	return rec->samples;
}

const struct csg_dump *csg_recording_dumps(const struct csg_recording *rec, size_t *n)
{
	*n = rec->n_dumps;
	return rec->dumps;
}

const struct csg_vcpu *csg_recording_vcpus(const struct csg_recording *rec, size_t *n)
{
	*n = rec->n_vcpus;
	return rec->vcpus;
}

const char *csg_recording_event_name(const struct csg_recording *rec, uint64_t value)
{
	return rec && value < rec->n_event_attrs ? rec->event_attrs[value].name : NULL;
}

bool csg_recording_kvm_event(const struct csg_recording *rec, const struct csg_event *sample,
			     struct csg_kvm_event *event)
{
	const struct csg_store_event *attr =
		sample->value < rec->n_event_attrs ? &rec->event_attrs[sample->value] : NULL;

	if (!attr || !csg_kvm_event_read(&rec->kvm_formats, attr->name, attr->config,
					 sample->sample.raw, sample->sample.raw_len, event))
		return false;
	/* Of two that follow each other it is not known that nothing came between. */
	event->has_pc = event->has_pc && !attr->sampled;
	return true;
}

bool csg_recording_wake(const struct csg_recording *rec, const struct csg_event *sample,
			int32_t *tid, int32_t *cpu)
{
	const struct csg_store_event *attr =
		sample->value < rec->n_event_attrs ? &rec->event_attrs[sample->value] : NULL;
	struct csg_wake wake;

	if (!attr || attr->sampled ||
	    !csg_wake_read(&rec->wake_formats, attr->name, attr->config, sample->sample.raw,
			   sample->sample.raw_len, &wake))
		return false;
	*tid = wake.tid;
	*cpu = wake.cpu;
	return true;
}

struct csg_disk_memory *csg_recording_memory(struct csg_recording *rec)
{
	return &rec->memory;
}

int csg_recording_tell_memory(struct csg_recording *rec, int err)
{
	return csg_recording_tell_disk(rec, &rec->memory, "sideband", err);
}

int csg_recording_tell_disk(const struct csg_recording *rec, const struct csg_disk_memory *memory,
			    const char *what, int err)
{
	return csg_disk_memory_tell(memory, &rec->sink, what, err);
}

void csg_recording_note_memory(const struct csg_recording *rec)
{
	const struct csg_disk_memory *m = &rec->memory;

	if (m->on_disk >= NOTED_BYTES)
		csg_report(&rec->sink, CSG_NOTE, CSG_E_OK, m->dir, CSG_NO_OFFSET, NULL,
			   "%" PRIu64 " MB of sideband are in a temporary file", m->on_disk >> 20);
}

int csg_recording_events(struct csg_recording *rec, uint32_t mask, csg_event_fn fn, void *arg)
{
	for (size_t i = 0; i < rec->events.n; i++) {
		struct csg_event event;
		int ret;

		if (i % TRIM_EVENTS == 0)
			csg_disk_memory_trim(rec->events.memory);
		if (!(mask & 1u << csg_events_kind(&rec->events, i)))
			continue;
		csg_events_get(&rec->events, i, &event);
		if (event.kind == CSG_EVENT_MAP)
			csg_build_ids_apply(&rec->build_ids, &rec->strings, event.machine_pid,
					    &event.map);
		ret = fn(arg, &event);
		if (ret)
			return ret;
	}
	return 0;
}
