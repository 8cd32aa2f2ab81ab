/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "recording/snapshot_device.h"
#include "recording/snapshot_ini.h"

#define INI_BYTES_MAX (4u << 20)
#define DEVICES_MAX 65536
#define REMEDY_COPY "copy the whole snapshot directory"

/* source=buffer or core=source, as the ini has them. */
struct pair {
	const char *key, *value;
};

struct buffer {
	const char *section, *name, *file, *format;
};

struct snapshot {
	struct csg_recording *rec;
	const char *path; /* of the ini being read */
	char *dir;
	const char *metadata; /* name of trace.ini */
	struct csg_snapshot_device *devices;
	size_t n_devices, cap_devices;
	const char **inis; /* of the devices */
	size_t n_inis, cap_inis;
	struct buffer *buffers;
	size_t n_buffers, cap_buffers;
	struct pair *source_buffers, *core_sources;
	size_t n_source_buffers, cap_source_buffers, n_core_sources, cap_core_sources;
};

static void fini(struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->n_devices; i++)
		csg_snapshot_device_fini(&snapshot->devices[i]);
	free(snapshot->devices);
	free(snapshot->inis);
	free(snapshot->buffers);
	free(snapshot->source_buffers);
	free(snapshot->core_sources);
	free(snapshot->dir);
}

static const char *keep(struct snapshot *snapshot, const char *text)
{
	return csg_strings_intern_text(&snapshot->rec->strings, text, SIZE_MAX);
}

/* The file of that name in the snapshot's directory; recorders on Windows write "\\". */
static const char *resolve(struct snapshot *snapshot, const char *name)
{
	char *path;
	const char *kept;

	if (asprintf(&path, "%s/%s", snapshot->dir, name) < 0)
		return NULL;
	for (char *c = path + strlen(snapshot->dir); *c; c++)
		if (*c == '\\')
			*c = '/';
	kept = keep(snapshot, path);
	free(path);
	return kept;
}

static int report_file(const struct snapshot *snapshot, enum csg_severity severity,
		       const char *path)
{
	return csg_report(&snapshot->rec->sink, severity,
			  errno == ENOENT ? CSG_E_NOT_FOUND : CSG_E_IO, path, CSG_NO_OFFSET,
			  REMEDY_COPY, "%s", strerror(errno));
}

/* All of a small file, in memory that the caller frees. */
static int read_ini(const char *path, char **text, size_t *len)
{
	FILE *file = fopen(path, "rbe");

	if (!file)
		return -CSG_E_IO;
	*text = malloc(INI_BYTES_MAX);
	*len = *text ? fread(*text, 1, INI_BYTES_MAX, file) : 0;
	fclose(file);
	return *text ? 0 : -CSG_E_NO_MEMORY;
}

static int no_value(const struct snapshot *snapshot, const char *key, uint64_t offset)
{
	csg_report(&snapshot->rec->sink, CSG_WARNING, CSG_E_CORRUPT, snapshot->path, offset,
		   "correct the line", "\"%s\" is neither a section nor key=value", key);
	return 0;
}

static int on_snapshot_key(void *arg, const char *section, const char *key, const char *value,
			   uint64_t offset)
{
	struct snapshot *snapshot = arg;
	const char **ini;

	if (!strcmp(section, "device_list") && value) {
		ini = snapshot->n_inis < DEVICES_MAX ? CSG_STORE_ADD(snapshot, inis) : NULL;
		if (!ini)
			return -CSG_E_NO_MEMORY;
		*ini = resolve(snapshot, value);
		return *ini ? 0 : -CSG_E_NO_MEMORY;
	}
	if (!strcmp(section, "trace") && value && !strcmp(key, "metadata")) {
		snapshot->metadata = resolve(snapshot, value);
		return snapshot->metadata ? 0 : -CSG_E_NO_MEMORY;
	}
	if (!strcmp(section, "snapshot") && value && !strcmp(key, "version") &&
	    strcmp(value, "1.0") && strcmp(value, "1"))
		csg_report(&snapshot->rec->sink, CSG_WARNING, CSG_E_UNSUPPORTED, snapshot->path,
			   offset, "check what is made of it", "snapshot of version %s", value);
	return value ? 0 : no_value(snapshot, key, offset);
}

/* buffers=a,b: the sections that describe them. */
static int add_buffers(struct snapshot *snapshot, const char *list)
{
	while (*list) {
		size_t len;
		struct buffer *buffer;

		list += strspn(list, ", \t");
		len = strcspn(list, ", \t");
		if (!len)
			break;
		buffer = CSG_STORE_ADD(snapshot, buffers);
		if (!buffer)
			return -CSG_E_NO_MEMORY;
		buffer->section = csg_strings_intern(&snapshot->rec->strings, list, len);
		if (!buffer->section)
			return -CSG_E_NO_MEMORY;
		list += len;
	}
	return 0;
}

static int on_buffer_key(struct snapshot *snapshot, struct buffer *buffer, const char *key,
			 const char *value)
{
	const char **to = !strcmp(key, "name")	   ? &buffer->name
			  : !strcmp(key, "file")   ? &buffer->file
			  : !strcmp(key, "format") ? &buffer->format
						   : NULL;

	if (to)
		*to = keep(snapshot, value);
	return to && !*to ? -CSG_E_NO_MEMORY : 0;
}

static int take_pair(struct snapshot *snapshot, struct pair *pair, const char *key,
		     const char *value)
{
	if (pair) {
		pair->key = keep(snapshot, key);
		pair->value = keep(snapshot, value);
	}
	return pair && pair->key && pair->value ? 0 : -CSG_E_NO_MEMORY;
}

static int on_trace_key(void *arg, const char *section, const char *key, const char *value,
			uint64_t offset)
{
	struct snapshot *snapshot = arg;

	if (!value)
		return no_value(snapshot, key, offset);
	if (!strcmp(section, "trace_buffers"))
		return strcmp(key, "buffers") ? 0 : add_buffers(snapshot, value);
	if (!strcmp(section, "source_buffers"))
		return take_pair(snapshot, CSG_STORE_ADD(snapshot, source_buffers), key, value);
	if (!strcmp(section, "core_trace_sources"))
		return take_pair(snapshot, CSG_STORE_ADD(snapshot, core_sources), key, value);
	for (size_t i = 0; i < snapshot->n_buffers; i++)
		if (!strcmp(section, snapshot->buffers[i].section))
			return on_buffer_key(snapshot, &snapshot->buffers[i], key, value);
	return 0;
}

static int parse(struct snapshot *snapshot, const char *path, csg_snapshot_ini_fn fn)
{
	char *text;
	size_t len;
	int ret = read_ini(path, &text, &len);

	if (ret == -CSG_E_IO)
		return report_file(snapshot, CSG_ERROR, path);
	if (ret)
		return ret;
	snapshot->path = path;
	ret = csg_snapshot_ini_read(text, len, fn, snapshot);
	free(text);
	return ret;
}

static int read_devices(struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->n_inis; i++) {
		struct csg_snapshot_device *device;
		char *text;
		size_t len;
		int ret = read_ini(snapshot->inis[i], &text, &len);

		if (ret == -CSG_E_IO) {
			report_file(snapshot, CSG_WARNING, snapshot->inis[i]);
			continue;
		}
		if (ret)
			return ret;
		device = CSG_STORE_ADD(snapshot, devices);
		ret = device ? csg_snapshot_device_read(device, snapshot->rec, snapshot->inis[i],
							text, len)
			     : -CSG_E_NO_MEMORY;
		free(text);
		if (ret)
			return ret;
	}
	return 0;
}

static struct csg_snapshot_device *find_device(struct snapshot *snapshot, const char *name)
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
static void number_cores(struct snapshot *snapshot)
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
static struct csg_snapshot_device *core_of(struct snapshot *snapshot, const char *source)
{
	for (size_t i = 0; i < snapshot->n_core_sources; i++)
		if (!strcmp(snapshot->core_sources[i].value, source))
			return find_device(snapshot, snapshot->core_sources[i].key);
	return NULL;
}

static uint8_t framing_of(const struct buffer *buffer)
{
	if (!buffer->format)
		return CSG_FRAMES;
	if (!strcmp(buffer->format, "source_data"))
		return CSG_RAW;
	return !strcmp(buffer->format, "dstream_coresight") ? CSG_FRAMES_TPIU : CSG_FRAMES;
}

static int add_source(struct snapshot *snapshot, const char *name, struct csg_chunk *chunk)
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
static int add_sources(struct snapshot *snapshot, const struct buffer *buffer,
		       struct csg_chunk *chunk)
{
	const char *first = NULL;

	for (size_t i = 0; i < snapshot->n_source_buffers; i++) {
		const struct pair *pair = &snapshot->source_buffers[i];
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
static int add_buffer(struct snapshot *snapshot, size_t queue)
{
	const struct buffer *buffer = &snapshot->buffers[queue];
	struct csg_recording *rec = snapshot->rec;
	const char *path = buffer->file ? resolve(snapshot, buffer->file) : NULL;
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
		report_file(snapshot, CSG_WARNING, path);
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
		.size = (uint64_t)st.st_size,
		.cpu = CSG_NO_CPU,
		.pid = -1,
		.tid = -1,
	};
	if (csg_store_add_extent(rec, (uint32_t)file, 0, &chunk->id))
		return -CSG_E_NO_MEMORY;
	return add_sources(snapshot, buffer, chunk);
}

/* The rest of the file where no length is given; what reaches beyond it is cut. */
static int add_dump(struct snapshot *snapshot, const struct csg_snapshot_device *core,
		    const struct csg_snapshot_dump *dump)
{
	struct csg_recording *rec = snapshot->rec;
	const char *path = dump->file ? resolve(snapshot, dump->file) : NULL;
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
		report_file(snapshot, CSG_WARNING, path);
		return 0;
	}
	left = dump->offset < (uint64_t)st.st_size ? (uint64_t)st.st_size - dump->offset : 0;
	if (dump->length > left)
		csg_report(&rec->sink, CSG_WARNING, CSG_E_TRUNCATED, path, dump->offset + left,
			   REMEDY_COPY, "dump is shorter than the snapshot says");
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

static int add_dumps(struct snapshot *snapshot)
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

static int build(struct snapshot *snapshot)
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
				  CSG_NO_OFFSET, REMEDY_COPY,
				  "no trace buffer with a known source could be opened");
	if (rec->n_sources)
		qsort(rec->sources, rec->n_sources, sizeof(*rec->sources), by_queue);
	for (size_t i = 0; i < snapshot->n_devices; i++)
		rec->info.cpus_available += is_core(&snapshot->devices[i]);
	return ret;
}

int csg_snapshot_open(struct csg_recording *rec, const char *path)
{
	size_t len = strlen(path);
	bool is_ini = len > 4 && !strcmp(path + len - 4, ".ini");
	const char *slash = strrchr(path, '/');
	struct snapshot snapshot = {.rec = rec};
	const char *ini;
	int ret;

	rec->info.kind = CSG_RECORDING_SNAPSHOT;
	if (!is_ini)
		snapshot.dir = strdup(path);
	else
		snapshot.dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	ini = !snapshot.dir ? NULL : is_ini ? path : resolve(&snapshot, "snapshot.ini");
	ret = ini ? parse(&snapshot, ini, on_snapshot_key) : -CSG_E_NO_MEMORY;
	if (!ret && !snapshot.metadata)
		ret = csg_report(&rec->sink, CSG_ERROR, CSG_E_NO_TRACE, ini, CSG_NO_OFFSET,
				 "add [trace] with metadata=trace.ini", "snapshot names no trace");
	if (!ret)
		ret = read_devices(&snapshot);
	if (!ret)
		ret = parse(&snapshot, snapshot.metadata, on_trace_key);
	if (!ret)
		ret = build(&snapshot);
	fini(&snapshot);
	return ret;
}
