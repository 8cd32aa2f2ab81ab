/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/report.h"
#include "recording/snapshot/snapshot_files.h"

static struct csg_snapshot_device *find_device(struct csg_snapshot *snapshot, const char *name)
{
	for (size_t i = 0; i < snapshot->n_devices; i++)
		if (snapshot->devices[i].name && !strcmp(snapshot->devices[i].name, name))
			return &snapshot->devices[i];
	return NULL;
}

static bool is_core(const struct csg_snapshot_device *device)
{
	return device->class_name && !strcmp(device->class_name, "core");
}

/* The number at the end of "cpu_3"; -1: none. */
static int32_t number_at_end(const char *name)
{
	size_t len = name ? strlen(name) : 0, at = len;

	while (at && isdigit((unsigned char)name[at - 1]))
		at--;
	return at < len && len - at < 6 ? (int32_t)strtol(name + at, NULL, 10) : -1;
}

/* Cores are numbered as their names are, where those are distinct, else as they come. */
static void number_cores(struct csg_snapshot *snapshot)
{
	bool by_name = true;
	int32_t next = 0;

	for (size_t i = 0; i < snapshot->n_devices; i++) {
		struct csg_snapshot_device *device = &snapshot->devices[i];

		if (!is_core(device))
			continue;
		device->cpu = number_at_end(device->name);
		by_name = by_name && device->cpu >= 0;
		for (size_t k = 0; k < i && by_name; k++)
			by_name = snapshot->devices[k].cpu != device->cpu;
	}
	for (size_t i = 0; i < snapshot->n_devices && !by_name; i++)
		if (is_core(&snapshot->devices[i]))
			snapshot->devices[i].cpu = next++;
}

/* The core that the source traces, or NULL. */
static struct csg_snapshot_device *core_of(struct csg_snapshot *snapshot, const char *source)
{
	for (size_t i = 0; i < snapshot->n_core_sources; i++)
		if (!strcmp(snapshot->core_sources[i].value, source))
			return find_device(snapshot, snapshot->core_sources[i].key);
	return NULL;
}

static uint8_t framing_of(const struct csg_snapshot_buffer *buffer)
{
	if (!buffer->format)
		return CSG_FRAMES;
	if (!strcmp(buffer->format, "source_data"))
		return CSG_RAW;
	return !strcmp(buffer->format, "dstream_coresight") ? CSG_FRAMES_TPIU : CSG_FRAMES;
}

static int add_source(struct csg_snapshot *snapshot, const char *name, struct csg_chunk *chunk)
{
	struct csg_recording *rec = snapshot->rec;
	struct csg_snapshot_device *device = find_device(snapshot, name);
	struct csg_snapshot_device *core = core_of(snapshot, name);
	struct csg_source source = {.queue = chunk->queue, .sink = CSG_NO_SINK, .cpu = CSG_NO_CPU};
	struct csg_source *new;
	const char *missing = NULL;

	if (!device || !csg_snapshot_device_source(device, &source, &missing)) {
		csg_report(&rec->sink, CSG_WARNING, CSG_E_CORRUPT,
			   device ? device->ini : snapshot->metadata, CSG_NO_OFFSET,
			   "add it to the snapshot; the source is left out",
			   device ? "source %s has no %s" : "source %s is no device%s", name,
			   missing ? missing : "");
		return 0;
	}
	if (core) {
		source.cpu = core->cpu;
		source.core_type = core->type;
		source.cortex_m = core->type && !strncmp(core->type, "Cortex-M", 8);
	}
	if (chunk->framing == CSG_RAW)
		chunk->cpu = source.cpu;
	new = CSG_STORE_ADD(rec, sources);
	if (!new)
		return -CSG_E_NO_MEMORY;
	*new = source;
	return 0;
}

static int by_queue(const void *a, const void *b)
{
	const struct csg_source *x = a, *y = b;

	if (x->queue != y->queue)
		return x->queue < y->queue ? -1 : 1;
	return x->trace_id < y->trace_id ? -1 : x->trace_id > y->trace_id;
}

/* The sources of a buffer; a raw one can hold but one. */
static int add_sources(struct csg_snapshot *snapshot, const struct csg_snapshot_buffer *buffer,
		       struct csg_chunk *chunk)
{
	const char *first = NULL;

	for (size_t i = 0; i < snapshot->n_source_buffers; i++) {
		const struct csg_snapshot_pair *pair = &snapshot->source_buffers[i];
		int ret;

		if (strcmp(pair->value, buffer->name))
			continue;
		if (first && chunk->framing == CSG_RAW) {
			csg_report(&snapshot->rec->sink, CSG_WARNING, CSG_E_CORRUPT,
				   snapshot->metadata, CSG_NO_OFFSET,
				   "correct format= of the buffer",
				   "source_data of %s is of one source; %s is left out", first,
				   pair->key);
			continue;
		}
		first = pair->key;
		ret = add_source(snapshot, pair->key, chunk);
		if (ret)
			return ret;
	}
	return 0;
}

/* Opens a buffer's file and makes it a queue with one chunk. */
static int add_buffer(struct csg_snapshot *snapshot, size_t queue)
{
	const struct csg_snapshot_buffer *buffer = &snapshot->buffers[queue];
	struct csg_recording *rec = snapshot->rec;
	const char *path = buffer->file ? csg_snapshot_resolve(snapshot, buffer->file) : NULL;
	struct csg_chunk *chunk;
	struct stat st;
	int fd, file;

	if (!buffer->name || !buffer->file) {
		csg_report(&rec->sink, CSG_WARNING, CSG_E_CORRUPT, snapshot->metadata,
			   CSG_NO_OFFSET, "add name= and file=", "buffer [%s] has no name or file",
			   buffer->section);
		return 0;
	}
	fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		csg_snapshot_report_file(snapshot, CSG_WARNING, path);
		if (fd >= 0)
			close(fd);
		return 0;
	}
	file = csg_store_add_file(rec, fd, path, (uint64_t)st.st_size);
	chunk = file >= 0 ? CSG_STORE_ADD(rec, chunks) : NULL;
	if (!chunk)
		return -CSG_E_NO_MEMORY;
	*chunk = (struct csg_chunk){
		.queue = (uint32_t)queue,
		.framing = framing_of(buffer),
		.bytes = (uint64_t)st.st_size,
		.cpu = CSG_NO_CPU,
		.pid = -1,
		.tid = -1,
	};
	if (csg_store_add_extent(rec, (uint32_t)file, 0, &chunk->id))
		return -CSG_E_NO_MEMORY;
	return add_sources(snapshot, buffer, chunk);
}

/* The rest of the file where no length is given; what reaches beyond it is cut. */
static int add_dump(struct csg_snapshot *snapshot, const struct csg_snapshot_device *core,
		    const struct csg_snapshot_dump *dump)
{
	struct csg_recording *rec = snapshot->rec;
	const char *path = dump->file ? csg_snapshot_resolve(snapshot, dump->file) : NULL;
	struct csg_dump *new;
	struct stat st;
	uint64_t left;

	if (!dump->file || !dump->has_address) {
		csg_report(&rec->sink, CSG_WARNING, CSG_E_CORRUPT, core->ini, CSG_NO_OFFSET,
			   "add file= and address=", "a dump has no file or address");
		return 0;
	}
	if (!path)
		return -CSG_E_NO_MEMORY;
	if (stat(path, &st)) {
		csg_snapshot_report_file(snapshot, CSG_WARNING, path);
		return 0;
	}
	left = dump->offset < (uint64_t)st.st_size ? (uint64_t)st.st_size - dump->offset : 0;
	if (dump->length > left)
		csg_report(&rec->sink, CSG_WARNING, CSG_E_TRUNCATED, path, dump->offset + left,
			   CSG_SNAPSHOT_REMEDY, "dump is shorter than the snapshot says");
	else if (dump->length)
		left = dump->length;
	new = left ? CSG_STORE_ADD(rec, dumps) : NULL;
	if (left && !new)
		return -CSG_E_NO_MEMORY;
	if (new)
		*new = (struct csg_dump){
			.address = dump->address,
			.size = left,
			.offset = dump->offset,
			.path = path,
			.space = dump->space,
			.cpu = core->cpu,
		};
	return 0;
}

static int add_dumps(struct csg_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->n_devices; i++) {
		const struct csg_snapshot_device *device = &snapshot->devices[i];

		for (size_t k = 0; k < device->n_dumps; k++) {
			int ret = add_dump(snapshot, device, &device->dumps[k]);

			if (ret)
				return ret;
		}
	}
	return 0;
}

static int build(struct csg_snapshot *snapshot)
{
	struct csg_recording *rec = snapshot->rec;
	int ret = 0;

	number_cores(snapshot);
	for (size_t i = 0; i < snapshot->n_buffers && !ret; i++)
		ret = add_buffer(snapshot, i);
	if (!ret)
		ret = add_dumps(snapshot);
	if (!ret && !rec->n_sources)
		return csg_report(&rec->sink, CSG_ERROR, CSG_E_NO_TRACE, snapshot->metadata,
				  CSG_NO_OFFSET, CSG_SNAPSHOT_REMEDY,
				  "no trace buffer with a known source could be opened");
	if (rec->n_sources)
		qsort(rec->sources, rec->n_sources, sizeof(*rec->sources), by_queue);
	for (size_t i = 0; i < snapshot->n_devices; i++)
		rec->info.cpus_available += is_core(&snapshot->devices[i]);
	return ret;
}

int csg_snapshot_open(struct csg_recording *rec, const char *path)
{
	struct csg_snapshot snapshot = {.rec = rec};
	int ret;

	rec->info.kind = CSG_RECORDING_SNAPSHOT;
	ret = csg_snapshot_read(&snapshot, path);
	if (!ret)
		ret = build(&snapshot);
	csg_snapshot_fini(&snapshot);
	return ret;
}
