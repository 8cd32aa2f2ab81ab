/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch/trace_instance.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csguest/error.h"
#include "text/complain.h"

static int failed(const char *path, const char *remedy)
{
	csg_complain("csguest: error: %s: %s\n         remedy: %s\n", path, strerror(errno),
		     remedy);
	return -CSG_E_IO;
}

/* 0, or -1 with errno. */
static int put(const struct csg_trace_instance *t, const char *file, const char *text, char *path,
	       size_t size)
{
	int fd, err;
	ssize_t n;

	snprintf(path, size, "%s/%s", t->path, file);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	err = errno;
	close(fd);
	errno = err;
	return n < 0 ? -1 : 0;
}

int csg_trace_instance_open(struct csg_trace_instance *t, const char *root)
{
	char path[CSG_TRACE_INSTANCE_PATH + 32];

	memset(t, 0, sizeof(*t));
	t->pipe = -1;
	snprintf(t->path, sizeof(t->path), "%s/sys/kernel/tracing/instances/csguest-watch", root);
	if (mkdir(t->path, 0700) && errno != EEXIST) {
		failed(t->path, "run as root, after mount -t tracefs none /sys/kernel/tracing");
		t->path[0] = 0;
		return -CSG_E_IO;
	}
	/* The times of its events are perf's only by this clock. */
	if (put(t, "trace_clock", "perf", path, sizeof(path)))
		return failed(path, "a kernel whose tracefs has the clock \"perf\"");
	put(t, "buffer_percent", "0", path, sizeof(path)); /* else they come when half full */
	put(t, "options/markers", "1", path,
	    sizeof(path)); /* as it is unless somebody cleared it */
	snprintf(path, sizeof(path), "%s/trace_pipe", t->path);
	t->pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return t->pipe < 0 ? failed(path, "end the csguest watch that reads it") : 0;
}

int csg_trace_instance_enable(struct csg_trace_instance *t, const char *event, const char *filter)
{
	char file[256], path[CSG_TRACE_INSTANCE_PATH + 300];

	snprintf(file, sizeof(file), "events/%s/filter", event);
	if (filter && put(t, file, filter, path, sizeof(path)))
		return failed(path, "a filter of that event's fields, as \"prev_pid == 5\"");
	snprintf(file, sizeof(file), "events/%s/enable", event);
	return put(t, file, "1", path, sizeof(path))
		       ? failed(path, "perf list tracepoint prints the events that there are")
		       : 0;
}

int csg_trace_instance_mark(struct csg_trace_instance *t, const char *text)
{
	char path[CSG_TRACE_INSTANCE_PATH + 300];

	return put(t, "trace_marker", text, path, sizeof(path))
		       ? failed(path, "a kernel whose tracefs has trace_marker in its instances")
		       : 0;
}

const char *csg_trace_instance_next(struct csg_trace_instance *t, char *line, size_t size)
{
	for (;;) {
		char *end = memchr(t->line, '\n', t->size);
		size_t n = end ? (size_t)(end - t->line) : t->size;
		ssize_t more;

		if (end) {
			const bool skip = t->skip;

			snprintf(line, size, "%.*s", (int)n, t->line);
			t->size -= n + 1;
			memmove(t->line, end + 1, t->size);
			t->skip = false;
			if (skip)
				continue;
			return line;
		}
		if (n == sizeof(t->line)) {
			t->skip = true;
			t->size = 0;
		}
		more = read(t->pipe, t->line + t->size, sizeof(t->line) - t->size);
		if (more <= 0)
			return NULL;
		t->size += (size_t)more;
	}
}

void csg_trace_instance_close(struct csg_trace_instance *t)
{
	if (t->pipe >= 0)
		close(t->pipe);
	if (*t->path)
		rmdir(t->path); /* disables its events */
	t->path[0] = 0;
	t->pipe = -1;
}
