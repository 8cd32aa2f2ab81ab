/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/snapshot/snapshot_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/report.h"
#include "recording/snapshot/snapshot_ini.h"

#define INI_BYTES_MAX (4 << 20)
#define DEVICES_MAX 65536

void csg_snapshot_fini(struct csg_snapshot *snapshot)
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

static const char *keep(struct csg_snapshot *snapshot, const char *text)
{
	return csg_strings_keep(&snapshot->rec->strings, text);
}

const char *csg_snapshot_resolve(struct csg_snapshot *snapshot, const char *name)
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

int csg_snapshot_report_file(const struct csg_snapshot *snapshot, enum csg_severity severity,
			     const char *path)
{
	return csg_report(&snapshot->rec->sink, severity,
			  errno == ENOENT ? CSG_E_NOT_FOUND : CSG_E_IO, path, CSG_NO_OFFSET,
			  CSG_SNAPSHOT_REMEDY, "%s", strerror(errno));
}

/* All of a small file, in memory that the caller frees.  A snapshot may name anything. */
static int read_ini(const char *path, char **text, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t got = -1;

	*text = NULL;
	if (fd < 0)
		return -CSG_E_IO;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*len = st.st_size < INI_BYTES_MAX ? (size_t)st.st_size : INI_BYTES_MAX;
		*text = malloc(*len + 1);
		got = *text ? read(fd, *text, *len) : 0;
	} else {
		errno = EINVAL;
	}
	close(fd);
	if (got < 0) {
		free(*text);
		return -CSG_E_IO;
	}
	*len = (size_t)got;
	return *text ? 0 : -CSG_E_NO_MEMORY;
}

static int no_value(const struct csg_snapshot *snapshot, const char *key, uint64_t offset)
{
	csg_report(&snapshot->rec->sink, CSG_WARNING, CSG_E_CORRUPT, snapshot->path, offset,
		   "correct the line", "\"%s\" is neither a section nor key=value", key);
	return 0;
}

static int on_snapshot_key(void *arg, const char *section, const char *key, const char *value,
			   uint64_t offset)
{
	struct csg_snapshot *snapshot = arg;
	const char **ini;

	if (!strcmp(section, "device_list") && value) {
		if (snapshot->n_inis == DEVICES_MAX)
			return -CSG_E_LIMIT;
		ini = CSG_STORE_ADD(snapshot, inis);
		if (!ini)
			return -CSG_E_NO_MEMORY;
		*ini = csg_snapshot_resolve(snapshot, value);
		return *ini ? 0 : -CSG_E_NO_MEMORY;
	}
	if (!strcmp(section, "trace") && value && !strcmp(key, "metadata")) {
		snapshot->metadata = csg_snapshot_resolve(snapshot, value);
		return snapshot->metadata ? 0 : -CSG_E_NO_MEMORY;
	}
	if (!strcmp(section, "snapshot") && value && !strcmp(key, "version") &&
	    strcmp(value, "1.0") && strcmp(value, "1"))
		csg_report(&snapshot->rec->sink, CSG_WARNING, CSG_E_UNSUPPORTED, snapshot->path,
			   offset, "check what is made of it", "snapshot of version %s", value);
	return value ? 0 : no_value(snapshot, key, offset);
}

/* buffers=a,b: the sections that describe them. */
static int add_buffers(struct csg_snapshot *snapshot, const char *list)
{
	while (*list) {
		size_t len;
		struct csg_snapshot_buffer *buffer;

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

static int on_buffer_key(struct csg_snapshot *snapshot, struct csg_snapshot_buffer *buffer,
			 const char *key, const char *value)
{
	const char **to = !strcmp(key, "name")	   ? &buffer->name
			  : !strcmp(key, "file")   ? &buffer->file
			  : !strcmp(key, "format") ? &buffer->format
						   : NULL;

	if (to)
		*to = keep(snapshot, value);
	return to && !*to ? -CSG_E_NO_MEMORY : 0;
}

static int take_pair(struct csg_snapshot *snapshot, struct csg_snapshot_pair *pair, const char *key,
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
	struct csg_snapshot *snapshot = arg;

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

static int parse(struct csg_snapshot *snapshot, const char *path, csg_snapshot_ini_fn fn)
{
	char *text;
	size_t len;
	int ret = read_ini(path, &text, &len);

	if (ret == -CSG_E_IO)
		return csg_snapshot_report_file(snapshot, CSG_ERROR, path);
	if (ret)
		return ret;
	snapshot->path = path;
	ret = csg_snapshot_ini_read(text, len, fn, snapshot);
	free(text);
	return ret;
}

static int read_devices(struct csg_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->n_inis; i++) {
		struct csg_snapshot_device *device;
		char *text;
		size_t len;
		int ret = read_ini(snapshot->inis[i], &text, &len);

		if (ret == -CSG_E_IO) {
			csg_snapshot_report_file(snapshot, CSG_WARNING, snapshot->inis[i]);
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

int csg_snapshot_read(struct csg_snapshot *snapshot, const char *path)
{
	struct csg_recording *rec = snapshot->rec;
	size_t len = strlen(path);
	bool is_ini = len > 4 && !strcmp(path + len - 4, ".ini");
	const char *slash = strrchr(path, '/');
	const char *ini;
	int ret;

	if (!is_ini)
		snapshot->dir = strdup(path);
	else
		snapshot->dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	if (!snapshot->dir)
		return -CSG_E_NO_MEMORY;
	ini = is_ini ? path : csg_snapshot_resolve(snapshot, "snapshot.ini");
	ret = ini ? parse(snapshot, ini, on_snapshot_key) : -CSG_E_NO_MEMORY;
	if (!ret && !snapshot->metadata)
		ret = csg_report(&rec->sink, CSG_ERROR, CSG_E_NO_TRACE, ini, CSG_NO_OFFSET,
				 "add [trace] with metadata=trace.ini", "snapshot names no trace");
	if (!ret)
		ret = read_devices(snapshot);
	if (!ret)
		ret = parse(snapshot, snapshot->metadata, on_trace_key);
	return ret;
}
